import Type, { type TSchema } from 'typebox'
import { hiddenGroupPredicate } from '../../engine/access-scope/reader-access.ts'
import { ALWAYS, datedFields, inForce, mendEntries } from '../../engine/dated.ts'
import type { Made } from '../../engine/declaration.ts'
import { reference } from '../../engine/field.ts'
import { byId } from '../../engine/join.ts'
import { type Attempt, attempt, erase, insertAll, rowsOf, storeChanges } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { Written } from '../../engine/written.ts'
import { prepared, selectWhereIn } from '../../records/prepared.ts'
import { cached, type Query, type Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { type CustomFieldInput, hasCustomFields, readCustomFields } from '../custom/field-input.ts'
import { registerReferences, storedValueField } from '../custom/record-references.ts'
import { isSelect, isWithheld, noteProtected, type Option, showValue } from '../custom/values.ts'
import { employeeReferent } from '../organisation/staff.ts'
import { holdingAmong } from './job-changes.ts'
import { fullName } from './person.ts'
import { plannedValues } from './planned-changes.ts'

/** How custom fields are shown on a record: keyed by their internal name. */
export const CUSTOM_FIELDS = {
  type: 'object',
  title: 'CustomFields',
  additionalProperties: {
    type: 'object',
    required: ['label', 'group', 'value'],
    properties: {
      label: Type.String(),
      group: Type.Object({ id: Type.Integer(), name: Type.String() }),
      value: {
        description:
          'Value of the field. Depends on its type: a text, number, date, true or false, or a list of texts; null if empty',
      },
      option_id: { type: ['integer', 'null'] },
      option_ids: { type: 'array', items: { type: 'integer' } },
      user_id: { type: ['integer', 'null'] },
    },
  },
} as unknown as TSchema

const belonging = { fields: 'employee_fields', via: 'employee_field_id', referent: employeeReferent }

/** The value of one custom field of one employee, from a day on. What is not historical has held always. */
export const employeeFieldValues = resource(
  {
    table: 'employee_field_values',
    one: 'employee field value',
    area: 'employees',
    path: '/employees/{employee_id}/field_histories',
    heldBack: plannedValues,
  },
  {
    employee_id: reference('employees', { required: true, owner: true }),
    employee_field_id: reference('employee_fields', { required: true }),
    ...datedFields,
    /** As text: ids of options between commas, ids of employees, decimals, `true` and `false`. */
    value: storedValueField(belonging),
  },
)

registerReferences({ values: employeeFieldValues, ...belonging, isDated: true })

type EmployeeField = {
  id: number
  internal_name: string
  name: string
  type: string
  historical: boolean
  protection: string | null
  group: { id: number; name: string }
}
type EmployeeFieldOption = Option & { employee_field_id: number }
type EmployeeFieldValue = { employee_id: number; employee_field_id: number; value: string | null }

const defined = (from: (table: string) => Query) =>
  from('employee_fields as f')
    .innerJoin('employee_field_groups as g', byId('g', 'f.group_id'))
    .select([
      'f.id',
      'f.internal_name',
      'f.name',
      'f.type',
      'f.historical',
      'f.protection',
      'g.id as group_id',
      'g.name as group_name',
    ])
    .orderBy('f.id')
const allDefinitions = prepared(defined)
/** A row for each option, and for each field that has none. */
const allWithOptions = prepared((from) =>
  defined(from)
    .leftJoin('employee_field_options as o', (join) =>
      join.onRef('o.account_id', '=', 'f.account_id').onRef('o.employee_field_id', '=', 'f.id'),
    )
    .select(['o.id as option_id', 'o.value as option_value'])
    .orderBy('o.id'),
)

const definitionIn = ({ id, internal_name, name, type, historical, protection, group_id, group_name }: any) =>
  ({
    ...{ id, internal_name, name, type, protection },
    historical: Boolean(historical),
    group: { id: group_id, name: group_name },
  }) satisfies EmployeeField

const definitionsOf = async (db: Reader): Promise<EmployeeField[]> =>
  (await db.run(allDefinitions, {})).map(definitionIn)

const optionsIn = prepared<{ ids: number[] }>((from, { ids }) =>
  from('employee_field_options')
    .select(['id', 'employee_field_id', 'value'])
    .where('employee_field_id', 'in', ids)
    .orderBy('id'),
)

const optionsOf = async (db: Reader, fields: EmployeeField[]): Promise<EmployeeFieldOption[]> => {
  const ids = fields.filter(({ type }) => isSelect(type)).map(({ id }) => id)
  return ids.length === 0 ? [] : db.run(optionsIn, { ids })
}

/** The fields and the texts of their options: few, and the same for everybody. */
const knownFields = (db: Reader) =>
  cached(db, 'custom fields of employees', async (own) => {
    const rows = await own.run(allWithOptions, {})
    const options = rows.filter(({ option_id }) => option_id !== null)
    return {
      fields: [...new Map(rows.map((row) => [row.id, row])).values()].map((row) => withTexts(definitionIn(row))),
      options: new Map<number, string>(options.map((row) => [row.option_id, row.option_value])),
    }
  })

/** A field with the text that its values begin with, and that of no value. */
function withTexts(field: EmployeeField) {
  const head = `${JSON.stringify(field.internal_name)}:${JSON.stringify({ label: field.name, group: field.group }).slice(0, -1)},`
  return { ...field, head, empty: head + rest(showValue(field.type, null, employeeReferent, NOTHING)) }
}
const NOTHING = { options: new Map<never, never>(), records: new Map<never, never>() }
const rest = (shown: object) => JSON.stringify(shown).slice(1)

const valuesOn = prepared<{ day: string; ids: number[]; fields: number[] }>((from, { day, ids, fields }) =>
  inForce(from('employee_field_values'), 'employee_field_values', day)
    .select(['employee_id', 'employee_field_id', 'value'])
    .where('employee_id', 'in', ids)
    .where('employee_field_id', 'in', fields),
)

/** Fields of the employee itself that programs read beside the custom ones, and the group of data of each. */
const BUILT_IN = [
  { name: 'employee_number', label: 'Employee number', protection: null },
  { name: 'mobile_number', label: 'Mobile number', protection: 'personal' },
  { name: 'work_phone_number', label: 'Work phone number', protection: null },
] as const
const BUILT_IN_GROUP = { id: 0, name: 'Built-in' }

const builtInOf = prepared<{ ids: number[] }>((from, { ids }) =>
  from('employees')
    .select(['id', ...BUILT_IN.map(({ name }) => name)])
    .where('id', 'in', ids),
)

/**
 * The fields of some employees on the day that is looked at, or those that the caller named: `custom_fields` are the
 * custom ones, `fields` those and the built-in ones.
 */
export async function loadCustomFields(db: Reader, ids: number[]): Promise<Map<number, unknown>> {
  const [custom, builtIn] = [await loadCustom(db, ids), await loadBuiltIn(db, ids)]
  return new Map(
    ids.map((id) => {
      const custom_fields = custom.get(id)
      const own = builtIn.get(id) ?? {}
      const fields =
        custom_fields instanceof Written
          ? new Written(joined(custom_fields.text, JSON.stringify(own)))
          : { ...(custom_fields as object), ...own }
      return [id, { fields, custom_fields }]
    }),
  )
}

/** The texts of two objects as that of one. */
const joined = (one: string, other: string) =>
  one === '{}' ? other : other === '{}' ? one : `${one.slice(0, -1)},${other.slice(1)}`

async function loadBuiltIn(db: Reader, ids: number[]): Promise<Map<number, object>> {
  const named = db.view.fields as string[] | undefined
  const wanted = BUILT_IN.filter(
    ({ name, protection }) => (!named || named.includes(name)) && !isWithheld(db, protection),
  )
  if (wanted.length === 0) return new Map()
  const [rows, isUnseen] = [await db.run(builtInOf, { ids }), await hiddenGroupPredicate(db, 'employees', ids)]
  return new Map(
    rows.map((row) => {
      const seen = wanted.filter(({ protection }) => !isUnseen(row.id, protection))
      const entries = seen.map(({ name, label }) => [name, { label, group: BUILT_IN_GROUP, value: row[name] ?? null }])
      return [row.id, Object.fromEntries(entries)]
    }),
  )
}

async function loadCustom(db: Reader, ids: number[]): Promise<Map<number, unknown>> {
  const named = db.view.fields as string[] | undefined
  const { fields: all, options } = await knownFields(db)
  const fields = all.filter(
    ({ internal_name, protection }) => (!named || named.includes(internal_name)) && !isWithheld(db, protection),
  )
  if (fields.length === 0) return new Map(ids.map((id) => [id, {}]))
  const fieldIds = fields.map(({ id }) => id)
  const values: EmployeeFieldValue[] = await db.run(valuesOn, { day: db.view.day, ids, fields: fieldIds })
  noteProtected(db, 'employees', fields, () =>
    values.map(({ employee_id: record, employee_field_id: field, value }) => ({ record, field, value })),
  )
  const known = { options, records: await namesOf(db, fields, values) }
  const isUnseen = await hiddenGroupPredicate(db, 'employees', ids)
  const kept = Map.groupBy(values, ({ employee_id }) => employee_id)
  const of = (id: number) => {
    const own = new Map(kept.get(id)?.map(({ employee_field_id, value }) => [employee_field_id, value]))
    const seen = fields.filter(({ protection }) => protection === null || !isUnseen(id, protection))
    const shown = (field: EmployeeField) => showValue(field.type, own.get(field.id) ?? null, employeeReferent, known)
    if (db.writes) {
      const texts = seen.map((field) =>
        (own.get(field.id) ?? null) === null ? field.empty : field.head + rest(shown(field)),
      )
      return new Written(`{${texts.join()}}`)
    }
    const parts = seen.map((field) => {
      return [field.internal_name, { label: field.name, group: field.group, ...shown(field) }] as const
    })
    return Object.fromEntries(parts)
  }
  return new Map(ids.map((id) => [id, of(id)]))
}

const NAMES = ['id', 'first_name', 'middle_name', 'last_name']

/** The names of the employees that values refer to. */
async function namesOf(
  db: Reader,
  fields: EmployeeField[],
  values: EmployeeFieldValue[],
): Promise<Map<number, string>> {
  const references = new Set(fields.filter(({ type }) => type === employeeReferent.type).map(({ id }) => id))
  const named = values.filter((row) => references.has(row.employee_field_id) && row.value)
  if (named.length === 0) return new Map()
  const ids = [...new Set(named.map((row) => Number(row.value)))]
  const rows = (await selectWhereIn(db, 'employees', 'id', ids, NAMES)) as ({ id: number } & Parameters<
    typeof fullName
  >[0])[]
  return new Map(rows.map((row) => [row.id, fullName(row)]))
}

type ValuesOfOne = {
  employeeId: number
  values: NewEmployeeValue[]
  from?: string
  /** An entry of that day is asked for, whatever holds. */
  isEntry?: boolean
}

export type NewEmployeeValue = { field: EmployeeField; value: string | null }

/** Reads the custom values of several changes: a few statements for all of them, none when nothing was sent. */
export async function readCustomValues(db: Reader, sendings: CustomFieldInput[]): Promise<NewEmployeeValue[][]> {
  if (!sendings.some(hasCustomFields)) return sendings.map(() => [])
  const optionsBy = async (fields: EmployeeField[]) =>
    Map.groupBy(await optionsOf(db, fields), (option) => option.employee_field_id)
  return readCustomFields(db, sendings, await definitionsOf(db), optionsBy, employeeReferent)
}

/** Stores new values of several employees; a historical one holds from the given day on. Tells whose have changed. */
export async function storeCustomValues(db: Writer, changes: ValuesOfOne[]): Promise<number[]> {
  const all = changes.flatMap(({ employeeId, values, from = db.today, isEntry = false }) =>
    values.map(({ field, value }) => ({ employeeId, field, value, from: field.historical ? from : ALWAYS, isEntry })),
  )
  if (all.length === 0) return []
  const ids = [...new Set(all.map(({ employeeId }) => employeeId))]
  const known = db.from('employee_field_values').where('employee_id', 'in', ids).orderBy('effective_from')
  const rows = await rowsOf(employeeFieldValues, known)
  const ofOne = Map.groupBy(rows, (row) => `${row.employee_id} ${row.employee_field_id}`)
  const fresh: Made<typeof employeeFieldValues>[] = []
  const changed: Attempt<typeof employeeFieldValues>[] = []
  const moved = new Set<number>()
  for (const { employeeId, field, value, from, isEntry } of all) {
    const own = ofOne.get(`${employeeId} ${field.id}`) ?? []
    const before = own.find((row) => row.effective_from === from)
    // What holds already is said again: nothing begins.
    const holding = isEntry ? before : holdingAmong(own, from)
    if (holding ? holding.value === value : value === null && !isEntry) continue
    moved.add(employeeId)
    if (before && value === null && !field.historical) await erase(db, employeeFieldValues, before)
    else if (before) changed.push(attempt(db, employeeFieldValues, before, { value }))
    else fresh.push({ employee_id: employeeId, employee_field_id: field.id, effective_from: from, value })
  }
  await insertAll(db, employeeFieldValues, fresh)
  await storeChanges(db, employeeFieldValues, changed)
  if (moved.size > 0 && all.some(({ field }) => field.historical))
    await mendEntries(db, employeeFieldValues, 'employee_id', [...moved], ['employee_field_id'])
  return [...moved]
}
