import { plainOwned } from '../../engine/derive.ts'
import { boolean, choice, currency, date, decimal, longText, reference } from '../../engine/field.ts'
import { byId } from '../../engine/join.ts'
import { knownAt } from '../../engine/known-at.ts'
import type { Rule } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { inUnitsOf, oneADay } from '../../engine/rule.ts'
import { fetchShape, tablesIn } from '../../engine/shape.ts'
import { like, type Reader } from '../../records/reader.ts'
import { idAndName, paySchedules } from '../organisation/names.ts'
import { inEmployment } from '../organisation/staff.ts'
import { announcedInTime, plannedFrom } from './planned-changes.ts'

const payScheduleName = idAndName(paySchedules)
const group = 'compensation'

export const salaries = resource(
  {
    table: 'salaries',
    one: 'salary',
    area: 'employees',
    path: '/employees/{employee_id}/salaries',
    group,
    heldBack: plannedFrom('effective_on'),
  },
  {
    employee_id: reference('employees', { required: true, owner: true }),
    effective_on: date({ required: true, note: 'First day on which the salary applies', example: '2024-02-01' }),
    announced_on: date({
      note: 'Date from which the employee can see the salary in advance; by default its first day',
    }),
    amount: decimal({ required: true, min: 0, money: true, group, example: '54000.0' }),
    currency_code: currency({ required: true, group }),
    per: choice(['hour', 'day', 'week', 'month', 'year'], { required: true, group, example: 'year' }),
    overtime: boolean({ default: false, group, note: 'Whether overtime is paid in addition to the salary' }),
    comment: longText({ group, example: 'Annual salary review' }),
    pay_schedule_id: reference('pay_schedules', { show: () => payScheduleName, group }),
  },
)

/**
 * The salary in force on the day that is asked about, and nothing when no day is asked about. Who has not begun today is seen
 * with what they begin with.
 */
export async function loadSalaries(db: Reader, ids: number[]): Promise<Map<number, unknown>> {
  const { day, asOf, hasSalary } = db.view
  if (!hasSalary) return new Map()
  const all = db.from('salaries').where('salaries.employee_id', 'in', ids)
  const query = asOf
    ? all.where('salaries.effective_on', '<=', day)
    : all
        .innerJoin('employees as holder', byId('holder', 'salaries.employee_id'))
        .where((eb) =>
          eb.or([
            eb('salaries.effective_on', '<=', day),
            eb.and([eb('holder.hired_on', '>', day), eb('salaries.effective_on', '<=', eb.ref('holder.hired_on'))]),
          ]),
        )
  // Those before it are read and not shown: what is, the employee shows.
  const rows = await fetchShape(like(db, { shown: [] }), salaries.whole, query, {
    order: ['effective_on', 'id'],
    also: ['employee_id'],
  })
  // In order of their days, so the last one of each person is the one in force.
  return new Map([
    ...ids.map((id) => [id, null] as const),
    ...rows.map(({ row, record }) => [row.employee_id, record] as const),
  ])
}

export const salaryRules = [
  announcedInTime('effective_on'),
  oneADay(
    salaries,
    'employee_id',
    'effective_on',
    'is already the first day of another salary of this employee. Change that salary, or choose another day',
  ),
  inUnitsOf('amount', 'currency_code'),
  inEmployment('effective_on'),
] as Rule<typeof salaries>[]

export const salaryOperations = plainOwned(salaries, salaryRules, {
  known_at: knownAt(() => ['employees', ...tablesIn(salaries.whole)]),
})
