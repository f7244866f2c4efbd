import { isDeepStrictEqual } from 'node:util'
import Type from 'typebox'
import { daysAfter } from '../../engine/day.ts'
import { operation } from '../../engine/operation.ts'
import { requirePermission } from '../../engine/permission.ts'
import { wrapped } from '../../engine/schema.ts'
import { approvedDays } from '../leave/days-taken.ts'
import {
  AMONG,
  amongOf,
  area,
  COUNTED,
  LIST,
  listAt,
  MONTH,
  monthOf,
  RANGE,
  RATE,
  rangeOf,
  rateOf,
  rounded,
  weekdaysIn,
} from './figures.ts'
import { headcountsOf } from './staff.ts'

/** How much leave is taken, of which types, beside how much work there is to be absent from. */

/** What is counted in hours makes days of eight. */
const MINUTES_OF_DAY = 480

const DAYS = Type.Number({
  description: 'Days of approved leave, rounded to two decimals. For leave types in hours, 8 hours are one day',
})

const TYPE = {
  id: Type.Integer({ description: 'ID of the leave type' }),
  name: Type.String(),
  days: DAYS,
  list: LIST,
}

const ABSENCE = Type.Object(
  {
    ...COUNTED,
    days: DAYS,
    rate: RATE,
    list: LIST,
    types: Type.Array(Type.Object(TYPE, { title: 'AbsenceOfType' }), {
      description: 'The figures of the whole range by leave type',
    }),
    months: Type.Array(
      Type.Object(
        {
          ...MONTH,
          days: DAYS,
          rate: RATE,
          list: LIST,
          types: Type.Array(
            Type.Object(
              { ...TYPE, people: Type.Integer({ description: 'Number of people who took leave of this type' }) },
              { title: 'AbsenceOfTypeInMonth' },
            ),
          ),
        },
        { title: 'AbsenceOfMonth' },
      ),
    ),
  },
  { title: 'Absence' },
)

type AbsenceCell = { month: string; id: number; name: string; days: number; people: number }

const sum = (cells: readonly { days: number }[]) => cells.reduce((total, { days }) => total + days, 0)

export const absenceReports = [
  operation(
    {
      id: 'getAbsence',
      takesLong: true,
      method: 'GET',
      path: '/reports/absence',
      summary: 'Get absence figures',
      note: 'Counts days of approved leave. The absence rate is these days divided by the possible working days. The possible working days of a month are its average headcount (of the day before the month and of its last day) times its number of days from Monday to Friday. A day of leave belongs to the department and location that the employee has on that day. Requires the `reports:read`, `leave:read` and `employees:read` permissions.',
      area,
      multiResource: true,
      query: Type.Object({ ...RANGE, ...AMONG }),
      answer: wrapped(ABSENCE),
      indexedColumns: ['leave_entries.date'],
    },
    async ({ db, query }) => {
      requirePermission(db.caller, 'leave:read')
      requirePermission(db.caller, 'employees:read')
      const { from, to, months } = rangeOf(db, query)
      const among = await amongOf(db, query, daysAfter(from, -1))
      const asked = { taken_on: { gte: from, lte: to }, ...among(to) }
      const month = monthOf('d.date')
      // Once for all months that have the same departments: as a rule, for all.
      const isSame = months.every((one) => isDeepStrictEqual(among(one.ends_on), among(to)))
      const stretches = isSame ? [{ starts_on: from, ends_on: to }] : months
      const rowsIn = ({ starts_on, ends_on }: { starts_on: string; ends_on: string }) =>
        approvedDays(db, { taken_on: { gte: starts_on, lte: ends_on }, ...among(ends_on) })
          .select((eb) => [
            month.as('month'),
            't.id',
            't.name',
            't.unit',
            eb.fn.sum('d.amount').as('amount'),
            eb.fn.sum('d.minutes').as('minutes'),
            eb.fn.count('d.employee_id').distinct().as('people'),
          ])
          .groupBy([month, 't.id', 't.name', 't.unit'])
          .execute()
      const rows: Awaited<ReturnType<typeof rowsIn>> = []
      for (const one of stretches) rows.push(...(await rowsIn(one)))
      const cells: AbsenceCell[] = rows.map(({ month, id, name, unit, amount, minutes, people }) => ({
        month,
        id,
        name,
        days: unit === 'days' ? Number(amount) / 10_000 : Number(minutes) / MINUTES_OF_DAY,
        people: Number(people),
      }))
      const requests = (more: Record<string, unknown>) =>
        listAt('/leave_requests', { state: 'approved', ...asked, ...more })
      const byDays = (a: Omit<AbsenceCell, 'people' | 'month'>, b: Omit<AbsenceCell, 'people' | 'month'>) =>
        b.days - a.days || a.id - b.id
      const counted = await headcountsOf(db, months, among)
      const workable = counted.months.map((one) => ((one.started + one.headcount.count) / 2) * weekdaysIn(one))
      const types = [...Map.groupBy(cells, ({ id }) => id)].map(([id, some]) => {
        const { name } = some[0] as AbsenceCell
        return { id, name, days: sum(some), list: requests({ leave_type_id: id }) }
      })
      const data = {
        from,
        to,
        days: rounded(sum(cells), 2),
        rate: rateOf(
          sum(cells),
          workable.reduce((total, one) => total + one, 0),
        ),
        list: requests({}),
        types: types.sort(byDays).map((one) => ({ ...one, days: rounded(one.days, 2) })),
        months: months.map((one, n) => {
          const own = cells.filter((cell) => cell.month === one.month).sort(byDays)
          const taken_on = { gte: one.starts_on, lte: one.ends_on }
          return {
            ...one,
            days: rounded(sum(own), 2),
            rate: rateOf(sum(own), workable[n] as number),
            list: requests({ taken_on, ...among(one.ends_on) }),
            types: own.map(({ id, name, days, people }) => ({
              id,
              name,
              days: rounded(days, 2),
              people,
              list: requests({ leave_type_id: id, taken_on, ...among(one.ends_on) }),
            })),
          }
        }),
      }
      return { body: { data } }
    },
  ),
]
