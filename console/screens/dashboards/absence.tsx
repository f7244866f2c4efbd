import { Text, Title } from '@mantine/core'
import type { Absence } from '../../client/operations.ts'
import { Columns, Rows } from '../../parts/charts.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { FigureRecords } from './figure-records.tsx'
import { Numbers, type ReportRead, sum, Tile, useMonth } from './parts.tsx'
import { dashboardTexts } from './texts.ts'

export function AbsenceTile({ of }: { of: ReportRead<Absence> }) {
  const t = useTexts(dashboardTexts)
  const { percent } = useFormats()
  return (
    <Tile
      title={t('absenceRate')}
      of={of}
      value={({ rate, list }) => <FigureRecords list={list}>{rate === null ? '–' : percent(rate)}</FigureRecords>}
      beneath={({ days }) => t('inDays', { count: days })}
    />
  )
}

const COLOURS = [1, 2, 3, 4, 5] as const

export function AbsencePart({ data }: { data: Absence }) {
  const t = useTexts(dashboardTexts)
  const month = useMonth()
  const { number, percent } = useFormats()
  if (data.types.length === 0) return <Text c="dimmed">{t('nothing')}</Text>
  const main = data.types.slice(0, COLOURS.length)
  const hasOthers = data.types.length > main.length
  return (
    <>
      <Columns
        label={t('absence')}
        points={data.months.map(({ month: key, types, days }) => {
          const own = main.map(({ id }) => types.find((one) => one.id === id)?.days ?? 0)
          return { label: month(key), values: hasOthers ? [...own, days - sum(own)] : own }
        })}
        series={[
          ...main.map(({ name }, at) => ({ name, colour: COLOURS[at] as 1 })),
          ...(hasOthers ? [{ name: t('otherTypes'), colour: 6 as const }] : []),
        ]}
        format={(value) => number(value, { maximumFractionDigits: 1 })}
      />
      <Numbers
        caption={`${t('absence')}: ${t('numbers')}`}
        heads={[t('month'), t('days'), t('rate')]}
        rows={data.months.toReversed().map(({ month: key, days, rate, list }) => ({
          key,
          cells: [
            month(key),
            <FigureRecords key={key} list={list}>
              {number(days, { maximumFractionDigits: 1 })}
            </FigureRecords>,
            rate === null ? '–' : percent(rate),
          ],
        }))}
      />
      <div>
        <Title order={3} size="h6" mb="xs">
          {t('types')}
        </Title>
        <Rows
          items={data.types.map(({ id, name, days, list }) => ({
            key: id,
            name,
            value: days,
            shown: <FigureRecords list={list}>{number(days, { maximumFractionDigits: 1 })}</FigureRecords>,
          }))}
        />
      </div>
    </>
  )
}
