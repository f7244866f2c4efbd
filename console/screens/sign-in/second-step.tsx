import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { navigate } from '../../shell/router.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { ask, enter, type Outcome, SignInFrame, signInPage, useRefusal } from './frame.tsx'
import { signInTexts } from './texts.ts'

/** Asks the device for a passkey: alone, or as the second step of a ticket. */
export async function showPasskey(ticket?: string): Promise<Outcome> {
  const begun = await ask<{ ticket: string; options: PublicKeyCredentialRequestOptionsJSON }>(
    '/sign_in/passkey_options',
    ticket ? { ticket } : {},
  )
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(begun.options)
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  return ask<Outcome>('/sign_in/passkey', { ticket: begun.ticket, response: credential.toJSON() })
}

/** The second factor. */
export function SecondStep(props: {
  step: { ticket: string; ways: string[] }
  wanted?: string | null
  /** Explains what happened before, if that is not obvious. */
  intro?: string
  onBack?: () => void
}) {
  const { step, wanted = null, intro, onBack = () => navigate(signInPage(), { replace: true }) } = props
  const t = useTexts(signInTexts)
  const refusal = useRefusal()
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<Outcome>) => {
    setBusy(true)
    setError(undefined)
    try {
      const outcome = await work()
      if (outcome.status === 'signed_in') enter(outcome.return_to ?? wanted)
    } catch (failure) {
      setError(refusal(failure, true))
    } finally {
      setBusy(false)
    }
  }
  const has = (way: string) => step.ways.includes(way)
  const text = t(has('totp') ? (has('recovery_code') ? 'codeText' : 'codeOnly') : 'codeRecovery')
  return (
    <SignInFrame title={t('codeTitle')} error={error}>
      {intro ? <Text role="status">{intro}</Text> : null}
      {has('passkey') ? (
        <Button
          variant={has('totp') ? 'default' : 'filled'}
          onClick={() => void attempt(() => showPasskey(step.ticket))}
        >
          {t('passkey')}
        </Button>
      ) : null}
      {has('totp') || has('recovery_code') ? (
        <CodeForm
          isBusy={isBusy}
          text={text}
          onCode={(code) => void attempt(() => ask<Outcome>('/sign_in/code', { ticket: step.ticket, code }))}
        />
      ) : null}
      <Anchor component="button" type="button" onClick={onBack}>
        {t('back')}
      </Anchor>
    </SignInFrame>
  )
}

function CodeForm(props: { isBusy: boolean; text: string; onCode: (code: string) => void }) {
  const t = useTexts(signInTexts)
  const [code, setCode] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    props.onCode(code.trim())
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{props.text}</Text>
        <TextInput
          ref={input}
          label={t('code')}
          name="code"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={props.isBusy}>
          {t('goOn')}
        </Button>
      </Stack>
    </form>
  )
}
