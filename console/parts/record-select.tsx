import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../client/client.ts'
import { queries } from '../client/data.ts'
import { useMay } from '../client/me.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'

export type RecordOption = {
  id: number
  name?: string
  title?: string
  full_name?: string
  email?: string | null
  employee_number?: string | null
  position?: { name: string } | string | null
  department?: { name: string } | null
  /** Assets only. */
  code?: string | null
  serial_number?: string | null
}
export const titleOf = ({ id, full_name, name, title }: RecordOption) => full_name ?? name ?? title ?? String(id)

/**
 * What distinguishes people with the same name: position, department, and email or number. For assets: code and serial
 * number.
 */
export function distinctionOf(of: RecordOption): string {
  const { id, position, department, email, employee_number, code, serial_number } = of
  if ('serial_number' in of) return [code, serial_number].filter(Boolean).join(' · ')
  const does = typeof position === 'string' ? position : position?.name
  return [does, department?.name, email ?? `#${employee_number ?? id}`].filter(Boolean).join(' · ')
}

/** A person or an asset in a list to choose from. */
const Choice = ({ of }: { of: RecordOption }) => (
  <span className="choice">
    {titleOf(of)}
    <span className="choice-apart">{distinctionOf(of)}</span>
  </span>
)

/** The label of the selected record. For an asset it includes the code. */
const labelOf = (one: RecordOption) => ('serial_number' in one ? `${titleOf(one)} · ${one.code}` : titleOf(one))

/** Kinds in which several records can have the same name. */
const WITH_EQUAL_NAMES = ['employees', 'candidates', 'users', 'external_users', 'assets']

/** Paths of the kinds whose path differs from the table. */
export const PATHS: Record<string, string> = {
  projects: '/time/projects',
  pipelines: '/recruitment/pipelines',
  candidates: '/recruitment/candidates',
  disqualify_reasons: '/recruitment/disqualify_reasons',
  recruitment_tags: '/recruitment/tags',
  sources: '/recruitment/sources',
  vacancies: '/recruitment/vacancies',
}

/** Kinds with too many records to load completely. They are searched instead. */
const SEARCHED = ['employees', 'candidates']

/** Puts known records in the cache, so that selected ones need no request, even if lists no longer contain them. */
export function cacheChoices(table: string, records: readonly (RecordOption | null | undefined)[]): void {
  for (const one of records) if (one) queries.setQueryData(['choice', table, one.id], one)
}

export type RecordSelectProps = {
  table: string
  value: number | null | undefined
  onChange: (id: number | null) => void
  label?: string
  placeholder?: string
  'aria-label'?: string
  error?: string | undefined
  required?: boolean
  disabled?: boolean
  /** People: include those who have left. */
  isEverybody?: boolean
}

/** The query for one selected record. All components that show its name share it. */
export const chosenQuery = (table: string, id: number | null | undefined, path = PATHS[table] ?? `/${table}`) => ({
  queryKey: ['choice', table, id],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await send<{ data: RecordOption }>('GET', `${path}/${id}`, {}, signal)).body.data,
  enabled: Boolean(id),
  meta: { kinds: [table] },
})

/** Selects a record by its name. People are searched; other lists are short enough to load completely. */
export function RecordSelect({ table, value, onChange, isEverybody, ...rest }: RecordSelectProps) {
  const t = useTexts(common)
  const isPeople = SEARCHED.includes(table)
  const [isOpen, setOpen] = useState(false)
  const [words, setWords] = useState('')
  const [asked] = useDebouncedValue(words, 200)
  const may = useMay()
  // Everybody has a directory card. Of employees the user may only see themselves.
  const isCard = table === 'employees' && !isEverybody && may('directory:read')
  const path = isCard ? '/directory' : (PATHS[table] ?? `/${table}`)
  const query = {
    per_page: isPeople ? 20 : 200,
    ...(isPeople && asked ? { q: asked } : {}),
    ...(isEverybody && table === 'employees' ? { status: 'all' } : {}),
  }
  const { data = [] } = useQuery({
    queryKey: ['choices', table, query],
    queryFn: async ({ signal }) => (await send<{ data: RecordOption[] }>('GET', path, { query }, signal)).body.data,
    // Many users never open the list.
    enabled: isOpen,
    meta: { kinds: [table] },
    placeholderData: (before) => before,
  })
  const isKnown = data.some(({ id }) => id === value)
  const { data: chosen } = useQuery(chosenQuery(table, isKnown ? null : value, path))
  const all = chosen && !data.some(({ id }) => id === chosen.id) ? [chosen, ...data] : data
  const byId = new Map(all.map((one) => [String(one.id), one]))
  const now = byId.get(String(value))
  const apart = WITH_EQUAL_NAMES.includes(table) && {
    renderOption: ({ option }: { option: { value: string } }) => <Choice of={byId.get(option.value) as RecordOption} />,
    ...(now ? { title: distinctionOf(now) } : {}),
  }
  return (
    <Select
      {...rest}
      {...apart}
      data={all.map((one) => ({ value: String(one.id), label: labelOf(one) }))}
      value={value ? String(value) : null}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      searchable
      clearable={!rest.required}
      onSearchChange={setWords}
      onDropdownOpen={() => setOpen(true)}
      {...(isPeople ? { filter: ({ options }) => options } : {})}
      placeholder={rest.placeholder ?? (isPeople ? t('pickPerson') : undefined)}
      nothingFoundMessage={t('nothingFound')}
    />
  )
}

type PeopleSelectProps = Omit<RecordSelectProps, 'table' | 'value' | 'onChange' | 'isEverybody'> & {
  value: readonly number[]
  onChange: (ids: number[]) => void
}

/** Selects several people by searching. */
export function PeopleSelect({ value, onChange, ...rest }: PeopleSelectProps) {
  const t = useTexts(common)
  const [isOpen, setOpen] = useState(false)
  const [words, setWords] = useState('')
  const [asked] = useDebouncedValue(words, 200)
  const path = useMay()('directory:read') ? '/directory' : '/employees'
  const query = { per_page: 20, ...(asked ? { q: asked } : {}) }
  const { data = [] } = useQuery({
    queryKey: ['choices', 'employees', query],
    queryFn: async ({ signal }) => (await send<{ data: RecordOption[] }>('GET', path, { query }, signal)).body.data,
    enabled: isOpen,
    meta: { kinds: ['employees'] },
    placeholderData: (before) => before,
  })
  const chosen = useQueries({
    queries: value.map((id) => ({
      queryKey: ['choice', 'employees', id],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await send<{ data: RecordOption }>('GET', `${path}/${id}`, {}, signal)).body.data,
      meta: { kinds: ['employees'] },
    })),
  })
  const known = new Map([
    ...value.map((id, index) => [id, chosen[index]?.data ?? { id }] as const),
    ...data.map((one) => [one.id, one] as const),
  ])
  const change = (ids: number[]) => {
    // Keep selected people known after the search changes.
    cacheChoices(
      'employees',
      data.filter(({ id }) => ids.includes(id)),
    )
    onChange(ids)
  }
  return (
    <MultiSelect
      {...rest}
      data={[...known.values()].map((one) => ({ value: String(one.id), label: titleOf(one) }))}
      value={value.map(String)}
      onChange={(ids) => change(ids.map(Number))}
      searchable
      onSearchChange={setWords}
      onDropdownOpen={() => setOpen(true)}
      filter={({ options }) => options}
      renderOption={({ option }) => <Choice of={known.get(Number(option.value)) as RecordOption} />}
      placeholder={value.length > 0 ? '' : (rest.placeholder ?? t('pickPerson'))}
      nothingFoundMessage={t('nothingFound')}
    />
  )
}
