import Type from 'typebox'
import { countDays, daysFrom } from '../engine/day.ts'
import { parseDecimal } from '../engine/decimal.ts'
import type { Made } from '../engine/declaration.ts'
import { type Body, get, list, post, remove } from '../engine/derive.ts'
import {
  asNumber,
  choice,
  date,
  decimal,
  derived,
  hidden,
  integer,
  json,
  loadedTogether,
  longText,
  readOnly,
  reference,
  timestamp,
} from '../engine/field.ts'
import { anyRecordOf, type Filter, from, isAnyOf, timeRange, until } from '../engine/filter.ts'
import { byId } from '../engine/join.ts'
import { operation } from '../engine/operation.ts'
import { conflict, type FieldProblem, invalid, refuse, wrong } from '../engine/problem.ts'
import { amend, attempt, checkAll, find, insertAll, type Rule } from '../engine/records.ts'
import { card, resource } from '../engine/resource.ts'
import { inOrder } from '../engine/rule.ts'
import { recordId, schemaOf, wrapped } from '../engine/schema.ts'
import { many, showOne } from '../engine/shape.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import { employees } from '../people/employees.ts'
import { personShort } from '../people/person.ts'
import { Schedule } from '../time/schedule.ts'
import { servicesOf, whyNotInService } from '../time/service.ts'
import { firstShortfall, inForceOn, type Line } from './accrual.ts'
import { lineKey, linesOf, movementsOf, OPEN } from './balances.ts'
import { type LeaveDay, leaveDayOn, minutesOf, type Share, sharesOf, type Unit } from './leave-days.ts'
import { leaveTypes } from './leave-types.ts'

const area = 'leave'
const STATES = ['pending', 'approved', 'rejected', 'withdrawn'] as const
/** Five years: longer leave is another kind of absence. */
const LONGEST = 1827

const POLICY = Type.Object(
  {
    name: Type.String(),
    visibility: Type.Boolean({ description: 'Others see which kind of leave it is' }),
    activity_type: Type.String(),
  },
  { title: 'LeavePolicyShort', description: 'That of the first day; each entry names its own' },
)

export const leaveRequests = resource(
  { table: 'leave_requests', one: 'leave request', area },
  {
    employee_id: reference('employees', { required: true, show: () => personShort }),
    employee_id_shown: derived(Type.Integer(), ['employee_id'], (row) => row.employee_id, { as: 'employee_id' }),
    leave_type_id: reference('leave_types', { required: true }),
    ...loadedTogether(
      {
        leave_type: () => Type.String(),
        tracking_time_in: () => Type.Unsafe({ type: 'string', enum: ['days', 'hours'] }),
        leave_type_policy: () => POLICY,
      },
      loadTypes,
    ),
    leave_type_policy_id: hidden(reference('leave_policies', { required: true })),
    state: readOnly(choice(STATES, { default: 'pending' })),
    starts_on: date({ required: true, example: '2030-07-01' }),
    ends_on: date({ required: true, example: '2030-07-05' }),
    amount: readOnly(asNumber(decimal({ required: true }))),
    /** What was asked for on single days: the rest of the days are taken whole, whatever becomes of them. */
    asked: json<Record<string, number> | null>(null),
    comment: readOnly(longText()),
    entries: many(
      () => leaveEntries,
      'leave_request_id',
      () => entryCard,
      'date',
    ),
    decided_by_id: readOnly(reference('employees', { show: () => personShort })),
    decided_at: readOnly(timestamp()),
  },
)

export const leaveEntries = resource(
  { table: 'leave_entries', one: 'leave entry', area },
  {
    leave_request_id: reference('leave_requests', { required: true, owner: true }),
    employee_id: reference('employees', { required: true }),
    leave_type_policy_id: reference('leave_policies', { required: true }),
    date: date({ required: true }),
    amount: asNumber(decimal({ required: true })),
    minutes: integer({ required: true }),
  },
)

/** The type of leave of each request, and the policy of its first day as its terms were then. */
async function loadTypes(db: Reader, ids: number[]): Promise<Map<number, unknown>> {
  const rows = await db
    .from('leave_requests as r')
    .innerJoin('leave_types as t', byId('t', 'r.leave_type_id'))
    .innerJoin('leave_policies as p', byId('p', 'r.leave_type_policy_id'))
    .leftJoin('leave_policy_terms as m', (on) =>
      on
        .onRef('m.account_id', '=', 'r.account_id')
        .onRef('m.leave_policy_id', '=', 'r.leave_type_policy_id')
        .onRef('m.effective_from', '<=', 'r.starts_on')
        .onRef('m.effective_until', '>', 'r.starts_on'),
    )
    .select(['r.id', 't.name as leave_type', 't.unit as tracking_time_in'])
    .select(['p.name', 'p.visibility', 'm.activity_type'])
    .where('r.id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ id, leave_type, tracking_time_in, name, visibility, activity_type }) => [
      id,
      { leave_type, tracking_time_in, leave_type_policy: { name, visibility: Boolean(visibility), activity_type } },
    ]),
  )
}

const entryCard = card(leaveEntries, 'LeaveEntry', ['date', 'amount', 'leave_type_policy_id'])

const entriesInput = Type.Array(
  Type.Object({ occurs_on: Type.String({ format: 'date' }), amount: Type.String({ format: 'decimal' }) }),
  {
    maxItems: LONGEST,
    description: 'Amounts of single days, for half days say; other days are taken whole',
    examples: [[{ occurs_on: '2030-07-01', amount: '0.5' }]],
  },
)

const more = {
  description: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'text', maxLength: 65_535 }),
  leave_request_entries: entriesInput,
  skip_approval: Type.Boolean({ description: 'Makes it approved at once' }),
}

type RequestBody = Body<typeof leaveRequests, typeof more>
type Asked = Map<string, number>

/** The amounts that were sent for single days, each of them once. */
function askedOf({ leave_request_entries: sent = [] }: RequestBody, problems: FieldProblem[]): Asked {
  const asked: Asked = new Map()
  for (const { occurs_on, amount } of sent) {
    if (asked.has(occurs_on))
      problems.push(wrong('leave_request_entries', 'repeated', `hold ${occurs_on} more than once`))
    asked.set(occurs_on, parseDecimal(amount))
  }
  return asked
}

/** The entries of a request: its days with what was asked for them, where no other request has taken them yet. */
function entriesOf(
  days: LeaveDay[],
  unit: Unit,
  asked: Asked,
  shareOf: (day: string) => Share,
  problems: FieldProblem[],
): Made<typeof leaveEntries>[] {
  const possible = new Set(days.map(({ day }) => day))
  for (const day of asked.keys())
    if (!possible.has(day))
      problems.push(wrong('leave_request_entries', 'not_allowed', `may not hold ${day}, which is no day of this leave`))
  const taken = days.flatMap((one) => {
    const { day, policyId, whole } = one
    const amount = asked.get(day) ?? whole
    if (amount < 0 || amount > whole)
      problems.push(wrong('leave_request_entries', 'out_of_range', `of ${day} must be from 0 to ${whole / 10_000}`))
    return amount > 0
      ? [{ one, entry: { date: day, amount, minutes: minutesOf(unit, one, amount), leave_type_policy_id: policyId } }]
      : []
  })
  const twice = taken.find(
    ({ one, entry }) => entry.amount <= one.whole && entry.amount > shareOf(one.day).left(unit, one),
  )
  if (twice) {
    const share = shareOf(twice.one.day)
    const left = `${share.left(unit, twice.one) / 10_000} ${unit} of ${twice.one.day} are left`
    problems.push(wrong('starts_on', 'overlap', `to ends_on overlaps with leave request ${share.last}: ${left}`))
  }
  if (taken.length === 0) problems.push(wrong('ends_on', 'no_days', 'leaves nothing to take leave from in these days'))
  return taken.map(({ entry }) => entry)
}

const notTooLong: Rule<typeof leaveRequests> = ({ after, fail }) => {
  if (after.starts_on && after.ends_on && countDays(after.starts_on, after.ends_on) > LONGEST)
    fail('ends_on', 'too_late', `cannot be more than ${LONGEST} days after starts_on`)
}

/** All days lie in the service of the person. */
const withinService: Rule<typeof leaveRequests> = async ({ db, after, fail }) => {
  const { employee_id, starts_on, ends_on } = after
  if (!employee_id) return
  const service = (await servicesOf(db, [employee_id])).get(employee_id)
  for (const [name, day] of Object.entries({ starts_on, ends_on })) {
    const outside = day ? whyNotInService(service, day) : undefined
    if (outside) fail(name, outside.code, outside.message)
  }
}

/** The first day of a range on which the person has no policy for this leave. */
function firstUnassigned(line: Line | undefined, first: string, last: string): string | undefined {
  let day = first
  for (const { from, until } of line?.holdings ?? []) if (from <= day && day < until) day = until
  return day <= last ? day : undefined
}

/** Taking these days must not lead below the floor of the policy, on any day to come. */
async function checkBalance(
  db: Reader,
  key: { employee_id: number; leave_type_id: number },
  line: Line,
  from: string,
  entries: Made<typeof leaveEntries>[],
): Promise<void> {
  const known = (await movementsOf(db, [key.employee_id])).get(lineKey(key)) ?? []
  const taken = entries.map(({ date: day = '', amount = 0 }) => ({ day, amount: -amount }))
  const short = firstShortfall(line, from, [...known, ...taken])
  if (!short) return
  const figures = `the balance fall to ${short.balance / 10_000} on ${short.day}, below ${short.floor / 10_000}`
  throw invalid(wrong('ends_on', 'balance', `would let ${figures}`))
}

/** What lies ahead of somebody is counted anew whenever something changes: there is as much of it as one leave may last. */
const notTooMuch: Rule<typeof leaveRequests> = async ({ db, after, fail }) => {
  const { employee_id, starts_on, ends_on } = after
  if (!employee_id || !starts_on || !ends_on || ends_on < db.today) return
  const open = await db
    .from('leave_requests')
    .select(['starts_on', 'ends_on'])
    .where('employee_id', '=', employee_id)
    .where('state', 'in', OPEN)
    .where('ends_on', '>=', db.today)
    .execute()
  const ahead = [...open, { starts_on, ends_on }].reduce(
    (sum, one) => sum + countDays(one.starts_on < db.today ? db.today : one.starts_on, one.ends_on),
    0,
  )
  if (ahead > LONGEST)
    fail('ends_on', 'out_of_range', `is too far: open requests of a person span ${LONGEST} days to come at most`)
}

async function request(db: Writer, body: RequestBody, problems: FieldProblem[]): Promise<number> {
  const one = attempt(db, leaveRequests, null, body, problems)
  const asked = askedOf(body, problems)
  await checkAll(db, leaveRequests, [one], [inOrder('starts_on', 'ends_on'), notTooLong, notTooMuch, withinService])
  refuse(problems)
  const { employee_id, leave_type_id, starts_on, ends_on } = one.after
  const line = (await linesOf(db, [employee_id])).get(lineKey(one.after))
  const unassigned = firstUnassigned(line, starts_on, ends_on)
  if (!line || unassigned)
    throw invalid(wrong('leave_type_id', 'not_assigned', `is not assigned to this employee on ${unassigned}`))

  const person = await find(db, employees, employee_id)
  const { unit } = await find(db, leaveTypes, leave_type_id)
  const schedule = await Schedule.load(db, [employee_id], starts_on, ends_on)
  const days = daysFrom(starts_on, ends_on).flatMap((day) => leaveDayOn(line, unit, schedule, person, day) ?? [])
  const entries = entriesOf(days, unit, asked, await sharesOf(db, employee_id, starts_on, ends_on), problems)
  refuse(problems)
  await checkBalance(db, one.after, line, starts_on, entries)
  const decided = { state: 'approved', decided_by_id: db.caller.personId, decided_at: db.now } as const
  const [id] = await insertAll(db, leaveRequests, [
    {
      ...one.after,
      ...(body.skip_approval ? decided : {}),
      leave_type_policy_id: inForceOn(line, starts_on)?.holding.policyId as number,
      amount: entries.reduce((sum, { amount = 0 }) => sum + amount, 0),
      asked: asked.size > 0 ? Object.fromEntries(asked) : null,
      comment: body.description ?? '',
    },
  ])
  await insertAll(
    db,
    leaveEntries,
    entries.map((entry) => ({ ...entry, leave_request_id: id as number, employee_id })),
  )
  return id as number
}

const filters: Record<string, Filter> = {
  created_at: timeRange(leaveRequests, 'created_at'),
  updated_at: timeRange(leaveRequests, 'updated_at'),
  employee_ids: anyRecordOf(leaveRequests, 'employee_id'),
  states: isAnyOf(leaveRequests, 'state'),
  starts_on: from(leaveRequests, 'starts_on'),
  ends_on: until(leaveRequests, 'ends_on'),
}

const sorts = ['starts_on', 'ends_on']

const decision = (
  id: string,
  action: string,
  summary: string,
  state: (typeof STATES)[number],
  froms: readonly string[],
) =>
  operation(
    {
      id,
      method: 'POST',
      path: `/leave_requests/{id}/${action}`,
      summary,
      area,
      params: Type.Object({ id: recordId('leave_requests') }),
      answer: wrapped(schemaOf(leaveRequests.whole)),
      conflicts: `Only what is ${froms.join(' or ')} can become ${state}`,
    },
    async ({ db, params }) => {
      const before = await find(db, leaveRequests, params.id)
      if (!froms.includes(before.state))
        throw conflict(`A leave request that is ${before.state} cannot become ${state}`)
      await amend(db, leaveRequests, before, { state, decided_by_id: db.caller.personId, decided_at: db.now })
      return { body: await showOne(db, leaveRequests.whole, params.id) }
    },
  )

export const leaveRequestOperations = [
  list(leaveRequests, { order: 'starts_on', sorts, filters }),
  list(leaveRequests, {
    order: 'starts_on',
    sorts,
    always: {
      narrow: (query) => query.where('leave_requests.state', '=', 'pending'),
      looksAt: ['leave_requests.state'],
    },
    as: {
      id: 'listPendingLeaveRequests',
      path: '/leave_requests/pending',
      summary: 'List leave requests that wait for a decision',
    },
  }),
  get(leaveRequests),
  post(leaveRequests, {
    more,
    note: 'The days come from the pattern and the holidays of the person, and each is taken under the policy of its day. Two requests may share a day, as two halves say, but never take more than the whole. Days to come are counted anew when the pattern, the holidays, the policy or the service change.',
    store: ({ db, body, problems }) => request(db, body, problems),
  }),
  decision('approveLeaveRequest', 'approve', 'Approve a leave request', 'approved', ['pending']),
  decision('rejectLeaveRequest', 'reject', 'Reject a leave request', 'rejected', ['pending']),
  decision('withdrawLeaveRequest', 'withdraw', 'Withdraw a leave request', 'withdrawn', ['pending', 'approved']),
  remove(leaveRequests),
]
