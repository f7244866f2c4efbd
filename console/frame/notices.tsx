import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { useEffect, useMemo, useRef, useState } from 'react'
import { call, isEnded, isUnconfirmed, Problem } from '../client/client.ts'
import { type Choice, type Conflict, onConflict } from '../client/conflict.ts'
import { isKept, isSetAside, ownRequest, refresh } from '../client/data.ts'
import { newId } from '../client/ids.ts'
import { notifyDone, onNotice, type UndoTarget } from '../client/notices.ts'
import { meantAnew } from '../client/send-once.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useProblemText } from '../parts/problems.ts'
import { useFailureText } from '../parts/states.tsx'
import { useActions } from '../shell/actions.ts'
import { Icon } from '../shell/icons.tsx'
import { useShortcuts } from '../shell/keys.ts'
import { shellTexts } from '../shell/texts.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'
import { useFieldName } from '../texts/names.ts'

/** Requests that are taken back, or being so: whatever else offers that, a line or a message, does not do it again. */
const takenBack = new Set<string>()
const leftOf = ({ requestId }: UndoTarget) => [requestId].flat().filter((one) => !takenBack.has(one))

/** What was told to be done by a request. */
const deeds = new Map<string, string>()

type UndoOffer = { id: string; undoing: UndoTarget; text: string }

/** What is told at the edge of the page: that something is done, with its undo, or why it is not. */
export function Notices() {
  const t = useTexts(common)
  const own = useTexts(shellTexts)
  const failure = useFailureText()
  const problem = useProblemText()

  /** Whose messages are there, the last one last. */
  const offers = useRef<UndoOffer[]>([])
  const last = useRef<UndoOffer | undefined>(undefined)
  useShortcuts([{ keys: 'z', text: t('undo'), run: () => last.current && void undo(last.current.undoing) }])
  // Once its message has gone, the palette still has it, by its name.
  const [latest, setLatest] = useState<UndoOffer>()
  const actions = latest
    ? [{ name: `${t('undo')}: ${latest.text}`, icon: 'undo' as const, run: () => void undo(latest.undoing) }]
    : []
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same for as long as it is the same change
  useActions(useMemo(() => actions, [latest]))
  const withdrawn = (id: string) => {
    offers.current = offers.current.filter((one) => one.id !== id)
    if (last.current?.id === id) last.current = undefined
  }
  const withdrawOffers = () => {
    const isOver = (offer: UndoOffer | undefined) => offer && leftOf(offer.undoing).length === 0
    for (const offer of offers.current) if (isOver(offer)) notifications.hide(offer.id)
    if (isOver(last.current)) last.current = undefined
    setLatest((now) => (isOver(now) ? undefined : now))
  }
  /** Each by itself, the last one first: one that cannot be taken back any more does not hold up the others. */
  const undo = async (undoing: UndoTarget) => {
    const { kinds } = undoing
    const requests = leftOf(undoing).toReversed()
    for (const one of requests) takenBack.add(one)
    withdrawOffers()
    const left: string[] = []
    const why: unknown[] = []
    for (const request_id of requests)
      try {
        // Where there is no service, or nobody is signed in, the others would only fail as well.
        if (isHopeless(why.at(-1))) throw why.at(-1)
        await call('POST /me/requests/{request_id}/undo', { params: { request_id }, requestId: ownRequest(kinds) })
      } catch (error) {
        takenBack.delete(request_id)
        left.unshift(request_id)
        why.push(error)
      }
    meantAnew(kinds)
    refresh(kinds)
    if (left.length === 0) return requests.length > 0 && notifyDone(t('undone'))
    if (why.every(isEnded)) return
    const isUnknown = why.some(isHopeless)
    const done = requests.length - left.length
    const about = [...new Set(left.flatMap((one) => deeds.get(one) ?? []))]
    const text = [...about, [...new Set(why.map(reason))].join('; ')].join(': ')
    const again = { id: newId(), undoing: { requestId: left, kinds }, text }
    if (isUnknown) {
      offers.current.push(again)
      last.current = again
    }
    notifications.show({
      id: again.id,
      autoClose: isUnknown ? false : 8_000,
      onClose: () => withdrawn(again.id),
      color: 'red',
      role: 'alert',
      title:
        done > 0 ? own('undonePart', { done, count: requests.length }) : isUnknown ? t('failed') : own('undoFailed'),
      message: <Offered text={text} onUndo={isUnknown ? () => void undo(again.undoing) : undefined} />,
    })
  }
  /** What has been changed since is told once, not field by field. */
  const reason = (error: unknown) => {
    if (!(error instanceof Problem && error.errors.length > 0)) return failure(error)
    const told = [...new Set(error.errors.map(problem))].join('; ')
    return told.charAt(0).toUpperCase() + told.slice(1)
  }
  useEffect(() => {
    return onNotice((told) => {
      if (told.kind === 'failed') {
        // That a session has ended is said by itself, and whoever did not go on knows it.
        if ([isKept, isSetAside, isEnded, isUnconfirmed].some((is) => is(told.error))) return
        const { error } = told
        notifications.show({
          // It goes when the same is done after all.
          id: (error instanceof Problem && error.requestId) || newId(),
          color: 'red',
          title: t('failed'),
          message: failure(error),
          role: 'alert',
        })
        return
      }
      if (told.kind === 'refused') {
        const message = told.lines.map((line) => <div key={line}>{line}</div>)
        return void notifications.show({ color: 'red', title: told.title, message, role: 'alert', autoClose: false })
      }
      if (told.kind === 'undo') return void undo(told.undo)
      const id = newId()
      const undoing = told.kind === 'done' ? told.undo : undefined
      for (const one of undoing ? [undoing.requestId].flat() : []) {
        deeds.set(one, told.text)
        notifications.hide(one)
      }
      if (undoing) {
        const offer = { undoing, id, text: told.text }
        offers.current.push(offer)
        last.current = offer
        setLatest(offer)
      }
      notifications.show({
        id,
        autoClose: undoing ? 10_000 : 4_000,
        onClose: () => withdrawn(id),
        icon: told.kind === 'done' ? <Icon name="check" /> : undefined,
        closeButtonProps: { 'aria-label': t('close') },
        message: <Offered text={told.text} onUndo={undoing ? () => void undo(undoing) : undefined} />,
      })
    })
  })
  // At the other side than what dialogs are confirmed with: it must not lie over that.
  // Nothing waits for what stays: more than the page has room for is scrolled.
  return <Notifications className="notices" position="bottom-left" limit={100} />
}

/** Nothing was decided about it there: it can be asked for again. */
const isHopeless = (error: unknown) => error instanceof Problem && (error.isUnknown || isEnded(error))

function Offered({ text, onUndo }: { text: string; onUndo: (() => void) | undefined }) {
  const t = useTexts(common)
  return (
    <Group justify="space-between" gap="xs">
      <span className="notice-words">{text}</span>
      {onUndo ? (
        <Button flex="none" size="compact-sm" variant="default" onClick={onUndo}>
          {t('undo')}
        </Button>
      ) : null}
    </Group>
  )
}

const inWords = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? '–'
    : Array.isArray(value)
      ? value.map(inWords).join(', ')
      : typeof value === 'object'
        ? nameIn(value as Record<string, unknown>)
        : String(value)

const nameIn = (record: Record<string, unknown>): string =>
  inWords(record.full_name ?? record.name ?? record.title ?? JSON.stringify(record))

/** 412: what is there now beside what was entered, and the choice between them. */
export function ConflictDialog() {
  const t = useTexts(shellTexts)
  const fieldName = useFieldName()
  const [conflict, setConflict] = useState<Conflict>()
  useEffect(() => onConflict(setConflict), [])
  if (!conflict) return null
  const decide = (choice: Choice) => {
    setConflict(undefined)
    conflict.decide(choice)
  }
  return (
    <Dialog opened onClose={() => decide('back')} title={t('conflictTitle')} size="lg">
      <Stack>
        <Text>{conflict.differences.length > 0 ? t('conflictText') : t('conflictNothing')}</Text>
        {conflict.differences.length > 0 ? (
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('conflictField')}</Table.Th>
                <Table.Th>{t('conflictTheirs')}</Table.Th>
                <Table.Th>{t('conflictMine')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {conflict.differences.map(({ field, of, theirs, mine }) => (
                <Table.Tr key={`${field} ${of}`}>
                  <Table.Td>{[of, fieldName(field)].filter(Boolean).join(': ')}</Table.Td>
                  <Table.Td>{inWords(theirs)}</Table.Td>
                  <Table.Td>{inWords(mine)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => decide('theirs')}>
            {t('keepTheirs')}
          </Button>
          <Button onClick={() => decide('mine')}>{t('saveMine')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
