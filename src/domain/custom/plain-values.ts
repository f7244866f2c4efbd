import Type, { type TSchema } from 'typebox'
import { hiddenGroupPredicate } from '../../engine/access-scope/reader-access.ts'
import type { Field, Fields } from '../../engine/declaration.ts'
import { reference } from '../../engine/field.ts'
import { amend, erase, insertAll, rowsOf } from '../../engine/records.ts'
import { pascal, resource } from '../../engine/resource.ts'
import { prepared } from '../../records/prepared.ts'
import { cached, type Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { customFields } from './definitions.ts'
import { type CustomFieldInput, hasCustomFields, readCustomFields } from './field-input.ts'
import { registerReferences, storedValueField } from './record-references.ts'
import { isSelect, isWithheld, noteProtected, type Option, type RecordType, showValue } from './values.ts'

/** Values that name records are shown as ids here, so no names are looked up. */
const NAMELESS = new Map<number, string>()

type FieldDefinition = { id: number; name: string; internal_name: string; type: string; protection: string | null }
export type NewFieldValue = { field: number; value: string | null }

/** Custom fields without groups and history, shown as a list. */
export function plainCustomFields(kind: {
  one: string
  owner: string
  area: string
  path: string
  example: string
  groups: readonly string[]
  referent: RecordType
}) {
  const { one, owner, referent } = kind
  const definitions = customFields(kind)
  const via = `${one}_field_id`
  const ownerId = `${one}_id`
  const belonging = { fields: `${one}_fields`, via, referent }

  const values = resource(
    { table: `${one}_field_values`, one: `${one} field value`, area: kind.area, path: `${kind.path}/values` },
    {
      [ownerId]: reference(owner, { required: true, owner: true, part: true }),
      [via]: reference(`${one}_fields`, { required: true }),
      value: storedValueField(belonging),
    } as { value: Field<string | null> } & Fields,
  )

  registerReferences({ values, ...belonging })

  const output = Type.Array(
    Type.Object(
      { [via]: Type.Integer(), name: Type.String(), internal_name: Type.String(), value: Type.Unsafe<unknown>({}) },
      { title: `${pascal(one)}CustomField` },
    ),
  ) as TSchema

  const allFields = prepared((from) =>
    from(`${one}_fields`).select(['id', 'name', 'internal_name', 'type', 'protection']).orderBy('id'),
  )
  const definitionsOf = (db: Reader): Promise<FieldDefinition[]> => db.run(allFields, {})

  /** The options of those fields that have some, by field. */
  async function optionsOf(db: Reader, fields: FieldDefinition[]): Promise<Map<number, Option[]>> {
    const selects = fields.filter(({ type }) => isSelect(type)).map(({ id }) => id)
    return selects.length ? definitions.loadOptions(db, selects) : new Map()
  }

  /** The fields and the texts of their options: few, and the same for everybody. */
  const known = (db: Reader) =>
    cached(db, `custom fields of ${owner}`, async (own) => {
      const fields = await definitionsOf(own)
      const options = [...(await optionsOf(own, fields)).values()].flat()
      return { fields, options: new Map(options.map(({ id, value }) => [id, value])) }
    })

  const owned = prepared<{ ids: number[] }>((from, { ids }) =>
    from(values.table)
      .select([`${ownerId} as owner`, `${via} as field`, 'value'])
      .where(ownerId, 'in', ids),
  )

  async function load(db: Reader, ids: number[]): Promise<Map<number, unknown>> {
    const { fields: all, options } = await known(db)
    const fields = all.filter(({ protection }) => !isWithheld(db, protection))
    if (fields.length === 0) return new Map(ids.map((id) => [id, []]))
    const rows = await db.run(owned, { ids })
    noteProtected(db, owner, fields, () =>
      rows.map((row) => ({ record: row.owner, field: row.field, value: row.value })),
    )
    const kept = new Map(rows.map((row) => [`${row.owner} ${row.field}`, row.value as string | null]))
    const isUnseen = await hiddenGroupPredicate(db, owner, ids)
    const listOf = (id: number) =>
      fields
        .filter(({ protection }) => !isUnseen(id, protection))
        .map((field) => {
          const raw = kept.get(`${id} ${field.id}`) ?? null
          const shown = showValue(field.type, raw, referent, { options, records: NAMELESS })
          const value = field.type === referent.type ? raw && Number(raw) : shown.value
          return { [via]: field.id, name: field.name, internal_name: field.internal_name, value }
        })
    return new Map(ids.map((id) => [id, listOf(id)]))
  }

  /** Reads what a body holds for custom fields, flat by internal name or under `fields`. */
  async function read(db: Reader, sending: CustomFieldInput): Promise<NewFieldValue[]> {
    if (!hasCustomFields(sending)) return []
    const optionsIn = (fields: FieldDefinition[]) => optionsOf(db, fields)
    const [read = []] = await readCustomFields(db, [sending], await definitionsOf(db), optionsIn, referent)
    return read.map(({ field, value }) => ({ field: field.id, value }))
  }

  async function store(db: Writer, owner: number, read: NewFieldValue[]): Promise<void> {
    if (read.length === 0) return
    const rows = await rowsOf(values, db.from(values.table).where(ownerId, '=', owner))
    for (const { field, value } of read) {
      const row = rows.find((one) => one[via] === field)
      if (!row && value !== null) await insertAll(db, values, [{ [ownerId]: owner, [via]: field, value }])
      else if (row && value === null) await erase(db, values, row)
      else if (row) await amend(db, values, row, { value })
    }
  }

  return { ...definitions, values, output, load, read, store }
}

/** The body parameter that holds custom fields by name. */
export const fieldsInput = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description:
    'Values of custom fields, by `internal_name` of the field. You can also send them at the top level of the body',
})
