import Type from 'typebox'
import { countDays, daysFrom } from '../engine/day.ts'
import { parseDecimal } from '../engine/decimal.ts'
import type { Row } from '../engine/declaration.ts'
import { type Body, get, list, post, remove } from '../engine/derive.ts'
import {
  asNumber,
  choice,
  date,
  decimal,
  derived,
  integer,
  loadedTogether,
  longText,
  readOnly,
  reference,
  timestamp,
} from '../engine/field.ts'
import { anyRecordOf, type Filter, from, isAnyOf, openTimeRange, until } from '../engine/filter.ts'
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
import { type InService, Schedule } from '../time/schedule.ts'
import { type Assignment, lowestBalance } from './balances.ts'
import { leavePolicies, leaveTypes, policyShort } from './leave-types.ts'

const area = 'leave'
const STATES = ['pending', 'approved', 'rejected', 'withdrawn'] as const
/** Five years: longer leave is another kind of absence. */
const LONGEST = 1827

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
      },
      loadTypes,
    ),
    leave_type_policy_id: readOnly(reference('leave_policies', { required: true, show: () => policyShort })),
    state: readOnly(choice(STATES, { default: 'pending' })),
    starts_on: date({ required: true, example: '2030-07-01' }),
    ends_on: date({ required: true, example: '2030-07-05' }),
    amount: readOnly(asNumber(decimal({ required: true }))),
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
    date: date({ required: true }),
    amount: asNumber(decimal({ required: true })),
    minutes: integer({ required: true }),
  },
)

/** The name and the unit of the leave type of each request. */
async function loadTypes(db: Reader, ids: number[]): Promise<Map<number, unknown>> {
  const rows = await db
    .from('leave_requests as r')
    .innerJoin('leave_types as t', byId('t', 'r.leave_type_id'))
    .select(['r.id', 't.name as leave_type', 't.unit as tracking_time_in'])
    .where('r.id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const entryCard = card(leaveEntries, 'LeaveEntry', ['date', 'amount'])

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
type Days = { employee_id: number; starts_on: string; ends_on: string }
type Entry = { date: string; amount: number; minutes: number }

/** The days of a request by the person's pattern and holidays, with the amounts that were sent for single days. */
async function entriesOf(
  db: Reader,
  person: InService,
  policy: Row<typeof leavePolicies>,
  unit: string,
  { starts_on, ends_on }: Days,
  body: RequestBody,
  problems: FieldProblem[],
): Promise<Entry[]> {
  const days = daysFrom(starts_on, ends_on)
  const schedule = await Schedule.load(db, [person.id], starts_on, ends_on)
  const sent = new Map(
    (body.leave_request_entries ?? []).map(({ occurs_on, amount }) => [occurs_on, parseDecimal(amount)]),
  )
  const entries = days.flatMap((day) => {
    const hours = schedule.hoursOn(person, day)
    if (policy.counted_as === 'working_days' && hours === 0) return []
    const whole = unit === 'hours' ? hours : 10_000
    const taken = sent.get(day) ?? whole
    sent.delete(day)
    if (taken < 0 || taken > whole)
      problems.push(wrong('leave_request_entries', 'out_of_range', `of ${day} must be from 0 to ${whole / 10_000}`))
    const minutes = unit === 'hours' ? (taken * 60) / 10_000 : (hours * 60 * taken) / 100_000_000
    return taken > 0 ? [{ date: day, amount: taken, minutes: Math.round(minutes) }] : []
  })
  for (const day of sent.keys())
    problems.push(wrong('leave_request_entries', 'not_allowed', `may not hold ${day}, which is no day of this leave`))
  if (entries.length === 0)
    problems.push(wrong('ends_on', 'no_days', 'leaves nothing to take leave from in these days'))
  return entries
}

const assignmentOf = async (db: Reader, employeeId: number, leaveTypeId: number): Promise<Assignment | undefined> => {
  const assigned = db.from('employee_leave_types').selectAll().where('employee_id', '=', employeeId)
  return (await assigned.where('leave_type_id', '=', leaveTypeId).executeTakeFirst()) as Assignment | undefined
}

const notTooLong: Rule<typeof leaveRequests> = ({ after, fail }) => {
  if (after.starts_on && after.ends_on && countDays(after.starts_on, after.ends_on) > LONGEST)
    fail('ends_on', 'too_late', `cannot be more than ${LONGEST} days after starts_on`)
}

/** The days of a request must not overlap with those of another. */
async function checkOverlap(db: Reader, { employee_id, starts_on, ends_on }: Days): Promise<void> {
  const other = await db
    .from('leave_requests')
    .select('id')
    .where('employee_id', '=', employee_id)
    .where('state', 'in', ['pending', 'approved'])
    .where('starts_on', '<=', ends_on)
    .where('ends_on', '>=', starts_on)
    .executeTakeFirst()
  if (other) throw invalid(wrong('starts_on', 'overlap', `to ends_on overlaps with leave request ${other.id}`))
}

/** Taking these days must not lead below the floor of the policy, on any day to come. */
async function checkBalance(
  db: Reader,
  assignment: Assignment,
  policy: Row<typeof leavePolicies>,
  from: string,
  entries: Entry[],
): Promise<void> {
  if (policy.type === 'external') return
  const taken = entries.map(({ date: day, amount }) => ({ day, amount: -amount }))
  const lowest = await lowestBalance(db, assignment, policy, from, taken)
  if (lowest < policy.floor) {
    const figures = `the balance fall to ${lowest / 10_000}, below ${policy.floor / 10_000}`
    throw invalid(wrong('ends_on', 'balance', `would let ${figures}`))
  }
}

async function request(db: Writer, body: RequestBody, problems: FieldProblem[]): Promise<number> {
  const one = attempt(db, leaveRequests, null, body, problems)
  await checkAll(db, leaveRequests, [one], [inOrder('starts_on', 'ends_on'), notTooLong])
  refuse(problems)
  const { employee_id, leave_type_id, starts_on, ends_on } = one.after
  const assignment = await assignmentOf(db, employee_id, leave_type_id)
  if (!assignment || assignment.effective_on > starts_on)
    throw invalid(wrong('leave_type_id', 'not_assigned', 'is not assigned to this employee on that day'))
  await checkOverlap(db, { employee_id, starts_on, ends_on })

  const person = await find(db, employees, employee_id)
  const policy = await find(db, leavePolicies, assignment.leave_type_policy_id)
  const { unit } = await find(db, leaveTypes, leave_type_id)
  const entries = await entriesOf(db, person, policy, unit, one.after, body, problems)
  refuse(problems)
  await checkBalance(db, assignment, policy, starts_on, entries)
  const decided = { state: 'approved', decided_by_id: db.caller.personId, decided_at: db.now } as const
  const [id] = await insertAll(db, leaveRequests, [
    {
      ...one.after,
      ...(body.skip_approval ? decided : {}),
      leave_type_policy_id: policy.id,
      amount: entries.reduce((sum, entry) => sum + entry.amount, 0),
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
  created_at: openTimeRange(leaveRequests, 'created_at'),
  updated_at: openTimeRange(leaveRequests, 'updated_at'),
  employee_ids: anyRecordOf(leaveRequests, 'employee_id'),
  states: isAnyOf(leaveRequests, 'state'),
  starts_on: from(leaveRequests, 'starts_on'),
  ends_on: until(leaveRequests, 'ends_on'),
}

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
  list(leaveRequests, { filters }),
  list(leaveRequests, {
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
    note: 'The days come from the pattern and the holidays of the person.',
    store: ({ db, body, problems }) => request(db, body, problems),
  }),
  decision('approveLeaveRequest', 'approve', 'Approve a leave request', 'approved', ['pending']),
  decision('rejectLeaveRequest', 'reject', 'Reject a leave request', 'rejected', ['pending']),
  decision('withdrawLeaveRequest', 'withdraw', 'Withdraw a leave request', 'withdrawn', ['pending', 'approved']),
  remove(leaveRequests),
]
