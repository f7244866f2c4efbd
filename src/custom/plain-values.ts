import Type, { type TSchema } from 'typebox'
import type { Field, Fields } from '../engine/declaration.ts'
import { longText, reference } from '../engine/field.ts'
import type { FieldProblem } from '../engine/problem.ts'
import { amend, erase, existing, insertAll, rowsOf } from '../engine/records.ts'
import { pascal, resource } from '../engine/resource.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import { customFields } from './definitions.ts'
import { isSelect, keepValue, type Option, type Referent, showValue } from './values.ts'

/** Values that name records are shown as ids here, so no names are looked up. */
const NAMELESS = new Map<number, string>()

type Definition = { id: number; name: string; internal_name: string; type: string }
export type NewValue = { field: number; value: string | null }

/** Custom fields without groups and history, shown as a list. */
export function plainCustomFields(kind: {
  one: string
  owner: string
  area: string
  path: string
  referent: Referent
  reserved: readonly string[]
}) {
  const { one, owner, referent } = kind
  const definitions = customFields(kind)
  const via = `${one}_field_id`
  const ownerId = `${one}_id`

  const values = resource(
    { table: `${one}_field_values`, one: `${one} field value`, area: kind.area, path: `${kind.path}/values` },
    {
      [ownerId]: reference(owner, { required: true, owner: true, part: true }),
      [via]: reference(`${one}_fields`, { required: true }),
      value: longText({ nullable: true }),
    } as { value: Field<string | null> } & Fields,
  )

  const output = Type.Array(
    Type.Object(
      { [via]: Type.Integer(), name: Type.String(), internal_name: Type.String(), value: Type.Unsafe<unknown>({}) },
      { title: `${pascal(one)}CustomField` },
    ),
  ) as TSchema

  const definitionsOf = (db: Reader) =>
    db.from(`${one}_fields`).select(['id', 'name', 'internal_name', 'type']).orderBy('id').execute() as Promise<
      Definition[]
    >

  /** The options of those fields that have some, by field. */
  async function optionsOf(db: Reader, fields: Definition[]): Promise<Map<number, Option[]>> {
    const selects = fields.filter(({ type }) => isSelect(type)).map(({ id }) => id)
    return selects.length ? definitions.loadOptions(db, selects) : new Map()
  }

  async function load(db: Reader, ids: number[]): Promise<Map<number, unknown>> {
    const fields = await definitionsOf(db)
    if (fields.length === 0) return new Map(ids.map((id) => [id, []]))
    const rows = await db
      .from(values.table)
      .select([`${ownerId} as owner`, `${via} as field`, 'value'])
      .where(ownerId, 'in', ids)
      .execute()
    const options = new Map([...(await optionsOf(db, fields)).values()].flat().map(({ id, value }) => [id, value]))
    const kept = new Map(rows.map((row) => [`${row.owner} ${row.field}`, row.value as string | null]))
    const listOf = (id: number) =>
      fields.map((field) => {
        const raw = kept.get(`${id} ${field.id}`) ?? null
        const shown = showValue(field.type, raw, referent, { options, records: NAMELESS })
        const value = field.type === referent.type ? raw && Number(raw) : shown.value
        return { [via]: field.id, name: field.name, internal_name: field.internal_name, value }
      })
    return new Map(ids.map((id) => [id, listOf(id)]))
  }

  /** Reads what a body holds for custom fields, flat by internal name or under `fields`. */
  async function read(
    db: Reader,
    sent: { extra: Record<string, unknown>; fields: unknown; ignored: Set<string>; problems: FieldProblem[] },
  ): Promise<NewValue[]> {
    const under = (sent.fields ?? {}) as Record<string, unknown>
    const names = [...Object.keys(sent.extra), ...Object.keys(under)]
    if (names.length === 0) return []
    const wanted = (await definitionsOf(db)).filter(({ internal_name }) => names.includes(internal_name))
    const options = await optionsOf(db, wanted)
    const rawOf = ({ internal_name }: Definition) => sent.extra[internal_name] ?? under[internal_name] ?? null
    const named = wanted.filter(({ type }) => type === referent.type).map((field) => Number(rawOf(field)))
    const known = await existing(db, referent.table, named.filter(Number.isSafeInteger))
    return wanted.flatMap((field) => {
      sent.ignored.delete(field.internal_name)
      const definition = { name: field.internal_name, type: field.type, options: options.get(field.id) ?? [] }
      const read = keepValue(definition, rawOf(field), referent, (id) => known.has(id))
      if ('value' in read) return [{ field: field.id, value: read.value }]
      sent.problems.push(read.problem)
      return []
    })
  }

  async function store(db: Writer, owner: number, read: NewValue[]): Promise<void> {
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
  description: 'Custom fields by their internal names; they may also stand beside the other fields',
})
