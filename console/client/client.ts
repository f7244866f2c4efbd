import { BASE } from './base.ts'
import { confirmIdentity } from './confirm-identity.ts'
import type { Operations } from './operations.ts'
import { type FieldProblem, Problem } from './problem.ts'
import { joined, repeatable } from './send-once.ts'
import { reloadPage, sessionOwner } from './session-owner.ts'

/** The one way in which the console speaks to the service. */

export { type FieldProblem, Problem }

export type Route = keyof Operations
export type AnswerOf<R extends Route> = Operations[R]['answer']
export type QueryOf<R extends Route> = Operations[R]['query']
export type ParamsOf<R extends Route> = Operations[R]['params']
export type BodyOf<R extends Route> = Operations[R]['body']
/** One record of a list's answer. */
export type ItemOf<R extends Route> = AnswerOf<R> extends { data: readonly (infer One)[] } ? One : never

export type ReadRoute = Extract<Route, `GET ${string}`>
export type WriteRoute = Exclude<Route, ReadRoute>

/** Parts that an operation has none of need not be given. */
type RequestPart<Name extends string, Value> = [keyof Value] extends [never]
  ? { [K in Name]?: never }
  : Record<never, never> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value }

export type ReadRequest<R extends Route> = RequestPart<'params', ParamsOf<R>> & RequestPart<'query', QueryOf<R>>
export type RequestOf<R extends Route> = ReadRequest<R> &
  RequestPart<'body', BodyOf<R>> & {
    /** The tag of the record as the change began from it: refused when somebody has changed it since. */
    ifMatch?: Base | undefined
    /** Nothing is stored, and the answer tells what would change. */
    isTrial?: boolean
    /** What the request is called in the ledger, and undone by. */
    requestId?: string
  }

/**
 * The tag of a record as somebody began to change it, which is not the newest one: what is on screen is renewed while
 * they type. Forms give it (`parts/form.tsx`); what is done at once is done to what is seen now.
 */
export type Base = string & { readonly isBase: true }
export const seenNow = (etag: string | undefined) => etag as Base | undefined

export type ApiAnswer<T> = {
  body: T
  etag: string | undefined
  /** Up to which number of the ledger the answer is known to be. */
  ledger: number
  /** By which all that the request did can be undone. */
  requestId: string
}

/** Nobody is signed in any more. */
export const isEnded = (error: unknown) => error instanceof Problem && error.code === 'unauthorized'

/** Was asked to show again who they are, and did not. */
export const isUnconfirmed = (error: unknown) => error instanceof Problem && error.code === 'not_confirmed'

export { BASE }

const API = `${BASE}/api/public/v3`

/** The path of an address that the service tells, below the one at which the page stands. */
export function ownPath(url: string): string {
  const { pathname } = new URL(url, location.href)
  return BASE && !pathname.startsWith(`${BASE}/`) ? BASE + pathname : pathname
}

/** Told when the service says that nobody is signed in. */
const signedOutListeners = new Set<() => void>()
export const onSignedOut = (listener: () => void) => {
  signedOutListeners.add(listener)
  return () => void signedOutListeners.delete(listener)
}

/** Up to which number of the ledger what was read is known to be: who follows the changes goes on from there. */
export const ledger = { last: 0 }

type LooseRequest = {
  params?: object
  query?: object
  body?: unknown
  ifMatch?: string | undefined
  isTrial?: boolean
  requestId?: string
  key?: string
}

/** The address of a route: parameters in its path, the rest behind it. Lists are repeated, what is empty is left out. */
export function addressOf(path: string, { params = {}, query = {} }: Pick<LooseRequest, 'params' | 'query'>): string {
  const given = params as Record<string, unknown>
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat())
      if (one !== undefined && one !== null && one !== '') search.append(name, String(one))
  return `${API}${filled}${search.size > 0 ? `?${search}` : ''}`
}

/** Sends any request at all: for addresses that the list of operations has. A write is done once, however often it is pressed. */
export async function send<T = unknown>(method: string, path: string, asked: LooseRequest = {}, signal?: AbortSignal) {
  const address = addressOf(path, asked)
  if (method === 'GET') return confirmed<T>(method, path, asked, signal)
  if (asked.isTrial) return ours(() => confirmed<T>(method, path, asked, signal))
  const write = { method, address, body: asked.body, ifMatch: asked.ifMatch }
  return joined(write, () =>
    repeatable(
      write,
      ({ key, requestId }) => ours(() => confirmed<T>(method, path, { ...asked, key, requestId }, signal)),
      asked.requestId,
    ),
  )
}

/** Not as somebody else, who has signed in beside this page: then it begins anew, and nobody waits for an answer. */
const ours = <T>(write: () => Promise<T>): Promise<T> =>
  write().catch((error) => {
    if (error.code !== 'other_person') throw error
    reloadPage()
    return new Promise(() => undefined)
  })

/** Who is to show who they are first is asked. */
async function confirmed<T>(method: string, path: string, asked: LooseRequest, signal?: AbortSignal) {
  try {
    return await sendOnce<T>(method, path, asked, signal)
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'confirm_first')) throw error
    if (!(await confirmIdentity())) throw new Problem(403, 'not_confirmed', '')
    return await sendOnce<T>(method, path, asked, signal)
  }
}

async function sendOnce<T>(method: string, path: string, asked: LooseRequest, signal?: AbortSignal) {
  const { body, ifMatch, isTrial, requestId, key } = asked
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
      ...(isTrial ? { prefer: 'dry-run' } : {}),
      ...(requestId ? { 'x-request-id': requestId } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
      // The service refuses what comes from the page of one person in the session of another.
      ...(method !== 'GET' && sessionOwner() ? { 'cadre-user': sessionOwner() } : {}),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch(lost)
  const told = Number(response.headers.get('cadre-ledger')) || 0
  ledger.last = Math.max(ledger.last, told)
  if (!response.ok) throw await problemOf(response, path)
  const isJson = response.headers.get('content-type')?.includes('json')
  // An answer may break off in its middle, too.
  const content = response.status === 204 ? null : await (isJson ? response.json() : response.blob()).catch(lost)
  return {
    body: content as T,
    etag: response.headers.get('etag') ?? undefined,
    ledger: told,
    // What the page has called it stays its name: by that it is undone, also when the answer was lost.
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

/** `call('GET /employees/{id}', { params: { id } })`: typed by the list of operations. */
export function call<R extends Route>(
  route: R,
  asked: RequestOf<R>,
  signal?: AbortSignal,
): Promise<ApiAnswer<AnswerOf<R>>> {
  const [method, path] = route.split(' ') as [string, string]
  return send<AnswerOf<R>>(method, path, asked as LooseRequest, signal)
}

/** An answer of a dry run: beside it, what the request would change. */
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

/** What a write would do, and nothing of it done. */
export const preview = async <R extends WriteRoute>(
  route: R,
  sent: RequestOf<R>,
): Promise<DryRunAnswer & AnswerOf<R>> =>
  (await call(route, { ...sent, isTrial: true })).body as DryRunAnswer & AnswerOf<R>
