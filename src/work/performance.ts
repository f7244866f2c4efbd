import Type from 'typebox'
import type { Reader } from '../database/handle.ts'
import type { Writer } from '../database/write.ts'
import { type Filter, get, type Lens, list, post, put, remove } from '../engine/derive.ts'
import {
  asNumber,
  choice,
  currency,
  date,
  decimal,
  hidden,
  integer,
  loadedTogether,
  longText,
  orNull,
  reference,
  text,
} from '../engine/field.ts'
import { isRecord } from '../engine/filter.ts'
import { byId } from '../engine/join.ts'
import type { FieldProblem } from '../engine/problem.ts'
import { amend, create, erase, type Rule } from '../engine/records.ts'
import { decode, many, resource } from '../engine/resource.ts'
import { check } from '../engine/validate.ts'
import { departments } from '../organisation/departments.ts'
import { locations } from '../organisation/locations.ts'
import { divisions } from '../organisation/names.ts'
import { personShort } from '../people/employees.ts'
import { stillHere } from '../people/still-here.ts'
import { METRICS, progressOf, STATUSES, statusOf } from './progress.ts'

const area = 'performance'
const KPI_TYPES = ['individual', 'department', 'location', 'division', 'company'] as const

const status = choice(STATUSES)

export const indicators = resource(
  {
    table: 'key_performance_indicators',
    one: 'key performance indicator',
    area,
    path: '/performance/key_performance_indicators',
  },
  {
    title: text({ required: true, example: 'Customers won' }),
    description: longText({ nullable: true }),
    weight: integer({ min: 0, max: 100, example: 20 }),
    currency_code: currency({ note: 'Needed when metric is currency' }),
    metric: choice(METRICS, { required: true, example: 'number' }),
    kpi_type: choice(KPI_TYPES, { required: true, example: 'company' }),
    status_kept: hidden(text()),
    starts_on: date({ example: '2030-01-01' }),
    ends_on: date({ example: '2030-12-31' }),
    start_value: asNumber(decimal({ example: '0' })),
    target_value: asNumber(decimal({ example: '100' })),
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
    user_id: reference('employees', { show: () => personShort, as: 'owner' }),
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
    key_performance_indicator_id: reference('key_performance_indicators', { required: true, owner: true }),
    value: asNumber(decimal({ required: true, example: '42.5' })),
    occurred_on: date({ required: true, note: 'Today when not sent', example: '2030-02-01' }),
    comment: longText(),
  },
)

/** The latest result of each indicator, and what follows from it on the day that is looked at. */
async function loadProgress(db: Reader, ids: number[]): Promise<Map<number, any>> {
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
      const progress = isMeasured ? progressOf(row.start_value ?? 0, row.target_value, current) : null
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
  const name = after.kpi_type && after.kpi_type !== 'company' ? NEEDED[after.kpi_type as keyof typeof NEEDED] : null
  if (name && !after[name]) fail(name, 'required', `is required when kpi_type is ${after.kpi_type}`)
  if (after.metric === 'currency' && !after.currency_code)
    fail('currency_code', 'required', 'is required when metric is currency')
}

const endsAfterItStarts: Rule<any> = ({ after, fail }) => {
  if (after.starts_on && after.ends_on && after.ends_on < after.starts_on)
    fail('ends_on', 'too_early', 'cannot be before starts_on')
}

const rules = [hasWhatItsTypeNeeds, endsAfterItStarts, stillHere('user_id')]
const more = {
  status: Type.Unsafe({ ...(status.input as any), description: 'Null leaves it to follow progress and date' }),
}

/** A status that is sent stays until it is cleared. */
const kept = ({ status: sent, ...body }: any) => (sent === undefined ? body : { ...body, status_kept: sent })

const oneOf = (column: string, values: readonly string[]): Filter => ({
  schema: Type.Unsafe({ type: 'string', enum: [...values] }),
  narrow: (query, value) => query.where(column, '=', value),
})

/** A status may follow progress and date, so those that have it are found by looking at all indicators. */
const byStatus: Lens = {
  schema: Type.Unsafe({ type: 'string', enum: [...STATUSES] }),
  async look(db, wanted) {
    const rows = await db.from('key_performance_indicators').select('id').execute()
    const all = rows.length
      ? await loadProgress(
          db,
          rows.map((row) => row.id),
        )
      : new Map()
    const matching = [...all].filter(([, { status }]) => status === wanted).map(([id]) => id)
    return { ...db, view: { ...db.view, matching } }
  },
}

export const objectives = resource(
  { table: 'objectives', one: 'objective', area, path: '/performance/objectives' },
  {
    title: text({ required: true, example: 'Grow in the north' }),
    description: longText(),
    starts_on: date({ example: '2030-01-01' }),
    ends_on: date({ example: '2030-03-31' }),
    owner_id: reference('employees', { show: () => personShort }),
    ...loadedTogether(
      { progress: () => Type.Integer(), status: () => Type.Unsafe({ type: 'string', enum: [...STATUSES] }) },
      loadObjectiveProgress,
    ),
    key_results: many(
      () => keyResults,
      'objective_id',
      () => keyResults.whole,
    ),
  },
)

export const keyResults = resource(
  { table: 'key_results', one: 'key result', area, path: '/performance/objectives/{objective_id}/key_results' },
  {
    objective_id: reference('objectives', { required: true, owner: true }),
    title: text({ required: true, example: 'Ten new customers' }),
    metric: choice([...METRICS, 'boolean'], { default: 'number' }),
    currency_code: currency(),
    start: asNumber(decimal({ default: 0 })),
    target: asNumber(decimal({ required: true, example: '10' })),
    current: asNumber(decimal({ default: 0 })),
    weight: integer({ min: 1, max: 100, default: 1 }),
    ...loadedTogether(
      { progress: () => Type.Integer(), status: () => Type.Unsafe({ type: 'string', enum: [...STATUSES] }) },
      loadKeyResultProgress,
    ),
  },
)

/** The progress of key results, with the dates of their objectives. */
async function progressRows(db: Reader, column: 'k.id' | 'k.objective_id', ids: number[]) {
  return db
    .from('key_results as k')
    .innerJoin('objectives as o', byId('o', 'k.objective_id'))
    .select(['k.id', 'k.objective_id', 'k.start', 'k.target', 'k.current', 'k.weight', 'o.starts_on', 'o.ends_on'])
    .where(column, 'in', ids)
    .execute()
}

async function loadKeyResultProgress(db: Reader, ids: number[]): Promise<Map<number, any>> {
  const rows = await progressRows(db, 'k.id', ids)
  return new Map(
    rows.map((row) => {
      const progress = progressOf(row.start, row.target, row.current)
      return [row.id, { progress, status: statusOf(progress, db.view.day, row.starts_on, row.ends_on) }]
    }),
  )
}

/** The mean of the key results by their weights. */
async function loadObjectiveProgress(db: Reader, ids: number[]): Promise<Map<number, any>> {
  const all = Map.groupBy(await progressRows(db, 'k.objective_id', ids), (row) => row.objective_id)
  return new Map(
    ids.map((id) => {
      const rows = all.get(id) ?? []
      const weight = rows.reduce((sum, row) => sum + row.weight, 0)
      const sum = rows.reduce((total, row) => total + progressOf(row.start, row.target, row.current) * row.weight, 0)
      const progress = weight === 0 ? 0 : Math.floor(sum / weight)
      const [first] = rows
      return [
        id,
        { progress, status: first ? statusOf(progress, db.view.day, first.starts_on, first.ends_on) : 'none' },
      ]
    }),
  )
}

const keyResultItem = Type.Object({
  id: Type.Optional(Type.Integer({ minimum: 1 })),
  ...Object.fromEntries(
    Object.entries(keyResults.fields)
      .filter(([name, field]) => field.input && name !== 'objective_id')
      .map(([name, field]) => [name, field.required ? field.input! : Type.Optional(field.input!)]),
  ),
})

const keyResultsInput = Type.Array(
  Type.Unsafe<any>({ type: 'object', examples: [{ title: 'Ten new customers', target: 10 }] }),
  {
    maxItems: 50,
    description: 'With `id` one that exists is changed; those that are not sent are deleted',
    examples: [[{ title: 'Ten new customers', target: 10 }]],
  },
)

/** Reads key results as they are sent within an objective. */
function readKeyResults(sent: unknown[] | undefined, problems: FieldProblem[]) {
  return sent?.map((one, index) => {
    const { values, problems: found } = check(keyResultItem as any, one)
    for (const problem of found)
      problems.push({
        ...problem,
        field: `key_results[${index}].${problem.field}`,
        message: `key_results[${index}].${problem.message}`,
      })
    return values
  })
}

/** Makes the key results of an objective exactly those that were sent. */
async function storeKeyResults(db: Writer, objectiveId: number, wanted: any[] | undefined): Promise<void> {
  if (!wanted) return
  const rows = await db.from('key_results').selectAll().where('objective_id', '=', objectiveId).orderBy('id').execute()
  const sent = new Map(wanted.filter(({ id }) => id).map((one) => [one.id, one]))
  for (const row of rows) {
    const change = sent.get(row.id)
    if (change) await amend(db, keyResults, decode(keyResults, row), change)
    else await erase(db, keyResults, decode(keyResults, row))
  }
  const known = new Set(rows.map((row) => row.id))
  for (const one of wanted.filter(({ id }) => !known.has(id)))
    await create(db, keyResults, { ...one, objective_id: objectiveId })
}

const objectiveRules = [endsAfterItStarts, stillHere('owner_id')]

export const performanceOperations = [
  list(indicators, {
    filters: {
      kpi_type: oneOf('key_performance_indicators.kpi_type', KPI_TYPES),
      owner_id: isRecord('key_performance_indicators.user_id'),
    },
    lenses: { status: byStatus },
    always: (query, db) =>
      db.view.matching ? query.where('key_performance_indicators.id', 'in', [0, ...db.view.matching]) : query,
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
  list(objectives, { filters: { owner_id: isRecord('objectives.owner_id') } }),
  get(objectives),
  post(objectives, {
    more: { key_results: keyResultsInput },
    async store({ db, body, problems }) {
      const wanted = readKeyResults(body.key_results, problems)
      const id = await create(db, objectives, body, { rules: objectiveRules, problems })
      await storeKeyResults(db, id, wanted)
      return id
    },
  }),
  put(objectives, {
    more: { key_results: keyResultsInput },
    async store({ db, body, problems }, before) {
      const wanted = readKeyResults(body.key_results, problems)
      await amend(db, objectives, before, body, { rules: objectiveRules, problems })
      await storeKeyResults(db, before.id, wanted)
    },
  }),
  remove(objectives),
]
