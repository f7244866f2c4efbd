import { Button, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ItemOf, QueryOf } from '../../client/client.ts'
import { usePages, useWrite } from '../../client/data.ts'
import { CreateKeyPerformanceIndicator } from '../../client/fields/performance.ts'
import { useMay } from '../../client/me.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { RecordSelect } from '../../parts/fields.tsx'
import { Filters } from '../../parts/filters.tsx'
import { Form } from '../../parts/form.tsx'
import { nameOf } from '../../parts/person.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Link, navigate, useFilters } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName, useValueName } from '../../texts/names.ts'
import { Bar, isDown, Section, State, useAmount } from './parts.tsx'
import { performanceTexts } from './texts.ts'

type ListedIndicator = ItemOf<'GET /performance/key_performance_indicators'>

const FILTER_NAMES = ['status', 'kpi_type', 'owner_id']

/** Indicators: numbers that show how a person, a team or the company is doing. */
export function Indicators() {
  const t = useTexts(performanceTexts)
  const words = useTexts(common)
  const may = useMay()
  const { get, set } = useFilters()
  const [isNew, setNew] = useState(false)
  const query = Object.fromEntries(FILTER_NAMES.map((name) => [name, get(name)]).filter(([, value]) => value))
  const found = usePages('GET /performance/key_performance_indicators', {
    query: { sort: '-updated_at', ...query } as QueryOf<'GET /performance/key_performance_indicators'>,
  })
  const isFiltered = FILTER_NAMES.some((name) => get(name))
  const add = may('performance:write') ? (
    <Button leftSection={<Icon name="plus" />} onClick={() => setNew(true)}>
      {t('newIndicator')}
    </Button>
  ) : null
  return (
    <Section part="indicators" actions={add}>
      <Stack gap="sm">
        <IndicatorFilters />
        <Text size="sm" c="dimmed" role="status">
          {found.total === undefined ? '' : t('count', { count: found.total })}
        </Text>
        {found.error ? (
          <Failed error={found.error} onRetry={() => void found.refetch()} />
        ) : found.total === undefined ? (
          <Loading rows={6} height={84} />
        ) : found.total === 0 ? (
          <Empty
            icon="target"
            isFiltered={isFiltered}
            onClear={() => set(Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined])))}
            {...(isFiltered ? {} : { title: t('noIndicators'), text: add ? t('noIndicatorsText') : '' })}
          />
        ) : (
          <ul className="performance-list">
            {found.items.map((one) => (
              <Line key={one.id} of={one} />
            ))}
          </ul>
        )}
        {found.hasNextPage ? (
          <Button variant="default" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
            {words('more')}
          </Button>
        ) : null}
      </Stack>
      {isNew ? <NewIndicator onClose={() => setNew(false)} /> : null}
    </Section>
  )
}

/** The owner of an indicator: a person, a part of the company, or the whole company. */
export function useWhose(): (of: ListedIndicator) => string {
  const t = useTexts(performanceTexts)
  return ({ owner, department, location, division }) =>
    owner ? nameOf(owner) : ((department ?? location ?? division)?.name ?? t('company'))
}

function Line({ of }: { of: ListedIndicator }) {
  const t = useTexts(performanceTexts)
  const amount = useAmount()
  const whose = useWhose()
  const shown = (value: number | null) => amount(value, of.metric, of.currency_code)
  return (
    <li className="performance-card performance-row">
      <div>
        <Link to={`/performance/indicators/${of.id}`} className="performance-title">
          {of.title}
        </Link>
        <Text size="sm" c="dimmed">
          {whose(of)}
        </Text>
      </div>
      <Stack gap={4}>
        <Bar label={t('progressOf', { title: of.title })} percent={of.progress_percentage} status={of.status} />
        <Text size="sm" c="dimmed" component="div">
          <State of={of.status} />{' '}
          {of.current_value === null
            ? t('noResult')
            : of.target_value === null
              ? shown(of.current_value)
              : t(isDown(of.start_value, of.target_value) ? 'downTo' : 'ofTarget', {
                  current: shown(of.current_value),
                  target: shown(of.target_value),
                })}
        </Text>
      </Stack>
    </li>
  )
}

function IndicatorFilters() {
  const t = useTexts(performanceTexts)
  const fieldName = useFieldName()
  const valueName = useValueName()
  const may = useMay()
  const { get, set } = useFilters()
  const choice = (name: 'status' | 'kpi_type', any: string) => (
    <Select
      aria-label={fieldName(name)}
      placeholder={any}
      data={CreateKeyPerformanceIndicator[name].values.map((value) => ({ value, label: valueName(value) }))}
      value={get(name) || null}
      onChange={(value) => set({ [name]: value ?? undefined })}
      clearable
    />
  )
  return (
    <Filters search={null} count={FILTER_NAMES.filter((one) => get(one)).length}>
      {choice('status', t('anyStatus'))}
      {choice('kpi_type', t('anyType'))}
      {may('employees:read') ? (
        <RecordSelect
          table="employees"
          aria-label={fieldName('owner')}
          placeholder={t('anyOwner')}
          value={Number(get('owner_id')) || null}
          onChange={(id) => set({ owner_id: id === null ? undefined : String(id) })}
        />
      ) : null}
    </Filters>
  )
}

type Field = keyof typeof CreateKeyPerformanceIndicator

/** The kind decides which owner field is needed, and the metric decides the unit. */
const WHOSE: Record<string, Field> = {
  individual: 'user_id',
  department: 'department_id',
  location: 'location_id',
  division: 'division_id',
}
export const indicatorFields = ({ kpi_type, metric }: Record<string, unknown>): readonly Field[] => [
  'title',
  'kpi_type',
  ...(WHOSE[String(kpi_type)] ? [WHOSE[String(kpi_type)] as Field] : []),
  'metric',
  ...(metric === 'currency' ? (['currency_code'] as const) : []),
  'start_value',
  'target_value',
  'starts_on',
  'ends_on',
  'description',
]

function NewIndicator({ onClose }: { onClose: () => void }) {
  const t = useTexts(performanceTexts)
  const save = useWrite('POST /performance/key_performance_indicators', {
    done: ({ data }) => t('created', { title: data.title }),
    onSuccess: ({ data }) => navigate(`/performance/indicators/${data.id}`),
  })
  return (
    <Dialog opened onClose={onClose} title={t('newIndicator')}>
      <Form
        fields={CreateKeyPerformanceIndicator}
        of={indicatorFields}
        onSubmit={(values) => save.mutate({ body: values as never })}
        error={save.error}
        isBusy={save.isPending}
        onCancel={onClose}
      />
    </Dialog>
  )
}
