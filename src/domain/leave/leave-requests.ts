import Type from 'typebox'
import { withoutHeldBack } from '../../engine/access-scope/held-back.ts'
import { countDays, daysFrom } from '../../engine/day.ts'
import { parseDecimal } from '../../engine/decimal.ts'
import type { Made, Row } from '../../engine/declaration.ts'
import { type Body, get, list, post, put } from '../../engine/derive.ts'
import {
  asNumber,
  date,
  decimal,
  derived,
  hidden,
  integer,
  json,
  LONGEST_TEXT,
  loadedTogether,
  longText,
  readOnly,
  reference,
  text,
  told,
} from '../../engine/field.ts'
import { anyRecordOf, type Filter, from, isAnyOf, isOne, isRecord, timeRange, until } from '../../engine/filter.ts'
import { byId } from '../../engine/join.ts'
import { allowed, type Call } from '../../engine/operation.ts'
import { conflict, type FieldProblem, invalid, refuse, wrong } from '../../engine/problem.ts'
import {
  type Attempt,
  attempt,
  checkAll,
  eraseAll,
  find,
  holdTo,
  insertAll,
  type Rule,
  rowsOf,
  storeChanges,
} from '../../engine/records.ts'
import { card, resource } from '../../engine/resource.ts'
import { inOrder } from '../../engine/rule.ts'
import { many } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { type EmploymentPeriod, employmentsOf, whyNotEmployed } from '../organisation/staff.ts'
import { personShort } from '../people/person.ts'
import { approvalFields, decisionsOn, OPEN, removeAsked, requireDecider } from '../time/approvals.ts'
import { Schedule } from '../time/schedule.ts'
import { addAttachments, attachmentFields, attachmentInput, readAttachments } from './attachments.ts'
import { lineKey, linesOf, movementsOf, STILL } from './balances.ts'
import { requireApprovable, requireConditions, requireOverride, requireStill } from './conditions.ts'
import { byDaysTaken } from './days-taken.ts'
import { allAssignments, inForceOn, type LeaveTimeline, type LeaveUnit } from './entitlement.ts'
import { type DayTotal, type LeaveDay, leaveDayOn, minutesOf, sharesOf } from './leave-days.ts'
import { leaveTypes } from './leave-types.ts'
import { onDemand, whyNotOnDemand } from './on-demand.ts'
import { firstShortfall } from './postings.ts'

const area = 'leave'
/** Five years: longer leave is another kind of absence. */
const LONGEST = 1827

const COMMENT = 'Family holiday'
const COMMENT_NOTE = 'Comment on the request; the same as `comment`'

const POLICY = Type.Object(
  {
    name: Type.String(),
    visibility: Type.Unsafe<string>({
      type: 'string',
      enum: ['public', 'private'],
      description: 'Whether colleagues can see the leave type',
    }),
    activity_type: Type.String(),
  },
  {
    title: 'LeavePolicyShort',
    description: 'Leave policy on the first day of the request. Other days can have another policy: see `entries`',
  },
)

export const leaveRequests = resource(
  { table: 'leave_requests', one: 'leave request', area, about: [{ column: 'employee_id' }] },
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
    ...approvalFields('leave_requests', area),
    starts_on: date({ required: true, example: '2030-07-01' }),
    ends_on: date({ required: true, example: '2030-07-05' }),
    amount: readOnly(asNumber(decimal({ required: true }))),
    /** What was asked for on single days: the rest of the days are taken whole, whatever becomes of them. */
    asked: json<Record<string, number> | null>(
      null,
      told('leave_request_entries', (asked) =>
        Object.entries(asked ?? {}).map(([occurs_on, units]) => ({ occurs_on, amount: units / 10_000 })),
      ),
    ),
    on_demand: onDemand(
      'Whether the leave is taken on demand (at short notice). Such leave reduces `on_demand_balance` too',
    ),
    comment: longText({ example: COMMENT }),
    override_reason: text({
      note: 'Why the leave is possible although a condition of the leave policy is not met; requires `leave:override` for the employee, and is not possible for your own request. The balance must still suffice',
      example: 'Agreed before the policy changed',
    }),
    description: derived(Type.String({ description: COMMENT_NOTE }), ['comment'], (row) => row.comment),
    entries: many(
      () => leaveEntries,
      'leave_request_id',
      () => entryCard,
      'date',
    ),
    ...attachmentFields,
  },
)

export const leaveEntries = resource(
  { table: 'leave_entries', one: 'leave entry', area, about: [{ column: 'employee_id' }] },
  {
    leave_request_id: reference('leave_requests', { required: true, owner: true }),
    employee_id: reference('employees', { required: true }),
    leave_type_policy_id: reference('leave_policies', { required: true }),
    date: date({ required: true }),
    amount: asNumber(decimal({ required: true })),
    minutes: integer({ required: true }),
    starts_at: noTime(),
    ends_at: noTime(),
  },
)

/** Leave is taken by amounts: which hours of a day they are is not kept. */
function noTime() {
  return derived(Type.Null({ description: 'Always null: leave has an amount per day, but no times' }), [], () => null)
}

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
      {
        leave_type,
        tracking_time_in,
        leave_type_policy: { name, visibility: visibility ? 'public' : 'private', activity_type },
      },
    ]),
  )
}

const entryCard = card(leaveEntries, 'LeaveEntry', ['date', 'amount', 'starts_at', 'ends_at', 'leave_type_policy_id'])

const entriesInput = Type.Array(
  Type.Object({
    occurs_on: Type.String({ format: 'date', description: 'Date of the leave day' }),
    amount: Type.String({
      format: 'decimal',
      description: 'Leave to take on the day, in days or hours (the unit of the leave type)',
    }),
  }),
  {
    maxItems: LONGEST,
    description:
      'Amounts for some of the days, for example half days. Days that are not in the list are taken as full days',
    examples: [[{ occurs_on: '2030-07-01', amount: '0.5' }]],
  },
)

const changeable = {
  description: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'text',
    maxLength: LONGEST_TEXT,
    description: COMMENT_NOTE,
    examples: [COMMENT],
  }),
  leave_request_entries: entriesInput,
  ...attachmentInput,
}
const more = {
  ...changeable,
  skip_approval: Type.Boolean({
    description:
      'Whether to approve the request at once; requires `leave:approve` for the employee, and is not possible for your own request',
  }),
}

type RequestBody = Body<typeof leaveRequests, typeof more>
type LeaveRequest = Row<typeof leaveRequests>
type AmountByDay = Map<string, number>

/** The comment under its one name. */
function readComment({ comment, description }: RequestBody, problems: FieldProblem[]): { comment?: string | null } {
  if (comment !== undefined && description !== undefined && (comment ?? '') !== (description ?? ''))
    problems.push(wrong('description', 'mismatch', 'must be the same as comment. Send only one of them'))
  const said = comment === undefined ? description : comment
  return said === undefined ? {} : { comment: said }
}

/** The amounts that were sent for single days, each of them once. */
function askedOf({ leave_request_entries: sent = [] }: RequestBody, problems: FieldProblem[]): AmountByDay {
  const asked: AmountByDay = new Map()
  for (const { occurs_on, amount } of sent) {
    if (asked.has(occurs_on))
      problems.push(wrong('leave_request_entries', 'repeated', `contain ${occurs_on} more than once`))
    asked.set(occurs_on, parseDecimal(amount))
  }
  return asked
}

/** The entries of a request: its days with what was asked for them, where no other request has taken them yet. */
function entriesOf(
  days: LeaveDay[],
  unit: LeaveUnit,
  asked: AmountByDay,
  shareOf: (day: string) => DayTotal,
  problems: FieldProblem[],
): Made<typeof leaveEntries>[] {
  const possible = new Set(days.map(({ day }) => day))
  for (const day of asked.keys())
    if (!possible.has(day))
      problems.push(
        wrong(
          'leave_request_entries',
          'not_allowed',
          `cannot contain ${day}: it is before starts_on, after ends_on, or not a working day of this employee`,
        ),
      )
  const taken = days.flatMap((one) => {
    const { day, policyId, whole } = one
    const amount = asked.get(day) ?? whole
    if (amount < 0 || amount > whole)
      problems.push(
        wrong('leave_request_entries', 'out_of_range', `amount for ${day} must be from 0 to ${whole / 10_000}`),
      )
    return amount > 0
      ? [{ one, entry: { date: day, amount, minutes: minutesOf(unit, one, amount), leave_type_policy_id: policyId } }]
      : []
  })
  const twice = taken.find(
    ({ one, entry }) => entry.amount <= one.whole && entry.amount > shareOf(one.day).left(unit, one),
  )
  if (twice) {
    const share = shareOf(twice.one.day)
    const left = share.left(unit, twice.one) / 10_000
    const why =
      left > 0
        ? `only ${left} ${unit} of ${twice.one.day} are still free. Choose other dates, or send a smaller amount for that day in leave_request_entries`
        : `${twice.one.day} is already taken in full. Choose other dates`
    problems.push(wrong('starts_on', 'overlap', `overlaps with leave request ${share.last}: ${why}`))
  }
  if (taken.length === 0)
    problems.push(
      wrong(
        'ends_on',
        'no_days',
        days.length === 0
          ? 'and starts_on must include a working day of this employee. Choose other dates'
          : 'and starts_on must include a day with an amount above 0. Change leave_request_entries, or choose other dates',
      ),
    )
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
  const service = (await employmentsOf(db, [employee_id])).get(employee_id)
  for (const [name, day] of Object.entries({ starts_on, ends_on })) {
    const outside = day ? whyNotEmployed(service, day) : undefined
    if (outside) fail(name, outside.code, outside.message)
  }
}

/** The first day of a range on which the person has no policy for this leave. */
export function firstUnassigned(line: LeaveTimeline | undefined, first: string, last: string): string | undefined {
  let day = first
  for (const { from, until } of line ? allAssignments(line) : []) if (from <= day && day < until) day = until
  return day <= last ? day : undefined
}

export const tooLow = ({ balance, day, floor }: NonNullable<ReturnType<typeof firstShortfall>>) =>
  `would let the leave balance fall to ${balance / 10_000} on ${day}, below the lowest balance that the leave policy allows, ${floor / 10_000}`

/** Taking these days must not lead below the floor of the policy, on any day to come; on demand not below what there is. */
async function checkBalance(
  db: Reader,
  request: Pick<LeaveRequest, 'employee_id' | 'leave_type_id' | 'starts_on' | 'on_demand'>,
  line: LeaveTimeline,
  entries: Made<typeof leaveEntries>[],
): Promise<void> {
  const { employee_id, starts_on: from, on_demand } = request
  const known = (await movementsOf(db, [employee_id])).get(lineKey(request)) ?? STILL
  const taken = entries.map(({ date: day = '', amount = 0 }) => ({ day, amount: -amount }))
  const balance = [...known.balance, ...taken]
  const why = on_demand && whyNotOnDemand(line, taken, { balance, onDemand: [...known.onDemand, ...taken] })
  if (why) throw invalid(wrong('on_demand', 'balance', why))
  const short = firstShortfall(line, from, balance)
  if (!short) return
  throw invalid(wrong('ends_on', 'balance', tooLow(short)))
}

/** What lies ahead of somebody is counted anew whenever something changes: there is as much of it as one leave may last. */
export const notTooMuch: Rule<typeof leaveRequests> = async ({ db, after, fail }) => {
  const { employee_id, starts_on, ends_on } = after
  if (!employee_id || !starts_on || !ends_on || ends_on < db.today) return
  const open = await db
    .from('leave_requests')
    .select(['starts_on', 'ends_on'])
    .where('employee_id', '=', employee_id)
    .where('id', '!=', after.id ?? 0)
    .where('state', 'in', OPEN)
    .where('ends_on', '>=', db.today)
    .execute()
  const ahead = [...open, { starts_on, ends_on }].reduce(
    (sum, one) => sum + countDays(one.starts_on < db.today ? db.today : one.starts_on, one.ends_on),
    0,
  )
  if (ahead > LONGEST)
    fail(
      'ends_on',
      'out_of_range',
      `is too late: together, the pending and approved leave requests of an employee can cover at most ${LONGEST} days from today on`,
    )
}

/** Who takes which leave stays: another one is asked for anew. */
const sameLeave: Rule<typeof leaveRequests> = ({ before, after, fail }) => {
  for (const name of ['employee_id', 'leave_type_id'] as const)
    if (before && after[name] !== before[name])
      fail(name, 'not_allowed', 'cannot be changed. Withdraw this request and create a new one')
}

const rules = [sameLeave, inOrder('starts_on', 'ends_on'), notTooLong, notTooMuch, withinService]
holdTo(leaveRequests, [inOrder('starts_on', 'ends_on'), notTooLong])

/** The days of a request that is sound by itself, and what follows from them for it. */
async function count(
  db: Writer,
  { after, problems }: Attempt<typeof leaveRequests>,
  sent: AmountByDay | null,
  /** Days that were asked for before. */
  earlier: ReadonlySet<string> = new Set(),
) {
  const { employee_id, leave_type_id, starts_on, ends_on } = after
  // As it will be counted anew: without what is planned and not announced.
  const known = withoutHeldBack(db)
  const line = (await linesOf(known, [employee_id])).get(lineKey(after))
  const unassigned = firstUnassigned(line, starts_on, ends_on)
  if (!line || unassigned)
    throw invalid(
      wrong(
        'leave_type_id',
        'not_assigned',
        `is not assigned to this employee on ${unassigned}. Choose other dates, or assign the leave type for that day first`,
      ),
    )

  const person = (await employmentsOf(known, [employee_id])).get(employee_id) as EmploymentPeriod
  const { unit } = await find(db, leaveTypes, leave_type_id)
  const schedule = await Schedule.load(known, [employee_id], starts_on, ends_on)
  const days = daysFrom(starts_on, ends_on).flatMap((day) => leaveDayOn(line, unit, schedule, person, day) ?? [])
  const asked = sent ?? stillAsked(after, days)
  const entries = entriesOf(days, unit, asked, await sharesOf(db, employee_id, starts_on, ends_on), problems)
  refuse(problems)
  if (after.override_reason === null)
    await requireConditions(db, { request: after, line, unit, person, earlier, ...takenOf(entries, days) })
  await checkBalance(db, after, line, entries)
  return {
    entries,
    counted: {
      leave_type_policy_id: inForceOn(line, starts_on)?.assignment.policyId as number,
      amount: entries.reduce((sum, { amount = 0 }) => sum + amount, 0),
      asked: asked.size > 0 ? Object.fromEntries(asked) : null,
    },
  }
}

/** What is taken, and the days of which only a part is. */
function takenOf(entries: Made<typeof leaveEntries>[], days: readonly LeaveDay[]) {
  const taken = entries.map(({ date: day = '', amount = 0 }) => ({ day, amount }))
  const wholes = new Map(days.map(({ day, whole }) => [day, whole]))
  const parts = taken.map((one) => ({ ...one, whole: wholes.get(one.day) ?? one.amount }))
  return { taken, parts: parts.filter(({ amount, whole }) => amount !== whole) }
}

/** What was asked for before, on the days that are still in the leave. */
function stillAsked({ asked }: LeaveRequest, days: LeaveDay[]): AmountByDay {
  const kept = days.flatMap(({ day, whole }) =>
    asked?.[day] === undefined ? [] : [[day, Math.min(asked[day], whole)] as const],
  )
  return new Map(kept)
}

const keepEntries = (
  db: Writer,
  { id, employee_id }: Pick<LeaveRequest, 'id' | 'employee_id'>,
  entries: Made<typeof leaveEntries>[],
) =>
  insertAll(
    db,
    leaveEntries,
    entries.map((entry) => ({ ...entry, leave_request_id: id, employee_id })),
  )

async function ask({ db, body, problems, files }: RequestCall): Promise<number> {
  const one = attempt(db, leaveRequests, null, { ...body, ...readComment(body, problems) }, problems)
  const asked = askedOf(body, problems)
  const uploads = readAttachments(body, problems)
  await checkAll(db, leaveRequests, [one], rules)
  refuse(problems)
  if (body.skip_approval) requireDecider(db, area, one.after.employee_id)
  if (one.after.override_reason !== null) requireOverride(db, one.after.employee_id)
  const { entries, counted } = await count(db, one, asked)
  const decided = { state: 'approved', decided_by_id: db.caller.personId, decided_at: db.now } as const
  const row = { ...one.after, ...(body.skip_approval ? decided : {}), ...counted }
  const [id] = (await insertAll(db, leaveRequests, [row])) as [number]
  await keepEntries(db, { ...one.after, id }, entries)
  await addAttachments(db, files, id, uploads)
  if (body.skip_approval) await requireApprovable(db, { ...one.after, id })
  return id
}

/** Leave that was approved and has begun is taken back by those who may decide: it may have been taken. */
async function notBegunYet(db: Reader, { state, employee_id, starts_on }: LeaveRequest): Promise<void> {
  if (state === 'approved' && starts_on <= db.today) requireDecider(db, area, employee_id)
}

/** What is to be taken is counted anew, as if it was asked for now; what is only said about it changes in any state. */
async function change({ db, body, problems, files }: RequestCall, before: LeaveRequest): Promise<void> {
  const one = attempt(db, leaveRequests, before, { ...body, ...readComment(body, problems) }, problems)
  const asked = body.leave_request_entries ? askedOf(body, problems) : null
  const uploads = readAttachments(body, problems)
  const isOverridden = before.override_reason !== null
  const hasOtherReason = one.after.override_reason !== before.override_reason
  const isOther = (asked && !isAsked(asked, before)) || TAKEN.some((name) => one.after[name] !== before[name])
  // The exception was made for these days.
  if (hasOtherReason || (isOther && isOverridden)) requireOverride(db, before.employee_id)
  await checkAll(db, leaveRequests, [one], isOther ? rules : [sameLeave])
  refuse(problems)
  if (isOther) {
    if (before.state !== 'pending')
      throw conflict(
        `Leave request ${before.id} is ${before.state}, so its days can no longer change. ${before.state === 'approved' ? 'Withdraw it and create' : 'Create'} a new leave request instead.`,
      )
    // They are given back first, so that they can be taken again.
    const given = await rowsOf(leaveEntries, db.from('leave_entries').where('leave_request_id', '=', before.id))
    await eraseAll(db, leaveEntries, given)
    const known = new Set(isOverridden ? [] : given.map(({ date }) => date))
    const { entries, counted } = await count(db, one, asked, known)
    Object.assign(one.changes, counted)
    await keepEntries(db, before, entries)
  }
  await storeChanges(db, leaveRequests, [one])
  await addAttachments(db, files, before.id, uploads)
  if (hasOtherReason && !isOther && OPEN.some((state) => state === before.state)) await requireStill(db, one.after)
}

/** Is this what was asked for already? */
const isAsked = (asked: AmountByDay, { asked: before }: LeaveRequest) =>
  asked.size === Object.keys(before ?? {}).length && [...asked].every(([day, amount]) => before?.[day] === amount)

/** What the days follow from. */
const TAKEN = ['starts_on', 'ends_on', 'on_demand'] as const

/** What is decided about: none of it changes when it is decided, also not by undoing what was changed before. */
export const ASKED = [...TAKEN, 'asked', 'employee_id', 'leave_type_id'] as const

type RequestCall = Call<Writer, any, any, RequestBody>

const ofAnyState: Record<string, Filter> = {
  created_at: timeRange(leaveRequests, 'created_at'),
  updated_at: timeRange(leaveRequests, 'updated_at'),
  employee_id: isRecord(leaveRequests, 'employee_id'),
  employee_ids: anyRecordOf(leaveRequests, 'employee_id'),
  leave_type_id: isRecord(leaveRequests, 'leave_type_id'),
  leave_type_ids: anyRecordOf(leaveRequests, 'leave_type_id'),
  starts_on: from(leaveRequests, 'starts_on'),
  ends_on: until(leaveRequests, 'ends_on'),
  ...byDaysTaken,
}

const sorts = ['starts_on', 'ends_on']

const filters: Record<string, Filter> = {
  ...ofAnyState,
  state: isOne(leaveRequests, 'state'),
  states: isAnyOf(leaveRequests, 'state'),
}

export const leaveRequestOperations = [
  list(leaveRequests, { order: 'starts_on', sorts, filters }),
  list(leaveRequests, {
    order: 'starts_on',
    sorts,
    filters: ofAnyState,
    always: {
      narrow: (query) => query.where('leave_requests.state', '=', 'pending'),
      indexedColumns: ['leave_requests.state'],
    },
    as: {
      id: 'listPendingLeaveRequests',
      path: '/leave_requests/pending',
      summary: 'List pending leave requests',
    },
  }),
  get(leaveRequests),
  allowed(
    'leave:request',
    post(leaveRequests, {
      more,
      note: 'Cadre calculates the leave of each day from the working pattern and public holidays of the employee and from the leave policy that applies on that day. It recalculates future days when any of these, or the employment, changes. Two requests can share a day, for example as two half days, but together not exceed it.',
      store: ask,
    }),
  ),
  allowed(
    'leave:request',
    put(leaveRequests, {
      more: changeable,
      note: 'Omitted fields keep their values; files are added to the existing ones. While the request is pending you can change its dates; its leave days are then recalculated.',
      conflicts: 'The request has been approved, rejected or withdrawn: its dates and amounts cannot change',
      store: change,
    }),
  ),
  ...decisionsOn(leaveRequests, 'leave:request', { approve: requireApprovable, withdraw: notBegunYet }),
  removeAsked(leaveRequests),
]
