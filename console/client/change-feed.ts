import { addressOf, BASE, ledger } from './client.ts'
import { isRefreshed, refresh } from './data.ts'

/** Follows the change feed, once for the whole page, and reloads changed data that is on screen. */

type Change = {
  number: number
  resource: string
  record_id: number
  action: string
  /** The id of the request that made the change, as this page, another page or a program sent it. */
  correlation_id: string
  owner: string | null
}

const REFRESH_DELAY = 250

/**
 * Follows the feed until it is stopped. If several tabs are open, one listens and tells the others, because browsers
 * allow only a few connections per host and each listener holds one.
 */
export function follow(userId: number): () => void {
  // Without a start number the feed would send every change since the beginning.
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
    // A bulk change sends many events. One reload is enough.
    timer ??= setTimeout(() => {
      timer = undefined
      refresh(kinds)
      kinds = new Set()
    }, REFRESH_DELAY)
  }
  const listen = () =>
    new Promise<void>((resolve) => {
      const source = new EventSource(addressOf('/me/changes', { query: { since: ledger.last } }))
      source.addEventListener('change', (event) => {
        const change = JSON.parse(event.data) as Change
        others.postMessage(change)
        take(change)
      })
      // A refusal arrives as an event. Reconnecting would only get it again.
      source.addEventListener('problem', () => source.close())
      end.signal.addEventListener('abort', () => {
        source.close()
        resolve()
      })
    })
  others.onmessage = ({ data }) => take(data as Change)
  // Browsers support locks only on secure pages. Elsewhere each tab listens for itself.
  if (navigator.locks) void navigator.locks.request(name, { signal: end.signal }, listen).catch(() => undefined)
  else void listen()
  return () => {
    clearTimeout(timer)
    others.close()
    end.abort()
  }
}
