import { mendEnds } from '../engine/dated.ts'
import { conflict, invalid, refuse, wrong } from '../engine/problem.ts'
import { find, rowsOf, type Undone } from '../engine/records.ts'
import { attemptsIn, type Guard } from '../engine/undo.ts'
import { dateIn, type Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import { OPEN } from '../time/approvals.ts'
import { Schedule } from '../time/schedule.ts'
import { servicesOf, servicesThen, whyNotInService } from '../time/service.ts'
import { firstShortfall } from './accrual.ts'
import { lineKey, linesOf, movementsOf, STILL } from './balances.ts'
import { leaveDayOn, sharesOf } from './leave-days.ts'
import { checkWhole, leavePolicies, leavePolicyTerms, POLICY_USES } from './leave-policies.ts'
import { firstUnassigned, leaveEntries, leaveRequests, notTooMuch } from './leave-requests.ts'
import { isNamedIn, leaveTypes, TYPE_USES } from './leave-types.ts'
import { whyNotOnDemand } from './on-demand.ts'

/** What holds of leave, also when changes of it are undone. */

/** By its unit, its type and its kind balances were counted: what is in use keeps them. */
const kindsStay: Guard = {
  of: ['leave_types', 'leave_policies'],
  async check(db, changes, undone) {
    for (const { before, after } of await attemptsIn(db, leaveTypes, changes, undone))
      if (before && before.unit !== after.unit && (await isNamedIn(db, TYPE_USES, after.id)))
        throw conflict(`This leave type is in use: amounts have been counted in ${before.unit}`, 'in_use')
    for (const { before, after } of await attemptsIn(db, leavePolicies, changes, undone)) {
      const isOther = before && (before.type !== after.type || before.leave_type_id !== after.leave_type_id)
      if (isOther && (await isNamedIn(db, POLICY_USES, after.id)))
        throw conflict('This leave policy is in use: its type and leave_type_id cannot change', 'in_use')
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
const termsHold: Guard = {
  of: ['leave_policy_terms'],
  mends: ['effective_until'],
  async check(db, changes, { at }) {
    const policies = [...new Set(changes.flatMap(({ owner_id }) => owner_id ?? []))]
    const then = dateIn(db.account.time_zone, new Date(at))
    const hasBegun = changes.some(({ before, after }) =>
      [before?.effective_from, after?.effective_from].some((day) => typeof day === 'string' && day < db.today),
    )
    if (then < db.today && hasBegun) throw conflict('Terms that have begun stay, and so do those before them')
    await mendEnds(db, leavePolicyTerms, 'leave_policy_id', policies)
    for (const id of policies) {
      const own = db.from('leave_policy_terms').select('id').where('leave_policy_id', '=', id).limit(1)
      const there = await db.from('leave_policies').select('id').where('id', '=', id).executeTakeFirst()
      if (there && !(await own.executeTakeFirst())) throw conflict('A leave policy keeps the terms that it began with')
    }
    await db.touch('leave_policies', policies)
  },
}

/** Every day of an open request lies in an assignment of its type of leave. */
const assignmentsHold: Guard = {
  of: ['employee_leave_types'],
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
          throw conflict(`Leave request ${request.id} takes leave in that time`, 'in_use')
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

/** What is asked for is so much as its days are, beside what else is taken from them, and leads below no floor. */
const requestsHold: Guard = {
  of: ['leave_requests', 'leave_entries'],
  async check(db, changes, undone) {
    const attempts = await attemptsIn(db, leaveRequests, changes, undone)
    for (const one of attempts) {
      const { before, after } = one
      const isMoved = before && (before.starts_on !== after.starts_on || before.ends_on !== after.ends_on)
      if (isMoved && before.state === after.state && after.state !== 'pending')
        throw conflict(`The days of a leave request that is ${after.state} cannot change`)
    }
    const ids = [
      ...attempts.map(({ after }) => after.id),
      ...changes.flatMap(({ resource, owner_id }) => (resource === 'leave_entries' ? (owner_id ?? []) : [])),
    ]
    const rows = await rowsOf(leaveRequests, db.from('leave_requests').where('id', 'in', [0, ...new Set(ids)]))
    const entries = await entriesOf(
      db,
      rows.map(({ id }) => id),
    )
    const isOther = await isAnythingElse(db, undone)
    for (const request of rows) {
      const own = entries.get(request.id) ?? []
      if (own.reduce((sum, { amount }) => sum + amount, 0) !== request.amount)
        throw conflict(`Then the days of leave request ${request.id} would not add up: undo the whole request`)
      if (!(OPEN as readonly string[]).includes(request.state)) continue
      const one = attempts.find(({ after }) => after.id === request.id)
      if (one) await notTooMuch(one)
      refuse(one?.problems ?? [])
      await checkDays(db, request, own, undone)
      if (isOther) await checkBalance(db, request, own)
    }
  },
}

type Request = Awaited<ReturnType<typeof openRequests>>[number]
type Entries = NonNullable<ReturnType<Awaited<ReturnType<typeof entriesOf>>['get']>>

/** Has anything been written since that a balance may follow from? If nothing has, it is what it was. */
async function isAnythingElse(db: Reader, { last }: Undone): Promise<boolean> {
  const tables = ['leave_entries', 'leave_requests', 'leave_adjustments', 'employee_leave_types', 'leave_policy_terms']
  const since = db.from('ledger').select('no').where('no', '>', last)
  return Boolean(
    await since
      .where('resource', 'in', [...tables, 'employees'])
      .limit(1)
      .executeTakeFirst(),
  )
}

async function checkDays(db: Writer, request: Request, entries: Entries, undone: Undone): Promise<void> {
  const { employee_id, leave_type_id, starts_on, ends_on } = request
  const line = (await linesOf(db, [employee_id])).get(lineKey(request))
  const service = (await servicesOf(db, [employee_id])).get(employee_id)
  const then = (await servicesThen(db, [employee_id], undone)).get(employee_id)
  const { unit } = await find(db, leaveTypes, leave_type_id)
  const schedule = await Schedule.load(db, [employee_id], starts_on, ends_on)
  const shares = await sharesOf(db, employee_id, starts_on, ends_on, request.id)
  for (const { date: day, amount } of entries) {
    const outside = whyNotInService(service, day)
    if (outside && !whyNotInService(then, day)) throw invalid(wrong('starts_on', outside.code, outside.message))
    if (!line || firstUnassigned(line, day, day))
      throw invalid(wrong('leave_type_id', 'not_assigned', `is not assigned to this employee on ${day}`))
    const possible = service && leaveDayOn(line, unit, schedule, service, day)
    const share = shares(day)
    if (share.last !== undefined && possible && amount > share.left(unit, possible))
      throw invalid(wrong('starts_on', 'overlap', `to ends_on overlaps with leave request ${share.last} on ${day}`))
  }
}

async function checkBalance(db: Reader, request: Request, entries: Entries): Promise<void> {
  const line = (await linesOf(db, [request.employee_id])).get(lineKey(request))
  if (!line) return
  const known = (await movementsOf(db, [request.employee_id])).get(lineKey(request)) ?? STILL
  const taken = entries.map(({ date: day, amount }) => ({ day, amount: -amount }))
  const why = request.on_demand && whyNotOnDemand(line, taken, known)
  if (why) throw invalid(wrong('on_demand', 'balance', why))
  const short = firstShortfall(line, request.starts_on, known.balance)
  if (!short) return
  const figures = `the balance fall to ${short.balance / 10_000} on ${short.day}, below ${short.floor / 10_000}`
  throw invalid(wrong('ends_on', 'balance', `would let ${figures}`))
}

export const leaveGuards = [kindsStay, termsHold, assignmentsHold, requestsHold]
