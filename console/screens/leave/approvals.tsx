import { Alert, Button, Checkbox, Group, SegmentedControl, Skeleton, Stack, Text, Textarea } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useRef, useState } from 'react'
import { useRead } from '../../client/data.ts'
import { useMay } from '../../client/me.ts'
import { notifyDone, notifyFailed, notifyRefused, offerUndo, type UndoTarget } from '../../client/notices.ts'
import { plusDays } from '../../parts/days.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { nameOf, PersonLine } from '../../parts/person.tsx'
import { useSettled } from '../../parts/settled.ts'
import { useStableList } from '../../parts/stable-list.ts'
import { Empty, Failed, Loading, useFailureText } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { useShortcuts } from '../../shell/keys.ts'
import { useFilters } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useValueName } from '../../texts/names.ts'
import { Clashes, Figure, Panel } from './ask.tsx'
import { decide, type InboxItem, type InboxKind, useInbox, type Verdict } from './inbox.ts'
import { leaveTexts } from './texts.ts'
import { useWhat } from './what.ts'
import { clock, useLeaveWords } from './words.ts'

const NARROW = '(max-width: 62em)'
/**
 * What was decided about a line, and how it is taken back. Without a verdict it was decided elsewhere, or here, as nobody
 * knows: the answer was lost. Then it is so once the line is gone.
 */
type Decision = { verdict?: Verdict; at: number; undoing?: UndoTarget }
const ELSEWHERE: Decision = { at: 0 }
const NONE: InboxItem[] = []
/** Within so many milliseconds nobody has seen that it is about the next one. */
const SECOND_PRESS = 600

/** A reason, not a letter. */
const REASON = 2000

const KINDS: readonly string[] = ['leave', 'overtime', 'time']

/** One inbox for all that waits: by keys alone, one by one or many at once, and taken back by one press. */
export function Approvals() {
  const t = useTexts(leaveTexts)
  const words = useTexts(common)
  const may = useMay()
  const failure = useFailureText()
  const what = useWhat()
  const { get, set } = useFilters()
  const isNarrow = useMediaQuery(NARROW, window.matchMedia(NARROW).matches)
  const kind = KINDS.includes(get('kind')) ? (get('kind') as InboxKind) : null
  const inbox = useInbox(kind)
  const [decided, setDecided] = useState<ReadonlyMap<string, Decision>>(new Map())
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  // Of several, those that could not be decided, and why.
  const [refused, setRefused] = useState<readonly { item: InboxItem; error: unknown }[]>([])
  const [current, setCurrent] = useState<string>()
  const list = useRef<HTMLUListElement>(null)
  const lines = useStableList(inbox.isPending ? NONE : inbox.items, ({ key }) => key, kind ?? '').map((one) => {
    const decision = decided.get(one.item.key)
    // What is there again since, as after an undo, waits again; of many, what is not read any more may wait still.
    const waits = decision ? one.isThere && inbox.readAt > decision.at : one.isThere || inbox.hasMore
    return { ...one, decision: waits ? undefined : (decision ?? ELSEWHERE) }
  })
  const items = lines.map(({ item }) => item)
  const waiting = lines.flatMap(({ item, decision }) => (decision ? [] : item))
  const at = Math.max(
    0,
    items.findIndex(({ key }) => key === current),
  )
  const item = items[at]
  const chosen = waiting.filter(({ key }) => selected.has(key))

  /** When a decision by key led on to the next one. */
  const wentOnAt = useRef(0)
  const go = (index: number, isLedOn = false) => {
    const next = items[Math.max(0, Math.min(items.length - 1, index))]
    if (!next) return
    // Whoever goes on by themselves knows where they are; who is led on has not seen it before it is there.
    wentOnAt.current = isLedOn ? Number.POSITIVE_INFINITY : 0
    setCurrent(next.key)
    requestAnimationFrame(() => {
      list.current?.querySelector<HTMLElement>(`[data-key="${next.key}"]`)?.focus()
      if (isLedOn) wentOnAt.current = performance.now()
    })
  }
  const toggle = (one: InboxItem) => {
    const next = new Set(selected)
    if (!next.delete(one.key)) next.add(one.key)
    setSelected(next)
  }
  const decidedAs = (keys: ReadonlySet<string>, decision: Decision | undefined) =>
    setDecided((now) => {
      const others = [...now].filter(([key]) => !keys.has(key))
      return new Map(decision ? [...others, ...[...keys].map((key) => [key, decision] as const)] : others)
    })
  const inWords = ({ item: one, error }: { item: InboxItem; error: unknown }) =>
    `${nameOf(one.person)}, ${what(one)}: ${failure(error)}`
  // What is rejected waits for the reason.
  const [rejecting, setRejecting] = useState<{ about: readonly InboxItem[]; isByKey: boolean }>()
  const reject = (about: readonly InboxItem[], isByKey = false) => {
    if (about.length > 0) setRejecting({ about, isByKey })
  }
  const give = async (verdict: Verdict, about: readonly InboxItem[], isByKey = false, reason = '') => {
    const [only] = about
    if (!only) return
    const keys = new Set(about.map(({ key }) => key))
    decidedAs(keys, { verdict, at: Number.POSITIVE_INFINITY })
    setSelected(new Set())
    setRefused([])
    // Under a pointer nothing moves.
    const isNext = ({ item: { key }, decision }: (typeof lines)[number]) => !decision && !keys.has(key)
    const next = isByKey ? (lines.slice(at).find(isNext) ?? lines.findLast(isNext)) : undefined
    if (next) go(items.indexOf(next.item), true)
    const { undoing, done, failed } = await decide(about, verdict, reason)
    const still = new Set(failed.map(({ item: { key } }) => key))
    decidedAs(still, undefined)
    for (const { item, perhaps } of failed)
      if (perhaps) decidedAs(new Set([item.key]), { ...ELSEWHERE, undoing: perhaps })
    // Each line takes itself back, and the notice all of them.
    for (const [key, own] of done) decidedAs(new Set([key]), { verdict, at: Date.now(), undoing: own })
    const isOne = about.length === 1
    if (done.size > 0)
      notifyDone(
        isOne
          ? t(verdict === 'approve' ? 'approvedOne' : 'rejectedOne', { what: `${nameOf(only.person)}, ${what(only)}` })
          : t(verdict === 'approve' ? 'approvedMany' : 'rejectedMany', { count: done.size }),
        undoing,
      )
    if (failed.length === 0) return
    if (isOne) return notifyFailed(failed[0]?.error)
    // Whoever has gone on to another page is told there.
    if (!list.current) return notifyRefused(t('notDecided', { count: failed.length }), failed.map(inWords))
    setRefused(failed)
    setSelected(still)
  }
  // A second press that was meant for the one before decides nothing.
  const hasJustGoneOn = () => performance.now() - wentOnAt.current < SECOND_PRESS
  // About the one that is looked at, or about nothing: never about the next one because this one is decided.
  const meant = () => (chosen.length > 0 ? chosen : hasJustGoneOn() ? [] : item && waiting.includes(item) ? [item] : [])
  useShortcuts([
    { keys: 'j', text: t('keyNext'), run: () => go(current === undefined ? 0 : at + 1) },
    { keys: 'k', text: t('keyPrevious'), run: () => go(at - 1) },
    { keys: 'x', text: t('keySelect'), run: () => item && waiting.includes(item) && toggle(item) },
    { keys: 'a', text: t('keyApprove'), run: () => void give('approve', meant(), true), isDeed: true },
    { keys: 'r', text: t('keyReject'), run: () => reject(meant(), true), isDeed: true },
  ])

  const isAll = waiting.length > 0 && chosen.length === waiting.length
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm" className="no-print">
        {may('leave:approve') && may('time:approve') ? (
          <SegmentedControl
            aria-label={t('kinds')}
            value={kind ?? 'all'}
            onChange={(next) => {
              setSelected(new Set())
              set({ kind: next === 'all' ? undefined : next })
            }}
            data={[
              { value: 'all', label: t('all') },
              { value: 'leave', label: t('leaveKind') },
              { value: 'overtime', label: t('overtimeKind') },
              { value: 'time', label: t('timeKind') },
            ]}
          />
        ) : (
          <span />
        )}
        <Text size="xs" c="dimmed" visibleFrom="md">
          {t('keys')}
        </Text>
      </Group>
      {refused.length > 0 ? (
        <Alert
          color="red"
          role="alert"
          title={t('notDecided', { count: refused.length })}
          withCloseButton
          closeButtonLabel={words('close')}
          onClose={() => setRefused([])}
        >
          <ul className="leave-clashes">
            {refused.map((one) => (
              <li key={one.item.key}>{inWords(one)}</li>
            ))}
          </ul>
        </Alert>
      ) : null}
      {inbox.error ? (
        <Failed error={inbox.error} onRetry={() => void inbox.refetch()} />
      ) : inbox.isPending ? (
        <Loading rows={6} height={68} />
      ) : items.length === 0 ? (
        <Empty icon="check" title={t('inboxEmpty')} text={t('inboxEmptyText')} />
      ) : (
        <div className="leave-approvals">
          <div>
            <Group justify="space-between" gap="xs" mb="xs" className="leave-bulk">
              <Group gap="sm">
                <Checkbox
                  aria-label={words('selectAll')}
                  checked={isAll}
                  indeterminate={!isAll && chosen.length > 0}
                  onChange={() => setSelected(isAll ? new Set() : new Set(waiting.map(({ key }) => key)))}
                  ml={17}
                />
                <Text size="sm" c="dimmed" role="status">
                  {chosen.length > 0
                    ? words('selected', { count: chosen.length })
                    : t('waiting', { count: waiting.length })}
                </Text>
              </Group>
              {chosen.length > 0 ? (
                <Group gap="xs">
                  <Button size="xs" onClick={() => void give('approve', chosen)}>
                    {t('approveSelected', { count: chosen.length })}
                  </Button>
                  <Button size="xs" variant="default" onClick={() => reject(chosen)}>
                    {t('rejectSelected', { count: chosen.length })}
                  </Button>
                </Group>
              ) : null}
            </Group>
            <ul className="leave-inbox" ref={list} aria-label={t('inbox')}>
              {lines.map(({ item: one, decision }, index) => (
                <Line
                  key={one.key}
                  item={one}
                  decision={decision}
                  isCurrent={index === at}
                  isSelected={selected.has(one.key)}
                  onPress={(isAtControl) => (isAtControl && isNarrow) || setCurrent(one.key)}
                  onToggle={() => toggle(one)}
                  onDecide={(verdict) => (verdict === 'reject' ? reject([one]) : void give(verdict, [one]))}
                  details={isNarrow && index === at ? <Details key={one.key} item={one} /> : null}
                />
              ))}
            </ul>
            {inbox.hasMore ? (
              <Group justify="center" mt="sm">
                <Button variant="default" loading={inbox.isFetchingMore} onClick={inbox.more}>
                  {t('more')}
                </Button>
              </Group>
            ) : null}
          </div>
          {item && !isNarrow ? <Details key={item.key} item={item} /> : null}
        </div>
      )}
      {rejecting ? (
        <Rejecting
          about={rejecting.about}
          onClose={() => setRejecting(undefined)}
          onReject={(reason) => {
            setRejecting(undefined)
            void give('reject', rejecting.about, rejecting.isByKey, reason)
          }}
        />
      ) : null}
    </Stack>
  )
}

/** Why it is rejected, for whoever asked. It may stay empty: some things are said in person. */
function Rejecting(props: { about: readonly InboxItem[]; onClose: () => void; onReject: (reason: string) => void }) {
  const { about, onClose, onReject } = props
  const t = useTexts(leaveTexts)
  const words = useTexts(common)
  const what = useWhat()
  const [reason, setReason] = useState('')
  const [only] = about
  return (
    <Dialog opened onClose={onClose} title={t('rejectTitle', { count: about.length })}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onReject(reason.trim())
        }}
      >
        <Stack gap="sm">
          {only && about.length === 1 ? <Text>{`${nameOf(only.person)}, ${what(only)}`}</Text> : null}
          <Textarea
            data-autofocus
            label={t('reason')}
            description={t('reasonText', { count: about.length })}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={REASON}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
            }}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {words('cancel')}
            </Button>
            <Button type="submit" color="red.9">
              {about.length === 1 ? t('reject') : t('rejectSelected', { count: about.length })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function Line(props: {
  item: InboxItem
  decision: Decision | undefined
  isCurrent: boolean
  isSelected: boolean
  /** At its checkbox or one of its buttons, or beside them. */
  onPress: (isAtControl: boolean) => void
  onToggle: () => void
  onDecide: (verdict: Verdict) => void
  /** Where there is no room beside the list. */
  details: ReactNode
}) {
  const { item, decision, isCurrent, isSelected, onPress, onToggle, onDecide, details } = props
  const t = useTexts(leaveTexts)
  const words = useTexts(common)
  const what = useWhat()
  const name = `${nameOf(item.person)}, ${what(item)}`
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the page
    <li
      className="leave-item"
      data-key={item.key}
      data-current={isCurrent}
      aria-current={isCurrent ? 'true' : undefined}
      aria-label={name}
      tabIndex={isCurrent ? 0 : -1}
      // When it is released, not when it is pressed, and where details open below not for what is decided: the lines
      // would move away under the finger, or the second half of a double click come down on another one.
      onClick={({ target }) => onPress((target as Element).closest('button, input, label, a') !== null)}
    >
      <Checkbox
        aria-label={words('select', { name })}
        checked={isSelected}
        onChange={onToggle}
        disabled={decision !== undefined}
        tabIndex={isCurrent ? 0 : -1}
      />
      <div>
        <PersonLine of={item.person} beneath={what(item)} isWhole isLink={false} />
        {item.comment ? (
          <Text size="sm" mt={4} ms={44} lineClamp={2}>
            {item.comment}
          </Text>
        ) : null}
      </div>
      <Group gap={6} className="leave-item-actions no-print" wrap="nowrap">
        {decision ? (
          <Decided name={name} by={decision} />
        ) : (
          <>
            <Button
              size="xs"
              variant="light"
              leftSection={<Icon name="check" size={14} />}
              onClick={() => onDecide('approve')}
              aria-label={`${t('approve')}: ${name}`}
              tabIndex={isCurrent ? 0 : -1}
            >
              {t('approve')}
            </Button>
            <Button
              size="xs"
              variant="default"
              onClick={() => onDecide('reject')}
              aria-label={`${t('reject')}: ${name}`}
              tabIndex={isCurrent ? 0 : -1}
            >
              {t('reject')}
            </Button>
          </>
        )}
      </Group>
      {details}
    </li>
  )
}

function Decided({ name, by: { verdict, undoing } }: { name: string; by: Decision }) {
  const t = useTexts(leaveTexts)
  const words = useTexts(common)
  const valueName = useValueName()
  const isSettled = useSettled('decided', true)
  return (
    <>
      <Text size="sm" c="dimmed">
        {verdict ? valueName(verdict === 'approve' ? 'approved' : 'rejected') : t('decidedElsewhere')}
      </Text>
      {undoing ? (
        <Button
          size="xs"
          variant="subtle"
          disabled={!isSettled}
          aria-label={`${words('undo')}: ${name}`}
          onClick={() => offerUndo(undoing)}
        >
          {words('undo')}
        </Button>
      ) : null}
    </>
  )
}

/** What follows from it: the balance that is left, who else is away, or what was to be worked. */
function Details({ item }: { item: InboxItem }) {
  const t = useTexts(leaveTexts)
  const { moment } = useFormats()
  const what = useWhat()
  return (
    <div className="leave-details">
      <Panel title={t('details')}>
        <Stack gap="md">
          <div>
            <Text fw={600}>{nameOf(item.person)}</Text>
            <Text size="sm">{what(item)}</Text>
            <Text size="xs" c="dimmed">
              {t('askedOn', { day: moment(item.askedAt) })}
            </Text>
            {item.comment ? (
              <Text size="sm" mt="xs">
                {item.comment}
              </Text>
            ) : null}
          </div>
          {item.kind === 'leave' ? <LeaveDetails item={item} /> : null}
          {item.kind === 'time' ? <WeekDetails item={item} /> : null}
        </Stack>
      </Panel>
    </div>
  )
}

function LeaveDetails({ item: { employeeId, request } }: { item: Extract<InboxItem, { kind: 'leave' }> }) {
  const t = useTexts(leaveTexts)
  const { day } = useFormats()
  const words = useLeaveWords()
  const { starts_on, ends_on, leave_type_id } = request
  const balances = useRead('GET /employees/{employee_id}/leave_balances', {
    params: { employee_id: employeeId },
    query: { as_of: ends_on },
  })
  const then = balances.answer?.data.find(({ leave_type }) => leave_type.id === leave_type_id)
  return (
    <>
      {request.attachments.length > 0 ? (
        <ul className="leave-clashes">
          {request.attachments.map(({ id, filename, url }) => (
            <li key={id}>
              <a href={new URL(url, location.href).pathname + new URL(url, location.href).search}>{filename}</a>
            </li>
          ))}
        </ul>
      ) : null}
      {balances.error ? null : (
        <Figure name={t('balanceThen', { day: day(ends_on) })}>
          {then ? words.amount(then.balance, then.leave_type.unit) : <Skeleton width={80} height={26} />}
        </Figure>
      )}
      <Clashes employeeId={employeeId} starts_on={starts_on} ends_on={ends_on} />
    </>
  )
}

function WeekDetails({ item }: { item: Extract<InboxItem, { kind: 'time' }> }) {
  const t = useTexts(leaveTexts)
  const valueName = useValueName()
  const { day } = useFormats()
  const sheet = useRead('GET /time/timesheets', {
    query: { employee_id: item.employeeId, starts_on: item.week, ends_on: plusDays(item.week, 6) },
  })
  const row = sheet.answer?.data[0]
  const figure = (minutes: number | undefined) =>
    minutes === undefined ? <Skeleton width={60} height={26} /> : clock(minutes)
  return (
    <>
      <Group gap="xl">
        <Figure name={t('worked')}>{figure(row?.worked_minutes)}</Figure>
        <Figure name={t('expected')}>{figure(row?.expected_minutes)}</Figure>
        <Figure name={t('leaveKind')}>
          {figure(row && row.working_leave_minutes + row.non_working_leave_minutes)}
        </Figure>
        <Figure name={t('difference')}>{figure(row?.difference_minutes)}</Figure>
      </Group>
      <ul className="leave-clashes">
        {item.entries
          .toSorted((one, other) => (one.starts_at < other.starts_at ? -1 : 1))
          .map((one) => (
            <li key={one.id}>
              <span>{day(one.date, { weekday: 'short', day: 'numeric', month: 'short' })}</span>
              <Text span size="sm" c="dimmed">
                {[one.type === 'working' ? '' : valueName(one.type), one.comment].filter(Boolean).join(' · ')}
              </Text>
              <span>{t('clockHours', { amount: clock(one.minutes) })}</span>
            </li>
          ))}
      </ul>
    </>
  )
}
