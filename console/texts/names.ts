import { useLocale, useTexts } from './i18n.ts'
import { shared } from './words/words.ts'

/**
 * Names of fields and of their values, by the names that the interface has for them: for columns, forms and filters of
 * all screens. What is not among the words yet is shown as the interface writes it, in plain words.
 */
const fieldNames = shared('fields')
const valueNames = shared('values')
const kindNames = shared('kinds')

/** `hired_on` → Hired on */
const inWords = (name: string) => {
  const plain = name.replace(/_ids?$/, '').replaceAll('_', ' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

type Loose = (key: string) => string

export function useFieldName(): (name: string) => string {
  const say = useTexts(fieldNames) as unknown as Loose
  const known = fieldNames[useLocale()]
  return (name) => {
    const key = [name, name.replace(/_ids?$/, '')].find((one) => Object.hasOwn(known, one))
    return key ? say(key) : inWords(name)
  }
}

export function useValueName(): (value: string | number | boolean) => string {
  const say = useTexts(valueNames) as unknown as Loose
  const known = valueNames[useLocale()]
  return (value) => (Object.hasOwn(known, String(value)) ? say(String(value)) : inWords(String(value)))
}

/** `LeaveRequest` → Leave request */
export function useTitleName(): (title: string) => string {
  const say = useTexts(kindNames) as unknown as Loose
  const known = kindNames[useLocale()]
  return (title) =>
    Object.hasOwn(known, title) ? say(title) : inWords(title.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase())
}
