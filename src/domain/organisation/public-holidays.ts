import { createRequire } from 'node:module'
import type Holidays from 'date-holidays'
import type { HolidaysTypes } from 'date-holidays'
import { daysAfter } from '../../engine/day.ts'
import { FORMATS } from '../../engine/format.ts'

/** A public holiday of a whole country, or of one region: one or more days off, or half of each of them. */
export type PublicHoliday = {
  name: string
  occurs_on: string
  ends_on: string
  half_day: boolean
  /** Null: the whole country. */
  region_code: string | null
}

/** A region of a country that has public holidays of its own, as its people call it. */
export type HolidayRegion = { code: string; name: string; country_code: string }

/** The days of all countries are large: they are loaded with the first policy. */
const require = createRequire(import.meta.url)
const library = () => require('date-holidays') as typeof Holidays

/** Beyond it, what moves with the moon is not known. */
const LAST_KNOWN_YEAR = 2100

const known = new Map<string, PublicHoliday[]>()

/** The public holidays of a whole country that begin in a year, as its people name them. */
export const publicHolidays = (country: string, year: number) =>
  remembered(country, year, () => readHolidays(new (library())(country), year, null))

/** The public holidays that a region has besides those of the whole country. */
export const regionalHolidays = (region: string, year: number) =>
  remembered(region, year, () => {
    const own = statesOf(countryOf(region)).get(region)
    if (!own) return []
    const all = [...publicHolidays(countryOf(region), year)]
    return readHolidays(new (library())(countryOf(region), own.state), year, region).filter((one) => {
      // Some regions only have another name for a holiday of the country.
      const isNew = !all.some((other) => covers(other, one))
      if (isNew) all.push(one)
      return isNew
    })
  })

function remembered(place: string, year: number, read: () => PublicHoliday[]): PublicHoliday[] {
  if (year > LAST_KNOWN_YEAR) return []
  const key = `${place} ${year}`
  const days = known.get(key) ?? read()
  known.set(key, days)
  return days
}

const covers = (one: PublicHoliday, other: PublicHoliday) =>
  one.occurs_on <= other.occurs_on && one.ends_on >= other.ends_on && (!one.half_day || other.half_day)

/** `DE-BY` → `DE` */
export const countryOf = (region: string) => region.slice(0, 2)

type State = HolidayRegion & { state: string }
const states = new Map<string, ReadonlyMap<string, State>>()

/** The regions of a country by their codes. The library writes some of them in small letters. */
function statesOf(country: string): ReadonlyMap<string, State> {
  const all = states.get(country) ?? readStates(country)
  states.set(country, all)
  return all
}

function readStates(country: string): ReadonlyMap<string, State> {
  const all = Object.entries(new (library())().getStates(country) ?? {}).map(([state, name]) => {
    const code = `${country}-${state.toUpperCase()}`
    return [code, { code, name, country_code: country, state }] as const
  })
  return new Map(all.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** The regions of a country that have public holidays of their own, in the order of their codes. */
export const regionsOf = (country: string): HolidayRegion[] =>
  [...statesOf(country).values()].map(({ state: _, ...region }) => region)

/** The same of all countries. The library also knows places that are no country of their own, such as the Canary Islands. */
export const allRegions = () =>
  Object.keys(new (library())().getCountries())
    .filter((country) => FORMATS.country?.test(country))
    .sort()
    .flatMap(regionsOf)

/** Its place among the regions of its country. */
export const placeOfRegion = (region: string) => [...statesOf(countryOf(region)).keys()].indexOf(region)

export const regionName = (region: string) => statesOf(countryOf(region)).get(region)?.name ?? region

function readHolidays(place: Holidays, year: number, region_code: string | null): PublicHoliday[] {
  const found = place.getHolidays(year).filter(({ type }) => type === 'public')
  const all = found.flatMap(daysOf).map((days) => ({ ...days, region_code }))
  return [...new Map(all.map((days) => [identityOf(days), days])).values()]
}

type Identity = Pick<PublicHoliday, 'name' | 'occurs_on' | 'region_code'>

/** What a policy has once. */
export const identityOf = ({ name, occurs_on, region_code }: Identity) =>
  `${occurs_on} ${name}${region_code === null ? '' : ` ${region_code}`}`

/** Whether a policy has a holiday already, for its region or for everybody. */
export const hasHoliday = (all: ReadonlySet<string>, one: Identity) =>
  all.has(identityOf(one)) || all.has(identityOf({ ...one, region_code: null }))

/** The whole days of a public holiday, and the half day that may go with them. */
function daysOf({ name, date, start, end }: HolidaysTypes.Holiday): Omit<PublicHoliday, 'region_code'>[] {
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
