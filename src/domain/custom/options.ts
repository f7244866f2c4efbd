import Type, { type TObject } from 'typebox'
import type { Field, Fields, Resource, Row } from '../../engine/declaration.ts'
import { reference, text } from '../../engine/field.ts'
import { fold } from '../../engine/format.ts'
import { type Call, operation } from '../../engine/operation.ts'
import { metadata, pagedAnswer } from '../../engine/page.ts'
import { conflict, type FieldProblem, invalid, wrong } from '../../engine/problem.ts'
import { amend, create, erase, find, insertAll } from '../../engine/records.ts'
import { card, fieldOf, kindOf, resource } from '../../engine/resource.ts'
import { recordId, schemaOf, wrapped } from '../../engine/schema.ts'
import { listsFor, showOne } from '../../engine/shape.ts'
import { chunks } from '../../records/chunks.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import type { DefinitionFields } from './definition.ts'
import { isSelect, MOST_OPTIONS, type Option, optionMark } from './values.ts'

/** The options that values of select fields are chosen from. */

/** The body parameter that gives a new field its options. */
export const optionsInput = Type.Array(Type.String({ format: 'line', minLength: 1, maxLength: 255 }), {
  maxItems: MOST_OPTIONS,
  description: 'Names of the options; only for the types `single_select` and `multi_select`',
})

export function checkOptions(type: string | null | undefined, options: unknown, problems: FieldProblem[]): void {
  if (!Array.isArray(options) || options.length === 0) return
  if (!isSelect(type ?? undefined))
    problems.push(wrong('options', 'not_allowed', 'are only allowed for single_select and multi_select fields'))
  if (new Set(options.map(fold)).size < options.length)
    problems.push(wrong('options', 'taken', 'must be different from each other'))
}

/** Reads the options of several fields, kept in a table that names the fields in a column. */
export const optionsIn =
  (table: string, via: string) =>
  async (db: Reader, ids: number[]): Promise<Map<number, Option[]>> => {
    const query = db.from(table).select(['id', `${via} as field`, 'value'])
    const rows = await query.where(via, 'in', ids).orderBy('id').execute()
    return listsFor(
      ids,
      rows.map(({ id, field, value }) => [field, { id, value }]),
    )
  }

/** The table of options, the column that names their definition, and the tables of definitions and values. */
type OptionTables = { table: string; via: string; definitions: string; values: string }
const choosings: OptionTables[] = []

/** All kinds of options. */
export const allOptions = (): readonly OptionTables[] => choosings

/** The options of a kind of definitions: their records and their operations. */
export function optionsOf(
  definitions: Resource<DefinitionFields & Fields>,
  kind: {
    /** The column that names the definition. */
    via: string
    /** Where values are kept, and the column that names whose they are. */
    values: { table: string; owner: string }
    /** Refuses who does not see what is in the field. */
    requireSight: (db: Reader, of: Row<Resource<DefinitionFields & Fields>>) => void | Promise<void>
  },
) {
  const { via, values, requireSight } = kind
  const { one, area, title } = definitions
  const table = `${one.replaceAll(' ', '_')}_options`
  const path = `${definitions.path}/{${via}}/options`
  choosings.push({ table, via, definitions: definitions.table, values: values.table })
  const options = resource({ table, one: `${one} option`, area, path }, {
    [via]: reference(definitions.table, { required: true, owner: true, part: true }),
    value: text({ required: true, folded: true, example: 'Large' }),
  } as { value: Field<string> } & Fields)
  const shape = card(options, `${title}Option`, ['id', 'value'])
  const load = optionsIn(table, via)

  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const targetOf = (name: string) => (name === via ? options : definitions).fields[name]?.reference?.table as string
  const above = Object.fromEntries(names.map((name) => [name, recordId(targetOf(name))]))
  const ofField = Type.Object(above) as TObject
  const ofOption = Type.Object({ ...above, id: recordId(table) }) as TObject
  const input = options.fields.value.input ?? Type.String()

  const findField = (db: Reader, params: Record<string, number>) => find(db, definitions, params[via] as number)
  const findOption = (db: Reader, fieldId: number, id: number) => find(db, options, id, { [via]: fieldId })
  /** The field, if the caller may change what is in it. */
  const findOwn = async (db: Reader, params: Record<string, number>) => {
    const field = await findField(db, params)
    await requireSight(db, field)
    return field
  }

  async function checkFreeValue(db: Reader, fieldId: number, value: string, except?: number): Promise<void> {
    const query = db.from(table).select('id').where(via, '=', fieldId)
    const duplicate = await query.where('value_key', '=', fold(value)).executeTakeFirst()
    if (duplicate && duplicate.id !== except) throw invalid(wrong('value', 'taken', 'has already been taken'))
  }

  async function refuseMore(db: Reader, fieldId: number): Promise<void> {
    const there = await db.from(table).select('id').where(via, '=', fieldId).limit(MOST_OPTIONS).execute()
    if (there.length >= MOST_OPTIONS) throw conflict(`The field already has ${MOST_OPTIONS} options, the maximum.`)
  }

  /** Those who hold an option show its text: they have changed with it. */
  async function touchHolders(db: Writer, fieldId: number, optionId: number): Promise<void> {
    const whose = fieldOf(kindOf(values.table), values.owner).reference?.table
    const rows = await db
      .from(values.table)
      .select(`${values.owner} as owner`)
      .distinct()
      .where(via, '=', fieldId)
      .where('value', 'like', `%${optionMark(optionId)}%`)
      .execute()
    const ids = rows.map(({ owner }) => owner as number)
    for (const some of chunks(ids, 1000)) if (whose) await db.touch(whose, some)
  }

  /** Gives a new field its options. */
  const add = (db: Writer, fieldId: number, texts: readonly string[] | null | undefined) =>
    insertAll(
      db,
      options,
      (texts ?? []).map((value) => ({ [via]: fieldId, value })),
    )

  const operations = [
    operation(
      {
        id: `list${title}Options`,
        method: 'GET',
        path,
        summary: 'List the options of a select field',
        area,
        params: ofField,
        answer: pagedAnswer(schemaOf(shape)),
        indexedColumns: [`${table}.${via}`],
      },
      async ({ db, params }: Call<Reader>) => {
        const { id } = await findField(db, params)
        const data = (await load(db, [id])).get(id) ?? []
        const all = { page: 1, size: MOST_OPTIONS, skipped: 0 }
        return { body: { data, metadata: metadata(all, data.length, data.length) } }
      },
    ),
    operation(
      {
        id: `create${title}Option`,
        method: 'POST',
        path,
        summary: 'Add an option to a select field',
        area,
        params: ofField,
        body: Type.Object({ value: input }, { title: `Create${title}Option` }) as TObject,
        status: 201,
        answer: wrapped(schemaOf(shape)),
        conflicts: `The field is not a select field, or already has ${MOST_OPTIONS} options`,
      },
      async ({ db, params, body }: Call<Writer>) => {
        const field = await findOwn(db, params)
        if (!isSelect(field.type)) throw conflict('Only single_select and multi_select fields have options.')
        await checkFreeValue(db, field.id, body.value)
        await refuseMore(db, field.id)
        const id = await create(db, options, { [via]: field.id, value: body.value })
        const place = path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
        return { body: await showOne(db, shape, id), location: `${place}/${id}` }
      },
    ),
    operation(
      {
        id: `get${title}Option`,
        method: 'GET',
        path: `${path}/{id}`,
        summary: 'Get an option of a select field',
        area,
        params: ofOption,
        answer: wrapped(schemaOf(shape)),
      },
      async ({ db, params }: Call<Reader>) => {
        const field = await findField(db, params)
        return { body: await showOne(db, shape, (await findOption(db, field.id, params.id)).id) }
      },
    ),
    operation(
      {
        id: `update${title}Option`,
        method: 'PUT',
        path: `${path}/{id}`,
        summary: 'Rename an option of a select field',
        note: 'Every record that has this option as a value then shows the new name and gets a new `updated_at`.',
        area,
        params: ofOption,
        body: Type.Object({ value: Type.Optional(input) }, { title: `Update${title}Option` }) as TObject,
        answer: wrapped(schemaOf(shape)),
      },
      async ({ db, params, body }: Call<Writer>) => {
        const field = await findOwn(db, params)
        const option = await findOption(db, field.id, params.id)
        if (body.value) await checkFreeValue(db, field.id, body.value, option.id)
        const earlier = db.changeCount()
        await amend(db, options, option, body)
        if (db.changeCount() > earlier) await touchHolders(db, field.id, option.id)
        return { body: await showOne(db, shape, option.id) }
      },
    ),
    operation(
      {
        id: `delete${title}Option`,
        method: 'DELETE',
        path: `${path}/{id}`,
        summary: 'Delete an option of a select field',
        area,
        params: ofOption,
        conflicts: 'Other records have the option as a value',
      },
      async ({ db, params }: Call<Writer>) => {
        const field = await findOwn(db, params)
        const option = await findOption(db, field.id, params.id)
        const use = await db
          .from(values.table)
          .select(`${values.owner} as owner`)
          .where(via, '=', field.id)
          .where('value', 'like', `%${optionMark(option.id)}%`)
          .limit(1)
          .executeTakeFirst()
        const whose = values.owner.replace(/_id$/, '').replaceAll('_', ' ')
        if (use)
          throw conflict(
            `This option is still in use by ${whose} ${use.owner}. Choose another option for that ${whose} first.`,
            'in_use',
          )
        await erase(db, options, option)
        return {}
      },
    ),
  ]
  return { options, load, add, operations }
}
