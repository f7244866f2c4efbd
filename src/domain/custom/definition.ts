import type { TObject, TSchema } from 'typebox'
import type { Field, Fields, Resource } from '../../engine/declaration.ts'
import { choice, protection, readOnly, text } from '../../engine/field.ts'
import type { Operation } from '../../engine/operation.ts'
import type { Rule } from '../../engine/records.ts'
import type { Query } from '../../records/reader.ts'
import { PLAIN_TYPES, type RecordType } from './values.ts'

/** What every definition of a value holds, be it a field of records or a column of a table, and how it is named. */

export type DefinitionFields = {
  name: Field<string>
  internal_name: Field<string>
  type: Field<string>
  protection: Field<string | null>
}

export type DefinitionRule = Rule<Resource<DefinitionFields & Fields>>

/** The field group of the values of a custom field, column or table. */
export const protectionBy = (groups: readonly string[], what: string) =>
  protection(
    groups,
    `Field group that protects ${what}: only people and API keys that may see this group can read or set ${what}. Null: not protected`,
    groups.find((one) => one === 'personal'),
  )

/** The fields of a definition. Names are unique in the account, or only `folded` where something else sees to that. */
export function definitionFields(kind: {
  groups: readonly string[]
  referent: RecordType
  what: string
  example: string
  named?: { unique: true } | { folded: true }
}): DefinitionFields {
  const { groups, referent, what, example, named = { unique: true } } = kind
  return {
    name: text({ required: true, searched: true, ...named, example }),
    internal_name: readOnly(
      text({
        required: true,
        ...named,
        note: 'Name that programs use for the field. Derived from `name` when the field is created; never changes',
      }),
    ),
    type: choice([...PLAIN_TYPES, referent.type], { required: true, example: 'text' }),
    protection: protectionBy(groups, what),
  }
}

/** Names that mean something whatever the kind of record: no definition may take them. */
const RESERVED = ['id', 'fields', 'custom_fields', 'data', 'page', 'per_page', 'sort', 'q', 'account']

/** The names that operations have a meaning for, in bodies, queries and answers. */
export const namesIn = (operations: readonly Operation[]) =>
  operations.flatMap(({ body, query, answer }) => {
    const record = answer?.properties.data as TSchema & { items?: TSchema }
    const shapes = [body, query, record, record?.items] as (TObject | undefined | null)[]
    return shapes.flatMap((shape) =>
      Object.entries((shape?.properties ?? {}) as Record<string, { 'x-also'?: string[] }>).flatMap(([name, one]) => [
        name,
        ...(one['x-also'] ?? []),
      ]),
    )
  })

/** `Tax number` → `tax_number`, with a number behind it when that is reserved or taken among the records of a query. */
export async function internalName(
  among: Query,
  name: string,
  fallback: string,
  reserved: Iterable<string> = [],
): Promise<string> {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const base = plain
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 60)
    // A name of digits alone would be taken for an id.
    .replace(/^(?=\d+$)|^$/, `${fallback}_`)
    .replace(/_$/, '')
  const rows = await among.select('internal_name').where('internal_name', 'like', `${base}%`).execute()
  const taken = new Set([...rows.map((row) => row.internal_name), ...RESERVED, ...reserved])
  let free = base
  for (let n = 2; taken.has(free); n++) free = `${base}_${n}`
  return free
}

export const typeStays: DefinitionRule = ({ before, changes, fail }) => {
  if (changes.type && changes.type !== before?.type)
    fail('type', 'fixed', 'cannot be changed after the field is created. Create a new field instead')
}
