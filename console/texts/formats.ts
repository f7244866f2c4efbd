import { zoneNow } from '../client/time-zone.ts'
import { regional } from './catalogue.ts'
import { useLocale } from './i18n.ts'
import { numberTag, readNumber, writeNumber } from './numbers.ts'

/** Formats dates, numbers and money in the user's language. Days are texts like 2026-11-15 without a time zone. */

const formats = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>()

function kept<T extends Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>(
  key: string,
  make: () => T,
): T {
  const known = (formats.get(key) ?? make()) as T
  formats.set(key, known)
  return known
}

const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }
const MOMENT: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
}

/** Keeps the Ukrainian abbreviation for "year" on the same line. */
const unbroken = (date: string) => date.replace(/\s(?=р\.)/g, '\u00a0')

export function formatsIn(locale: string) {
  const formatOf = (options: Intl.DateTimeFormatOptions) =>
    kept(`date ${locale} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(locale, options))
  const dates = (options: Intl.DateTimeFormatOptions) => ({
    format: (date: Date) => unbroken(formatOf(options).format(date)),
    formatRange: (first: Date, last: Date) => unbroken(formatOf(options).formatRange(first, last)),
  })
  const numbers = (options: Intl.NumberFormatOptions) =>
    kept(`number ${locale} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(numberTag(locale), options))
  return {
    /** 2026-11-15 → 15 Nov 2026 */
    day: (day: string | null | undefined, options: Intl.DateTimeFormatOptions = DAY) =>
      day ? dates({ timeZone: 'UTC', ...options }).format(new Date(`${day.slice(0, 10)}T00:00:00Z`)) : '',
    /** 2026-11-16, 2026-11-20 → 16–20 Nov 2026 */
    days: (from: string, to: string) => {
      const [first, last] = [from, to].map((one) => new Date(`${one.slice(0, 10)}T00:00:00Z`)) as [Date, Date]
      return from === to ? dates(DAY).format(first) : dates(DAY).formatRange(first, last)
    },
    /** A timestamp in the user's time zone. */
    moment: (at: string | null | undefined, options: Intl.DateTimeFormatOptions = MOMENT) =>
      at ? dates(options).format(new Date(at)) : '',
    number: (value: number | string | null | undefined, options: Intl.NumberFormatOptions = {}) =>
      value === null || value === undefined || value === '' ? '' : numbers(options).format(Number(value)),
    percent: (value: number) => numbers({ style: 'percent', maximumFractionDigits: 1 }).format(value),
    money: (amount: number | string | null | undefined, currency: string) =>
      amount === null || amount === undefined || amount === ''
        ? ''
        : numbers({ style: 'currency', currency, maximumFractionDigits: Number(amount) % 1 === 0 ? 0 : 2 }).format(
            Number(amount),
          ),
    /** How long ago, or how long until then, in words. */
    ago(at: string, now = Date.now()) {
      const seconds = (new Date(at).getTime() - now) / 1000
      const steps: [Intl.RelativeTimeFormatUnit, number][] = [
        ['year', 31_536_000],
        ['month', 2_592_000],
        ['day', 86_400],
        ['hour', 3600],
        ['minute', 60],
      ]
      const relative = kept(`ago ${locale}`, () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
      const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const)
      return relative.format(Math.round(seconds / size), unit)
    },
  }
}

export const useFormats = () => formatsIn(regional(useLocale()))

/** Reads and writes numbers in inputs, in the same format as on the page. */
export function useNumbers() {
  const locale = regional(useLocale())
  return {
    read: (text: string) => readNumber(text, locale),
    write: (value: string | number, how: Parameters<typeof writeNumber>[2] = {}) => writeNumber(value, locale, how),
    decimal: writeNumber('0.5', locale).charAt(1),
  }
}

/** Today in the time zone where the user works, as 2026-11-15. */
export const today = () =>
  kept(
    `today ${zoneNow()}`,
    () => new Intl.DateTimeFormat('en-CA', { timeZone: zoneNow(), dateStyle: 'short' }),
  ).format()

/** The last day before one: the last day of an employment, before the first day after it. */
export const dayBefore = (day: string) =>
  new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)

/** The current hour in the same time zone. */
export const hourNow = () =>
  Number(
    kept(
      `hour ${zoneNow()}`,
      () => new Intl.DateTimeFormat('en', { timeZone: zoneNow(), hour: '2-digit', hourCycle: 'h23' }),
    ).format(),
  )
