import Type from 'typebox'
import type { Reader } from '../database/handle.ts'
import type { Writer } from '../database/write.ts'
import { parseDecimal } from '../engine/decimal.ts'
import { type Filter, get, list, post, remove } from '../engine/derive.ts'
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
import { anyRecordOf, openTimeRange } from '../engine/filter.ts'
import { byId } from '../engine/join.ts'
import { operation, recordId, wrapped } from '../engine/operation.ts'
import { conflict, type FieldProblem, invalid } from '../engine/problem.ts'
import { amend, attempt, checkAll, find, insertAll } from '../engine/records.ts'
import { card, many, resource, schemaOf, show } from '../engine/resource.ts'
import { personShort } from '../people/employees.ts'
import { leaveTypes, lowestBalance, policyShort } from './leave.ts'
import { daysFrom, type InService, Schedule } from './schedule.ts'

const area = 'leave'
const STATES = ['pending', 'approved', 'rejected', 'withdrawn'] as const
const LONGEST = 366

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
async function loadTypes(db: Reader, ids: number[]): Promise<Map<number, any>> {
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
  description: Type.Unsafe({ type: ['string', 'null'], format: 'text', maxLength: 65_535 }),
  leave_request_entries: entriesInput,
  skip_approval: Type.Boolean({ description: 'Makes it approved at once' }),
}

type Entry = { date: string; amount: number; minutes: number }

/** The days of a request by the person's pattern and holidays, with the amounts that were sent for single days. */
async function entriesOf(
  db: Reader,
  person: InService,
  policy: any,
  unit: string,
  body: any,
  problems: FieldProblem[],
): Promise<Entry[]> {
  const days = daysFrom(body.starts_on, body.ends_on)
  const schedule = await Schedule.load(db, [person.id], body.starts_on, body.ends_on)
  const sent = new Map<string, number>(
    (body.leave_request_entries ?? []).map((one: any) => [one.occurs_on, parseDecimal(one.amount)]),
  )
  const entries = days.flatMap((day) => {
    const hours = schedule.hoursOn(person, day)
    if (policy.counted_as === 'working_days' && hours === 0) return []
    const whole = unit === 'hours' ? hours : 10_000
    const taken = sent.get(day) ?? whole
    sent.delete(day)
    if (taken < 0 || taken > whole)
      problems.push({
        field: 'leave_request_entries',
        code: 'out_of_range',
        message: `leave_request_entries of ${day} must be from 0 to ${whole / 10_000}`,
      })
    const minutes = unit === 'hours' ? (taken * 60) / 10_000 : (hours * 60 * taken) / 100_000_000
    return taken > 0 ? [{ date: day, amount: taken, minutes: Math.round(minutes) }] : []
  })
  for (const day of sent.keys())
    problems.push({
      field: 'leave_request_entries',
      code: 'not_allowed',
      message: `leave_request_entries: ${day} is no day of this leave`,
    })
  if (entries.length === 0)
    problems.push({
      field: 'ends_on',
      code: 'no_days',
      message: 'ends_on: there is nothing to take leave from in these days',
    })
  return entries
}

async function request(db: Writer, body: any, problems: FieldProblem[]): Promise<number> {
  const one = attempt(db, leaveRequests, null, body, problems)
  await checkAll(db, leaveRequests, [one])
  if (body.starts_on && body.ends_on) {
    if (body.ends_on < body.starts_on) one.fail('ends_on', 'too_early', 'cannot be before starts_on')
    else if (daysFrom(body.starts_on, body.ends_on).length > LONGEST)
      one.fail('ends_on', 'too_late', `cannot be more than ${LONGEST} days after starts_on`)
  }
  if (problems.length > 0) throw invalid(problems)
  const assignment = (await db
    .from('employee_leave_types')
    .selectAll()
    .where('employee_id', '=', body.employee_id)
    .where('leave_type_id', '=', body.leave_type_id)
    .executeTakeFirst()) as any
  if (!assignment || assignment.effective_on > body.starts_on)
    throw invalid([
      {
        field: 'leave_type_id',
        code: 'not_assigned',
        message: 'leave_type_id is not assigned to this employee on that day',
      },
    ])
  const other = await db
    .from('leave_requests')
    .select('id')
    .where('employee_id', '=', body.employee_id)
    .where('state', 'in', ['pending', 'approved'])
    .where('starts_on', '<=', body.ends_on)
    .where('ends_on', '>=', body.starts_on)
    .executeTakeFirst()
  if (other)
    throw invalid([
      { field: 'starts_on', code: 'overlap', message: `starts_on to ends_on overlaps with leave request ${other.id}` },
    ])

  const person = (await db
    .from('employees')
    .select(['id', 'hired_on', 'termination_effective_on'])
    .where('id', '=', body.employee_id)
    .executeTakeFirst()) as InService
  const policy = (await db
    .from('leave_policies')
    .selectAll()
    .where('id', '=', assignment.leave_type_policy_id)
    .executeTakeFirst()) as any
  const { unit } = await find(db, leaveTypes, body.leave_type_id)
  const entries = await entriesOf(db, person, policy, unit as string, body, problems)
  if (problems.length > 0) throw invalid(problems)
  if (policy.type !== 'external') {
    const lowest = await lowestBalance(
      db,
      assignment,
      policy,
      body.starts_on,
      entries.map(({ date: day, amount: taken }) => ({ day, amount: -taken })),
    )
    if (lowest < policy.floor)
      throw invalid([
        {
          field: 'ends_on',
          code: 'balance',
          message: `ends_on: the balance would fall to ${lowest / 10_000}, below ${policy.floor / 10_000}`,
        },
      ])
  }
  const total = entries.reduce((sum, entry) => sum + entry.amount, 0)
  const decided = body.skip_approval ? { state: 'approved', decided_by_id: db.employeeId, decided_at: db.now } : {}
  const row = {
    ...(one.after as any),
    ...decided,
    leave_type_policy_id: policy.id,
    amount: total,
    comment: body.description ?? '',
  }
  const [id] = (await insertAll(db, leaveRequests, [row])) as [number]
  await insertAll(
    db,
    leaveEntries,
    entries.map((entry) => ({ ...entry, leave_request_id: id, employee_id: body.employee_id })),
  )
  return id
}

const day = Type.String({ format: 'date' })
const states: Filter = {
  schema: Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...STATES] })),
  narrow: (query, wanted) => (wanted.length ? query.where('leave_requests.state', 'in', wanted) : query),
}
const filters: Record<string, Filter> = {
  created_at: openTimeRange('leave_requests.created_at'),
  updated_at: openTimeRange('leave_requests.updated_at'),
  employee_ids: anyRecordOf('leave_requests.employee_id'),
  states,
  starts_on: { schema: day, narrow: (query, from) => query.where('leave_requests.starts_on', '>=', from) },
  ends_on: { schema: day, narrow: (query, to) => query.where('leave_requests.ends_on', '<=', to) },
}

const decision = (
  id: string,
  action: string,
  summary: string,
  state: (typeof STATES)[number],
  from: readonly string[],
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
      conflicts: `Only what is ${from.join(' or ')} can become ${state}`,
    },
    async ({ db, params }) => {
      const before = await find(db, leaveRequests, params.id)
      if (!from.includes(before.state as string))
        throw conflict(`A leave request that is ${before.state} cannot become ${state}`)
      await amend(db, leaveRequests, before, { state, decided_by_id: db.employeeId, decided_at: db.now })
      return { body: { data: (await show(db, leaveRequests.whole, [params.id]))[0] } }
    },
  )

export const leaveRequestOperations = [
  list(leaveRequests, { filters }),
  list(leaveRequests, {
    always: (query) => query.where('leave_requests.state', '=', 'pending'),
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
