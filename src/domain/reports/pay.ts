import Type from 'typebox'
import { formatDecimal } from '../../engine/decimal.ts'
import { orNull } from '../../engine/field.ts'
import { operation } from '../../engine/operation.ts'
import { requirePermission } from '../../engine/permission.ts'
import { wrapped } from '../../engine/schema.ts'
import type { Reader } from '../../records/reader.ts'
import { employeesMatching, salariesOn } from '../people/employee-filters.ts'
import { AMONG, AS_OF, amongOf, area, employeesAt, LIST, named, OF_DAY, withJobsOn } from './figures.ts'

/** What people are paid, by level, department or location. */

const group = 'compensation'

/** Of fewer people than these nothing is told: the least and the most of few are what somebody earns. */
const FEWEST = 5

/** How many of each there are in a year of 52 weeks of five days of eight hours. */
const IN_A_YEAR = { hour: 2080, day: 260, week: 52, month: 12, year: 1 } as const

const BY = { job_level: 'job_levels', department: 'departments', location: 'locations' } as const

const money = (description: string) => orNull(Type.String({ format: 'decimal', description, examples: ['54000.0'] }))

const SPREAD = {
  currency_code: Type.String({ format: 'currency' }),
  count: Type.Integer({ description: 'Number of people paid in this currency' }),
  minimum: money('Lowest yearly salary'),
  lower_quartile: money('Lower quartile, a yearly amount: a quarter of the people earn less'),
  median: money('Median, a yearly amount: half of the people earn less'),
  upper_quartile: money('Upper quartile, a yearly amount: a quarter of the people earn more'),
  maximum: money('Highest yearly salary'),
  list: LIST,
}

const PAY = Type.Object(
  {
    ...OF_DAY,
    by: Type.Unsafe<keyof typeof BY>({ type: 'string', enum: Object.keys(BY) }),
    fewest: Type.Integer({ description: 'Groups smaller than this show no amounts' }),
    groups: Type.Array(
      Type.Object(
        {
          id: orNull(
            Type.Integer({
              description: 'ID of the group, such as a department; null for the group of people who have none',
            }),
          ),
          name: orNull(Type.String()),
          ...SPREAD,
        },
        { title: 'PayOfGroup' },
      ),
    ),
    currencies: Type.Array(Type.Object(SPREAD, { title: 'PayOfAll' }), {
      description: 'The figures of everybody in the report, for each currency',
    }),
  },
  { title: 'PaySpread' },
)

/** The number of people with the same yearly pay. */
type PayGroup = { id: number | null; currency: string; yearly: number; n: number }

async function payOn(db: Reader, as_of: string, among: Record<string, unknown>, by: string): Promise<PayGroup[]> {
  const people = await employeesMatching(db, { status: 'in_service', as_of, ...among })
  const rows = await withJobsOn(
    as_of,
    's.employee_id',
  )(salariesOn(db, as_of))
    .where('s.employee_id', 'in', people.select('employees.id'))
    .select((eb) => [`p.${by}_id as id`, 's.currency_code', 's.per', 's.amount', eb.fn.countAll().as('n')])
    .groupBy([`p.${by}_id`, 's.currency_code', 's.per', 's.amount'])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    currency: row.currency_code,
    yearly: row.amount * IN_A_YEAR[row.per as keyof typeof IN_A_YEAR],
    n: Number(row.n),
  }))
}

/** The value below which a part of them lies, between two where it falls between them, as spreadsheets have it. */
function quantile(paid: readonly PayGroup[], count: number, part: number): number {
  const at = (count - 1) * part
  const valueAt = (place: number) => {
    let passed = 0
    for (const { yearly, n } of paid) {
      passed += n
      if (place < passed) return yearly
    }
    return paid.at(-1)?.yearly ?? 0
  }
  const [low, high] = [valueAt(Math.floor(at)), valueAt(Math.ceil(at))]
  return Math.round(low + (high - low) * (at - Math.floor(at)))
}

function spreadOf(some: readonly PayGroup[], list: string) {
  const paid = some.toSorted((a, b) => a.yearly - b.yearly)
  const count = paid.reduce((total, { n }) => total + n, 0)
  const value = (part: number) => (count < FEWEST ? null : formatDecimal(quantile(paid, count, part)))
  return {
    currency_code: (paid[0] as PayGroup).currency,
    count,
    minimum: value(0),
    lower_quartile: value(0.25),
    median: value(0.5),
    upper_quartile: value(0.75),
    maximum: value(1),
    list,
  }
}

export const payReports = [
  operation(
    {
      id: 'getPay',
      takesLong: true,
      method: 'GET',
      path: '/reports/pay',
      summary: 'Get the distribution of pay',
      note: `Compares the yearly salaries of the people employed on the date, without additional compensation. Other salaries are converted: a year has 2,080 hours, 260 days, 52 weeks or 12 months. Currencies are not converted. For groups of fewer than ${FEWEST} people, the report shows only how many they are. Not available to callers who may not see the field group \`compensation\`. Requires the \`reports:read\` and \`employees:read\` permissions.`,
      area,
      multiResource: true,
      group,
      query: Type.Object({
        ...AS_OF,
        by: Type.Optional(
          Type.Unsafe<keyof typeof BY>({
            type: 'string',
            enum: Object.keys(BY),
            default: 'job_level',
            description: 'What to group the people by',
          }),
        ),
        ...AMONG,
      }),
      answer: wrapped(PAY),
      indexedColumns: ['salaries.employee_id', 'employee_positions.job_level_id'],
    },
    async ({ db, query }) => {
      requirePermission(db.caller, 'employees:read')
      const { as_of = db.today, by = 'job_level' } = query
      const among = (await amongOf(db, query, as_of))(as_of)
      const paid = await payOn(db, as_of, among, by)
      const present = { status: 'in_service', as_of, ...among }
      const one = `${by}_id`
      const groups = [...Map.groupBy(paid, ({ id, currency }) => `${id} ${currency}`).values()].map((some) => {
        const { id, currency } = some[0] as PayGroup
        const who = id === null ? { without: [one] } : { [one]: id }
        const spread = spreadOf(some, employeesAt({ ...present, ...who, paid_in: currency }))
        return { id, n: spread.count, spread }
      })
      const data = {
        as_of,
        by,
        fewest: FEWEST,
        groups: (await named(db, BY[by], groups)).map(({ id, name, spread }) => ({ id, name, ...spread })),
        currencies: [...Map.groupBy(paid, ({ currency }) => currency)]
          .map(([paid_in, some]) => spreadOf(some, employeesAt({ ...present, paid_in })))
          .sort((a, b) => b.count - a.count || (a.currency_code < b.currency_code ? -1 : 1)),
      }
      return { body: { data } }
    },
  ),
]
