import type { Resource } from '../engine/declaration.ts'
import { amend, rowsOf } from '../engine/records.ts'
import type { Writer } from '../ledger/write.ts'
import type { Referent } from './values.ts'

/** Values of custom fields that name records: the database does not know of these references, so we do. */

type Naming = { values: Resource; fields: string; via: string; referent: Referent }
const all: Naming[] = []

/** Tells that values of some fields may name records. */
export const mayName = (naming: Naming) => void all.push(naming)

/** Takes the name of a record that goes out of all custom values. */
export async function forgetReferences(db: Writer, table: string, id: number): Promise<void> {
  for (const { values, fields, via, referent } of all) {
    if (referent.table !== table) continue
    const naming = db
      .from(values.table)
      .where(via, 'in', db.from(fields).select('id').where('type', '=', referent.type))
      .where('value', '=', String(id))
    for (const row of await rowsOf(values, naming)) await amend(db, values, row, { value: null } as object)
  }
}
