import { Alert, Badge, Button, Group, NumberInput, Paper, Select, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type BodyOf, preview } from '../../client/client.ts'
import { isAtFields, useRead, useWrite } from '../../client/data.ts'
import { CreateLeaveRequest as FIELDS } from '../../client/fields/leave.ts'
import { useMay } from '../../client/me.ts'
import type { EmployeeLeaveType, LeaveRequest } from '../../client/operations.ts'
import { daysBetween, isDay } from '../../parts/days.ts'
import { FieldFor } from '../../parts/fields.tsx'
import { useBase } from '../../parts/form.tsx'
import { nameOf } from '../../parts/person.tsx'
import { useProblems } from '../../parts/problems.ts'
import { useFailureText } from '../../parts/states.tsx'
import { useUnsaved } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useFormats, useNumbers } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { leaveTexts } from './texts.ts'
import { useLeaveWords } from './words.ts'

type LeaveFormValues = {
  leave_type_id: number | null
  starts_on: string
  ends_on: string
  comment: string | null
  on_demand: boolean
  skip_approval: boolean
  attachments: File | null
  /** Amounts of single days, where they differ from the whole. */
  single: Record<string, number>
}

const EMPTY: LeaveFormValues = {
  leave_type_id: null,
  starts_on: '',
  ends_on: '',
  comment: null,
  on_demand: false,
  skip_approval: false,
  attachments: null,
  single: {},
}

/** Longer leave is counted too, but nobody is asked about clashes for years. */
const LONGEST_LOOK = 366

/**
 * Asks for leave in one step: while it is filled in, a dry run says what it takes and what is wrong with it, beside
 * the balance that is left and who else is away. With `request` it changes one that is pending.
 */
export function Ask(props: {
  employeeId: number
  balances: readonly EmployeeLeaveType[]
  /** It is somebody else's leave, whom one may decide about. */
  mayDecide?: boolean
  start?: { starts_on?: string; ends_on?: string }
  request?: LeaveRequest
  etag?: string | undefined
  before?: ReactNode
  onDone?: () => void
}) {
  const { employeeId, balances, mayDecide = false, start, request, etag, before, onDone } = props
  const t = useTexts(leaveTexts)
  const general = useTexts(common)
  const fieldName = useFieldName()
  const words = useLeaveWords()
  const first = useRef<HTMLInputElement>(null)
  // The only kind of leave is chosen already.
  const blank = { ...EMPTY, leave_type_id: balances.length === 1 ? (balances[0]?.leave_type.id ?? null) : null }
  const [began, setBegan] = useState<LeaveFormValues>(() =>
    request
      ? {
          ...EMPTY,
          leave_type_id: request.leave_type_id,
          starts_on: request.starts_on,
          ends_on: request.ends_on,
          comment: request.comment || null,
          on_demand: request.on_demand,
        }
      : { ...blank, ...start },
  )
  const [values, setValues] = useState(began)
  const ifMatch = useBase(etag)
  const set = (changes: Partial<LeaveFormValues>) => setValues((now) => ({ ...now, ...changes }))
  const setDays = (starts_on: string, ends_on: string) =>
    set({ starts_on, ends_on: isDay(starts_on) && (!isDay(ends_on) || ends_on < starts_on) ? starts_on : ends_on })

  const { starts_on, ends_on, leave_type_id, on_demand, single } = values
  const isWhole = leave_type_id !== null && isDay(starts_on) && isDay(ends_on)
  const entries = Object.entries(single).map(([occurs_on, amount]) => ({ occurs_on, amount: String(amount) }))
  const isOtherThanBefore = !request || entries.length > 0
  const body = {
    employee_id: employeeId,
    leave_type_id: leave_type_id as number,
    starts_on,
    ends_on,
    ...(on_demand || request ? { on_demand } : {}),
    ...(isOtherThanBefore ? { leave_request_entries: entries } : {}),
  }
  const trial = useTrial(body, isWhole, request)
  // Nobody is asked about the days that a date passes through while it is typed.
  const [looked] = useDebouncedValue(`${starts_on} ${ends_on}`, 250)
  const isSettled = looked === `${starts_on} ${ends_on}`
  const said = {
    done: request
      ? t('changed')
      : ({ data }: { data: LeaveRequest }) => t('asked', { amount: words.amount(data.amount, data.tracking_time_in) }),
    touches: ['leave_balances', 'calendars', 'directory'],
    onSuccess: () => {
      setBegan(blank)
      setValues(blank)
      onDone?.()
    },
  }
  const create = useWrite('POST /leave_requests', said)
  const change = useWrite('PUT /leave_requests/{id}', said)
  const save = request ? change : create
  const isTouched = (Object.keys(values) as (keyof LeaveFormValues)[]).some((name) => values[name] !== began[name])
  useUnsaved(isTouched, general('unsaved'), save.isPending)
  const problems = { ...useProblems(trial.error), ...useProblems(save.error, values) }
  const elsewhere = Object.entries(problems).filter(([name]) => !SHOWN.includes(name))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { comment, skip_approval, attachments } = values
    const sent = { ...body, comment } as BodyOf<'POST /leave_requests'>
    if (request) change.mutate({ params: { id: request.id }, body: sent, ifMatch })
    else if (attachments) create.mutate({ body: withFile(sent, skip_approval, attachments) })
    else create.mutate({ body: skip_approval ? { ...sent, skip_approval } : sent })
  }

  const held = balances.find((one) => one.leave_type.id === leave_type_id)
  return (
    <form onSubmit={submit} aria-label={t(request ? 'change' : 'ask')}>
      <div className="leave-ask">
        <Stack gap="sm">
          {before}
          {elsewhere.length > 0 ? (
            <Alert color="red" role="alert">
              {elsewhere.map(([name, message]) => (
                <div key={name}>{`${fieldName(name)} ${message}`}</div>
              ))}
            </Alert>
          ) : null}
          <Select
            ref={first}
            data-leave-ask
            label={fieldName('leave_type')}
            required
            disabled={Boolean(request)}
            data={balances.map(({ leave_type: { id, name } }) => ({ value: String(id), label: name }))}
            value={leave_type_id === null ? null : String(leave_type_id)}
            onChange={(id) => set({ leave_type_id: id ? Number(id) : null, single: {}, on_demand: false })}
            error={problems.leave_type_id}
            allowDeselect={false}
          />
          <Group grow align="start" gap="sm">
            <FieldFor
              name="starts_on"
              field={FIELDS.starts_on}
              value={starts_on}
              onChange={(day) => setDays((day as string) ?? '', ends_on)}
              error={problems.starts_on}
            />
            <FieldFor
              name="ends_on"
              field={FIELDS.ends_on}
              value={ends_on}
              onChange={(day) => set({ ends_on: (day as string) ?? '' })}
              error={problems.ends_on}
            />
          </Group>
          <FieldFor
            name="comment"
            field={FIELDS.comment}
            value={values.comment}
            onChange={(comment) => set({ comment: comment as string | null })}
            error={problems.comment}
          />
          {request ? null : (
            <FieldFor
              name="attachments"
              field={{ ...FIELDS.attachments.items }}
              value={values.attachments}
              onChange={(file) => set({ attachments: file as File | null })}
              error={problems.attachments}
            />
          )}
          {(held?.on_demand_balance ?? 0) > 0 || on_demand ? (
            <FieldFor
              name="on_demand"
              field={FIELDS.on_demand}
              value={on_demand}
              onChange={(is) => set({ on_demand: Boolean(is) })}
              error={problems.on_demand}
            />
          ) : null}
          {mayDecide && !request ? (
            <FieldFor
              name="skip_approval"
              field={FIELDS.skip_approval}
              value={values.skip_approval}
              onChange={(is) => set({ skip_approval: Boolean(is) })}
            />
          ) : null}
        </Stack>
        <div className="leave-outcome" aria-live="polite">
          {isWhole ? (
            <Outcome
              employeeId={employeeId}
              typeId={leave_type_id}
              starts_on={starts_on}
              ends_on={ends_on}
              isSettled={isSettled}
              given={request?.amount ?? 0}
              trial={trial}
              single={single}
              onSingle={(next) => set({ single: next })}
              problem={problems.leave_request_entries}
            />
          ) : (
            <Text c="dimmed" size="sm">
              {t('fillIn')}
            </Text>
          )}
        </div>
      </div>
      <Group justify="flex-end" mt="md">
        <Button type="submit" loading={save.isPending}>
          {t(request ? 'change' : 'send')}
        </Button>
      </Group>
    </form>
  )
}

const SHOWN: readonly string[] = [
  'leave_type_id',
  'starts_on',
  'ends_on',
  'comment',
  'attachments',
  'on_demand',
  'leave_request_entries',
]

/** The same as a form, with the file as it is. */
function withFile(body: BodyOf<'POST /leave_requests'>, skip: boolean, file: File) {
  const form = new FormData()
  for (const [name, value] of Object.entries(body))
    if (Array.isArray(value))
      for (const one of value)
        for (const [part, inner] of Object.entries(one)) form.append(`${name}[][${part}]`, String(inner))
    else if (value !== null && value !== undefined) form.append(name, String(value))
  if (skip) form.append('skip_approval', 'true')
  form.append('attachments[]', file)
  return form as unknown as BodyOf<'POST /leave_requests'>
}

type LeaveDryRun = ReturnType<typeof useTrial>

/** What the request would be, by the service itself: nothing is stored. */
function useTrial(body: BodyOf<'POST /leave_requests'>, isWhole: boolean, request: LeaveRequest | undefined) {
  const [asked] = useDebouncedValue(JSON.stringify(body), 250)
  const { data, error, isFetching } = useQuery({
    queryKey: ['leave trial', request?.id ?? null, asked],
    queryFn: () => {
      const sent = JSON.parse(asked) as BodyOf<'POST /leave_requests'>
      return request
        ? preview('PUT /leave_requests/{id}', { params: { id: request.id }, body: sent })
        : preview('POST /leave_requests', { body: sent })
    },
    enabled: isWhole && asked === JSON.stringify(body),
    retry: false,
    // What is there changes with every request, this one too: it is asked for anew when something is entered.
    gcTime: 0,
    refetchOnWindowFocus: false,
    placeholderData: (before) => before,
  })
  return { answer: data, error, isFetching }
}

function Outcome(props: {
  employeeId: number
  typeId: number
  starts_on: string
  ends_on: string
  isSettled: boolean
  /** What the request takes already. */
  given: number
  trial: LeaveDryRun
  single: Record<string, number>
  onSingle: (single: Record<string, number>) => void
  problem: string | undefined
}) {
  const { employeeId, typeId, starts_on, ends_on, isSettled, given, trial, single, onSingle, problem } = props
  const t = useTexts(leaveTexts)
  const { day } = useFormats()
  const words = useLeaveWords()
  const failure = useFailureText()
  const balances = useRead(
    'GET /employees/{employee_id}/leave_balances',
    { params: { employee_id: employeeId }, query: { as_of: ends_on } },
    { enabled: isSettled && ends_on >= starts_on, keepPrevious: true },
  )
  const then = balances.answer?.data.find(({ leave_type }) => leave_type.id === typeId)
  const planned = trial.error ? undefined : trial.answer?.data
  const isAtField = isAtFields(trial.error)
  return (
    <Stack gap="sm">
      {trial.error ? (
        isAtField ? null : (
          <Alert color="red">{failure(trial.error)}</Alert>
        )
      ) : (
        <Group gap="xl" align="start">
          <Figure name={t('takes')}>
            {planned ? words.amount(planned.amount, planned.tracking_time_in) : <Skeleton width={80} height={26} />}
          </Figure>
          <Figure name={t('after')} beneath={then && planned ? t('afterOn', { day: day(ends_on) }) : ''}>
            {then && planned ? (
              words.amount(rounded(then.balance + given - planned.amount), then.leave_type.unit)
            ) : (
              <Skeleton width={80} height={26} />
            )}
          </Figure>
        </Group>
      )}
      {planned || problem ? (
        <SingleDays planned={planned} single={single} onSingle={onSingle} problem={problem} />
      ) : null}
      <Clashes employeeId={employeeId} starts_on={starts_on} ends_on={ends_on} isSettled={isSettled} />
    </Stack>
  )
}

const rounded = (amount: number) => Math.round(amount * 10_000) / 10_000

export function Figure({ name, beneath, children }: { name: string; beneath?: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fw={700} size="xl" component="div">
        {children}
      </Text>
      {beneath ? (
        <Text size="xs" c="dimmed">
          {beneath}
        </Text>
      ) : null}
    </div>
  )
}

/** Days can be taken in part: what each takes, of the whole that the first count gave. */
function SingleDays({
  planned,
  single,
  onSingle,
  problem,
}: {
  planned: LeaveRequest | undefined
  single: Record<string, number>
  onSingle: (single: Record<string, number>) => void
  problem: string | undefined
}) {
  const t = useTexts(leaveTexts)
  const { day } = useFormats()
  const { decimal } = useNumbers()
  const [isOpen, setOpen] = useState(false)
  const whole = useRef<Map<string, number>>(new Map())
  useEffect(() => {
    for (const { date, amount } of planned?.entries ?? []) if (!(date in single)) whole.current.set(date, amount)
  }, [planned, single])
  const days = [...new Set([...(planned?.entries ?? []).map(({ date }) => date), ...Object.keys(single)])].sort()
  if (days.length > 31) return null
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => setOpen(!isOpen)}
        aria-expanded={isOpen}
        className="leave-quiet"
      >
        {t('singleDays')}
      </Button>
      {isOpen ? (
        <div className="leave-days">
          {days.map((date) => {
            const most = whole.current.get(date)
            return (
              <NumberInput
                key={date}
                size="xs"
                label={day(date, { weekday: 'short', day: 'numeric', month: 'short' })}
                aria-label={t('amountOf', { day: day(date) })}
                value={single[date] ?? planned?.entries.find((one) => one.date === date)?.amount ?? ''}
                onChange={(amount) => onSingle({ ...single, [date]: Number(amount) })}
                min={0}
                {...(most === undefined ? {} : { max: most })}
                step={0.5}
                decimalScale={2}
                decimalSeparator={decimal}
                allowedDecimalSeparators={['.', ',']}
              />
            )
          })}
        </div>
      ) : null}
      {problem ? (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      ) : null}
    </div>
  )
}

/** Those of the team who are away in the same days: who reports to the same manager, or to the person. */
export function Clashes({
  employeeId,
  starts_on,
  ends_on,
  isSettled = true,
}: {
  employeeId: number
  starts_on: string
  ends_on: string
  isSettled?: boolean
}) {
  const t = useTexts(leaveTexts)
  const words = useLeaveWords()
  const may = useMay()
  const isSound = ends_on >= starts_on && daysBetween(starts_on, ends_on) <= LONGEST_LOOK
  const mayLook = may('calendar:read') && may('directory:read') && isSound
  const card = useRead('GET /directory/{id}', { params: { id: employeeId } }, { enabled: mayLook })
  const manager = card.answer?.data.manager?.id
  const team = { 'manager_ids[]': [...(manager ? [manager] : []), employeeId] }
  const isAsked = isSettled && mayLook && card.answer !== undefined
  const events = useRead(
    'GET /calendars',
    { query: { starts_on, ends_on, 'types[]': ['leave_request'], ...team } },
    { enabled: isAsked, kinds: ['leave_requests'], keepPrevious: true },
  )
  // What others have asked for is told to those who may decide about it.
  const pending = useRead(
    'GET /leave_requests',
    { query: { state: 'pending', 'starts_on[lte]': ends_on, 'ends_on[gte]': starts_on, per_page: 50, ...team } },
    { enabled: isAsked && may('leave:approve') && may('leave:read') && may('employees:read'), keepPrevious: true },
  )
  if (!mayLook || card.error || events.error) return null
  const others = [
    ...(events.answer?.data ?? []).map(({ data, ...one }) => ({
      ...one,
      id: data.leave_request_id as number,
      employee_id: data.employee_id,
      name: (data.employee as { full_name: string }).full_name,
      isPending: false,
    })),
    ...(pending.answer?.data ?? []).map((one) => ({ ...one, name: nameOf(one.employee), isPending: true })),
  ].filter(({ employee_id }) => employee_id !== employeeId)
  return (
    <div>
      <Title order={3} size="h6" mb={4}>
        {t('clashes')}
      </Title>
      {events.answer === undefined ? (
        <Skeleton height={18} />
      ) : others.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noClashes')}
        </Text>
      ) : (
        <ul className="leave-clashes">
          {others.slice(0, 8).map((one) => (
            <li key={one.id}>
              <span>{one.name}</span>
              <Text span size="sm" c="dimmed">
                {one.isPending
                  ? t('pendingOf', { what: words.stretch(one.starts_on, one.ends_on) })
                  : words.stretch(one.starts_on, one.ends_on)}
              </Text>
            </li>
          ))}
          {others.length > 8 ? <li>{`+ ${others.length - 8}`}</li> : null}
        </ul>
      )}
    </div>
  )
}

const COLOURS = {
  pending: 'yellow',
  approved: 'cadre',
  rejected: 'red',
  withdrawn: 'gray',
  unsubmitted: 'gray',
} as const

export function StateBadge({ state, name }: { state: keyof typeof COLOURS; name: string }) {
  return <Badge color={COLOURS[state]}>{name}</Badge>
}

export const Panel = ({ title, children }: { title: string; children: ReactNode }) => (
  <Paper withBorder p="md" component="section" aria-label={title}>
    <Title order={2} size="h4" mb="sm">
      {title}
    </Title>
    {children}
  </Paper>
)
