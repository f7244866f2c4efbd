import Type from 'typebox'
import { DECIMAL_PATTERN } from '../../engine/decimal.ts'
import { FORMATS, fold, isDate, isText } from '../../engine/format.ts'
import { type FieldProblem, forbidden, wrong } from '../../engine/problem.ts'
import { BOOLEANS, isRecord, numbered } from '../../engine/validate.ts'
import type { Reader } from '../../records/reader.ts'

/** The types that a custom field can have, and how values of each are kept as text and shown. */
export const PLAIN_TYPES = ['text', 'number', 'date', 'boolean', 'single_select', 'multi_select'] as const

/** An additional field type whose values refer to records of a table. The area that uses custom fields defines it. */
export type RecordType = {
  readonly type: string
  readonly table: string
  /** The singular, in words. */
  readonly one: string
  /** The name under which the record's id is shown beside the value. */
  readonly idName: string
}

/** Who does not see a group of data changes nothing about what belongs to it, least of all that it does. */
export function requireSight({ caller }: Pick<Reader, 'caller'>, protection: string | null | undefined): void {
  if (protection && caller.withheld.has(protection))
    throw forbidden(
      `This operation needs the field group ${protection}, which is hidden from you. Use a role or API key that can see it.`,
    )
}

/** Does a field belong to a group of data that is withheld from the caller? Then the answer says that it is left out. */
export function isWithheld(
  { caller, omitted }: Pick<Reader, 'caller' | 'omitted'>,
  protection: string | null,
): boolean {
  if (protection === null || !caller.withheld.has(protection)) return false
  omitted.add(protection)
  return true
}

/** Values of protected fields are shown with records: whoever watches over their group is told with which. */
export function noteProtected(
  db: Reader,
  resource: string,
  fields: readonly { id: number; protection: string | null }[],
  values: () => readonly { record: number; field: number; value: string | null }[],
  /** What the records are parts of. */
  owner: { table: string; of: (record: number) => number | null } | null = null,
): void {
  const groups = new Map(
    fields.flatMap(({ id, protection }) => (protection === null ? [] : [[id, protection] as const])),
  )
  if (groups.size === 0) return
  db.shown.push((watched) =>
    values().flatMap(({ record, field, value }) => {
      const what = groups.get(field)
      const isWatched = what !== undefined && value !== null && watched.groups.has(what)
      const owner_id = owner?.of(record) ?? null
      const place = { owner: owner_id === null ? null : (owner?.table ?? null), owner_id }
      return isWatched ? [{ what, resource, record_id: record, ...place }] : []
    }),
  )
}

export type Option = { id: number; value: string }

/** How the options of a field are shown. */
export const OPTIONS = Type.Array(Type.Object({ id: Type.Integer(), value: Type.String() }))

/** How many options a field may have, and a value may name. */
export const MOST_OPTIONS = 500

export const isSelect = (type: string | undefined) => type === 'single_select' || type === 'multi_select'

export const idsIn = (kept: string) => kept.split(',').filter(Boolean).map(Number)

/** How a kept value names an option, for looking up where it is used. */
export const optionMark = (id: number) => `,${id},`

/** What values are displayed with: the texts of options, and the names of records, by id. */
export type ValueLabels = { options: ReadonlyMap<number, string>; records: ReadonlyMap<number, string> }

/** A kept value as it is shown. */
export function showValue(type: string, kept: string | null, referent: RecordType, { options, records }: ValueLabels) {
  switch (type) {
    case 'single_select': {
      const [id] = idsIn(kept ?? '')
      return { value: id === undefined ? null : (options.get(id) ?? null), option_id: id ?? null }
    }
    case 'multi_select': {
      const ids = idsIn(kept ?? '')
      return { value: ids.map((id) => options.get(id)), option_ids: ids }
    }
    case referent.type: {
      const id = kept === null ? null : Number(kept)
      return { value: id === null ? null : (records.get(id) ?? null), [referent.idName]: id }
    }
    default:
      return { value: showPlain(type, kept) }
  }
}

/** A kept value as a cell of a table shows it: what it names is an object. */
export function showCell(
  type: string,
  kept: string | null,
  referent: RecordType,
  { options, records }: { options: ReadonlyMap<number, string>; records: ReadonlyMap<number, unknown> },
): unknown {
  const named = idsIn(kept ?? '').map((id) => ({ id, value: options.get(id) }))
  switch (type) {
    case 'single_select':
      return named[0] ?? null
    case 'multi_select':
      return named
    case referent.type:
      return records.get(Number(kept)) ?? null
    default:
      return showPlain(type, kept)
  }
}

function showPlain(type: string, kept: string | null): string | number | boolean | null {
  if (kept === null) return null
  return type === 'number' ? Number(kept) : type === 'boolean' ? kept === 'true' : kept
}

/** A parsed value: as it is stored, or the problem with it. */
export type ParsedValue = { value: string | null } | { problem: FieldProblem }

/** What is named may be sent as it is shown, as an object with an id: that is what counts. */
export const namedBy = (sent: unknown): unknown => (Array.isArray(sent) ? sent.map(idIn) : idIn(sent))

function idIn(sent: unknown): unknown {
  const id = typeof sent === 'object' && sent !== null && 'id' in sent ? sent.id : undefined
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : (id ?? sent)
}

/** How a text of digits is read first, if options have numbers as values: as the value of an option or as its id. */
export type NumericTextMeaning = 'value' | 'id'

/** A sent value as it is kept, or what is wrong with it. */
export function keepValue(
  {
    name,
    type,
    options,
    digits,
  }: { name: string; type: string; options: readonly Option[]; digits: NumericTextMeaning },
  sent: unknown,
  referent: RecordType,
  isKnown: (id: number) => boolean,
): ParsedValue {
  const refuse = (message: string, code = 'invalid'): ParsedValue => ({ problem: wrong(name, code, message) })
  const keep = (value: string | null): ParsedValue => ({ value })
  const raw = isSelect(type) || type === referent.type ? namedBy(sent) : sent
  const text =
    typeof raw === 'string' ? raw.trim() : typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : null
  if (raw === null || text === '' || (Array.isArray(raw) && raw.length === 0)) return keep(null)
  if (type === 'multi_select') {
    const all = Array.isArray(raw) ? raw : ((isRecord(raw) ? numbered(raw) : undefined) ?? [raw])
    if (all.length > MOST_OPTIONS) return refuse(`can have at most ${MOST_OPTIONS} items`, 'too_many')
    const wanted = all.map((one) => optionNamed(options, one, digits))
    if (wanted.includes(undefined))
      return refuse(`must contain ids or values of its options only: ${names(options)}`, 'not_allowed')
    return keep(`,${[...new Set(wanted.map((option) => option?.id))].join(',')},`)
  }
  if (text === null) return refuse('must be a single value', 'wrong_type')
  switch (type) {
    case 'single_select': {
      const option = optionNamed(options, raw, digits)
      return option
        ? keep(optionMark(option.id))
        : refuse(`must be the id or value of one of its options: ${names(options)}`, 'not_allowed')
    }
    case referent.type:
      return /^\d{1,15}$/.test(text) && isKnown(Number(text))
        ? keep(String(Number(text)))
        : refuse(`must be the id of an existing ${referent.one}`, 'not_found')
    case 'number':
      // The same figure is the same text, however it was written.
      return DECIMAL_PATTERN.test(text) ? keep(String(Number(text))) : refuse(FORMATS.decimal.expected)
    case 'boolean':
      return BOOLEANS.has(text.toLowerCase())
        ? keep(String(BOOLEANS.get(text.toLowerCase())))
        : refuse('must be true or false')
    case 'date':
      return isDate(text) ? keep(text) : refuse(FORMATS.date.expected)
    default:
      if (typeof raw !== 'string' && !Number.isSafeInteger(raw)) return refuse('must be text', 'wrong_type')
      if (text.length > 65_535) return refuse('is too long: 65535 characters at most', 'too_long')
      return isText(text) ? keep(text) : refuse(FORMATS.text.expected)
  }
}

/** A number is an option's id; a text is its value or its id, and only when no option has that one the other. */
function optionNamed(options: readonly Option[], sent: unknown, digits: NumericTextMeaning): Option | undefined {
  if (typeof sent === 'number') return options.find(({ id }) => id === sent)
  if (typeof sent !== 'string' && typeof sent !== 'boolean') return undefined
  const key = fold(String(sent).trim())
  const byValue = options.find(({ value }) => fold(value) === key)
  const byId = options.find(({ id }) => String(id) === key)
  return digits === 'id' ? (byId ?? byValue) : (byValue ?? byId)
}

const names = (options: readonly Option[]) =>
  options
    .slice(0, 10)
    .map(({ value }) => value)
    .join(', ') || 'there are none'
