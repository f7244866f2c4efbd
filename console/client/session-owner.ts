import { BASE } from './base.ts'

/**
 * All tabs share one session, but each tab belongs to the user who opened it. If somebody else signs in in another tab,
 * this tab reloads. Otherwise it would show one user's data and send as another.
 */

const KEPT = `cadre-whose ${BASE}`
const REPLACED = 'cadre-replaced'

let own = ''
let isLeaving = false

export type SessionOwner = { user: { id: number }; account: { id: number } }
const nameOf = ({ user, account }: SessionOwner) => `${account.id} ${user.id}`

/** Remembers who is signed in. False if the page belongs to somebody else; it then reloads. */
export function isSameOwner(who: SessionOwner): boolean {
  const name = nameOf(who)
  localStorage.setItem(KEPT, name)
  own ||= name
  return own === name || reloadPage()
}

/** After signing out, the page belongs to nobody. */
export function forgetOwner(): void {
  own = ''
  localStorage.removeItem(KEPT)
}

/** The user of this page. Every write sends it. */
export const sessionOwner = () => own

export function reloadPage(): false {
  if (isLeaving) return false
  isLeaving = true
  sessionStorage.setItem(REPLACED, 'yes')
  // The unsaved input belongs to another user, so the browser must not ask about it.
  addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
  location.reload()
  return false
}

/** Has the page just reloaded for another user? True once. */
export function wasReplaced(): boolean {
  const was = sessionStorage.getItem(REPLACED) !== null
  sessionStorage.removeItem(REPLACED)
  return was
}

function look(): void {
  const now = localStorage.getItem(KEPT)
  if (own && now !== null && now !== own) reloadPage()
}
// A page in the back/forward cache has missed what happened meanwhile.
for (const event of ['storage', 'focus', 'pageshow']) addEventListener(event, look)
