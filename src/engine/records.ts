import type { Query, Reader } from '../ledger/reader.ts'
import type { Table, Writer } from '../ledger/write.ts'
import type { Made, Resource, Row, Sent } from './declaration.ts'
import { fold } from './format.ts'
import { conflict, type FieldProblem, notFound, refuse, wrong } from './problem.ts'
import { columnsOf, decode, hasKeyColumn, keyColumn, tableOf } from './resource.ts'

/** A record that is about to be created or changed, as a rule sees it. */
export type Attempt<R extends Resource = Resource> = {
  db: Writer
  /** The record as it stands; null when it is being created. */
  before: Row<R> | null
  /** The sound values that were sent. */
  changes: Partial<Row<R>>
  /** The record as it would stand. */
  after: Row<R>
  /** What is wrong so far. */
  problems: FieldProblem[]
  fail(field: string, code: string, message: string): void
}

/** A rule looks at an attempt and says what is wrong with it. */
export type Rule<R extends Resource = Resource> = (attempt: Attempt<R>) => void | Promise<void>

/** Values by the names of fields, of whichever resource. */
type Values = Record<string, unknown>
type Checks<R extends Resource> = { rules?: readonly Rule<R>[]; problems?: FieldProblem[] }

/** The stored record, or 404. Further conditions are columns that must match. */
export async function find<R extends Resource>(
  db: Reader,
  of: R,
  id: number,
  match: Partial<Row<R>> = {},
): Promise<Row<R>> {
  let query = db.from(of.table).selectAll().where('id', '=', id)
  for (const [column, value] of Object.entries(match)) query = query.where(column, '=', value)
  const row = await query.executeTakeFirst()
  if (!row) throw notFound()
  return decode(of, row)
}

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
  await checkReferences(db, of, attempts)
  await checkUnique(db, of, attempts)
  for (const one of attempts) for (const rule of rules) await rule(one)
}

/** Stores what the attempts make of records that exist. */
export async function storeChanges<R extends Resource>(db: Writer, of: R, attempts: Attempt<R>[]): Promise<void> {
  const changes = attempts.flatMap(({ before, changes }) =>
    before ? [{ before: { ...before, ...encode(of, before) }, changes: encode(of, changes) }] : [],
  )
  await db.update(tableOf(of), changes)
  const real = changes.filter(({ before, changes }) =>
    Object.entries(changes).some(([name, value]) => (before as Values)[name] !== value),
  )
  await touchOwners(
    db,
    of,
    real.flatMap(({ before, changes }) => [before, changes]),
  )
}

/** What shows these records as its parts has changed with them. */
async function touchOwners(db: Writer, of: Resource, rows: readonly Values[]): Promise<void> {
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

/** Creates records from values that code has made, which need no checks. */
export async function insertAll<R extends Resource>(db: Writer, of: R, rows: readonly Made<R>[]): Promise<number[]> {
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
export async function erase<R extends Resource>(db: Writer, of: R, row: Row<R>): Promise<void> {
  await eraseRow(db, tableOf(of), { ...row, ...encode(of, row) })
  await touchOwners(db, of, [row])
}

async function eraseRow(db: Writer, of: Table, row: Values & { id: number }): Promise<void> {
  for (const { from, column, owner } of db.referrersOf(of.table)) {
    if (owner) {
      const owned = await db.from(from.table).selectAll().where(column, '=', row.id).orderBy('id').execute()
      for (const child of owned) await eraseRow(db, from, child as Values & { id: number })
      continue
    }
    const uses = db.from(from.table).select('id').where(column, '=', row.id)
    const use = await uses.orderBy('id').limit(1).executeTakeFirst()
    if (use) throw conflict(`This ${of.one} is still in use by ${from.one} ${use.id} (${column})`, 'in_use')
  }
  await db.delete(of, row)
}

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
  const owned = Object.entries(owner).reduce((query, [name, id]) => query.where(name, '=', id), db.from(of.table))
  const missing = new Map(wanted.map((one) => [one[same], one]))
  for (const row of await rowsOf(of, owned)) {
    const value = (row as Made<R>)[same]
    if (!missing.delete(value)) await erase(db, of, row)
  }
  await insertAll(
    db,
    of,
    [...missing.values()].map((one) => ({ ...one, ...(owner as Made<R>) })),
  )
}

/** A reference that leads nowhere is taken out of the changes. */
async function checkReferences(db: Reader, of: Resource, attempts: readonly Pick<Attempt, 'changes' | 'fail'>[]) {
  const uses = new Map<string, { changes: Values; fail: Attempt['fail']; name: string; id: number }[]>()
  for (const [name, { reference }] of columnsOf(of)) {
    if (!reference) continue
    const known = uses.get(reference.table) ?? []
    for (const { changes, fail } of attempts) {
      const id = changes[name]
      if (typeof id === 'number') known.push({ changes, fail, name, id })
    }
    uses.set(reference.table, known)
  }
  for (const [table, wanted] of uses) {
    if (wanted.length === 0) continue
    const found = await existing(
      db,
      table,
      wanted.map((use) => use.id),
    )
    for (const { changes, fail, name, id } of wanted) {
      if (found.has(id)) continue
      fail(name, 'not_found', `must be the id of an existing record of ${table}`)
      delete changes[name]
    }
  }
}

/** Which of the ids there are in a table. */
export async function existing(db: Reader, table: string, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .from(table)
    .select('id')
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Set(rows.map((row) => row.id))
}

/** A text is taken when another record holds it, or another attempt before this one wants it. */
async function checkUnique(
  db: Reader,
  of: Resource,
  attempts: readonly Pick<Attempt, 'changes' | 'before' | 'fail'>[],
) {
  for (const [name, field] of columnsOf(of)) {
    if (!field.unique) continue
    const wanted = attempts.flatMap((one) => {
      const text = one.changes[name]
      return typeof text === 'string' ? [{ one, key: fold(text) }] : []
    })
    if (wanted.length === 0) continue
    const column = keyColumn(name)
    const keys = [...new Set(wanted.map(({ key }) => key))]
    const rows = await db
      .from(of.table)
      .select(['id', `${column} as key`])
      .where(column, 'in', keys)
      .execute()
    const holder = new Map<string, unknown>(rows.map((row) => [row.key, row.id]))
    for (const { one, key } of wanted) {
      const held = holder.get(key)
      if (held !== undefined && held !== one.before?.id) one.fail(name, 'taken', 'has already been taken')
      else holder.set(key, one.before?.id ?? one)
    }
  }
}

const initialOf = (of: Resource): Values =>
  Object.fromEntries(columnsOf(of).map(([name, field]) => [name, field.initial]))

/** Sent values → values in memory. A cleared field goes back to what it holds when never given. */
function parse(of: Resource, sent: Values): Values {
  const values: Values = {}
  for (const [name, field] of columnsOf(of))
    if (sent[name] !== undefined) values[name] = sent[name] === null ? field.initial : field.parse(sent[name])
  return values
}

/** Values in memory → columns, with the folded twins of unique texts. */
function encode(of: Resource, values: Values): Values {
  const columns: Values = {}
  for (const [name, field] of columnsOf(of)) {
    const value = values[name]
    if (value === undefined) continue
    columns[name] = field.write(value)
    if (hasKeyColumn(field)) columns[keyColumn(name)] = value === null ? null : fold(String(value))
  }
  return columns
}
