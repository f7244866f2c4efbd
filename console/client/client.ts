import { BASE } from './base.ts'
import { confirmIdentity } from './confirm-identity.ts'
import type { Operations } from './operations.ts'
import { type FieldProblem, Problem } from './problem.ts'
import { joinRunning, repeatable } from './send-once.ts'
import { reloadPage, sessionOwner } from './session-owner.ts'

/** Sends all requests of the console. */

export { type FieldProblem, Problem }

export type Route = keyof Operations
export type AnswerOf<R extends Route> = Operations[R]['answer']
export type QueryOf<R extends Route> = Operations[R]['query']
export type ParamsOf<R extends Route> = Operations[R]['params']
export type BodyOf<R extends Route> = Operations[R]['body']
/** One record of a list response. */
export type ItemOf<R extends Route> = AnswerOf<R> extends { data: readonly (infer One)[] } ? One : never

export type ReadRoute = Extract<Route, `GET ${string}`>
export type WriteRoute = Exclude<Route, ReadRoute>

/** Parts without any parameters can be omitted. */
type RequestPart<Name extends string, Value> = [keyof Value] extends [never]
  ? { [K in Name]?: never }
  : Record<never, never> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value }

export type ReadRequest<R extends Route> = RequestPart<'params', ParamsOf<R>> & RequestPart<'query', QueryOf<R>>
export type RequestOf<R extends Route> = ReadRequest<R> &
  RequestPart<'body', BodyOf<R>> & {
    /**
     * The tag of the record when the user began to change it. The service refuses the change if the record has changed
     * since.
     */
    ifMatch?: BaseTag | undefined
    /** A dry run: nothing is stored, and the answer shows what would change. */
    isDryRun?: boolean
    /** The request's id in the ledger, which an undo takes. */
    requestId?: string
  }

/**
 * The tag of a record when the user began to change it. It is not the newest one, because the screen is updated while
 * they type. Forms pass it (`parts/form.tsx`). Actions without a form use the tag of the record on screen (`asBaseTag`).
 */
export type BaseTag = string & { readonly isBase: true }
export const asBaseTag = (etag: string | undefined) => etag as BaseTag | undefined

export type ApiAnswer<T> = {
  body: T
  etag: string | undefined
  /** The last ledger number that the answer includes. */
  ledger: number
  /** The id by which the request can be undone. */
  requestId: string
}

/** The session has ended. */
export const isEnded = (error: unknown) => error instanceof Problem && error.code === 'unauthorized'

/** The user did not confirm who they are. */
export const isUnconfirmed = (error: unknown) => error instanceof Problem && error.code === 'not_confirmed'

export { BASE }

const API = `${BASE}/api/public/v3`

/** The path of a URL from the service, including the base path of this page. */
export function ownPath(url: string): string {
  const { pathname } = new URL(url, location.href)
  return BASE && !pathname.startsWith(`${BASE}/`) ? BASE + pathname : pathname
}

/** Called when the service says that nobody is signed in. */
const signedOutListeners = new Set<() => void>()
export const onSignedOut = (listener: () => void) => {
  signedOutListeners.add(listener)
  return () => void signedOutListeners.delete(listener)
}

/** The last ledger number of all answers so far. The change feed starts there. */
export const ledger = { last: 0 }

type LooseRequest = {
  params?: object
  query?: object
  body?: unknown
  ifMatch?: string | undefined
  isDryRun?: boolean
  requestId?: string
  key?: string
}

/**
 * The address of a route with its path parameters and query. Lists become repeated parameters; empty values are
 * omitted.
 */
export function addressOf(path: string, { params = {}, query = {} }: Pick<LooseRequest, 'params' | 'query'>): string {
  const given = params as Record<string, unknown>
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat())
      if (one !== undefined && one !== null && one !== '') search.append(name, String(one))
  return `${API}${filled}${search.size > 0 ? `?${search}` : ''}`
}

/** Sends a request to any address. Pressing a button twice sends a write once. */
export async function send<T = unknown>(method: string, path: string, asked: LooseRequest = {}, signal?: AbortSignal) {
  const address = addressOf(path, asked)
  if (method === 'GET') return withConfirmation<T>(method, path, asked, signal)
  if (asked.isDryRun) return reloadIfOtherUser(() => withConfirmation<T>(method, path, asked, signal))
  const write = { method, address, body: asked.body, ifMatch: asked.ifMatch }
  return joinRunning(write, () =>
    repeatable(
      write,
      ({ key, requestId }) =>
        reloadIfOtherUser(() => withConfirmation<T>(method, path, { ...asked, key, requestId }, signal)),
      asked.requestId,
    ),
  )
}

/**
 * If somebody else has signed in in another tab, the service refuses the write. The page then reloads, and the promise
 * never resolves.
 */
const reloadIfOtherUser = <T>(write: () => Promise<T>): Promise<T> =>
  write().catch((error) => {
    if (error.code !== 'other_person') throw error
    reloadPage()
    return new Promise(() => undefined)
  })

/** Asks the user to confirm who they are if the service requires it, and then sends the request again. */
async function withConfirmation<T>(method: string, path: string, asked: LooseRequest, signal?: AbortSignal) {
  try {
    return await sendOnce<T>(method, path, asked, signal)
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'confirm_first')) throw error
    if (!(await confirmIdentity())) throw new Problem(403, 'not_confirmed', '')
    return await sendOnce<T>(method, path, asked, signal)
  }
}

async function sendOnce<T>(method: string, path: string, asked: LooseRequest, signal?: AbortSignal) {
  const { body, ifMatch, isDryRun, requestId, key } = asked
  const isForm = body instanceof FormData
  const lost = (error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Problem(0, 'unreachable', 'The service cannot be reached')
  }
  const response = await fetch(addressOf(path, asked), {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && !isForm ? { 'content-type': 'application/json' } : {}),
      ...(ifMatch ? { 'if-match': ifMatch } : {}),
      ...(isDryRun ? { prefer: 'dry-run' } : {}),
      ...(requestId ? { 'x-request-id': requestId } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
      // The service refuses a write if the session now belongs to another user than this page.
      ...(method !== 'GET' && sessionOwner() ? { 'cadre-user': sessionOwner() } : {}),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch(lost)
  const told = Number(response.headers.get('cadre-ledger')) || 0
  ledger.last = Math.max(ledger.last, told)
  if (!response.ok) throw await problemOf(response, path)
  const isJson = response.headers.get('content-type')?.includes('json')
  // The connection can also break while the body is read.
  const content = response.status === 204 ? null : await (isJson ? response.json() : response.blob()).catch(lost)
  return {
    body: content as T,
    etag: response.headers.get('etag') ?? undefined,
    ledger: told,
    // If the page chose the id, keep it: an undo needs it even if the answer was lost.
    requestId: requestId ?? response.headers.get('x-request-id') ?? '',
  } satisfies ApiAnswer<T>
}

async function problemOf(response: Response, path: string): Promise<Problem> {
  const told = (await response.json().catch(() => ({}))) as { code?: string; detail?: string; errors?: FieldProblem[] }
  const isSigningIn = path.startsWith('/sign_in')
  if (response.status === 401 && !isSigningIn) for (const listener of signedOutListeners) listener()
  const wait = Number(response.headers.get('retry-after')) || undefined
  return new Problem(response.status, told.code ?? 'failed', told.detail ?? '', told.errors, wait)
}

/** Sends a typed request: `call('GET /employees/{id}', { params: { id } })`. */
export function call<R extends Route>(
  route: R,
  asked: RequestOf<R>,
  signal?: AbortSignal,
): Promise<ApiAnswer<AnswerOf<R>>> {
  const [method, path] = route.split(' ') as [string, string]
  return send<AnswerOf<R>>(method, path, asked as LooseRequest, signal)
}

/** The additional part of a dry run's answer: what the request would change. */
export type DryRunAnswer = {
  changes: {
    resource: string
    record_id: number
    action: string
    fields: string[]
    before: Record<string, unknown> | null
    after: Record<string, unknown> | null
  }[]
  omitted?: string[]
}

/** Runs a write as a dry run and returns what it would do. */
export const preview = async <R extends WriteRoute>(
  route: R,
  sent: RequestOf<R>,
): Promise<DryRunAnswer & AnswerOf<R>> =>
  (await call(route, { ...sent, isDryRun: true })).body as DryRunAnswer & AnswerOf<R>
