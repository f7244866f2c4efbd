import type { Catalogue, Locale } from '../catalogue.ts'
import type { English, Words } from './keys.ts'

/** The texts of the first page, loaded only in the user's language. */

const LANGUAGES: Record<Locale, () => Promise<Words>> = {
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
  uk: () => import('./uk.ts'),
}

const loaded = new Map<Locale, Words>()

/** Loads the texts of a language. It can be used afterwards. */
export async function loadWords(locale: Locale): Promise<void> {
  if (!loaded.has(locale)) loaded.set(locale, await LANGUAGES[locale]())
}

/** A catalogue with the languages that are loaded. */
export function shared<Name extends keyof English>(name: Name): Catalogue<English[Name]> {
  const of = (locale: Locale) => loaded.get(locale)?.[name] as any
  return {
    get en() {
      return of('en')
    },
    get de() {
      return of('de')
    },
    get uk() {
      return of('uk')
    },
  }
}
