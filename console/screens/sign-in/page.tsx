import { Anchor, Button, Divider, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Secret } from '../../parts/secret.tsx'
import { useFilters } from '../../shell/router.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { ask, enter, leaveFor, type Outcome, SignInFrame, useRefusal, useReturnFromProvider } from './frame.tsx'
import { SecondStep, showPasskey } from './second-step.tsx'
import { signInTexts } from './texts.ts'

type SignInMethods = {
  account: { id: number; name: string }
  ways: string[]
  providers: { id: number; name: string }[]
  compulsory: boolean
}

const KEY = ['sign-in']

export default function SignInPage() {
  const t = useTexts(signInTexts)
  const refusal = useRefusal()
  const wanted = useFilters().get('to')
  useReturnFromProvider(wanted)
  const { data: ways } = useQuery({ queryKey: KEY, queryFn: () => ask<SignInMethods>('/sign_in', undefined, 'GET') })
  const [step, setStep] = useState<'first' | 'reset' | { ticket: string; ways: string[] }>('first')
  const [showsAll, setShowsAll] = useState(false)
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  const attempt = async (work: () => Promise<Outcome>) => {
    setBusy(true)
    setError(undefined)
    try {
      const outcome = await work()
      if (outcome.status === 'signed_in') enter(outcome.return_to ?? wanted)
      else setStep({ ticket: outcome.ticket, ways: outcome.ways })
    } catch (failure) {
      setError(refusal(failure))
    } finally {
      setBusy(false)
    }
  }
  const withPasskey = () => attempt(() => showPasskey())
  const withProvider = async (provider_id: number) => {
    setError(undefined)
    try {
      const { url } = await ask<{ url: string }>('/sign_in/sso', {
        provider_id,
        ...(wanted ? { return_to: wanted } : {}),
      })
      leaveFor(url)
    } catch (failure) {
      setError(refusal(failure))
    }
  }

  if (step === 'reset') return <ResetForm onBack={() => setStep('first')} />
  if (step !== 'first') return <SecondStep step={step} wanted={wanted} onBack={() => setStep('first')} />

  const hasPassword = !ways?.compulsory || showsAll
  return (
    <SignInFrame title={ways ? t('to', { company: ways.account.name }) : t('title')} error={error}>
      {hasPassword ? (
        <PasswordForm
          isBusy={isBusy}
          onSend={(sent) => attempt(() => ask<Outcome>('/sign_in', sent))}
          onForgot={() => setStep('reset')}
        />
      ) : null}
      {ways && (ways.providers.length > 0 || ways.ways.includes('passkey')) ? (
        <>
          {hasPassword ? <Divider label={t('or')} /> : null}
          {ways.providers.map(({ id, name }) => (
            <Button key={id} variant="default" onClick={() => void withProvider(id)}>
              {t('sso', { provider: name })}
            </Button>
          ))}
          {hasPassword && ways.ways.includes('passkey') && 'PublicKeyCredential' in window ? (
            <Button variant="default" onClick={() => void withPasskey()}>
              {t('passkey')}
            </Button>
          ) : null}
        </>
      ) : null}
      {hasPassword ? null : (
        <Anchor component="button" type="button" onClick={() => setShowsAll(true)}>
          {t('otherWays')}
        </Anchor>
      )}
    </SignInFrame>
  )
}

function PasswordForm(props: {
  isBusy: boolean
  onSend: (sent: { email: string; password: string }) => void
  onForgot: () => void
}) {
  const t = useTexts(signInTexts)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    props.onSend({ email, password })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          ref={first}
          label={t('email')}
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Secret
          label={t('password')}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={props.isBusy}>
          {t('signIn')}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={props.onForgot}>
          {t('forgot')}
        </Anchor>
      </Stack>
    </form>
  )
}

function ResetForm({ onBack }: { onBack: () => void }) {
  const t = useTexts(signInTexts)
  const refusal = useRefusal()
  const [email, setEmail] = useState('')
  const [isAsked, setAsked] = useState(false)
  const [error, setError] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    try {
      await ask('/sign_in/reset', { email })
      setAsked(true)
    } catch (failure) {
      setError(refusal(failure))
    }
  }
  return (
    <SignInFrame title={t('resetTitle')} error={error}>
      {isAsked ? (
        <Text role="status">{t('resetDone')}</Text>
      ) : (
        <form onSubmit={(event) => void submit(event)}>
          <Stack>
            <Text>{t('resetText')}</Text>
            <TextInput
              label={t('email')}
              type="email"
              required
              withAsterisk={false}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <Button type="submit">{t('resetAsk')}</Button>
          </Stack>
        </form>
      )}
      <Anchor component="button" type="button" onClick={onBack}>
        {t('back')}
      </Anchor>
    </SignInFrame>
  )
}
