import Type from 'typebox'
import { get, list, post, put, remove } from '../../engine/derive.ts'
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
} from '../../engine/field.ts'
import { isRecord } from '../../engine/filter.ts'
import { byId } from '../../engine/join.ts'
import { partsOf } from '../../engine/parts.ts'
import { amend, create, holdTo } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { inOrder } from '../../engine/rule.ts'
import { many } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import { stillHere } from '../organisation/staff.ts'
import { personShort } from '../people/person.ts'
import {
  type GoalStatus,
  METRICS,
  meanProgress,
  progressOf,
  STATUSES,
  statusOf,
  type TargetValues,
} from './progress.ts'

const area = 'performance'

export const objectives = resource(
  {
    table: 'objectives',
    one: 'objective',
    area,
    path: '/performance/objectives',
    about: [{ column: 'owner_id', orNothing: true }],
  },
  {
    title: text({ required: true, example: 'Grow in Northern Europe' }),
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
    start: asNumber(decimal({ money: true, default: 0 })),
    target: asNumber(decimal({ money: true, required: true, example: '10' })),
    current: asNumber(decimal({ money: true, default: 0 })),
    weight: integer({ min: 1, max: 100, default: 1 }),
    ...loadedTogether(
      { progress: () => Type.Integer(), status: () => Type.Unsafe({ type: 'string', enum: [...STATUSES] }) },
      loadKeyResultProgress,
    ),
  },
)

type ObjectiveProgress = { progress: number; status: GoalStatus }

type KeyResultRow = TargetValues & {
  id: number
  objective_id: number
  weight: number
  starts_on: string | null
  ends_on: string | null
}

/** Where key results stand, with the dates of their objectives. */
async function progressRows(db: Reader, column: 'k.id' | 'k.objective_id', ids: number[]): Promise<KeyResultRow[]> {
  const rows = await db
    .from('key_results as k')
    .innerJoin('objectives as o', byId('o', 'k.objective_id'))
    .select(['k.id', 'k.objective_id', 'k.start', 'k.target', 'k.current', 'k.weight', 'o.starts_on', 'o.ends_on'])
    .where(column, 'in', ids)
    .execute()
  return rows as KeyResultRow[]
}

async function loadKeyResultProgress(db: Reader, ids: number[]): Promise<Map<number, ObjectiveProgress>> {
  const rows = await progressRows(db, 'k.id', ids)
  return new Map(
    rows.map((row) => {
      const progress = progressOf(row)
      return [row.id, { progress, status: statusOf(progress, db.view.day, row.starts_on, row.ends_on) }]
    }),
  )
}

/** The mean of the key results by their weights. */
async function loadObjectiveProgress(db: Reader, ids: number[]): Promise<Map<number, ObjectiveProgress>> {
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

const keyResultParts = partsOf(keyResults, {
  name: 'key_results',
  owner: 'objective_id',
  same: 'title',
  most: 50,
  example: { title: 'Ten new customers', target: 10 },
})

const rules = [inOrder('starts_on', 'ends_on'), stillHere('owner_id')]
holdTo(objectives, rules)

export const objectiveOperations = [
  list(objectives, { filters: { owner_id: isRecord(objectives, 'owner_id') } }),
  get(objectives),
  post(objectives, {
    more: { key_results: keyResultParts.input },
    async store({ db, body, problems }) {
      const wanted = await keyResultParts.read(db, null, body.key_results, problems)
      const id = await create(db, objectives, body, { rules, problems })
      await keyResultParts.store(db, id, wanted)
      return id
    },
  }),
  put(objectives, {
    more: { key_results: keyResultParts.input },
    async store({ db, body, problems }, before) {
      const wanted = await keyResultParts.read(db, before.id, body.key_results, problems)
      await amend(db, objectives, before, body, { rules, problems })
      await keyResultParts.store(db, before.id, wanted)
    },
  }),
  remove(objectives),
]
