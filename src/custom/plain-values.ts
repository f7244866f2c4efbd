import Type, { type TSchema } from 'typebox'
import type { Reader } from '../database/handle.ts'
import type { Writer } from '../database/write.ts'
import { type Field, longText, reference } from '../engine/field.ts'
import type { FieldProblem } from '../engine/problem.ts'
import { amend, erase, existing, insertAll } from '../engine/records.ts'
import { decode, pascal, resource } from '../engine/resource.ts'
import { customFields } from './definitions.ts'
import { isSelect, keepValue, type Option, showValue } from './values.ts'

/** Values that name employees are shown as ids here, so no names are looked up. */
const NOBODY = new Map<number, string>()

/** Custom fields without groups and history, shown as a list: those of candidates and vacancies. */
export function plainCustomFields(kind: { one: string; owner: string; area: string; path: string }) {
  const { one, owner } = kind
  const definitions = customFields({ ...kind, more: {} })
  const via = `${one}_field_id`
  const ownerId = `${one}_id`

  const values = resource(
    { table: `${one}_field_values`, one: `${one} field value`, area: kind.area, path: `${kind.path}/values` },
    {
      [ownerId]: reference(owner, { required: true, owner: true }) as Field,
      [via]: reference(`${one}_fields`, { required: true }) as Field,
      value: longText({ nullable: true }),
    },
  )

  const output = Type.Array(
    Type.Object(
      { [via]: Type.Integer(), name: Type.String(), internal_name: Type.String(), value: Type.Unsafe<unknown>({}) },
      { title: `${pascal(one)}CustomField` },
    ),
  ) as TSchema

  const definitionsOf = (db: Reader): Promise<any[]> =>
    db.from(`${one}_fields`).select(['id', 'name', 'internal_name', 'type']).orderBy('id').execute()

  async function load(db: Reader, ids: number[]): Promise<Map<number, unknown>> {
    const fields = await definitionsOf(db)
    if (fields.length === 0) return new Map(ids.map((id) => [id, []]))
    const rows = await db
      .from(values.table)
      .select([`${ownerId} as owner`, `${via} as field`, 'value'])
      .where(ownerId, 'in', ids)
      .execute()
    const options = await optionTexts(db, fields)
    const kept = new Map(rows.map((row) => [`${row.owner} ${row.field}`, row.value as string | null]))
    const listOf = (id: number) =>
      fields.map((field) => {
        const raw = kept.get(`${id} ${field.id}`) ?? null
        const value = field.type === 'employee' ? raw && Number(raw) : showValue(field.type, raw, options, NOBODY).value
        return { [via]: field.id, name: field.name, internal_name: field.internal_name, value }
      })
    return new Map(ids.map((id) => [id, listOf(id)]))
  }

  async function optionTexts(db: Reader, fields: any[]): Promise<Map<number, string>> {
    const selects = fields.filter(({ type }) => isSelect(type)).map(({ id }) => id)
    if (selects.length === 0) return new Map()
    const lists = await definitions.loadOptions(db, selects)
    return new Map([...lists.values()].flat().map((option) => [option.id, option.value]))
  }

  /** Reads what a body holds for custom fields, flat by internal name or under `fields`. */
  async function read(
    db: Reader,
    sent: { extra: Record<string, unknown>; fields?: any; ignored: Set<string>; problems: FieldProblem[] },
  ) {
    const names = [...Object.keys(sent.extra), ...Object.keys(sent.fields ?? {})]
    if (names.length === 0) return []
    const fields = await definitionsOf(db)
    const wanted = fields.filter(({ internal_name }) => names.includes(internal_name))
    const selects = wanted.filter(({ type }) => isSelect(type)).map(({ id }) => id)
    const options = selects.length ? await definitions.loadOptions(db, selects) : new Map<number, Option[]>()
    const read: { field: number; value: string | null }[] = []
    for (const { id, internal_name, type } of wanted) {
      const raw = sent.extra[internal_name] ?? sent.fields?.[internal_name] ?? null
      sent.ignored.delete(internal_name)
      const people =
        type === 'employee' && Number(raw) > 0 ? await existing(db, 'employees', [Number(raw)]) : new Set<number>()
      const value = keepValue(type, raw, options.get(id) ?? [], people)
      if (typeof value === 'object' && value !== null)
        sent.problems.push({ field: internal_name, code: value.code, message: `${internal_name} ${value.message}` })
      else read.push({ field: id, value })
    }
    return read
  }

  async function store(db: Writer, owner: number, read: { field: number; value: string | null }[]): Promise<void> {
    if (read.length === 0) return
    const rows = await db.from(values.table).selectAll().where(ownerId, '=', owner).execute()
    for (const { field, value } of read) {
      const row = rows.find((one) => one[via] === field)
      if (!row && value !== null) await insertAll(db, values, [{ [ownerId]: owner, [via]: field, value }])
      else if (row && value === null) await erase(db, values, decode(values, row))
      else if (row) await amend(db, values, decode(values, row), { value })
    }
  }

  return { ...definitions, values, output, load, read, store }
}

/** The body parameter that holds custom fields by name. */
export const fieldsInput: TSchema = Type.Unsafe({
  type: 'object',
  description: 'Custom fields by their internal names; they may also stand beside the other fields',
})
