import { chunks } from '../records/chunks.ts'
import { selectWhereIn } from '../records/prepared.ts'
import type { Query, Reader } from '../records/reader.ts'
import type { Table } from '../records/tables.ts'
import type { Writer } from '../records/write.ts'
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

/** A change that is being undone: its number and its time. */
export type UndoneChange = {
  readonly number: number
  readonly at: string
  /** The number of the last change that is undone with it. */
  readonly last: number
}

/** A planned create or update of a record, as rules see it. */
export type Attempt<R extends Resource = Resource> = {
  db: Writer
  /** The record as it is now; null for a create. */
  before: Row<R> | null
  /** The valid values of the request. */
  changes: Partial<Row<R>>
  /** The record as it would be. A new record has no id; a record that an undo restores has its former id. */
  after: Row<R>
  /** If this is an undo: the first undone change. What was allowed at that time is allowed again, unless it has become impossible. */
  undone?: UndoneChange
  /** The problems so far. */
  problems: FieldProblem[]
  fail(field: string, code: string, message: string): void
}

/** A rule checks an attempt and reports problems. */
export type Rule<R extends Resource = Resource> = (attempt: Attempt<R>) => void | Promise<void>

const rulesByKind = new WeakMap<Resource, Set<Rule<any>>>()

/** Adds rules to a resource. They apply however its records change, also when a change is undone. */
export function holdTo<R extends Resource>(of: R, rules: readonly Rule<NoInfer<R>>[] = []): void {
  const all = rulesByKind.get(of) ?? new Set()
  for (const rule of rules) all.add(rule)
  rulesByKind.set(of, all)
}

/** The rules of a resource. */
export const rulesOf = (of: Resource): readonly Rule[] => [...(rulesByKind.get(of) ?? [])]

/** Values by the names of fields, of any resource. */
type Values = Record<string, unknown>
type Checks<R extends Resource> = { rules?: readonly Rule<R>[]; problems?: FieldProblem[] }

/** Does the caller see all records of a resource? */
export const seesAll = ({ rowPolicy, table }: Resource, { caller, visibility, responseReader }: Reader): boolean =>
  (rowPolicy?.seesAll(caller) ?? true) && ((visibility ?? responseReader?.visibility)?.seesAll(table) ?? true)

/** A query on the resource's table, filtered by its row policy. */
export const whereVisible = (of: Resource, query: Query, db: Reader): Query =>
  of.rowPolicy && !of.rowPolicy.seesAll(db.caller) ? of.rowPolicy.narrow(query, db) : query

/** The stored record. 404 if it does not exist or the caller does not see it. `match` are columns that must have a value. */
export async function find<R extends Resource>(
  db: Reader,
  of: R,
  id: number,
  match: Partial<Row<R>> = {},
): Promise<Row<R>> {
  const row = await (of.rowPolicy ? visibleRow(db, of, id) : rowOf(db, of, id))
  const record = row && decode(of, row)
  if (!record || Object.entries(match).some(([name, value]) => (record as Values)[name] !== value)) throw notFound()
  return record
}

const rowOf = async (db: Reader, of: Resource, id: number) => (await selectWhereIn(db, of.table, 'id', [id]))[0]

const visibleRow = (db: Reader, of: Resource, id: number) =>
  whereVisible(of, db.from(of.table).selectAll(of.table).where(`${of.table}.id`, '=', id), db).executeTakeFirst()

/** The stored records of a query on the resource's table, ordered by id unless `order` says otherwise. */
export async function rowsOf<R extends Resource>(of: R, query: Query, order: string[] = ['id']): Promise<Row<R>[]> {
  const ordered = order.reduce((sorted, name) => sorted.orderBy(`${of.table}.${name}`), query)
  return (await ordered.selectAll(of.table).execute()).map((row) => decode(of, row))
}

/** What these values would make of a record, or of a new one. */
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

/** Checks attempts together. It runs one statement per referenced table and unique field, however many attempts there are. */
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

/** The same without unique texts. For attempts of which some may fail: only those that succeed claim their texts. */
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

/** Stores attempts that change existing records. */
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

/** Marks the records that show these as their parts as changed, too. */
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

/** Creates records from values that code has made. It only checks that the caller's scope covers the records that they refer to. */
export async function insertAll<R extends Resource>(db: Writer, of: R, rows: readonly Made<R>[]): Promise<number[]> {
  await refuseOutOfScope(db, of, rows as readonly Values[])
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

/** Deletes a record together with the records that belong to it. 409 if another record refers to it. */
export const erase = <R extends Resource>(db: Writer, of: R, row: Row<R>): Promise<void> => eraseAll(db, of, [row])

/** The same for many records. The number of statements does not depend on how many. */
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

/** The record that shows those of a table among its own fields: they only change with it. */
function partOf(from: Table) {
  const [column, field] =
    columnsOf(resourceOf(from)).find(([, { reference }]) => reference?.part && reference.owner) ?? []
  const of = field?.reference && kindOf(field.reference.table)
  return column && of ? { column, of, one: of.one } : undefined
}

/** May the caller know that records of a table refer to a record by a column? */
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
 * Replaces the records of an owner by the wanted ones: existing wanted records stay, others are deleted, and missing ones are
 * created. Two records are the same if they have the same value of the field `same`.
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

/** Like `replaceOwned`, but the ids have the order of the wanted records. */
export async function replaceInOrder<R extends Resource>(
  db: Writer,
  of: R,
  owner: Partial<Row<R>>,
  wanted: readonly Made<R>[],
  same: keyof Made<R> & string,
): Promise<void> {
  // New records get higher ids than existing ones, so only the beginning of the list can stay.
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

/** No record has this id. */
const NO_RECORD = 0

/**
 * Checks references to records that do not exist or that the caller may not know. Rules see them as references to no record, so
 * that their messages reveal nothing about the target. A record may keep the references that it has already.
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
    const ofTable = uses.get(reference.table) ?? []
    for (const { before, changes, after, fail } of attempts) {
      const id = (changes as Values)[name]
      if (typeof id === 'number' && id !== (before as Values | null)?.[name])
        ofTable.push({ changes, after, fail, name, id })
    }
    uses.set(reference.table, ofTable)
  }
  for (const [table, wanted] of uses) {
    if (wanted.length === 0) continue
    const valid = await nameable(
      db,
      table,
      wanted.map((use) => use.id),
    )
    for (const { changes, after, fail, name, id } of wanted) {
      if (valid.has(id) && (await mayName(db, of, name, id))) continue
      fail(name, 'not_found', existingOf(table))
      delete changes[name]
      after[name] = NO_RECORD
    }
  }
}

/** Refuses new records that refer to records outside the caller's scope: the reference would bring these into the scope. */
async function refuseOutOfScope(db: Writer, of: Resource, rows: readonly Values[]): Promise<void> {
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
    const valid = await responseReader.visibility.nameable(responseReader, of.table, name, ids)
    const unknown = ids.find((id) => !valid.has(id))
    if (unknown !== undefined) throw invalid(wrong(name, 'not_found', existingOf(reference.table)))
  }
}

/** May a record refer to another by a column? Not to a record outside the caller's scope. */
const mayName = async ({ responseReader }: Reader, of: Resource, column: string, id: number): Promise<boolean> =>
  !responseReader?.visibility?.nameable ||
  (await responseReader.visibility.nameable(responseReader, of.table, column, [id])).has(id)

/** The ids that exist in a table. */
export async function existing(db: Reader, table: string, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await selectWhereIn(db, table, 'id', [...new Set(ids)], ['id'])
  return new Set(rows.map((row) => row.id))
}

/** The ids that a record may refer to: not placeholders for erased records, nor records that the caller may not know. */
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

/** Which records and attempts have which unique texts. */
export type Claims = {
  /** Claims the texts of an attempt, or reports those that are taken. An attempt with problems claims none. */
  take(one: Claimant): void
  /** Releases the texts of an attempt that failed later. */
  giveBack(one: Claimant): void
}

/** The claims for the unique texts of attempts. It runs one statement per unique field. */
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
  let values = initials.get(of)
  if (!values) {
    values = Object.fromEntries(columnsOf(of).map(([name, field]) => [name, field.initial]))
    initials.set(of, values)
  }
  return values
}

/** Sent values → values in memory. A cleared field gets its initial value. */
function parse(of: Resource, sent: Values): Values {
  const values: Values = {}
  for (const [name, field] of columnsOf(of))
    if (sent[name] !== undefined) values[name] = sent[name] === null ? field.initial : field.parse(sent[name])
  return values
}

/** Values in memory → columns, with the folded copies of unique texts. */
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
