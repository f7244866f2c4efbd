import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { call, Problem } from '../../client/client.ts'
import { refresh, useRead } from '../../client/data.ts'
import { reloadMe, useMe } from '../../client/me.ts'
import { notifyDone, notifyFailed } from '../../client/notices.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Secret } from '../../parts/secret.tsx'
import { placeNowAt } from '../../shell/router.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { accountTexts } from './texts.ts'

/**
 * Operations as sensitive as a password need a recent sign-in. The service asks the user to confirm first, and then the
 * request is sent again.
 */

type ConfirmedAction = () => Promise<unknown>

/** Runs an action. False if the user did not confirm. */
const confirmed = async (work: ConfirmedAction): Promise<boolean> => {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_confirmed') return false
    throw error
  }
}

/** Runs an action, shows a success message and reloads what it changed. */
async function run(work: ConfirmedAction, done?: string): Promise<void> {
  if (!(await confirmed(work))) return
  refresh(['me'])
  await reloadMe()
  if (done) notifyDone(done)
}

export const confirming = { confirmed, run }

/** For buttons: shows a failure as a message. */
export const notifyOnFailure = (doing: Promise<unknown>): void => void doing.catch(notifyFailed)

export default function ConfirmDialog({ onClose }: { onClose: (isConfirmed: boolean) => void }) {
  const t = useTexts(accountTexts)
  const { sign_in, account } = useMe()
  const identities = useRead('GET /me/identities', {}, { enabled: sign_in.identities > 0 })
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
  /**
   * The provider asks for the password again. Coming back counts as a recent sign-in, and the user can repeat the
   * action.
   */
  const withProvider = (provider_id: number) =>
    call('POST /sign_in/sso', {
      query: { account: account.id },
      body: { provider_id, again: true, return_to: placeNowAt().path + placeNowAt().search },
    }).then(({ body }) => location.assign(body.data.url), notifyFailed)
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
            <Secret label={t('confirmPassword')} autoComplete="current-password" {...input} />
          ) : sign_in.totp ? (
            <TextInput label={t('confirmCode')} autoComplete="one-time-code" {...input} />
          ) : null}
          {identities.answer && identities.answer.data.length > 0 ? (
            <Stack gap="xs">
              {sign_in.password || sign_in.totp || sign_in.passkeys > 0 ? null : (
                <Text size="sm">{t('confirmAway')}</Text>
              )}
              {identities.answer.data.map(({ id, provider }) => (
                <Button key={id} variant="default" onClick={() => void withProvider(provider.id)}>
                  {t('confirmWith', { provider: provider.name })}
                </Button>
              ))}
            </Stack>
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
