import { byId } from '../engine/join.ts'
import { rowsOf } from '../engine/records.ts'
import type { Reader } from '../ledger/reader.ts'
import { type Accrual, balanceOn, balancesOn, type Movement } from './accrual.ts'
import { leavePolicies } from './leave-types.ts'

/** Balances of leave, from what is stored. */

export type Assignment = {
  employee_id: number
  leave_type_id: number
  leave_type_policy_id: number
  effective_on: string
}

type OwnMovement = Movement & { employee_id: number; leave_type_id: number }

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
  return Map.groupBy(all as OwnMovement[], (row) => `${row.employee_id} ${row.leave_type_id}`)
}

/** A policy that grants nothing. */
const NOTHING: Accrual = { type: 'manual', yearly_amount: null, credit: null, carry_over_limit: null }

/** The balances of assignments at the end of a day, in four statements for all of them. */
export async function balancesOf(db: Reader, rows: Assignment[], day: string): Promise<number[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.leave_type_policy_id)
  const policies = await rowsOf(leavePolicies, db.from('leave_policies').where('id', 'in', ids))
  const policyOf = new Map(policies.map((policy) => [policy.id, policy]))
  const movements = await movementsOf(
    db,
    rows.map((row) => row.employee_id),
  )
  return rows.map((row) =>
    balanceOn(
      day,
      policyOf.get(row.leave_type_policy_id) ?? NOTHING,
      row.effective_on,
      movements.get(`${row.employee_id} ${row.leave_type_id}`) ?? [],
    ),
  )
}

/** The lowest balance on any day from one on, as far as anything is known to happen. */
export async function lowestBalance(
  db: Reader,
  row: Assignment,
  policy: Accrual,
  from: string,
  more: Movement[],
): Promise<number> {
  const known = (await movementsOf(db, [row.employee_id])).get(`${row.employee_id} ${row.leave_type_id}`) ?? []
  const all = [...known, ...more]
  const days = new Set([from, ...all.map(({ day }) => day).filter((day) => day > from)])
  // At a turn of the year a limit may take away what later leave reckons with.
  for (const day of [...days]) days.add(`${day.slice(0, 4)}-12-31`)
  const balances = balancesOn([...days].sort(), policy, row.effective_on, all)
  return balances.reduce((lowest, balance) => Math.min(lowest, balance))
}
