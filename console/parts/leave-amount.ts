import { texts, useTexts } from '../texts/i18n.ts'

const amountTexts = texts({
  en: {
    days: { one: '{count} day', other: '{count} days' },
    hours: { one: '{count} hour', other: '{count} hours' },
  },
  de: {
    days: { one: '{count} Tag', other: '{count} Tage' },
    hours: { one: '{count} Stunde', other: '{count} Stunden' },
  },
  uk: {
    days: { one: '{count} день', few: '{count} дні', many: '{count} днів', other: '{count} дня' },
    hours: { one: '{count} година', few: '{count} години', many: '{count} годин', other: '{count} години' },
  },
})

/** Formats an amount of leave in its unit, with at most two decimals: 2.5 → 2.5 days. */
export function useLeaveAmount() {
  const t = useTexts(amountTexts)
  return (count: number, unit: string) =>
    t(unit === 'hours' ? 'hours' : 'days', { count: Math.round(count * 100) / 100 })
}
