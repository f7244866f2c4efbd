import { chunks } from '../records/chunks.ts'
import type { Reader } from '../records/reader.ts'
import type { Fate, LedgerErasure, Referrer, Table } from '../records/tables.ts'
import type { Writer } from '../records/write.ts'
import type { Resource } from './declaration.ts'
import type { Operation } from './operation.ts'
import { requireWholeSight } from './permission.ts'
import { existing } from './records.ts'
import { tableOf } from './resource.ts'

/**
 * Erasing somebody for good: what is theirs goes with all its past, what others still need stays without them. What
 * becomes of each kind of record, the reference that names them declares.
 */

/** Records that name the erased one, or something that goes with it. */
export type ReferencingRecords = { readonly by: Referrer; readonly fate: Fate; readonly ids: readonly number[] }

/** Everything that names a record, and everything that names what goes with it. */
export async function holdingsOf(db: Reader, of: Resource, id: number): Promise<ReferencingRecords[]> {
  const found: ReferencingRecords[] = []
  const going = new Map<string, Set<number>>([[of.table, new Set([id])]])
  const open = [{ table: of.table, ids: [id] }]
  for (let next = open.shift(); next; next = open.shift())
    for (const by of db.referrersOf(next.table)) {
      const all = await naming(db, by, next.ids)
      const stay = all.filter(({ goes }) => !goes).map(({ id }) => id)
      if (stay.length > 0) found.push({ by, fate: by.fate, ids: stay })
      const ids = all.filter(({ goes }) => goes).map(({ id }) => id)
      if (ids.length === 0) continue
      found.push({ by, fate: 'goes', ids })
      const known = going.get(by.from.table) ?? new Set()
      going.set(by.from.table, known)
      const fresh = ids.filter((one) => !known.has(one))
      for (const one of fresh) known.add(one)
      if (fresh.length > 0) open.push({ table: by.from.table, ids: fresh })
    }
  // What goes by one way does not stay by another.
  return found.flatMap(({ by, fate, ids }) => {
    const kept = fate === 'goes' ? ids : ids.filter((one) => !going.get(by.from.table)?.has(one))
    return kept.length > 0 ? [{ by, fate, ids: kept }] : []
  })
}

/** The records that name any of these, and whether they go with them. */
async function naming(db: Reader, { from, column, fate, goesWhere }: Referrer, ids: readonly number[]) {
  const found: { id: number; goes: boolean }[] = []
  for (const some of chunks(ids, 1000)) {
    const query = db.from(from.table).select(goesWhere ? ['id', goesWhere.column] : ['id'])
    const rows = await query.where(column, 'in', some).orderBy('id').execute()
    const goes = (row: Record<string, unknown>) =>
      fate === 'goes' || (goesWhere !== undefined && row[goesWhere.column] === goesWhere.is)
    found.push(...rows.map((row) => ({ id: row.id, goes: goes(row) })))
  }
  return found
}

/** Erases a record. `standIn` is asked for a record that takes its place where somebody must be named. */
export async function eraseForGood(
  db: Writer,
  of: Resource,
  id: number,
  standIn: () => Promise<number> = () => Promise.reject(new Error(`There is no placeholder record for ${of.one}`)),
): Promise<void> {
  const holdings = await holdingsOf(db, of, id)
  const going = new Map<Table, Set<number>>([[tableOf(of), new Set([id])]])
  for (const { by, fate, ids } of holdings)
    if (fate === 'goes') going.set(by.from, new Set([...(going.get(by.from) ?? []), ...ids]))
  const leaving = [...going].map(([table, ids]) => ({ of: table, ids: [...ids] }))
  const past = await goneWith(db, leaving, await formersOf(db, going))
  for (const { by, fate, ids } of holdings) {
    if (fate === 'goes') continue
    const place = fate === 'cleared' ? null : await standIn()
    const silence = fate === 'figure' ? Object.fromEntries(by.from.texts.map((name) => [name, ''])) : {}
    const rows = await wholeRows(db, by.from, ids)
    await db.update(
      by.from,
      rows.map((before) => ({ before, changes: { ...silence, [by.column]: place } })),
    )
    if (fate === 'figure') past.push({ of: by.from, ids })
  }
  for (const table of childrenFirst([...going.keys()])) {
    const ids = [...(going.get(table) ?? [])]
    await db.delete(table, await wholeRows(db, table, ids))
    past.push({ of: table, ids })
  }
  forget(db, past)
}

function forget(db: Writer, past: readonly LedgerErasure[]): void {
  db.eraseFromLedger(past)
  db.afterCommit('scrub', {
    tables: ['ledger', 'idempotency', 'search_words', ...new Set(past.map(({ of }) => of.table))],
  })
}

/** Is it somebody of whom only the past still tells, since their making was undone? In whose place is nobody else. */
export async function isGone(db: Reader, of: Resource, id: number): Promise<boolean> {
  const told = db.from('ledger').select('no').where('resource', '=', of.table).where('record_id', '=', id)
  const saying = told.where((eb) => eb.or([eb('before', 'is not', null), eb('after', 'is not', null)]))
  if (!(await saying.limit(1).executeTakeFirst())) return false
  for (const { from } of db.referrersOf(of.table))
    for (const { column } of from.formers.filter((former) => former.of === of.table))
      if (await db.from(from.table).select('id').where(column, '=', id).executeTakeFirst()) return false
  return (await existing(db, of.table, [id])).size === 0
}

/** Erases somebody of whom only the past still tells. `look` is shown the tables of which something goes. */
export async function forgetGone(
  db: Writer,
  of: Resource,
  id: number,
  look: (tables: Table[]) => void = () => undefined,
): Promise<void> {
  requireWholeSight(db.caller)
  const gone = [{ of: tableOf(of), ids: [id] }]
  const past = [...gone, ...(await goneWith(db, gone, []))]
  look(past.map((one) => one.of))
  forget(db, past)
}

/** The same operation, which erases for good: also those who are gone already, but not from the past. */
export const alsoTheGone = (of: Resource, operation: Operation): Operation => ({
  ...operation,
  async handle(call) {
    const id = call.params.id as number
    if (!(await isGone(call.db, of, id))) return operation.handle(call)
    await forgetGone(call.db as Writer, of, id)
    return {}
  },
})

async function wholeRows(db: Writer, { table }: Table, ids: readonly number[]) {
  const rows: ({ id: number } & Record<string, unknown>)[] = []
  for (const some of chunks(ids, 1000))
    rows.push(...((await db.from(table).selectAll().where('id', 'in', some).orderBy('id').execute()) as typeof rows))
  return rows
}

/** Everything of theirs of which only the past still knows. */
async function goneWith(
  db: Writer,
  leaving: readonly LedgerErasure[],
  formers: readonly LedgerErasure[],
): Promise<LedgerErasure[]> {
  const known = [...leaving, ...formers]
  const selves = await goneSelvesOf(db, known)
  const own = [...known, ...selves]
  const past = [...formers, ...selves, ...(await deletedParts(db, own))]
  return [...past, ...(await toldOfOthers(db, own, [...leaving, ...past]))]
}

/** Whom they were in other records that are gone by now. */
async function goneSelvesOf(db: Writer, known: readonly LedgerErasure[]): Promise<LedgerErasure[]> {
  const found: LedgerErasure[] = []
  for (const { of, ids } of known)
    for (const { column, to, same } of of.references) {
      const target = same && db.tableWithReferences(to)
      if (!target) continue
      const named = await db.pastReferences(of.table, column, ids)
      const there = await existing(db, to, named)
      const gone = named.filter((id) => !there.has(id))
      if (gone.length > 0) found.push({ of: target, ids: gone })
    }
  return found
}

/**
 * What records had from others whose place they took, until that was undone: it stands in entries about those records,
 * which stay, and about such as came with it and went again.
 */
async function toldOfOthers(
  db: Writer,
  own: readonly LedgerErasure[],
  forgotten: readonly LedgerErasure[],
): Promise<LedgerErasure[]> {
  const isForgotten = (table: string, id: number) =>
    forgotten.some(({ of, ids }) => of.table === table && ids.includes(id))
  const found: LedgerErasure[] = []
  for (const { of, ids } of own) {
    const taking = db.referrersOf(of.table).map(({ from }) => from)
    for (const { table: place, formers } of new Set(taking))
      for (const { column } of formers.filter((former) => former.of === of.table)) {
        const takings = await db.pastReferrers(place, column, ids)
        const told = (await db.entriesWrittenWith(place, takings)).filter(({ resource, record_id, columns }) => {
          const table = db.tableWithReferences(resource)
          const saysMore = (name: string) =>
            name !== 'updated_at' && !table?.references.some((reference) => reference.column === name)
          return table && !isForgotten(resource, record_id) && columns.some(saysMore)
        })
        for (const [table, entries] of Map.groupBy(told, ({ resource }) => resource))
          found.push({
            of: db.tableWithReferences(table) as Table,
            ids: [...new Set(entries.map(({ record_id }) => record_id))],
            numbers: entries.map(({ number }) => number),
          })
      }
  }
  return found
}

/** Parts that were deleted earlier, one by one: only the ledger still has them. */
async function deletedParts(db: Writer, roots: readonly LedgerErasure[]): Promise<LedgerErasure[]> {
  const found: LedgerErasure[] = []
  const seen = new Set<string>()
  const open = roots.map(({ of, ids }) => ({ table: of.table, ids }))
  for (let next = open.shift(); next; next = open.shift())
    for (const { from, column, fate, goesWhere } of db.referrersOf(next.table)) {
      if (fate !== 'goes' && fate !== 'figure' && !goesWhere) continue
      const named = await db.pastReferrers(from.table, column, next.ids)
      // What is still there belongs to them, and is found as such, or to somebody else by now.
      const there = await existing(db, from.table, named)
      const ids = named.filter((one) => !there.has(one) && !seen.has(`${from.table} ${one}`))
      if (ids.length === 0) continue
      for (const one of ids) seen.add(`${from.table} ${one}`)
      found.push({ of: from, ids })
      open.push({ table: from.table, ids })
    }
  return found
}

/** The records whose place those that go have taken. */
async function formersOf(db: Writer, going: ReadonlyMap<Table, ReadonlySet<number>>): Promise<LedgerErasure[]> {
  const found: LedgerErasure[] = []
  for (const [table, ids] of going)
    for (const { column, of } of table.formers) {
      const target = [...going.keys()].find((one) => one.table === of)
      const rows = await wholeRows(db, table, [...ids])
      if (target) found.push({ of: target, ids: rows.map((row) => row[column] as number) })
    }
  return found
}

/** Tables in an order in which none is emptied before those that refer to it. */
function childrenFirst(tables: Table[]): Table[] {
  const order: Table[] = []
  const left = new Set(tables)
  while (left.size > 0) {
    const isNamed = (one: Table) =>
      [...left].some((other) => other !== one && other.references.some(({ to }) => to === one.table))
    const next = [...left].find((one) => !isNamed(one)) ?? ([...left][0] as Table)
    left.delete(next)
    order.push(next)
  }
  return order
}
