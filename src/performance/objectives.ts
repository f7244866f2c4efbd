import Type, { type TObject } from 'typebox'
import type { Sent } from '../engine/declaration.ts'
import { get, list, post, put, remove } from '../engine/derive.ts'
import {
  asNumber,
  choice,
  currency,
  date,
  decimal,
  integer,
  loadedTogether,
  longText,
  reference,
  text,
} from '../engine/field.ts'
import { isRecord } from '../engine/filter.ts'
import { byId } from '../engine/join.ts'
import { type FieldProblem, within, wrong } from '../engine/problem.ts'
import { amend, create, erase, rowsOf } from '../engine/records.ts'
import { resource } from '../engine/resource.ts'
import { inOrder } from '../engine/rule.ts'
import { bodySchema } from '../engine/schema.ts'
import { many } from '../engine/shape.ts'
import { check } from '../engine/validate.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import { stillHere } from '../organisation/staff.ts'
import { personShort } from '../people/person.ts'
import { METRICS, meanProgress, progressOf, STATUSES, type Status, statusOf, type Way } from './progress.ts'

const area = 'performance'

export const objectives = resource(
  { table: 'objectives', one: 'objective', area, path: '/performance/objectives' },
  {
    title: text({ required: true, example: 'Grow in the north' }),
    description: longText(),
    starts_on: date({ example: '2030-01-01' }),
    ends_on: date({ example: '2030-03-31' }),
    owner_id: reference('employees', { fate: 'goes', show: () => personShort }),
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
    objective_id: reference('objectives', { required: true, owner: true, part: true }),
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

type Progress = { progress: number; status: Status }

type Stand = Way & {
  id: number
  objective_id: number
  weight: number
  starts_on: string | null
  ends_on: string | null
}

/** Where key results stand, with the dates of their objectives. */
async function progressRows(db: Reader, column: 'k.id' | 'k.objective_id', ids: number[]): Promise<Stand[]> {
  const rows = await db
    .from('key_results as k')
    .innerJoin('objectives as o', byId('o', 'k.objective_id'))
    .select(['k.id', 'k.objective_id', 'k.start', 'k.target', 'k.current', 'k.weight', 'o.starts_on', 'o.ends_on'])
    .where(column, 'in', ids)
    .execute()
  return rows as Stand[]
}

async function loadKeyResultProgress(db: Reader, ids: number[]): Promise<Map<number, Progress>> {
  const rows = await progressRows(db, 'k.id', ids)
  return new Map(
    rows.map((row) => {
      const progress = progressOf(row)
      return [row.id, { progress, status: statusOf(progress, db.view.day, row.starts_on, row.ends_on) }]
    }),
  )
}

/** The mean of the key results by their weights. */
async function loadObjectiveProgress(db: Reader, ids: number[]): Promise<Map<number, Progress>> {
  const all = Map.groupBy(await progressRows(db, 'k.objective_id', ids), (row) => row.objective_id)
  return new Map(
    ids.map((id) => {
      const rows = all.get(id) ?? []
      const progress = meanProgress(rows)
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
  ...bodySchema(keyResults, 'create').properties,
}) as TObject

const keyResultsInput = Type.Array(
  Type.Unsafe<unknown>({ type: 'object', examples: [{ title: 'Ten new customers', target: 10 }] }),
  {
    maxItems: 50,
    description: 'With `id` one that exists is changed; those that are not sent are deleted',
    examples: [[{ title: 'Ten new customers', target: 10 }]],
  },
)

type KeyResult = Sent<typeof keyResults> & { id?: number }

/** Reads key results as they are sent within an objective; an id must be that of one that it has, and only once. */
async function readKeyResults(
  db: Reader,
  objectiveId: number | null,
  sent: readonly unknown[] | undefined,
  problems: FieldProblem[],
) {
  const owned = db.from('key_results').select('id').where('objective_id', '=', objectiveId)
  const free = new Set(sent && objectiveId !== null ? (await owned.execute()).map(({ id }) => id) : [])
  return sent?.map((one, index) => {
    const { values, problems: found } = check(keyResultItem, one)
    const { id } = values as KeyResult
    if (id !== undefined && !free.delete(id))
      found.push(wrong('id', 'not_found', 'must be the id of a key result of this objective, named once'))
    problems.push(...within(`key_results[${index}]`, found))
    return values as KeyResult
  })
}

/** Makes the key results of an objective exactly those that were sent; without an id, one is known by its title. */
async function storeKeyResults(
  db: Writer,
  objectiveId: number,
  wanted: readonly KeyResult[] | undefined,
): Promise<void> {
  if (!wanted) return
  const rows = new Map(
    (await rowsOf(keyResults, db.from('key_results').where('objective_id', '=', objectiveId))).map((row) => [
      row.id,
      row,
    ]),
  )
  const named = new Set(wanted.map(({ id }) => id))
  for (const one of wanted) {
    const row =
      one.id === undefined
        ? [...rows.values()].find(({ id, title }) => title === one.title && !named.has(id))
        : rows.get(one.id)
    if (row) {
      rows.delete(row.id)
      await amend(db, keyResults, row, one)
    } else await create(db, keyResults, { ...one, objective_id: objectiveId })
  }
  for (const row of rows.values()) await erase(db, keyResults, row)
}

const rules = [inOrder('starts_on', 'ends_on'), stillHere('owner_id')]

export const objectiveOperations = [
  list(objectives, { filters: { owner_id: isRecord(objectives, 'owner_id') } }),
  get(objectives),
  post(objectives, {
    more: { key_results: keyResultsInput },
    async store({ db, body, problems }) {
      const wanted = await readKeyResults(db, null, body.key_results, problems)
      const id = await create(db, objectives, body, { rules, problems })
      await storeKeyResults(db, id, wanted)
      return id
    },
  }),
  put(objectives, {
    more: { key_results: keyResultsInput },
    async store({ db, body, problems }, before) {
      const wanted = await readKeyResults(db, before.id, body.key_results, problems)
      await amend(db, objectives, before, body, { rules, problems })
      await storeKeyResults(db, before.id, wanted)
    },
  }),
  remove(objectives),
]
