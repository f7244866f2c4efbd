import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { useEffect, useMemo, useRef, useState } from 'react'
import { call, isEnded, isUnconfirmed, Problem } from '../client/client.ts'
import { type Choice, type Conflict, onConflict } from '../client/conflict.ts'
import { hasChosenTheirs, hasGoneBack, ownRequest, refresh } from '../client/data.ts'
import { newId } from '../client/ids.ts'
import { notifyDone, onNotice, type UndoTarget } from '../client/notices.ts'
import { forgetUnanswered } from '../client/send-once.ts'
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

/** Requests that are undone, or being undone. Other undo buttons for them do nothing. */
const undoneRequests = new Set<string>()
const leftOf = ({ requestId }: UndoTarget) => [requestId].flat().filter((one) => !undoneRequests.has(one))

/** The success message of each request, to name it if its undo fails. */
const doneTexts = new Map<string, string>()

type UndoOffer = { id: string; undoing: UndoTarget; text: string }

/** Shows messages at the edge of the page: success with an undo button, and failures. */
export function Notices() {
  const t = useTexts(common)
  const own = useTexts(shellTexts)
  const failure = useFailureText()
  const problem = useProblemText()

  /** The offers whose messages are on screen, the newest last. */
  const offers = useRef<UndoOffer[]>([])
  const last = useRef<UndoOffer | undefined>(undefined)
  useShortcuts([{ keys: 'z', text: t('undo'), run: () => last.current && void undo(last.current.undoing) }])
  // The palette still offers the last undo after its message is gone.
  const [latest, setLatest] = useState<UndoOffer>()
  const actions = latest
    ? [{ name: `${t('undo')}: ${latest.text}`, icon: 'undo' as const, run: () => void undo(latest.undoing) }]
    : []
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions only change with the offer
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
  /** Undoes each request by itself, the last one first. One that can no longer be undone does not stop the others. */
  const undo = async (undoing: UndoTarget) => {
    const { kinds } = undoing
    const requests = leftOf(undoing).toReversed()
    for (const one of requests) undoneRequests.add(one)
    withdrawOffers()
    const left: string[] = []
    const why: unknown[] = []
    for (const request_id of requests)
      try {
        // Without a connection or a session, the other requests would fail too.
        if (isUndecided(why.at(-1))) throw why.at(-1)
        await call('POST /me/requests/{request_id}/undo', { params: { request_id }, requestId: ownRequest(kinds) })
      } catch (error) {
        undoneRequests.delete(request_id)
        left.unshift(request_id)
        why.push(error)
      }
    forgetUnanswered(kinds)
    refresh(kinds)
    if (left.length === 0) return requests.length > 0 && notifyDone(t('undone'))
    if (why.every(isEnded)) return
    const isUnknown = why.some(isUndecided)
    const done = requests.length - left.length
    const about = [...new Set(left.flatMap((one) => doneTexts.get(one) ?? []))]
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
      message: <MessageWithUndo text={text} onUndo={isUnknown ? () => void undo(again.undoing) : undefined} />,
    })
  }
  /** A change that was overwritten in several fields is reported once. */
  const reason = (error: unknown) => {
    if (!(error instanceof Problem && error.errors.length > 0)) return failure(error)
    const told = [...new Set(error.errors.map(problem))].join('; ')
    return told.charAt(0).toUpperCase() + told.slice(1)
  }
  useEffect(() => {
    return onNotice((told) => {
      if (told.kind === 'failed') {
        // Other dialogs already told the user: the sign-in form, the confirmation or the conflict dialog.
        if ([hasChosenTheirs, hasGoneBack, isEnded, isUnconfirmed].some((is) => is(told.error))) return
        const { error } = told
        notifications.show({
          // The message is hidden when the same request succeeds later.
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
        doneTexts.set(one, told.text)
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
        message: <MessageWithUndo text={told.text} onUndo={undoing ? () => void undo(undoing) : undefined} />,
      })
    })
  })
  // At the left, so that they do not cover the buttons of dialogs. The list scrolls, so no message has to wait.
  return <Notifications className="notices" position="bottom-left" limit={100} />
}

/** The service has not decided: the undo can be tried again. */
const isUndecided = (error: unknown) => error instanceof Problem && (error.isUnknown || isEnded(error))

function MessageWithUndo({ text, onUndo }: { text: string; onUndo: (() => void) | undefined }) {
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

/** After a 412: shows the current values next to the entered ones, and lets the user choose. */
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
