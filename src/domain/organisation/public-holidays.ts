import { createRequire } from 'node:module'
import type Holidays from 'date-holidays'
import type { HolidaysTypes } from 'date-holidays'
import { daysAfter } from '../../engine/day.ts'

/** A public holiday: one or more days off, or half of each of them. */
export type PublicHoliday = { name: string; occurs_on: string; ends_on: string; half_day: boolean }

/** The days of all countries are large: they are loaded with the first policy. */
const require = createRequire(import.meta.url)
const holidaysOf = (country: string) => new (require('date-holidays') as typeof Holidays)(country)

/** Beyond it, what moves with the moon is not known. */
const LAST_KNOWN_YEAR = 2100

const known = new Map<string, PublicHoliday[]>()

/** The public holidays of a country that begin in a year, as its people name them. */
export function publicHolidays(country: string, year: number): PublicHoliday[] {
  if (year > LAST_KNOWN_YEAR) return []
  const key = `${country} ${year}`
  const days = known.get(key) ?? readHolidays(country, year)
  known.set(key, days)
  return days
}

function readHolidays(country: string, year: number): PublicHoliday[] {
  const found = holidaysOf(country)
    .getHolidays(year)
    .filter(({ type }) => type === 'public')
  const once = new Map(found.flatMap(daysOf).map((days) => [nameAndDay(days), days]))
  return [...once.values()]
}

/** What a policy has once. */
export const nameAndDay = ({ name, occurs_on }: { name: string; occurs_on: string }) => `${occurs_on} ${name}`

/** The whole days of a public holiday, and the half day that may go with them. */
function daysOf({ name, date, start, end }: HolidaysTypes.Holiday): PublicHoliday[] {
  const first = date.slice(0, 10)
  const hours = (end.getTime() - start.getTime()) / 3_600_000
  // Rounded: a change of the clock makes a day an hour longer or shorter, and a half may be from one o'clock on.
  const halves = Math.max(1, Math.floor(Math.round(hours / 6) / 2))
  const whole = Math.floor(halves / 2)
  const days = whole ? [{ name, occurs_on: first, ends_on: daysAfter(first, whole - 1), half_day: false }] : []
  if (halves % 2 === 0) return days
  // A feast that begins at sunset has its half day on the eve, as in Türkiye; others at their end.
  const beginsAtSunset = date.includes('-0600')
  const half = daysAfter(first, whole && beginsAtSunset ? -1 : whole)
  return [{ name, occurs_on: half, ends_on: half, half_day: true }, ...days]
}
