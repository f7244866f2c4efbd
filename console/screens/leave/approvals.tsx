import { Alert, Button, Checkbox, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useMay } from '../../client/me.ts'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { useShortcuts } from '../../shell/keys.ts'
import { useFilters } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useCursor, useDecide, useLines } from './decisions.ts'
import { type InboxItem, type InboxKind, useInbox, type Verdict } from './inbox.ts'
import { InboxDetails } from './inbox-details.tsx'
import { InboxLine } from './inbox-line.tsx'
import { Rejecting } from './rejecting.tsx'
import { leaveTexts } from './texts.ts'

const NARROW = '(max-width: 62em)'

const KINDS: readonly string[] = ['leave', 'overtime', 'time']

/**
 * One inbox for all pending approvals. It works with the keyboard alone, one by one or for several at once, and every
 * decision can be undone.
 */
export function Approvals() {
  const t = useTexts(leaveTexts)
  const { get } = useFilters()
  const isNarrow = useMediaQuery(NARROW, window.matchMedia(NARROW).matches)
  const kind = KINDS.includes(get('kind')) ? (get('kind') as InboxKind) : null
  const inbox = useInbox(kind)
  const { lines, setDecision } = useLines(inbox, kind)
  const cursor = useCursor(lines)
  const { selected, setSelected, refused, setRefused, inWords, decide } = useDecide(cursor, setDecision)
  const waiting = lines.flatMap(({ item, decision }) => (decision ? [] : item))
  const { at, go } = cursor
  const item = lines[at]?.item
  const chosen = waiting.filter(({ key }) => selected.has(key))
  const toggle = (one: InboxItem) => {
    const next = new Set(selected)
    if (!next.delete(one.key)) next.add(one.key)
    setSelected(next)
  }
  // Set while the dialog asks for the reason.
  const [rejecting, setRejecting] = useState<{ about: readonly InboxItem[]; isByKey: boolean }>()
  const reject = (about: readonly InboxItem[], isByKey = false) => {
    if (about.length > 0) setRejecting({ about, isByKey })
  }
  // The selected items, or the current one. Right after a decision by key it is empty, so that a second press does not
  // decide the next item.
  const meant = () =>
    chosen.length > 0 ? chosen : cursor.hasJustGoneOn() ? [] : item && waiting.includes(item) ? [item] : []
  useShortcuts([
    { keys: 'j', text: t('keyNext'), run: () => cursor.goNext() },
    { keys: 'k', text: t('keyPrevious'), run: () => go(at - 1) },
    { keys: 'x', text: t('keySelect'), run: () => item && waiting.includes(item) && toggle(item) },
    { keys: 'a', text: t('keyApprove'), run: () => void decide('approve', meant(), true), runsOnce: true },
    { keys: 'r', text: t('keyReject'), run: () => reject(meant(), true), runsOnce: true },
  ])

  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm" className="no-print">
        <KindFilter kind={kind} onChoose={() => setSelected(new Set())} />
        <Text size="xs" c="dimmed" visibleFrom="md">
          {t('keys')}
        </Text>
      </Group>
      <Refused of={refused.map((one) => ({ key: one.item.key, text: inWords(one) }))} onClose={() => setRefused([])} />
      {inbox.error ? (
        <Failed error={inbox.error} onRetry={() => void inbox.refetch()} />
      ) : inbox.isPending ? (
        <Loading rows={6} height={68} />
      ) : lines.length === 0 ? (
        <Empty icon="check" title={t('inboxEmpty')} text={t('inboxEmptyText')} />
      ) : (
        <div className="leave-approvals">
          <div>
            <BulkBar waiting={waiting} chosen={chosen} onSelect={setSelected} onDecide={decide} onReject={reject} />
            <ul className="leave-inbox" ref={cursor.list} aria-label={t('inbox')}>
              {lines.map(({ item: one, decision }, index) => (
                <InboxLine
                  key={one.key}
                  item={one}
                  decision={decision}
                  isCurrent={index === at}
                  isSelected={selected.has(one.key)}
                  onPress={(isAtControl) => (isAtControl && isNarrow) || cursor.setCurrent(one.key)}
                  onToggle={() => toggle(one)}
                  onDecide={(verdict) => (verdict === 'reject' ? reject([one]) : void decide(verdict, [one]))}
                  details={isNarrow && index === at ? <InboxDetails key={one.key} item={one} /> : null}
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
          {item && !isNarrow ? <InboxDetails key={item.key} item={item} /> : null}
        </div>
      )}
      {rejecting ? (
        <Rejecting
          about={rejecting.about}
          onClose={() => setRejecting(undefined)}
          onReject={(reason) => {
            setRejecting(undefined)
            void decide('reject', rejecting.about, rejecting.isByKey, reason)
          }}
        />
      ) : null}
    </Stack>
  )
}

function KindFilter({ kind, onChoose }: { kind: InboxKind | null; onChoose: () => void }) {
  const t = useTexts(leaveTexts)
  const may = useMay()
  const { set } = useFilters()
  if (!may('leave:approve') || !may('time:approve')) return <span />
  return (
    <SegmentedControl
      aria-label={t('kinds')}
      value={kind ?? 'all'}
      onChange={(next) => {
        onChoose()
        set({ kind: next === 'all' ? undefined : next })
      }}
      data={[
        { value: 'all', label: t('all') },
        { value: 'leave', label: t('leaveKind') },
        { value: 'overtime', label: t('overtimeKind') },
        { value: 'time', label: t('timeKind') },
      ]}
    />
  )
}

/** The decisions that failed, and why. */
function Refused({ of, onClose }: { of: readonly { key: string; text: string }[]; onClose: () => void }) {
  const t = useTexts(leaveTexts)
  const words = useTexts(common)
  if (of.length === 0) return null
  return (
    <Alert
      color="red"
      role="alert"
      title={t('notDecided', { count: of.length })}
      withCloseButton
      closeButtonLabel={words('close')}
      onClose={onClose}
    >
      <ul className="leave-clashes">
        {of.map(({ key, text }) => (
          <li key={key}>{text}</li>
        ))}
      </ul>
    </Alert>
  )
}

/** Selects all pending items, and decides the selected ones. */
function BulkBar(props: {
  waiting: readonly InboxItem[]
  chosen: readonly InboxItem[]
  onSelect: (keys: ReadonlySet<string>) => void
  onDecide: (verdict: Verdict, about: readonly InboxItem[]) => Promise<void>
  onReject: (about: readonly InboxItem[]) => void
}) {
  const { waiting, chosen, onSelect, onDecide, onReject } = props
  const t = useTexts(leaveTexts)
  const words = useTexts(common)
  const isAll = waiting.length > 0 && chosen.length === waiting.length
  return (
    <Group justify="space-between" gap="xs" mb="xs" className="leave-bulk">
      <Group gap="sm">
        <Checkbox
          aria-label={words('selectAll')}
          checked={isAll}
          indeterminate={!isAll && chosen.length > 0}
          onChange={() => onSelect(isAll ? new Set() : new Set(waiting.map(({ key }) => key)))}
          ml={17}
        />
        <Text size="sm" c="dimmed" role="status">
          {chosen.length > 0 ? words('selected', { count: chosen.length }) : t('waiting', { count: waiting.length })}
        </Text>
      </Group>
      {chosen.length > 0 ? (
        <Group gap="xs">
          <Button size="xs" onClick={() => void onDecide('approve', chosen)}>
            {t('approveSelected', { count: chosen.length })}
          </Button>
          <Button size="xs" variant="default" onClick={() => onReject(chosen)}>
            {t('rejectSelected', { count: chosen.length })}
          </Button>
        </Group>
      ) : null}
    </Group>
  )
}
