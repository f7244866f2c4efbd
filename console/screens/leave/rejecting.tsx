import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { nameOf } from '../../parts/person.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import type { InboxItem } from './inbox.ts'
import { useItemText } from './item-text.ts'
import { leaveTexts } from './texts.ts'

/** The longest reason, in characters. */
const REASON = 2000

/** The reason for the rejection, shown to the employee. Optional: some things are better said in person. */
export function Rejecting(props: {
  about: readonly InboxItem[]
  onClose: () => void
  onReject: (reason: string) => void
}) {
  const { about, onClose, onReject } = props
  const t = useTexts(leaveTexts)
  const words = useTexts(common)
  const what = useItemText()
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
