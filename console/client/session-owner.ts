import { BASE } from './base.ts'

/**
 * All tabs share one session. A tab is of the person for whom it was opened: when somebody else signs in beside it, it
 * begins anew instead of showing the one and sending as the other.
 */

const KEPT = `cadre-whose ${BASE}`
const REPLACED = 'cadre-replaced'

let own = ''
let isLeaving = false

export type SessionOwner = { user: { id: number }; account: { id: number } }
const nameOf = ({ user, account }: SessionOwner) => `${account.id} ${user.id}`

/** As the service says who it is. False when the page was somebody else's. */
export function isSameOwner(who: SessionOwner): boolean {
  const name = nameOf(who)
  localStorage.setItem(KEPT, name)
  own ||= name
  return own === name || reloadPage()
}

/** Nobody's, as after signing out. */
export function forgetOwner(): void {
  own = ''
  localStorage.removeItem(KEPT)
}

/** Whose the page is, as the service is told with whatever is written. */
export const sessionOwner = () => own

export function reloadPage(): false {
  if (isLeaving) return false
  isLeaving = true
  sessionStorage.setItem(REPLACED, 'yes')
  // What was entered was another person's: nobody is asked about it.
  addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
  location.reload()
  return false
}

/** Says once, after it, that the page has begun anew for somebody else. */
export function wasReplaced(): boolean {
  const was = sessionStorage.getItem(REPLACED) !== null
  sessionStorage.removeItem(REPLACED)
  return was
}

function look(): void {
  const now = localStorage.getItem(KEPT)
  if (own && now !== null && now !== own) reloadPage()
}
// A page that was put by, and is shown again, has not heard what happened meanwhile.
for (const event of ['storage', 'focus', 'pageshow']) addEventListener(event, look)
