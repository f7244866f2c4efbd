import { useSyncExternalStore } from 'react'
import { fromBrowser, isLocale, type Locale, type Message, type Say, sayIn, type Texts } from './catalogue.ts'
import { loadWords } from './words/words.ts'

export * from './catalogue.ts'

/** The user's language, and texts in it. */

const KEPT = 'cadre-locale'

const kept = localStorage.getItem(KEPT)
let current: Locale = isLocale(kept) ? kept : fromBrowser()
const listeners = new Set<() => void>()

export const locale = () => current

/** Loads the texts of the user's last language, or of the one that the browser asks for, before anything is shown. */
export const loadInitialWords = () => loadWords(current)

export async function setLocale(next: string | null | undefined): Promise<void> {
  if (!isLocale(next) || next === current) return
  await loadWords(next)
  current = next
  localStorage.setItem(KEPT, next)
  for (const listener of listeners) listener()
}

export const useLocale = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => current,
  )

/** `const t = useTexts(texts); t('title')`. */
export const useTexts = <E extends Record<string, Message>>(catalogue: Texts<E>): Say<E> =>
  sayIn(useLocale(), catalogue)

/** Right-to-left languages. We have none yet, but the layout supports them. */
export const directionOf = (locale: string): 'ltr' | 'rtl' => (/^(ar|fa|he|ur)\b/.test(locale) ? 'rtl' : 'ltr')
