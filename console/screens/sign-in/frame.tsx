import { Alert, Paper, Stack, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { type ApiAnswer, addressOf, Problem, send } from '../../client/client.ts'
import { forgetMe } from '../../client/me.ts'
import { Mark } from '../../shell/icons.tsx'
import { navigate } from '../../shell/router.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { signInTexts } from './texts.ts'

/** The parts that the pages before sign-in share. */

export type Outcome =
  | { status: 'signed_in'; user: { id: number; name: string; email: string }; return_to: string | null }
  | { status: 'second_factor'; ticket: string; ways: ('totp' | 'recovery_code' | 'passkey')[] }

export const ask = async <T,>(path: string, body?: object, method = 'POST') =>
  ((await send(method, `${path}${accountWanted()}`, body ? { body } : {})) as ApiAnswer<{ data: T }>).body.data

const REMEMBERED = 'cadre-account'

/**
 * `?account=2` if several companies use one service: from the address, from a provider's response, or from the last
 * sign-in in this browser.
 */
export function accountWanted(): string {
  const search = new URLSearchParams(location.search)
  const told = search.get('account') ?? /^(\d+)\./.exec(search.get('state') ?? '')?.[1]
  const account = told ?? localStorage.getItem(REMEMBERED)
  return account && /^\d+$/.test(account) ? `?account=${account}` : ''
}

/** The sign-in page of the same company. */
export const signInPage = () => `/sign-in${accountWanted()}`

/** Is it a path of the console? Other addresses are not followed. */
const isLocalPath = (to: string | null): to is string => to !== null && /^\/(?![/\\])/.test(to)

export function enter(to: string | null): void {
  forgetMe()
  const account = accountWanted().split('=')[1]
  if (account) localStorage.setItem(REMEMBERED, account)
  navigate(isLocalPath(to) && !to.startsWith('/sign-in') ? to : '/', { replace: true })
}

const LEFT = 'cadre-left-for-provider'
export const leaveFor = (url: string): void => {
  sessionStorage.setItem(LEFT, 'yes')
  location.assign(url)
}

/** If the user went to a provider and came back with the browser's back button, they may be signed in already. */
export function useReturnFromProvider(to: string | null): void {
  useEffect(() => {
    if (sessionStorage.getItem(LEFT) === null) return
    sessionStorage.removeItem(LEFT)
    fetch(addressOf('/me', {})).then(
      (answer) => answer.ok && enter(to),
      () => undefined,
    )
  }, [to])
}

export function SignInFrame({
  title,
  error,
  children,
}: {
  title: string
  error?: string | undefined
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Cadre`
  }, [title])
  return (
    <main className="sign-in">
      <Paper className="sign-in-card" withBorder p="xl" shadow="sm">
        <Stack>
          <Mark />
          <Title order={1} size="h3">
            {title}
          </Title>
          {error ? (
            <Alert color="red" role="alert" variant="outline">
              {error}
            </Alert>
          ) : null}
          {children}
        </Stack>
      </Paper>
    </main>
  )
}

/** Explains in the user's language why an attempt failed. */
export function useRefusal(): (error: unknown, isCode?: boolean) => string {
  const t = useTexts(signInTexts)
  return (error, isCode = false) => {
    if (!(error instanceof Problem)) return t('passkeyFailed')
    switch (error.code) {
      case 'sign_in_failed':
        return t(isCode ? 'codeFailed' : 'failed')
      case 'ticket_ended':
        return t('ended')
      case 'too_many_attempts':
      case 'too_many_requests':
        return t('tooMany', { count: error.retryAfter ?? 60 })
      case 'sso_compulsory':
        return t('compulsory')
      case 'sso_refused':
        return t('refused')
      case 'sso_cancelled':
        return t('cancelled')
      case 'sso_unverified':
        return t('unverified')
      case 'sso_unknown':
        return t('unknown')
      case 'sso_taken':
        return t('taken')
      case 'passkey_refused':
        return t('passkeyRefused')
      case 'unavailable':
      case 'unreachable':
      case 'internal_error':
        return t('unavailable')
      case 'provider_unreachable':
        return t('unreachable')
      default:
        return error.message
    }
  }
}
