import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { call } from '../client/client.ts'
import { me, reloadMe } from '../client/me.ts'
import { Dialog } from '../parts/dialog.tsx'
import { hrefOf } from '../shell/router.tsx'
import { shellTexts } from '../shell/texts.ts'
import { useTexts } from '../texts/i18n.ts'

/** Shown when the session ends while a form has unsaved input: the user signs in in another tab and continues here. */
export function SessionEnded({ onClose }: { onClose: () => void }) {
  const t = useTexts(shellTexts)
  const [isStill, setStill] = useState(false)
  const goOn = async () => {
    try {
      const { data } = (await call('GET /me', {})).body
      if (data.user.id !== me()?.user.id) return location.reload()
      onClose()
      await reloadMe()
    } catch {
      setStill(true)
    }
  }
  useEffect(() => {
    const look = () => void goOn()
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  })
  return (
    <Dialog opened onClose={() => void goOn()} title={t('sessionEnded')}>
      <Stack>
        <Text>{t('sessionEndedText')}</Text>
        {isStill ? (
          <Text c="red" role="alert">
            {t('sessionStillEnded')}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button component="a" variant="default" href={hrefOf('/sign-in')} target="_blank" rel="noreferrer">
            {t('signIn')}
          </Button>
          <Button onClick={() => void goOn()}>{t('goOn')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
