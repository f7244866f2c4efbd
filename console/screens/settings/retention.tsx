import { Alert, Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { usePages, useRead, useWrite } from '../../client/data.ts'
import { UpdateRetentionRules } from '../../client/fields/organisation.ts'
import { useMay, useMayForAll } from '../../client/me.ts'
import type { DueForErasure, RetentionRules } from '../../client/operations.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { Form } from '../../parts/form.tsx'
import { useProblemText } from '../../parts/problems.ts'
import { Empty, Failed, Loading, WhenFresh } from '../../parts/states.tsx'
import { Link } from '../../shell/router.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { retentionTexts } from './retention-texts.ts'

/** The most people in one request. */
const AT_ONCE = 50

/** Retention rules, and the people whose data is due. Only users who may erase them see that list. */
export function Retention() {
  const t = useTexts(retentionTexts)
  const mayForAll = useMayForAll()
  const read = useRead('GET /retention', {}, { kinds: ['retention_rules'] })
  return (
    <WhenFresh of={read}>
      {({ data }) => (
        <>
          <section aria-label={t('rules')}>
            <Stack gap="sm">
              <Title order={2} size="h4">
                {t('rules')}
              </Title>
              <Rules of={data} etag={read.etag} />
            </Stack>
          </section>
          {mayForAll('organisation:write') ? (
            <DueList hasRule={data.candidate_months !== null || data.employee_months !== null} />
          ) : null}
        </>
      )}
    </WhenFresh>
  )
}

function Rules({ of, etag }: { of: RetentionRules; etag: string | undefined }) {
  const t = useTexts(retentionTexts)
  const may = useMay()
  const mayForAll = useMayForAll()
  const save = useWrite('PUT /retention', { done: t('saved'), touches: ['retention_rules'] })
  const own = (['candidate_months', 'employee_months'] as const).filter((name) =>
    may(name === 'candidate_months' ? 'recruitment:write' : 'employees:write'),
  )
  const labels = { candidate_months: t('candidateMonths'), employee_months: t('employeeMonths') }
  const inWords = (months: number | null) => (months === null ? t('never') : t('months', { count: months }))
  if (!mayForAll('organisation:write'))
    return (
      <dl className="settings-facts settings-card">
        <dt>{labels.candidate_months}</dt>
        <dd>{inWords(of.candidate_months)}</dd>
        <dt>{labels.employee_months}</dt>
        <dd>{inWords(of.employee_months)}</dd>
      </dl>
    )
  return (
    <Form
      fields={UpdateRetentionRules}
      of={own}
      start={{ ...of }}
      etag={etag}
      labels={labels}
      onSubmit={(_, changed, base) => {
        if (Object.keys(changed).length > 0) save.mutate({ body: changed, ifMatch: base })
      }}
      error={save.error}
      isBusy={save.isPending}
    >
      {() => (
        <Text size="sm" c="dimmed">
          {t('rulesText')}
        </Text>
      )}
    </Form>
  )
}

type Refusal = { id: number; full_name: string; why: string }

/** The people whose data is due, since when and why. Erasing everybody on screen requires typing their number. */
function DueList({ hasRule }: { hasRule: boolean }) {
  const t = useTexts(retentionTexts)
  const { day } = useFormats()
  const problem = useProblemText()
  const due = usePages(
    'GET /retention/due',
    {},
    { size: AT_ONCE, kinds: ['retention_rules', 'candidates', 'employees', 'applications', 'vacancies'] },
  )
  const erase = useWrite('POST /retention/erasures', {
    done: ({ records }) => t('erased', { count: records.count }),
    isFinal: true,
    touches: ['candidates', 'employees'],
  })
  const [refused, setRefused] = useState<Refusal[]>([])
  const [isErasing, setErasing] = useState(false)
  const people = due.items
  const eraseAll = async () => {
    setErasing(true)
    setRefused([])
    try {
      for (const kind of ['candidates', 'employees'] as const) {
        const own = people.filter((one) => one.kind === kind)
        for (let at = 0; at < own.length; at += AT_ONCE) {
          const some = own.slice(at, at + AT_ONCE)
          const { body } = await erase.mutateAsync({ body: { kind, ids: some.map(({ id }) => id) } })
          const stayed = body.errors.data.map(({ id, errors }) => ({
            ...{ id, why: errors.map(problem).join(' ') },
            full_name: some.find((one) => one.id === id)?.full_name ?? String(id),
          }))
          if (stayed.length > 0) setRefused((before) => [...before, ...stayed])
        }
      }
    } catch {
      // A message has shown the error. The others stay in the list.
    } finally {
      setErasing(false)
    }
  }
  return (
    <section aria-label={t('due')}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('due')}
        </Title>
        {refused.length > 0 ? (
          <Alert color="red" role="alert" title={t('refused', { count: refused.length })}>
            {refused.map(({ id, full_name, why }) => (
              <div key={`${full_name} ${id}`}>{`${full_name}: ${why}`}</div>
            ))}
          </Alert>
        ) : null}
        {due.error ? (
          <Failed error={due.error} onRetry={() => void due.refetch()} />
        ) : due.isPending ? (
          <Loading rows={3} height={44} />
        ) : people.length === 0 ? (
          <Empty icon="history" title={hasRule ? t('nobody') : t('noRule')} />
        ) : (
          <>
            <Text size="sm">{t('count', { count: due.total ?? people.length })}</Text>
            <Table className="settings-due">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('who')}</Table.Th>
                  <Table.Th>{t('since')}</Table.Th>
                  <Table.Th>{t('why')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {people.map((one) => (
                  <Table.Tr key={`${one.kind} ${one.id}`}>
                    <Table.Td>
                      <Link to={addressOf(one)} className="person-name">
                        {one.full_name}
                      </Link>
                    </Table.Td>
                    <Table.Td>{day(one.due_on)}</Table.Td>
                    <Table.Td>{t(one.reason, { day: day(one.reason_on) })}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            <Group>
              {due.hasNextPage ? (
                <Button variant="default" loading={due.isFetchingNextPage} onClick={() => void due.fetchNextPage()}>
                  {t('more')}
                </Button>
              ) : null}
              <ConfirmButton
                label={t('eraseThese', { count: people.length })}
                title={t('eraseTitle', { count: people.length })}
                text={t('eraseText')}
                typed={{ label: t('eraseType', { number: people.length }), text: String(people.length) }}
                isBusy={isErasing}
                button={{ color: 'red.9', variant: 'filled' }}
                onConfirm={() => void eraseAll()}
              />
            </Group>
          </>
        )}
      </Stack>
    </section>
  )
}

const addressOf = ({ kind, id }: DueForErasure) => (kind === 'candidates' ? `/candidates/${id}` : `/people/${id}`)
