import { Group, Paper, Select, Skeleton, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useRead } from '../../client/data.ts'
import { useMay, useMe } from '../../client/me.ts'
import type {
  Absence,
  FigureOfGroup,
  Headcount,
  PayOfGroup,
  PaySpread,
  Tenure,
  TimeToHire,
  Turnover,
} from '../../client/operations.ts'
import { Columns, Lines, Rows, Spreads } from '../../parts/charts.tsx'
import { RecordSelect } from '../../parts/fields.tsx'
import { Filters } from '../../parts/filters.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Failed } from '../../parts/states.tsx'
import { useFilters } from '../../shell/router.tsx'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { Behind, BehindPanel } from './behind.tsx'
import { dashboardTexts } from './texts.ts'

/** How many there are, who comes and goes, how long it takes and what it pays: each figure opens what it was counted from. */

const BY = ['job_level', 'department', 'location'] as const

export default function DashboardsPage() {
  const t = useTexts(dashboardTexts)
  const may = useMay()
  const { withheld } = useMe()
  const { get } = useFilters()
  const { from, to } = periodOf(get('period'), get('from'), get('to'))
  const among = {
    ...(get('department_id') ? { department_id: Number(get('department_id')) } : {}),
    ...(get('location_id') ? { location_id: Number(get('location_id')) } : {}),
  }
  const range = { ...(from ? { from } : {}), ...(to ? { to } : {}), ...among }
  const then = { ...(to ? { as_of: to } : {}), ...among }
  const by = BY.find((one) => one === get('by')) ?? 'job_level'
  const [seesPeople, seesLeave, seesHiring] = [may('employees:read'), may('leave:read'), may('recruitment:read')]
  const seesPay = seesPeople && !withheld.includes('compensation')
  const kept = { keepPrevious: true, kinds: ['employees'] }
  const headcount = useRead('GET /reports/headcount', { query: range }, { ...kept, enabled: seesPeople })
  const turnover = useRead('GET /reports/turnover', { query: range }, { ...kept, enabled: seesPeople })
  const tenure = useRead('GET /reports/tenure', { query: then }, { ...kept, enabled: seesPeople })
  const absence = useRead(
    'GET /reports/absence',
    { query: range },
    { keepPrevious: true, kinds: ['leave_requests'], enabled: seesPeople && seesLeave },
  )
  const hiring = useRead(
    'GET /reports/time_to_hire',
    { query: range },
    { keepPrevious: true, kinds: ['candidates', 'hires'], enabled: seesHiring },
  )
  const pay = useRead(
    'GET /reports/pay',
    { query: { ...then, by } },
    { keepPrevious: true, kinds: ['salaries'], enabled: seesPay },
  )
  return (
    <Page title={t('title')} isWide>
      <Stack gap="md">
        <Narrowing counted={headcount.answer?.data} />
        {seesPeople || seesHiring ? null : <Empty icon="dashboard" title={t('noFigures')} />}
        <div className="dashboards-tiles">
          {seesPeople ? (
            <>
              <HeadcountTile of={headcount} />
              <TurnoverTile of={turnover} />
              <TenureTile of={tenure} />
            </>
          ) : null}
          {seesPeople && seesLeave ? <AbsenceTile of={absence} /> : null}
          {seesHiring ? <HiringTile of={hiring} /> : null}
        </div>
        <div className="dashboards-grid">
          {seesPeople ? (
            <>
              <Part title={t('headcount')} text={t('headcountText')} of={headcount}>
                {({ data }) => <HeadcountPart data={data} />}
              </Part>
              <Part title={t('change')} text={t('changeText')} of={headcount}>
                {({ data }) => <ChangePart data={data} isNarrowed={Object.keys(among).length > 0} />}
              </Part>
              <Part title={t('turnover')} text={t('turnoverText')} of={turnover}>
                {({ data }) => <TurnoverPart data={data} />}
              </Part>
              <Part title={t('tenure')} text={t('tenureText')} of={tenure}>
                {({ data }) => <TenurePart data={data} />}
              </Part>
            </>
          ) : null}
          {seesPeople && seesLeave ? (
            <Part title={t('absence')} text={t('absenceText')} of={absence}>
              {({ data }) => <AbsencePart data={data} />}
            </Part>
          ) : null}
          {seesHiring ? (
            <Part title={t('timeToHire')} text={t('timeToHireText')} of={hiring}>
              {({ data }) => <HiringPart data={data} />}
            </Part>
          ) : null}
          {seesPay ? (
            <Part title={t('pay')} text={t('payText')} of={pay} isWide action={<PayBy value={by} />}>
              {({ data }) => <PayPart data={data} />}
            </Part>
          ) : null}
        </div>
      </Stack>
      <BehindPanel />
    </Page>
  )
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** What a named period means today; nothing is the service's own: twelve months until today. */
function periodOf(period: string, from: string, to: string): { from: string; to: string } {
  const year = Number(today().slice(0, 4))
  if (period === 'this_year') return { from: `${year}-01-01`, to: '' }
  if (period === 'last_year') return { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` }
  return { from: DAY.test(from) ? from : '', to: DAY.test(to) ? to : '' }
}

/** `counted`: the days that the service took, where none were asked for. */
function Narrowing({ counted }: { counted: { from: string; to: string } | undefined }) {
  const t = useTexts(dashboardTexts)
  const fieldName = useFieldName()
  const { get, set } = useFilters()
  const own = get('from') || get('to') ? 'own' : ''
  const period = get('period') || own || 'year'
  const { from, to } = periodOf(get('period'), get('from'), get('to'))
  const place = (name: string, table: string, label: string, placeholder: string) => (
    <RecordSelect
      table={table}
      aria-label={label}
      placeholder={placeholder}
      value={Number(get(name)) || null}
      onChange={(id) => set({ [name]: id === null ? undefined : String(id) })}
    />
  )
  const date = (name: 'from' | 'to', value: string) => (
    <TextInput
      type="date"
      aria-label={t(name)}
      value={value}
      onChange={(event) => set({ period: undefined, [name]: event.currentTarget.value }, { replace: true })}
    />
  )
  const count = ['period', 'from', 'to', 'department_id', 'location_id'].filter((one) => get(one)).length
  return (
    <Filters count={count}>
      <Select
        aria-label={t('period')}
        data={[
          { value: 'year', label: t('year') },
          { value: 'this_year', label: t('thisYear') },
          { value: 'last_year', label: t('lastYear') },
          ...(period === 'own' ? [{ value: 'own', label: t('ownPeriod') }] : []),
        ]}
        value={period}
        onChange={(next) =>
          set({
            period: next === 'year' || next === 'own' ? undefined : (next ?? undefined),
            from: undefined,
            to: undefined,
          })
        }
        allowDeselect={false}
      />
      {date('from', from || (counted?.from ?? ''))}
      {date('to', to || (counted?.to ?? ''))}
      {place('department_id', 'departments', fieldName('department'), t('anyDepartment'))}
      {place('location_id', 'locations', fieldName('location'), t('anyLocation'))}
    </Filters>
  )
}

type Read<T> = {
  answer?: { data: T } | undefined
  error: unknown
  isPlaceholderData: boolean
  refetch: () => unknown
}

function Part<T>(props: {
  title: string
  text: string
  of: Read<T>
  children: (answer: { data: T }) => ReactNode
  action?: ReactNode
  isWide?: boolean
}) {
  const { title, text, of, children, action, isWide } = props
  const id = useId()
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-labelledby={id}
      className={isWide ? 'dashboards-part dashboards-wide' : 'dashboards-part'}
    >
      <Group justify="space-between" align="flex-start" mb="sm" gap="sm">
        <div>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </div>
        {action}
      </Group>
      {of.answer ? (
        <Stack gap="md" className={of.isPlaceholderData ? 'dashboards-stale' : undefined}>
          {children(of.answer)}
        </Stack>
      ) : of.error ? (
        <Failed error={of.error} onRetry={() => void of.refetch()} />
      ) : (
        <Skeleton height={420} />
      )}
    </Paper>
  )
}

/** A number that one looks for first. */
function Tile<T>(props: {
  title: string
  of: Read<T>
  value: (data: T) => ReactNode
  beneath?: (data: T) => ReactNode
}) {
  const { title, of, value, beneath } = props
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <div className="dashboards-figure">
        {of.answer ? value(of.answer.data) : of.error ? '–' : <Skeleton height={30} width={80} />}
      </div>
      <Text size="xs" c="dimmed" mih={18} component="div">
        {of.answer ? beneath?.(of.answer.data) : null}
      </Text>
    </Paper>
  )
}

const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0)

function HeadcountTile({ of }: { of: Read<Headcount> }) {
  const t = useTexts(dashboardTexts)
  const { number } = useFormats()
  const changeOf = ({ months }: Headcount) =>
    sum(months.map(({ joined, left, moved }) => joined.count - left.count + moved))
  return (
    <Tile
      title={t('headcount')}
      of={of}
      value={({ headcount }) => <Behind list={headcount.list}>{number(headcount.count)}</Behind>}
      beneath={(data) => `${t('change')}: ${number(changeOf(data), { signDisplay: 'exceptZero' })}`}
    />
  )
}

function TurnoverTile({ of }: { of: Read<Turnover> }) {
  const t = useTexts(dashboardTexts)
  const { number, percent } = useFormats()
  return (
    <Tile
      title={t('turnover')}
      of={of}
      value={({ rate, left }) => <Behind list={left.list}>{rate === null ? '–' : percent(rate)}</Behind>}
      beneath={({ left }) => `${t('left')}: ${number(left.count)}`}
    />
  )
}

function TenureTile({ of }: { of: Read<Tenure> }) {
  const t = useTexts(dashboardTexts)
  return (
    <Tile
      title={t('medianTenure')}
      of={of}
      value={({ median_years, headcount }) => (
        <Behind list={headcount.list}>{median_years === null ? '–' : t('years', { count: median_years })}</Behind>
      )}
    />
  )
}

function AbsenceTile({ of }: { of: Read<Absence> }) {
  const t = useTexts(dashboardTexts)
  const { percent } = useFormats()
  return (
    <Tile
      title={t('absenceRate')}
      of={of}
      value={({ rate, list }) => <Behind list={list}>{rate === null ? '–' : percent(rate)}</Behind>}
      beneath={({ days }) => t('inDays', { count: days })}
    />
  )
}

function HiringTile({ of }: { of: Read<TimeToHire> }) {
  const t = useTexts(dashboardTexts)
  const { number } = useFormats()
  return (
    <Tile
      title={t('timeToHire')}
      of={of}
      value={({ median_days, list }) => (
        <Behind list={list}>{median_days === null ? '–' : t('inDays', { count: median_days })}</Behind>
      )}
      beneath={({ hires }) => `${t('hires')}: ${number(hires)}`}
    />
  )
}

const useMonth = () => {
  const { day } = useFormats()
  return (month: string) => day(`${month}-01`, { month: 'short', year: '2-digit' })
}

/** The numbers of a chart, as a table. */
function Numbers(props: {
  caption: string
  heads: readonly string[]
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}) {
  const { caption, heads, rows } = props
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by keys
    <section className="dashboards-numbers" aria-label={caption} tabIndex={0}>
      <Table verticalSpacing={6} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            {heads.map((head, at) => (
              <Table.Th key={head} className={at > 0 ? 'dashboards-end' : undefined}>
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key}>
              {cells.map((cell, at) =>
                at === 0 ? (
                  <Table.Th key={heads[at]} scope="row" fw={400}>
                    {cell}
                  </Table.Th>
                ) : (
                  <Table.Td key={heads[at]} className="dashboards-end">
                    {cell}
                  </Table.Td>
                ),
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

function Groups({ title, groups }: { title: string; groups: readonly FigureOfGroup[] }) {
  const t = useTexts(dashboardTexts)
  const { number } = useFormats()
  if (groups.length === 0) return null
  return (
    <div>
      <Title order={3} size="h6" mb="xs">
        {title}
      </Title>
      <Rows
        items={groups.slice(0, 12).map(({ id, name, count, list }) => ({
          key: id ?? 'none',
          name: name ?? t('none'),
          value: count,
          shown: <Behind list={list}>{number(count)}</Behind>,
        }))}
      />
    </div>
  )
}

function HeadcountPart({ data }: { data: Headcount }) {
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

function ChangePart({ data, isNarrowed }: { data: Headcount; isNarrowed: boolean }) {
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
        heads={[t('month'), t('headcount'), t('joined'), t('left'), ...(isNarrowed ? [t('moved')] : [])]}
        rows={data.months.toReversed().map(({ month: key, headcount, joined, left, moved }) => ({
          key,
          cells: [
            month(key),
            ...[headcount, joined, left].map(({ count, list }) => (
              <Behind key={list} list={list}>
                {number(count)}
              </Behind>
            )),
            ...(isNarrowed ? [number(moved, { signDisplay: 'exceptZero' })] : []),
          ],
        }))}
      />
    </>
  )
}

function TurnoverPart({ data }: { data: Turnover }) {
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
            <Behind key={key} list={left.list}>
              {number(left.count)}
            </Behind>,
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

function TenurePart({ data }: { data: Tenure }) {
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
        points={rows.map(({ name, count }) => ({ label: name, values: [count] }))}
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
            <Behind key={name} list={list}>
              {number(count)}
            </Behind>,
          ],
        }))}
      />
    </>
  )
}

const COLOURS = [1, 2, 3, 4, 5] as const

function AbsencePart({ data }: { data: Absence }) {
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
            <Behind key={key} list={list}>
              {number(days, { maximumFractionDigits: 1 })}
            </Behind>,
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
            shown: <Behind list={list}>{number(days, { maximumFractionDigits: 1 })}</Behind>,
          }))}
        />
      </div>
    </>
  )
}

function HiringPart({ data }: { data: TimeToHire }) {
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
            shown: <Behind list={list}>{days(median_days)}</Behind>,
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
            <Behind key={id} list={list}>
              {number(hires)}
            </Behind>,
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

function PayBy({ value }: { value: (typeof BY)[number] }) {
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

function PayPart({ data }: { data: PaySpread }) {
  const t = useTexts(dashboardTexts)
  const { number, money } = useFormats()
  if (data.groups.length === 0) return <Text c="dimmed">{t('nothing')}</Text>
  const valuesOf = (one: PayOfGroup) => [one.minimum, one.lower_quartile, one.median, one.upper_quartile, one.maximum]
  const isTold = (one: PayOfGroup) => one.median !== null
  return (
    <>
      {data.currencies.map(({ currency_code: code }) => {
        const own = data.groups.filter((one) => one.currency_code === code)
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
                  <Behind key={one.id} list={one.list}>
                    {number(one.count)}
                  </Behind>,
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
