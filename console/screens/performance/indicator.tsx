import { Button, Paper, Stack, Table, Text, Title, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { AnswerOf } from '../../client/client.ts'
import { useRead, useWrite } from '../../client/data.ts'
import { CreateKeyPerformanceIndicatorResult, UpdateKeyPerformanceIndicator } from '../../client/fields/performance.ts'
import { useMayFor } from '../../client/me.ts'
import { RemoveIcon } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, WhenLoaded } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { common } from '../../texts/common.ts'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { ResultsChart } from './chart.tsx'
import { indicatorFields, useWhose } from './indicators.tsx'
import { Back, Bar, isDown, State, useAmount, useShortAmount } from './parts.tsx'
import { performanceTexts } from './texts.ts'

const RESULTS =
  '/performance/key_performance_indicators/{key_performance_indicator_id}/key_performance_indicator_results'
type IndicatorRecord = AnswerOf<'GET /performance/key_performance_indicators/{id}'>['data']

/** An indicator: its status, and its results as a chart and a table. */
export function Indicator({ id }: { id: number }) {
  const t = useTexts(performanceTexts)
  const words = useTexts(common)
  const [isOpen, setOpen] = useState<'result' | 'edit'>()
  const read = useRead(
    'GET /performance/key_performance_indicators/{id}',
    { params: { id } },
    { kinds: ['kpi_results'] },
  )
  const { mayFor } = useMayFor(read.answer?.data.owner?.id ?? null, 'performance:write')
  const title = read.answer?.data.title ?? t('indicators')
  const actions =
    read.answer && mayFor('performance:write') ? (
      <>
        <Button variant="default" leftSection={<Icon name="edit" />} onClick={() => setOpen('edit')}>
          {words('edit')}
        </Button>
        <Button leftSection={<Icon name="plus" />} onClick={() => setOpen('result')}>
          {t('addResult')}
        </Button>
      </>
    ) : null
  return (
    <Page title={title} actions={actions} before={<Back to="/performance/indicators">{t('indicators')}</Back>}>
      <WhenLoaded of={read}>{({ data }) => <Whole of={data} />}</WhenLoaded>
      {isOpen === 'result' ? <NewResult of={id} onClose={() => setOpen(undefined)} /> : null}
      {isOpen === 'edit' && read.answer ? (
        <Edit of={read.answer.data} etag={read.etag} onClose={() => setOpen(undefined)} />
      ) : null}
    </Page>
  )
}

function Whole({ of }: { of: IndicatorRecord }) {
  const t = useTexts(performanceTexts)
  const amount = useAmount()
  const whose = useWhose()
  const { day } = useFormats()
  const shown = (value: number | null) => amount(value, of.metric, of.currency_code)
  const dates = [of.starts_on, of.ends_on].filter(Boolean).map((one) => day(one))
  return (
    <Stack gap="lg">
      <Stack gap={6}>
        <Text c="dimmed" component="div">
          <State of={of.status} /> {[whose(of), dates.join(' – ')].filter(Boolean).join(' · ')}
        </Text>
        {of.description ? <Text className="performance-description">{of.description}</Text> : null}
        <Bar label={t('progressOf', { title: of.title })} percent={of.progress_percentage} status={of.status} />
        <Text size="sm" c="dimmed">
          {of.current_value === null
            ? t('noResult')
            : t(isDown(of.start_value, of.target_value) ? 'downTo' : 'ofTarget', {
                current: shown(of.current_value),
                target: shown(of.target_value),
              })}
        </Text>
      </Stack>
      <Results of={of} shown={shown} />
    </Stack>
  )
}

function Results({ of, shown }: { of: IndicatorRecord; shown: (value: number | null) => string }) {
  const t = useTexts(performanceTexts)
  const words = useTexts(common)
  const fieldName = useFieldName()
  const short = useShortAmount()
  const { mayFor } = useMayFor(of.owner?.id ?? null, 'performance:write')
  const { day } = useFormats()
  const params = { key_performance_indicator_id: of.id }
  const read = useRead(`GET ${RESULTS}`, { params, query: { per_page: 200, sort: '-id' } }, { kinds: ['kpi_results'] })
  const remove = useWrite(`DELETE ${RESULTS}/{id}`, {
    done: t('deleted'),
    touches: ['kpi_results', 'key_performance_indicators'],
  })
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('results')}
      </Title>
      <WhenLoaded of={read}>
        {({ data }) => {
          if (data.length === 0) return <Empty icon="target" title={t('noResults')} />
          const inOrder = [...data].sort((one, other) => one.occurred_on.localeCompare(other.occurred_on))
          return (
            <>
              <Paper withBorder p="sm">
                <ResultsChart
                  title={of.title}
                  points={inOrder.map(({ occurred_on, value }) => ({ day: occurred_on, value }))}
                  target={of.target_value}
                  format={shown}
                  formatShort={(value) => short(value, of.metric, of.currency_code)}
                />
              </Paper>
              <Table className="performance-numbers">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('day')}</Table.Th>
                    <Table.Th ta="end">{fieldName('value')}</Table.Th>
                    <Table.Th>{fieldName('comment')}</Table.Th>
                    {mayFor('performance:write') ? (
                      <Table.Th w={48}>
                        <VisuallyHidden>{t('actions')}</VisuallyHidden>
                      </Table.Th>
                    ) : null}
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {inOrder.toReversed().map((one) => (
                    <Table.Tr key={one.id}>
                      <Table.Td>{day(one.occurred_on)}</Table.Td>
                      <Table.Td ta="end">{shown(one.value)}</Table.Td>
                      <Table.Td>{one.comment}</Table.Td>
                      {mayFor('performance:write') ? (
                        <Table.Td>
                          <RemoveIcon
                            label={`${words('delete')}: ${day(one.occurred_on)}`}
                            onConfirm={() => remove.mutate({ params: { ...params, id: one.id } })}
                            size={16}
                          />
                        </Table.Td>
                      ) : null}
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </>
          )
        }}
      </WhenLoaded>
    </Stack>
  )
}

function NewResult({ of, onClose }: { of: number; onClose: () => void }) {
  const t = useTexts(performanceTexts)
  const save = useWrite(`POST ${RESULTS}`, {
    done: t('resultAdded'),
    touches: ['kpi_results', 'key_performance_indicators'],
    onSuccess: onClose,
  })
  return (
    <Dialog opened onClose={onClose} title={t('addResult')}>
      <Form
        fields={CreateKeyPerformanceIndicatorResult}
        of={['value', 'occurred_on', 'comment']}
        start={{ occurred_on: today() }}
        onSubmit={(values) => save.mutate({ params: { key_performance_indicator_id: of }, body: values as never })}
        error={save.error}
        isBusy={save.isPending}
        onCancel={onClose}
      />
    </Dialog>
  )
}

function Edit({ of, etag, onClose }: { of: IndicatorRecord; etag: string | undefined; onClose: () => void }) {
  const t = useTexts(performanceTexts)
  const save = useWrite('PUT /performance/key_performance_indicators/{id}', { done: t('saved'), onSuccess: onClose })
  const idOf = (one: { id: number } | null) => one?.id ?? null
  const start = {
    ...of,
    user_id: idOf(of.owner),
    department_id: idOf(of.department),
    location_id: idOf(of.location),
    division_id: idOf(of.division),
  }
  return (
    <Dialog opened onClose={onClose} title={t('editIndicator')}>
      <Form
        fields={UpdateKeyPerformanceIndicator}
        of={indicatorFields}
        start={start}
        etag={etag}
        onSubmit={(_, changed, ifMatch) => save.mutate({ params: { id: of.id }, body: changed, ifMatch })}
        error={save.error}
        isBusy={save.isPending}
        onCancel={onClose}
      />
    </Dialog>
  )
}
