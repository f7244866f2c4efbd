import { sql } from 'kysely'
import Type from 'typebox'
import type { Sent } from '../../engine/declaration.ts'
import { type Body, get, list, post, put, remove } from '../../engine/derive.ts'
import {
  asNumber,
  choice,
  currency,
  date,
  decimal,
  hidden,
  integer,
  loaded,
  loadedTogether,
  longText,
  orNull,
  reference,
  text,
  told,
} from '../../engine/field.ts'
import { type Filter, isOne, isRecord } from '../../engine/filter.ts'
import { amend, create, holdTo, type Rule } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { inOrder } from '../../engine/rule.ts'
import { schemaOf } from '../../engine/schema.ts'
import { show } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import { departments } from '../organisation/departments.ts'
import { locations } from '../organisation/locations.ts'
import { divisions } from '../organisation/names.ts'
import { stillHere } from '../organisation/staff.ts'
import { personShort } from '../people/person.ts'
import { type GoalStatus, METRICS, progressOf, STATUSES, statusInSql, statusOf } from './progress.ts'

const area = 'performance'
const KPI_TYPES = ['individual', 'department', 'location', 'division', 'company'] as const

export const indicators = resource(
  {
    table: 'key_performance_indicators',
    about: [{ column: 'user_id', orNothing: true }],
    one: 'key performance indicator',
    area,
    path: '/performance/key_performance_indicators',
  },
  {
    title: text({ required: true, example: 'New customers' }),
    description: longText({ nullable: true }),
    weight: integer({ min: 0, max: 100, example: 20 }),
    currency_code: currency({ note: 'Currency code (ISO 4217); required for the metric `currency`' }),
    metric: choice(METRICS, { required: true, example: 'number' }),
    kpi_type: choice(KPI_TYPES, { required: true, example: 'company' }),
    // What the list shows as status follows from results and days where nobody has set one: no change could tell it.
    status_kept: hidden(text(), told('status_set')),
    starts_on: date({ example: '2030-01-01' }),
    ends_on: date({ example: '2030-12-31' }),
    start_value: asNumber(decimal({ money: true, example: '0' })),
    target_value: asNumber(decimal({ money: true, example: '100' })),
    ...loadedTogether(
      {
        status: () => Type.Unsafe({ type: 'string', enum: [...STATUSES] }),
        progress_percentage: () => orNull(Type.Integer()),
        current_value: () => Type.Unsafe({ type: ['number', 'null'] }),
      },
      loadProgress,
    ),
    location_id: reference('locations', { show: () => locations.whole }),
    division_id: reference('divisions', { show: () => divisions.whole }),
    department_id: reference('departments', { show: () => departments.whole }),
    user_id: reference('employees', {
      fate: 'stays',
      goesWhere: { column: 'kpi_type', is: 'individual' },
      show: () => personShort,
      as: 'owner',
    }),
  },
)

export const indicatorResults = resource(
  {
    table: 'kpi_results',
    one: 'key performance indicator result',
    area,
    path: '/performance/key_performance_indicators/{key_performance_indicator_id}/key_performance_indicator_results',
  },
  {
    key_performance_indicator_id: reference('key_performance_indicators', { required: true, owner: true, part: true }),
    value: asNumber(decimal({ required: true, example: '42.5' })),
    occurred_on: date({ required: true, note: 'Date of the measurement; today by default', example: '2030-02-01' }),
    comment: longText(),
    key_performance_indicator: loaded(() => schemaOf(indicators.whole), loadIndicators),
  },
)

/** The indicator of each result, shown once however many results it has. */
async function loadIndicators(db: Reader, ids: number[]): Promise<Map<number, unknown>> {
  const rows = await db
    .from('kpi_results')
    .select(['id', 'key_performance_indicator_id as of'])
    .where('id', 'in', ids)
    .execute()
  const shown = await show(db, indicators.whole, [...new Set(rows.map((row) => row.of))])
  const byIndicator = new Map(shown.map((one) => [one.id, one]))
  return new Map(rows.map((row) => [row.id, byIndicator.get(row.of)]))
}

type IndicatorProgress = { progress_percentage: number | null; status: GoalStatus; current_value: number | null }

/** The latest result of each indicator, and what follows from it on the day that is looked at. */
async function loadProgress(db: Reader, ids: number[]): Promise<Map<number, IndicatorProgress>> {
  if (ids.length === 0) return new Map()
  const rows = await db.from('key_performance_indicators').selectAll().where('id', 'in', ids).execute()
  const results = await db
    .from('kpi_results')
    .select(['key_performance_indicator_id as owner', 'value'])
    .where('key_performance_indicator_id', 'in', ids)
    .where('occurred_on', '<=', db.view.day)
    .orderBy('occurred_on')
    .orderBy('id')
    .execute()
  const latest = new Map(results.map((row) => [row.owner, row.value as number]))
  return new Map(
    rows.map((row) => {
      const current = latest.get(row.id) ?? row.start_value
      const isMeasured = row.target_value !== null && current !== null
      const way = { start: row.start_value ?? 0, target: row.target_value, current }
      const progress = isMeasured ? progressOf(way) : null
      const followed = progress === null ? 'none' : statusOf(progress, db.view.day, row.starts_on, row.ends_on)
      const current_value = current === null ? null : current / 10_000
      return [row.id, { progress_percentage: progress, status: row.status_kept ?? followed, current_value }]
    }),
  )
}

const NEEDED = {
  individual: 'user_id',
  department: 'department_id',
  location: 'location_id',
  division: 'division_id',
} as const

const hasWhatItsTypeNeeds: Rule<typeof indicators> = ({ after, fail }) => {
  const name = after.kpi_type && after.kpi_type !== 'company' ? NEEDED[after.kpi_type] : null
  if (name && !after[name]) fail(name, 'required', `is required when kpi_type is ${after.kpi_type}`)
  if (after.metric === 'currency' && !after.currency_code)
    fail('currency_code', 'required', 'is required when metric is currency')
}

const rules = [hasWhatItsTypeNeeds, inOrder('starts_on', 'ends_on'), stillHere('user_id')]
holdTo(indicators, rules)
const more = {
  status: Type.Unsafe<GoalStatus | null>({
    ...choice(STATUSES).input,
    description: 'Status to show instead of the calculated one; null: calculated from progress and date',
  }),
}

type IndicatorBody = Body<typeof indicators, typeof more>

/** A status that is sent stays until it is cleared. */
const kept = ({ status: sent, ...body }: IndicatorBody): Sent<typeof indicators> =>
  sent === undefined ? body : { ...body, status_kept: sent }

const own = (column: string) => sql.ref(`key_performance_indicators.${column}`)
const WAY = {
  start: sql`coalesce(${own('start_value')}, 0)`,
  target: own('target_value'),
  starts: own('starts_on'),
  ends: own('ends_on'),
}

const byStatus: Filter = {
  selfContained: true,
  schema: Type.Unsafe<GoalStatus>({ type: 'string', enum: [...STATUSES] }),
  indexedColumns: ['kpi_results.key_performance_indicator_id'],
  narrow(query, wanted, db) {
    const latest = db
      .from('kpi_results')
      .select('value')
      .whereRef('key_performance_indicator_id', '=', 'key_performance_indicators.id')
      .where('occurred_on', '<=', db.view.day)
      .orderBy('occurred_on', 'desc')
      .orderBy('kpi_results.id', 'desc')
      .limit(1)
    const current = sql`coalesce((${latest}), ${own('start_value')})`
    return query.where(sql`coalesce(${own('status_kept')}, ${statusInSql(db, { ...WAY, current })})`, '=', wanted)
  },
}

export const indicatorOperations = [
  list(indicators, {
    filters: {
      kpi_type: isOne(indicators, 'kpi_type'),
      owner_id: isRecord(indicators, 'user_id'),
      status: byStatus,
    },
  }),
  get(indicators),
  post(indicators, {
    more,
    store: ({ db, body, problems }) => create(db, indicators, kept(body), { rules, problems }),
  }),
  put(indicators, {
    more,
    store: ({ db, body, problems }, before) => amend(db, indicators, before, kept(body), { rules, problems }),
  }),
  remove(indicators),
  list(indicatorResults),
  get(indicatorResults),
  post(indicatorResults, {
    optional: ['occurred_on'],
    store: ({ db, body, problems }) => create(db, indicatorResults, { occurred_on: db.today, ...body }, { problems }),
  }),
  put(indicatorResults),
  remove(indicatorResults),
]
