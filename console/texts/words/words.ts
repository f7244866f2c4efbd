import type { Catalogue, Locale } from '../catalogue.ts'
import type { English, Words } from './keys.ts'

/** What the first page needs to say anything: loaded in the person's language alone. */

const LANGUAGES: Record<Locale, () => Promise<Words>> = {
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
  uk: () => import('./uk.ts'),
}

const loaded = new Map<Locale, Words>()

/** A language is spoken once its words are here. */
export async function learn(locale: Locale): Promise<void> {
  if (!loaded.has(locale)) loaded.set(locale, await LANGUAGES[locale]())
}

/** A catalogue of which those languages are there that have been learnt. */
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
