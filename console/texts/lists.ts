import { useLocale } from './i18n.ts'

/** Formats a list in the user's language: “A, B and C”. */
export function useList(): (parts: readonly string[]) => string {
  const format = new Intl.ListFormat(useLocale(), { type: 'conjunction' })
  return (parts) => format.format(parts)
}
