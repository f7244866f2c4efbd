import { Badge, Button, Checkbox, SimpleGrid, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useRead, useWrite } from '../../client/data.ts'
import { useMay, useMe } from '../../client/me.ts'
import type {
  Audit,
  CalendarEvent,
  DirectoryCard,
  EmployeeLeaveType,
  ReviewCycle,
  Task,
} from '../../client/operations.ts'
import { Page } from '../../parts/page.tsx'
import { PersonLine } from '../../parts/person.tsx'
import { useStableList } from '../../parts/stable-list.ts'
import { Empty } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Link } from '../../shell/router.tsx'
import { useScreenPath } from '../../shell/screens.ts'
import { hourNow, today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useKindName } from '../../texts/kind-names.ts'
import { useValueName } from '../../texts/names.ts'
import { useInbox } from '../leave/inbox.ts'
import { useItemText } from '../leave/item-text.ts'
import { Clock, useClockOf } from '../time/clock.tsx'
import { timeTexts } from '../time/texts.ts'
import { Card, Nothing } from './card.tsx'
import { FirstSteps } from './first-steps.tsx'
import { homeTexts } from './texts.ts'

const later = (days: number) => {
  const [year = 0, month = 1, day = 1] = today().split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10)
}

/** The start page. Each card depends on a permission and makes one request. */
export default function HomePage() {
  const t = useTexts(homeTexts)
  const { day } = useFormats()
  const { user, employee } = useMe()
  const may = useMay()
  const own = employee?.id
  const hour = hourNow()
  const greeting = hour < 12 ? 'morning' : hour < 18 ? 'day' : 'evening'
  const cards = [
    own && may('time:enter') ? <MyTime key="time" id={own} /> : null,
    own && may('leave:read') ? <MyLeave key="leave" id={own} /> : null,
    may('leave:approve') || may('time:approve') ? <Approvals key="approvals" /> : null,
    own && may('reviews:read') && may('review_answers:write') ? <Reviews key="reviews" id={own} /> : null,
    own && may('tasks:read') ? <Tasks key="tasks" id={own} /> : null,
    ...(may('calendar:read') ? [<Away key="away" />, <Celebrations key="celebrations" />] : []),
    may('directory:read') ? <NewEmployees key="starts" /> : null,
    may('employees:read') && may('leave:approve') ? <Probations key="probations" /> : null,
    may('audits:read') ? <Changes key="changes" /> : null,
  ].filter((one) => one !== null)
  return (
    <Page
      title={t(greeting, { name: employee?.first_name ?? user.name })}
      actions={own ? <MyProfile id={own} isPhone={false} /> : null}
    >
      <Text c="dimmed" mt={-12} mb="md">
        {day(today(), { weekday: 'long', day: 'numeric', month: 'long' })}
      </Text>
      {own ? <MyProfile id={own} isPhone /> : null}
      <FirstSteps />
      {cards.length > 0 ? (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md" className="home">
          {cards}
        </SimpleGrid>
      ) : (
        <Empty icon="home" title={t('nothing')} text={t('nothingText')} />
      )}
    </Page>
  )
}

/** On a phone it is below the date, which belongs to the greeting. */
function MyProfile({ id, isPhone }: { id: number; isPhone: boolean }) {
  const t = useTexts(homeTexts)
  return (
    <Button
      variant="default"
      component={Link}
      to={`/people/${id}`}
      leftSection={<Icon name="person" />}
      {...(isPhone ? { hiddenFrom: 'sm', mb: 'md' } : { visibleFrom: 'sm' })}
    >
      {t('myProfile')}
    </Button>
  )
}

/** Clocks in and out. */
function MyTime({ id }: { id: number }) {
  const t = useTexts(timeTexts)
  const read = useClockOf(id)
  return (
    <Card title={t('myTime')} icon="time" to={useScreenPath()('time')} of={read}>
      {({ data }) => (
        <>
          {data.length === 0 ? <Nothing text={t('notClockedIn')} /> : null}
          <Clock employeeId={id} />
        </>
      )}
    </Card>
  )
}

const STATES = { pending: 'yellow', approved: 'cadre', rejected: 'red', withdrawn: 'gray' }

/** Externally counted leave, such as sick leave, has no balance. */
const isKept = ({ leave_type_policy }: EmployeeLeaveType) => leave_type_policy.type !== 'external'

const UNITS = { days: 'day', hours: 'hour' }

function MyLeave({ id }: { id: number }) {
  const t = useTexts(homeTexts)
  const { days, number } = useFormats()
  const valueName = useValueName()
  const to = useScreenPath()('leave')
  const balances = useRead(
    'GET /employees/{employee_id}/leave_balances',
    { params: { employee_id: id }, query: { as_of: today() } },
    { kinds: ['leave_requests', 'leave_adjustments'] },
  )
  const requests = useRead('GET /leave_requests', {
    query: {
      employee_id: id,
      'ends_on[gte]': today(),
      'states[]': ['pending', 'approved'],
      sort: 'starts_on',
      per_page: 3,
    },
  })
  return (
    <Card title={t('myLeave')} icon="leave" to={to} of={balances}>
      {({ data }) => (
        <>
          {data.length === 0 ? <Nothing text={t('noBalances')} /> : null}
          <div className="home-balances">
            {data
              .filter(isKept)
              .slice(0, 4)
              .map((one) => (
                <div key={one.id}>
                  <Text fw={700} size="xl" lh={1.2}>
                    {number(one.balance, {
                      style: 'unit',
                      unit: UNITS[one.leave_type.unit],
                      unitDisplay: 'long',
                      maximumFractionDigits: 2,
                    })}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {one.leave_type.name}
                  </Text>
                </div>
              ))}
          </div>
          <Text size="sm" fw={600} mt="sm">
            {t('myRequests')}
          </Text>
          {requests.answer?.data.length === 0 ? <Nothing text={t('noRequests')} /> : null}
          <ul className="home-list">
            {requests.answer?.data.map((one) => (
              <li key={one.id}>
                <span className="home-words">
                  {one.leave_type}
                  <Text size="sm" c="dimmed">
                    {days(one.starts_on, one.ends_on)}
                  </Text>
                </span>
                <Badge color={STATES[one.state]}>{valueName(one.state)}</Badge>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

/** All pending approvals of the user, of every kind. */
function Approvals() {
  const t = useTexts(homeTexts)
  const leave = useScreenPath()('leave')
  const to = leave && `${leave}/approvals`
  const what = useItemText()
  const inbox = useInbox(null)
  const { items, error, isPending, refetch } = inbox
  const read = { answer: isPending ? undefined : items, error, refetch }
  return (
    <Card title={t('approvals')} icon="check" to={to} of={read}>
      {(waiting) => {
        if (waiting.length === 0) return <Nothing text={t('noApprovals')} />
        return (
          <>
            <ul className="home-list">
              {waiting.slice(0, 4).map((one) => (
                <li key={one.key}>
                  <PersonLine of={one.person} beneath={what(one)} isWhole />
                </li>
              ))}
            </ul>
            {to ? (
              <Button component={Link} to={to} size="compact-md" variant="light" mt="xs">
                {t('decide', { count: `${waiting.length}${inbox.hasMore ? '+' : ''}` })}
              </Button>
            ) : null}
          </>
        )
      }}
    </Card>
  )
}

/** Reviews that the user still has to answer, by open cycle. */
function Reviews({ id }: { id: number }) {
  const t = useTexts(homeTexts)
  const to = useScreenPath()('performance')
  const read = useRead('GET /performance/review_cycles', { query: { state: 'opened', sort: 'ends_on', per_page: 3 } })
  if (read.answer?.data.length === 0) return null
  return (
    <Card title={t('reviews')} icon="target" to={to && `${to}/reviews`} of={read}>
      {({ data }) => (
        <ul className="home-list">
          {data.map((one) => (
            <ReviewsIn key={one.id} cycle={one} employeeId={id} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function ReviewsIn({ cycle, employeeId }: { cycle: ReviewCycle; employeeId: number }) {
  const t = useTexts(homeTexts)
  const { day } = useFormats()
  const read = useRead(
    'GET /performance/review_cycles/{review_cycle_id}/reviews',
    { params: { review_cycle_id: cycle.id }, query: { waiting_for_id: employeeId, per_page: 1 } },
    { kinds: ['reviews', 'review_answers', 'review_participants'] },
  )
  const count = read.answer?.metadata.count
  return (
    <li>
      <span className="home-words">
        <Link to="/performance/reviews" className="home-change">
          {cycle.name}
        </Link>
        <Text size="sm" c="dimmed">
          {count === undefined
            ? ' '
            : count === 0
              ? t('reviewsDone')
              : t('reviewsWait', { count, day: day(cycle.ends_on) })}
        </Text>
      </span>
    </li>
  )
}

const NONE: Task[] = []

function Tasks({ id }: { id: number }) {
  const t = useTexts(homeTexts)
  const to = useScreenPath()('tasks')
  const read = useRead('GET /tasks', { query: { employee_id: id, completed: false, sort: 'ends_on', per_page: 5 } })
  const [done, setDone] = useState<ReadonlySet<number>>(new Set())
  const lines = useStableList(read.answer?.data ?? NONE, ({ id }) => id).filter(
    ({ item, isThere }) => isThere || done.has(item.id),
  )
  return (
    <Card title={t('tasks')} icon="tasks" to={to} of={read}>
      {() => (
        <>
          {lines.some(({ isThere }) => isThere) ? null : <Nothing text={t('noTasks')} />}
          <ul className="home-list">
            {lines.map(({ item, isThere }) => (
              <TaskLine
                key={`${item.id} ${isThere}`}
                of={item}
                isDone={!isThere}
                onDone={() => setDone((now) => new Set([...now, item.id]))}
              />
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

function TaskLine({ of, isDone, onDone }: { of: Task; isDone: boolean; onDone: () => void }) {
  const t = useTexts(homeTexts)
  const { day } = useFormats()
  const may = useMay()
  const complete = useWrite('PUT /tasks/{id}/complete', { done: t('completed'), onSuccess: onDone })
  const isLate = of.ends_on !== null && of.ends_on < today()
  return (
    <li>
      {may('tasks:write') ? (
        <Checkbox
          checked={isDone || complete.isPending || complete.isSuccess}
          disabled={isDone || complete.isPending}
          aria-label={t('complete', { name: of.title })}
          onChange={() => complete.mutate({ params: { id: of.id } })}
        />
      ) : null}
      <span className="home-words">
        {of.title}
        <Text size="sm" c={isLate ? 'var(--mantine-color-error)' : 'dimmed'}>
          {[
            of.ends_on ? t(isLate ? 'overdue' : 'due', { day: day(of.ends_on) }) : '',
            of.associated_to ? t('about', { name: of.associated_to.full_name }) : '',
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </span>
    </li>
  )
}

/** One request for all calendar events of the next two weeks. */
const useCalendar = () =>
  useRead(
    'GET /calendars',
    { query: { starts_on: today(), ends_on: later(14) } },
    { kinds: ['leave_requests', 'employees', 'holidays'] },
  )

type EventData = { employee?: { id: number; full_name: string }; leave_type?: { name: string } | null; years?: number }
const toldBy = ({ data }: CalendarEvent) => data as EventData

function Away() {
  const t = useTexts(homeTexts)
  const { day, days } = useFormats()
  const leave = useScreenPath()('leave')
  const read = useCalendar()
  return (
    <Card title={t('away')} icon="calendar" to={leave && `${leave}/calendar`} of={read}>
      {({ data }) => {
        const leaves = data.filter((one) => one.type === 'leave_request' && one.ends_on >= today())
        const now = leaves.filter((one) => one.starts_on <= today())
        const next = leaves.filter((one) => one.starts_on > today()).slice(0, Math.max(0, 5 - now.length))
        const holidays = data.filter((one) => one.type === 'holiday').slice(0, 2)
        const line = (one: CalendarEvent, when: string) => (
          <li key={`${one.starts_on} ${one.title}`}>
            <PersonLine
              of={toldBy(one).employee ?? { full_name: one.title }}
              beneath={[toldBy(one).leave_type?.name, when].filter(Boolean).join(' · ')}
            />
          </li>
        )
        return (
          <>
            {now.length === 0 ? (
              <Nothing text={t('nobodyAway')} />
            ) : (
              <Text size="sm" c="dimmed">
                {t('awayToday', { count: now.length })}
              </Text>
            )}
            <ul className="home-list">
              {now.slice(0, 5).map((one) => line(one, t('until', { day: day(one.ends_on) })))}
            </ul>
            {now.length > 5 ? <Nothing text={t('moreAway', { count: now.length - 5 })} /> : null}
            {next.length > 0 ? (
              <>
                <Text size="sm" fw={600} mt="xs">
                  {t('soonAway')}
                </Text>
                <ul className="home-list">{next.map((one) => line(one, days(one.starts_on, one.ends_on)))}</ul>
              </>
            ) : null}
            {holidays.map((one) => (
              <Text key={`${one.starts_on} ${one.title}`} size="sm" mt={6}>
                <Badge color="blue">{t('holiday')}</Badge> {one.title} · {day(one.starts_on)}
              </Text>
            ))}
          </>
        )
      }}
    </Card>
  )
}

function Celebrations() {
  const t = useTexts(homeTexts)
  const { day } = useFormats()
  const read = useCalendar()
  const when = (one: string) =>
    one === today() ? t('today') : one === later(1) ? t('tomorrow') : day(one, { day: 'numeric', month: 'short' })
  return (
    <Card title={t('celebrations')} icon="star" of={read}>
      {({ data }) => {
        const coming = data.filter(({ type }) => type === 'birthday' || type === 'anniversary')
        if (coming.length === 0) return <Nothing text={t('noCelebrations')} />
        return (
          <ul className="home-list">
            {coming.slice(0, 6).map((one) => (
              <li key={`${one.type} ${one.starts_on} ${one.title}`}>
                <PersonLine
                  of={toldBy(one).employee ?? { full_name: one.title }}
                  beneath={one.type === 'birthday' ? t('birthday') : t('years', { count: toldBy(one).years ?? 0 })}
                />
                <Badge color={one.starts_on === today() ? 'grape' : 'gray'}>{when(one.starts_on)}</Badge>
              </li>
            ))}
          </ul>
        )
      }}
    </Card>
  )
}

/** Filters that show the same people in either list of the people screen. */
const starters = () =>
  new URLSearchParams({
    of: 'everybody',
    coming: 'true',
    status: 'active',
    'hired_on[gte]': later(-60),
    sort: '-hired_on',
  })

/** Filters for employees whose probation ends soon, with that column. */
const endingProbation = () =>
  new URLSearchParams([
    ['status', 'probation'],
    ['probation_ends_on[gte]', today()],
    ['probation_ends_on[lte]', later(60)],
    ...['position', 'department', 'location', 'probation_ends_on'].map((name) => ['column', name]),
  ])

/** New employees: those who start soon, and those who started last. */
function NewEmployees() {
  const t = useTexts(homeTexts)
  const { day } = useFormats()
  const read = useRead(
    'GET /directory',
    { query: { coming: true, sort: '-hired_on', per_page: 40 } },
    { kinds: ['employees'] },
  )
  const people = useScreenPath()('people')
  return (
    <Card title={t('starts')} icon="people" to={people ? `${people}?${starters()}` : undefined} of={read}>
      {({ data }) => {
        const fresh = data.filter(({ hired_on }) => hired_on && hired_on >= later(-60))
        const isAhead = ({ hired_on }: DirectoryCard) => (hired_on ?? '') > today()
        // Upcoming starts first, then the latest ones.
        const near = [...fresh.filter(isAhead).toReversed().slice(0, 4), ...fresh.filter((one) => !isAhead(one))]
        if (fresh.length === 0) return <Nothing text={t('noStarts')} />
        return (
          <ul className="home-list">
            {near.slice(0, 6).map((one) => (
              <li key={one.id}>
                <PersonLine of={one} beneath={one.position?.name} />
                <Badge color={(one.hired_on ?? '') > today() ? 'blue' : 'gray'}>
                  {day(one.hired_on, { day: 'numeric', month: 'short' })}
                </Badge>
              </li>
            ))}
          </ul>
        )
      }}
    </Card>
  )
}

function Probations() {
  const t = useTexts(homeTexts)
  const { day } = useFormats()
  const { employee } = useMe()
  const read = useRead('GET /employees', {
    query: {
      status: 'probation',
      'probation_ends_on[gte]': today(),
      'probation_ends_on[lte]': later(60),
      per_page: 50,
    },
  })
  const people = useScreenPath()('people')
  const soonest = useMemo(
    () =>
      (read.answer?.data ?? [])
        .filter(({ id }) => id !== employee?.id)
        .toSorted((one, other) => (one.probation_ends_on ?? '').localeCompare(other.probation_ends_on ?? '')),
    [read.answer, employee?.id],
  )
  return (
    <Card title={t('probations')} icon="time" to={people ? `${people}?${endingProbation()}` : undefined} of={read}>
      {() =>
        soonest.length === 0 ? (
          <Nothing text={t('noProbations')} />
        ) : (
          <ul className="home-list">
            {soonest.slice(0, 5).map((one) => (
              <li key={one.id}>
                <PersonLine of={one} beneath={one.position?.name} />
                <Badge color={(one.probation_ends_on ?? '') <= later(14) ? 'orange' : 'gray'}>
                  {day(one.probation_ends_on, { day: 'numeric', month: 'short' })}
                </Badge>
              </li>
            ))}
          </ul>
        )
      }
    </Card>
  )
}

const EVENTS = { create: 'created', update: 'updated', delete: 'deleted', erase: 'erased' } as const

/** Sign-ins are only shown in the audit log. */
const SIGN_IN = 'Session SignInLink UserCredentials RecoveryCode Passkey Identity FailedSignIns Clock'.split(' ')

/** The last changes, one per request, without those of the system or of anonymous users. */
function Changes() {
  const t = useTexts(homeTexts)
  const { ago } = useFormats()
  const kindName = useKindName()
  const to = useScreenPath()('settings')
  const read = useRead('GET /audits', { query: { sort: '-created_at', per_page: 100 } }, { kinds: ['employees'] })
  const whatOf = ({ record_type, event, name }: Audit) =>
    `${[kindName(record_type), name].filter(Boolean).join(' ')}: ${t(EVENTS[event])}`
  const whoOf = ({ kind, name }: { kind: string; name: string | null }) =>
    name ?? (kind === 'command_line' ? t('commandLine') : kind === 'system' ? t('system') : t('somebody'))
  return (
    <Card title={t('changes')} icon="history" to={to && `${to}/audits`} of={read}>
      {({ data }) => {
        const decided = data.filter(({ record_type }) => !SIGN_IN.includes(record_type))
        const told = [...Map.groupBy(decided, ({ request_id }) => request_id).values()]
          .flatMap((all) => all.find(({ record_type }) => record_type === 'Employee') ?? all.at(-1) ?? [])
          .filter(({ actor }) => actor.kind !== 'anybody' && actor.kind !== 'system')
        if (told.length === 0) return <Nothing text={t('noChanges')} />
        return (
          <ul className="home-list">
            {told.slice(0, 6).map((one) => (
              <li key={one.id}>
                <span className="home-words">
                  {one.record_type === 'Employee' && one.event !== 'erase' ? (
                    <Link to={`/people/${one.record_id}?tab=history`} className="home-change">
                      {whatOf(one)}
                    </Link>
                  ) : (
                    whatOf(one)
                  )}
                  <Text size="sm" c="dimmed">
                    {t('by', { who: whoOf(one.actor) })} · {ago(one.created_at)}
                  </Text>
                </span>
              </li>
            ))}
          </ul>
        )
      }}
    </Card>
  )
}
