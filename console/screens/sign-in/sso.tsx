import { Anchor } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Loading } from '../../parts/states.tsx'
import { navigate } from '../../shell/router.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { ask, enter, type Outcome, SignInFrame, signInPage, useRefusal } from './frame.tsx'
import { signInTexts } from './texts.ts'

/** The page to which the provider returns the user. */
export default function SsoPage() {
  const t = useTexts(signInTexts)
  const refusal = useRefusal()
  const [error, setError] = useState(location.search ? undefined : t('ssoPlain'))
  const isAsked = useRef(false)
  useEffect(() => {
    // A response can only be used once. Without one, the user has opened the page directly.
    if (isAsked.current || !location.search) return
    isAsked.current = true
    const query = location.search
    // If this is a test of the provider, the settings show its result.
    const tested = /^\d+\.test-(\d+)\./.exec(new URLSearchParams(query).get('state') ?? '')?.[1]
    if (tested) return navigate(`/settings/identity_providers/${tested}/test${query}`, { replace: true })
    ask<Outcome>('/sign_in/sso_answer', { query }).then(
      (outcome) => enter(outcome.status === 'signed_in' ? outcome.return_to : '/sign-in'),
      (failure) => setError(refusal(failure)),
    )
  })
  return (
    <SignInFrame title={t('title')} error={error}>
      {error ? (
        <Anchor component="button" type="button" onClick={() => navigate(signInPage())}>
          {t('back')}
        </Anchor>
      ) : (
        <Loading rows={2} />
      )}
    </SignInFrame>
  )
}
