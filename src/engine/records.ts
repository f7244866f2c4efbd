import type { Reader } from '../database/handle.ts'
import type { Writer } from '../database/write.ts'
import { isColumn } from './field.ts'
import { fold } from './format.ts'
import { conflict, type FieldProblem, invalid, notFound } from './problem.ts'
import { decode, type Fields, type Resource, type Row } from './resource.ts'

/** A record that is about to be created or changed, as a rule sees it. */
export type Attempt<R extends Resource<any> = Resource<any>> = {
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
export type Rule<R extends Resource<any> = Resource<any>> = (attempt: Attempt<R>) => void | Promise<void>

type Sent = Record<string, unknown>
type Checks<R extends Resource<any>> = { rules?: readonly Rule<R>[]; problems?: FieldProblem[] }

/** The stored record, or 404. Further conditions are columns that must match. */
export async function find<R extends Resource<any>>(db: Reader, of: R, id: number, match: Sent = {}): Promise<Row<R>> {
  let query = db.from(of.table).selectAll().where('id', '=', id)
  for (const [column, value] of Object.entries(match)) query = query.where(column, '=', value)
  const row = await query.executeTakeFirst()
  if (!row) throw notFound()
  return decode(of, row)
}

/** What sending these values would make of a record, or of nothing. */
export function attempt<R extends Resource<any>>(
  db: Writer,
  of: R,
  before: Row<R> | null,
  sent: Sent,
  problems: FieldProblem[] = [],
): Attempt<R> {
  const changes = parse(of, sent)
  const after = { ...(before ?? initialOf(of)), ...changes }
  const fail = (field: string, code: string, message: string) => {
    problems.push({ field, code, message: `${field} ${message}` })
  }
  return { db, before, changes, after, problems, fail } as unknown as Attempt<R>
}

/** Checks attempts together: a statement for each table referred to and each unique field, however many they are. */
export async function checkAll<R extends Resource<any>>(
  db: Writer,
  of: R,
  attempts: Attempt<R>[],
  rules: readonly Rule<R>[] = [],
): Promise<void> {
  await checkReferences(db, of, attempts)
  await checkUnique(db, of, attempts)
  for (const one of attempts) for (const rule of rules) await rule(one)
}

/** Stores what the attempts make of records that exist. */
export async function storeChanges<R extends Resource<any>>(db: Writer, of: R, attempts: Attempt<R>[]): Promise<void> {
  const changes = attempts.map(({ before, changes }) => {
    const row = before as Row<R>
    return { before: { ...row, ...encode(of, row) }, changes: encode(of, changes) }
  })
  await db.update(tableOf(of), changes)
}

/** Creates a record from sent values after all checks, and returns its id. */
export async function create<R extends Resource<any>>(
  db: Writer,
  of: R,
  sent: Sent,
  { rules, problems }: Checks<R> = {},
): Promise<number> {
  const one = attempt(db, of, null, sent, problems)
  await checkAll(db, of, [one], rules)
  if (one.problems.length > 0) throw invalid(one.problems)
  const [id] = await insertAll(db, of, [one.after])
  return id as number
}

/** Creates records from values that code has made, which need no checks. */
export async function insertAll(db: Writer, of: Resource<any>, rows: Sent[]): Promise<number[]> {
  const initial = initialOf(of)
  return db.insert(
    tableOf(of),
    rows.map((row) => encode(of, { ...initial, ...row })),
  )
}

/** Changes a record by sent values after all checks. */
export async function amend<R extends Resource<any>>(
  db: Writer,
  of: R,
  before: Row<R>,
  sent: Sent,
  { rules, problems }: Checks<R> = {},
): Promise<void> {
  const one = attempt(db, of, before, sent, problems)
  await checkAll(db, of, [one], rules)
  if (one.problems.length > 0) throw invalid(one.problems)
  await storeChanges(db, of, [one])
}

/** Deletes a record together with those that belong to it, or says what still uses it. */
export async function erase<R extends Resource<any>>(db: Writer, of: R, row: Row<R>): Promise<void> {
  for (const user of db.resources) {
    for (const [name, field] of Object.entries(user.fields as Fields)) {
      if (field.reference?.table !== of.table || !isColumn(field)) continue
      if (field.reference.owner) {
        const owned = await db.from(user.table).selectAll().where(name, '=', row.id).orderBy('id').execute()
        for (const child of owned) await erase(db, user, decode(user, child))
        continue
      }
      const use = await db.from(user.table).select('id').where(name, '=', row.id).limit(1).executeTakeFirst()
      if (use) throw conflict(`This ${of.one} is still in use by ${user.one} ${use.id} (${name})`, 'in_use')
    }
  }
  await db.delete(tableOf(of), { ...row, ...encode(of, row) })
}

/** A reference that leads nowhere is taken out of the changes. */
async function checkReferences(db: Reader, of: Resource<any>, attempts: Attempt<any>[]): Promise<void> {
  const uses = new Map<string, { attempt: Attempt<any>; name: string; id: number }[]>()
  for (const [name, field] of columnsOf(of)) {
    if (!field.reference) continue
    const of_ = uses.get(field.reference.table) ?? []
    for (const one of attempts) {
      const id = (one.changes as Sent)[name]
      if (typeof id === 'number') of_.push({ attempt: one, name, id })
    }
    uses.set(field.reference.table, of_)
  }
  for (const [table, wanted] of uses) {
    if (wanted.length === 0) continue
    const found = await existing(
      db,
      table,
      wanted.map((use) => use.id),
    )
    for (const { attempt, name, id } of wanted) {
      if (found.has(id)) continue
      attempt.fail(name, 'not_found', `must be the id of an existing record of ${table}`)
      delete (attempt.changes as Sent)[name]
    }
  }
}

/** Which of the ids there are in a table. */
export async function existing(db: Reader, table: string, ids: number[]): Promise<Set<number>> {
  const rows = await db
    .from(table)
    .select('id')
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Set(rows.map((row) => row.id))
}

/** A text is taken when another record holds it, or another attempt before this one wants it. */
async function checkUnique(db: Reader, of: Resource<any>, attempts: Attempt<any>[]): Promise<void> {
  for (const [name, field] of columnsOf(of)) {
    if (!field.unique) continue
    const wanted = attempts.flatMap((one) => {
      const text = (one.changes as Sent)[name]
      return typeof text === 'string' ? [{ one, key: fold(text) }] : []
    })
    if (wanted.length === 0) continue
    const keys = [...new Set(wanted.map(({ key }) => key))]
    const rows = await db
      .from(of.table)
      .select(['id', `${name}_key as key`])
      .where(`${name}_key`, 'in', keys)
      .execute()
    const holder = new Map<string, unknown>(rows.map((row) => [row.key, row.id]))
    for (const { one, key } of wanted) {
      const held = holder.get(key)
      if (held !== undefined && held !== one.before?.id) one.fail(name, 'taken', 'has already been taken')
      else holder.set(key, one.before?.id ?? one)
    }
  }
}

const columnsOf = (of: Resource<any>) => Object.entries(of.fields as Fields).filter(([, field]) => isColumn(field))

const initialOf = (of: Resource<any>): Sent =>
  Object.fromEntries(columnsOf(of).map(([name, field]) => [name, field.initial]))

/** Sent values → values in memory. A cleared field goes back to what it holds when never given. */
export function parse(of: Resource<any>, sent: Sent): Sent {
  const values: Sent = {}
  for (const [name, field] of columnsOf(of))
    if (sent[name] !== undefined) values[name] = sent[name] === null ? field.initial : field.parse(sent[name])
  return values
}

/** Values in memory → columns, with the folded twins of unique texts. */
function encode(of: Resource<any>, values: Sent): Sent {
  const columns: Sent = {}
  for (const [name, field] of columnsOf(of)) {
    if (values[name] === undefined) continue
    columns[name] = field.write(values[name])
    if (field.unique || field.folded)
      columns[`${name}_key`] = values[name] === null ? null : fold(values[name] as string)
  }
  return columns
}

/** The table as the write path sees it: folded twins and secrets stay out of the ledger. */
function tableOf(of: Resource<any>) {
  const unledgered = columnsOf(of).flatMap(([name, field]) => [
    ...(field.unique || field.folded ? [`${name}_key`] : []),
    ...(field.secret ? [name] : []),
  ])
  return { table: of.table, unledgered }
}
