/** Typed texts in several languages. A missing or unknown key is a compile error. */

export const LOCALES = ['en', 'de', 'uk'] as const
export type Locale = (typeof LOCALES)[number]

/** A text, or its plural forms (`Intl.PluralRules`), selected by `{count}`. */
export type Message = string | ({ other: string } & { [form in Exclude<Intl.LDMLPluralRule, 'other'>]?: string })

type NamesIn<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
type ParametersOf<M> = M extends { other: infer Text } ? NamesIn<Text> | 'count' : NamesIn<M>
type Values<Names extends string> = { [name in Names]: string | number }
type Arguments<M> = [ParametersOf<M>] extends [never] ? [] : [values: Values<ParametersOf<M> & string>]

export type Catalogue<E> = { en: E; de: { [key in keyof E]: Message }; uk: { [key in keyof E]: Message } }
export type Texts<E> = Catalogue<E>
/** Returns a text in the user's language. */
export type Say<E> = <K extends keyof E>(key: K, ...values: Arguments<E[K]>) => string

/** The texts of a screen in all languages. */
export const texts = <const E extends Record<string, Message>>(all: Catalogue<E>): Catalogue<E> => all

const rules = new Map(LOCALES.map((locale) => [locale, new Intl.PluralRules(locale)]))

export function sayIn<E extends Record<string, Message>>(locale: Locale, { [locale]: own }: Catalogue<E>): Say<E> {
  return (key, ...[given]) => {
    const values = given as Record<string, string | number> | undefined
    const message = (own as E)[key] as Message
    const form = rules.get(locale)?.select(Number(values?.count)) ?? 'other'
    const text = typeof message === 'string' ? message : (message[form] ?? message.other)
    return values ? text.replace(/\{(\w+)\}/g, (_, name: string) => shown(values[name], locale)) : text
  }
}

const shown = (value: string | number | undefined, locale: Locale) =>
  typeof value === 'number' ? new Intl.NumberFormat(locale).format(value) : (value ?? '')

export const isLocale = (text: string | null | undefined): text is Locale => LOCALES.includes(text as Locale)

/** The first of our languages that the browser asks for. */
export const fromBrowser = () => navigator.languages.map((one) => one.split(/[-_@.]/)[0]).find(isLocale) ?? 'en'

/** English depends on the region: dates and numbers use the browser's. */
export const regional = (locale: string): string =>
  navigator.languages.find((one) => one.split('-')[0] === locale && isTag(one)) ?? locale

/** Some systems report names that are no valid language tag, such as `en-US@posix`. */
function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length > 0
  } catch {
    return false
  }
}
