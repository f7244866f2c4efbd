import { DirectionProvider, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { onSignedOut, Problem } from './client/client.ts'
import { onIdentityRequest } from './client/confirm-identity.ts'
import { queries } from './client/data.ts'
import { forgetMe, me, prefetchMe, useMe, useMeQuery } from './client/me.ts'
import { notifyInfo } from './client/notices.ts'
import { wasReplaced } from './client/session-owner.ts'
import { isOutdated } from './client/version.ts'
import { Boundary } from './frame/boundary.tsx'
import { Frame } from './frame/frame.tsx'
import { ConflictDialog, Notices } from './frame/notices.tsx'
import { SessionEnded } from './frame/session-ended.tsx'
import { cssVariables, printInLight, theme } from './frame/theme.ts'
import { Page } from './parts/page.tsx'
import { Failed, Forbidden, Loading, NotFound } from './parts/states.tsx'
import { quickActions, screens } from './screens.ts'
import { isUnsaved, match, navigate, placeNowAt, usePlace } from './shell/router.tsx'
import { mayOpen, type Screen, type ScreenProps, ScreensContext } from './shell/screens.ts'
import { shellTexts } from './shell/texts.ts'
import { directionOf, loadInitialWords, setLocale, useLocale, useTexts } from './texts/i18n.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[name="cadre-nonce"]')?.nonce ?? ''
// Dialogs add a style element that stops the page behind them from scrolling. They read its nonce here.
Object.assign(window, { __webpack_nonce__: nonce })

const all = { screens, quickActions }

/** Screens that are loaded already, so that returning to one shows it at once. */
const loaded = new Map<Screen, ComponentType<ScreenProps>>()

function ScreenAt({ screen, params }: { screen: Screen; params: Record<string, string> }) {
  const [Component, setComponent] = useState<ComponentType<ScreenProps> | undefined>(() => loaded.get(screen))
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    let isHere = true
    const kept = loaded.get(screen)
    setComponent(() => kept)
    if (kept) return
    screen.load().then(
      (module) => {
        loaded.set(screen, module.default)
        if (isHere) setComponent(() => module.default)
      },
      async () => {
        // The address is already that of the new screen, so a reload opens it.
        if (await isOutdated()) location.reload()
        else if (isHere) setError(new Problem(0, 'unreachable', ''))
      },
    )
    return () => {
      isHere = false
    }
  }, [screen])
  if (error) return <Failed error={error} onRetry={() => location.reload()} />
  return Component ? <Component params={params} /> : <Loading />
}

function Inside() {
  const { path } = usePlace()
  const { permissions } = useMe()
  const t = useTexts(shellTexts)
  const home = screens.find((one) => one.inMenu && mayOpen(permissions, one))
  const screen = screens.find((one) => match(one.path, path))
  const isStart = path === '/' && !screen
  useEffect(() => {
    if (isStart && home) navigate(home.path, { replace: true })
  }, [isStart, home])
  if (isStart && home) return <Loading />
  if (!screen || !mayOpen(permissions, screen))
    return (
      <Page title={screen ? (t as (key: string) => string)(screen.name) : 'Cadre'}>
        {screen ? <Forbidden /> : <NotFound />}
      </Page>
    )
  return (
    <Boundary key={screen.path}>
      <ScreenAt screen={screen} params={match(screen.path, path) ?? {}} />
    </Boundary>
  )
}

function SignedInApp() {
  const who = useMeQuery()
  const { data, error } = who
  useEffect(() => {
    void setLocale(data?.user.locale)
  }, [data])
  const isNobody = error instanceof Problem && error.status === 401
  useEffect(() => {
    if (isNobody) goToSignIn()
  }, [isNobody])
  if (data)
    return (
      <Frame>
        <Inside />
      </Frame>
    )
  if (error && !isNobody) return <Failed error={error} onRetry={() => void who.refetch()} />
  return <Loading rows={8} />
}

const ConfirmDialog = lazy(() => import('./screens/account/confirming.tsx'))

/** Asks for the password or passkey again before sensitive changes, if the last sign-in is too long ago. */
function Confirming() {
  const [decide, setDecide] = useState<(isConfirmed: boolean) => void>()
  useEffect(() => onIdentityRequest(() => new Promise((resolve) => setDecide(() => resolve))), [])
  if (!decide) return null
  const close = (isConfirmed: boolean) => {
    setDecide(undefined)
    decide(isConfirmed)
  }
  return (
    <Suspense fallback={null}>
      <ConfirmDialog onClose={close} />
    </Suspense>
  )
}

/** Opens the sign-in page, with the address to return to and the account. */
function goToSignIn(): void {
  const { path, search } = placeNowAt()
  if (path.startsWith('/sign-in')) return
  const account = new URLSearchParams(search).get('account')
  const asked = new URLSearchParams({ ...(path === '/' ? {} : { to: path + search }), ...(account ? { account } : {}) })
  navigate(`/sign-in${asked.size > 0 ? `?${asked}` : ''}`, { replace: true })
}

function App() {
  const { path } = usePlace()
  const locale = useLocale()
  const t = useTexts(shellTexts)
  const [hasEnded, setEnded] = useState(false)
  const direction = localStorage.getItem('cadre-direction') === 'rtl' ? 'rtl' : directionOf(locale)
  useEffect(() => {
    document.documentElement.lang = locale
    document.documentElement.dir = direction
  }, [locale, direction])
  useEffect(
    () =>
      onSignedOut(() => {
        if (isUnsaved()) return setEnded(true)
        if (me()) notifyInfo(t('sessionEnded'))
        goToSignIn()
        if (placeNowAt().path.startsWith('/sign-in')) forgetMe()
      }),
    [t],
  )
  useEffect(() => {
    if (wasReplaced()) notifyInfo(t('anotherPerson'))
  }, [t])
  const open = screens.find((one) => one.isPublic && match(one.path, path))
  return (
    <DirectionProvider key={direction} initialDirection={direction} detectDirection={false}>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        cssVariablesResolver={cssVariables}
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queries}>
          <ScreensContext value={all}>
            <Boundary>
              {open ? <ScreenAt screen={open} params={match(open.path, path) ?? {}} /> : <SignedInApp />}
              <Notices />
              <ConflictDialog />
              {hasEnded ? <SessionEnded onClose={() => setEnded(false)} /> : null}
              <Confirming />
            </Boundary>
          </ScreensContext>
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}

// Reads who is signed in while the texts load, unless the page says that nobody is.
const isKnown = document.querySelector<HTMLMetaElement>('meta[name="cadre-session"]')?.content !== 'none'
if (!screens.some((one) => one.isPublic && match(one.path, placeNowAt().path))) {
  if (isKnown) void prefetchMe()
  else goToSignIn()
}
await loadInitialWords()
printInLight()
createRoot(document.getElementById('root') as HTMLElement).render(<App />)
