import { chunks } from '../ledger/chunks.ts'
import { selectWhereIn } from '../ledger/prepared.ts'
import type { Query, Reader } from '../ledger/reader.ts'
import type { Table } from '../ledger/tables.ts'
import type { Writer } from '../ledger/write.ts'
import type { Made, Resource, Row, Sent } from './declaration.ts'
import { fold } from './format.ts'
import { permits } from './permission.ts'
import { conflict, type FieldProblem, invalid, notFound, refuse, wrong } from './problem.ts'
import {
  columnsOf,
  decode,
  existingOf,
  hasKeyColumn,
  keyColumn,
  kindOf,
  knownAs,
  resourceOf,
  standInOf,
  tableOf,
  wholeColumns,
} from './resource.ts'

/** A change that is being undone: its number, and when it was made. */
export type UndoneChange = {
  readonly number: number
  readonly at: string
  /** The number of the last change that is undone with it. */
  readonly last: number
}

/** A record that is about to be created or changed, as a rule sees it. */
export type Attempt<R extends Resource = Resource> = {
  db: Writer
  /** The record as it stands; null when it is being created. */
  before: Row<R> | null
  /** The sound values that were sent. */
  changes: Partial<Row<R>>
  /** The record as it would stand; without an id as long as it is new, with the one that it had when it comes back. */
  after: Row<R>
  /** The first change that is being undone, when this is an undo: what stood then may stand again, if its ground stays. */
  undone?: UndoneChange
  /** What is wrong so far. */
  problems: FieldProblem[]
  fail(field: string, code: string, message: string): void
}

/** A rule looks at an attempt and says what is wrong with it. */
export type Rule<R extends Resource = Resource> = (attempt: Attempt<R>) => void | Promise<void>

const rulesByKind = new WeakMap<Resource, Set<Rule<any>>>()

/** Holds records of a kind to rules by whichever way they change: also when a change is undone. */
export function holdTo<R extends Resource>(of: R, rules: readonly Rule<NoInfer<R>>[] = []): void {
  const known = rulesByKind.get(of) ?? new Set()
  for (const rule of rules) known.add(rule)
  rulesByKind.set(of, known)
}

/** The rules that records of a kind are held to. */
export const rulesOf = (of: Resource): readonly Rule[] => [...(rulesByKind.get(of) ?? [])]

/** Values by the names of fields, of whichever resource. */
type Values = Record<string, unknown>
type Checks<R extends Resource> = { rules?: readonly Rule<R>[]; problems?: FieldProblem[] }

/** Does the caller see all records of a kind? */
export const seesAll = ({ rowPolicy, table }: Resource, { caller, visibility, responseReader }: Reader): boolean =>
  (rowPolicy?.seesAll(caller) ?? true) && ((visibility ?? responseReader?.visibility)?.seesAll(table) ?? true)

/** A query on the resource's table, narrowed to what the caller sees. */
export const whereVisible = (of: Resource, query: Query, db: Reader): Query =>
  of.rowPolicy && !of.rowPolicy.seesAll(db.caller) ? of.rowPolicy.narrow(query, db) : query

/** The stored record, or 404, also where the caller does not see it. Further conditions are columns that must match. */
export async function find<R extends Resource>(
  db: Reader,
  of: R,
  id: number,
  match: Partial<Row<R>> = {},
): Promise<Row<R>> {
  const row = await (of.rowPolicy ? seenRow(db, of, id) : rowOf(db, of, id))
  const found = row && decode(of, row)
  if (!found || Object.entries(match).some(([name, value]) => (found as Values)[name] !== value)) throw notFound()
  return found
}

const rowOf = async (db: Reader, of: Resource, id: number) => (await selectWhereIn(db, of.table, 'id', [id]))[0]

const seenRow = (db: Reader, of: Resource, id: number) =>
  whereVisible(of, db.from(of.table).selectAll(of.table).where(`${of.table}.id`, '=', id), db).executeTakeFirst()

/** The stored records of a query on the resource's table, in the order of their ids unless it says otherwise. */
export async function rowsOf<R extends Resource>(of: R, query: Query, order: string[] = ['id']): Promise<Row<R>[]> {
  const ordered = order.reduce((sorted, name) => sorted.orderBy(`${of.table}.${name}`), query)
  return (await ordered.selectAll(of.table).execute()).map((row) => decode(of, row))
}

/** What sending these values would make of a record, or of nothing. */
export function attempt<R extends Resource>(
  db: Writer,
  of: R,
  before: Row<R> | null,
  sent: Sent<R>,
  problems: FieldProblem[] = [],
): Attempt<R> {
  const changes = parse(of, sent) as Partial<Row<R>>
  const after = { ...(before ?? initialOf(of)), ...changes } as Row<R>
  const fail = (field: string, code: string, message: string) => void problems.push(wrong(field, code, message))
  return { db, before, changes, after, problems, fail }
}

/** Checks attempts together: a statement for each table referred to and each unique field, however many they are. */
export async function checkAll<R extends Resource>(
  db: Writer,
  of: R,
  attempts: Attempt<R>[],
  rules: readonly Rule<NoInfer<R>>[] = [],
): Promise<void> {
  await checkButUnique(db, of, attempts, rules)
  const claims = await claimsOf(db, of, attempts)
  for (const one of attempts) claims.take(one)
}

/** The same without asking for unique texts: for attempts some of which may fail, so that the others get theirs. */
export async function checkButUnique<R extends Resource>(
  db: Writer,
  of: R,
  attempts: Attempt<R>[],
  rules: readonly Rule<NoInfer<R>>[] = [],
): Promise<void> {
  db.responseReader?.visibility?.refuseHeldBack?.(of.table, attempts)
  await checkReferences(db, of, attempts)
  for (const one of attempts) for (const rule of rules) await rule(one)
}

/** Stores what the attempts make of records that exist. */
export async function storeChanges<R extends Resource>(db: Writer, of: R, attempts: Attempt<R>[]): Promise<void> {
  const real = attempts.flatMap(({ before, changes }) => {
    if (!before) return []
    const columns = encode(of, changes)
    const old = wholeColumns(of, before) as Values & { id: number }
    return Object.keys(columns).some((name) => old[name] !== columns[name]) ? [{ before: old, changes: columns }] : []
  })
  await db.update(tableOf(of), real)
  await touchOwners(
    db,
    of,
    real.flatMap(({ before, changes }) => [before, changes]),
  )
}

/** What shows these records as its parts has changed with them. */
export async function touchOwners(db: Writer, of: Resource, rows: readonly Values[]): Promise<void> {
  for (const [name, { reference }] of columnsOf(of))
    if (reference?.part)
      await db.touch(
        reference.table,
        rows.flatMap((row) => (row[name] as number | undefined) ?? []),
      )
}

/** Creates a record from sent values after all checks, and returns its id. */
export async function create<R extends Resource>(
  db: Writer,
  of: R,
  sent: Sent<R>,
  { rules, problems }: Checks<NoInfer<R>> = {},
): Promise<number> {
  const one = attempt(db, of, null, sent, problems)
  await checkAll(db, of, [one], rules)
  refuse(one.problems)
  const [id] = await insertAll(db, of, [one.after])
  return id as number
}

/** Creates records from values that code has made, which need no checks but that they name whom the caller reaches. */
export async function insertAll<R extends Resource>(db: Writer, of: R, rows: readonly Made<R>[]): Promise<number[]> {
  await refuseUnreached(db, of, rows as readonly Values[])
  const initial = initialOf(of)
  const ids = await db.insert(
    tableOf(of),
    rows.map((row) => encode(of, { ...initial, ...row })),
  )
  await touchOwners(db, of, rows)
  return ids
}

/** Changes a record by sent values after all checks. */
export async function amend<R extends Resource>(
  db: Writer,
  of: R,
  before: Row<R>,
  sent: Sent<R>,
  { rules, problems }: Checks<NoInfer<R>> = {},
): Promise<void> {
  const one = attempt(db, of, before, sent, problems)
  await checkAll(db, of, [one], rules)
  refuse(one.problems)
  await storeChanges(db, of, [one])
}

/** Deletes a record together with those that belong to it, or says what still uses it. */
export const erase = <R extends Resource>(db: Writer, of: R, row: Row<R>): Promise<void> => eraseAll(db, of, [row])

/** The same for many: the number of statements does not grow with them. */
export async function eraseAll<R extends Resource>(db: Writer, of: R, rows: readonly Row<R>[]): Promise<void> {
  await eraseRows(
    db,
    tableOf(of),
    rows.map((row) => wholeColumns(of, row)),
  )
  await touchOwners(db, of, rows)
}

async function eraseRows(db: Writer, of: Table, rows: (Values & { id: number })[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  for (const { from, column, owner } of db.referrersOf(of.table))
    for (const some of chunks(ids, 1000)) {
      const naming = db.from(from.table).where(column, 'in', some).orderBy('id')
      if (owner) {
        const owned = (await naming.selectAll().execute()) as typeof rows
        if (owned.length > 0) await eraseRows(db, from, owned)
        continue
      }
      const whole = partOf(from)
      const use = await naming
        .select(['id', ...(whole ? [whole.column] : [])])
        .limit(1)
        .executeTakeFirst()
      if (!use) continue
      if (!mayKnow(db, from, column))
        throw conflict(
          `This ${of.one} is still in use by a record that you cannot see. Ask somebody with more access to change or delete that record first.`,
          'in_use',
        )
      const one = whole?.one ?? from.one
      const id = knownAs(db, whole?.of ?? resourceOf(from), use[whole?.column ?? 'id'])
      const advice = whole ? `Change that ${one}` : `Change or delete that ${one}`
      throw conflict(`This ${of.one} is still in use by ${one} ${id} (${column}). ${advice} first.`, 'in_use')
    }
  await db.delete(of, rows)
}

/** The record that shows those of a table among its own fields: nobody changes them but with it. */
function partOf(from: Table) {
  const [column, field] =
    columnsOf(resourceOf(from)).find(([, { reference }]) => reference?.part && reference.owner) ?? []
  const of = field?.reference && kindOf(field.reference.table)
  return column && of ? { column, of, one: of.one } : undefined
}

/** May the caller know that records of a table name something in a column? */
export function mayKnow(db: Reader, from: Table, column: string): boolean {
  const { caller } = db
  const of = resourceOf(from)
  const isWithheld = [of.group, of.fields[column]?.group].some((group) => group && caller.withheld.has(group))
  return !isWithheld && seesAll(of, db) && permits(caller.permissions, of.readWith)
}

const ownedBy = <R extends Resource>(db: Reader, of: R, owner: Partial<Row<R>>) =>
  rowsOf(
    of,
    Object.entries(owner).reduce((query, [name, id]) => query.where(name, '=', id), db.from(of.table)),
  )

/**
 * Makes the records that an owner has exactly those that are wanted: what is there and wanted stays, the rest goes,
 * and what is missing is added. Two are the same when `same` says the same of them.
 */
export async function replaceOwned<R extends Resource>(
  db: Writer,
  of: R,
  owner: Partial<Row<R>>,
  wanted: readonly Made<R>[],
  same: keyof Made<R> & string,
): Promise<void> {
  const missing = new Map(wanted.map((one) => [one[same], one]))
  for (const row of await ownedBy(db, of, owner)) {
    const value = (row as Made<R>)[same]
    if (!missing.delete(value)) await erase(db, of, row)
  }
  await insertAll(
    db,
    of,
    [...missing.values()].map((one) => ({ ...one, ...(owner as Made<R>) })),
  )
}

/** As `replaceOwned`, and in the order in which they are wanted: that of their ids. */
export async function replaceInOrder<R extends Resource>(
  db: Writer,
  of: R,
  owner: Partial<Row<R>>,
  wanted: readonly Made<R>[],
  same: keyof Made<R> & string,
): Promise<void> {
  // What is new comes behind all that stays, so only the beginning of the list can stay.
  let stays = 0
  for (const row of await ownedBy(db, of, owner)) {
    if (stays < wanted.length && (row as Made<R>)[same] === wanted[stays]?.[same]) stays++
    else await erase(db, of, row)
  }
  await insertAll(
    db,
    of,
    wanted.slice(stays).map((one) => ({ ...one, ...(owner as Made<R>) })),
  )
}

/** The id of no record. */
const NOTHING = 0

/**
 * A reference that leads nowhere is taken out of the changes, and leads rules nowhere: what they would find there is not
 * for the caller to know. What a record names already, it may go on to name.
 */
async function checkReferences(
  db: Reader,
  of: Resource,
  attempts: readonly Pick<Attempt, 'before' | 'changes' | 'after' | 'fail'>[],
) {
  const uses = new Map<
    string,
    (Pick<Attempt, 'fail'> & { changes: Values; after: Values; name: string; id: number })[]
  >()
  for (const [name, { reference }] of columnsOf(of)) {
    if (!reference) continue
    const known = uses.get(reference.table) ?? []
    for (const { before, changes, after, fail } of attempts) {
      const id = (changes as Values)[name]
      if (typeof id === 'number' && id !== (before as Values | null)?.[name])
        known.push({ changes, after, fail, name, id })
    }
    uses.set(reference.table, known)
  }
  for (const [table, wanted] of uses) {
    if (wanted.length === 0) continue
    const found = await nameable(
      db,
      table,
      wanted.map((use) => use.id),
    )
    for (const { changes, after, fail, name, id } of wanted) {
      if (found.has(id) && (await mayName(db, of, name, id))) continue
      fail(name, 'not_found', existingOf(table))
      delete changes[name]
      after[name] = NOTHING
    }
  }
}

/** Refuses new records that would name what the caller does not reach: by naming it they would come to reach it. */
async function refuseUnreached(db: Writer, of: Resource, rows: readonly Values[]): Promise<void> {
  const { responseReader } = db
  if (!responseReader?.visibility?.nameable || rows.length === 0) return
  const made = new Set(
    db.changes().flatMap(({ resource, record_id, action }) => (action === 'create' ? `${resource} ${record_id}` : [])),
  )
  for (const [name, { reference }] of columnsOf(of)) {
    if (!reference) continue
    const ids = [...new Set(rows.map((row) => row[name]))].filter(
      (id) => typeof id === 'number' && !made.has(`${reference.table} ${id}`),
    ) as number[]
    if (ids.length === 0) continue
    const known = await responseReader.visibility.nameable(responseReader, of.table, name, ids)
    const unknown = ids.find((id) => !known.has(id))
    if (unknown !== undefined) throw invalid(wrong(name, 'not_found', existingOf(reference.table)))
  }
}

/** Whom a caller does not reach, its records do not name. */
const mayName = async ({ responseReader }: Reader, of: Resource, column: string, id: number): Promise<boolean> =>
  !responseReader?.visibility?.nameable ||
  (await responseReader.visibility.nameable(responseReader, of.table, column, [id])).has(id)

/** Which of the ids there are in a table. */
export async function existing(db: Reader, table: string, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await selectWhereIn(db, table, 'id', [...new Set(ids)], ['id'])
  return new Set(rows.map((row) => row.id))
}

/** Which of the ids a record may come to name: not what only takes the place of erased ones, nor what the caller does not know. */
export async function nameable(db: Reader, table: string, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const standIn = Object.entries(standInOf(table) ?? {})
  const columns = ['id', ...standIn.map(([name]) => name)]
  const rows = await selectWhereIn(db, table, 'id', [...new Set(ids)], columns)
  const isStandIn = (row: Values) => standIn.length > 0 && standIn.every(([name, value]) => row[name] === value)
  const there = rows.filter((row) => !isStandIn(row)).map((row) => row.id as number)
  const { visibility } = db.responseReader ?? {}
  return new Set(
    visibility?.visibleIds ? await visibility.visibleIds(db.responseReader as Reader, table, there) : there,
  )
}

type Claimant = Pick<Attempt, 'changes' | 'before' | 'problems' | 'fail'>

/** Who holds which unique texts, among the records and the attempts so far. */
export type Claims = {
  /** Gives an attempt the texts that it asks for, or says which are taken. One that fails gets none. */
  take(one: Claimant): void
  /** Takes them back from an attempt that failed after all. */
  giveBack(one: Claimant): void
}

/** The unique texts that attempts ask for: a statement for each unique field. */
export async function claimsOf(db: Reader, of: Resource, attempts: readonly Claimant[]): Promise<Claims> {
  type Claim = { name: string; holders: Map<string, unknown> }
  const claims: Claim[] = []
  for (const [name, field] of columnsOf(of)) {
    if (!field.unique) continue
    const keys = attempts.flatMap(({ changes }) => keyIn(changes, name) ?? [])
    if (keys.length === 0) continue
    const column = keyColumn(name)
    const rows = await selectWhereIn(db, of.table, column, [...new Set(keys)], ['id', `${column} as key`])
    claims.push({ name, holders: new Map(rows.map((row) => [row.key, row.id])) })
  }
  const holderOf = (one: Claimant) => one.before?.id ?? one
  return {
    take(one) {
      const wanted = claims.flatMap(({ name, holders }) => {
        const key = keyIn(one.changes, name)
        return key === undefined ? [] : [{ name, holders, key }]
      })
      for (const { name, holders, key } of wanted)
        if (holders.has(key) && holders.get(key) !== holderOf(one)) one.fail(name, 'taken', 'has already been taken')
      if (one.problems.length > 0) return
      for (const { name, holders } of claims) {
        if (one.changes[name] === undefined) continue
        const [key, old] = [keyIn(one.changes, name), keyIn(one.before ?? {}, name)]
        if (old !== undefined && holders.get(old) === holderOf(one)) holders.delete(old)
        if (key !== undefined) holders.set(key, holderOf(one))
      }
    },
    giveBack(one) {
      for (const { name, holders } of claims) {
        if (one.changes[name] === undefined) continue
        const [key, old] = [keyIn(one.changes, name), keyIn(one.before ?? {}, name)]
        if (key !== undefined) holders.delete(key)
        if (old !== undefined) holders.set(old, holderOf(one))
      }
    },
  }
}

const keyIn = (values: Values, name: string) => {
  const text = values[name]
  return typeof text === 'string' ? fold(text) : undefined
}

const initials = new WeakMap<Resource, Values>()

export function initialOf(of: Resource): Readonly<Values> {
  let known = initials.get(of)
  if (!known) {
    known = Object.fromEntries(columnsOf(of).map(([name, field]) => [name, field.initial]))
    initials.set(of, known)
  }
  return known
}

/** Sent values → values in memory. A cleared field goes back to what it holds when never given. */
function parse(of: Resource, sent: Values): Values {
  const values: Values = {}
  for (const [name, field] of columnsOf(of))
    if (sent[name] !== undefined) values[name] = sent[name] === null ? field.initial : field.parse(sent[name])
  return values
}

/** Values in memory → columns, with the folded twins of unique texts. */
export function encode(of: Resource, values: Values): Values {
  const columns: Values = {}
  for (const [name, field] of columnsOf(of)) {
    const value = values[name]
    if (value === undefined) continue
    columns[name] = field.write(value)
    if (hasKeyColumn(field)) columns[keyColumn(name)] = value === null ? null : fold(String(value))
  }
  return columns
}
