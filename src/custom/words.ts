import { namesOf } from '../engine/names.ts'
import { type Kinds, rowsThatWere } from '../engine/protection.ts'
import { ownerOf } from '../engine/resource.ts'
import { grouped, shortened, type Told, type Words } from '../engine/sentence.ts'
import type { Reader } from '../ledger/reader.ts'
import { namings } from './named.ts'
import { idsIn, isSelect } from './values.ts'

/** What values of custom fields say, in words: options by their texts, records by their names. */
export async function customWords(db: Reader, kinds: Kinds, changes: readonly Told[]): Promise<Words> {
  const words = new Map<string, (kept: string) => string | undefined>()
  for (const { values, fields, via, referent } of namings()) {
    const own = changes.filter(({ resource }) => resource === values.table)
    const definitions = kinds.get(fields)
    if (own.length === 0 || !definitions) continue
    const ids = own.map(({ record_id }) => record_id)
    const rows = await rowsThatWere(db, values, ids, [via])
    const named = [...new Set([...rows.values()].map((row) => row[via] as number))]
    const types = await rowsThatWere(db, definitions, named, ['type'])
    const typeOf = (id: number) => types.get(rows.get(id)?.[via] as number)?.type as string | undefined
    const kept = own.flatMap(({ record_id, before, after }) =>
      [before?.value, after?.value].flatMap((value) =>
        typeof value === 'string' ? [{ type: typeOf(record_id), value }] : [],
      ),
    )
    const options = [...kinds.values()].find((of) => ownerOf(of)?.to === fields && 'value' in of.fields)
    const chosen = kept.filter(({ type }) => isSelect(type)).flatMap(({ value }) => idsIn(value))
    const texts = options ? await rowsThatWere(db, options, chosen, ['value']) : new Map<number, { value?: unknown }>()
    const people = kept.filter(({ type }) => type === referent.type).map(({ value }) => Number(value))
    const names = await namesOf(
      db,
      kinds,
      people.map((id) => [referent.table, id] as const),
    )
    for (const id of ids)
      words.set(`${values.table} ${id}`, (value) => {
        const type = typeOf(id)
        if (isSelect(type))
          return shortened(
            idsIn(value)
              .map((one) => texts.get(one)?.value ?? `#${one}`)
              .join(', '),
          )
        if (type === referent.type) return names(referent.table, Number(value)) ?? `#${value}`
        if (type === 'number') return grouped(value)
        return type === 'boolean' ? (value === 'true' ? 'yes' : 'no') : undefined
      })
  }
  return ({ resource, record_id }, name, value) =>
    name === 'value' && typeof value === 'string' ? words.get(`${resource} ${record_id}`)?.(value) : undefined
}
