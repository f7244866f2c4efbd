import { daysAfter } from '../../engine/day.ts'
import { byId } from '../../engine/join.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { type EmploymentPeriod, whyNotEmployed } from '../organisation/staff.ts'
import { type BreaksOn, missingBreak } from '../organisation/time-rules.ts'
import { breakTaken } from './breaks.ts'
import { inService } from './employment-periods.ts'

/** How long people have worked, by their time entries. */

/** Entries that count on timesheets. */
export const notRejected = (entries: Query, status: string) => entries.where(status, '!=', 'rejected')

/** The minutes of approved leave of these people, by kind, and by day where that is asked. */
export const approvedLeave = (db: Reader, ids: readonly number[], first: string, last: string, days: string[]): Query =>
  db
    .from('leave_entries as e')
    .innerJoin('leave_requests as r', byId('r', 'e.leave_request_id'))
    .innerJoin('leave_policy_terms as p', (on) =>
      on
        .onRef('p.account_id', '=', 'e.account_id')
        .onRef('p.leave_policy_id', '=', 'e.leave_type_policy_id')
        .onRef('p.effective_from', '<=', 'e.date')
        .onRef('p.effective_until', '>', 'e.date'),
    )
    .select((eb) => ['e.employee_id', 'p.activity_type as type', eb.fn.sum('e.minutes').as('minutes'), ...days])
    .where('e.employee_id', 'in', [...ids])
    .where('e.date', '>=', first)
    .where('e.date', '<=', last)
    .where('r.state', '=', 'approved')
    .groupBy(['e.employee_id', 'p.activity_type', ...days])

/** What was entered before the day of hiring or the last day was moved is kept, but belongs to no service. */
export const entriesInService = (db: Reader, table: string, ids: readonly number[], from: string, last: string) =>
  inService(db.from(`${table} as t`).innerJoin('employees as e', byId('e', 't.employee_id')), 't.date', 'e', db)
    .where('t.employee_id', 'in', [...ids])
    .where('t.date', '>=', from)
    .where('t.date', '<=', last)

/** Is the day after a day part of the employment, too? Otherwise all of a night counts on the day on which it starts. */
export function isHereAfter(
  day: string,
  person: EmploymentPeriod | undefined,
  end: string | null | undefined,
): boolean {
  const next = daysAfter(day, 1)
  return end !== next && !whyNotEmployed(person, next)
}

type Asked = {
  readonly first: string
  readonly last: string
  readonly projects: readonly number[][]
  readonly byDay: boolean
  /** The breaks that a person needs on a day; null if nobody needs any. */
  readonly breaksOn: BreaksOn
  /** Only working time and breaks that are approved, without leave and overtime. */
  readonly onlyApproved?: boolean
}

/**
 * Minutes by person and kind, and by day where that is asked: worked, the part of it that waits for approval, break, the
 * missing breaks, the kinds of leave, and overtime.
 */
export async function loadMinutes(
  db: Reader,
  people: ReadonlyMap<number, EmploymentPeriod>,
  /** The first day after the employment, also if it is not announced. */
  ends: ReadonlyMap<number, string | null>,
  { first, last, projects, byDay, breaksOn, onlyApproved = false }: Asked,
): Promise<Map<string, number>> {
  const days = (column: string) => (byDay ? [column] : [])
  const ids = [...people.keys()]
  const dayBefore = daysAfter(first, -1)
  const all = entriesInService(db, 'timesheet_entries', ids, dayBefore, last)
  let entries = onlyApproved ? all.where('t.status', '=', 'approved') : notRejected(all, 't.status')
  // Which break is missing after a night depends on all entries of the day on which it began.
  if (!breaksOn)
    entries = entries.where((eb) => eb.or([eb('t.date', '>', dayBefore), eb('t.minutes_after_midnight', '>', 0)]))
  for (const some of projects) entries = entries.where('t.project_id', 'in', some)
  const night = <T>(eb: T & any) =>
    eb.case().when('t.minutes_after_midnight', '>', eb.lit(0)).then(eb.ref('t.date')).end()
  const date = byDay || breaksOn ? ['t.date'] : []
  const worked = await entries
    .select((eb) => [
      ...['t.employee_id', 't.type', 't.status', ...date],
      eb.fn.sum('t.minutes').as('minutes'),
      eb.fn.sum('t.minutes_after_midnight').as('after_midnight'),
      night(eb).as('night'),
      ...(breaksOn ? [eb.fn.min('t.starts_at').as('starts_at'), eb.fn.max('t.ends_at').as('ends_at')] : []),
    ])
    .groupBy((eb) => ['t.employee_id', 't.type', 't.status', ...date, night(eb)])
    .execute()
  const leave = onlyApproved ? [] : await approvedLeave(db, ids, first, last, days('e.date')).execute()
  const overtimeRequests = entriesInService(db, 'overtime_requests', ids, first, last)
    .select((eb) => [
      't.employee_id',
      eb.val('overtime').as('type'),
      eb.fn.sum('t.minutes').as('minutes'),
      ...days('t.date'),
    ])
    .where('t.state', '=', 'approved')
    .groupBy(['t.employee_id', ...days('t.date')])
  const overtime = onlyApproved ? [] : await overtimeRequests.execute()
  const sums = new Map<string, number>()
  const add = (key: string, minutes: number) => sums.set(key, (sums.get(key) ?? 0) + minutes)
  const addOn = (employeeId: number, type: string, date: string | undefined, minutes: number) => {
    if (date !== undefined && (date < first || date > last)) return
    add(`${employeeId} ${type}`, minutes)
    if (byDay) add(`${employeeId} ${type} ${date}`, minutes)
  }
  /** What was worked after midnight counts on the next day. */
  const afterMidnight = (row: Record<string, any>) => {
    if (!row.night) return 0
    const id = row.employee_id as number
    return isHereAfter(row.night, people.get(id), ends.get(id)) ? Number(row.after_midnight) : 0
  }
  const pending = worked
    .filter(({ type, status }) => type === 'working' && status === 'pending')
    .map((row): typeof row => ({ ...row, type: 'pending' }))
  for (const row of [...worked, ...pending, ...leave, ...overtime]) {
    const ofNext = afterMidnight(row)
    const day = row.date ?? row.night ?? undefined
    addOn(row.employee_id, row.type, day, Number(row.minutes) - ofNext)
    if (ofNext > 0) addOn(row.employee_id, row.type, daysAfter(day as string, 1), ofNext)
  }
  if (!breaksOn) return sums
  for (const rows of Map.groupBy(worked, (row) => `${row.employee_id} ${row.date}`).values()) {
    const [{ employee_id: id, date: day }] = rows as [{ employee_id: number; date: string }]
    const sumOf = (some: typeof rows, of = (row: (typeof rows)[number]) => Number(row.minutes)) =>
      some.reduce((sum, row) => sum + of(row), 0)
    const working = rows.filter(({ type }) => type === 'working')
    const missing = missingBreak(breaksOn(id, day), sumOf(working), breakTaken(rows as never))
    const ofNext = Math.min(
      missing,
      Math.max(0, missing - sumOf(working, (row) => Number(row.minutes) - afterMidnight(row))),
    )
    const pending = working.filter(({ status }) => status === 'pending')
    const onDay = (row: (typeof rows)[number]) => Number(row.minutes) - afterMidnight(row)
    for (const [date, minutes, of] of [
      [day, missing - ofNext, onDay],
      [daysAfter(day, 1), ofNext, afterMidnight],
    ] as const) {
      addOn(id, 'working', date, -minutes)
      addOn(id, 'deducted', date, minutes)
      // What waits for approval is a part of what is left.
      addOn(id, 'pending', date, -Math.max(0, sumOf(pending, of) - (sumOf(working, of) - minutes)))
    }
  }
  return sums
}
