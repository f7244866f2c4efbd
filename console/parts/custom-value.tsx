import { Link } from '../shell/router.tsx'
import { useFormats } from '../texts/formats.ts'
import { useValueName } from '../texts/names.ts'
import type { Custom } from './custom.ts'

/** A value of a custom field or a table cell, formatted by its type. */
export function CustomValue({ of, value }: { of: Pick<Custom, 'type'>; value: unknown }) {
  const { day, number } = useFormats()
  const valueName = useValueName()
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.length > 0 ? value.map(wordsOf).join(', ') : '–'
  if (of.type === 'date') return day(String(value))
  if (of.type === 'boolean') return valueName(Boolean(value))
  if (of.type === 'number') return number(value as string)
  if (of.type === 'employee' && typeof value === 'object')
    return (
      <Link to={`/people/${(value as { id: number }).id}`} className="profile-link">
        {wordsOf(value)}
      </Link>
    )
  return wordsOf(value)
}

const wordsOf = (value: unknown): string =>
  value && typeof value === 'object'
    ? String(
        (value as Record<string, unknown>).value ??
          (value as Record<string, unknown>).full_name ??
          (value as Record<string, unknown>).id,
      )
    : String(value)
