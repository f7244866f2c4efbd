import Type from 'typebox'
import { DATE_RANGE, dateRange } from '../engine/date-range.ts'
import { operation } from '../engine/operation.ts'
import { metadata, PAGING, pagedAnswer, pageIn, sortParameter } from '../engine/page.ts'
import { recordId, schemaOf } from '../engine/schema.ts'
import { show } from '../engine/shape.ts'
import type { FreeStretch } from '../organisation/holiday-years.ts'
import { holidays } from '../organisation/holidays.ts'
import { requireEmployee } from '../organisation/staff.ts'
import { Schedule } from './schedule.ts'
import { servicesOf } from './service.ts'

/** A holiday of a year of which the policy has no records is known by its country alone. */
const NOT_YET = 'Null in years of which the policy has no records'
const stamp = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description: NOT_YET })
const HOLIDAY_OF_EMPLOYEE = Type.Object(
  {
    ...schemaOf(holidays.whole).properties,
    id: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: NOT_YET }),
    created_at: stamp,
    updated_at: stamp,
  },
  { title: 'EmployeeHoliday' },
)

const fromCountry = ({ holiday_policy_id, name, occurs_on, free_until, half_day }: FreeStretch) => ({
  id: null,
  holiday_policy_id,
  name,
  occurs_on,
  starts_on: occurs_on,
  ends_on: free_until,
  half_day,
  working: false,
  observed_on: null,
  compensated_on: null,
  generated: true,
  created_at: null,
  updated_at: null,
})

const byDay = (one: FreeStretch, other: FreeStretch) =>
  one.occurs_on < other.occurs_on || (one.occurs_on === other.occurs_on && (one.id ?? 0) < (other.id ?? 0)) ? -1 : 1

export const employeeHolidayOperations = [
  operation(
    {
      id: 'listEmployeeHolidays',
      method: 'GET',
      path: '/employees/{employee_id}/holidays',
      summary: 'List the public holidays that apply to an employee',
      area: 'employees',
      params: Type.Object({ employee_id: recordId('employees') }),
      query: Type.Object({ ...DATE_RANGE, ...PAGING, sort: sortParameter(['occurs_on'], 'occurs_on') }),
      answer: pagedAnswer(HOLIDAY_OF_EMPLOYEE),
      looksAt: ['employee_positions.employee_id', 'holidays.holiday_policy_id'],
    },
    async ({ db, params, query }) => {
      await requireEmployee(db, params.employee_id)
      const [from, to] = dateRange(db.today, query)
      const person = (await servicesOf(db, [params.employee_id])).get(params.employee_id)
      const schedule = await Schedule.load(db, [params.employee_id], from, to)
      const all = (person ? schedule.holidaysOf(person) : []).sort(byDay)
      if (query.sort === '-occurs_on') all.reverse()
      const page = pageIn(query)
      const some = all.slice(page.skipped, page.skipped + page.size)
      const records = await show(
        db,
        holidays.whole,
        some.flatMap(({ id }) => id ?? []),
      )
      const byId = new Map(records.map((record) => [record.id, record]))
      const data = some.map((one) => (one.id === null ? fromCountry(one) : byId.get(one.id)))
      return { body: { data, metadata: metadata(page, all.length, data.length) } }
    },
  ),
]
