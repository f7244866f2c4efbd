import type { Fields } from '../../engine/declaration.ts'
import { get, list, post, put, remove } from '../../engine/derive.ts'
import { loaded } from '../../engine/field.ts'
import type { Operation } from '../../engine/operation.ts'
import { calledByName } from '../../engine/path-names.ts'
import { amend, create, erase } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import type { Writer } from '../../records/write.ts'
import {
  type DefinitionFields,
  type DefinitionRule,
  definitionFields,
  internalName,
  namesIn,
  typeStays,
} from './definition.ts'
import { checkOptions, optionsIn, optionsInput, optionsOf } from './options.ts'
import { OPTIONS, type RecordType, requireSight } from './values.ts'

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
  /** The name of a field, as the reference shows it. */
  example: string
  /** What values beyond the plain types may name. */
  referent: RecordType
  /** Fields of the definition beyond those of every kind; `supply` fills in what is not sent. */
  more?: Fields
  optional?: string[]
  supply?: (db: Writer, body: Record<string, any>) => Promise<Record<string, unknown>>
  rules?: DefinitionRule[]
}) {
  const { one, area, path, groups, referent } = kind
  const table = `${one}_fields`
  const via = `${one}_field_id`
  const loadOptions = optionsIn(`${one}_field_options`, via)

  const fields = resource({ table, one: `${one} field`, area, path }, {
    ...definitionFields({ groups, referent, what: 'values of the field', example: kind.example }),
    ...kind.more,
    options: loaded(OPTIONS, loadOptions),
  } as DefinitionFields & Fields)

  const own = optionsOf(fields, {
    via,
    values: { table: `${one}_field_values`, owner: `${one}_id` },
    requireSight: (db, { protection }) => requireSight(db, protection),
  })

  /** The operations on the definitions, beside those on the records: what these call something no field is called. */
  const operationsBeside = (others: readonly Operation[]) =>
    calledByName({ [table]: { by: 'internal_name' } }, [
      list(fields),
      get(fields),
      post(fields, {
        optional: kind.optional ?? [],
        more: { options: optionsInput },
        async store({ db, body, problems }) {
          checkOptions(body.type, body.options, problems)
          const supplied = (await kind.supply?.(db, body)) ?? {}
          const name = body.name ?? ''
          const internal_name = await internalName(db.from(table), name, 'field', namesIn(others))
          const id = await create(db, fields, { ...body, ...supplied, internal_name }, { problems })
          await own.add(db, id, body.options)
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
      ...own.operations,
    ])
  return { fields, options: own.options, operationsBeside, loadOptions }
}
