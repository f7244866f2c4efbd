import Type from 'typebox'
import type { Reader } from '../database/handle.ts'
import type { Writer } from '../database/write.ts'
import { get, list, listAll, plain, post, remove } from '../engine/derive.ts'
import { asNumber, boolean, choice, date, decimal, loaded, longText, reference, text } from '../engine/field.ts'
import { byId } from '../engine/join.ts'
import { operation, recordId, wrapped } from '../engine/operation.ts'
import { invalid, notFound } from '../engine/problem.ts'
import { create, find, insertAll, type Rule } from '../engine/records.ts'
import { card, resource, schemaOf, show } from '../engine/resource.ts'
import { balanceOn, type Movement } from './leave-balance.ts'

const area = 'leave'

export const leaveTypes = resource(
  { table: 'leave_types', one: 'leave type', area },
  {
    name: text({ required: true, unique: true, example: 'Vacation' }),
    unit: choice(['days', 'hours'], { default: 'days' }),
    hex_color: text({ max: 9, example: '#2e7d32' }),
    fa_class: text({ max: 64, example: 'fas fa-umbrella-beach' }),
  },
)

export const leavePolicies = resource(
  { table: 'leave_policies', one: 'leave policy', area },
  {
    name: text({ required: true, unique: true, example: '24 days a year' }),
    leave_type_id: reference('leave_types', { required: true }),
    type: choice(['accrual', 'manual', 'external'], { default: 'manual', example: 'accrual' }),
    activity_type: choice(['not_working_paid', 'not_working_unpaid', 'working_paid'], { default: 'not_working_paid' }),
    counted_as: choice(['working_days', 'calendar_days'], { default: 'working_days' }),
    visibility: boolean({ default: true, note: 'Others see which kind of leave it is' }),
    yearly_amount: asNumber(decimal({ min: 0, max: 10_000, note: 'Needed for accrual', example: '24' })),
    credit: choice(['monthly', 'yearly'], { note: 'Needed for accrual', example: 'monthly' }),
    carry_over_limit: asNumber(
      decimal({ min: 0, max: 10_000, note: 'What is kept at the turn of a year; all when null', example: '5' }),
    ),
    floor: asNumber(
      decimal({
        min: -10_000,
        max: 0,
        default: 0,
        note: 'The lowest balance that a request may lead to',
        example: '0',
      }),
    ),
  },
)

const accrualIsWhole: Rule<typeof leavePolicies> = ({ after, fail }) => {
  if (after.type !== 'accrual') return
  if (after.yearly_amount === null) fail('yearly_amount', 'required', 'is required for accrual')
  if (after.credit === null) fail('credit', 'required', 'is required for accrual')
}

export const employeeLeaveTypes = resource(
  { table: 'employee_leave_types', one: 'employee leave type', area, path: '/employees/{employee_id}/leave_types' },
  {
    employee_id: reference('employees', { required: true, owner: true }),
    leave_type_id: reference('leave_types', { required: true, show: () => leaveTypes.whole }),
    leave_type_policy_id: reference('leave_policies', { required: true, show: () => leavePolicies.whole }),
    effective_on: date({ required: true, note: 'Today when not sent', example: '2026-01-01' }),
    balance: loaded(Type.Number(), async (db, ids) => {
      const rows = (await db.from('employee_leave_types').selectAll().where('id', 'in', ids).execute()) as any[]
      const balances = await balancesOf(db, rows, db.view.day)
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

type Assignment = { employee_id: number; leave_type_id: number; leave_type_policy_id: number; effective_on: string }

/** What adds to and takes from balances: adjustments, and leave that is granted or asked for. */
async function movementsOf(db: Reader, employeeIds: number[]): Promise<Map<string, Movement[]>> {
  const adjustments = await db
    .from('leave_adjustments')
    .select(['employee_id', 'leave_type_id', 'occurred_on as day', 'amount'])
    .where('employee_id', 'in', employeeIds)
    .execute()
  const taken = await db
    .from('leave_entries as e')
    .innerJoin('leave_requests as r', byId('r', 'e.leave_request_id'))
    .select(['e.employee_id', 'r.leave_type_id', 'e.date as day', 'e.amount'])
    .where('e.employee_id', 'in', employeeIds)
    .where('r.state', 'in', ['approved', 'pending'])
    .execute()
  const all = [...adjustments, ...taken.map((row) => ({ ...row, amount: -row.amount }))]
  return Map.groupBy(all as any[], (row) => `${row.employee_id} ${row.leave_type_id}`)
}

/** The balances of assignments at the end of a day, in four statements for all of them. */
export async function balancesOf(db: Reader, rows: Assignment[], day: string): Promise<number[]> {
  if (rows.length === 0) return []
  const policies = await db
    .from('leave_policies')
    .selectAll()
    .where(
      'id',
      'in',
      rows.map((row) => row.leave_type_policy_id),
    )
    .execute()
  const policyOf = new Map(policies.map((policy) => [policy.id, policy as any]))
  const movements = await movementsOf(
    db,
    rows.map((row) => row.employee_id),
  )
  return rows.map((row) =>
    balanceOn(
      day,
      policyOf.get(row.leave_type_policy_id),
      row.effective_on,
      movements.get(`${row.employee_id} ${row.leave_type_id}`) ?? [],
    ),
  )
}

/** The lowest balance on any day from one on, as far as anything is known to happen. */
export async function lowestBalance(
  db: Reader,
  row: Assignment,
  policy: any,
  from: string,
  more: Movement[],
): Promise<number> {
  const known = (await movementsOf(db, [row.employee_id])).get(`${row.employee_id} ${row.leave_type_id}`) ?? []
  const all = [...known, ...more]
  const days = new Set([from, ...all.map(({ day }) => day).filter((day) => day > from)])
  // At a turn of the year a limit may take away what later leave reckons with.
  for (const day of [...days]) days.add(`${day.slice(0, 4)}-12-31`)
  return Math.min(...[...days].map((day) => balanceOn(day, policy, row.effective_on, all)))
}

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
    throw invalid([
      { field: 'leave_type_id', code: 'required', message: 'leave_type_id or employee_leave_type_id is required' },
    ])
  let query = db.from('employee_leave_types').selectAll().where('employee_id', '=', employeeId)
  if (body.leave_type_id) query = query.where('leave_type_id', '=', body.leave_type_id)
  if (body.employee_leave_type_id) query = query.where('id', '=', body.employee_leave_type_id)
  const row = (await query.executeTakeFirst()) as any
  if (!row)
    throw invalid([
      { field: 'leave_type_id', code: 'not_found', message: 'leave_type_id is not assigned to this employee' },
    ])
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
  return (await show(db, employeeLeaveTypes.whole, [row.id]))[0]
}

export const leaveOperations = [
  ...plain(leaveTypes),
  ...plain(leavePolicies, { rules: [accrualIsWhole] }),
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
      answer: Type.Object({ data: Type.Array(schemaOf(employeeLeaveTypes.whole)) }) as any,
    },
    async ({ db, params, query }) => {
      if (!(await db.from('employees').select('id').where('id', '=', params.employee_id).executeTakeFirst()))
        throw notFound()
      const seen = query.as_of ? { ...db, view: { ...db.view, day: query.as_of } } : db
      const rows = await db
        .from('employee_leave_types')
        .select('id')
        .where('employee_id', '=', params.employee_id)
        .orderBy('id')
        .execute()
      return {
        body: {
          data: await show(
            seen,
            employeeLeaveTypes.whole,
            rows.map((row) => row.id),
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
      if (!(await db.from('employees').select('id').where('id', '=', params.employee_id).executeTakeFirst()))
        throw notFound()
      return { body: { data: await setBalance(db, params.employee_id, body as any) } }
    },
  ),
  list(leaveAdjustments),
  get(leaveAdjustments),
  post(leaveAdjustments),
  remove(leaveAdjustments),
]

export const policyShort = card(leavePolicies, 'LeavePolicyShort', ['name', 'visibility', 'activity_type'])
