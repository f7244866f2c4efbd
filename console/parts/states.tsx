import { Button, Skeleton, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { isEnded, Problem } from '../client/client.ts'
import { Icon, type IconName } from '../shell/icons.tsx'
import { shellTexts } from '../shell/texts.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'
import { shared } from '../texts/words/words.ts'
import { useInUseText, usePlaceName, useProblemText, useSentence } from './problems.ts'

/** The states of every screen: loading, empty, failed, not allowed. */

export function Notice(props: {
  icon: IconName
  title: string
  text?: ReactNode
  action?: ReactNode
  isAlert?: boolean
}) {
  const { icon, title, text, action, isAlert } = props
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center" role={isAlert ? 'alert' : 'status'}>
      <Icon name={icon} size={36} />
      <Title order={2} size="h4">
        {title}
      </Title>
      {text ? (
        <Text c="dimmed" maw={460}>
          {text}
        </Text>
      ) : null}
      {action}
    </Stack>
  )
}

/** Nothing to show. `isFiltered`: there would be something without filters. */
export function Empty(props: {
  title?: string
  text?: ReactNode
  icon?: IconName
  action?: ReactNode
  isFiltered?: boolean
  onClear?: () => void
}) {
  const { title, text, icon = 'search', action, isFiltered, onClear } = props
  const t = useTexts(common)
  const clear =
    isFiltered && onClear ? (
      <Button variant="default" onClick={onClear}>
        {t('clearFilters')}
      </Button>
    ) : null
  return (
    <Notice
      icon={icon}
      title={title ?? t(isFiltered ? 'emptyFiltered' : 'emptyTitle')}
      text={text}
      action={action ?? clear}
    />
  )
}

export function Forbidden() {
  const t = useTexts(common)
  return <Notice icon="lock" title={t('forbiddenTitle')} text={t('forbiddenText')} />
}

export function NotFound() {
  const t = useTexts(common)
  return <Notice icon="search" title={t('notFoundTitle')} text={t('notFoundText')} />
}

/** Explains an error to the user. */
export function useFailureText(): (error: unknown) => string {
  const t = useTexts(common)
  const frame = useTexts(shellTexts)
  const problem = useProblemText()
  const place = usePlaceName()
  const inUse = useInUseText()
  const whole = useSentence()
  const say = useTexts(shared('problems'))
  return (error) => {
    if (!(error instanceof Problem)) return t('failed')
    if (error.status === 0) return t('unreachable')
    if (isEnded(error)) return frame('sessionEnded')
    if (error.status === 429) return t('tooMany')
    if (error.status === 403) return whole(say('forbidden'))
    if (error.errors.length > 0) return error.errors.map((one) => `${place(one.field)}: ${problem(one)}`).join(' ')
    if (error.status === 404) return t('notFoundText')
    if (error.code === 'in_use') return inUse(error.message)
    // The service's message for an internal error does not help users.
    if (error.status >= 500) return t('broken')
    return problem({ field: '', code: '', message: error.message }) || t('failed')
  }
}

export function Failed({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const t = useTexts(common)
  const text = useFailureText()
  const status = error instanceof Problem ? error.status : undefined
  if (status === 403) return <Forbidden />
  if (status === 404) return <NotFound />
  const retry = onRetry ? <Button onClick={onRetry}>{t('retry')}</Button> : null
  return <Notice icon="warning" title={t('errorTitle')} text={text(error)} action={retry} isAlert />
}

/** Placeholders as high as the content, so that the page does not move when it arrives. */
export function Loading({ rows = 6, height = 40 }: { rows?: number; height?: number }) {
  const t = useTexts(common)
  return (
    <Stack gap="xs" aria-busy="true" aria-label={t('loading')} role="status">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all placeholders are the same
        <Skeleton key={index} height={height} />
      ))}
    </Stack>
  )
}

type ReadState<T> = { answer?: T | undefined; error: unknown; refetch?: () => unknown }
type RefetchableRead<T> = ReadState<T> & { isStale: boolean; refetch: (how: { cancelRefetch: boolean }) => unknown }
type WhenLoadedProps<T> = { of: ReadState<T>; loading?: ReactNode; children: (answer: T) => ReactNode }

/** Shows the answer, or its loading or error state: `<WhenLoaded of={read}>{(answer) => …}</WhenLoaded>`. */
export function WhenLoaded<T>({ of, loading, children }: WhenLoadedProps<T>) {
  if (of.answer !== undefined) return children(of.answer)
  if (of.error) return <Failed error={of.error} onRetry={of.refetch ? () => void of.refetch?.() : undefined} />
  return loading ?? <Loading />
}

/**
 * The same for a form. It waits for fresh data: a cached answer could be older than the user's own last change. Once it
 * is shown it stays, and the form handles newer data.
 */
export function WhenFresh<T>({ of, ...rest }: Omit<WhenLoadedProps<T>, 'of'> & { of: RefetchableRead<T> }) {
  const hasBegun = useRef(false)
  if (of.answer !== undefined && !of.isStale) hasBegun.current = true
  const look = useEffectEvent(() => hasBegun.current || of.refetch({ cancelRefetch: false }))
  useEffect(() => void look(), [])
  return <WhenLoaded of={hasBegun.current ? of : { ...of, answer: undefined }} {...rest} />
}
