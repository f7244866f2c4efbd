import Type from 'typebox'
import { get, list, post, put, remove } from '../../engine/derive.ts'
import { date, loadedTogether, longText, reference, text } from '../../engine/field.ts'
import { anyRecordOf, type Filter, hasWords, isRecord, isText } from '../../engine/filter.ts'
import { operation } from '../../engine/operation.ts'
import { columnsOf, PAGING, pagedAnswer, pageIn, pageOf, sortParameter } from '../../engine/page.ts'
import type { Rule } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { nullable, recordId, schemaOf } from '../../engine/schema.ts'
import { fetchShape } from '../../engine/shape.ts'
import { like, type Query, type Reader } from '../../records/reader.ts'
import { requireEmployee } from '../organisation/staff.ts'
import { personCard } from '../people/person.ts'
import { assetAssignments, assetLosses, heldOn, holdingOn, LOST, lostOn } from './custody.ts'

const STATES = ['available', 'assigned', 'lost', 'retired'] as const
type AssetState = (typeof STATES)[number]
const STATE = Type.Unsafe<AssetState>({ type: 'string', enum: [...STATES] })

export const assets = resource(
  { table: 'assets', one: 'asset', area: 'assets', about: [{ from: 'asset_assignments', column: 'asset_id' }] },
  {
    name: text({ required: true, searched: true, example: 'Laptop, 14 inches' }),
    code: text({
      required: true,
      unique: true,
      searched: true,
      note: 'Inventory code of the asset, for example on its label',
      example: 'XP-9042',
    }),
    serial_number: text({ folded: true, searched: true, example: 'PF-2X7K9' }),
    description: longText({ example: '32 GB, German keyboard' }),
    location_id: reference('locations', { required: true }),
    asset_category_id: reference('asset_categories', { required: true }),
    retired_on: date({ note: 'First day on which the asset is no longer in use', example: '2031-01-01' }),
    ...loadedTogether(
      {
        state: () => STATE,
        holder: () => nullable(schemaOf(personCard)),
        assignment: () => nullable(schemaOf(assetAssignments.whole)),
        loss: () => nullable(schemaOf(assetLosses.whole)),
        asset_assignments: () => Type.Array(schemaOf(assetAssignments.whole)),
      },
      loadCustody,
    ),
  },
)

/** Who has had each asset, and how it stands on the day that is looked at. */
async function loadCustody(db: Reader, ids: number[]): Promise<Map<number, unknown>> {
  const { day } = db.view
  const ofThese = (table: string) => db.from(table).where(`${table}.asset_id`, 'in', ids)
  const issues = await fetchShape(db, assetAssignments.whole, ofThese('asset_assignments'), {
    order: ['issued_on', 'id'],
  })
  const losses = await fetchShape(db, assetLosses.whole, holdingOn(ofThese('asset_losses'), LOST, day), {
    also: ['asset_id'],
  })
  const rows = await db.from('assets').select(['id', 'retired_on']).where('id', 'in', ids).execute()
  const history = Map.groupBy(
    issues.map(({ record }) => record),
    (record) => record.asset_id as number,
  )
  const lost = new Map(losses.map(({ row, record }) => [row.asset_id, record]))
  return new Map(
    rows.map(({ id, retired_on }) => {
      const asset_assignments = history.get(id) ?? []
      const loss = lost.get(id) ?? null
      const assignment = (!loss && asset_assignments.findLast((one) => isOut(one, day))) || null
      const isRetired = retired_on !== null && retired_on <= day
      const state: AssetState = isRetired ? 'retired' : loss ? 'lost' : assignment ? 'assigned' : 'available'
      return [id, { state, holder: assignment?.user ?? null, assignment, loss, asset_assignments }]
    }),
  )
}

const isOut = ({ issued_on, returned_on }: Record<string, any>, day: string) =>
  issued_on <= day && (returned_on === null || returned_on > day)

const DAY = Type.String({
  format: 'date',
  description: 'Date for which to show the states of assets and who has them; today by default',
})
const on = { schema: DAY, look: (db: Reader, day: string) => like(db, { view: { ...db.view, day } }) }

/** The assets that are with somebody on the day that is looked at. */
const out = (db: Reader): Query => heldOn(db.from('asset_assignments').select('asset_id'), db, db.view.day)
const missing = (db: Reader): Query => lostOn(db, db.view.day)

const withHolder = (query: Query, db: Reader, userId: number) =>
  query.where('assets.id', 'in', out(db).where('user_id', '=', userId))

const byHolder: Filter = {
  schema: recordId('employees'),
  indexedColumns: ['asset_assignments.user_id', 'asset_losses.found_on'],
  narrow: (query, id, db) => withHolder(query, db, id),
}

const byHolderStatus: Filter = {
  schema: Type.Unsafe<string>({
    type: 'string',
    enum: ['active', 'terminated'],
    description:
      'Only assigned assets. `active`: the person who has the asset is employed. `terminated`: that person has left',
  }),
  indexedColumns: ['asset_assignments.returned_on', 'asset_losses.found_on', 'employees.termination_effective_on'],
  permission: 'employees:read',
  narrow(query, status, db) {
    const leavers = db.from('employees').select('id').where('termination_effective_on', '<=', db.view.day)
    return query.where('assets.id', 'in', out(db).where('user_id', status === 'active' ? 'not in' : 'in', leavers))
  },
}

const byState: Filter = {
  schema: STATE,
  indexedColumns: ['assets.retired_on', 'asset_assignments.returned_on', 'asset_losses.found_on'],
  narrow(query, state: AssetState, db) {
    const { day } = db.view
    if (state === 'retired') return query.where('assets.retired_on', '<=', day)
    const used = query.where((eb) => eb.or([eb('assets.retired_on', 'is', null), eb('assets.retired_on', '>', day)]))
    if (state === 'lost') return used.where('assets.id', 'in', missing(db))
    if (state === 'assigned') return used.where('assets.id', 'in', out(db))
    return used.where('assets.id', 'not in', out(db)).where('assets.id', 'not in', missing(db))
  },
}

/** What is still with somebody, or is to be, is not out of use, nor was it by the day it was lost or found. */
const withNobodyThen: Rule<typeof assets> = async ({ db, before, changes, fail }) => {
  const { retired_on } = changes
  if (!before || !retired_on || retired_on === before.retired_on) return
  const use = await db
    .from('asset_assignments')
    .select('id')
    .where('asset_id', '=', before.id)
    .where((eb) => eb.or([eb('returned_on', 'is', null), eb('returned_on', '>', retired_on)]))
    .orderBy('issued_on')
    .limit(1)
    .executeTakeFirst()
  if (use)
    fail(
      'retired_on',
      'in_use',
      `must not be before the last day of asset assignment ${use.id}. Choose a later date, or end that assignment earlier`,
    )
  const loss = await db
    .from('asset_losses')
    .select('id')
    .where('asset_id', '=', before.id)
    .where((eb) => eb.or([eb('lost_on', '>=', retired_on), eb('found_on', '>', retired_on)]))
    .orderBy('lost_on')
    .limit(1)
    .executeTakeFirst()
  if (!use && loss)
    fail('retired_on', 'in_use', `is before the end of asset loss ${loss.id}. Change that asset loss first`)
}

const SORTS = ['id', 'name', 'code', 'created_at', 'updated_at']

export const assetOperations = [
  list(assets, {
    filters: {
      asset_category_id: isRecord(assets, 'asset_category_id'),
      asset_category_ids: anyRecordOf(assets, 'asset_category_id'),
      location_id: isRecord(assets, 'location_id'),
      location_ids: anyRecordOf(assets, 'location_id'),
      code: isText(assets, 'code'),
      serial_number: isText(assets, 'serial_number'),
      state: byState,
      user_id: byHolder,
      holder_status: byHolderStatus,
      q: hasWords(assets, 'Words, or beginnings of words, in the name, code or serial number'),
    },
    lenses: { on },
  }),
  get(assets, { lenses: { on } }),
  post(assets),
  put(assets, { rules: [withNobodyThen] }),
  remove(assets, {
    note: 'Only assets that were never assigned can be deleted. Retire the others with `retired_on`: they keep their history.',
  }),
  operation(
    {
      id: 'listEmployeeAssets',
      method: 'GET',
      path: '/employees/{employee_id}/assets',
      summary: 'List the assets of an employee',
      note: 'Returns the assets that the employee has today, or on the date `as_of`. `assignment` shows since when.',
      area: 'assets',
      params: Type.Object({ employee_id: recordId('employees') }),
      query: Type.Object({ ...PAGING, sort: sortParameter(SORTS, 'id'), on: Type.Optional(DAY) }),
      answer: pagedAnswer(schemaOf(assets.whole)),
      indexedColumns: byHolder.indexedColumns,
    },
    async ({ db, params, query }) => {
      await requireEmployee(db, params.employee_id)
      const seen = query.on === undefined ? db : on.look(db, query.on)
      const theirs = (all: Query) => withHolder(all, seen, params.employee_id)
      const order = columnsOf(db, assets, query.sort ?? 'id')
      return { body: await pageOf(seen, assets, pageIn(query), theirs, { order }) }
    },
  ),
]
