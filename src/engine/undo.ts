import { violatesConstraint } from '../database/database.ts'
import { chunks } from '../ledger/chunks.ts'
import { type Change, type Columns, type Entry, readEntry } from '../ledger/entries.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import type { Resource, Row } from './declaration.ts'
import { fold } from './format.ts'
import type { Files } from './operation.ts'
import { conflict, type FieldProblem, Problem, refuse, wrong } from './problem.ts'
import type { Kinds } from './protection.ts'
import { type Attempt, encode, initialOf, mayKnow, nameable, rulesOf, touchOwners, type Undone } from './records.ts'
import {
  columnsOf,
  decode,
  existingOf,
  fieldOf,
  hasKeyColumn,
  isColumn,
  isShown,
  keyColumn,
  knownAs,
  resourceOf,
  tableOf,
  toldName,
} from './resource.ts'

/**
 * Undoing: what entries of the ledger tell is taken back by new changes, the last first. It is refused where somebody
 * has changed the same since, and held to the rules of any change.
 */

/**
 * What kinds of records with a behaviour of their own see to when changes of them are undone, which passes that
 * behaviour by. `check` runs in the undo's turn, when all rows are back and before the answer is made:
 * - `changes` are those that the undo has made so far to the tables `of`: `create` for a record that came back, `delete`
 *   for one that went again, `update` with the columns that were put back;
 * - it mends what follows from them (ends of dated records, places in an order), by the building blocks of any write;
 * - it throws (`refuse`, `conflict`) for what the operations of the kind would refuse as well: nothing is changed then.
 * `undone` tells of the first change that is undone. What was tolerated then (somebody who had left already, say) is
 * tolerated again: a guard refuses what has become impossible since, and `valuesThen` tells what others held.
 * What rules can say (functions of an attempt) needs no guard: `holdTo(kind, rules)` is enough.
 */
export type Guard = {
  readonly of: readonly string[]
  /**
   * Columns of these tables that follow from other records, and that `check` sets right: nobody is told that they were
   * changed since, and they are not put back.
   */
  readonly mends?: readonly string[]
  /** What one request did to several of these tables belongs together: no part of it is undone alone. */
  readonly isOne?: boolean
  /**
   * By table the column that a request changes in a record and in its parts together: none of them is put back alone.
   */
  readonly together?: Readonly<Record<string, string>>
  /** Whatever else a request did that wrote these tables belongs to it: nothing of it is undone alone. */
  readonly isWhole?: boolean
  readonly check?: (db: Writer, changes: readonly Change[], undone: Undone & { files: Files }) => Promise<void>
}

/** What undoing has to know of the kinds of records. */
export type Undoing = {
  kinds: Kinds
  guards: readonly Guard[]
  files: Files /** All that a request did. */
  isWhole: boolean
}

/** What entries did to one record, all together: columns as they were and as they became; null for no record. */
type Net = {
  of: Resource
  id: number
  was: Columns | null
  is: Columns | null
  last: number
  changed: string[]
  /** What the ledger tells of the record since. */
  later: Later[]
  /** The fields that the record came to say itself, and those that it no longer did (`inherits`). */
  stated: { more: string[]; less: string[] }
  /** The fields that it took over from the record before it, by what is undone. */
  follows: string[]
  /** References that lead nowhere by now, and that follow from the record before. */
  lost: Set<string>
}

const keyOf = (resource: string, id: number) => `${resource} ${id}`

/** Takes back what entries of the ledger tell, all of it or nothing. */
export async function undo(db: Writer, entries: readonly Entry[], undoing: Undoing): Promise<void> {
  try {
    await takeBack(db, entries, undoing)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error
    const { status, code, errors, message } = error
    // The caller sent none of these fields: undo would restore them.
    const detail = `This cannot be undone, because a value that it would restore is not possible any more: ${message}. Change the record yourself instead.`
    throw new Problem(status, code, detail, { errors, cause: error })
  }
}

async function takeBack(db: Writer, entries: readonly Entry[], undoing: Undoing): Promise<void> {
  const { kinds, guards, files } = undoing
  refuseForGood(kinds, entries)
  const told = entries.filter((entry) => !isTouch(entry))
  if (told.length === 0) throw conflict('Nothing to undo: only related records changed.')
  if (!undoing.isWhole) {
    await refuseHalf(db, told, undoing)
    await refuseAlone(db, told, undoing)
  }
  const nets = netsOf(kinds, guards, told)
  const rows = await rowsNow(db, nets.values())
  await lookAtLater(db, nets.values(), rows)
  if (!undoing.isWhole) refuseFollowing(nets.values())
  refuseChanged(db, nets.values(), rows, undoing)
  await refuseInUse(db, nets, undoing)
  await checkNamesAndReferences(db, nets, undoing)
  const stood = new Map(rows)
  const { number, at } = entries[0] as Entry
  const since = { number, at, last: entries.at(-1)?.number ?? number }
  await putBack(db, nets, rows, told, namedIn(kinds, told))
  await restate(db, nets.values(), rows)
  await touch(db, nets.values(), stood, rows)
  for (const [table, own] of Map.groupBy(entries.filter(isTouch), ({ resource }) => resource))
    await db.touch(
      table,
      own.map(({ record_id }) => record_id),
    )
  await refuseTorn(db, nets.values(), rows, undoing)
  await checkRules(db, nets, { stood, rows }, since, undoing)
  for (const { of, check } of guards) {
    const concerned = db.changes().filter(({ resource }) => of.includes(resource))
    if (check && concerned.length > 0) await check(db, concerned, { ...since, files })
  }
}

/** Does an entry tell only that something which the record shows has changed elsewhere? */
export const isTouch = ({ action, after }: Pick<Change, 'action' | 'after'>) =>
  action === 'update' && after !== null && Object.keys(after).every((name) => name === 'updated_at')

/** What was erased, and secrets, do not come back; nor do records whose shape is not known any more. */
function refuseForGood(kinds: Kinds, entries: readonly Entry[]): void {
  for (const { resource, action, before, after } of entries) {
    const of = kinds.get(resource)
    if (!of || action === 'erase' || (before === null && after === null))
      throw conflict('This change cannot be undone: its data has been erased.')
    if (columnsOf(of).some(([, { secret }]) => secret))
      throw conflict(`Changes of ${words(of)} cannot be undone: they contain secrets, which are not stored.`)
    for (const name of Object.keys({ ...before, ...after }))
      if (!isColumn(of, name))
        throw conflict(
          'This change cannot be undone: an earlier version of Cadre made it, and the fields have changed since. Edit the record instead.',
        )
  }
}

/** 409 for a part of what belongs together. */
async function refuseHalf(db: Writer, entries: readonly Entry[], { guards }: Undoing): Promise<void> {
  for (const { resource, request_id, at, operation } of entries) {
    const tables = guards.flatMap(({ isOne, isWhole, of }) => (isWhole || (isOne && of.includes(resource)) ? of : []))
    const others = tables.filter((table) => table !== resource)
    if (others.length === 0) continue
    const rows = await db
      .from('ledger')
      .select(['action', 'after'])
      .where('request_id', '=', request_id)
      .where('at', '=', at)
      .where('operation', '=', operation)
      .where('resource', 'in', others)
      .execute()
    if (rows.some(({ action, after }) => !isTouch({ action, after: after && JSON.parse(after) }))) throw half()
  }
}

const half = () => conflict('This change cannot be undone alone. Send request=true to undo the whole request.')

/** 409 for a column that was changed together with others of the record and of its parts. */
async function refuseAlone(db: Writer, entries: readonly Entry[], { guards }: Undoing): Promise<void> {
  for (const { together } of guards) {
    if (!together) continue
    const isOf = ({ resource, action, after }: Change) =>
      action === 'update' && Object.keys(after ?? {}).some((name) => name === together[resource])
    const rootOf = ({ record_id, owner, owner_id }: Change) => (owner && owner in together ? owner_id : record_id)
    for (const entry of entries.filter(isOf)) {
      const others = await db
        .from('ledger')
        .selectAll()
        .where('request_id', '=', entry.request_id)
        .where('at', '=', entry.at)
        .where('operation', '=', entry.operation)
        .where('resource', 'in', Object.keys(together))
        .where('no', '!=', entry.number)
        .execute()
      if (others.map(readEntry).some((other) => isOf(other) && rootOf(other) === rootOf(entry))) throw half()
    }
  }
}

const words = (of: Resource) => of.table.replaceAll('_', ' ')

/** Values as they are compared: SQLite has numbers for truth values. */
const plain = (of: Resource, name: string, value: unknown) => {
  const field = fieldOf(of, name)
  return field.write(field.read(value))
}
const differs = (of: Resource, name: string, one: Columns, other: Columns) =>
  plain(of, name, one[name]) !== plain(of, name, other[name])

function netsOf(kinds: Kinds, guards: readonly Guard[], entries: readonly Entry[]): Map<string, Net> {
  const mended = (table: string) => guards.flatMap(({ of, mends = [] }) => (of.includes(table) ? mends : []))
  const nets = new Map<string, Net>()
  for (const [key, own] of Map.groupBy(entries, ({ resource, record_id }) => keyOf(resource, record_id))) {
    const [first, last] = [own[0] as Entry, own.at(-1) as Entry]
    const of = kinds.get(first.resource) as Resource
    const was = first.action === 'create' ? null : Object.assign({}, ...own.map(({ before }) => before).reverse())
    const is = last.action === 'delete' ? null : Object.assign({}, ...own.map(({ after }) => after))
    const ignored = ['updated_at', ...mended(of.table)]
    const changed = Object.keys({ ...was, ...is }).filter(
      (name) => !ignored.includes(name) && (was === null || is === null || differs(of, name, was, is)),
    )
    const stated = { more: [], less: [] }
    nets.set(key, {
      of,
      id: first.record_id,
      was,
      is,
      last: last.number,
      changed,
      later: [],
      stated,
      follows: [],
      lost: new Set(),
    })
  }
  return nets
}

type Rows = Map<string, Columns & { id: number }>

/** The records as they stand. */
async function rowsNow(db: Writer, nets: Iterable<Net>): Promise<Rows> {
  const rows: Rows = new Map()
  for (const [of, own] of Map.groupBy(nets, ({ of }) => of))
    for (const some of chunks(own, 1000)) {
      const ids = some.map(({ id }) => id)
      const found = await db.from(of.table).selectAll().where('id', 'in', ids).execute()
      for (const row of found) rows.set(keyOf(of.table, row.id), row as Columns & { id: number })
    }
  return rows
}

/** How a field of one of many records is called in errors. */
const placeOf = (db: Reader, { of, id }: Net, { isWhole }: Undoing, field?: string) =>
  [isWhole || field === undefined ? `${of.table}[${knownAs(db, of, id)}]` : null, field].filter(Boolean).join('.')

/** The names in a side of an entry of the fields that a record says itself; undefined where it does not tell. */
const statedIn = (side: Columns | null | undefined): readonly string[] | null | undefined => {
  const kept = side?.stated
  return typeof kept === 'string' ? JSON.parse(kept) : (kept as readonly string[] | null | undefined)
}

/** Finds what was changed since, and what a record only took over from the one before it: nobody is told of that. */
async function lookAtLater(db: Writer, nets: Iterable<Net>, rows: Rows): Promise<void> {
  const touched = [...nets].filter(({ was, is, changed }) => (was || is) && changed.length > 0)
  const since = await entriesSince(db, touched)
  for (const net of touched) {
    const key = keyOf(net.of.table, net.id)
    net.later = since.get(key) ?? []
    if (net.of.inherits.length === 0) continue
    // What is told of those fields since, as far as the record said them itself before or after.
    let names = statedIn(rows.get(key))
    for (const entry of net.later.toReversed()) {
      const [before, after] = [statedIn(entry.before), names]
      if (before !== undefined) names = before
      for (const name of net.of.inherits)
        if (entry.action === 'update' && ![names, after].some((list) => says(list, name))) forget(entry, name)
    }
    const is = net.is && 'stated' in net.is ? statedIn(net.is) : names
    const was = net.was && 'stated' in net.was ? statedIn(net.was) : is
    if (net.was === null || net.is === null) continue
    const [more, less] = [
      [is, was],
      [was, is],
    ].map(([one, other]) => net.of.inherits.filter((name) => says(one, name) && !says(other, name)))
    net.stated = { more: more ?? [], less: less ?? [] }
    const isOwn = (name: string) => !net.of.inherits.includes(name) || says(was, name) || says(is, name)
    const own = net.changed.filter((name) => name !== 'stated' && isOwn(name))
    const row = rows.get(key)
    const isAsItWas = (name: string) =>
      row && net.is && !says(statedIn(row), name) && !differs(net.of, name, row, net.is)
    net.follows = net.changed.filter((name) => name !== 'stated' && !isOwn(name))
    net.changed = [...own, ...net.follows.filter(isAsItWas)]
  }
}

/** Is a field of a record that comes back one that follows from the record before? */
const followsIn = ({ of, was, is, follows }: Net, name: string) =>
  follows.includes(name) || (is === null && of.inherits.includes(name) && !says(statedIn(was), name))

const says = (names: readonly string[] | null | undefined, name: string) => names?.includes(name) ?? true

function forget(entry: Later, name: string): void {
  for (const side of [entry.before, entry.after]) if (side) delete side[name]
}

/** 409 for what follows from another record alone. */
function refuseFollowing(nets: Iterable<Net>): void {
  for (const { of, changed, follows, stated } of nets)
    if (follows.length > 0 && changed.every((name) => follows.includes(name)) && stated.more.length === 0)
      throw conflict(
        `This change cannot be undone alone: the ${of.one} only took over values from the earlier ${of.one} when that one was changed. Send request=true to undo the whole request, or undo the change of the earlier ${of.one}.`,
      )
}

/** Records say again themselves what they said, and no more. */
async function restate(db: Writer, nets: Iterable<Net>, rows: Rows): Promise<void> {
  const again = [...nets].filter(({ stated: { more, less } }) => more.length + less.length > 0)
  for (const [of, own] of Map.groupBy(again, (net) => net.of)) {
    const changes = own.flatMap(({ id, stated: { more, less } }) => {
      const row = rows.get(keyOf(of.table, id))
      const names = statedIn(row)
      if (!row || !names) return []
      const stated = of.inherits.filter((name) => less.includes(name) || (names.includes(name) && !more.includes(name)))
      return [{ before: whole(of, row), changes: { stated: JSON.stringify(stated) } }]
    })
    await db.update(tableOf(of), changes)
    for (const { before, changes: columns } of changes) rows.set(keyOf(of.table, before.id), { ...before, ...columns })
  }
}

/** 409 for all that was changed since, also where it holds the same again. */
function refuseChanged(db: Writer, nets: Iterable<Net>, rows: Rows, undoing: Undoing): void {
  const problems: FieldProblem[] = []
  const touched = [...nets].filter(({ was, is, changed }) => (was || is) && changed.length > 0)
  for (const net of touched) {
    const key = keyOf(net.of.table, net.id)
    const [row, later] = [rows.get(key), net.later]
    const names = statedIn(row)
    const fail = (why: string, name?: string) =>
      void problems.push(wrong(placeOf(db, net, undoing, name), 'changed_since', why))
    if (net.is === null) {
      const number = changedBy(net.of, null, later)
      if (row) fail('was restored again later')
      else if (number !== null) fail(`was restored and deleted again later, by change ${number}`)
      continue
    }
    if (!row) {
      fail('was deleted later')
      continue
    }
    const numbers = new Map<string, number | null>()
    for (const name of net.changed.filter((one) => !net.follows.includes(one))) {
      const number = changedBy(net.of, name, later)
      const follows = net.of.inherits.includes(name) && !says(names, name)
      if (number === null && (follows || !differs(net.of, name, row, net.is))) continue
      const shown = nameShown(net.of, name)
      numbers.set(shown, Math.max(number ?? 0, numbers.get(shown) ?? 0) || null)
    }
    for (const [name, number] of numbers)
      fail(`was changed again later${number === null ? '' : `, by change ${number}`}`, name)
  }
  if (problems.length === 0) return
  const detail = problems.slice(0, 100).map(({ message }) => message)
  throw new Problem(
    409,
    'conflict',
    `${[...detail, ...(problems.length > 100 ? [`and ${problems.length - 100} more`] : [])].join('; ')}. Undo the later changes first, or change the record instead.`,
    { errors: problems },
  )
}

/** What is kept and never told has no name that anybody knows. */
const nameShown = (of: Resource, column: string) => {
  const field = fieldOf(of, column)
  if (field.reference && !isShown(field) && !field.input) return 'record'
  return toldName(column, field) ?? 'record'
}

type Later = Pick<Entry, 'number' | 'action' | 'operation' | 'request_id' | 'at' | 'before' | 'after'>

/** What the ledger tells of these records after what is undone. */
async function entriesSince(db: Reader, nets: readonly Net[]): Promise<Map<string, Later[]>> {
  const since = new Map<string, Later[]>()
  for (const [of, own] of Map.groupBy(nets, (net) => net.of))
    for (const some of chunks(own, 1000)) {
      const last = new Map(some.map((net) => [net.id, net.last]))
      const rows = await db
        .from('ledger')
        .select(['no', 'record_id', 'action', 'operation', 'request_id', 'at', 'before', 'after'])
        .where('resource', '=', of.table)
        .where('record_id', 'in', [...last.keys()])
        .where('no', '>', Math.min(...last.values()))
        .orderBy('no')
        .execute()
      for (const row of rows) {
        if (row.no <= (last.get(row.record_id) as number)) continue
        const key = keyOf(of.table, row.record_id)
        const known = since.get(key)
        if (known) known.push(readEntry(row))
        else since.set(key, [readEntry(row)])
      }
    }
  return since
}

/** The operations that undo: of one change, and of all that a request did. */
export const UNDOING = { change: 'undoChange', request: 'undoRequest', own: 'undoOwnRequest' } as const
export const isUndoing = (operation: string) => Object.values<string>(UNDOING).includes(operation)

/**
 * The last change of a column, or of whether the record is there at all (null), that has not been undone itself. Of a
 * column only what was changed last can be undone: so an undo that leads to what was before the last change, or before
 * the last request, has taken that back.
 */
function changedBy(of: Resource, name: string | null, later: readonly Later[]): number | null {
  const standing: { turn: string; from: unknown; number: number }[] = []
  const turnOf = ({ request_id, at, operation }: Later) => `${at} ${operation} ${request_id}`
  for (const [turn, entries] of Map.groupBy(later, turnOf)) {
    const steps = entries.flatMap((entry) => {
      const { before, after, action, number } = entry
      // It tells what stays of a record, and changes nothing.
      if (action === 'erase') return []
      const isToldOf = action === 'create' || action === 'delete' || (name !== null && name in (after ?? {}))
      return isToldOf ? [{ turn, from: valueIn(of, name, before), to: valueIn(of, name, after), number }] : []
    })
    const [first, last] = [steps[0], steps.at(-1)]
    if (!first || !last || first.from === last.to) continue
    const { operation } = entries[0] as Later
    const top = standing.at(-1)
    // All that the last request did, or its last change: whichever the undo has taken back.
    const ends = [standing.findIndex((step) => step.turn === top?.turn), standing.length - 1]
    const isUndo = isUndoing(operation)
    const taken = isUndo ? (ends.find((at) => standing[at]?.from === last.to) ?? -1) : -1
    if (taken >= 0) standing.splice(taken)
    else standing.push(...steps)
  }
  return standing.at(-1)?.number ?? null
}

/** What a side of an entry says of a column, as it is compared; undefined for no record. */
const valueIn = (of: Resource, name: string | null, side: Columns | null) =>
  side === null ? undefined : name === null ? true : plain(of, name, side[name] ?? null)

/** 409 for records that are to go again while others name them: also such as would go with them if they were deleted. */
async function refuseInUse(db: Writer, nets: ReadonlyMap<string, Net>, { isWhole }: Undoing): Promise<void> {
  const going = [...nets.values()].filter(({ was, is }) => was === null && is !== null)
  for (const [of, own] of Map.groupBy(going, (net) => net.of))
    for (const { from, column } of db.referrersOf(of.table))
      for (const some of chunks(own, 1000)) {
        const ids = some.map(({ id }) => id)
        const naming = await db.from(from.table).select(['id', column]).where(column, 'in', ids).orderBy('id').execute()
        const use = naming.find((row) => {
          const net = nets.get(keyOf(from.table, row.id))
          return !net || (net.was !== null && !net.changed.includes(column))
        })
        if (!use) continue
        const isKnown = mayKnow(db, from, column)
        const by = isKnown
          ? `by ${from.one} ${knownAs(db, resourceOf(from), use.id)} (${column})`
          : 'by a record that you cannot see'
        const first = `Undo the change of that ${isKnown ? from.one : 'record'} first`
        const advice = isWhole ? first : `${first}, or send request=true to undo the whole request`
        throw conflict(`This ${of.one} is still in use ${by}. ${advice}.`, 'in_use')
      }
}

/**
 * 409 for records that go back to another owner while something is a part of both that came to them since: it would
 * belong to two.
 */
async function refuseTorn(db: Writer, nets: Iterable<Net>, rows: Rows, { kinds }: Undoing): Promise<void> {
  for (const [of, own] of Map.groupBy(nets, (net) => net.of))
    for (const [column, { reference: owner }] of columnsOf(of)) {
      const moved = owner?.owner ? own.filter(({ was, is, changed }) => was && is && changed.includes(column)) : []
      if (moved.length === 0) continue
      for (const { from, column: naming } of db.referrersOf(of.table)) {
        const fields = columnsOf(kinds.get(from.table) as Resource)
        const twin = fields.find(([, { reference }]) => reference?.owner && reference.table === owner?.table)?.[0]
        if (!twin || twin === naming) continue
        for (const some of chunks(moved, 1000)) {
          const ids = some.map(({ id }) => id)
          const parts = await db.from(from.table).select(['id', naming, twin]).where(naming, 'in', ids).execute()
          const torn = parts.find((row) => row[twin] !== rows.get(keyOf(of.table, row[naming]))?.[column])
          if (torn)
            throw conflict(
              tornApart(
                `${of.one} ${knownAs(db, of, torn[naming])}`,
                `${from.one} ${knownAs(db, resourceOf(from), torn.id)}`,
                kinds.get(owner?.table ?? '')?.one ?? 'record',
              ),
            )
        }
      }
    }
}

const tornApart = (one: string, part: string, owner: string) =>
  `This cannot be undone: ${one} would go back to its previous ${owner}, but ${part}, a part of it, would stay with the current ${owner}. Undo the last change of ${part} first.`

/** 422 for references that lead nowhere by now, and for unique texts that somebody else has by now. */
async function checkNamesAndReferences(db: Writer, nets: ReadonlyMap<string, Net>, undoing: Undoing): Promise<void> {
  const problems: FieldProblem[] = []
  const coming = [...nets.values()].filter(({ was }) => was !== null)
  const named = new Map<string, { net: Net; name: string; id: number }[]>()
  for (const net of coming)
    for (const [name, { reference }] of columnsOf(net.of)) {
      const id = net.was?.[name]
      if (!reference || typeof id !== 'number' || !(net.is === null || net.changed.includes(name))) continue
      const target = nets.get(keyOf(reference.table, id))
      if (target && target.is === null && target.was !== null) continue
      named.set(reference.table, [...(named.get(reference.table) ?? []), { net, name, id }])
    }
  for (const [table, uses] of named) {
    const ids = [...new Set(uses.map(({ id }) => id))]
    const found = new Set<number>()
    for (const some of chunks(ids, 1000)) for (const id of await nameable(db, table, some)) found.add(id)
    for (const { net, name, id } of uses)
      if (!found.has(id) && followsIn(net, name)) net.lost.add(name)
      else if (!found.has(id)) problems.push(wrong(placeOf(db, net, undoing, name), 'not_found', existingOf(table)))
  }
  for (const [of, own] of Map.groupBy(coming, (net) => net.of))
    for (const [name, field] of columnsOf(of)) {
      if (!field.unique) continue
      const wanted = own.flatMap((net) => {
        const text = net.was?.[name]
        return typeof text === 'string' && (net.is === null || net.changed.includes(name))
          ? [{ net, key: fold(text) }]
          : []
      })
      const holders = new Map<string, number>()
      for (const some of chunks(wanted, 1000)) {
        const query = db.from(of.table).select(['id', `${keyColumn(name)} as key`])
        const rows = await query
          .where(
            keyColumn(name),
            'in',
            some.map(({ key }) => key),
          )
          .execute()
        for (const row of rows) holders.set(row.key, row.id)
      }
      for (const { net, key } of wanted) {
        const holder = holders.get(key)
        const other = holder === undefined ? undefined : nets.get(keyOf(of.table, holder))
        // Whoever goes, or is called otherwise again, makes room.
        if (holder === undefined || holder === net.id || other?.was === null || other?.changed.includes(name)) continue
        problems.push(wrong(placeOf(db, net, undoing, name), 'taken', 'has already been taken'))
      }
    }
  refuse(problems)
}

/** A row as it is written: whole, and with the folded twins of its texts. */
const whole = (of: Resource, row: Columns & { id: number }): Columns & { id: number } => {
  const { id, created_at, updated_at } = row
  const known = Object.fromEntries(
    columnsOf(of).flatMap(([name, field]) => (name in row ? [[name, field.read(row[name])]] : [])),
  )
  return { id, created_at, updated_at, ...encode(of, { ...initialOf(of), ...known }) }
}

/** The folded twins of columns that are written. */
const twins = (of: Resource, columns: Columns): Columns =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, value]) => {
      const field = of.fields[name]
      return field && hasKeyColumn(field) ? [[keyColumn(name), value === null ? null : fold(String(value))]] : []
    }),
  )

/**
 * Goes back through the entries, the last first, so that at every step records name what is there, and no two have the
 * same name. Steps of one kind that stand together are taken together.
 */
async function putBack(
  db: Writer,
  nets: ReadonlyMap<string, Net>,
  rows: Rows,
  entries: readonly Entry[],
  named: ReadonlySet<string>,
): Promise<void> {
  const steps = entries.toReversed().flatMap((entry) => {
    const key = keyOf(entry.resource, entry.record_id)
    const step = stepBack(nets.get(key) as Net, entry, named.has(key))
    return step ? [step] : []
  })
  try {
    await db.runAndWait(async () => {
      for (const some of together(steps)) await take(db, some, rows)
    })
  } catch (error) {
    if (!violatesConstraint(error)) throw error
    throw conflict(
      'This cannot be undone: it would conflict with a record that was created or changed later. Undo the later change first.',
    )
  }
}

type Step = { net: Net; action: 'restore' | 'update' | 'delete'; columns: Columns }

function stepBack(net: Net, { action, before }: Entry, isNamedMeanwhile: boolean): Step | null {
  const { of, was, is, changed, lost } = net
  // What came and went leaves nothing to take back.
  if (was === null && is === null && !isNamedMeanwhile) return null
  if (action === 'create') return { net, action: 'delete', columns: {} }
  // Names and references go step by step; anything else goes to where it was at once.
  const isStepwise = (name: string) => Boolean(of.fields[name]?.reference || of.fields[name]?.unique)
  const back = (columns: Columns) =>
    Object.entries(columns).map(
      ([name, value]) => [name, lost.has(name) ? null : was === null || isStepwise(name) ? value : was[name]] as const,
    )
  if (action === 'delete') return { net, action: 'restore', columns: Object.fromEntries(back(before ?? {})) }
  const isThroughout = was !== null && is !== null
  const columns = back(before ?? {}).filter(([name]) => (isThroughout ? changed.includes(name) : isStepwise(name)))
  return columns.length > 0 ? { net, action: 'update', columns: Object.fromEntries(columns) } : null
}

/** All that the entries name, while they lasted: a record may be named that came and went. */
function namedIn(kinds: Kinds, entries: readonly Entry[]): Set<string> {
  const named = new Set<string>()
  for (const { resource, before, after } of entries)
    for (const [name, { reference }] of columnsOf(kinds.get(resource) as Resource))
      for (const id of [before?.[name], after?.[name]])
        if (reference && typeof id === 'number') named.add(keyOf(reference.table, id))
  return named
}

/** Neighbours that one statement can take, no record twice. */
function together(steps: readonly Step[]): Step[][] {
  const batches: Step[][] = []
  for (const step of steps) {
    const last = batches.at(-1)
    const fits =
      last?.[0]?.action === step.action && last[0].net.of === step.net.of && !last.some(({ net }) => net === step.net)
    if (last && fits) last.push(step)
    else batches.push([step])
  }
  return batches
}

async function take(db: Writer, steps: readonly Step[], rows: Rows): Promise<void> {
  const {
    net: { of },
    action,
  } = steps[0] as Step
  const table = tableOf(of)
  const key = (net: Net) => keyOf(of.table, net.id)
  if (action === 'delete') {
    await db.delete(
      table,
      steps.map(({ net }) => whole(of, rows.get(key(net)) as Columns & { id: number })),
    )
    for (const { net } of steps) rows.delete(key(net))
    return
  }
  if (action === 'restore') {
    const full = steps.map(({ net, columns }) => whole(of, { ...columns, id: net.id }))
    await db.restore(table, full)
    for (const row of full) rows.set(keyOf(of.table, row.id), row)
    return
  }
  const changes = steps.map(({ net, columns }) => {
    const plainly = Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, plain(of, name, value)]))
    return {
      before: whole(of, rows.get(key(net)) as Columns & { id: number }),
      changes: { ...plainly, ...twins(of, plainly) },
    }
  })
  await db.update(table, changes)
  for (const { before, changes: columns } of changes) rows.set(keyOf(of.table, before.id), { ...before, ...columns })
}

/** What shows these records as its parts has changed with them. */
async function touch(db: Writer, nets: Iterable<Net>, stood: Rows, rows: Rows): Promise<void> {
  for (const [of, own] of Map.groupBy(nets, (net) => net.of))
    await touchOwners(
      db,
      of,
      own.flatMap(({ id, changed }) =>
        changed.length > 0 ? [stood, rows].flatMap((all) => all.get(keyOf(of.table, id)) ?? []) : [],
      ),
    )
}

/** The rules that the records are held to, when all of them are back: they may name each other. */
async function checkRules(
  db: Writer,
  nets: ReadonlyMap<string, Net>,
  { stood, rows }: { stood: Rows; rows: Rows },
  undone: Undone,
  undoing: Undoing,
): Promise<void> {
  const problems: FieldProblem[] = []
  for (const net of nets.values()) {
    const { of, id, changed } = net
    const rules = rulesOf(of)
    const now = rows.get(keyOf(of.table, id))
    if (!now || changed.length === 0 || rules.length === 0 || cameWithOwner(nets, net)) continue
    const fail: Attempt['fail'] = (field, code, message) =>
      void problems.push(wrong(placeOf(db, net, undoing, field), code, message))
    const one = attemptAt(db, of, stood.get(keyOf(of.table, id)) ?? null, now, { changed, undone, problems, fail })
    for (const rule of rules) await rule(one)
  }
  refuse(problems)
}

/** What comes back with the record that it is a part of stands as it stood: nobody could add to it meanwhile. */
const cameWithOwner = (nets: ReadonlyMap<string, Net>, { of, was, is }: Net): boolean =>
  is === null &&
  columnsOf(of).some(([name, { reference }]) => {
    const owner = reference?.owner && nets.get(keyOf(reference.table, was?.[name] as number))
    return owner && owner.is === null
  })

type Telling = Pick<Attempt, 'problems' | 'fail'> & { changed: readonly string[]; undone: Undone }

function attemptAt<R extends Resource>(
  db: Writer,
  of: R,
  then: Columns | null,
  now: Columns,
  { changed, undone, problems, fail }: Telling,
): Attempt<R> {
  const after = decode(of, now)
  const isChanged = ([name]: [string, unknown]) => then === null || changed.includes(name)
  const changes = Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<Row<R>>
  return { db, before: then && decode(of, then), changes, after, undone, problems, fail }
}

/** The records of a kind that an undo has put back or brought back, as rules see them: for guards that check many. */
export async function attemptsIn<R extends Resource>(
  db: Writer,
  of: R,
  changes: readonly Change[],
  undone: Undone,
): Promise<Attempt<R>[]> {
  const own = changes.filter(({ resource, action }) => resource === of.table && action !== 'delete')
  const byRecord = Map.groupBy(own, ({ record_id }) => record_id)
  const problems: FieldProblem[] = []
  const found: Attempt<R>[] = []
  for (const some of chunks([...byRecord.keys()], 1000))
    for (const row of await db.from(of.table).selectAll().where('id', 'in', some).orderBy('id').execute()) {
      const mine = byRecord.get(row.id) ?? []
      const was: Columns = Object.assign({}, ...mine.map(({ before }) => before).reverse())
      const then = mine.some(({ action }) => action === 'create') ? null : { ...row, ...was }
      const changed = Object.keys(was).filter((name) => name !== 'updated_at')
      const fail: Attempt['fail'] = (field, code, message) =>
        void problems.push(wrong(`${of.table}[${knownAs(db, of, row.id)}].${field}`, code, message))
      if (then === null || changed.length > 0)
        found.push(attemptAt(db, of, then, row, { changed, undone, problems, fail }))
    }
  return found
}

/** The records of a kind that changes are about, by their ids: as they stand, or as they stood before they went again. */
export async function recordsIn(
  db: Reader,
  table: string,
  changes: readonly Change[],
): Promise<Map<number, Columns & { id: number }>> {
  const own = changes.filter((change) => change.resource === table && !isTouch(change))
  const found = new Map<number, Columns & { id: number }>()
  for (const { action, record_id: id, before } of own) if (action === 'delete') found.set(id, { ...before, id })
  for (const some of chunks([...new Set(own.map(({ record_id }) => record_id))], 1000))
    for (const row of await db.from(table).selectAll().where('id', 'in', some).execute())
      found.set(row.id, row as never)
  return found
}

/** What columns of records held right after a change: of those that are still there. */
export async function valuesThen(
  db: Reader,
  table: string,
  columns: readonly string[],
  ids: readonly number[],
  { number }: Undone,
): Promise<Map<number, Columns>> {
  const then = new Map<number, Columns>()
  for (const some of chunks([...new Set(ids)], 1000)) {
    const rows = await db
      .from(table)
      .select(['id', ...columns])
      .where('id', 'in', some)
      .execute()
    for (const row of rows) then.set(row.id, { ...row })
    const later = db.from('ledger').select(['record_id', 'before']).where('resource', '=', table)
    const entries = await later.where('record_id', 'in', some).where('no', '>', number).orderBy('no', 'desc').execute()
    for (const { record_id, before } of entries) {
      const known = then.get(record_id)
      const told = before === null ? {} : JSON.parse(before)
      for (const name of columns) if (known && name in told) known[name] = told[name]
    }
  }
  return then
}
