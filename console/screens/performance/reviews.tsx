import { Button, Group, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { AnswerOf, ItemOf } from '../../client/client.ts'
import { usePages, useRead, useWrite } from '../../client/data.ts'
import { AddReviews, CreateReview, CreateReviewCycle, CreateReviewQuestion } from '../../client/fields/reviews.ts'
import { useMay, useMayForAll, useMe } from '../../client/me.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Failed, Loading, WhenLoaded } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Link, navigate } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { Back, Bar, Section, State, useEmployeeNames } from './parts.tsx'
import { performanceTexts } from './texts.ts'

type CycleShown = ItemOf<'GET /performance/review_cycles'>
type ReviewShown = ItemOf<'GET /performance/review_cycles/{review_cycle_id}/reviews'>
type Progress = CycleShown['progress']
const CYCLE = '/performance/review_cycles/{review_cycle_id}'
/** The kinds of records that a cycle's progress depends on. */
const KINDS = ['reviews', 'review_participants', 'review_answers']

const shareOf = ({ participants, submitted }: { participants: number; submitted: number }) =>
  participants === 0 ? null : Math.round((submitted / participants) * 100)

/** Review cycles, and the user's open reviews. */
export function Reviews() {
  const t = useTexts(performanceTexts)
  const words = useTexts(common)
  const mayForAll = useMayForAll()
  const [isNew, setNew] = useState(false)
  const cycles = usePages('GET /performance/review_cycles', { query: { sort: '-starts_on' } }, { kinds: KINDS })
  const add = mayForAll('reviews:write') ? (
    <Button leftSection={<Icon name="plus" />} onClick={() => setNew(true)}>
      {t('newCycle')}
    </Button>
  ) : null
  return (
    <Section part="reviews" actions={add}>
      {cycles.error ? (
        <Failed error={cycles.error} onRetry={() => void cycles.refetch()} />
      ) : cycles.total === undefined ? (
        <Loading rows={4} height={84} />
      ) : cycles.total === 0 ? (
        <Empty icon="target" title={t('noCycles')} text={t('noCyclesText')} />
      ) : (
        <Stack gap="md">
          {cycles.items
            .filter(({ state }) => state === 'opened')
            .map((one) => (
              <OpenReviews key={one.id} in={one} />
            ))}
          <Title order={2} size="h4">
            {t('cycles')}
          </Title>
          <ul className="performance-list">
            {cycles.items.map((one) => (
              <li key={one.id} className="performance-card performance-row">
                <div>
                  <Link to={`/performance/reviews/${one.id}`} className="performance-title">
                    {one.name}
                  </Link>
                  <Dates of={one} />
                </div>
                <HandedIn of={one.progress} name={one.name} />
              </li>
            ))}
          </ul>
          {cycles.hasNextPage ? (
            <Button variant="default" onClick={() => void cycles.fetchNextPage()} loading={cycles.isFetchingNextPage}>
              {words('more')}
            </Button>
          ) : null}
        </Stack>
      )}
      {isNew ? <NewCycle onClose={() => setNew(false)} /> : null}
    </Section>
  )
}

function Dates({ of }: { of: CycleShown }) {
  const { day } = useFormats()
  return (
    <Text size="sm" c="dimmed" component="div">
      <State of={of.state} /> {day(of.starts_on)} – {day(of.ends_on)}
    </Text>
  )
}

function HandedIn({ of, name }: { of: Progress; name: string }) {
  const t = useTexts(performanceTexts)
  const { participants, submitted } = of
  return (
    <div>
      <Bar label={t('progressOf', { title: name })} percent={shareOf(of)} status="finished" />
      <Text size="xs" c="dimmed">
        {t('handedIn', { participants, submitted })}
      </Text>
    </div>
  )
}

/** Reviews that the user has not submitted yet. */
function OpenReviews({ in: cycle }: { in: CycleShown }) {
  const t = useTexts(performanceTexts)
  const { employee } = useMe()
  const { day } = useFormats()
  const read = useRead(
    `GET ${CYCLE}/reviews`,
    { params: { review_cycle_id: cycle.id }, query: { waiting_for_id: employee?.id ?? 0, per_page: 200 } },
    { enabled: employee !== null, kinds: KINDS },
  )
  const waiting = read.answer?.data ?? []
  const name = useEmployeeNames(waiting.map(({ employee_id }) => employee_id).filter((id) => id !== employee?.id))
  if (waiting.length === 0) return null
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {t('waiting')}
      </Title>
      <ul className="performance-list">
        {waiting.map((one) => {
          const title =
            one.employee_id === employee?.id ? t('yourself') : t('answerFor', { name: name(one.employee_id) })
          return (
            <li key={one.id} className="performance-card">
              <Group justify="space-between">
                <div>
                  <Text fw={600}>{title}</Text>
                  <Text size="sm" c="dimmed">
                    {cycle.name} · {t('until', { day: day(cycle.ends_on) })}
                  </Text>
                </div>
                <Button
                  component={Link}
                  to={`/performance/reviews/${cycle.id}/${one.id}`}
                  aria-label={`${t('answer')}: ${title}`}
                >
                  {t('answer')}
                </Button>
              </Group>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function NewCycle({ onClose }: { onClose: () => void }) {
  const t = useTexts(performanceTexts)
  const save = useWrite('POST /performance/review_cycles', {
    done: ({ data }) => t('created', { title: data.name }),
    onSuccess: ({ data }) => navigate(`/performance/reviews/${data.id}`),
  })
  return (
    <Dialog opened onClose={onClose} title={t('newCycle')}>
      <Form
        fields={CreateReviewCycle}
        of={['name', 'starts_on', 'ends_on', 'review_period_starts_on', 'review_period_ends_on', 'description']}
        onSubmit={(values) => save.mutate({ body: values as never })}
        error={save.error}
        isBusy={save.isPending}
        onCancel={onClose}
      />
    </Dialog>
  )
}

/** A cycle: its progress, its reviews and its questions. */
export function Cycle({ id }: { id: number }) {
  const t = useTexts(performanceTexts)
  const mayForAll = useMayForAll()
  const read = useRead('GET /performance/review_cycles/{id}', { params: { id } }, { kinds: KINDS })
  const cycle = read.answer?.data
  return (
    <Page
      title={cycle?.name ?? t('reviews')}
      before={<Back to="/performance/reviews">{t('reviews')}</Back>}
      actions={cycle && mayForAll('reviews:write') ? <CycleActions of={cycle} /> : null}
    >
      <WhenLoaded of={read}>
        {({ data }) => (
          <Stack gap="lg">
            <Dates of={data} />
            {data.description ? <Text className="performance-description">{data.description}</Text> : null}
            <ByPart of={data} />
            {data.state === 'opened' ? <OpenReviews in={data} /> : null}
            <People of={data} />
            {mayForAll('reviews:write') ? <Questions of={data} /> : null}
          </Stack>
        )}
      </WhenLoaded>
    </Page>
  )
}

const PARTS = ['self', 'manager', 'peer', 'report'] as const

function ByPart({ of }: { of: CycleShown }) {
  const t = useTexts(performanceTexts)
  const there = PARTS.filter((part) => of.progress[part].participants > 0)
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      {there.map((part) => (
        <div key={part}>
          <Text size="sm" fw={600}>
            {t(part)}
          </Text>
          <HandedIn of={{ ...of.progress, ...of.progress[part] }} name={t(part)} />
        </div>
      ))}
    </SimpleGrid>
  )
}

/** The actions for the cycle's current state. */
function CycleActions({ of }: { of: CycleShown }) {
  const t = useTexts(performanceTexts)
  const words = useTexts(common)
  const [isAsking, setAsking] = useState(false)
  const params = { id: of.id }
  const open = useWrite('POST /performance/review_cycles/{id}/open', { done: t('cycleOpened') })
  const close = useWrite('POST /performance/review_cycles/{id}/close', { done: t('cycleClosed') })
  const reopen = useWrite('POST /performance/review_cycles/{id}/reopen', { done: t('cycleOpened') })
  const finish = useWrite('POST /performance/review_cycles/{id}/finish', {
    done: t('cycleFinished'),
    isFinal: true,
    onSuccess: () => setAsking(false),
  })
  return (
    <>
      {of.state === 'draft' ? (
        <Button onClick={() => open.mutate({ params })} loading={open.isPending}>
          {t('open')}
        </Button>
      ) : null}
      {of.state === 'opened' ? (
        <Button onClick={() => close.mutate({ params })} loading={close.isPending}>
          {t('close')}
        </Button>
      ) : null}
      {of.state === 'closed' ? (
        <>
          <Button variant="default" onClick={() => reopen.mutate({ params })} loading={reopen.isPending}>
            {t('reopen')}
          </Button>
          <Button onClick={() => setAsking(true)}>{t('finish')}</Button>
        </>
      ) : null}
      <Dialog opened={isAsking} onClose={() => setAsking(false)} title={t('finish')}>
        <Text mb="md">{t('finishAsk')}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => setAsking(false)}>
            {words('cancel')}
          </Button>
          <Button onClick={() => finish.mutate({ params })} loading={finish.isPending} data-autofocus>
            {t('finish')}
          </Button>
        </Group>
      </Dialog>
    </>
  )
}

function People({ of }: { of: CycleShown }) {
  const t = useTexts(performanceTexts)
  const words = useTexts(common)
  const may = useMay()
  const [isAdding, setAdding] = useState(false)
  const params = { review_cycle_id: of.id }
  const found = usePages(`GET ${CYCLE}/reviews`, { params, query: {} }, { kinds: KINDS, size: 50 })
  const name = useEmployeeNames(found.items.map(({ employee_id }) => employee_id))
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t('people')}
        </Title>
        {may('reviews:write') && ['draft', 'opened'].includes(of.state) ? (
          <Button size="xs" variant="default" onClick={() => setAdding(true)}>
            {t('addPeople')}
          </Button>
        ) : null}
      </Group>
      {found.error ? (
        <Failed error={found.error} onRetry={() => void found.refetch()} />
      ) : found.total === undefined ? (
        <Loading rows={4} height={64} />
      ) : found.total === 0 ? (
        <Empty icon="people" title={t('noReviews')} />
      ) : (
        <ul className="performance-list">
          {found.items.map((one: ReviewShown) => (
            <li key={one.id} className="performance-card performance-row">
              <div>
                <Link to={`/performance/reviews/${of.id}/${one.id}`} className="performance-title">
                  {name(one.employee_id)}
                </Link>
                <div>
                  <State of={one.state} />
                </div>
              </div>
              <HandedIn of={one.progress} name={name(one.employee_id)} />
            </li>
          ))}
        </ul>
      )}
      {found.hasNextPage ? (
        <Button mt="sm" variant="default" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
          {words('more')}
        </Button>
      ) : null}
      {isAdding ? <AddPeople to={of.id} onClose={() => setAdding(false)} /> : null}
    </section>
  )
}

function AddPeople({ to, onClose }: { to: number; onClose: () => void }) {
  const t = useTexts(performanceTexts)
  const [way, setWay] = useState('department')
  const done = { done: t('peopleAdded'), touches: ['review_cycles', ...KINDS], onSuccess: onClose }
  const one = useWrite(`POST ${CYCLE}/reviews`, done)
  const many = useWrite(`POST ${CYCLE}/reviews/bulk`, done)
  const params = { review_cycle_id: to }
  return (
    <Dialog opened onClose={onClose} title={t('addPeople')}>
      <Stack>
        <SegmentedControl
          fullWidth
          value={way}
          onChange={setWay}
          aria-label={t('addPeople')}
          data={[
            { value: 'department', label: t('byDepartment') },
            { value: 'person', label: t('byPerson') },
          ]}
        />
        {way === 'department' ? (
          <Form
            fields={AddReviews}
            of={['department_id', 'with_reports']}
            onSubmit={(values) => many.mutate({ params, body: values })}
            error={many.error}
            isBusy={many.isPending}
            onCancel={onClose}
          />
        ) : (
          <Form
            fields={CreateReview}
            of={['employee_id', 'with_reports']}
            onSubmit={(values) => one.mutate({ params, body: values as never })}
            error={one.error}
            isBusy={one.isPending}
            onCancel={onClose}
          />
        )}
      </Stack>
    </Dialog>
  )
}

type Question = AnswerOf<'GET /performance/review_cycles/{review_cycle_id}/questions'>['data'][number]

function Questions({ of }: { of: CycleShown }) {
  const t = useTexts(performanceTexts)
  const [isAdding, setAdding] = useState(false)
  const params = { review_cycle_id: of.id }
  const read = useRead(`GET ${CYCLE}/questions`, { params, query: { per_page: 200 } }, { kinds: ['review_questions'] })
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t('questions')}
        </Title>
        {of.state === 'draft' || of.state === 'opened' ? (
          <Button size="xs" variant="default" onClick={() => setAdding(true)}>
            {t('addQuestion')}
          </Button>
        ) : null}
      </Group>
      <WhenLoaded of={read} loading={<Loading rows={3} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">{t('noQuestions')}</Text>
          ) : (
            <ol className="performance-questions">
              {data.map((one: Question) => (
                <li key={one.id}>
                  {one.title}
                  {one.required ? ' *' : ''}
                </li>
              ))}
            </ol>
          )
        }
      </WhenLoaded>
      {isAdding ? <NewQuestion to={of.id} onClose={() => setAdding(false)} /> : null}
    </section>
  )
}

/** The API has two names for each kind. The console shows the short one. */
const QUESTION = {
  ...CreateReviewQuestion,
  type: { ...CreateReviewQuestion.type, values: CreateReviewQuestion.type.values.filter((one) => !/^[A-Z]/.test(one)) },
}

function NewQuestion({ to, onClose }: { to: number; onClose: () => void }) {
  const t = useTexts(performanceTexts)
  const save = useWrite(`POST ${CYCLE}/questions`, {
    done: t('saved'),
    touches: ['review_questions'],
    onSuccess: onClose,
  })
  const send = ({ options, ...values }: Record<string, unknown>) => {
    const lines = String(options ?? '')
      .split('\n')
      .map((one) => one.trim())
    const body = { ...values, ...(options ? { options: lines.filter(Boolean) } : {}) }
    save.mutate({ params: { review_cycle_id: to }, body: body as never })
  }
  const fields = { ...QUESTION, options: { type: 'string', format: 'text', required: true } } as const
  return (
    <Dialog opened onClose={onClose} title={t('addQuestion')}>
      <Form
        fields={fields}
        labels={{ required: t('mustAnswer'), options: t('options') }}
        of={({ type }) => [
          'title',
          'type',
          ...(type === 'scale' ? (['scale_min', 'scale_max'] as const) : []),
          ...(type === 'choice' ? (['options'] as const) : []),
          'required',
        ]}
        onSubmit={send}
        error={save.error}
        isBusy={save.isPending}
        onCancel={onClose}
      />
    </Dialog>
  )
}
