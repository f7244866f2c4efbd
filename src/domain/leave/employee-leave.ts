import Type, { type TSchema } from 'typebox'
import { FOREVER } from '../../engine/dated.ts'
import { daysAfter } from '../../engine/day.ts'
import { parseDecimal } from '../../engine/decimal.ts'
import type { Row, Sent } from '../../engine/declaration.ts'
import { get, list, listAll, MOST_OWNED, post, remove } from '../../engine/derive.ts'
import { asNumber, date, decimal, loadedTogether, longText, reference, told } from '../../engine/field.ts'
import { isRecord } from '../../engine/filter.ts'
import { byId } from '../../engine/join.ts'
import { operation } from '../../engine/operation.ts'
import { conflict, type FieldProblem, invalid, refuse, wrong } from '../../engine/problem.ts'
import {
  attempt,
  checkAll,
  erase,
  find,
  holdTo,
  insertAll,
  nameable,
  type Rule,
  rowsOf,
  storeChanges,
} from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { inOrder } from '../../engine/rule.ts'
import { recordId, schemaOf, wrapped, wrappedList } from '../../engine/schema.ts'
import { show, showOne } from '../../engine/shape.ts'
import { chunks } from '../../records/chunks.ts'
import type { Consequence } from '../../records/consequences.ts'
import { like, type Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { employmentsOf, requireEmployee, whyNotEmployed } from '../organisation/staff.ts'
import { firstDaysMoved } from '../people/first-day.ts'
import { OPEN } from '../time/approvals.ts'
import { employmentsThen } from '../time/employment-periods.ts'
import {
  dayWithin,
  heldOrNearest,
  lastPart,
  lineKey,
  linesOf,
  movementsOf,
  partOn,
  STILL,
  standingsOf,
} from './balances.ts'
import { firstIneligibleDay } from './eligible-groups.ts'
import { leavePolicies } from './leave-policies.ts'
import { leaveTypes } from './leave-types.ts'
import { onDemand, onDemandWithin, sumUntil } from './on-demand.ts'
import { balanceOn } from './postings.ts'
import { shownFigures, THIS_YEAR } from './statement.ts'

/** The leave that somebody is entitled to: which types under which policies, balances and their adjustments. */

const area = 'leave'
const ON_DEMAND_NOTE =
  'Part of the balance that can be taken on demand (at short notice), in days or hours; never more than the balance. You set it with `PUT …/update_leave_balance` or change it with leave adjustments; leave taken on demand reduces it. It neither accrues nor expires'
const LAST_DAY_NOTE =
  'Last day of the assignment, included; null: until the next assignment of the same leave type begins'

export const employeeLeaveTypes = resource(
  { table: 'employee_leave_types', one: 'employee leave type', area, path: '/employees/{employee_id}/leave_types' },
  {
    employee_id: reference('employees', { required: true, owner: true }),
    leave_type_id: reference('leave_types', { required: true, show: () => leaveTypes.whole }),
    leave_type_policy_id: reference('leave_policies', { required: true, show: () => leavePolicies.whole }),
    effective_on: date({
      required: true,
      note: 'First day of the assignment; today by default',
      example: '2026-01-01',
    }),
    // The last day that is shown may be the eve of the next assignment: what was set goes by a name of its own.
    ends_on: { ...date({ note: LAST_DAY_NOTE, example: '2030-12-31' }), output: null, tells: told('ends_on_set') },
    ...standings(),
  },
)

/** The last day, be it given or the eve of the next assignment, and the balance with where it comes from. */
function standings() {
  const loaded = loadedTogether(
    {
      ends_on: () => Type.Unsafe({ type: ['string', 'null'], format: 'date', description: LAST_DAY_NOTE }),
      balance: () =>
        Type.Number({
          description:
            'Balance in days or hours (the unit of the leave type), today or on the date `as_of`. For assignments that have not started, on their first day; for those that have ended, on their last day',
        }),
      on_demand_balance: () => Type.Number({ description: ON_DEMAND_NOTE }),
      this_year: () => THIS_YEAR,
    },
    async (db, ids) => {
      const rows = await db.from('employee_leave_types').select(['id', 'employee_id']).where('id', 'in', ids).execute()
      const people = rows.map((row) => row.employee_id)
      const found = await standingsOf(db, people, db.view.day)
      const shown = [...found].map(([id, { ends_on, balance, on_demand_balance, this_year }]) => {
        return [
          id,
          {
            ends_on,
            balance: balance / 10_000,
            on_demand_balance: on_demand_balance / 10_000,
            this_year: shownFigures(this_year),
          },
        ] as const
      })
      return new Map(shown)
    },
  )
  const { ends_on, balance, on_demand_balance, this_year } = loaded
  return { ends_on_shown: { ...ends_on, as: 'ends_on' }, balance, on_demand_balance, this_year }
}

export const leaveAdjustments = resource(
  {
    table: 'leave_adjustments',
    one: 'leave adjustment',
    area,
    path: '/leave_adjustments',
    about: [{ column: 'employee_id' }],
  },
  {
    employee_id: reference('employees', { required: true }),
    leave_type_id: reference('leave_types', { required: true }),
    occurred_on: date({ required: true, example: '2026-03-01' }),
    amount: asNumber(decimal({ required: true, min: -10_000, max: 10_000, example: '1.5' })),
    description: longText(),
    on_demand: onDemand('Whether the amount changes `on_demand_balance` instead of `balance`'),
  },
)

type LeaveTypeAssignment = Row<typeof employeeLeaveTypes>

const policyIsOfType: Rule<typeof employeeLeaveTypes> = async ({ db, changes, fail }) => {
  if (!changes.leave_type_id || !changes.leave_type_policy_id) return
  const policy = await find(db, leavePolicies, changes.leave_type_policy_id)
  if (policy.leave_type_id !== changes.leave_type_id)
    fail('leave_type_policy_id', 'mismatch', 'must be the id of a leave policy for the leave type in leave_type_id')
}

/** The assignments of the same type of leave, in order. */
const assignmentsBeside = (db: Reader, { employee_id, leave_type_id }: LeaveTypeAssignment) => {
  const own = db.from('employee_leave_types').where('employee_id', '=', employee_id)
  return rowsOf(employeeLeaveTypes, own.where('leave_type_id', '=', leave_type_id), ['effective_on'])
}

/** No two begin on a day; a last day is given only before the next one begins, which would be the end anyway. */
const followEachOther: Rule<typeof employeeLeaveTypes> = async ({ db, after, fail }) => {
  if (!after.leave_type_id || !after.effective_on) return
  const others = (await assignmentsBeside(db, after)).filter(({ id }) => id !== after.id)
  if (others.some(({ effective_on }) => effective_on === after.effective_on))
    fail(
      'effective_on',
      'taken',
      'is already the first day of another assignment of this leave type. Choose another day, or delete that assignment first',
    )
  const next = others.find(({ effective_on }) => effective_on > after.effective_on)
  if (next && after.ends_on !== null && after.ends_on >= next.effective_on)
    fail(
      'ends_on',
      'too_late',
      `must be before ${next.effective_on}, when the next assignment of this leave type starts`,
    )
}

/** Refuses what would leave days of an open request without a policy: those from a day on, until another one. */
async function refuseWhileTaken(
  db: Reader,
  { employee_id, leave_type_id }: LeaveTypeAssignment,
  from: string,
  until: string,
) {
  const taken = await db
    .from('leave_entries as e')
    .innerJoin('leave_requests as r', byId('r', 'e.leave_request_id'))
    .select(['r.id', 'e.date'])
    .where('e.employee_id', '=', employee_id)
    .where('e.date', '>=', from)
    .where('e.date', '<', until)
    .where('r.leave_type_id', '=', leave_type_id)
    .where('r.state', 'in', OPEN)
    .limit(1)
    .executeTakeFirst()
  if (taken)
    throw conflict(
      `The employee would no longer have the leave type on ${taken.date}, a day of leave request ${taken.id}. Reject, withdraw or change this leave request first.`,
      'in_use',
    )
}

/** After the last day of an assignment no leave is taken until the next one begins. */
async function refuseLeaveAfter(db: Reader, after: LeaveTypeAssignment): Promise<void> {
  if (after.ends_on === null) return
  const next = (await assignmentsBeside(db, after)).find(({ effective_on }) => effective_on > after.effective_on)
  await refuseWhileTaken(db, after, daysAfter(after.ends_on, 1), next?.effective_on ?? FOREVER)
}

const isForThem: Rule<typeof employeeLeaveTypes> = async ({ db, after, changes, fail }) => {
  const { leave_type_policy_id: policyId, employee_id, effective_on } = after
  if (!changes.leave_type_policy_id || !employee_id || !effective_on) return
  if (await firstIneligibleDay(db, employee_id, [{ day: effective_on, policyId }]))
    fail(
      'leave_type_policy_id',
      'not_eligible',
      `is not for this employee on ${effective_on}: they are in none of the eligible groups of this leave policy`,
    )
}

const rules = [policyIsOfType, inOrder('effective_on', 'ends_on'), followEachOther]
holdTo(employeeLeaveTypes, rules)

async function assign(db: Writer, body: Sent<typeof employeeLeaveTypes>, problems: FieldProblem[]): Promise<number> {
  const sent = { ...body, effective_on: body.effective_on ?? db.today }
  const one = attempt(db, employeeLeaveTypes, null, sent, problems)
  await checkAll(db, employeeLeaveTypes, [one], [...rules, isForThem])
  refuse(problems)
  await refuseLeaveAfter(db, one.after)
  const [id] = await insertAll(db, employeeLeaveTypes, [one.after])
  return id as number
}

async function endAssignment(
  db: Writer,
  before: LeaveTypeAssignment,
  ends_on: string | null,
  problems: FieldProblem[],
) {
  const one = attempt(db, employeeLeaveTypes, before, { ends_on }, problems)
  await checkAll(db, employeeLeaveTypes, [one], [inOrder('effective_on', 'ends_on'), followEachOther])
  refuse(problems)
  await refuseLeaveAfter(db, one.after)
  await storeChanges(db, employeeLeaveTypes, [one])
}

async function unassign(db: Writer, before: LeaveTypeAssignment): Promise<void> {
  const line = (await linesOf(db, [before.employee_id])).get(lineKey(before))
  const until = (line && lastPart(line, before.id))?.until ?? FOREVER
  await refuseWhileTaken(db, before, before.effective_on, until)
  await erase(db, employeeLeaveTypes, before)
}

/** After the last day of service nothing is given or taken. */
const inService: Rule<typeof leaveAdjustments> = async ({ db, after, undone, fail }) => {
  if (!after.employee_id || !after.occurred_on) return
  const person = (await employmentsOf(db, [after.employee_id])).get(after.employee_id)
  const left = person?.termination_effective_on
  const outside = whyNotEmployed(person, after.occurred_on)
  if (outside?.code === 'between_employments' && !undone) fail('occurred_on', outside.code, outside.message)
  const then = undone && (await employmentsThen(db, [after.employee_id], undone)).get(after.employee_id)
  const wasOut = then?.termination_effective_on && after.occurred_on >= then.termination_effective_on
  if (left && after.occurred_on >= left && !wasOut)
    fail('occurred_on', 'after_service', `must be before ${left}, the first day after employment`)
}

const asOfQuery = Type.Object({ as_of: Type.Optional(Type.String({ format: 'date', 'x-also': ['on'] })) })
const employeeParam = Type.Object({ employee_id: recordId('employees') })

/** Sets the balance of an assignment by an adjustment for the difference: today, or on the nearest day it holds. */
async function setBalance(
  db: Writer,
  employeeId: number,
  body: { balance: string; on_demand_balance?: string; leave_type_id?: number; employee_leave_type_id?: number },
) {
  if (!body.leave_type_id && !body.employee_leave_type_id)
    throw invalid(wrong('leave_type_id', 'required', 'is required, unless employee_leave_type_id is sent'))
  const lines = await linesOf(db, [employeeId])
  const found = [...lines].flatMap(([key, line]) => {
    const isAsked =
      !body.leave_type_id || key === lineKey({ employee_id: employeeId, leave_type_id: body.leave_type_id })
    const assignment = body.employee_leave_type_id
      ? partOn(line, body.employee_leave_type_id, db.today)
      : heldOrNearest(line, db.today)
    return isAsked && assignment ? [{ key, line, assignment }] : []
  })
  const [one] = found
  if (!one)
    throw invalid(wrong('leave_type_id', 'not_found', 'is not assigned to this employee. Assign the leave type first'))
  const day = dayWithin(one.assignment, db.today)
  const known = (await movementsOf(db, [employeeId])).get(one.key) ?? STILL
  const wanted = parseDecimal(body.balance)
  const differences = [{ amount: wanted - balanceOn(day, one.line, known.balance), on_demand: false }]
  if (body.on_demand_balance !== undefined) {
    const part = parseDecimal(body.on_demand_balance)
    if (part > onDemandWithin(part, wanted, one.assignment))
      throw invalid(
        wrong(
          'on_demand_balance',
          'too_large',
          `must not be higher than the balance: ${onDemandWithin(part, wanted, one.assignment) / 10_000} at most`,
        ),
      )
    differences.push({ amount: part - sumUntil(day, one.line, known.onDemand), on_demand: true })
  }
  const { leave_type_id } = await find(db, employeeLeaveTypes, one.assignment.id)
  await insertAll(
    db,
    leaveAdjustments,
    differences.flatMap(({ amount, on_demand }) =>
      amount === 0
        ? []
        : { employee_id: employeeId, leave_type_id, occurred_on: day, description: 'Balance set', amount, on_demand },
    ),
  )
  return showOne(db, employeeLeaveTypes.whole, one.assignment.id)
}

export const employeeLeaveOperations = [
  listAll(employeeLeaveTypes),
  get(employeeLeaveTypes),
  post(employeeLeaveTypes, {
    most: MOST_OWNED,
    optional: ['effective_on'],
    note: 'If the employee already has this leave type, the earlier assignment ends the day before the new one begins. The balance continues, and the new policy applies to leave from then on.',
    conflicts: 'A leave request of the employee has leave days after the last day (`ends_on`)',
    store: ({ db, body, problems }) => assign(db, body, problems),
  }),
  operation(
    {
      id: 'updateEmployeeLeaveType',
      method: 'PUT',
      path: `${employeeLeaveTypes.path}/{id}`,
      summary: 'Set the last day of an employee leave type',
      note: 'Send `ends_on: null` to continue the assignment until the next one of the same leave type begins.',
      area,
      params: Type.Object({ employee_id: recordId('employees'), id: recordId('employee_leave_types') }),
      body: Type.Object(
        { ends_on: Type.Optional(employeeLeaveTypes.fields.ends_on.input as TSchema) },
        { title: 'UpdateEmployeeLeaveType' },
      ),
      answer: wrapped(schemaOf(employeeLeaveTypes.whole)),
      conflicts: 'A leave request of the employee has leave days after the last day (`ends_on`)',
    },
    async ({ db, params, body, problems }) => {
      const before = await find(db, employeeLeaveTypes, params.id, { employee_id: params.employee_id })
      if (body.ends_on !== undefined) await endAssignment(db, before, body.ends_on as string | null, problems)
      return { body: await showOne(db, employeeLeaveTypes.whole, params.id) }
    },
  ),
  remove(employeeLeaveTypes, {
    note: 'The previous assignment of the same leave type continues, unless it had an end date of its own.',
    conflicts: 'A leave request of the employee has leave days in the time of this assignment',
    store: ({ db }, before) => unassign(db, before),
  }),
  operation(
    {
      id: 'listLeaveBalances',
      method: 'GET',
      path: '/employees/{employee_id}/leave_balances',
      summary: 'List the leave balances of an employee',
      note: 'Returns one balance for each leave type: that of the assignment on the date; without one, that of the next or the last assignment. Under a policy of the type `accrual`, each month in which the employee is employed gives one twelfth of the `yearly_amount` that applies on the first of the month, by the rules of the policy; other policies credit leave by pay period or for hours worked. A change of the working pattern, of terms, of tenure or of age changes the balance from its first day on. Only the yearly total is rounded, so twelve months give exactly the yearly amount. The terms of 31 December decide how much is carried over. After the last day of employment, nothing accrues or expires.',
      area,
      params: employeeParam,
      query: asOfQuery,
      answer: wrappedList(schemaOf(employeeLeaveTypes.whole)),
      indexedColumns: ['employee_leave_types.employee_id'],
    },
    async ({ db, params, query }) => {
      await requireEmployee(db, params.employee_id)
      const day = query.as_of ?? db.today
      const lines = [...(await linesOf(db, [params.employee_id])).values()]
      const ids = lines.flatMap((line) => heldOrNearest(line, day)?.id ?? [])
      const seen = like(db, { view: { ...db.view, day } })
      return {
        body: {
          data: await show(
            seen,
            employeeLeaveTypes.whole,
            ids.sort((one, other) => one - other),
          ),
        },
      }
    },
  ),
  operation(
    {
      id: 'updateLeaveBalance',
      method: 'PUT',
      path: '/employees/{employee_id}/update_leave_balance',
      summary: 'Set a leave balance',
      note: 'Creates a leave adjustment for the difference to the current balance, dated today. If the leave type is not yet assigned to the employee today, the adjustment gets the first day of the assignment; if the assignment has ended, its last day.',
      area,
      params: employeeParam,
      body: Type.Object(
        {
          balance: Type.String({ format: 'decimal', examples: ['12.5'] }),
          on_demand_balance: Type.Optional(
            Type.String({ format: 'decimal', decimalRange: [0, null], description: ON_DEMAND_NOTE, examples: ['4'] }),
          ),
          leave_type_id: Type.Optional(recordId('leave_types')),
          employee_leave_type_id: Type.Optional(recordId('employee_leave_types')),
        },
        { title: 'UpdateLeaveBalance' },
      ),
      answer: wrapped(schemaOf(employeeLeaveTypes.whole)),
    },
    async ({ db, params, body }) => {
      await requireEmployee(db, params.employee_id, nameable)
      return { body: await setBalance(db, params.employee_id, body) }
    },
  ),
  list(leaveAdjustments, {
    filters: {
      employee_id: isRecord(leaveAdjustments, 'employee_id'),
      leave_type_id: isRecord(leaveAdjustments, 'leave_type_id'),
    },
  }),
  get(leaveAdjustments),
  post(leaveAdjustments, { rules: [inService] }),
  remove(leaveAdjustments),
]

/**
 * The first assignment of a type of leave moves with the first day of service that it began on, by whichever way that moves. It
 * stays where it would pass its end or the next one: before the service it gives nothing.
 */
export const leaveMovesWithHiring: Consequence = {
  of: ['employees'],
  async follow(db, changes) {
    const moves = new Map(firstDaysMoved(db, changes).map((move) => [move.employeeId, move]))
    for (const ids of chunks([...moves.keys()], 1000)) {
      const own = db.from('employee_leave_types').where('employee_id', 'in', ids)
      const lines = Map.groupBy(await rowsOf(employeeLeaveTypes, own, ['effective_on']), lineKey)
      const moved = [...lines.values()].flatMap(([first, next]) => {
        const move = first && moves.get(first.employee_id)
        if (!move || first.effective_on !== move.from) return []
        if ((next && next.effective_on <= move.to) || (first.ends_on !== null && first.ends_on < move.to)) return []
        return [attempt(db, employeeLeaveTypes, first, { effective_on: move.to })]
      })
      await storeChanges(db, employeeLeaveTypes, moved)
    }
  },
}
