import type { Tenure } from '../../client/operations.ts'
import { Columns } from '../../parts/charts.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { FigureRecords } from './figure-records.tsx'
import { Numbers, type ReportRead, Tile } from './parts.tsx'
import { dashboardTexts } from './texts.ts'

export function TenureTile({ of }: { of: ReportRead<Tenure> }) {
  const t = useTexts(dashboardTexts)
  return (
    <Tile
      title={t('medianTenure')}
      of={of}
      value={({ median_years, headcount }) => (
        <FigureRecords list={headcount.list}>
          {median_years === null ? '–' : t('years', { count: median_years })}
        </FigureRecords>
      )}
    />
  )
}

export function TenurePart({ data }: { data: Tenure }) {
  const t = useTexts(dashboardTexts)
  const { number } = useFormats()
  const nameOf = ({ from_years: from, until_years: until }: Tenure['brackets'][number]) =>
    from === 0
      ? t('under')
      : until === null
        ? t('from_', { from })
        : until - from === 1
          ? number(from)
          : t('between', { from, until: until - 1 })
  const rows = [
    ...data.brackets.map((one) => ({ ...one, name: nameOf(one) })),
    ...(data.unknown.count > 0 ? [{ ...data.unknown, name: t('unknown') }] : []),
  ]
  return (
    <>
      <Columns
        label={t('tenure')}
        points={rows.map(({ name, count }) => ({ label: name === t('unknown') ? '?' : name, values: [count] }))}
        series={[{ name: t('people'), colour: 3 }]}
        format={(value) => number(value)}
      />
      <Numbers
        caption={`${t('tenure')}: ${t('numbers')}`}
        heads={[t('bracket'), t('people')]}
        rows={rows.map(({ name, count, list }) => ({
          key: name,
          cells: [
            name,
            <FigureRecords key={name} list={list}>
              {number(count)}
            </FigureRecords>,
          ],
        }))}
      />
    </>
  )
}
