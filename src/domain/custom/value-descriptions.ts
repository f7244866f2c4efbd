import { namesOf } from '../../engine/names.ts'
import { type Kinds, rowsThatWere } from '../../engine/protection.ts'
import { ownerOf } from '../../engine/resource.ts'
import { type DescribedChange, grouped, shortened, type ValueDescriber } from '../../engine/sentence.ts'
import type { Columns } from '../../records/entries.ts'
import type { Reader } from '../../records/reader.ts'
import { type ValueReferences, valueReferences } from './record-references.ts'
import { idsIn, isSelect, showCell, showValue } from './values.ts'

/** Values of custom fields among changes: as the interface shows them, and in words. */

type ValueChange = Pick<DescribedChange, 'resource' | 'record_id' | 'action' | 'before' | 'after'>

const keptIn = ({ before, after }: ValueChange) => [before?.value, after?.value].filter((value) => value !== null)

/** Changes with the values of custom fields as the interface shows them, and records that they name by their ids. */
export async function withCustomValues<C extends ValueChange>(db: Reader, kinds: Kinds, changes: C[]): Promise<C[]> {
  const shown = new Map<C, C>()
  for (const naming of valueReferences()) {
    const own = changes.filter(({ resource }) => resource === naming.values.table)
    if (own.length === 0) continue
    const typeOf = await typesOf(db, kinds, naming, own)
    const chosen = own
      .filter((change) => isSelect(typeOf(change)))
      .flatMap((change) => keptIn(change).flatMap((kept) => (typeof kept === 'string' ? idsIn(kept) : [])))
    const options = await textsOf(db, kinds, naming, chosen)
    for (const change of own) {
      const type = typeOf(change)
      const inForm = (columns: Columns | null) =>
        type === undefined || typeof columns?.value !== 'string'
          ? columns
          : { ...columns, value: showKept(naming, type, columns.value, options) }
      shown.set(change, { ...change, before: inForm(change.before), after: inForm(change.after) })
    }
  }
  return changes.map((change) => shown.get(change) ?? change)
}

function showKept(
  { referent, isCell }: ValueReferences,
  type: string,
  kept: string,
  options: ReadonlyMap<number, string>,
) {
  if (type === referent.type) return Number(kept)
  const known = { options, records: new Map<number, string>() }
  return isCell ? showCell(type, kept, referent, known) : showValue(type, kept, referent, known).value
}

/** What shown values say, in words: options by their texts, records by their names. */
export async function customWords(
  db: Reader,
  kinds: Kinds,
  changes: readonly DescribedChange[],
): Promise<ValueDescriber> {
  const words = new Map<ValueChange, (shown: unknown) => string | undefined>()
  for (const naming of valueReferences()) {
    const { values, referent } = naming
    const own = changes.filter(({ resource }) => resource === values.table)
    if (own.length === 0) continue
    const typeOf = await typesOf(db, kinds, naming, own)
    const people = own.filter((change) => typeOf(change) === referent.type).flatMap(keptIn)
    const names = await namesOf(
      db,
      kinds,
      people.flatMap((id) => (typeof id === 'number' ? [[referent.table, id] as const] : [])),
    )
    for (const change of own)
      words.set(change, (shown) => {
        const type = typeOf(change)
        if (isSelect(type)) return shortened([shown].flat().map(optionText).join(', '))
        if (type === referent.type) return names(referent.table, Number(shown)) ?? `#${shown}`
        return type === 'number' ? grouped(String(shown)) : undefined
      })
  }
  return (change, name, value) =>
    name === 'value' && value !== null && value !== undefined ? words.get(change)?.(value) : undefined
}

const optionText = (shown: unknown): string =>
  typeof shown === 'object' && shown !== null && 'value' in shown ? String(shown.value) : String(shown)

/** The types of what values belong to: an entry of a whole record says to what, and for others it is looked up. */
async function typesOf(
  db: Reader,
  kinds: Kinds,
  { values, fields, via }: ValueReferences,
  own: readonly ValueChange[],
): Promise<(change: ValueChange) => string | undefined> {
  const named = new Map<number, unknown>()
  for (const { record_id, before, after } of own) {
    const field = (after ?? before)?.[via]
    if (field !== undefined) named.set(record_id, field)
  }
  const missing = own.map(({ record_id }) => record_id).filter((id) => !named.has(id))
  for (const [id, row] of await rowsThatWere(db, values, missing, [via])) named.set(id, row[via])
  const definitions = kinds.get(fields)
  const ids = [...new Set(named.values())] as number[]
  const types = definitions ? await rowsThatWere(db, definitions, ids, ['type']) : new Map()
  return ({ record_id }) => {
    const field = named.get(record_id) as number
    return types.get(field)?.type as string | undefined
  }
}

/** The texts of options, by their ids. */
async function textsOf(db: Reader, kinds: Kinds, { fields }: ValueReferences, ids: number[]) {
  const options = [...kinds.values()].find((of) => ownerOf(of)?.to === fields && 'value' in of.fields)
  if (!options || ids.length === 0) return new Map<number, string>()
  const rows = await rowsThatWere(db, options, ids, ['value'])
  return new Map(ids.map((id) => [id, String(rows.get(id)?.value ?? `#${id}`)]))
}
