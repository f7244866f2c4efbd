import { Select, Stack, Text, Title } from '@mantine/core'
import type { PayOfGroup, PaySpread } from '../../client/operations.ts'
import { Spreads } from '../../parts/charts.tsx'
import { useFilters } from '../../shell/router.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { FigureRecords } from './figure-records.tsx'
import { Numbers } from './parts.tsx'
import { dashboardTexts } from './texts.ts'

export const BY = ['job_level', 'department', 'location'] as const

export function PayBy({ value }: { value: (typeof BY)[number] }) {
  const t = useTexts(dashboardTexts)
  const { set } = useFilters()
  return (
    <Select
      aria-label={t('payBy')}
      data={BY.map((one) => ({ value: one, label: t(one) }))}
      value={value}
      onChange={(by) => set({ by: by === 'job_level' ? undefined : (by ?? undefined) })}
      allowDeselect={false}
      w={170}
    />
  )
}

export function PayPart({ data }: { data: PaySpread }) {
  const t = useTexts(dashboardTexts)
  const { number, money } = useFormats()
  if (data.groups.length === 0) return <Text c="dimmed">{t('nothing')}</Text>
  const valuesOf = (one: PayOfGroup) => [one.minimum, one.lower_quartile, one.median, one.upper_quartile, one.maximum]
  const isTold = (one: PayOfGroup) => one.median !== null
  return (
    <>
      {data.currencies.map(({ currency_code: code }) => {
        const own = data.groups
          .filter((one) => one.currency_code === code)
          .sort((one, other) => Number(other.median ?? 0) - Number(one.median ?? 0))
        const told = own.filter(isTold)
        return (
          <Stack key={code} gap="sm">
            {data.currencies.length > 1 ? (
              <Title order={3} size="h6">
                {code}
              </Title>
            ) : null}
            {told.length > 0 ? (
              <Spreads
                label={`${t('pay')} ${code}`}
                spreads={told.map((one) => ({
                  name: one.name ?? t('none'),
                  values: valuesOf(one).map(Number) as [number, number, number, number, number],
                }))}
                format={(value) =>
                  number(value, { style: 'currency', currency: code, notation: 'compact', maximumFractionDigits: 1 })
                }
              />
            ) : null}
            <Numbers
              caption={`${t('pay')} ${code}: ${t('numbers')}`}
              heads={[
                t(data.by),
                t('people'),
                t('least'),
                t('lowerQuartile'),
                t('median'),
                t('upperQuartile'),
                t('most'),
              ]}
              rows={own.map((one) => ({
                key: String(one.id),
                cells: [
                  one.name ?? t('none'),
                  <FigureRecords key={one.id} list={one.list}>
                    {number(one.count)}
                  </FigureRecords>,
                  ...valuesOf(one).map((value) => (value === null ? '–' : money(Math.round(Number(value)), code))),
                ],
              }))}
            />
          </Stack>
        )
      })}
      {data.groups.every(isTold) ? null : (
        <Text size="sm" c="dimmed">
          {t('tooFew', { count: data.fewest })}
        </Text>
      )}
    </>
  )
}
