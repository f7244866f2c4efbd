import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { type BodyOf, call, type ItemOf, Problem, preview } from '../../client/client.ts'
import { ownRequest, refresh, useRead } from '../../client/data.ts'
import { useMay, useMe } from '../../client/me.ts'
import { notifyDone, notifyFailed, notifyRefused } from '../../client/notices.ts'
import type { Employee } from '../../client/operations.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { nameOf } from '../../parts/person.tsx'
import { useProblemText } from '../../parts/problems.ts'
import { RecordSelect } from '../../parts/record-select.tsx'
import { Failed, Loading, useFailureText } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useList } from '../../texts/lists.ts'
import { handoverTexts } from './handover-texts.ts'
import { useProfile } from './shared.ts'

/**
 * What a leaver is responsible for, and who takes over. It is part of the termination dialog, and a dialog of its own.
 */

/** The kinds of records that change when a person leaves or a termination is cancelled. */
export const KINDS = [
  'employees',
  'positions',
  'departments',
  'teams',
  'asset_assignments',
  'assets',
  'leave_requests',
  'tasks',
  'vacancies',
  'handover',
]
/** How many records of a kind are shown by name. The others are counted. */
const NAMED = 6

type HeldGroup = ItemOf<'GET /employees/{id}/handover'>
type Kind = HeldGroup['kind']
type HandoverBody = BodyOf<'POST /employees/{id}/handover'> & { on: string }
type HandoverAssignment = HandoverBody['assignments'][number]
type GivenKind = HandoverAssignment['kind']

/** The kinds that one person can take over. Assets are collected instead. */
const TAKEN_OVER = [
  'direct_reports',
  'departments',
  'teams',
  'vacancies',
  'vacancy_collaborators',
  'tasks',
] as const satisfies readonly GivenKind[]
type TakenOver = (typeof TAKEN_OVER)[number]

export type Choices = {
  /** Takes over everything, unless another person is chosen. */
  successor: number | null
  byKind: Partial<Record<TakenOver, number | null>>
  /** Records without dates change today, although the day is in the future. */
  atOnce: boolean
  /** The person who collects the assets; undefined: the user. */
  collector: number | null | undefined
  /** The employee keeps the assets for now. */
  keeps: boolean
}
export const NO_CHOICES: Choices = { successor: null, byKind: {}, atOnce: false, collector: undefined, keeps: false }
export const isChosen = ({ successor, byKind, keeps, collector }: Choices) =>
  successor !== null || keeps || collector !== undefined || Object.keys(byKind).length > 0

/** What the employee is responsible for on a day, as far as the user may see it. */
export function useHeld(day: string) {
  const { id } = useProfile()
  const read = useRead(
    'GET /employees/{id}/handover',
    { params: { id }, query: { on: day } },
    { keepPrevious: true, kinds: KINDS },
  )
  const groups = new Map((read.answer?.data ?? []).map((one) => [one.kind, one]))
  const of = (kind: Kind): HeldGroup | undefined => {
    const group = groups.get(kind)
    return group && group.total > 0 ? group : undefined
  }
  return {
    /** Also true while the data of the previous day is shown. */
    isPending: (!read.answer && !read.error) || read.isPlaceholderData,
    isThere: Boolean(read.answer),
    error: read.error,
    refetch: () => void read.refetch(),
    of,
    total: (...kinds: Kind[]) => kinds.reduce((sum, kind) => sum + (of(kind)?.total ?? 0), 0),
  }
}
export type Held = ReturnType<typeof useHeld>

/** May the user have a task for that day? */
function useMayRemind(): boolean {
  const may = useMay()
  return Boolean(useMe().employee) && may('tasks:write')
}

type Plan = {
  day: string
  of: Held
  /** Others may know of the termination, so a task may mention it. */
  isKnown: boolean
  choices: Choices
}

const toOf = ({ successor, byKind }: Choices, kind: TakenOver) => {
  const own = byKind[kind]
  return own === undefined ? successor : own
}
const undatedOf = ({ of, choices }: Plan) =>
  TAKEN_OVER.filter(
    (kind) => of.of(kind)?.is_dated === false && of.of(kind)?.can_be_given && toOf(choices, kind) !== null,
  )

/** If one of the reports takes over, they cannot report to themselves. They report to the leaver's manager. */
const ownReport = ({ of, choices }: Plan) =>
  of.of('direct_reports')?.records.find(({ id }) => id === toOf(choices, 'direct_reports'))

/** The assignments of the request, without those that wait for their day. */
function assignmentsOf(plan: Plan, employee: Employee, collector: number | null, taskName: string) {
  const { day, of, choices } = plan
  const isAhead = day > today()
  const assignments: HandoverAssignment[] = []
  for (const kind of TAKEN_OVER) {
    const group = of.of(kind)
    const to = toOf(choices, kind)
    if (!group?.can_be_given || to === null || (isAhead && !group.is_dated && !choices.atOnce)) continue
    const own = kind === 'direct_reports' ? ownReport(plan) : undefined
    const above = employee.reporting_to?.id
    if (own && above) assignments.push({ kind, ids: [own.id], to_employee_id: above })
    const rest = own && !above ? { ids: group.records.flatMap(({ id }) => (id === own.id ? [] : id)) } : { all: true }
    if (own && group.total === 1) continue
    assignments.push({ kind, ...rest, to_employee_id: to, ...(isAhead && !group.is_dated ? { at_once: true } : {}) })
  }
  if (of.of('assets')?.can_be_collected && isAhead && plan.isKnown && collector)
    assignments.push({ kind: 'assets', all: true, return_to: collector, task_name: taskName })
  return assignments
}

/** The list of responsibilities, with a choice of who takes over each. */
export function Handover(props: Plan & { title?: string; onChoices: (choices: Choices) => void }) {
  const { day, of, choices, onChoices } = props
  const t = useTexts(handoverTexts)
  const { day: shown, days } = useFormats()
  const { employee } = useProfile()
  if (of.error) return <Failed error={of.error} onRetry={of.refetch} />
  if (!of.isThere) return <Loading rows={3} />
  const name = employee.full_name
  const title = props.title ?? t('follows', { name })
  const namesOf = (group: HeldGroup | undefined, write = (one: HeldGroup['records'][number]) => one.name) => {
    const all = group?.records ?? []
    const rest = (group?.total ?? 0) - Math.min(all.length, NAMED)
    return [...all.slice(0, NAMED).map(write), ...(rest > 0 ? [t('more', { count: rest })] : [])].join(' · ')
  }
  const taken = TAKEN_OVER.filter((kind) => of.of(kind))
  const given = taken.filter((kind) => of.of(kind)?.can_be_given)
  const waiting = of.total('leave_approvals', 'overtime_approvals', 'timesheet_approvals')
  const [leave, assets, reviews] = [of.of('leave_requests'), of.of('assets'), of.of('review_answers')]
  const endsAccess = of.total('sign_in', 'api_keys') > 0
  if (taken.length === 0 && waiting === 0 && !leave && !assets && !reviews && !endsAccess) return null
  return (
    <Alert color="yellow" icon={<Icon name="warning" />} title={title} role="group" aria-label={title}>
      <Stack gap="sm">
        {given.length > 1 ? (
          <RecordSelect
            table="employees"
            label={t('successor')}
            value={choices.successor}
            onChange={(successor) => onChoices({ ...choices, successor, byKind: {} })}
          />
        ) : null}
        <ul className="profile-follows">
          {taken.map((kind) => (
            <Line key={kind} title={t(kind, { count: of.total(kind) })} text={namesOf(of.of(kind))}>
              {given.includes(kind) ? (
                <RecordSelect
                  table="employees"
                  label={t(`to_${kind}`)}
                  value={toOf(choices, kind)}
                  onChange={(to) => onChoices({ ...choices, byKind: { ...choices.byKind, [kind]: to } })}
                />
              ) : null}
              {kind === 'direct_reports' ? <OwnReport plan={props} /> : null}
            </Line>
          ))}
          {waiting > 0 ? <Line title={t('waiting', { count: waiting })} text={t('waitingText')} /> : null}
          {reviews ? (
            <Line
              title={t('review_answers', { count: reviews.total })}
              text={`${namesOf(reviews)}. ${t('reviewsText')}`}
            />
          ) : null}
          {leave ? (
            <Line
              title={t('leave', { count: leave.total, day: shown(day) })}
              text={namesOf(leave, (one) => `${one.name} ${days(one.starts_on ?? day, one.ends_on ?? day)}`)}
            >
              <Text size="sm">{t('leaveSeen', { name })}</Text>
            </Line>
          ) : null}
          {assets ? (
            <Line title={t('assets', { count: assets.total })} text={namesOf(assets)}>
              <AssetChoice {...props} />
            </Line>
          ) : null}
          {endsAccess ? <Line title={t('accessEnds', { day: shown(day) })} text={t('accessText')} /> : null}
        </ul>
        {given.length > 0 ? <WhenGiven {...props} given={given} /> : null}
      </Stack>
    </Alert>
  )
}

const Line = ({ title, text, children }: { title: string; text: string; children?: React.ReactNode }) => (
  <li>
    <Text fw={600} size="sm">
      {title}
    </Text>
    <Text size="sm">{text}</Text>
    {children ? <div className="profile-follows-choice">{children}</div> : null}
  </li>
)

function OwnReport({ plan }: { plan: Plan }) {
  const t = useTexts(handoverTexts)
  const { employee } = useProfile()
  const own = ownReport(plan)
  if (!own) return null
  const above = employee.reporting_to
  return (
    <Text size="sm" role="status">
      {above
        ? t('reportsAbove', { name: own.name, manager: nameOf(above) })
        : t('reportsNobody', { name: own.name, leaver: employee.full_name })}
    </Text>
  )
}

/** When the successors take over. Records with dates change on that day, others today or on that day. */
function WhenGiven(props: Plan & { given: readonly TakenOver[]; onChoices: (choices: Choices) => void }) {
  const { day, choices, given, onChoices } = props
  const t = useTexts(handoverTexts)
  const { day: shown } = useFormats()
  const { employee } = useProfile()
  const isReminded = useMayRemind() && props.isKnown
  const isAhead = day > today()
  const undated = undatedOf(props)
  const reports = given.includes('direct_reports') && toOf(choices, 'direct_reports') !== null
  return (
    <div>
      {isAhead && undated.length > 0 ? (
        <Checkbox
          mb={4}
          label={t('atOnce')}
          checked={choices.atOnce}
          onChange={(event) => onChoices({ ...choices, atOnce: event.currentTarget.checked })}
        />
      ) : null}
      <Text size="sm" role="status">
        {!reports && undated.length === 0
          ? t('nobody', { name: employee.full_name })
          : [
              reports ? t('reportsFrom', { day: shown(day) }) : '',
              undated.length === 0
                ? ''
                : t(!isAhead || choices.atOnce ? 'undatedNow' : isReminded ? 'undatedLater' : 'undatedByHand', {
                    day: shown(day),
                  }),
            ]
              .filter(Boolean)
              .join(' ')}
      </Text>
    </div>
  )
}

/** Assets are returned on the last day. If it is in the future, somebody gets a task for each asset. */
function AssetChoice({ day, of, isKnown, choices, onChoices }: Plan & { onChoices: (choices: Choices) => void }) {
  const t = useTexts(handoverTexts)
  const may = useMay()
  const { day: shown } = useFormats()
  const me = useMe().employee
  if (day > today())
    return isKnown && of.of('assets')?.can_be_collected ? (
      <RecordSelect
        table="employees"
        label={t('collector')}
        value={choices.collector === undefined ? (me?.id ?? null) : choices.collector}
        onChange={(collector) => onChoices({ ...choices, collector })}
      />
    ) : null
  return may('assets:write') ? (
    <Checkbox
      mt={4}
      label={t('takeBack', { day: shown(day) })}
      checked={!choices.keeps}
      onChange={(event) => onChoices({ ...choices, keeps: !event.currentTarget.checked })}
    />
  ) : null
}

type Step = () => Promise<{ requestId: string }>

/**
 * Tests everything that can fail with dry runs, and then does it all. One undo reverses everything. `first` runs first.
 */
export function useHandOver() {
  const t = useTexts(handoverTexts)
  const list = useList()
  const say = useProblemText()
  const failure = useFailureText()
  const may = useMay()
  const mayRemind = useMayRemind()
  const { id, employee } = useProfile()
  const { employee: me } = useMe()
  const requestId = () => ownRequest(KINDS)

  /** Why the service would refuse the handover; empty if it would not. */
  const refusal = async (body: HandoverBody): Promise<string[]> => {
    try {
      await preview('POST /employees/{id}/handover', { params: { id }, body })
      return []
    } catch (one) {
      if (!(one instanceof Problem) || one.errors.length === 0) throw one
      return one.errors.map((error) => {
        const kind = body.assignments[Number(/^assignments\[(\d+)\]/.exec(error.field)?.[1] ?? -1)]?.kind
        return kind ? `${kind === 'assets' ? t('collector') : t(`to_${kind}`)}: ${say(error)}` : say(error)
      })
    }
  }

  const stepsOf = (plan: Plan): { body: HandoverBody; others: Step[] } => {
    const { day, of, choices, isKnown } = plan
    const collector = choices.collector === undefined ? (me?.id ?? null) : choices.collector
    const assignments = assignmentsOf(
      plan,
      employee,
      collector,
      t('collect', { asset: '{asset}', name: employee.full_name }),
    )
    const others: Step[] = []
    const waits = day > today() && !choices.atOnce ? undatedOf(plan) : []
    if (waits.length > 0 && me && mayRemind && isKnown) {
      const names = list(waits.flatMap((kind) => of.of(kind)?.records.map((one) => one.name) ?? []))
      const about = { associated_to: { id, type: 'Employee' } } as const
      const name = t('task', { name: employee.full_name, names }).slice(0, 255)
      const body = { name, type: 'offboarding', starts_on: day, ends_on: day, employee_id: me.id, ...about } as const
      others.push(() => call('POST /tasks', { body, requestId: requestId() }))
    }
    const assets = day <= today() && !choices.keeps && may('assets:write') ? of.of('assets')?.records : undefined
    if (assets) others.push(...assets.map((one) => () => returnAsset(one.id, id, day, requestId())))
    return { body: { on: day, assignments }, others }
  }

  const run = async (plan: Plan, first: { try: () => Promise<unknown>; step: Step } | null, done: string) => {
    const { body, others } = stepsOf(plan)
    const hasAssignments = body.assignments.length > 0
    await first?.try()
    const refused = hasAssignments ? await refusal(body) : []
    if (refused.length > 0) {
      notifyRefused(t('notHandedOver'), [...new Set(refused)])
      return false
    }
    const requestIds: string[] = []
    try {
      if (first) requestIds.push((await first.step()).requestId)
      const failed: string[] = []
      const steps = [
        ...(hasAssignments
          ? [() => call('POST /employees/{id}/handover', { params: { id }, body, requestId: requestId() })]
          : []),
        ...others,
      ]
      for (const step of steps)
        await step().then(
          (answered) => void requestIds.push(answered.requestId),
          (error) => void failed.push(failure(error)),
        )
      notifyDone(done, { requestId: requestIds, kinds: KINDS })
      if (failed.length > 0) notifyRefused(t('notHandedOver'), [...new Set(failed)])
      return true
    } finally {
      refresh(KINDS)
    }
  }
  const isEmpty = (plan: Plan) => {
    const { body, others } = stepsOf(plan)
    return body.assignments.length + others.length === 0
  }
  return { run, isEmpty, requestId }
}

async function returnAsset(assetId: number, employeeId: number, day: string, requestId: string) {
  const query = { asset_id: assetId, user_id: employeeId, held_on: day }
  const { body } = await call('GET /asset_assignments', { query })
  const assignment = body.data[0]?.id ?? 0
  return call('POST /asset_assignments/{id}/return', {
    params: { id: assignment },
    body: { returned_on: day },
    requestId,
  })
}

/** Hands over what a leaver is still responsible for. */
export function HandoverDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(handoverTexts)
  const { employee } = useProfile()
  const ends = employee.termination_effective_on ?? today()
  const day = ends > today() ? ends : today()
  const announced = employee.termination_announced_on
  const isKnown = ends <= today() || Boolean(announced && announced <= today())
  const held = useHeld(day)
  // The termination has already asked for the assets.
  const [choices, setChoices] = useState<Choices>({ ...NO_CHOICES, collector: null, keeps: true })
  const [isBusy, setBusy] = useState(false)
  const { run, isEmpty: isNothing } = useHandOver()
  const plan = { day, of: held, isKnown, choices }
  const isEmpty = held.isThere && !TAKEN_OVER.some((kind) => held.of(kind)) && !held.of('assets')
  const save = async () => {
    setBusy(true)
    try {
      if (await run(plan, null, t('handedOver', { name: employee.full_name }))) onClose()
    } catch (error) {
      notifyFailed(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog opened onClose={onClose} isBusy={isBusy} title={t('handOver')} size="lg">
      <Stack>
        {isEmpty ? <Text>{t('nothing', { name: employee.full_name })}</Text> : null}
        <Handover
          {...plan}
          {...(ends > today() ? {} : { title: t('stillHas', { name: employee.full_name }) })}
          onChoices={setChoices}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={isBusy} onClick={onClose}>
            {t('cancel')}
          </Button>
          {isEmpty ? null : (
            <Button loading={isBusy} disabled={held.isPending || isNothing(plan)} onClick={() => void save()}>
              {t('handOverNow')}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
