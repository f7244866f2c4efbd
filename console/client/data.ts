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
import { isRunning, joined } from './send-once.ts'

/** Reading and writing for screens: answers are kept, so that no request is made twice. */

const isHopeless = (error: unknown) => error instanceof Problem && error.status >= 400 && error.status < 500

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // Whoever follows the changes is told; the others look again after a while.
      staleTime: 30_000,
      retry: (count, error) => !isHopeless(error) && count < 2,
      refetchOnWindowFocus: true,
    },
    // Without a network it fails, and is told: nobody expects what they gave up to be written later.
    mutations: { retry: false, networkMode: 'always' },
  },
})

// Also where two windows stand beside each other, and none was ever hidden.
focusManager.setEventListener((come) => {
  const look = () => come()
  for (const event of ['visibilitychange', 'focus']) addEventListener(event, look)
  return () => {
    for (const event of ['visibilitychange', 'focus']) removeEventListener(event, look)
  }
})

/** The kinds of records that an address speaks of: `/employees/{id}/leave_requests` → employees, leave_requests. */
const kindsIn = (route: string) =>
  (route.split(' ')[1] as string).split('/').filter((part) => /^[a-z_]+$/.test(part) && !AREAS.includes(part))

/** Parts of addresses that are no kinds: all that lies below would be asked for again. */
const AREAS = ['recruitment', 'time']

type ReadOptions = {
  /** Not asked until this is true. */
  enabled?: boolean
  /** Kinds of records besides those of the address, whose changes change the answer. */
  kinds?: readonly string[]
  /** The answer before stays on screen while the next one comes. */
  keepPrevious?: boolean
  staleTime?: number
  /** Read again whenever the person comes back to the page, however fresh it is. */
  isWatched?: boolean
}

export const keyOf = <R extends Route>(route: R, asked: ReadRequest<R> | undefined): QueryKey => [route, asked ?? {}]

/** Takes part of the answer of a GET, kept and shared: the same question on one page is asked once. */
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
 * A list of any size of which only a stretch is looked at: the pages that hold it are asked for, and no others.
 * `itemAt(index)` is undefined while its page is on the way.
 */
export function useStretch<R extends ListRoute>(
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

/** Pages of a list one after the other, as far as somebody asked for more: for columns and feeds. */
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

/** Answers that a change of these kinds of records may have changed are asked for again, where they are on screen. */
export function refresh(kinds: Iterable<string>): void {
  const changed = new Set(kinds)
  if (changed.size === 0) return
  void queries.invalidateQueries({
    predicate: ({ meta }) => ((meta?.kinds as string[] | undefined) ?? []).some((kind) => changed.has(kind)),
  })
}

/** What our own requests refresh when they are answered: the feed of changes tells of it too, perhaps before. */
const ownRequests = new Map<string, ReadonlySet<string>>()
export const isRefreshed = (requestId: string, kind: string) => ownRequests.get(requestId)?.has(kind) ?? false

/** A name for a request that refreshes these kinds itself. */
export function ownRequest(kinds: readonly string[]): string {
  const id = newId()
  ownRequests.set(id, new Set(kinds))
  if (ownRequests.size > 200) ownRequests.delete(ownRequests.keys().next().value as string)
  return id
}

export type WriteOptions<R extends WriteRoute> = {
  /** Said when it is done, with a way to undo it; nothing is said without it. */
  done?: string | ((answer: AnswerOf<R>, sent: RequestOf<R>) => string)
  /** What is done never comes back: no undo is offered. */
  isFinal?: boolean
  /** Kinds of records besides those of the address, which it changes. */
  touches?: readonly string[]
  /**
   * Shows the change before the service has confirmed it, where nothing but the values sent can come of it; gives back
   * how to take that back.
   */
  optimistic?: (sent: RequestOf<R>) => () => void
  onSuccess?: (answer: AnswerOf<R>, sent: RequestOf<R>) => void
  /** Failures are told, unless they are shown at fields, and what is no longer as shown is read again: this leaves both to the screen. */
  isQuiet?: boolean
}

/** What two presses of the same button come to is told once. */
const told = new WeakSet<object>()
const isTold = (outcome: object) => told.has(outcome) || void told.add(outcome)

/** A write: optimistic where that is safe, refused when somebody else was faster, undone by one press. */
export function useWrite<R extends WriteRoute>(route: R, options: WriteOptions<R> = {}) {
  const kinds = [...kindsIn(route), ...(options.touches ?? [])]
  const writeOf = (sent: RequestOf<R>) => {
    const [method, path] = route.split(' ') as [string, string]
    return { method, address: addressOf(path, sent as object), ...(sent as object) }
  }
  return useMutation<ApiAnswer<AnswerOf<R>>, Error, RequestOf<R>, (() => void) | undefined>({
    mutationFn: (sent) => joined(writeOf(sent), () => writeOver(route, sent, kinds), CHOSEN),
    onMutate: (sent) => (isRunning(writeOf(sent), CHOSEN) ? undefined : options.optimistic?.(sent)),
    onError: (error, _sent, takeBack) => {
      takeBack?.()
      if (isTold(error)) return
      if (isKept(error) || (isPast(error) && !options.isQuiet)) refresh(kinds)
      if (options.isQuiet) return
      if (!isAtFields(error)) return notifyFailed(error)
      setTimeout(() => {
        if (shownAtFields.has(error)) return
        refresh(kinds)
        notifyFailed(error)
      }, SHOWN_WITHIN)
    },
    onSuccess: (answer, sent) => {
      if (isTold(answer)) return
      const { body, requestId } = answer
      refresh(kinds)
      const { done } = options
      const text = typeof done === 'function' ? done(body, sent) : done
      if (text) notifyDone(text, options.isFinal ? undefined : { requestId, kinds })
      options.onSuccess?.(body, sent)
    },
  })
}

/** Requests with what somebody chooses when another was faster, as one. */
const CHOSEN = 'chosen '

/** Asks where somebody else was faster, who may be so again while one chooses. */
export async function writeOver<R extends WriteRoute>(route: R, sent: RequestOf<R>, kinds: readonly string[]) {
  for (let { ifMatch } = sent; ; )
    try {
      return await call(route, { ...sent, ifMatch, requestId: ownRequest(kinds) })
    } catch (error) {
      if (!(error instanceof Problem && error.status === 412)) throw error
      ifMatch = await askAboutConflict(route, sent as Parameters<typeof askAboutConflict>[1])
    }
}

/** The person has chosen what somebody else wrote. */
export const isKept = (error: unknown) => error instanceof Problem && error.code === 'kept_theirs'

/** It is not as it was on screen, or perhaps not any more: the answer may have been lost. */
const isPast = (error: unknown) =>
  error instanceof Problem && ([0, 404, 409].includes(error.status) || error.status >= 500)

/** The person has gone back to what they entered: nothing is decided. */
export const isSetAside = (error: unknown) => error instanceof Problem && error.code === 'set_aside'

export const isAtFields = (error: unknown) =>
  error instanceof Problem && error.status === 422 && error.errors.length > 0

/** Refusals that stand beside the fields that they speak of: what nobody shows is told. */
const shownAtFields = new WeakSet<object>()
export const isShownAtFields = (error: object) => void shownAtFields.add(error)
const SHOWN_WITHIN = 200

/** What 422 says of each field, to stand beside it. */
export const problemsOf = (error: unknown): Record<string, string> =>
  error instanceof Problem ? Object.fromEntries(error.errors.map(({ field, message }) => [field, message])) : {}

/** Changes an answer that is kept, and gives back how to undo that: for optimistic writes. */
export function patchKept<R extends ReadRoute>(route: R, change: (answer: AnswerOf<R>) => AnswerOf<R>): () => void {
  const before = queries.getQueriesData<ApiAnswer<AnswerOf<R>>>({ queryKey: [route] })
  for (const [key, kept] of before)
    if (kept && 'body' in kept) queries.setQueryData(key, { ...kept, body: change(kept.body) })
  return () => {
    for (const [key, kept] of before) queries.setQueryData(key, kept)
  }
}
