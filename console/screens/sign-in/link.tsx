import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Problem } from '../../client/client.ts'
import { isAtFields } from '../../client/data.ts'
import { usePasswordProblem } from '../../parts/password.ts'
import { useProblems } from '../../parts/problems.ts'
import { Secret } from '../../parts/secret.tsx'
import { Loading } from '../../parts/states.tsx'
import { navigate } from '../../shell/router.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { ask, enter, type Outcome, SignInFrame, signInPage, useRefusal } from './frame.tsx'
import { SecondStep } from './second-step.tsx'
import { signInTexts } from './texts.ts'

type LinkDetails = {
  purpose: 'invitation' | 'reset' | 'set_up'
  email: string | null
  name: string | null
  account: { name: string }
}

/** The link was used, has expired or was replaced. Other errors may be temporary. */
const isOver = (error: unknown) =>
  error instanceof Problem && error.status < 500 && [400, 404, 422].includes(error.status)

/**
 * The target of links for invitations, resets and the first set-up. The secret comes after the `#`, because browsers do
 * not send that part.
 */
export default function LinkPage() {
  const t = useTexts(signInTexts)
  const refusal = useRefusal()
  const [token] = useState(() => location.hash.slice(1))
  const about = useQuery({
    queryKey: ['link', token],
    queryFn: () => ask<LinkDetails>('/sign_in/link', { token }),
    retry: false,
  })
  const [values, setValues] = useState({ name: '', email: '', password: '' })
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const problems = useProblems(failure, values)
  const passwordProblem = usePasswordProblem()
  const [second, setSecond] = useState<{ ticket: string; ways: string[] }>()

  if (about.error)
    return (
      <SignInFrame title={t(isOver(about.error) ? 'linkEnded' : 'title')}>
        {isOver(about.error) ? (
          <Text>{t('linkEndedText')}</Text>
        ) : (
          <>
            <Text role="alert">{refusal(about.error)}</Text>
            <Button onClick={() => void about.refetch()}>{t('tryAgain')}</Button>
          </>
        )}
        <Anchor component="button" type="button" onClick={() => navigate(signInPage())}>
          {t('back')}
        </Anchor>
      </SignInFrame>
    )
  if (second) return <SecondStep step={second} intro={t('linkSaved')} />
  if (!about.data)
    return (
      <SignInFrame title={t('title')}>
        <Loading rows={3} />
      </SignInFrame>
    )
  const { purpose, name, email, account } = about.data
  const isFirst = purpose === 'set_up'
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(undefined)
    try {
      const { password, ...who } = values
      const outcome = await ask<Outcome>('/sign_in/link_use', { token, password, ...(isFirst ? who : {}) })
      if (outcome.status === 'signed_in') enter('/')
      else setSecond(outcome)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const title = isFirst
    ? t('linkSetUp', { name: account.name })
    : t(purpose === 'reset' ? 'linkReset' : 'linkInvitation', { name: name ?? email ?? '' })
  const set = (part: Partial<typeof values>) => setValues({ ...values, ...part })
  const told = failure && !isAtFields(failure) ? refusal(failure) : undefined
  return (
    <SignInFrame title={title} error={told}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          {isFirst ? (
            <>
              <Text>{t('linkSetUpText')}</Text>
              <TextInput
                label={t('name')}
                autoComplete="name"
                required
                withAsterisk={false}
                value={values.name}
                error={problems.name}
                onChange={(event) => set({ name: event.currentTarget.value })}
              />
              <TextInput
                label={t('email')}
                type="email"
                autoComplete="username"
                required
                withAsterisk={false}
                value={values.email}
                error={problems.email}
                onChange={(event) => set({ email: event.currentTarget.value })}
              />
            </>
          ) : (
            <TextInput label={t('email')} type="email" autoComplete="username" readOnly value={email ?? ''} />
          )}
          <Secret
            label={t('newPassword')}
            description={t('passwordHint')}
            autoComplete="new-password"
            required
            withAsterisk={false}
            value={values.password}
            error={passwordProblem(failure)}
            onChange={(event) => set({ password: event.currentTarget.value })}
          />
          <Button type="submit" loading={isBusy}>
            {t('enter')}
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  )
}
