import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { createContext, type FormEvent, type ReactNode, useContext, useRef, useState } from 'react'
import { call, Problem } from '../../client/client.ts'
import { refresh } from '../../client/data.ts'
import { readMeAgain, useMe } from '../../client/me.ts'
import { tellDone, tellFailed } from '../../client/telling.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { accountTexts } from './texts.ts'

/** Changing how one signs in takes a recent sign-in: who has none is asked to confirm, and the change goes on. */

type Work = () => Promise<unknown>
type Doing = {
  /** Does it, confirmed where that is asked for; false when the person did not. */
  confirmed: (work: Work) => Promise<boolean>
  /** Does it likewise, says that it is done, and reads again what it changed. */
  run: (work: Work, done?: string) => Promise<void>
}

const Confirming = createContext<Doing | undefined>(undefined)
export const useConfirming = () => useContext(Confirming) as Doing

export function ConfirmingOneself({ children }: { children: ReactNode }) {
  const [isAsking, setAsking] = useState(false)
  const answered = useRef<(isConfirmed: boolean) => void>(undefined)

  const confirmed = async (work: Work): Promise<boolean> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'confirm_first')) throw error
      const isConfirmed = await new Promise<boolean>((resolve) => {
        answered.current = resolve
        setAsking(true)
      })
      if (!isConfirmed) return false
      await work()
    }
    return true
  }
  const run = async (work: Work, done?: string): Promise<void> => {
    if (!(await confirmed(work))) return
    refresh(['me'])
    await readMeAgain()
    if (done) tellDone(done)
  }
  const close = (isConfirmed: boolean) => {
    setAsking(false)
    answered.current?.(isConfirmed)
  }
  return (
    <Confirming.Provider value={{ confirmed, run }}>
      {children}
      {isAsking ? <ConfirmDialog onClose={close} /> : null}
    </Confirming.Provider>
  )
}

/** For a button: what fails is told at the edge of the page. */
export const orTell = (doing: Promise<unknown>): void => void doing.catch(tellFailed)

function ConfirmDialog({ onClose }: { onClose: (isConfirmed: boolean) => void }) {
  const t = useTexts(accountTexts)
  const { sign_in } = useMe()
  const [words, setWords] = useState('')
  const [isWrong, setWrong] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const attempt = async (body: () => Promise<object>) => {
    setBusy(true)
    setWrong(false)
    try {
      await call('POST /me/confirmation', { body: await body() })
      onClose(true)
    } catch {
      setWrong(true)
    } finally {
      setBusy(false)
    }
  }
  const withPasskey = () =>
    attempt(async () => {
      const { data } = (await call('POST /sign_in/passkey_options', { body: {} })).body
      const { ticket, options } = data as unknown as { ticket: string; options: PublicKeyCredentialRequestOptionsJSON }
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
      const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
      return { ticket, response: credential.toJSON() }
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(async () => (sign_in.password ? { password: words } : { code: words }))
  }
  const input = {
    value: words,
    onChange: (event: { currentTarget: { value: string } }) => setWords(event.currentTarget.value),
    required: true,
    'data-autofocus': true,
  }
  return (
    <Dialog opened onClose={() => onClose(false)} title={t('confirmTitle')}>
      <form onSubmit={submit}>
        <Stack>
          <Text>{t('confirmText')}</Text>
          {isWrong ? (
            <Alert color="red" role="alert">
              {t('confirmFailed')}
            </Alert>
          ) : null}
          {sign_in.password ? (
            <PasswordInput label={t('confirmPassword')} autoComplete="current-password" {...input} />
          ) : sign_in.totp ? (
            <TextInput label={t('confirmCode')} autoComplete="one-time-code" {...input} />
          ) : null}
          <Group justify="flex-end" gap="xs">
            {sign_in.passkeys > 0 ? (
              <Button variant="default" loading={isBusy} onClick={() => void withPasskey()}>
                {t('withPasskey')}
              </Button>
            ) : null}
            {sign_in.password || sign_in.totp ? (
              <Button type="submit" loading={isBusy}>
                {t('goOn')}
              </Button>
            ) : null}
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
