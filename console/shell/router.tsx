import {
  type AnchorHTMLAttributes,
  createContext,
  type MouseEvent,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react'
import { BASE } from '../client/client.ts'

/** Where the page is: all that a screen shows follows from the address, so that links and "back" work. */

export type RouterLocation = { path: string; search: string; hash: string }

const placeNow = (): RouterLocation => ({
  path: decodePath(location.pathname.slice(BASE.length)) || '/',
  search: location.search,
  hash: location.hash,
})

function decodePath(path: string): string {
  const plain = path.replace(/\/+$/, '')
  try {
    return decodeURI(plain)
  } catch {
    return plain
  }
}

let place = placeNow()
const listeners = new Set<() => void>()
const guards = new Set<() => boolean>()
/** Is there something that was entered, and is not saved? */
export const isUnsaved = () => guards.size > 0
const mayLeave = () => [...guards].every((agrees) => agrees())

/** How many addresses lie behind this one: so that "back" can be taken back. */
const depthNow = () => (history.state as { depth?: number } | null)?.depth ?? 0
let depth = depthNow()

/** What narrowed the screens that one has been at. */
const searches = new Map<string, string>()
/** Back to a list as one left it: `lastAt('/people')`. */
export const lastAt = (path: string) => path + (searches.get(path) ?? '')

function moved(): void {
  searches.set(place.path, place.search)
  place = placeNow()
  depth = depthNow()
  for (const listener of listeners) listener()
}

let isTakenBack = false
addEventListener('popstate', () => {
  if (isTakenBack) {
    isTakenBack = false
    return
  }
  if (placeNow().path === place.path || mayLeave()) return moved()
  const back = depth - depthNow()
  isTakenBack = back !== 0
  if (isTakenBack) history.go(back)
  else history.pushState({ depth: depth + 1 }, '', hrefOf(place.path + place.search + place.hash))
})

/** Goes to an address within the console. What was entered and not saved is asked about. */
export function navigate(
  to: string,
  { replace = false, keepScroll = false }: { replace?: boolean; keepScroll?: boolean } = {},
): void {
  const [path = ''] = to.split(/[?#]/)
  const isElsewhere = path !== '' && path !== place.path
  if (isElsewhere && !mayLeave()) return
  history[replace ? 'replaceState' : 'pushState']({ depth: replace ? depth : depth + 1 }, '', hrefOf(to))
  if (isElsewhere && !keepScroll) scrollTo(0, 0)
  moved()
}

/** The keyboard goes there as soon as it is there; gives back how to give that up. */
export function focusWhenThere(selector: string, options?: FocusOptions): () => void {
  const look = () => {
    const found = document.querySelector<HTMLElement>(selector)
    found?.focus(options)
    return found !== null
  }
  if (look()) return () => undefined
  const observer = new MutationObserver(() => look() && observer.disconnect())
  observer.observe(document.body, { childList: true, subtree: true })
  return () => observer.disconnect()
}

/** `/people` → the whole path; `?view=cards` stays on the page. */
export const hrefOf = (to: string) => (to.startsWith('/') ? BASE + to : `${BASE}${encodeURI(place.path)}${to}`)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const usePlace = (): RouterLocation => useSyncExternalStore(subscribe, () => place)
export const placeNowAt = () => place

/** The values of a path's parts: `/people/:id`, `/settings/*`; undefined where it is another path. */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  const names: string[] = []
  const source = pattern.replace(/\/:(\w+)|\/\*$/g, (_, name?: string) => {
    names.push(name ?? 'rest')
    return name ? '/([^/]+)' : '(?:/(.*))?'
  })
  const found = new RegExp(`^${source}$`).exec(path)
  return found ? Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? ''])) : undefined
}

type Filters = Record<string, string | string[] | undefined>

/**
 * What narrows and orders a screen, kept in the address: `const [filters, set] = useFilters()`. Setting takes what
 * changes; what is empty goes from the address. A list is the name with `[]`. While somebody types it is replaced, not pushed.
 */
export function useFilters() {
  const { search } = usePlace()
  return useMemo(() => {
    const given = new URLSearchParams(search)
    const get = (name: string) => given.get(name) ?? ''
    const all = (name: string) => given.getAll(name)
    const set = (changes: Filters, { replace = false }: { replace?: boolean } = {}) => {
      const next = new URLSearchParams(location.search)
      for (const [name, value] of Object.entries(changes)) {
        next.delete(name)
        for (const one of [value ?? []].flat()) if (one !== '') next.append(name, one)
      }
      navigate(next.size > 0 ? `?${next}` : placeNowAt().path, { replace })
    }
    return { get, all, set, text: given.toString(), isEmpty: given.size === 0 }
  }, [search])
}

/** A link within the console; with a modifier key, or the middle button, the browser does as ever. */
export function Link({
  to,
  onClick,
  keepScroll = false,
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & { to: string; keepScroll?: boolean }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    if (rest.target && rest.target !== '_self') return
    event.preventDefault()
    navigate(to, { keepScroll })
  }
  return <a {...rest} href={hrefOf(to)} onClick={follow} />
}

/** What was entered within a dialog is asked about when that is closed, too. */
export const EnteredWithin = createContext<Set<() => boolean> | undefined>(undefined)

/** Asks before somebody leaves with something unsaved; while it is being saved one may go. */
export function useUnsaved(isUnsaved: boolean, question: string, isSaving = false): void {
  const within = useContext(EnteredWithin)
  useEffect(() => {
    if (!isUnsaved) return
    const guard = () => isSaving || confirm(question)
    const warn = (event: BeforeUnloadEvent) => isSaving || event.preventDefault()
    guards.add(guard)
    within?.add(guard)
    addEventListener('beforeunload', warn)
    return () => {
      guards.delete(guard)
      within?.delete(guard)
      removeEventListener('beforeunload', warn)
    }
  }, [isUnsaved, question, isSaving, within])
}
