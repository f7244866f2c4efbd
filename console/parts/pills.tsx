import { Group, Pill } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useFilters } from '../shell/router.tsx'
import { common } from '../texts/common.ts'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/i18n.ts'
import { useFieldName } from '../texts/names.ts'
import { chosenQuery, titleOf } from './record-select.tsx'

/** The field of a filter: `joined_on` for `joined_on[gte]`, `ids` for `ids[]`. */
const baseOf = (name: string) => name.replace(/\[\w*\]$/, '')

/**
 * Filters from a link that have no input on the screen. Each says what it is and can be removed. Days use the API's
 * bounds: `[gte]`, `[lte]`, `[gt]`, `[lt]`.
 */
export function FilterPills({ names }: { names: readonly string[] }) {
  const t = useTexts(common)
  const fieldName = useFieldName()
  const { get, all, set } = useFilters()
  const given = [...Map.groupBy(names, baseOf)].filter(([, parts]) => parts.some((part) => get(part)))
  if (given.length === 0) return null
  return (
    <Group gap="xs">
      {given.map(([base, parts]) => (
        <Pill
          key={base}
          size="md"
          withRemoveButton
          removeButtonProps={{ 'aria-label': `${t('clear')}: ${fieldName(base)}`, tabIndex: 0, 'aria-hidden': false }}
          onRemove={() => set(Object.fromEntries(parts.map((part) => [part, undefined])))}
        >
          {fieldName(base)}: <Value base={base} values={parts.flatMap((part) => all(part).map((one) => [part, one]))} />
        </Pill>
      ))}
    </Group>
  )
}

const NEXT = { gt: 1, gte: 0, lt: -1, lte: 0 }

function Value({ base, values }: { base: string; values: string[][] }) {
  const fieldName = useFieldName()
  const { day } = useFormats()
  if (/_ids?$/.test(base))
    return <Names table={`${base.replace(/_ids?$/, '')}s`} ids={values.map(([, id]) => id ?? '')} />
  const bound = (wanted: RegExp) => {
    const [name, date] = values.find(([part]) => wanted.test(part ?? '')) ?? []
    const step = NEXT[(name?.match(/\[(\w+)\]$/)?.[1] ?? 'gte') as keyof typeof NEXT]
    if (!date || Number.isNaN(Date.parse(date))) return ''
    return day(new Date(Date.parse(date) + step * 86_400_000).toISOString())
  }
  const [from, to] = [bound(/\[gte?\]$/), bound(/\[lte?\]$/)]
  if (from || to) return from === to ? from : `${from || '…'} – ${to || '…'}`
  return values
    .map(([, value = '']) =>
      /^\d{4}-\d{2}-\d{2}$/.test(value) ? day(value) : base === 'without' ? fieldName(value) : value,
    )
    .join(', ')
}

/** How many records are shown by name. The others are counted. */
const NAMED = 3

function Names({ table, ids }: { table: string; ids: readonly string[] }) {
  const few = ids.slice(0, NAMED)
  const found = useQueries({ queries: few.map((id) => chosenQuery(table, Number(id))) })
  const others = ids.length - few.length
  return `${found.map(({ data }) => (data ? titleOf(data) : '…')).join(', ')}${others > 0 ? ` +${others}` : ''}`
}
