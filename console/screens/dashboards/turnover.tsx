import type { Turnover } from '../../client/operations.ts'
import { Columns } from '../../parts/charts.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { FigureRecords } from './figure-records.tsx'
import { Groups, Numbers, type ReportRead, Tile, useMonth } from './parts.tsx'
import { dashboardTexts } from './texts.ts'

export function TurnoverTile({ of }: { of: ReportRead<Turnover> }) {
  const t = useTexts(dashboardTexts)
  const { number, percent } = useFormats()
  return (
    <Tile
      title={t('turnover')}
      of={of}
      value={({ rate, left }) => <FigureRecords list={left.list}>{rate === null ? '–' : percent(rate)}</FigureRecords>}
      beneath={({ left }) => `${t('left')}: ${number(left.count)}`}
    />
  )
}

export function TurnoverPart({ data }: { data: Turnover }) {
  const t = useTexts(dashboardTexts)
  const month = useMonth()
  const { number, percent } = useFormats()
  return (
    <>
      <Columns
        label={t('turnover')}
        points={data.months.map(({ month: key, rate }) => ({ label: month(key), values: [rate ?? 0] }))}
        series={[{ name: t('turnover'), colour: 2 }]}
        format={percent}
      />
      <Numbers
        caption={`${t('turnover')}: ${t('numbers')}`}
        heads={[t('month'), t('left'), t('average'), t('rate')]}
        rows={data.months.toReversed().map(({ month: key, left, average_headcount, rate }) => ({
          key,
          cells: [
            month(key),
            <FigureRecords key={key} list={left.list}>
              {number(left.count)}
            </FigureRecords>,
            number(average_headcount, { maximumFractionDigits: 1 }),
            rate === null ? '–' : percent(rate),
          ],
        }))}
      />
      <Groups title={t('byType')} groups={data.by_type ?? []} />
      <Groups title={t('byReason')} groups={data.by_reason ?? []} />
      <Groups title={t('byDepartment')} groups={data.by_department} />
    </>
  )
}
