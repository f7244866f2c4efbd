import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRead } from '../client/data.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'
import { chosenQuery } from './record-select.tsx'

/** The regions of a country that have their own public holidays. */
function useRegions(country: string | undefined) {
  const { answer } = useRead(
    'GET /holiday_regions',
    { query: country ? { country_code: country } : {} },
    { enabled: Boolean(country) },
  )
  return country ? answer?.data : undefined
}

/** `DE-BY` → Bayern */
export function RegionName({ code }: { code: string }) {
  return useRegions(code.slice(0, 2))?.find((one) => one.code === code)?.name ?? code
}

/** The country that decides the regions: that of the holiday policy, or else the record's own. */
function useCountry({ holiday_policy_id, country_code }: Readonly<Record<string, unknown>>): string | undefined {
  const id = Number(holiday_policy_id ?? 0)
  const { data } = useQuery(chosenQuery('holiday_policies', id))
  const policy = data as { country_code?: string } | undefined
  return id > 0 ? policy?.country_code : ((country_code as string | null) ?? undefined)
}

type RegionSelectProps = {
  label?: string
  name: string
  error?: string | undefined
  required?: boolean
  disabled?: boolean
  value: string | null
  onChange: (code: string | null) => void
  /** The other fields of the form. */
  of: Readonly<Record<string, unknown>>
}

/** Disabled if the country has no regions. */
export function RegionSelect({ value, onChange, of, ...rest }: RegionSelectProps) {
  const t = useTexts(common)
  const regions = useRegions(useCountry(of)) ?? []
  const known = regions.map(({ code, name }) => ({ value: code, label: name }))
  const isKnown = value === null || regions.some(({ code }) => code === value)
  return (
    <Select
      {...rest}
      disabled={rest.disabled || (regions.length === 0 && value === null)}
      data={isKnown ? known : [{ value: value as string, label: value as string }, ...known]}
      value={value}
      onChange={onChange}
      searchable
      clearable={!rest.required}
      nothingFoundMessage={t('nothingFound')}
    />
  )
}

type HolidayPlace = { holiday_policy_id: number | null; region_code: string | null }

/**
 * Does a public holiday apply at a location? It must belong to the location's policy and to its region, or else the
 * policy's region.
 */
export function isHolidayAt(
  { holiday_policy_id, region_code }: Readonly<Record<string, unknown>>,
  place: HolidayPlace | undefined,
  policyRegion: string | null | undefined,
): boolean {
  if (!place?.holiday_policy_id || holiday_policy_id !== place.holiday_policy_id) return false
  return (region_code ?? null) === null || region_code === (place.region_code ?? policyRegion)
}
