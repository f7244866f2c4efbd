import type { Headcount } from '../../client/operations.ts'
import { Columns, Lines } from '../../parts/charts.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { FigureRecords } from './figure-records.tsx'
import { Groups, Numbers, type ReportRead, sum, Tile, useMonth } from './parts.tsx'
import { dashboardTexts } from './texts.ts'

/** The number of employees, joiners and leavers. */

export function HeadcountTile({ of }: { of: ReportRead<Headcount> }) {
  const t = useTexts(dashboardTexts)
  const { number } = useFormats()
  const changeOf = ({ months }: Headcount) =>
    sum(months.map(({ joined, left, moved }) => joined.count - left.count + moved))
  return (
    <Tile
      title={t('headcount')}
      of={of}
      value={({ headcount }) => <FigureRecords list={headcount.list}>{number(headcount.count)}</FigureRecords>}
      beneath={(data) =>
        [
          t('inService'),
          t('fullTime', { amount: number(data.full_time_equivalents) }),
          `${t('change')}: ${number(changeOf(data), { signDisplay: 'exceptZero' })}`,
        ].join(' · ')
      }
    />
  )
}

export function HeadcountPart({ data }: { data: Headcount }) {
  const t = useTexts(dashboardTexts)
  const month = useMonth()
  const { number } = useFormats()
  return (
    <>
      <Lines
        label={t('headcount')}
        points={data.months.map((one) => ({ label: month(one.month), values: [one.headcount.count] }))}
        series={[{ name: t('headcount'), colour: 1 }]}
        format={(value) => number(value)}
      />
      <Groups title={t('byDepartment')} groups={data.by_department} />
      <Groups title={t('byLocation')} groups={data.by_location} />
    </>
  )
}

export function ChangePart({ data, isFiltered }: { data: Headcount; isFiltered: boolean }) {
  const t = useTexts(dashboardTexts)
  const month = useMonth()
  const { number } = useFormats()
  return (
    <>
      <Columns
        label={t('change')}
        points={data.months.map((one) => ({ label: month(one.month), values: [one.joined.count, -one.left.count] }))}
        series={[
          { name: t('joined'), colour: 1 },
          { name: t('left'), colour: 2 },
        ]}
        format={(value) => number(value)}
      />
      <Numbers
        caption={`${t('headcount')}: ${t('numbers')}`}
        heads={[t('month'), t('headcount'), t('joined'), t('left'), ...(isFiltered ? [t('moved')] : [])]}
        rows={data.months.toReversed().map(({ month: key, headcount, joined, left, moved }) => ({
          key,
          cells: [
            month(key),
            ...[headcount, joined, left].map(({ count, list }) => (
              <FigureRecords key={list} list={list}>
                {number(count)}
              </FigureRecords>
            )),
            ...(isFiltered ? [number(moved, { signDisplay: 'exceptZero' })] : []),
          ],
        }))}
      />
    </>
  )
}
