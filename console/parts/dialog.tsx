import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core'
import { useEffect, useId, useState, useSyncExternalStore } from 'react'
import { EnteredWithin } from '../shell/router.tsx'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'

/** A dialog, and a panel at the side: closed by Esc, unless what was entered is to stay; the focus goes back to where it was. */

// What stands at the top of a dialog is not the top of the page.
const attributes = { header: { role: 'presentation' } }

/** Those that are open, the one on top last: only that one is closed by Esc. */
let open: readonly string[] = []
const listeners = new Set<() => void>()
const change = (next: readonly string[]) => {
  open = next
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function useIsOnTop(isOpen: boolean): boolean {
  const id = useId()
  useEffect(() => {
    if (!isOpen) return
    change([...open, id])
    return () => change(open.filter((one) => one !== id))
  }, [isOpen, id])
  const top = useSyncExternalStore(subscribe, () => open.at(-1))
  return top === undefined || top === id
}

/** `Change salary…` in a menu opens `Change salary`. */
const withoutDots = (title: string) => title.replace(/\s*…$/, '')

/** While it is busy it stays, so that what comes of it is seen. */
export function Dialog({ isBusy = false, ...props }: ModalProps & { isBusy?: boolean }) {
  const t = useTexts(common)
  const isOnTop = useIsOnTop(props.opened)
  const { entered, close } = useClosing(props.onClose)
  return (
    <EnteredWithin value={entered}>
      <Modal
        closeOnEscape={isOnTop && !isBusy}
        closeOnClickOutside={!isBusy}
        closeButtonProps={{ 'aria-label': t('close'), disabled: isBusy }}
        attributes={attributes}
        {...props}
        title={typeof props.title === 'string' ? withoutDots(props.title) : props.title}
        onClose={close}
      />
    </EnteredWithin>
  )
}

function useClosing(onClose: () => void) {
  const [entered] = useState(() => new Set<() => boolean>())
  return { entered, close: () => [...entered].every((agrees) => agrees()) && onClose() }
}

export function SidePanel(props: DrawerProps) {
  const t = useTexts(common)
  const closeOnEscape = useIsOnTop(props.opened)
  const { entered, close } = useClosing(props.onClose)
  return (
    <EnteredWithin value={entered}>
      <Drawer
        closeOnEscape={closeOnEscape}
        position="right"
        closeButtonProps={{ 'aria-label': t('close') }}
        attributes={attributes}
        {...props}
        onClose={close}
      />
    </EnteredWithin>
  )
}
