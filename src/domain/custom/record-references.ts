import type { Field, Resource } from '../../engine/declaration.ts'
import { longText } from '../../engine/field.ts'
import { attempt, eraseAll, rowsOf, storeChanges } from '../../engine/records.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import type { RecordType } from './values.ts'

/** Values of custom fields that name records: the database does not know of these references, so we do. */

/** A table of values: the table of their definitions, the column that names the definition, and the type of record that a value can refer to. */
type ReferenceColumn = { fields: string; via: string; referent: RecordType }

export type ValueReferences = ReferenceColumn & {
  values: Resource
  /** That nothing is named from some day on is a value too. */
  isDated?: boolean
  /** They are cells of tables, which show options as objects. */
  isCell?: boolean
}
const all: ValueReferences[] = []

/** The stored value of a custom field. It is text, also if it is the id of a record. */
export const storedValueField = ({ fields, via, referent }: ReferenceColumn): Field<string | null> => ({
  ...longText({ nullable: true }),
  naming: { to: referent.table, where: { via, of: fields, column: 'type', is: referent.type } },
})

/** Registers values of custom fields that can refer to records. */
export const registerReferences = (naming: ValueReferences) => void all.push(naming)

/** All registered values that can refer to records. */
export const valueReferences = (): readonly ValueReferences[] => all

const naming = (db: Reader, { values, fields, via, referent }: ValueReferences, id: number) =>
  db
    .from(values.table)
    .where(via, 'in', db.from(fields).select('id').where('type', '=', referent.type))
    .where('value', '=', String(id))

/** Counts the custom values that refer to a record, by table. */
export async function countReferences(
  db: Reader,
  table: string,
  id: number,
): Promise<{ table: string; count: number }[]> {
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
