import { addressOf, BASE, ledger } from './client.ts'
import { isRefreshed, refresh } from './data.ts'

/** One follower of the changes for the whole page: what is on screen and has changed is asked for again. */

type Change = {
  number: number
  resource: string
  record_id: number
  action: string
  /** What the page called the request that did it, or another page, or a program. */
  correlation_id: string
  owner: string | null
}

const RETOLD = 250

/**
 * Follows for as long as it is not stopped. Of all pages that somebody has open one listens and tells the others: a
 * browser keeps few connections to a host, and each listener holds one.
 */
export function follow(userId: number): () => void {
  // Without a place to go on from, all that ever happened would be told.
  if (ledger.last === 0) return () => undefined
  const name = `cadre-changes ${BASE} ${userId}`
  const others = new BroadcastChannel(name)
  const end = new AbortController()
  let kinds = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const take = (change: Change) => {
    ledger.last = Math.max(ledger.last, change.number)
    for (const kind of [change.resource, change.owner])
      if (kind && !isRefreshed(change.correlation_id, kind)) kinds.add(kind)
    // A bulk change is many: one look is enough.
    timer ??= setTimeout(() => {
      timer = undefined
      refresh(kinds)
      kinds = new Set()
    }, RETOLD)
  }
  const listen = () =>
    new Promise<void>((resolve) => {
      const source = new EventSource(addressOf('/me/changes', { query: { since: ledger.last } }))
      source.addEventListener('change', (event) => {
        const change = JSON.parse(event.data) as Change
        others.postMessage(change)
        take(change)
      })
      // A refusal comes as an event of its own, and would only be repeated.
      source.addEventListener('problem', () => source.close())
      end.signal.addEventListener('abort', () => {
        source.close()
        resolve()
      })
    })
  others.onmessage = ({ data }) => take(data as Change)
  // Browsers know locks where the page came safely; elsewhere each page listens for itself.
  if (navigator.locks) void navigator.locks.request(name, { signal: end.signal }, listen).catch(() => undefined)
  else void listen()
  return () => {
    clearTimeout(timer)
    others.close()
    end.abort()
  }
}
