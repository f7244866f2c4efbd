import { DECIMAL_PATTERN } from '../engine/decimal.ts'
import { fold, isDate, isText } from '../engine/format.ts'

/** The types that a custom field can have, and how values of each are kept as text and shown. */
export const FIELD_TYPES = ['text', 'number', 'date', 'boolean', 'single_select', 'multi_select', 'employee'] as const

export type FieldType = (typeof FIELD_TYPES)[number]
export type Option = { id: number; value: string }

export const isSelect = (type: string | undefined) => type === 'single_select' || type === 'multi_select'

const idsIn = (kept: string) => kept.split(',').filter(Boolean).map(Number)

/** How a kept value names an option, for looking up where it is used. */
export const optionMark = (id: number) => `,${id},`

/** A kept value as it is shown. */
export function showValue(
  type: FieldType,
  kept: string | null,
  options: Map<number, string>,
  people: Map<number, string>,
) {
  switch (type) {
    case 'single_select': {
      const [id] = idsIn(kept ?? '')
      return { value: id === undefined ? null : (options.get(id) ?? null), option_id: id ?? null }
    }
    case 'multi_select': {
      const ids = idsIn(kept ?? '')
      return { value: ids.map((id) => options.get(id)), option_ids: ids }
    }
    case 'employee':
      return {
        value: kept === null ? null : (people.get(Number(kept)) ?? null),
        user_id: kept === null ? null : Number(kept),
      }
    case 'number':
      return { value: kept === null ? null : Number(kept) }
    case 'boolean':
      return { value: kept === null ? null : kept === 'true' }
    default:
      return { value: kept }
  }
}

export type Refusal = { code: string; message: string }

/** A sent value as it is kept, or what is wrong with it. */
export function keepValue(
  type: FieldType,
  raw: unknown,
  options: Option[],
  people: Set<number>,
): string | null | Refusal {
  const wrong = (message: string, code = 'invalid'): Refusal => ({ code, message })
  if (raw === null || raw === '' || (Array.isArray(raw) && raw.length === 0)) return null
  const text =
    typeof raw === 'string' ? raw.trim() : typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : null
  const optionOf = (one: unknown) =>
    options.find(({ id, value }) => String(id) === String(one) || fold(value) === fold(String(one)))
  if (type === 'multi_select') {
    const wanted = (Array.isArray(raw) ? raw : [raw]).map(optionOf)
    if (wanted.includes(undefined))
      return wrong(`must be ids or values of its options: ${names(options)}`, 'not_allowed')
    return `,${[...new Set(wanted.map((option) => option?.id))].join(',')},`
  }
  if (text === null) return wrong('must be a single value', 'wrong_type')
  switch (type) {
    case 'single_select': {
      const option = optionOf(text)
      return option
        ? `,${option.id},`
        : wrong(`must be the id or the value of one of its options: ${names(options)}`, 'not_allowed')
    }
    case 'employee':
      return people.has(Number(text)) ? text : wrong('must be the id of an existing employee', 'not_found')
    case 'number':
      return DECIMAL_PATTERN.test(text) ? text : wrong('must be a decimal number with at most 4 digits after the point')
    case 'boolean':
      return /^(true|1)$/i.test(text) ? 'true' : /^(false|0)$/i.test(text) ? 'false' : wrong('must be true or false')
    case 'date':
      return isDate(text) ? text : wrong('must be a calendar date like 2024-01-31')
    default:
      if (typeof raw !== 'string') return wrong('must be text', 'wrong_type')
      if (text.length > 65_535) return wrong('is too long: 65535 characters at most', 'too_long')
      return isText(text) ? text : wrong('must be well-formed text without NUL characters')
  }
}

const names = (options: Option[]) =>
  options
    .slice(0, 10)
    .map(({ value }) => value)
    .join(', ') || 'it has none'
