import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core'
import { useEffect, useId, useState, useSyncExternalStore } from 'react'
import { EnteredWithin } from '../shell/router.tsx'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'

/**
 * Dialogs and side panels. Esc closes them, after a question if there is unsaved input. The focus then returns to where
 * it was.
 */

// The header of a dialog is not the banner of the page.
const attributes = { header: { role: 'presentation' } }

/** The open dialogs, the top one last. Esc closes only that one. */
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

/** The menu item `Change salary…` opens the dialog `Change salary`. */
const withoutDots = (title: string) => title.replace(/\s*…$/, '')

/** It stays open while it is busy, so that the user sees the result. */
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
