import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'

/** A dialog, and a panel at the side: closed by Esc, the focus goes back to where it was. */

// What stands at the top of a dialog is not the top of the page.
const attributes = { header: { role: 'presentation' } }

export function Dialog(props: ModalProps) {
  const t = useTexts(common)
  return <Modal closeButtonProps={{ 'aria-label': t('close') }} attributes={attributes} {...props} />
}

export function SidePanel(props: DrawerProps) {
  const t = useTexts(common)
  return <Drawer position="right" closeButtonProps={{ 'aria-label': t('close') }} attributes={attributes} {...props} />
}
