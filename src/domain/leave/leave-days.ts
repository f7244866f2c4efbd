import { byId } from '../../engine/join.ts'
import type { Reader } from '../../records/reader.ts'
import type { EmploymentPeriod } from '../organisation/staff.ts'
import { OPEN } from '../time/approvals.ts'
import type { Schedule } from '../time/schedule.ts'
import type { LeaveUnit } from './entitlement.ts'
import { inForceOn, type LeaveTimeline } from './entitlement.ts'

/** What single days of leave take. Amounts are ten-thousandths. */

const WHOLE_DAY = 10_000

/** How much work a day has: its working hours, and the part of a day. Half a holiday leaves half a day. */
export type WorkAmount = { hours: number; days: number }

/** A day that leave can be taken from. `whole` is the whole day in the unit of the leave. */
export type LeaveDay = WorkAmount & { day: string; policyId: number; whole: number }

/** The day, if leave can be taken from it: in service, under a policy, and to be worked where only those days count. */
export function leaveDayOn(
  line: LeaveTimeline,
  unit: LeaveUnit,
  schedule: Schedule,
  person: EmploymentPeriod,
  day: string,
): LeaveDay | undefined {
  const now = inForceOn(line, day)
  if (!now) return undefined
  const hours = schedule.hoursOn(person, day)
  if (hours === 0 && (unit === 'hours' || now.terms.counted_as === 'working_days')) return undefined
  const days = now.terms.counted_as === 'working_days' ? schedule.daysOn(person, day) : WHOLE_DAY
  return { day, policyId: now.assignment.policyId, hours, days, whole: unit === 'hours' ? hours : days }
}

export const minutesOf = (unit: LeaveUnit, { hours, days }: WorkAmount, amount: number): number =>
  Math.round(unit === 'hours' ? (amount * 60) / 10_000 : (hours * 60 * amount) / (days * 10_000))

/** The total that several requests take from one day, in days and in hours. */
export class DayTotal {
  #days = 0
  #hours = 0
  /** The last request that took something. */
  last: number | undefined

  take(unit: LeaveUnit, amount: number, requestId?: number): void {
    if (unit === 'days') this.#days += amount
    else this.#hours += amount
    if (amount > 0) this.last = requestId
  }

  /** How much of a day is left in a unit; never more than the whole day is taken from it. */
  left(unit: LeaveUnit, { hours, days }: WorkAmount): number {
    if (hours === 0) return unit === 'hours' || this.#hours > 0 ? 0 : Math.max(0, days - this.#days)
    // Both over the same denominator, so that a third of a day is not lost to rounding on the way.
    const free = days * hours - this.#days * hours - this.#hours * days
    return Math.max(0, Math.floor(free / (unit === 'hours' ? days : hours)))
  }
}

/** What open requests of a person take from the days of a range. */
export async function sharesOf(
  db: Reader,
  employeeId: number,
  first: string,
  last: string,
  /** A request that is left out. */
  except = 0,
): Promise<(day: string) => DayTotal> {
  const rows = await db
    .from('leave_entries as e')
    .innerJoin('leave_requests as r', byId('r', 'e.leave_request_id'))
    .innerJoin('leave_types as t', byId('t', 'r.leave_type_id'))
    .select(['e.date', 'e.amount', 'r.id', 't.unit'])
    .where('e.employee_id', '=', employeeId)
    .where('e.date', '>=', first)
    .where('e.date', '<=', last)
    .where('r.state', 'in', OPEN)
    .where('r.id', '!=', except)
    .execute()
  const shares = new Map<string, DayTotal>()
  for (const { date, amount, id, unit } of rows) {
    const share = shares.get(date) ?? new DayTotal()
    share.take(unit, amount, id)
    shares.set(date, share)
  }
  return (day) => shares.get(day) ?? new DayTotal()
}
