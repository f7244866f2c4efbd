import { conflict } from '../../engine/problem.ts'
import { insertAll } from '../../engine/records.ts'
import type { Writer } from '../../records/write.ts'
import { employees } from './employees.ts'
import { EMPLOYEES } from './person.ts'

const STAND_IN = EMPLOYEES.standIn

/** True for the placeholder that replaces erased people. */
export const isPlaceholder = ({ employee_number, first_name }: { employee_number: string; first_name: string }) =>
  employee_number === STAND_IN.employee_number && first_name === STAND_IN.first_name

/** Rejects changes of the placeholder. */
export function refusePlaceholder(employee: { employee_number: string; first_name: string }): void {
  if (isPlaceholder(employee))
    throw conflict('This employee is the placeholder for erased people and cannot be changed.')
}

/** The id of the account's placeholder for erased people. Creates it if there is none. */
export async function findOrCreatePlaceholder(db: Writer): Promise<number> {
  const known = await db
    .from('employees')
    .select('id')
    .where('employee_number_key', '=', STAND_IN.employee_number.toLowerCase())
    .executeTakeFirst()
  if (known) return known.id
  const [id] = await insertAll(db, employees, [{ ...STAND_IN, termination_effective_on: db.today }])
  return id as number
}
