import Type from 'typebox'
import { DATE_RANGE, dateRange } from '../../engine/date-range.ts'
import { operation } from '../../engine/operation.ts'
import { metadata, PAGING, pagedAnswer, pageIn, sortParameter } from '../../engine/page.ts'
import { recordId, schemaWith } from '../../engine/schema.ts'
import { show } from '../../engine/shape.ts'
import type { HolidayPeriod } from '../organisation/holiday-years.ts'
import { holidays } from '../organisation/holidays.ts'
import { placeOfRegion } from '../organisation/public-holidays.ts'
import { employmentsOf, requireEmployee } from '../organisation/staff.ts'
import { Schedule } from './schedule.ts'

/** A holiday of a year of which the policy has no records is known by its country alone. */
const NOT_YET = 'Null for holidays that have no record yet, such as those of distant years'
const stamp = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description: NOT_YET })
const HOLIDAY_OF_EMPLOYEE = schemaWith('EmployeeHoliday', [holidays.whole], {
  id: Type.Integer({
    description:
      'ID of the holiday. In years for which the holidays have no records yet, a number that always stays the same, but with which no record can be read',
  }),
  created_at: stamp,
  updated_at: stamp,
})

/** Larger than any id of a record, and the same whenever it is asked: programs know holidays by their ids. */
const idWithoutRecord = ({ holiday_policy_id, occurs_on }: HolidayPeriod, nth: number) =>
  (holiday_policy_id * 100_000_000 + Number(occurs_on.replaceAll('-', ''))) * 100 + nth

/** Those of regions are numbered after those of the country, which never has so many on a day. */
const FIRST_OF_REGION = 10

const fromCountry = (one: HolidayPeriod, nth: number) => ({
  id: idWithoutRecord(one, nth),
  holiday_policy_id: one.holiday_policy_id,
  region_code: one.region_code,
  name: one.name,
  occurs_on: one.occurs_on,
  starts_on: one.occurs_on,
  ends_on: one.free_until,
  half_day: one.half_day,
  working: false,
  observed_on: null,
  compensated_on: null,
  generated: true,
  created_at: null,
  updated_at: null,
})

const byDay = (one: HolidayPeriod, other: HolidayPeriod) =>
  one.occurs_on < other.occurs_on || (one.occurs_on === other.occurs_on && (one.id ?? 0) < (other.id ?? 0)) ? -1 : 1

export const employeeHolidayOperations = [
  operation(
    {
      id: 'listEmployeeHolidays',
      method: 'GET',
      path: '/employees/{employee_id}/holidays',
      summary: 'List the public holidays of an employee',
      area: 'employees',
      params: Type.Object({ employee_id: recordId('employees') }),
      query: Type.Object({ ...DATE_RANGE, ...PAGING, sort: sortParameter(['occurs_on'], 'occurs_on') }),
      answer: pagedAnswer(HOLIDAY_OF_EMPLOYEE),
      indexedColumns: ['employee_positions.employee_id', 'holidays.holiday_policy_id'],
    },
    async ({ db, params, query }) => {
      await requireEmployee(db, params.employee_id)
      const [from, to] = dateRange(db.today, query)
      const person = (await employmentsOf(db, [params.employee_id])).get(params.employee_id)
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
      const isSameDay = (one: HolidayPeriod, other: HolidayPeriod) =>
        other.occurs_on === one.occurs_on &&
        other.holiday_policy_id === one.holiday_policy_id &&
        other.region_code === one.region_code
      // A region has at most one of its own on a day.
      const nthOf = (one: HolidayPeriod) =>
        one.region_code === null
          ? all.filter((other) => isSameDay(one, other)).indexOf(one)
          : FIRST_OF_REGION + placeOfRegion(one.region_code)
      const data = some.map((one) => (one.id === null ? fromCountry(one, nthOf(one)) : byId.get(one.id)))
      return { body: { data, metadata: metadata(page, all.length, data.length) } }
    },
  ),
]
