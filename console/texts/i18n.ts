import { useSyncExternalStore } from 'react'
import { fromBrowser, isLocale, type Locale, type Message, type Say, sayIn, type Texts } from './catalogue.ts'
import { learn } from './words/words.ts'

export * from './catalogue.ts'

/** The language of the person, and texts in it. */

const KEPT = 'cadre-locale'

const kept = localStorage.getItem(KEPT)
let current: Locale = isLocale(kept) ? kept : fromBrowser()
const listeners = new Set<() => void>()

export const locale = () => current

/** Before anything is shown: the words of the language that one was last here in, or that the browser asks for. */
export const begin = () => learn(current)

export async function setLocale(next: string | null | undefined): Promise<void> {
  if (!isLocale(next) || next === current) return
  await learn(next)
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

/** Languages written from right to left: none of ours yet, and nothing may break when one comes. */
export const directionOf = (locale: string): 'ltr' | 'rtl' => (/^(ar|fa|he|ur)\b/.test(locale) ? 'rtl' : 'ltr')
