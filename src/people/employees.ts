import Type from 'typebox'
import { get, list, post, put } from '../engine/derive.ts'
import { derived, email, text } from '../engine/field.ts'
import { anyRecordOf, anyTextOf } from '../engine/filter.ts'
import { card, resource } from '../engine/resource.ts'

export const employees = resource(
  { table: 'employees', one: 'employee', area: 'employees' },
  {
    full_name: derived(Type.String(), ['first_name', 'last_name'], (row) => `${row.first_name} ${row.last_name}`),
    first_name: text({ required: true, example: 'Ada' }),
    last_name: text({ required: true, example: 'Lovelace' }),
    email: email({ unique: true, example: 'ada@example.com' }),
  },
)

/** `{id, full_name, email}` */
export const personCard = card(employees, 'PersonCard', ['id', 'full_name', 'email'])

export const employeeOperations = [
  list(employees, { filters: { ids: anyRecordOf('employees.id'), emails: anyTextOf('employees.email') } }),
  get(employees),
  post(employees),
  put(employees),
]
