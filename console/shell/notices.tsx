import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { useEffect, useMemo, useRef, useState } from 'react'
import { call, isEnded, isUnconfirmed } from '../client/client.ts'
import { type Choice, type Conflict, onConflict } from '../client/conflict.ts'
import { isKept, isSetAside, ownRequest, refresh } from '../client/data.ts'
import { newId } from '../client/ids.ts'
import { onTold, tellDone, type Undoing } from '../client/telling.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useFailureText } from '../parts/states.tsx'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'
import { useFieldName } from '../texts/names.ts'
import { useActions } from './actions.ts'
import { Icon } from './icons.tsx'
import { useShortcuts } from './keys.ts'
import { shellTexts } from './texts.ts'

/** By what they undo. */
const messages = new WeakMap<Undoing, string>()

/** What is told at the edge of the page: that something is done, with its undo, or why it is not. */
export function Notices() {
  const t = useTexts(common)
  const own = useTexts(shellTexts)
  const failure = useFailureText()

  const last = useRef<{ undoing: Undoing; id: string } | undefined>(undefined)
  useShortcuts([{ keys: 'z', text: t('undo'), run: () => last.current && void undo(last.current) }])
  // Once its message has gone, the palette still has it, by its name.
  const [latest, setLatest] = useState<{ undoing: Undoing; id: string; text: string }>()
  const actions = latest
    ? [{ name: `${t('undo')}: ${latest.text}`, icon: 'undo' as const, run: () => void undo(latest) }]
    : []
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same for as long as it is the same change
  useActions(useMemo(() => actions, [latest]))
  const undo = async ({ undoing, id }: { undoing: Undoing; id: string }) => {
    // Another may have been told since.
    if (last.current?.undoing === undoing) last.current = undefined
    setLatest((now) => (now?.undoing === undoing ? undefined : now))
    notifications.hide(id)
    const { requestId, kinds } = undoing
    try {
      for (const request_id of [requestId].flat().toReversed())
        await call('POST /me/requests/{request_id}/undo', { params: { request_id }, requestId: ownRequest(kinds) })
      refresh(kinds)
      tellDone(t('undone'))
    } catch (error) {
      notifications.show({ color: 'red', title: own('undoFailed'), message: failure(error), role: 'alert' })
    }
  }
  useEffect(() => {
    return onTold((told) => {
      if (told.kind === 'failed') {
        // That a session has ended is said by itself, and whoever did not go on knows it.
        if ([isKept, isSetAside, isEnded, isUnconfirmed].some((is) => is(told.error))) return
        notifications.show({ color: 'red', title: t('failed'), message: failure(told.error), role: 'alert' })
        return
      }
      if (told.kind === 'undo') return void undo({ undoing: told.undo, id: messages.get(told.undo) ?? '' })
      const id = newId()
      const undoing = told.kind === 'done' ? told.undo : undefined
      if (undoing) {
        messages.set(undoing, id)
        last.current = { undoing, id }
        setLatest({ undoing, id, text: told.text })
      }
      notifications.show({
        id,
        autoClose: undoing ? 10_000 : 4_000,
        onClose: () => {
          if (last.current?.id === id) last.current = undefined
        },
        icon: told.kind === 'done' ? <Icon name="check" /> : undefined,
        closeButtonProps: { 'aria-label': t('close') },
        message: (
          <Group justify="space-between" gap="xs">
            <span className="notice-words">{told.text}</span>
            {undoing ? (
              <Button flex="none" size="compact-sm" variant="default" onClick={() => void undo({ undoing, id })}>
                {t('undo')}
              </Button>
            ) : null}
          </Group>
        ),
      })
    })
  })
  // At the other side than what dialogs are confirmed with: it must not lie over that.
  return <Notifications className="notices" position="bottom-left" limit={4} />
}

const inWords = (value: unknown) =>
  value === null || value === undefined || value === ''
    ? '–'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

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
              {conflict.differences.map(({ field, theirs, mine }) => (
                <Table.Tr key={field}>
                  <Table.Td>{fieldName(field)}</Table.Td>
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
