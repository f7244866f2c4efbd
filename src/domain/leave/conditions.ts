import { withoutHeldBack } from '../../engine/access-scope/held-back.ts'
import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import { countDays, daysAfter } from '../../engine/day.ts'
import { byId } from '../../engine/join.ts'
import { type FieldProblem, forbidden, invalid, wrong } from '../../engine/problem.ts'
import { isSelf } from '../../records/caller.ts'
import type { Reader } from '../../records/reader.ts'
import { lastDayOfPeriod } from '../organisation/probation-policies.ts'
import { type EmploymentPeriod, employmentsOf } from '../organisation/staff.ts'
import { OPEN } from '../time/approvals.ts'
import { Schedule } from '../time/schedule.ts'
import { lineKey, linesOf } from './balances.ts'
import { firstBlockedDay } from './blocked-periods.ts'
import { isEligible } from './eligible-groups.ts'
import { inForceOn, type LeaveConditions, type LeaveTimeline, timelineOn } from './entitlement.ts'
import { type LeaveUnit, leaveDayOn } from './leave-days.ts'

/** Conditions of leave policies for requests. */

export type TakenDay = { readonly day: string; readonly amount: number }

/** What somebody asks for, and what the conditions are compared with. */
export type AskedLeave = {
  readonly unit: LeaveUnit
  /** The days with what is taken of each, in order. */
  readonly taken: readonly TakenDay[]
  /** Days of which something other than the whole is taken, with the whole. */
  readonly parts: readonly (TakenDay & { readonly whole: number })[]
  /** First day of the employment. */
  readonly hiredOn: string | null
  readonly probationEndsOn: string | null
  /** All days in a row, of this and other requests. */
  readonly stretch: readonly TakenDay[]
  /** Days of other requests of the same leave type. */
  readonly others: readonly TakenDay[]
}

const sum = (days: readonly TakenDay[]) => days.reduce((total, { amount }) => total + amount, 0)
const shown = (amount: number, unit: LeaveUnit) => `${amount / 10_000} ${unit}`

/** The conditions that are not met, each with when or how much leave is possible. */
export function unmetConditions(conditions: LeaveConditions, asked: AskedLeave, today: string): FieldProblem[] {
  const problems: FieldProblem[] = []
  const fail = (field: string, code: string, message: string) => problems.push(wrong(field, code, message))
  const { unit, taken, hiredOn, probationEndsOn } = asked
  const first = taken[0]?.day
  if (!first) return problems

  const { waiting_period: length, waiting_period_unit: length_unit } = conditions
  const possible = length && hiredOn ? daysAfter(lastDayOfPeriod(hiredOn, { length, length_unit }), 1) : null
  if (possible && first < possible)
    fail('starts_on', 'waiting_period', `is in the waiting period: this leave can be taken from ${possible} on`)

  if (!conditions.allowed_in_probation && probationEndsOn && hiredOn && hiredOn <= first && first <= probationEndsOn)
    fail(
      'starts_on',
      'in_probation',
      `is in the probation period: this leave can be taken from ${daysAfter(probationEndsOn, 1)} on`,
    )

  const earliest = conditions.notice_days ? daysAfter(today, conditions.notice_days) : null
  if (earliest && first < earliest)
    fail(
      'starts_on',
      'short_notice',
      `is too soon: this leave must be requested ${conditions.notice_days} days before its first day, so today it is possible from ${earliest} on`,
    )

  const parts = conditions.day_amounts === 'any' ? [] : asked.parts
  const part = parts.find(({ amount, whole }) => conditions.day_amounts === 'whole_days' || amount * 2 !== whole)
  if (part)
    fail(
      'leave_request_entries',
      'not_allowed',
      `amount for ${part.day} must be ${conditions.day_amounts === 'half_days' ? `${part.whole / 20_000} or ` : ''}${part.whole / 10_000}: this leave can be taken ${conditions.day_amounts === 'half_days' ? 'only in half and whole days' : 'only in whole days'}`,
    )

  const row = sum(asked.stretch)
  const own = row > sum(taken) ? ', together with the leave directly before or after it' : ''
  if (conditions.minimum_amount !== null && row < conditions.minimum_amount)
    fail(
      'ends_on',
      'too_short',
      `leads to ${shown(row, unit)} of leave in a row${own}: at least ${shown(conditions.minimum_amount, unit)} must be taken`,
    )
  if (conditions.maximum_amount !== null && row > conditions.maximum_amount)
    fail(
      'ends_on',
      'too_long',
      `leads to ${shown(row, unit)} of leave in a row${own}: at most ${shown(conditions.maximum_amount, unit)} can be taken`,
    )

  for (const [most, size, name] of [
    [conditions.monthly_maximum, 7, 'month'],
    [conditions.yearly_maximum, 4, 'year'],
  ] as const) {
    if (most === null) continue
    for (const [period, days] of Map.groupBy(taken, ({ day }) => day.slice(0, size))) {
      const before = sum(asked.others.filter(({ day }) => day.startsWith(period)))
      if (before + sum(days) <= most) continue
      const left = Math.max(0, most - before)
      fail(
        'ends_on',
        `${name}ly_maximum`,
        `leads to ${shown(before + sum(days), unit)} in ${period}: at most ${shown(most, unit)} of this leave can be taken in a ${name}, and ${shown(left, unit)} ${left === 10_000 ? 'is' : 'are'} left`,
      )
      break
    }
  }
  return problems
}

type Request = { id?: number; employee_id: number; leave_type_id: number; starts_on: string; ends_on: string }

/** How far apart two days of leave in a row can be: longer than any row of holidays and weekends. */
const LONGEST_GAP = 15

/** All open leave of the same type in the years that a request touches, and around it, without the request. */
async function otherLeave(db: Reader, { id, employee_id, leave_type_id }: Request, taken: readonly TakenDay[]) {
  const first = `${daysAfter(taken[0]?.day as string, -LONGEST_GAP).slice(0, 4)}-01-01`
  const last = `${daysAfter(taken.at(-1)?.day as string, LONGEST_GAP).slice(0, 4)}-12-31`
  const rows = await db
    .from('leave_entries as e')
    .innerJoin('leave_requests as r', byId('r', 'e.leave_request_id'))
    .select(['e.date as day', 'e.amount'])
    .where('e.employee_id', '=', employee_id)
    .where('e.date', '>=', first)
    .where('e.date', '<=', last)
    .where('r.leave_type_id', '=', leave_type_id)
    .where('r.state', 'in', OPEN)
    .where('r.id', '!=', id ?? 0)
    .orderBy('e.date')
    .execute()
  return rows as TakenDay[]
}

/** The leave in a row that some days belong to: without a day between on which the person could have taken leave. */
async function stretchOf(
  db: Reader,
  taken: readonly TakenDay[],
  others: readonly TakenDay[],
  { line, unit, person }: { line: LeaveTimeline; unit: LeaveUnit; person: EmploymentPeriod },
): Promise<readonly TakenDay[]> {
  const all = [...taken, ...others].sort((a, b) => (a.day < b.day ? -1 : 1))
  const days = [...new Set(all.map(({ day }) => day))]
  const isNear = (at: number) => countDays(days[at - 1] as string, days[at] as string) - 1 <= LONGEST_GAP
  let from = days.indexOf(taken[0]?.day as string)
  while (from > 0 && isNear(from)) from--
  let to = days.indexOf(taken.at(-1)?.day as string)
  while (to < days.length - 1 && isNear(to + 1)) to++
  const [first, last] = [days[from] as string, days[to] as string]
  const gaps = days.slice(from, to).map((day, index) => [day, days[from + index + 1] as string] as const)
  const isApart = gaps.some(([day, next]) => countDays(day, next) > 2)
  const schedule = isApart ? await Schedule.load(db, [person.id], first, last) : undefined
  const isRow = (day: string, next: string) => {
    for (let at = daysAfter(day, 1); at < next; at = daysAfter(at, 1))
      if (schedule && leaveDayOn(line, unit, schedule, person, at)) return false
    return true
  }
  let [start, end] = [taken[0]?.day as string, taken.at(-1)?.day as string]
  for (const [day, next] of gaps.toReversed()) if (next === start && isRow(day, next)) start = day
  for (const [day, next] of gaps) if (day === end && isRow(day, next)) end = next
  return all.filter(({ day }) => start <= day && day <= end)
}

/** What `GET` of the conditions needs of a request, its line of leave and the person. */
type Context = {
  readonly request: Request
  readonly line: LeaveTimeline
  readonly unit: LeaveUnit
  readonly person: EmploymentPeriod
  readonly taken: readonly TakenDay[]
  readonly parts?: AskedLeave['parts']
}

const conditionsOn = (line: LeaveTimeline, day: string): LeaveConditions | undefined =>
  inForceOn(line, day)?.terms.conditions

/** Reads what is needed for the conditions that are set, and refuses a request that does not meet all of them. */
export async function requireConditions(
  db: Reader,
  { request, line, unit, person, taken, parts = [] }: Context,
  /** A request that comes back by an undo was asked for in time. */
  isUndone = false,
): Promise<void> {
  const conditions = conditionsOn(line, request.starts_on)
  const policyId = inForceOn(line, request.starts_on)?.assignment.policyId
  if (!conditions || !policyId || taken.length === 0) return
  const known = withoutHeldBack(db)
  const isLimited = [conditions.minimum_amount, conditions.maximum_amount].some((one) => one !== null)
  const isCounted = [conditions.monthly_maximum, conditions.yearly_maximum].some((one) => one !== null)
  const others = isLimited || isCounted ? await otherLeave(db, request, taken) : []
  const stretch = isLimited ? await stretchOf(known, taken, others, { line, unit, person }) : taken
  const from = timelineOn(line, request.starts_on).service.from
  const problems = unmetConditions(
    isUndone ? { ...conditions, notice_days: null } : conditions,
    {
      ...{ unit, taken, parts, stretch, others },
      hiredOn: person.hired_on === null ? null : from,
      probationEndsOn: conditions.allowed_in_probation ? null : await probationEndOf(db, person.id),
    },
    db.today,
  )
  const blocked = await firstBlockedDay(
    db,
    request,
    taken.map(({ day }) => day),
  )
  if (blocked)
    problems.push(
      wrong(
        'starts_on',
        'blocked',
        `and ends_on must not include ${blocked.day}: no leave can be taken from ${blocked.by.starts_on} until ${blocked.by.ends_on} (${blocked.by.name})`,
      ),
    )
  if (!isUndone && !(await isEligible(db, policyId, person.id, request.starts_on)))
    problems.push(
      wrong(
        'leave_type_id',
        'not_eligible',
        `is not for this employee on ${request.starts_on}: they are in none of the eligible groups of leave policy ${policyId}`,
      ),
    )
  if (problems.length > 0) throw invalid(problems)
}

async function probationEndOf(db: Reader, id: number): Promise<string | null> {
  const row = await db.from('employees').select('probation_ends_on').where('id', '=', id).executeTakeFirst()
  return row?.probation_ends_on ?? null
}

type StoredRequest = Request & { id: number; override_reason: string | null; unit?: LeaveUnit }

/** Refuses to approve long leave without the attachment that its policy asks for. */
export async function requireAttachment(db: Reader, request: StoredRequest, hasAttachment?: boolean): Promise<void> {
  if (request.override_reason !== null || hasAttachment) return
  const { employee_id, leave_type_id, starts_on } = request
  const line = (await linesOf(withoutHeldBack(db), [employee_id])).get(lineKey(request))
  const from = line && conditionsOn(line, starts_on)?.attachment_from_day
  if (!line || !from) return
  const rows = await db
    .from('leave_entries')
    .select(['date as day', 'amount'])
    .where('leave_request_id', '=', request.id)
    .orderBy('date')
    .execute()
  const taken = rows as TakenDay[]
  const person = (await employmentsOf(db, [employee_id])).get(employee_id)
  const type = await db.from('leave_types').select('unit').where('id', '=', leave_type_id).executeTakeFirst()
  if (!person || taken.length === 0) return
  const others = from > 1 ? await otherLeave(db, request, taken) : []
  const own = await stretchOf(withoutHeldBack(db), taken, others, { line, unit: type?.unit as LeaveUnit, person })
  const length = countDays(own[0]?.day as string, own.at(-1)?.day as string)
  if (length < from) return
  const file = await db
    .from('leave_attachments')
    .select('id')
    .where('leave_request_id', '=', request.id)
    .limit(1)
    .executeTakeFirst()
  if (file) return
  throw invalid(
    wrong(
      'attachments',
      'required',
      `are required: this leave lasts ${length} days in a row, and from day ${from} on it can be approved only with an attachment, such as a certificate`,
    ),
  )
}

/** Conditions do not apply to a request with a reason. Nobody gives it for themselves. */
export function requireOverride(db: Reader, employeeId: number): void {
  if (isSelf(db, employeeId))
    throw forbidden('You cannot allow an exception for your own leave. Somebody else has to do it.')
  if (!holdsFor(db, 'leave:override', 'employees', employeeId))
    throw forbidden('You cannot send override_reason for this person: you need the permission leave:override for them.')
}
