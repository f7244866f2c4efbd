import { type Locale, type Message, useLocale, useTexts } from './i18n.ts'
import { shared } from './words/words.ts'

/**
 * Names of fields and their values, for columns, forms and filters. A name without a text is shown as the API's name in
 * plain words.
 */
const fieldNames = shared('fields')
const valueNames = shared('values')
const kindNames = shared('kinds')

/** `hired_on` → Hired on */
const inWords = (name: string) => {
  const plain = name.replace(/_ids?$/, '').replaceAll('_', ' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

type LooseTexts = (key: string) => string

type NamesByLanguage = Readonly<Record<Locale, Readonly<Record<string, Message>>>>
const more: { fields?: NamesByLanguage; values?: NamesByLanguage; kinds?: NamesByLanguage } = {}

/** Adds names that only some pages need. Those pages load them. */
export function addNames(fields: NamesByLanguage, values: NamesByLanguage, kinds: NamesByLanguage): void {
  Object.assign(more, { fields, values, kinds })
}

const among = (names: NamesByLanguage | undefined, locale: Locale, key: string) =>
  names && Object.hasOwn(names[locale], key) ? (names[locale][key] as string) : undefined

export function useFieldName(): (name: string) => string {
  const say = useTexts(fieldNames) as unknown as LooseTexts
  const locale = useLocale()
  const known = fieldNames[locale]
  return (name) => {
    const plain = name.replace(/_ids?$/, '')
    const key = [name, plain].find((one) => Object.hasOwn(known, one))
    return key ? say(key) : (among(more.fields, locale, name) ?? among(more.fields, locale, plain) ?? inWords(name))
  }
}

export function useValueName(): (value: string | number | boolean) => string {
  const say = useTexts(valueNames) as unknown as LooseTexts
  const locale = useLocale()
  const known = valueNames[locale]
  return (value) => {
    const key = String(value)
    return Object.hasOwn(known, key) ? say(key) : (among(more.values, locale, key) ?? inWords(key))
  }
}

/** `LeaveRequest` → Leave request */
export function useTitleName(): (title: string) => string {
  const say = useTexts(kindNames) as unknown as LooseTexts
  const locale = useLocale()
  const known = kindNames[locale]
  return (title) =>
    Object.hasOwn(known, title)
      ? say(title)
      : (among(more.kinds, locale, title) ?? inWords(title.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()))
}
