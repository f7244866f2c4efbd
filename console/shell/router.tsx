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

/** The router. Everything that a screen shows follows from its address, so that links and "back" work. */

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
/** Is there unsaved input? */
export const isUnsaved = () => guards.size > 0
const mayLeave = () => [...guards].every((agrees) => agrees())

/** The number of entries before this one in the history, to undo a "back". */
const depthNow = () => (history.state as { depth?: number } | null)?.depth ?? 0
let depth = depthNow()

/** The last filters of each screen. */
const searches = new Map<string, string>()
/** The address of a list with its last filters: `lastAt('/people')`. */
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

/** Opens an address within the console. Unsaved input causes a question first. */
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

/** Focuses an element as soon as it exists. Returns a function that cancels it. */
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

/** `/people` is a path of the console; `?view=cards` stays on the page. */
export const hrefOf = (to: string) => (to.startsWith('/') ? BASE + to : `${BASE}${encodeURI(place.path)}${to}`)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const usePlace = (): RouterLocation => useSyncExternalStore(subscribe, () => place)
export const placeNowAt = () => place

/** The parameters of a path like `/people/:id` or `/settings/*`; undefined if it does not match. */
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
 * The filters and sort order of a screen, stored in the address: `const [filters, set] = useFilters()`. `set` takes the
 * changes. Empty values are removed, and `[]` in the name makes a list. With `replace`, typing adds no history entries.
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

/** A link within the console. With a modifier key or the middle button, the browser opens it as usual. */
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

/** Unsaved input in a dialog also causes a question when the dialog is closed. */
export const EnteredWithin = createContext<Set<() => boolean> | undefined>(undefined)

/** Asks before the user leaves with unsaved input, but not while it is being saved. */
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
