import { addressOf, ledger } from './client.ts'
import { isRefreshed, refresh } from './data.ts'

/** One follower of the changes for the whole page: what is on screen and has changed is asked for again. */

export type Change = {
  number: number
  resource: string
  record_id: number
  action: string
  request_id: string
  owner: { resource: string; id: number } | null
  actor: { kind: string; id: number | null; name: string | null; employee_id: number | null }
}
type Seen = (change: Change) => void

const seen = new Set<Seen>()
/** Tells of every change that the person may see: for what wants more than to be refreshed. */
export const onChange = (listener: Seen) => {
  seen.add(listener)
  return () => void seen.delete(listener)
}

export function follow(): () => void {
  // Without a place to go on from, all that ever happened would be told.
  if (ledger.last === 0) return () => undefined
  const source = new EventSource(addressOf('/changes', { query: { since: ledger.last } }))
  let kinds = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  source.addEventListener('change', (event) => {
    const change = JSON.parse(event.data) as Change
    for (const kind of [change.resource, change.owner?.resource])
      if (kind && !isRefreshed(change.request_id, kind)) kinds.add(kind)
    for (const listener of seen) listener(change)
    // A bulk change is many: one look is enough.
    timer ??= setTimeout(() => {
      timer = undefined
      refresh(kinds)
      kinds = new Set()
    }, 250)
  })
  // A refusal comes as an event of its own, and would only be repeated.
  source.addEventListener('problem', () => source.close())
  return () => {
    clearTimeout(timer)
    source.close()
  }
}
