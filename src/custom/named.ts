import type { Field, Resource } from '../engine/declaration.ts'
import { longText } from '../engine/field.ts'
import { attempt, eraseAll, rowsOf, storeChanges } from '../engine/records.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import type { Referent } from './values.ts'

/** Values of custom fields that name records: the database does not know of these references, so we do. */

/** What values are of, by which column they say so, and whom they name where the type of that is the referent's. */
type Belonging = { fields: string; via: string; referent: Referent }

export type Naming = Belonging & {
  values: Resource
  /** That nothing is named from some day on is a value too. */
  isDated?: boolean
  /** They are cells of tables, which show options as objects. */
  isCell?: boolean
}
const all: Naming[] = []

/** What a record holds in a custom field: as text, also the id of a record that it names. */
export const keptValue = ({ fields, via, referent }: Belonging): Field<string | null> => ({
  ...longText({ nullable: true }),
  naming: { to: referent.table, where: { via, of: fields, column: 'type', is: referent.type } },
})

/** Tells that values of some fields may name records. */
export const mayName = (naming: Naming) => void all.push(naming)

/** The values that may. */
export const namings = (): readonly Naming[] => all

const naming = (db: Reader, { values, fields, via, referent }: Naming, id: number) =>
  db
    .from(values.table)
    .where(via, 'in', db.from(fields).select('id').where('type', '=', referent.type))
    .where('value', '=', String(id))

/** How many custom values name a record, by their tables. */
export async function valuesNaming(db: Reader, table: string, id: number): Promise<{ table: string; count: number }[]> {
  const found: { table: string; count: number }[] = []
  for (const one of all) {
    if (one.referent.table !== table) continue
    const { n } = await naming(db, one, id)
      .select((eb) => eb.fn.countAll().as('n'))
      .executeTakeFirstOrThrow()
    if (Number(n) > 0) found.push({ table: one.values.table, count: Number(n) })
  }
  return found
}

/** Takes the name of a record that goes out of all custom values. */
export async function forgetReferences(db: Writer, table: string, id: number): Promise<void> {
  for (const one of all) {
    if (one.referent.table !== table) continue
    const rows = await rowsOf(one.values, naming(db, one, id))
    if (!one.isDated) await eraseAll(db, one.values, rows)
    else
      await storeChanges(
        db,
        one.values,
        rows.map((row) => attempt(db, one.values, row, { value: null } as object)),
      )
  }
}
