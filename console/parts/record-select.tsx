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
  /** Of assets. */
  code?: string | null
  serial_number?: string | null
}
export const titleOf = ({ id, full_name, name, title }: RecordOption) => full_name ?? name ?? title ?? String(id)

/** What tells people of one name apart: what they do and where, and how they are reached or numbered; and things alike. */
export function apartOf(of: RecordOption): string {
  const { id, position, department, email, employee_number, code, serial_number } = of
  if ('serial_number' in of) return [code, serial_number].filter(Boolean).join(' · ')
  const does = typeof position === 'string' ? position : position?.name
  return [does, department?.name, email ?? `#${employee_number ?? id}`].filter(Boolean).join(' · ')
}

/** A person or an asset in a list to choose from. */
const Choice = ({ of }: { of: RecordOption }) => (
  <span className="choice">
    {titleOf(of)}
    <span className="choice-apart">{apartOf(of)}</span>
  </span>
)

/** What is chosen stands alone: an asset is its code, too. */
const labelOf = (one: RecordOption) => ('serial_number' in one ? `${titleOf(one)} · ${one.code}` : titleOf(one))

/** Kinds of which several have one name: people, and assets. */
const ALIKE = ['employees', 'candidates', 'users', 'external_users', 'assets']

/** Paths of kinds that are not called as their tables are. */
export const PATHS: Record<string, string> = {
  projects: '/time/projects',
  pipelines: '/recruitment/pipelines',
  candidates: '/recruitment/candidates',
  disqualify_reasons: '/recruitment/disqualify_reasons',
  recruitment_tags: '/recruitment/tags',
  sources: '/recruitment/sources',
  vacancies: '/recruitment/vacancies',
}

/** Kinds that are too many to be there whole: searched as one types. */
const SEARCHED = ['employees', 'candidates']

/** What a screen knows of records that are chosen already: they are not asked for, even where they are no longer listed. */
export function knowChoices(table: string, records: readonly (RecordOption | null | undefined)[]): void {
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
  /** Of people, also those who have left. */
  isEverybody?: boolean
}

/** The question for one record that was chosen: asked once, whoever shows its name. */
export const chosenQuery = (table: string, id: number | null | undefined, path = PATHS[table] ?? `/${table}`) => ({
  queryKey: ['choice', table, id],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await send<{ data: RecordOption }>('GET', `${path}/${id}`, {}, signal)).body.data,
  enabled: Boolean(id),
  meta: { kinds: [table] },
})

/** Chooses a record by its name. People are searched for as one types; other lists are short enough to be there whole. */
export function RecordSelect({ table, value, onChange, isEverybody, ...rest }: RecordSelectProps) {
  const t = useTexts(common)
  const isPeople = SEARCHED.includes(table)
  const [isOpen, setOpen] = useState(false)
  const [words, setWords] = useState('')
  const [asked] = useDebouncedValue(words, 200)
  const may = useMay()
  // Everybody has a card in the directory; what somebody sees of employees may be themselves alone.
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
    // Nobody may ever look.
    enabled: isOpen,
    meta: { kinds: [table] },
    placeholderData: (before) => before,
  })
  const isKnown = data.some(({ id }) => id === value)
  const { data: chosen } = useQuery(chosenQuery(table, isKnown ? null : value, path))
  const all = chosen && !data.some(({ id }) => id === chosen.id) ? [chosen, ...data] : data
  const byId = new Map(all.map((one) => [String(one.id), one]))
  const now = byId.get(String(value))
  const apart = ALIKE.includes(table) && {
    renderOption: ({ option }: { option: { value: string } }) => <Choice of={byId.get(option.value) as RecordOption} />,
    ...(now ? { title: apartOf(now) } : {}),
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

/** Chooses several people, who are searched for as one types. */
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
    // Whoever was found by other words goes on being known.
    knowChoices(
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
