import { readEntry } from '../records/entries.ts'
import type { Query, Reader } from '../records/reader.ts'
import type { Resource } from './declaration.ts'
import { requirePermission } from './permission.ts'
import { forbidden, notFound } from './problem.ts'
import { groupsOf, isGuarded, type Kinds, rowsThatWere } from './protection.ts'
import { seesAll, whereVisible } from './records.ts'
import { columnsNotInFeed, columnsOf, ownerOf } from './resource.ts'
import { hiddenOf, isHeldBackFrom, maySee, seesWhole, traceOf } from './trace.ts'

/** The past of one record: who may read it, and which entries of the ledger it is made of. */

type Params = Record<string, number>

/**
 * Refuses whom the record itself would be refused to, and answers 404 for a record that never was, or was never where
 * the path says. One that is gone has its past still: that is when people ask.
 */
export async function requirePast(db: Reader, kinds: Kinds, of: Resource, params: Params): Promise<void> {
  const { caller } = db
  requirePermission(caller, of.readWith)
  if (of.group && caller.withheld.has(of.group))
    throw forbidden(
      `This operation needs the field group ${of.group}, which is hidden from you. Use a role or API key that can see it.`,
    )
  const id = params.id as number
  if (!seesAll(of, db)) {
    const row = await whereVisible(of, db.from(of.table).where(`${of.table}.id`, '=', id), db)
      .select(`${of.table}.id`)
      .executeTakeFirst()
    if (!row) throw notFound()
  }
  if (!(await stoodAt(db, kinds, of, params))) throw notFound()
  if (!seesAll(of, db))
    throw forbidden(`You cannot read the history of ${of.table}, because you can see only some of these records.`)
  const withheld = await withheldAmong(db, kinds, of, [id])
  if (withheld.size > 0) throw notFound()
}

/** Was the record ever, and does the path name what it belongs to, or belonged to when it went? */
async function stoodAt(db: Reader, kinds: Kinds, of: Resource, params: Params): Promise<boolean> {
  const id = params.id as number
  const above = Object.keys(params).filter((name) => name !== 'id')
  const own = above.filter((name) => name in of.fields)
  const was = (await rowsThatWere(db, of, [id], own)).get(id)
  if (!was) return wasErasedAt(db, of, params)
  if (own.some((name) => was[name] !== params[name])) return false
  // What the path goes through besides belongs to what the record names.
  for (const name of above.filter((one) => !own.includes(one))) {
    const through = columnsOf(of).find(
      ([column, { reference }]) =>
        of.parents.includes(column) && name in (kinds.get(reference?.table ?? '')?.fields ?? {}),
    )
    const target = kinds.get(through?.[1].reference?.table ?? '')
    if (!through || !target) return false
    const parent = params[through[0]] as number
    const row = (await rowsThatWere(db, target, [parent], [name])).get(parent)
    if (row?.[name] !== params[name]) return false
  }
  return true
}

/** Of what was erased the ledger knows no more than that it was, and whose part. */
async function wasErasedAt(db: Reader, of: Resource, params: Params): Promise<boolean> {
  const owner = ownerOf(of)
  const above = Object.keys(params).filter((name) => name !== 'id')
  let past = db
    .from('ledger')
    .select('no')
    .where('resource', '=', of.table)
    .where('record_id', '=', params.id as number)
  if (above.length > 0) {
    if (!owner || above.length > 1 || owner.column !== above[0]) return false
    past = past.where('owner_id', '=', params[owner.column] as number)
  }
  return (await past.limit(1).executeTakeFirst()) !== undefined
}

/** Those of the records that belong to a group which is withheld from the caller, because of what they name. */
async function withheldAmong(db: Reader, kinds: Kinds, of: Resource, ids: readonly number[]): Promise<Set<number>> {
  const withheld = hiddenOf(of, db)
  if (withheld.size === 0 || ids.length === 0 || !isGuarded(kinds, of)) return new Set()
  const found = new Set<number>()
  for (const [id, groups] of await groupsOf(db, kinds, of, ids)) {
    const hit = groups ? [...groups].filter((group) => withheld.has(group)) : [...withheld]
    if (hit.length > 0) found.add(id)
    for (const group of hit) db.omitted.add(group)
  }
  return found
}

/** The entries about a record that the caller may read, and those about its parts and their parts when asked for. */
export async function entriesAbout(
  db: Reader,
  kinds: Kinds,
  of: Resource,
  id: number,
  withParts: boolean,
): Promise<Query> {
  const all = db.from('ledger').where('resource', '=', of.table).where('record_id', '=', id)
  const untold = await heldBackAmong(db, of, all)
  const own = untold.length > 0 ? all.where('no', 'not in', untold) : all
  if (!withParts) return saying(own, [of])
  let numbers = own.select('no')
  const parts = partsOf(db, kinds, of, (query) => query.where('owner', '=', of.table).where('owner_id', '=', id))
  for (const part of parts) {
    const ids = isGuarded(kinds, part.kind)
      ? (await part.entries(db.from('ledger')).select('record_id').distinct().execute()).map((row) => row.record_id)
      : []
    const hidden = await withheldAmong(db, kinds, part.kind, ids)
    const entries = part.entries(db.from('ledger').select('no'))
    numbers = numbers.unionAll(hidden.size > 0 ? entries.where('record_id', 'not in', [...hidden]) : entries)
  }
  return saying(db.from('ledger').where('no', 'in', numbers), [of, ...parts.map(({ kind }) => kind)])
}

/** The numbers of entries that tell of nothing but what is held back from the caller. */
async function heldBackAmong(db: Reader, of: Resource, entries: Query): Promise<number[]> {
  const { heldBack } = of
  const [day] = heldBack?.until ?? []
  if (!day || !isHeldBackFrom(of, db)) return []
  const rows = await entries.selectAll().where('action', '=', 'update').where('after', 'like', `%"${day}":%`).execute()
  const traces = rows.map((row) => traceOf(of, readEntry(row), hiddenOf(of, db)))
  return traces.flatMap(({ number, fields }) => (fields.length === 0 ? number : []))
}

/** The kinds of its parts, and of theirs, of which a caller may not be told all; it follows from the caller's rights alone. */
export const partsCut = (db: Reader, kinds: Kinds, of: Resource): Resource[] =>
  [...kinds.values()].flatMap((kind) => {
    if (kind === of || ownerOf(kind)?.to !== of.table) return []
    return [...(seesWhole(kind, db, kinds) ? [] : [kind]), ...partsCut(db, kinds, kind)]
  })

type Part = { kind: Resource; entries: (query: Query) => Query }

function partsOf(db: Reader, kinds: Kinds, of: Resource, within: (query: Query) => Query): Part[] {
  return [...kinds.values()].flatMap((kind) => {
    if (kind === of || ownerOf(kind)?.to !== of.table) return []
    if (!maySee(kind, db)) {
      if (kind.group && db.caller.withheld.has(kind.group)) db.omitted.add(kind.group)
      return []
    }
    const entries = (query: Query) => within(query).where('resource', '=', kind.table)
    const deeper = partsOf(db, kinds, kind, (query) =>
      query.where('owner', '=', kind.table).where('owner_id', 'in', entries(db.from('ledger')).select('record_id')),
    )
    return [{ kind, entries }, ...deeper]
  })
}

/**
 * What has something to say: a record that only got a new `updated_at`, because one of its parts was changed, is not
 * news beside that part. Nor is one of whose columns only one has changed that says what others do.
 */
const saying = (query: Query, kinds: readonly Resource[]): Query =>
  query.where((eb) => {
    const changesOnly = ([table, column]: [string, string]) =>
      eb.and([
        eb('resource', '=', table),
        eb('after', 'like', `{"${column}":%`),
        eb.or([
          eb('after', 'not like', `{"${column}":%,"%`),
          eb.and([eb('after', 'like', `{"${column}":%,${STAMP}}`), eb('after', 'not like', `{"${column}":%,"%,"%`)]),
        ]),
      ])
    const hidden = kinds.flatMap((of) => columnsNotInFeed(of).map((column): [string, string] => [of.table, column]))
    return eb.or([
      eb('action', '!=', 'update'),
      eb('after', 'is', null),
      eb.and([eb('after', 'not like', `{${STAMP}}`), ...hidden.map((one) => eb.not(changesOnly(one)))]),
    ])
  })

const STAMP = '"updated_at":"____-__-__T__:__:__.___Z"'
