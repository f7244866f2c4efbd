import { useLocale } from './i18n.ts'

/** Names one after the other, as the person's language writes a list: “A, B and C”. */
export function useList(): (parts: readonly string[]) => string {
  const format = new Intl.ListFormat(useLocale(), { type: 'conjunction' })
  return (parts) => format.format(parts)
}
