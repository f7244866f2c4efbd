import {
  focusManager,
  keepPreviousData,
  QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
} from '@tanstack/react-query'
import {
  type AnswerOf,
  type ApiAnswer,
  addressOf,
  call,
  Problem,
  type ReadRequest,
  type ReadRoute,
  type RequestOf,
  type Route,
  type WriteRoute,
} from './client.ts'
import { askAboutConflict } from './conflict.ts'
import { newId } from './ids.ts'
import { notifyDone, notifyFailed } from './notices.ts'
import type { Metadata } from './operations.ts'
import { isRunning, joinRunning } from './send-once.ts'

/** Reading and writing for screens. Answers are cached, so that no request is made twice. */

const isClientError = (error: unknown) => error instanceof Problem && error.status >= 400 && error.status < 500

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The change feed reports changes at once. Users who may not follow it see new data after this time.
      staleTime: 30_000,
      retry: (count, error) => !isClientError(error) && count < 2,
      refetchOnWindowFocus: true,
    },
    // Without a network, a write fails and the user sees why. It must not be sent later, when they no longer expect it.
    mutations: { retry: false, networkMode: 'always' },
  },
})

// Also reload on focus: of two windows next to each other, none is ever hidden.
focusManager.setEventListener((come) => {
  const look = () => come()
  for (const event of ['visibilitychange', 'focus']) addEventListener(event, look)
  return () => {
    for (const event of ['visibilitychange', 'focus']) removeEventListener(event, look)
  }
})

/** The kinds of records in an address: `/employees/{id}/leave_requests` → employees, leave_requests. */
const kindsIn = (route: string) =>
  (route.split(' ')[1] as string).split('/').filter((part) => /^[a-z_]+$/.test(part) && !AREAS.includes(part))

/** Parts of addresses that are areas, not kinds. As kinds they would reload everything below them. */
const AREAS = ['recruitment', 'time']

type ReadOptions = {
  /** Wait with the request until this is true. */
  enabled?: boolean
  /** Kinds of records, besides those in the address, that the answer depends on. */
  kinds?: readonly string[]
  /** Show the previous answer while the next one loads. */
  keepPrevious?: boolean
  staleTime?: number
  /** Reload whenever the user returns to the page, even if the data is fresh. */
  isWatched?: boolean
}

export const keyOf = <R extends Route>(route: R, asked: ReadRequest<R> | undefined): QueryKey => [route, asked ?? {}]

/** Reads a GET address, from the cache if possible. Components that ask for the same data share one request. */
export function useRead<R extends ReadRoute>(route: R, asked?: ReadRequest<R>, options: ReadOptions = {}) {
  const { kinds = [], keepPrevious, isWatched, ...rest } = options
  const query = useQuery<ApiAnswer<AnswerOf<R>>>({
    queryKey: keyOf(route, asked),
    queryFn: ({ signal }) => call(route, (asked ?? {}) as RequestOf<R>, signal),
    meta: { kinds: [...kindsIn(route), ...kinds] },
    placeholderData: keepPrevious ? (keepPreviousData as never) : undefined,
    ...(isWatched ? { refetchOnWindowFocus: 'always' as const } : {}),
    ...rest,
  })
  return { ...query, answer: query.data?.body, etag: query.data?.etag }
}

type ListAnswer = { data: unknown[]; metadata: Metadata }
export type ListRoute = {
  [R in ReadRoute]: AnswerOf<R> extends { data: unknown[]; metadata: Metadata } ? R : never
}[ReadRoute]

const pageQuery = <R extends ListRoute>(
  route: R,
  asked: ReadRequest<R>,
  page: number,
  size: number,
  kinds: string[],
) => {
  const paged = { ...asked, query: { ...(asked as { query?: object }).query, page, per_page: size } }
  return {
    queryKey: [route, paged] as QueryKey,
    queryFn: ({ signal }: { signal: AbortSignal }) => call(route, paged as unknown as RequestOf<R>, signal),
    meta: { kinds: [...kindsIn(route), ...kinds] },
  }
}

/**
 * A list of any size of which the user sees a range. Only the pages in the range are loaded. `itemAt(index)` is
 * undefined while its page loads.
 */
export function useListRange<R extends ListRoute>(
  route: R,
  asked: ReadRequest<R>,
  stretch: { first: number; last: number; size?: number; kinds?: string[]; enabled?: boolean },
) {
  const { first, last, size = 100, kinds = [], enabled = true } = stretch
  const wanted = new Set([1])
  for (let page = Math.floor(first / size) + 1; page <= Math.floor(last / size) + 1; page++) wanted.add(page)
  const pages = [...wanted]
  const found = useQueries({
    queries: pages.map((page) => ({ ...pageQuery(route, asked, page, size, kinds), enabled })),
  })
  const byPage = new Map(pages.map((page, index) => [page, found[index]?.data?.body as ListAnswer | undefined]))
  type Item = AnswerOf<R> extends { data: (infer One)[] } ? One : never
  const start = found[0]
  return {
    total: byPage.get(1)?.metadata.count,
    error: found.find((one) => one.error)?.error ?? null,
    isPending: start?.isPending ?? true,
    isFetching: found.some((one) => one.isFetching),
    refetch: () => Promise.all(found.map((one) => one.refetch())),
    itemAt: (index: number) => byPage.get(Math.floor(index / size) + 1)?.data[index % size] as Item | undefined,
  }
}

/** The pages of a list up to the last one that the user asked for, for columns and feeds. */
export function usePages<R extends ListRoute>(
  route: R,
  asked: ReadRequest<R>,
  options: ReadOptions & { size?: number } = {},
) {
  const { kinds = [], size = 50, keepPrevious: _always, isWatched: _never, ...rest } = options
  const query = useInfiniteQuery({
    queryKey: [route, asked, 'pages', size],
    queryFn: ({ signal, pageParam }) => pageQuery(route, asked, pageParam, size, []).queryFn({ signal }),
    initialPageParam: 1,
    getNextPageParam: ({ body }) => {
      const { page, pages } = (body as ListAnswer).metadata
      return page < pages ? page + 1 : undefined
    },
    meta: { kinds: [...kindsIn(route), ...kinds] },
    placeholderData: keepPreviousData,
    ...rest,
  })
  const pages = query.data?.pages ?? []
  type Item = AnswerOf<R> extends { data: (infer One)[] } ? One : never
  return {
    ...query,
    items: pages.flatMap(({ body }) => (body as ListAnswer).data) as Item[],
    total: (pages[0]?.body as ListAnswer | undefined)?.metadata.count,
  }
}

/** Reloads the answers on screen that depend on these kinds of records. */
export function refresh(kinds: Iterable<string>): void {
  const changed = new Set(kinds)
  if (changed.size === 0) return
  void queries.invalidateQueries({
    predicate: ({ meta }) => ((meta?.kinds as string[] | undefined) ?? []).some((kind) => changed.has(kind)),
  })
}

/**
 * The kinds that our own requests reload. The change feed reports the same changes, perhaps earlier than the response.
 */
const ownRequests = new Map<string, ReadonlySet<string>>()
export const isRefreshed = (requestId: string, kind: string) => ownRequests.get(requestId)?.has(kind) ?? false

/** An id for a request that reloads these kinds itself. */
export function ownRequest(kinds: readonly string[]): string {
  const id = newId()
  ownRequests.set(id, new Set(kinds))
  if (ownRequests.size > 200) ownRequests.delete(ownRequests.keys().next().value as string)
  return id
}

export type WriteOptions<R extends WriteRoute> = {
  /** The message after success, with an undo button. Without it there is no message. */
  done?: string | ((answer: AnswerOf<R>, sent: RequestOf<R>) => string)
  /** The change cannot be undone, so the message has no undo button. */
  isFinal?: boolean
  /** Kinds of records, besides those in the address, that the request changes. */
  touches?: readonly string[]
  /**
   * Shows the change before the service confirms it. Only use it if the result is exactly the sent values. Returns a
   * function that reverts it.
   */
  optimistic?: (sent: RequestOf<R>) => () => void
  onSuccess?: (answer: AnswerOf<R>, sent: RequestOf<R>) => void
  /** Do not show failures and do not reload: the screen does both itself. */
  isQuiet?: boolean
}

/** The answers and errors that were shown already. Two presses of one button share one. */
const handled = new WeakSet<object>()
const isHandled = (outcome: object) => handled.has(outcome) || void handled.add(outcome)

/** A write with optimistic update, conflict dialog and undo. */
export function useWrite<R extends WriteRoute>(route: R, options: WriteOptions<R> = {}) {
  const kinds = [...kindsIn(route), ...(options.touches ?? [])]
  const writeOf = (sent: RequestOf<R>) => {
    const [method, path] = route.split(' ') as [string, string]
    return { method, address: addressOf(path, sent as object), ...(sent as object) }
  }
  return useMutation<ApiAnswer<AnswerOf<R>>, Error, RequestOf<R>, (() => void) | undefined>({
    mutationFn: (sent) => joinRunning(writeOf(sent), () => writeOver(route, sent, kinds), WITH_CHOICE),
    onMutate: (sent) => (isRunning(writeOf(sent), WITH_CHOICE) ? undefined : options.optimistic?.(sent)),
    onError: (error, _sent, takeBack) => {
      takeBack?.()
      if (isHandled(error)) return
      if (hasChosenTheirs(error) || (mayBeOutdated(error) && !options.isQuiet)) refresh(kinds)
      if (options.isQuiet) return
      if (!isAtFields(error)) return notifyFailed(error)
      setTimeout(() => {
        if (shownAtFields.has(error)) return
        refresh(kinds)
        notifyFailed(error)
      }, SHOWN_WITHIN)
    },
    onSuccess: (answer, sent) => {
      if (isHandled(answer)) return
      const { body, requestId } = answer
      refresh(kinds)
      const { done } = options
      const text = typeof done === 'function' ? done(body, sent) : done
      if (text) notifyDone(text, options.isFinal ? undefined : { requestId, kinds })
      options.onSuccess?.(body, sent)
    },
  })
}

/** Prefix for writes that include the user's choice in a conflict, so that two presses share one. */
const WITH_CHOICE = 'chosen '

/**
 * Sends a write. On a conflict it asks the user and sends again, as often as somebody else changes the record
 * meanwhile.
 */
export async function writeOver<R extends WriteRoute>(route: R, sent: RequestOf<R>, kinds: readonly string[]) {
  for (let { ifMatch } = sent; ; )
    try {
      return await call(route, { ...sent, ifMatch, requestId: ownRequest(kinds) })
    } catch (error) {
      if (!(error instanceof Problem && error.status === 412)) throw error
      ifMatch = await askAboutConflict(route, sent as Parameters<typeof askAboutConflict>[1])
    }
}

/** The user has chosen to keep the other values. */
export const hasChosenTheirs = (error: unknown) => error instanceof Problem && error.code === 'kept_theirs'

/** The screen may be out of date: the record has changed, or the answer was lost and the write may have been done. */
const mayBeOutdated = (error: unknown) =>
  error instanceof Problem && ([0, 404, 409].includes(error.status) || error.status >= 500)

/** The user has gone back to the form without a decision. */
export const hasGoneBack = (error: unknown) => error instanceof Problem && error.code === 'set_aside'

export const isAtFields = (error: unknown) =>
  error instanceof Problem && error.status === 422 && error.errors.length > 0

/** Errors that a form shows at its fields. Any other error is shown as a message. */
const shownAtFields = new WeakSet<object>()
export const isShownAtFields = (error: object) => void shownAtFields.add(error)
const SHOWN_WITHIN = 200

/** The messages of a 422 response by field. */
export const problemsOf = (error: unknown): Record<string, string> =>
  error instanceof Problem ? Object.fromEntries(error.errors.map(({ field, message }) => [field, message])) : {}

/** Changes a cached answer for an optimistic write. Returns a function that reverts it. */
export function patchCached<R extends ReadRoute>(route: R, change: (answer: AnswerOf<R>) => AnswerOf<R>): () => void {
  const before = queries.getQueriesData<ApiAnswer<AnswerOf<R>>>({ queryKey: [route] })
  for (const [key, kept] of before)
    if (kept && 'body' in kept) queries.setQueryData(key, { ...kept, body: change(kept.body) })
  return () => {
    for (const [key, kept] of before) queries.setQueryData(key, kept)
  }
}
