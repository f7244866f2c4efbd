import Type, { type TObject, type TSchema } from 'typebox'
import type { Field, Fields, Resource, Row } from '../engine/declaration.ts'
import { get, list, post, put, remove } from '../engine/derive.ts'
import { choice, loaded, readOnly, reference, text } from '../engine/field.ts'
import { fold } from '../engine/format.ts'
import { type Call, type Operation, operation } from '../engine/operation.ts'
import { conflict, type FieldProblem, invalid, notFound, wrong } from '../engine/problem.ts'
import { amend, create, erase, find, insertAll, type Rule } from '../engine/records.ts'
import { card, pascal, resource } from '../engine/resource.ts'
import { recordId, schemaOf, wrapped, wrappedList } from '../engine/schema.ts'
import { listsFor, showOne } from '../engine/shape.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import { isSelect, MOST_OPTIONS, type Option, optionMark, PLAIN_TYPES, type Referent, requireSight } from './values.ts'

const optionTexts = Type.Array(Type.String({ format: 'line', minLength: 1, maxLength: 255 }), {
  maxItems: MOST_OPTIONS,
  description: 'The options of a select field',
})

/** Names that mean something whatever the kind of record: no custom field may take them. */
const RESERVED = ['id', 'fields', 'custom_fields', 'data', 'page', 'per_page', 'sort', 'q', 'account']

/** The names that operations have a meaning for, in bodies, queries and answers. */
const namesIn = (operations: readonly Operation[]) =>
  operations.flatMap(({ body, query, answer }) => {
    const record = answer?.properties.data as TSchema & { items?: TSchema }
    const shapes = [body, query, record, record?.items] as (TObject | undefined | null)[]
    return shapes.flatMap((shape) => Object.keys(shape?.properties ?? {}))
  })

/** What a definition holds, of whichever kind. */
type Definition = {
  name: Field<string>
  internal_name: Field<string>
  type: Field<string>
  protection: Field<string | null>
}

export type DefinitionRule = Rule<Resource<Definition & Fields>>

/**
 * The custom fields that an account defines for one kind of record, with their options: `one` is `book`, say, and
 * names the tables `book_fields`, `book_field_options` and `book_field_values`.
 */
export function customFields(kind: {
  one: string
  area: string
  path: string
  /** The groups of data that can be withheld from callers. */
  groups: readonly string[]
  /** What values beyond the plain types may name. */
  referent: Referent
  /** Fields of the definition beyond those of every kind; `supply` fills in what is not sent. */
  more?: Fields
  optional?: string[]
  supply?: (db: Writer, body: Record<string, any>) => Promise<Record<string, unknown>>
  rules?: DefinitionRule[]
}) {
  const { one, area, path, referent } = kind
  const table = `${one}_fields`
  const optionTable = `${one}_field_options`
  const via = `${one}_field_id`
  const title = pascal(`${one}_field`)

  async function loadOptions(db: Reader, ids: number[]): Promise<Map<number, Option[]>> {
    const query = db
      .from(optionTable)
      .select(['id', `${via} as field`, 'value'])
      .where(via, 'in', ids)
    const rows = await query.orderBy('id').execute()
    return listsFor(
      ids,
      rows.map(({ id, field, value }) => [field, { id, value }]),
    )
  }

  const fields = resource({ table, one: `${one} field`, area, path }, {
    name: text({ required: true, unique: true, example: 'Badge number' }),
    internal_name: readOnly(text({ required: true, unique: true, note: 'Made from the name; never changes' })),
    type: choice([...PLAIN_TYPES, referent.type], { required: true, example: 'text' }),
    protection: choice(kind.groups, {
      note: 'The group of data that it belongs to: who is not to see that neither sees nor sets the field',
    }),
    ...kind.more,
    options: loaded(Type.Array(Type.Object({ id: Type.Integer(), value: Type.String() })), loadOptions),
  } as Definition & Fields)

  const options = resource({ table: optionTable, one: `${one} field option`, area, path: `${path}/{${via}}/options` }, {
    [via]: reference(table, { required: true, owner: true, part: true }),
    value: text({ required: true, folded: true, example: 'Blue' }),
  } as { value: Field<string> } & Fields)
  const optionShape = card(options, `${title}Option`, ['id', 'value'])

  /** `Tax number` → `tax_number`, with a number behind it when that is taken. */
  async function internalName(db: Reader, name: string, reserved: Iterable<string>): Promise<string> {
    const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    const base = plain
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 60)
      // A name of digits alone would be taken for an id.
      .replace(/^(?=\d+$)|^$/, 'field_')
      .replace(/_$/, '')
    const rows = await db.from(table).select('internal_name').where('internal_name', 'like', `${base}%`).execute()
    const taken = new Set([...rows.map((row) => row.internal_name), ...RESERVED, ...reserved])
    let free = base
    for (let n = 2; taken.has(free); n++) free = `${base}_${n}`
    return free
  }

  /** A field by its id or its internal name. */
  async function findField(db: Reader, key: string): Promise<Row<typeof fields>> {
    const column = /^\d+$/.test(key) ? 'id' : 'internal_name'
    const row = await db
      .from(table)
      .select('id')
      .where(column, '=', column === 'id' ? Number(key) : key)
      .executeTakeFirst()
    if (!row) throw notFound()
    return find(db, fields, row.id)
  }

  const findOption = (db: Reader, fieldId: number, id: number) => find(db, options, id, { [via]: fieldId })

  async function checkFreeValue(db: Reader, fieldId: number, value: string, except?: number): Promise<void> {
    const query = db.from(optionTable).select('id').where(via, '=', fieldId)
    const twin = await query.where('value_key', '=', fold(value)).executeTakeFirst()
    if (twin && twin.id !== except) throw invalid(wrong('value', 'taken', 'has already been taken'))
  }

  const typeStays: DefinitionRule = ({ before, changes, fail }) => {
    if (changes.type && changes.type !== before?.type) fail('type', 'fixed', 'cannot change once the field is made')
  }

  const key = Type.String({
    maxLength: 255,
    description: 'The id or the internal name of the field',
    'x-reference': table,
  })
  const ofField = Type.Object({ [via]: key }) as TObject
  const ofOption = Type.Object({ [via]: key, id: recordId(optionTable) }) as TObject
  const input = options.fields.value.input ?? Type.String()

  /** The operations on the definitions, beside those on the records: what these call something no field is called. */
  const operationsBeside = (others: readonly Operation[]) => [
    list(fields),
    get(fields),
    post(fields, {
      optional: kind.optional ?? [],
      more: { options: optionTexts },
      async store({ db, body, problems }) {
        checkOptions(body.type, body.options, problems)
        const supplied = (await kind.supply?.(db, body)) ?? {}
        const internal_name = body.name ? await internalName(db, body.name, namesIn(others)) : 'field'
        const id = await create(db, fields, { ...body, ...supplied, internal_name }, { problems })
        await insertAll(
          db,
          options,
          ((body.options ?? []) as string[]).map((value) => ({ [via]: id, value })),
        )
        return id
      },
    }),
    put(fields, {
      async store({ db, body, problems }, before) {
        requireSight(db, before.protection)
        await amend(db, fields, before, body as object, { rules: [typeStays, ...(kind.rules ?? [])], problems })
      },
    }),
    remove(fields, {
      async store({ db }, before) {
        requireSight(db, before.protection)
        await erase(db, fields, before)
      },
    }),
    operation(
      {
        id: `list${title}Options`,
        method: 'GET',
        path: options.path,
        summary: 'List the options of a select field',
        area,
        params: ofField,
        answer: wrappedList(schemaOf(optionShape)),
        looksAt: [`${optionTable}.${via}`],
      },
      async ({ db, params }: Call<Reader>) => {
        const field = await findField(db, params[via])
        return { body: { data: (await loadOptions(db, [field.id])).get(field.id) } }
      },
    ),
    operation(
      {
        id: `create${title}Option`,
        method: 'POST',
        path: options.path,
        summary: 'Add an option to a select field',
        area,
        params: ofField,
        body: Type.Object({ value: input }, { title: `Create${title}Option` }) as TObject,
        status: 201,
        answer: wrapped(schemaOf(optionShape)),
        conflicts: 'The field is no select field',
      },
      async ({ db, params, body }: Call<Writer>) => {
        const field = await findField(db, params[via])
        requireSight(db, field.protection)
        if (!isSelect(field.type)) throw conflict('Only single_select and multi_select fields have options')
        await checkFreeValue(db, field.id, body.value)
        const id = await create(db, options, { [via]: field.id, value: body.value })
        return { body: await showOne(db, optionShape, id), location: `${path}/${field.id}/options/${id}` }
      },
    ),
    operation(
      {
        id: `get${title}Option`,
        method: 'GET',
        path: `${options.path}/{id}`,
        summary: 'Show one option of a select field',
        area,
        params: ofOption,
        answer: wrapped(schemaOf(optionShape)),
      },
      async ({ db, params }: Call<Reader>) => {
        const field = await findField(db, params[via])
        return { body: await showOne(db, optionShape, (await findOption(db, field.id, params.id)).id) }
      },
    ),
    operation(
      {
        id: `update${title}Option`,
        method: 'PUT',
        path: `${options.path}/{id}`,
        summary: 'Rename an option',
        note: 'It is renamed on every record that holds it.',
        area,
        params: ofOption,
        body: Type.Object({ value: Type.Optional(input) }, { title: `Update${title}Option` }) as TObject,
        answer: wrapped(schemaOf(optionShape)),
      },
      async ({ db, params, body }: Call<Writer>) => {
        const field = await findField(db, params[via])
        requireSight(db, field.protection)
        const option = await findOption(db, field.id, params.id)
        if (body.value) await checkFreeValue(db, field.id, body.value, option.id)
        await amend(db, options, option, body)
        return { body: await showOne(db, optionShape, option.id) }
      },
    ),
    operation(
      {
        id: `delete${title}Option`,
        method: 'DELETE',
        path: `${options.path}/{id}`,
        summary: 'Delete an option',
        area,
        params: ofOption,
        conflicts: 'The option is still in use',
      },
      async ({ db, params }: Call<Writer>) => {
        const field = await findField(db, params[via])
        requireSight(db, field.protection)
        const option = await findOption(db, field.id, params.id)
        const use = await db
          .from(`${one}_field_values`)
          .select(`${one}_id as owner`)
          .where(via, '=', field.id)
          .where('value', 'like', `%${optionMark(option.id)}%`)
          .limit(1)
          .executeTakeFirst()
        if (use) throw conflict(`This option is still in use by ${one} ${use.owner}`, 'in_use')
        await erase(db, options, option)
        return {}
      },
    ),
  ]
  return { fields, options, operationsBeside, loadOptions, findField }
}

function checkOptions(type: string | null | undefined, options: unknown, problems: FieldProblem[]): void {
  if (!Array.isArray(options) || options.length === 0) return
  if (!isSelect(type ?? undefined))
    problems.push(wrong('options', 'not_allowed', 'are only for single_select and multi_select fields'))
  if (new Set(options.map(fold)).size < options.length)
    problems.push(wrong('options', 'taken', 'must differ from each other'))
}
