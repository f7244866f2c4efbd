import Type from 'typebox'
import { get, list, listAll, post, remove } from '../engine/derive.ts'
import { asNumber, date, decimal, loaded, longText, reference } from '../engine/field.ts'
import { operation } from '../engine/operation.ts'
import { invalid, wrong } from '../engine/problem.ts'
import { create, find, insertAll, type Rule, rowsOf } from '../engine/records.ts'
import { resource } from '../engine/resource.ts'
import { recordId, schemaOf, wrapped, wrappedList } from '../engine/schema.ts'
import { fetchShape, showOne } from '../engine/shape.ts'
import type { Writer } from '../ledger/write.ts'
import { requireEmployee } from '../organisation/staff.ts'
import { type Assignment, balancesOf } from './balances.ts'
import { leavePolicies, leaveTypes } from './leave-types.ts'

/** The leave that somebody is entitled to: which types under which policies, balances and their adjustments. */

const area = 'leave'

export const employeeLeaveTypes = resource(
  { table: 'employee_leave_types', one: 'employee leave type', area, path: '/employees/{employee_id}/leave_types' },
  {
    employee_id: reference('employees', { required: true, owner: true }),
    leave_type_id: reference('leave_types', { required: true, show: () => leaveTypes.whole }),
    leave_type_policy_id: reference('leave_policies', { required: true, show: () => leavePolicies.whole }),
    effective_on: date({ required: true, note: 'Today when not sent', example: '2026-01-01' }),
    balance: loaded(Type.Number(), async (db, ids) => {
      const rows = await db.from('employee_leave_types').selectAll().where('id', 'in', ids).execute()
      const balances = await balancesOf(db, rows as Assignment[], db.view.day)
      return new Map(rows.map((row, index) => [row.id, (balances[index] as number) / 10_000]))
    }),
  },
)

export const leaveAdjustments = resource(
  { table: 'leave_adjustments', one: 'leave adjustment', area, path: '/leave_adjustments' },
  {
    employee_id: reference('employees', { required: true }),
    leave_type_id: reference('leave_types', { required: true }),
    occurred_on: date({ required: true, example: '2026-03-01' }),
    amount: asNumber(decimal({ required: true, min: -10_000, max: 10_000, example: '1.5' })),
    description: longText(),
  },
)

const policyIsOfType: Rule<typeof employeeLeaveTypes> = async ({ db, after, fail }) => {
  if (!after.leave_type_id || !after.leave_type_policy_id) return
  const policy = await find(db, leavePolicies, after.leave_type_policy_id)
  if (policy.leave_type_id !== after.leave_type_id)
    fail('leave_type_policy_id', 'mismatch', 'must be a policy of the leave type')
  const twin = await db
    .from('employee_leave_types')
    .select('id')
    .where('employee_id', '=', after.employee_id)
    .where('leave_type_id', '=', after.leave_type_id)
    .executeTakeFirst()
  if (twin) fail('leave_type_id', 'taken', 'is already assigned to this employee')
}

const asOfQuery = Type.Object({ as_of: Type.Optional(Type.String({ format: 'date' })) })
const employeeParam = Type.Object({ employee_id: recordId('employees') })

/** Sets a balance by an adjustment for the difference. */
async function setBalance(
  db: Writer,
  employeeId: number,
  body: { balance: string; leave_type_id?: number; employee_leave_type_id?: number },
) {
  if (!body.leave_type_id && !body.employee_leave_type_id)
    throw invalid(wrong('leave_type_id', 'required', 'or employee_leave_type_id is required'))
  let query = db.from('employee_leave_types').where('employee_id', '=', employeeId)
  if (body.leave_type_id) query = query.where('leave_type_id', '=', body.leave_type_id)
  if (body.employee_leave_type_id) query = query.where('id', '=', body.employee_leave_type_id)
  const [row] = await rowsOf(employeeLeaveTypes, query)
  if (!row) throw invalid(wrong('leave_type_id', 'not_found', 'is not assigned to this employee'))
  const [current] = (await balancesOf(db, [row], db.today)) as [number]
  const wanted = leaveAdjustments.fields.amount.parse(body.balance)
  if (wanted !== current) {
    const difference = {
      employee_id: employeeId,
      leave_type_id: row.leave_type_id,
      occurred_on: db.today,
      description: 'Balance set',
    }
    await insertAll(db, leaveAdjustments, [{ ...difference, amount: wanted - current }])
  }
  return showOne(db, employeeLeaveTypes.whole, row.id)
}

export const employeeLeaveOperations = [
  listAll(employeeLeaveTypes),
  get(employeeLeaveTypes),
  post(employeeLeaveTypes, {
    optional: ['effective_on'],
    store: ({ db, body, problems }) =>
      create(db, employeeLeaveTypes, { effective_on: db.today, ...body }, { rules: [policyIsOfType], problems }),
  }),
  remove(employeeLeaveTypes),
  operation(
    {
      id: 'listLeaveBalances',
      method: 'GET',
      path: '/employees/{employee_id}/leave_balances',
      summary: 'Show the balances of an employee on a day',
      area,
      params: employeeParam,
      query: asOfQuery,
      answer: wrappedList(schemaOf(employeeLeaveTypes.whole)),
      looksAt: ['employee_leave_types.employee_id'],
    },
    async ({ db, params, query }) => {
      await requireEmployee(db, params.employee_id)
      const seen = query.as_of ? { ...db, view: { ...db.view, day: query.as_of } } : db
      const assigned = db.from('employee_leave_types').where('employee_id', '=', params.employee_id)
      const rows = await fetchShape(seen, employeeLeaveTypes.whole, assigned)
      return { body: { data: rows.map(({ record }) => record) } }
    },
  ),
  operation(
    {
      id: 'updateLeaveBalance',
      method: 'PUT',
      path: '/employees/{employee_id}/update_leave_balance',
      summary: 'Set a balance',
      note: 'By an adjustment for the difference.',
      area,
      params: employeeParam,
      body: Type.Object(
        {
          balance: Type.String({ format: 'decimal', examples: ['12.5'] }),
          leave_type_id: Type.Optional(recordId('leave_types')),
          employee_leave_type_id: Type.Optional(recordId('employee_leave_types')),
        },
        { title: 'UpdateLeaveBalance' },
      ),
      answer: wrapped(schemaOf(employeeLeaveTypes.whole)),
    },
    async ({ db, params, body }) => {
      await requireEmployee(db, params.employee_id)
      return { body: await setBalance(db, params.employee_id, body) }
    },
  ),
  list(leaveAdjustments),
  get(leaveAdjustments),
  post(leaveAdjustments),
  remove(leaveAdjustments),
]
