import type { Query, Reader } from '../records/reader.ts'
import type { Writer } from '../records/write.ts'
import { holdsFor, withPermission } from './access-scope/reader-access.ts'
import { subjectPathsOf } from './access-scope/subjects.ts'
import type { Field, Resource, Row, Sent } from './declaration.ts'
import { permits } from './permission.ts'
import type { FieldProblem } from './problem.ts'
import { attempt, checkAll, type Rule, rowsOf, seesAll, storeChanges } from './records.ts'

/** What a subject holds, such as records that name it as responsible: listed, counted, and given to another subject. */

/** The subject, and the day on which it is looked at. */
export type Holder = { readonly table: string; readonly id: number; readonly day: string }

/** One record, and the id of its new holder. If it cannot be given, the reasons are added to `problems`. */
export type Gift = { readonly id: number; readonly to: number; readonly problems: FieldProblem[] }

export type Giving = {
  /** The permission that changing such a record needs. */
  readonly permission: string
  /** Can it be given from a future day on? Otherwise it changes at once. */
  readonly isDated: boolean
  /** The field that names the subject: its problems are problems of the new holder. */
  readonly field: string
  give(db: Writer, gifts: readonly Gift[], holder: Holder): Promise<void>
}

/** One kind of record that a subject can hold. Each area declares its own; `combine` puts them together. */
export type HeldKind = {
  /** Its name in requests and responses. */
  readonly kind: string
  /** Reading these records takes the permission to read this resource. */
  readonly of: Resource
  /** What it is, for the reference. */
  readonly note: string
  /** Are the records about the holder? Then a role that covers the holder covers all of them. */
  readonly isAboutHolder?: boolean
  /** What becomes of it if nobody gives it: it stays with the holder, moves to the next one in line, or ends. */
  readonly otherwise: 'stays' | 'moves' | 'ends'
  /** What the holder is there; a column `role` takes precedence. */
  readonly role: string
  /** Selects `id` and `name`, or what `nameOf` makes a name of, and `role`, `state`, `starts_on` and `ends_on` if there are such. */
  readonly rows: (db: Reader, holder: Holder) => Query | Promise<Query>
  readonly nameOf?: (row: any) => string
  readonly giving?: Giving
  /** The records are things to be handed in: somebody can be asked to collect them. */
  readonly isCollected?: boolean
}

export type HeldRecord = {
  id: number
  name: string
  role: string
  state: string | null
  starts_on: string | null
  ends_on: string | null
}

/** How much of a kind a caller may see: all that the holder has of it, a part, or nothing. */
export function sightOf(db: Reader, { of, isAboutHolder }: HeldKind, holder: Holder): 'all' | 'part' | 'none' {
  const { caller } = db
  if (!permits(caller.permissions, of.readWith) || (of.group && caller.withheld.has(of.group))) return 'none'
  if (of.rowPolicy) return of.rowPolicy.seesAll(caller) ? 'all' : 'part'
  if (isAboutHolder) return holdsFor(db, of.readWith, holder.table, holder.id) ? 'all' : 'none'
  const paths = subjectPathsOf(of)
  if (!paths || seesAll(of, readerOf(db, of.readWith))) return 'all'
  return paths.length === 0 ? 'none' : 'part'
}

/** A reader that sees what a permission covers, whatever the operation needs. */
export const readerOf = (db: Reader, permission: string): Reader => withPermission(db.responseReader ?? db, permission)

/** The first records of a kind that a subject holds, and how many there are. */
export async function listHeld(
  db: Reader,
  one: HeldKind,
  holder: Holder,
  most: number,
): Promise<{ total: number; records: HeldRecord[] }> {
  const rows: Record<string, any>[] = await (await one.rows(db, holder)).limit(most + 1).execute()
  const records = rows.slice(0, most).map((row) => ({
    id: row.id,
    name: one.nameOf?.(row) ?? row.name,
    role: row.role ?? one.role,
    state: row.state ?? null,
    starts_on: row.starts_on ?? null,
    ends_on: row.ends_on ?? null,
  }))
  return { records, total: rows.length > most ? await countRows(await one.rows(db, holder)) : rows.length }
}

const countRows = async (query: Query): Promise<number> => {
  const counted = query.clearSelect().clearOrderBy()
  return Number((await counted.select((eb) => eb.fn.countAll().as('n')).executeTakeFirst())?.n ?? 0)
}

/** How many records a subject holds, by kind. Kinds that the caller may not read are missing. */
export async function countHeld(
  db: Reader,
  kinds: readonly HeldKind[],
  holder: Holder,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const one of kinds)
    if (sightOf(db, one, holder) !== 'none')
      counts[one.kind] = await countRows(await one.rows(readerOf(db, one.of.readWith), holder))
  return counts
}

/** Gives records by writing the new holder into one of their columns. */
export const givenByColumn =
  <R extends Resource<Record<string, Field<any>>>>(
    of: R,
    column: keyof Row<R> & string,
    rules: readonly Rule<NoInfer<R>>[],
    then?: (db: Writer, id: number, to: number) => Promise<void>,
  ): Giving['give'] =>
  async (db, gifts) => {
    const byId = new Map(gifts.map((gift) => [gift.id, gift]))
    const attempts = (await rowsOf(of, db.from(of.table).where('id', 'in', [...byId.keys()]))).map((row) => {
      const gift = byId.get((row as { id: number }).id) as Gift
      return attempt(db, of, row, { [column]: gift.to } as Sent<R>, gift.problems)
    })
    await checkAll(db, of, attempts, rules)
    await storeChanges(db, of, attempts)
    if (then) for (const { id, to, problems } of gifts) if (problems.length === 0) await then(db, id, to)
  }
