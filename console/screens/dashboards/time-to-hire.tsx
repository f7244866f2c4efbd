import { Text, Title } from '@mantine/core'
import type { TimeToHire } from '../../client/operations.ts'
import { Rows } from '../../parts/charts.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { FigureRecords } from './figure-records.tsx'
import { Numbers, type ReportRead, Tile } from './parts.tsx'
import { dashboardTexts } from './texts.ts'

export function HiringTile({ of }: { of: ReportRead<TimeToHire> }) {
  const t = useTexts(dashboardTexts)
  const { number } = useFormats()
  return (
    <Tile
      title={t('timeToHire')}
      of={of}
      value={({ median_days, list }) => (
        <FigureRecords list={list}>{median_days === null ? '–' : t('inDays', { count: median_days })}</FigureRecords>
      )}
      beneath={({ hires }) => `${t('hires')}: ${number(hires)}`}
    />
  )
}

export function HiringPart({ data }: { data: TimeToHire }) {
  const t = useTexts(dashboardTexts)
  const { number } = useFormats()
  const days = (value: number | null) => (value === null ? '–' : number(value, { maximumFractionDigits: 1 }))
  if (data.hires === 0) return <Text c="dimmed">{t('nothing')}</Text>
  return (
    <>
      <div>
        <Title order={3} size="h6" mb="xs">
          {t('byDepartment')}
        </Title>
        <Rows
          items={data.by_department.map(({ id, name, median_days, list }) => ({
            key: id,
            name: name ?? t('none'),
            value: median_days ?? 0,
            shown: <FigureRecords list={list}>{days(median_days)}</FigureRecords>,
          }))}
        />
      </div>
      {data.to_fill.median_days === null ? null : (
        <Text size="sm">{t('toFill', { days: days(data.to_fill.median_days) })}</Text>
      )}
      <Numbers
        caption={`${t('timeToHire')}: ${t('numbers')}`}
        heads={[t('vacancy'), t('hires'), t('median'), t('mean')]}
        rows={data.by_vacancy.map(({ id, name, hires, median_days, average_days, list }) => ({
          key: String(id),
          cells: [
            name ?? t('none'),
            <FigureRecords key={id} list={list}>
              {number(hires)}
            </FigureRecords>,
            days(median_days),
            days(average_days),
          ],
        }))}
      />
      {data.stages.length > 0 ? (
        <Numbers
          caption={`${t('stages')}: ${t('numbers')}`}
          heads={[t('stage'), t('applications'), t('median'), t('mean')]}
          rows={data.stages.map(({ id, name, applications, median_days, average_days }) => ({
            key: String(id),
            cells: [name ?? t('none'), number(applications), days(median_days), days(average_days)],
          }))}
        />
      ) : null}
    </>
  )
}
