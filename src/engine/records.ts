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
  fail(field: keyof R['fields'] & string, code: string, message: string): void
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

/** Creates a record from sent values after all checks, and returns its id. */
export async function create<R extends Resource<any>>(
  db: Writer,
  of: R,
  sent: Sent,
  checks: Checks<R> = {},
): Promise<number> {
  const changes = parse(of, sent)
  const after = { ...initialOf(of), ...changes }
  await checkAttempt(db, of, null, changes, after, checks)
  const [id] = await insertAll(db, of, [after])
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
  checks: Checks<R> = {},
): Promise<void> {
  const changes = parse(of, sent)
  await checkAttempt(db, of, before, changes, { ...before, ...changes }, checks)
  await db.update(tableOf(of), { ...before, ...encode(of, before) }, encode(of, changes))
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

async function checkAttempt<R extends Resource<any>>(
  db: Writer,
  of: R,
  before: Row<R> | null,
  changes: Sent,
  after: Sent,
  { rules = [], problems = [] }: Checks<R>,
): Promise<void> {
  const fail = (field: string, code: string, message: string) => {
    problems.push({ field, code, message: `${field} ${message}` })
  }
  await checkReferences(db, of, changes, fail)
  await checkUnique(db, of, before, changes, fail)
  for (const rule of rules) await rule({ db, before, changes, after, fail } as unknown as Attempt<R>)
  if (problems.length > 0) throw invalid(problems)
}

type Fail = (field: string, code: string, message: string) => void

/** One statement for each table that is referred to. A reference that fails is taken out of the changes. */
async function checkReferences(db: Reader, of: Resource<any>, changes: Sent, fail: Fail): Promise<void> {
  const wanted = new Map<string, string[]>()
  for (const [name, field] of columnsOf(of)) {
    if (!field.reference || changes[name] === undefined || changes[name] === null) continue
    wanted.set(field.reference.table, [...(wanted.get(field.reference.table) ?? []), name])
  }
  for (const [table, names] of wanted) {
    const rows = await db
      .from(table)
      .select('id')
      .where(
        'id',
        'in',
        names.map((name) => changes[name]),
      )
      .execute()
    const found = new Set(rows.map((row) => row.id))
    for (const name of names) {
      if (found.has(changes[name])) continue
      fail(name, 'not_found', `must be the id of an existing record of ${table}`)
      delete changes[name]
    }
  }
}

async function checkUnique(
  db: Reader,
  of: Resource<any>,
  before: { id: number } | null,
  changes: Sent,
  fail: Fail,
): Promise<void> {
  for (const [name, field] of columnsOf(of)) {
    const value = changes[name]
    if (!field.unique || typeof value !== 'string') continue
    const taken = await db.from(of.table).select('id').where(`${name}_key`, '=', fold(value)).executeTakeFirst()
    if (taken && taken.id !== before?.id) fail(name, 'taken', 'has already been taken')
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
    if (field.unique) columns[`${name}_key`] = values[name] === null ? null : fold(values[name] as string)
  }
  return columns
}

/** The table as the write path sees it: folded twins and secrets stay out of the ledger. */
function tableOf(of: Resource<any>) {
  const unledgered = columnsOf(of).flatMap(([name, field]) => [
    ...(field.unique ? [`${name}_key`] : []),
    ...(field.secret ? [name] : []),
  ])
  return { table: of.table, unledgered }
}
