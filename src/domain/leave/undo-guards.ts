import { withoutHeldBack } from '../../engine/access-scope/held-back.ts'
import { mendEntries } from '../../engine/dated.ts'
import { conflict, invalid, refuse, wrong } from '../../engine/problem.ts'
import { find, rowsOf, type UndoneChange } from '../../engine/records.ts'
import { attemptsIn } from '../../engine/undo/guard-queries.ts'
import type { UndoGuard } from '../../engine/undo/guards.ts'
import { chunks } from '../../records/chunks.ts'
import type { Change, Columns } from '../../records/entries.ts'
import { dateIn, type Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { employmentsOf, whyNotEmployed } from '../organisation/staff.ts'
import { WEEKDAYS } from '../organisation/working-patterns.ts'
import { OPEN } from '../time/approvals.ts'
import { employmentsThen } from '../time/employment-periods.ts'
import { Schedule } from '../time/schedule.ts'
import { lineKey, linesOf, movementsOf, STILL } from './balances.ts'
import { requireApprovable, requireOverride, requireStill } from './conditions.ts'
import { leaveDayOn, sharesOf } from './leave-days.ts'
import { checkWhole, leavePolicies, leavePolicyTerms, POLICY_USES } from './leave-policies.ts'
import { ASKED, firstUnassigned, leaveEntries, leaveRequests, notTooMuch, tooLow } from './leave-requests.ts'
import { isNamedIn, leaveTypes, TYPE_USES } from './leave-types.ts'
import { whyNotOnDemand } from './on-demand.ts'
import { firstShortfall } from './postings.ts'
import { recountReturned } from './recount.ts'

/** What holds of leave, also when changes of it are undone. */

/** By its unit, its type and its kind balances were counted: what is in use keeps them. */
const kindsStay: UndoGuard = {
  tables: ['leave_types', 'leave_policies'],
  async check(db, changes, undone) {
    for (const { before, after } of await attemptsIn(db, leaveTypes, changes, undone))
      if (before && before.unit !== after.unit && (await isNamedIn(db, TYPE_USES, after.id)))
        throw conflict(
          `This cannot be undone: the leave type is in use, so its unit must stay ${before.unit}.`,
          'in_use',
        )
    for (const { before, after } of await attemptsIn(db, leavePolicies, changes, undone)) {
      const isOther = before && (before.type !== after.type || before.leave_type_id !== after.leave_type_id)
      if (isOther && (await isNamedIn(db, POLICY_USES, after.id)))
        throw conflict(
          'This cannot be undone: the leave policy is in use, so its type and leave_type_id cannot be changed.',
          'in_use',
        )
      if (before?.type === after.type) continue
      const terms = db.from('leave_policy_terms').where('leave_policy_id', '=', after.id)
      for (const one of await rowsOf(leavePolicyTerms, terms))
        checkWhole(after.type, {
          after: one,
          fail: (field, code, message) => {
            throw invalid(wrong(field, code, message))
          },
        })
    }
  },
}

/** Terms end where the next ones begin; days gone by keep those by which they were counted. */
const termsHold: UndoGuard = {
  tables: ['leave_policy_terms'],
  derivedColumns: ['effective_until'],
  async check(db, changes, { at }) {
    const policies = [...new Set(changes.flatMap(({ owner_id }) => owner_id ?? []))]
    const then = dateIn(db.account.time_zone, new Date(at))
    const hasBegun = changes.some(({ before, after }) =>
      [before?.effective_from, after?.effective_from].some((day) => typeof day === 'string' && day < db.today),
    )
    if (then < db.today && hasBegun)
      throw conflict(
        'This cannot be undone: these leave policy terms are already in effect and can no longer change. Add new terms from a later day instead.',
      )
    await mendEntries(db, leavePolicyTerms, 'leave_policy_id', policies)
    for (const id of policies) {
      const own = db.from('leave_policy_terms').select('id').where('leave_policy_id', '=', id).limit(1)
      const there = await db.from('leave_policies').select('id').where('id', '=', id).executeTakeFirst()
      if (there && !(await own.executeTakeFirst()))
        throw conflict(
          `This cannot be undone: leave policy ${id} would have no terms left, and it needs at least its first ones.`,
        )
    }
    await db.touch('leave_policies', policies)
  },
}

/** Every day of an open request lies in an assignment of its type of leave. */
const assignmentsHold: UndoGuard = {
  tables: ['employee_leave_types'],
  async check(db, changes) {
    const people = [...new Set(changes.flatMap(({ owner_id }) => owner_id ?? []))]
    const lines = await linesOf(db, people)
    const open = await openRequests(db, people)
    const entries = await entriesOf(
      db,
      open.map(({ id }) => id),
    )
    for (const request of open)
      for (const { date } of entries.get(request.id) ?? [])
        if (firstUnassigned(lines.get(lineKey(request)), date, date))
          throw conflict(
            `This cannot be undone: the employee would no longer have the leave type on ${date}, a day of leave request ${request.id}. Reject, withdraw or change this leave request first.`,
            'in_use',
          )
  },
}

const openRequests = (db: Reader, people: readonly number[]) =>
  rowsOf(
    leaveRequests,
    db
      .from('leave_requests')
      .where('employee_id', 'in', [0, ...people])
      .where('state', 'in', OPEN),
  )

const entriesOf = async (db: Reader, ids: readonly number[]) =>
  Map.groupBy(
    await rowsOf(leaveEntries, db.from('leave_entries').where('leave_request_id', 'in', [0, ...ids])),
    ({ leave_request_id }) => leave_request_id,
  )

/**
 * What comes back is counted anew from the day on which it went. What is asked for is so much as its days are, beside what
 * else is taken from them, and leads below no floor.
 */
const requestsHold: UndoGuard = {
  tables: ['leave_requests', 'leave_entries'],
  async check(db, changes, undone) {
    const attempts = await attemptsIn(db, leaveRequests, changes, undone)
    for (const { before, after, changes: back } of attempts)
      if (before?.state === after.state && after.state !== 'pending' && ASKED.some((name) => name in back))
        throw conflict(
          `This cannot be undone: leave request ${after.id} is ${after.state}, so its days can no longer change.`,
        )
    const returned = attempts.filter(({ before, after }) => isOpen(after.state) && !isOpen(before?.state))
    const recounted = await recountReturned(
      db,
      returned.map(({ after }) => after),
      dateIn(db.account.time_zone, new Date(undone.at)),
    )
    const ids = [
      ...attempts.map(({ after }) => after.id),
      ...changes.flatMap(({ resource, owner_id }) => (resource === 'leave_entries' ? (owner_id ?? []) : [])),
    ]
    const rows = await rowsOf(leaveRequests, db.from('leave_requests').where('id', 'in', [0, ...new Set(ids)]))
    const entries = await entriesOf(
      db,
      rows.map(({ id }) => id),
    )
    for (const request of rows) {
      const own = entries.get(request.id) ?? []
      if (own.reduce((sum, { amount }) => sum + amount, 0) !== request.amount)
        throw conflict(
          `This cannot be undone alone: the days of leave request ${request.id} would no longer add up to its amount. Send request=true to undo the whole request.`,
        )
      if (!isOpen(request.state)) continue
      const one = attempts.find(({ after }) => after.id === request.id)
      if (one) await notTooMuch(one)
      refuse(one?.problems ?? [])
      await checkDays(db, request, own, undone)
      const isMore = takesMore(request, own, one?.before, changes)
      if (isMore && (recounted || (await isOtherNow(db, request, undone)))) await checkBalance(db, request, own)
      const hasOtherReason = one?.before && one.before.override_reason !== request.override_reason
      if (hasOtherReason || (isMore && one?.before && request.override_reason !== null))
        requireOverride(db, request.employee_id)
      // Other requests and blocked periods may have come since.
      if (isMore || hasOtherReason)
        await (request.state === 'approved' ? requireApprovable(db, request) : requireStill(db, request))
    }
  },
}

type OpenRequest = Awaited<ReturnType<typeof openRequests>>[number]
type RequestEntries = NonNullable<ReturnType<Awaited<ReturnType<typeof entriesOf>>['get']>>

const isOpen = (state: unknown) => (OPEN as readonly unknown[]).includes(state)

/** Does a request take more of any day, or of another line, than it took before the undo? */
function takesMore(
  request: OpenRequest,
  entries: RequestEntries,
  before: OpenRequest | null | undefined,
  changes: readonly Change[],
) {
  const stood = before === undefined ? request : before
  if (!stood || !isOpen(stood.state)) return true
  if (lineKey(stood) !== lineKey(request) || stood.on_demand !== request.on_demand) return true
  const own = changes.filter(({ resource, owner_id }) => resource === leaveEntries.table && owner_id === request.id)
  return entries.some(({ id, amount }) => {
    const told = own.filter(({ record_id }) => record_id === id)
    const was: Columns = Object.assign({}, ...told.map((one) => one.before).reverse())
    return told[0]?.action === 'create' || 'date' in was || Number(was.amount ?? amount) < amount
  })
}

/** What a balance follows from. */
const GROUNDS: Record<string, readonly string[]> = {
  leave_requests: ['employee_id', 'leave_type_id', 'state', 'starts_on', 'ends_on', 'amount', 'on_demand'],
  leave_adjustments: ['employee_id', 'leave_type_id', 'occurred_on', 'amount', 'on_demand'],
  employee_leave_types: ['employee_id', 'leave_type_id', 'leave_type_policy_id', 'effective_on', 'ends_on'],
  leave_policy_terms: Object.keys(leavePolicyTerms.fields).filter((name) => name !== 'effective_until'),
  overtime_requests: ['employee_id', 'date', 'minutes', 'credited_minutes', 'state'],
  employees: ['hired_on', 'termination_effective_on', 'date_of_birth'],
  former_employments: ['hired_on', 'termination_effective_on'],
  employment_statuses: ['working_pattern_id', 'effective_from', 'effective_until'],
  working_patterns: [...WEEKDAYS.map((day) => `${day}_hours`), 'versions'],
}

/** What a balance with leave for hours worked follows from, too. */
const GROUNDS_BY_HOURS: Record<string, readonly string[]> = {
  timesheet_entries: ['employee_id', 'starts_at', 'ends_at', 'type', 'status'],
  time_rules: ['working_pattern_id', 'effective_from', 'break_deductions'],
}

/** More than this is not looked through: then the balance is taken to be another. */
const MOST_SINCE = 10_000

/**
 * Is anything that the balance of a request follows from other than it was after the last of the undone changes? If
 * nothing is, the balance is what it was, however low. What went to and fro since is as it was.
 */
async function isOtherNow(
  db: Reader,
  { employee_id, leave_type_id }: OpenRequest,
  { last }: UndoneChange,
): Promise<boolean> {
  const byHours = (await creditsHours(db, employee_id, leave_type_id)) ? Object.keys(GROUNDS_BY_HOURS) : []
  const since = await db
    .from('ledger')
    .select(['resource', 'record_id', 'before', 'after', 'owner_id'])
    .where('no', '>', last)
    .where('resource', 'in', [...Object.keys(GROUNDS), ...byHours])
    .orderBy('no')
    .limit(MOST_SINCE + 1)
    .execute()
  if (since.length > MOST_SINCE) return true
  const others = Map.groupBy(
    [...Map.groupBy(since, (row) => `${row.resource} ${row.record_id}`).values()].flatMap(netOf),
    ({ table }) => table,
  )
  const of = (table: string) => others.get(table) ?? []
  if (of('employees').some(({ id }) => id === employee_id)) return true
  if (of('former_employments').some(({ ownerId }) => ownerId === employee_id)) return true
  // Leave may follow from working time.
  if (of('employment_statuses').some(({ ownerId }) => ownerId === employee_id)) return true
  if (of('working_patterns').length > 0 || of('time_rules').length > 0) return true
  for (const table of ['leave_requests', 'leave_adjustments', 'employee_leave_types', ...OF_TIME]) {
    const isOfType = !OF_TIME.includes(table)
    const isOwn = (row: Columns) =>
      row.employee_id === employee_id && (!isOfType || row.leave_type_id === leave_type_id)
    if (of(table).some(({ sides }) => sides.some((side) => side && isOwn(side)))) return true
    for (const some of chunks(of(table), 1000)) {
      const ids = some.map(({ id }) => id)
      const own = db.from(table).select('id').where('id', 'in', ids).where('employee_id', '=', employee_id)
      const ofType = isOfType ? own.where('leave_type_id', '=', leave_type_id) : own
      if (await ofType.limit(1).executeTakeFirst()) return true
    }
  }
  const policies = new Set(of('leave_policy_terms').map(({ ownerId }) => ownerId))
  if (policies.size === 0) return false
  const assigned = db.from('employee_leave_types').select('leave_type_policy_id as id')
  const rows = await assigned
    .where('employee_id', '=', employee_id)
    .where('leave_type_id', '=', leave_type_id)
    .execute()
  return rows.some(({ id }) => policies.has(id))
}

/** Time that can be credited as leave of any type. */
const OF_TIME = ['overtime_requests', 'timesheet_entries']

/** Does somebody have a policy of this type that gives leave for hours worked? */
async function creditsHours(db: Reader, employeeId: number, leaveTypeId: number): Promise<boolean> {
  const found = await db
    .from('employee_leave_types as a')
    .innerJoin('leave_policy_terms as p', (on) =>
      on.onRef('p.account_id', '=', 'a.account_id').onRef('p.leave_policy_id', '=', 'a.leave_type_policy_id'),
    )
    .select('p.id')
    .where('a.employee_id', '=', employeeId)
    .where('a.leave_type_id', '=', leaveTypeId)
    .where('p.credit', '=', 'hours_worked')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** What entries about one record did to it together, if that is anything a balance follows from. */
function netOf(entries: readonly Columns[]) {
  const {
    resource: table,
    record_id: id,
    owner_id: ownerId,
  } = entries[0] as { resource: string; record_id: number; owner_id: number | null }
  const merged = (sides: unknown[]) =>
    sides[0] === null
      ? null
      : (Object.assign({}, ...sides.map((side) => JSON.parse((side as string | null) ?? '{}')).reverse()) as Columns)
  const sides = [merged(entries.map(({ before }) => before)), merged(entries.map(({ after }) => after).reverse())]
  // Leave counts as soon as it is requested, time only when it is approved.
  const counts = (state: unknown) => (OF_TIME.includes(table) ? state === 'approved' : isOpen(state))
  const names = GROUNDS[table] ?? GROUNDS_BY_HOURS[table]
  const isState = (name: string) => name === 'state' || name === 'status'
  const shown = sides.map((side) =>
    JSON.stringify(side && names?.map((name) => (isState(name) && name in side ? counts(side[name]) : side[name]))),
  )
  return shown[0] === shown[1] ? [] : [{ table, id, ownerId, sides }]
}

async function checkDays(
  db: Writer,
  request: OpenRequest,
  entries: RequestEntries,
  undone: UndoneChange,
): Promise<void> {
  const { employee_id, leave_type_id, starts_on, ends_on } = request
  const line = (await linesOf(db, [employee_id])).get(lineKey(request))
  const service = (await employmentsOf(db, [employee_id])).get(employee_id)
  const then = (await employmentsThen(db, [employee_id], undone)).get(employee_id)
  const { unit } = await find(db, leaveTypes, leave_type_id)
  const schedule = await Schedule.load(withoutHeldBack(db), [employee_id], starts_on, ends_on)
  const shares = await sharesOf(db, employee_id, starts_on, ends_on, request.id)
  for (const { date: day, amount } of entries) {
    const outside = whyNotEmployed(service, day)
    if (outside && !whyNotEmployed(then, day)) throw invalid(wrong('starts_on', outside.code, outside.message))
    if (!line || firstUnassigned(line, day, day))
      throw invalid(
        wrong(
          'leave_type_id',
          'not_assigned',
          `is not assigned to this employee on ${day}. Assign the leave type for that day first`,
        ),
      )
    const possible = service && leaveDayOn(line, unit, schedule, service, day)
    const share = shares(day)
    if (share.last !== undefined && possible && amount > share.left(unit, possible))
      throw invalid(wrong('starts_on', 'overlap', `overlaps with leave request ${share.last} on ${day}`))
  }
}

async function checkBalance(db: Reader, request: OpenRequest, entries: RequestEntries): Promise<void> {
  const line = (await linesOf(db, [request.employee_id])).get(lineKey(request))
  if (!line) return
  const known = (await movementsOf(db, [request.employee_id])).get(lineKey(request)) ?? STILL
  const taken = entries.map(({ date: day, amount }) => ({ day, amount: -amount }))
  const why = request.on_demand && whyNotOnDemand(line, taken, known)
  if (why) throw invalid(wrong('on_demand', 'balance', why))
  const short = firstShortfall(line, request.starts_on, known.balance)
  if (!short) return
  throw invalid(wrong('ends_on', 'balance', tooLow(short)))
}

export const leaveGuards = [kindsStay, termsHold, assignmentsHold, requestsHold]
