import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { send } from '../../client/client.ts'
import type { Field, Fields } from '../../client/fields.ts'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { useLocale, useTexts } from '../../texts/i18n.ts'
import { useValueName } from '../../texts/names.ts'
import { codeName } from '../fields.tsx'
import { usePeople } from '../people.ts'
import { nameOf as nameOfPerson } from '../person.tsx'
import { RegionName } from '../regions.tsx'
import type { RecordKind, SettingsRecord } from './kinds.ts'

/** Names and values of records, as lists and forms show them. */

export const nameOf = (record: SettingsRecord, title = 'name') => String(record[title] ?? record.name ?? record.id)

/** The name of a record, translated if it is built in. */
export function useRecordName(): (kind: RecordKind, record: SettingsRecord) => string {
  const valueName = useValueName()
  return ({ builtIn = [], title }, record) => {
    const name = nameOf(record, title)
    return builtIn.includes(name) ? valueName(name) : name
  }
}

/** The initial values of a form. A response has `department_level`, a form `department_level_id`. */
export function startOf(record: SettingsRecord, of: readonly string[]): Record<string, unknown> {
  const named = (field: string) => {
    if (field in record) return record[field]
    const many = record[field.replace(/_ids$/, 's')]
    if (field.endsWith('_ids') && Array.isArray(many)) return many.map(({ id }) => id)
    const one = record[field.replace(/_id$/, '')] as { id?: unknown } | null | undefined
    return one && typeof one === 'object' ? one.id : one
  }
  return Object.fromEntries(of.map((field) => [field, named(field)]))
}

const isPeople = (field: Field | undefined) => field?.reference === 'employees'

/** The names of people, if the user may see them. */
function usePeopleNames(wanted: readonly (number | null)[]): ReadonlyMap<number, string> {
  const { people } = usePeople(wanted)
  return useMemo(() => new Map([...people].map(([id, one]) => [id, nameOfPerson(one)])), [people])
}

/** Names of referenced records: whole lists if they are short, people by id. */
export function useReferenceNames(fields: Fields, columns: readonly string[], rows: readonly SettingsRecord[]) {
  const wanted = columns.map((name) => fields[name]).filter((field) => field?.reference)
  const tables = [...new Set(wanted.filter((field) => !isPeople(field)).map((field) => field?.reference as string))]
  const needed = tables.length > 0 && rows.length > 0
  const { data: lists } = useQuery({
    queryKey: ['names', ...tables],
    queryFn: async ({ signal }) =>
      Object.fromEntries(
        await Promise.all(
          tables.map(async (table) => {
            const query = { per_page: 200, sort: 'id' }
            const { body } = await send<{ data: SettingsRecord[] }>('GET', `/${table}`, { query }, signal)
            return [table, new Map(body.data.map((one) => [one.id, nameOf(one)]))] as const
          }),
        ),
      ),
    enabled: needed,
    meta: { kinds: tables },
  })
  const people = columns.filter((name) => isPeople(fields[name]))
  const persons = usePeopleNames(rows.flatMap((row) => people.map((name) => row[name] as number | null)))
  return (table: string, id: number) => (table === 'employees' ? persons : lists?.[table])?.get(id)
}

/** The first day of a policy's first terms, which apply to all time before. */
const BEGINNING = '1900-01-01'

type NameFor = (table: string, id: number) => string | undefined

/** A value as a list shows it, formatted by what the API says about its field. */
export function useShownValue(): (field: Field | undefined, value: unknown, nameFor?: NameFor) => ReactNode {
  const t = useTexts(common)
  const formats = useFormats()
  const locale = useLocale()
  const valueName = useValueName()
  return (field, value, nameFor) => {
    if (value === null || value === undefined || value === '') return ''
    if (Array.isArray(value)) return value.map((one) => one?.name ?? one?.value ?? String(one)).join(', ')
    if (typeof value === 'object') {
      const { value: code } = value as { value?: unknown }
      return field?.values?.includes(code as string) ? valueName(code as string) : nameOf(value as SettingsRecord)
    }
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (field?.reference) return nameFor?.(field.reference, value as number) ?? ''
    if (field?.values) return valueName(value as string)
    if (field?.format === 'date') return value === BEGINNING ? t('fromTheStart') : formats.day(value as string)
    if (field?.format === 'date-time') return formats.moment(value as string)
    if (field?.format === 'decimal' || typeof value === 'number') return formats.number(value as number)
    if (field?.format === 'region') return <RegionName code={String(value)} />
    if (field?.format) return codeName(field.format, String(value), locale)
    return String(value)
  }
}

export const shownOf = (record: SettingsRecord, name: string) =>
  name in record ? record[name] : record[name.replace(/_ids?$/, '')]
