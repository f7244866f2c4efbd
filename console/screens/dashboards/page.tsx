import { Alert, Checkbox, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRead } from '../../client/data.ts'
import { useMay, useMe } from '../../client/me.ts'
import { Filters } from '../../parts/filters.tsx'
import { Page } from '../../parts/page.tsx'
import { useSentence } from '../../parts/problems.ts'
import { chosenQuery, RecordSelect, titleOf } from '../../parts/record-select.tsx'
import { Empty } from '../../parts/states.tsx'
import { useFilters } from '../../shell/router.tsx'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { shared } from '../../texts/words/words.ts'
import { AbsencePart, AbsenceTile } from './absence.tsx'
import { FigureRecordsPanel } from './figure-records.tsx'
import { ChangePart, HeadcountPart, HeadcountTile } from './headcount.tsx'
import { Part } from './parts.tsx'
import { BY, PayBy, PayPart } from './pay.tsx'
import { TenurePart, TenureTile } from './tenure.tsx'
import { dashboardTexts } from './texts.ts'
import { HiringPart, HiringTile } from './time-to-hire.tsx'
import { TurnoverPart, TurnoverTile } from './turnover.tsx'

/** Headcount, turnover, time to hire, pay and more. Each figure opens the records that it counts. */

export default function DashboardsPage() {
  const t = useTexts(dashboardTexts)
  const say = useTexts(shared('problems'))
  const whole = useSentence()
  const may = useMay()
  const { withheld } = useMe()
  const { get } = useFilters()
  const { from, to } = periodOf(get('period'), get('from'), get('to'))
  const among = {
    ...(get('department_id') ? { department_id: Number(get('department_id')), with_below: isWithBelow(get) } : {}),
    ...(get('location_id') ? { location_id: Number(get('location_id')) } : {}),
  }
  const range = { ...(from ? { from } : {}), ...(to ? { to } : {}), ...among }
  const then = { ...(to ? { as_of: to } : {}), ...among }
  const by = BY.find((one) => one === get('by')) ?? 'job_level'
  // Shown once at the input, not at every figure.
  const isBackwards = from > (to || today())
  const [seesPeople, seesLeave, seesHiring] = (['employees:read', 'leave:read', 'recruitment:read'] as const).map(
    (one) => may(one) && !isBackwards,
  ) as [boolean, boolean, boolean]
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
        <DashboardFilters counted={headcount.answer?.data} />
        <PrintedFilters counted={headcount.answer?.data} />
        {isBackwards ? (
          <Alert color="red" role="alert">
            {`${t('to')}: ${whole(say('before', { field: t('from') }))}`}
          </Alert>
        ) : null}
        {seesPeople || seesHiring || isBackwards ? null : <Empty icon="dashboard" title={t('noFigures')} />}
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
          <div className="dashboards-column">
            {seesPeople ? (
              <>
                <Part title={t('headcount')} text={t('headcountText')} of={headcount}>
                  {({ data }) => <HeadcountPart data={data} />}
                </Part>
                <Part title={t('tenure')} text={t('tenureText')} of={tenure}>
                  {({ data }) => <TenurePart data={data} />}
                </Part>
              </>
            ) : null}
            {seesHiring ? (
              <Part title={t('timeToHire')} text={t('timeToHireText')} of={hiring}>
                {({ data }) => <HiringPart data={data} />}
              </Part>
            ) : null}
          </div>
          {seesPeople ? (
            <div className="dashboards-column">
              <Part title={t('change')} text={t('changeText')} of={headcount}>
                {({ data }) => <ChangePart data={data} isFiltered={Object.keys(among).length > 0} />}
              </Part>
              <Part title={t('turnover')} text={t('turnoverText')} of={turnover}>
                {({ data }) => <TurnoverPart data={data} />}
              </Part>
              {seesLeave ? (
                <Part title={t('absence')} text={t('absenceText')} of={absence}>
                  {({ data }) => <AbsencePart data={data} />}
                </Part>
              ) : null}
            </div>
          ) : null}
        </div>
        {seesPay ? (
          <Part title={t('pay')} text={t('payText')} of={pay} action={<PayBy value={by} />}>
            {({ data }) => <PayPart data={data} />}
          </Part>
        ) : null}
      </Stack>
      <FigureRecordsPanel />
    </Page>
  )
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The dates of a named period. Empty means the service's default: the last twelve months. */
function periodOf(period: string, from: string, to: string): { from: string; to: string } {
  const year = Number(today().slice(0, 4))
  if (period === 'this_year') return { from: `${year}-01-01`, to: '' }
  if (period === 'last_year') return { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` }
  return { from: DAY.test(from) ? from : '', to: DAY.test(to) ? to : '' }
}

/** Include lower departments, unless the user turns that off? */
const isWithBelow = (get: (name: string) => string) => get('below') !== 'no'

type PeriodProps = { counted: { from: string; to: string } | undefined }

/** Printed only: the period and the filters. */
function PrintedFilters({ counted }: PeriodProps) {
  const t = useTexts(dashboardTexts)
  const fieldName = useFieldName()
  const { get } = useFilters()
  const { days } = useFormats()
  const { data: department } = useQuery(chosenQuery('departments', Number(get('department_id')) || null))
  const { data: location } = useQuery(chosenQuery('locations', Number(get('location_id')) || null))
  const parts = [
    counted ? days(counted.from, counted.to) : '',
    department ? `${fieldName('department')}: ${titleOf(department)}` : '',
    department && isWithBelow(get) ? t('withBelow') : '',
    location ? `${fieldName('location')}: ${titleOf(location)}` : '',
  ]
  return <Text className="dashboards-printed">{parts.filter(Boolean).join(' · ')}</Text>
}

/** `counted`: the period that the service used, because none was given. */
function DashboardFilters({ counted }: PeriodProps) {
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
      {get('department_id') ? (
        <Checkbox
          label={t('withBelow')}
          checked={isWithBelow(get)}
          onChange={(event) => set({ below: event.currentTarget.checked ? undefined : 'no' })}
        />
      ) : null}
      {place('location_id', 'locations', fieldName('location'), t('anyLocation'))}
    </Filters>
  )
}
