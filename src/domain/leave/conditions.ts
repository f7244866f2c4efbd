import { withoutHeldBack } from '../../engine/access-scope/held-back.ts'
import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import { countDays, daysAfter } from '../../engine/day.ts'
import { byId } from '../../engine/join.ts'
import { type FieldProblem, forbidden, invalid, wrong } from '../../engine/problem.ts'
import { isSelf } from '../../records/caller.ts'
import type { Reader } from '../../records/reader.ts'
import { lastDayOfPeriod } from '../organisation/probation-policies.ts'
import { type EmploymentPeriod, employmentsOf, isEmployedOn } from '../organisation/staff.ts'
import { OPEN } from '../time/approvals.ts'
import { Schedule } from '../time/schedule.ts'
import { lineKey, linesOf } from './balances.ts'
import { firstBlockedDay } from './blocked-periods.ts'
import { firstIneligibleDay } from './eligible-groups.ts'
import { inForceOn, type LeaveConditions, type LeaveTimeline, type LeaveUnit, timelineOn } from './entitlement.ts'

/** Conditions of leave policies for requests. */

export type TakenDay = { readonly day: string; readonly amount: number }
type PartOfDay = TakenDay & { readonly whole: number }

/** Some of the days that are asked for, and what the conditions of these days are compared with. */
export type AskedDays = {
  readonly unit: LeaveUnit
  /** In order. */
  readonly taken: readonly TakenDay[]
  /** Those of them that were not asked for before. */
  readonly added: readonly TakenDay[]
  /** Those of which something other than the whole is taken. */
  readonly parts: readonly PartOfDay[]
  /** First day of the employment. */
  readonly hiredOn: string | null
  readonly probationEndsOn: string | null
  /** Amounts of leave in a row, of this and other requests, for each row that has one of the days. */
  readonly rows: readonly number[]
  /** All leave of the same type, with the days that are asked for. */
  readonly all: readonly TakenDay[]
}

const sum = (days: readonly TakenDay[]) => days.reduce((total, { amount }) => total + amount, 0)
const shown = (amount: number, unit: LeaveUnit) =>
  `${amount / 10_000} ${amount === 10_000 ? unit.replace(/s$/, '') : unit}`

/** The first day from one on that meets a condition, which can be another one by then. */
function firstPossible(day: string, possibleFrom: (day: string) => string | null): string {
  let found = day
  for (let tries = 0; tries < 50; tries++) {
    const next = possibleFrom(found)
    if (next === null || next <= found) break
    found = next
  }
  return found
}

/** The conditions that are not met, each with when or how much leave is possible. */
export function unmetConditions(
  conditionsOn: (day: string) => LeaveConditions | undefined,
  asked: AskedDays,
  today: string,
): FieldProblem[] {
  const problems: FieldProblem[] = []
  const fail = (field: string, code: string, message: string) => problems.push(wrong(field, code, message))
  const { unit, taken, added, hiredOn, probationEndsOn } = asked
  const first = taken[0]?.day
  const conditions = first && conditionsOn(first)
  if (!first || !conditions) return problems

  const waits = firstPossible(first, (day) => {
    const { waiting_period: length, waiting_period_unit: length_unit = 'months' } = conditionsOn(day) ?? {}
    return length && hiredOn ? daysAfter(lastDayOfPeriod(hiredOn, { length, length_unit }), 1) : null
  })
  if (waits > first)
    fail('starts_on', 'waiting_period', `is in the waiting period: this leave can be taken from ${waits} on`)

  const { allowed_in_probation } = conditions
  if (!allowed_in_probation && probationEndsOn && hiredOn && hiredOn <= first && first <= probationEndsOn)
    fail(
      'starts_on',
      'in_probation',
      `is in the probation period: this leave can be taken from ${daysAfter(probationEndsOn, 1)} on`,
    )

  const firstAdded = added[0]?.day
  const earliest = firstPossible(firstAdded ?? first, (day) => {
    const notice = conditionsOn(day)?.notice_days
    return notice ? daysAfter(today, notice) : null
  })
  if (firstAdded && earliest > firstAdded)
    fail(
      'starts_on',
      'short_notice',
      `is too soon: this leave must be requested ${conditionsOn(earliest)?.notice_days ?? conditions.notice_days} days before its first day, so today it is possible from ${earliest} on`,
    )

  const isHalf = ({ amount, whole }: PartOfDay) => Math.abs(amount * 2 - whole) <= 1
  const parts = conditions.day_amounts === 'any' ? [] : asked.parts
  const part = parts.find((one) => conditions.day_amounts === 'whole_days' || !isHalf(one))
  if (part) {
    const isWhole = conditions.day_amounts === 'whole_days'
    fail(
      'leave_request_entries',
      'not_allowed',
      `amount for ${part.day} must be ${isWhole ? '' : `${Math.floor(part.whole / 2) / 10_000} or `}${part.whole / 10_000}: this leave can be taken ${isWhole ? 'only in whole days' : 'only in half and whole days'}`,
    )
  }

  const { minimum_amount: least, maximum_amount: most } = conditions
  const [short] = least === null ? [] : asked.rows.filter((row) => row < least)
  if (least !== null && short !== undefined)
    fail(
      'ends_on',
      'too_short',
      `leads to ${shown(short, unit)} of leave in a row: at least ${shown(least, unit)} must be taken`,
    )
  const [long] = most === null ? [] : asked.rows.filter((row) => row > most)
  if (most !== null && long !== undefined)
    fail(
      'ends_on',
      'too_long',
      `leads to ${shown(long, unit)} of leave in a row${long > sum(taken) ? ', together with the leave directly before or after it' : ''}: at most ${shown(most, unit)} can be taken`,
    )

  for (const [limit, size, name] of [
    [conditions.monthly_maximum, 7, 'month'],
    [conditions.yearly_maximum, 4, 'year'],
  ] as const) {
    const periods = limit === null ? [] : [...new Set(taken.map(({ day }) => day.slice(0, size)))]
    for (const period of periods) {
      const total = sum(asked.all.filter(({ day }) => day.startsWith(period)))
      const own = sum(taken.filter(({ day }) => day.startsWith(period)))
      if (limit === null || total <= limit) continue
      const left = Math.max(0, limit - (total - own))
      fail(
        'ends_on',
        `${name}ly_maximum`,
        `leads to ${shown(total, unit)} in ${period}: at most ${shown(limit, unit)} of this leave can be taken in a ${name}, and ${shown(left, unit)} ${left === 10_000 ? 'is' : 'are'} left`,
      )
      break
    }
  }
  return problems
}

type Request = { id?: number; employee_id: number; leave_type_id: number }

/** How far apart two days of leave in a row can be: longer than any row of holidays and days without work. */
const LONGEST_GAP = 60

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

/** Leave in a row: all days of it, in order, without a day between on which the person works. */
async function rowsIn(db: Reader, all: readonly TakenDay[], person: EmploymentPeriod): Promise<TakenDay[][]> {
  const sorted = all.toSorted((a, b) => (a.day < b.day ? -1 : 1))
  const gaps = sorted.flatMap(({ day }, index) => {
    const next = sorted[index + 1]?.day
    return next && countDays(day, next) > 2 && countDays(day, next) <= LONGEST_GAP ? { day, next } : []
  })
  const [from, until] = [gaps[0]?.day, gaps.at(-1)?.next]
  const schedule = from && until ? await Schedule.load(db, [person.id], from, until) : undefined
  const isFree = (day: string) => isEmployedOn(person, day) && schedule?.hoursOn(person, day) === 0
  const rows: TakenDay[][] = []
  for (const one of sorted) {
    const row = rows.at(-1)
    const before = row?.at(-1)?.day
    let at = before === undefined ? one.day : daysAfter(before, 1)
    if (before !== undefined && countDays(before, one.day) <= LONGEST_GAP)
      while (at < one.day && isFree(at)) at = daysAfter(at, 1)
    if (row && before !== undefined && at >= one.day) row.push(one)
    else rows.push([one])
  }
  return rows
}

type Context = {
  readonly request: Request
  readonly line: LeaveTimeline
  readonly unit: LeaveUnit
  readonly person: EmploymentPeriod
  /** In order. */
  readonly taken: readonly TakenDay[]
  readonly parts?: readonly PartOfDay[]
  /** Days that were asked for before. */
  readonly earlier?: ReadonlySet<string>
}

/** Reads what is needed for the conditions that are set, and refuses a request that does not meet all of them. */
export async function requireConditions(
  db: Reader,
  { request, line, unit, person, taken, parts = [], earlier = new Set() }: Context,
  /** What was asked for in time stays so, and for somebody who could get it then: only limits and blocked periods are checked again. */
  isLater = false,
): Promise<void> {
  if (taken.length === 0) return
  const conditionsOn = (day: string): LeaveConditions | undefined => {
    const conditions = inForceOn(line, day)?.terms.conditions
    return conditions && isLater
      ? { ...conditions, notice_days: null, waiting_period: null, allowed_in_probation: true, day_amounts: 'any' }
      : conditions
  }
  // Each day has the conditions of its own terms.
  const groups = [...Map.groupBy(taken, ({ day }) => inForceOn(line, day)?.terms).values()]
  const isSet = (names: readonly (keyof LeaveConditions)[]) =>
    groups.some(([first]) => {
      const conditions = first && conditionsOn(first.day)
      return names.some((name) => conditions && conditions[name] !== null)
    })
  const isRow = isSet(['minimum_amount', 'maximum_amount'])
  const others = isRow || isSet(['monthly_maximum', 'yearly_maximum']) ? await otherLeave(db, request, taken) : []
  const rows = isRow ? await rowsIn(withoutHeldBack(db), [...taken, ...others], person) : []
  const problems: FieldProblem[] = []
  for (const days of groups) {
    const isOwn = new Set(days.map(({ day }) => day))
    const { service } = timelineOn(line, days[0]?.day as string)
    const isProbation = conditionsOn(days[0]?.day as string)?.allowed_in_probation === false
    const found = unmetConditions(
      conditionsOn,
      {
        unit,
        taken: days,
        added: days.filter(({ day }) => !earlier.has(day)),
        parts: parts.filter(({ day }) => isOwn.has(day)),
        rows: rows.filter((row) => row.some(({ day }) => isOwn.has(day))).map(sum),
        all: [...taken, ...others],
        hiredOn: person.hired_on === null ? null : service.from,
        probationEndsOn: isProbation ? await probationEndOf(db, person, service.from) : null,
      },
      db.today,
    )
    problems.push(...found.filter(({ code }) => !problems.some((one) => one.code === code)))
  }
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
  const policies = taken.flatMap(({ day }) => {
    const policyId = inForceOn(line, day)?.assignment.policyId
    return policyId === undefined ? [] : [{ day, policyId }]
  })
  const ineligible = isLater ? undefined : await firstIneligibleDay(db, person.id, policies)
  if (ineligible)
    problems.push(
      wrong(
        'leave_type_id',
        'not_eligible',
        `is not for this employee on ${ineligible.day}: they are in none of the eligible groups of leave policy ${ineligible.policyId}`,
      ),
    )
  if (problems.length > 0) throw invalid(problems)
}

/** The end of probation in the employment that starts on a day. */
async function probationEndOf(db: Reader, { id, hired_on }: EmploymentPeriod, from: string): Promise<string | null> {
  const own =
    from === hired_on
      ? db.from('employees').where('id', '=', id)
      : db.from('former_employments').where('employee_id', '=', id).where('hired_on', '=', from)
  return (await own.select('probation_ends_on').executeTakeFirst())?.probation_ends_on ?? null
}

type StoredRequest = Request & { id: number; override_reason: string | null }

/** Conditions of a stored request that another one, or a later change, can have made unmet: those that are checked again. */
export async function requireStill(db: Reader, request: StoredRequest): Promise<void> {
  if (request.override_reason !== null) return
  const stored = await storedLeave(db, request)
  if (stored) await requireConditions(db, { request, ...stored }, true)
}

/** The days of a stored request with its line of leave and the person. */
async function storedLeave(db: Reader, request: StoredRequest) {
  const { employee_id, leave_type_id } = request
  const line = (await linesOf(withoutHeldBack(db), [employee_id])).get(lineKey(request))
  const person = (await employmentsOf(db, [employee_id])).get(employee_id)
  const rows = await db
    .from('leave_entries as e')
    .innerJoin('leave_requests as r', byId('r', 'e.leave_request_id'))
    .innerJoin('leave_types as t', byId('t', 'r.leave_type_id'))
    .select(['e.date as day', 'e.amount', 't.unit'])
    .where('e.leave_request_id', '=', request.id)
    .where('t.id', '=', leave_type_id)
    .orderBy('e.date')
    .execute()
  const taken = rows as (TakenDay & { unit: LeaveUnit })[]
  return line && person && taken[0] ? { line, person, taken, unit: taken[0].unit } : undefined
}

/** Refuses to approve leave that does not meet its conditions any more, or that lacks the attachment that its policy asks for. */
export async function requireApprovable(db: Reader, request: StoredRequest): Promise<void> {
  if (request.override_reason !== null) return
  const stored = await storedLeave(db, request)
  if (!stored) return
  await requireConditions(db, { request, ...stored }, true)
  const { line, person, taken } = stored
  const fromDay = (day: string) => inForceOn(line, day)?.terms.conditions?.attachment_from_day ?? null
  if (taken.every(({ day }) => fromDay(day) === null)) return
  const rows = await rowsIn(withoutHeldBack(db), [...taken, ...(await otherLeave(db, request, taken))], person)
  const own = new Map(
    rows.flatMap((row) => row.map(({ day }) => [day, countDays(row[0]?.day as string, row.at(-1)?.day as string)])),
  )
  const long = taken.find(({ day }) => (own.get(day) ?? 0) >= (fromDay(day) ?? Number.POSITIVE_INFINITY))
  if (!long) return
  const file = db.from('leave_attachments').select('id').where('leave_request_id', '=', request.id).limit(1)
  if (await file.executeTakeFirst()) return
  throw invalid(
    wrong(
      'attachments',
      'required',
      `are required: this leave lasts ${own.get(long.day)} days in a row, and from day ${fromDay(long.day)} on it can be approved only with an attachment, such as a certificate`,
    ),
  )
}

/** Conditions do not apply to a request with a reason. Nobody gives it for themselves. */
export function requireOverride(db: Reader, employeeId: number): void {
  if (isSelf(db, employeeId))
    throw forbidden('You cannot allow an exception for your own leave. Somebody else has to do it.')
  if (!holdsFor(db, 'leave:override', 'employees', employeeId))
    throw forbidden(
      'This leave has an exception from the conditions of its policy (override_reason): you need the permission leave:override for this person.',
    )
}
