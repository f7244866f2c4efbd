import { DECIMAL_PATTERN } from './decimal.ts'

/** The text formats that values can have: a test, and the words for a value that fails it. */
export type Format = { test: (value: string) => boolean; expected: string }

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u
const EMAIL = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\.]+(\.[^\s@<>()[\],;:"\\.]+)+$/u
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** Names of regions that the runtime knows and that are no ISO 3166-1 country. */
const NO_COUNTRY = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ'.split(' '))

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const currencies = new Set(Intl.supportedValuesOf('currency'))

/** PostgreSQL cannot store NUL, and neither engine can store half of a surrogate pair. */
export const isText = (value: string) => value.isWellFormed() && !value.includes('\0')

/** Nothing of it is seen: spaces, joiners, fillers and the like. */
const INVISIBLE = /^[\s\p{Cf}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]*$/u
export const isInvisible = (value: string) => INVISIBLE.test(value)

export const isLine = (value: string) => value.isWellFormed() && !CONTROL.test(value)

/** The days that people may enter: what lies beyond is a slip, or an attempt to keep us counting. */
export const FIRST_DAY = '1900-01-01'
export const LAST_DAY = '2200-12-31'

export function isDate(value: string): boolean {
  const parts = DATE.exec(value)
  if (!parts || value < FIRST_DAY || value > LAST_DAY) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(parts[3])
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i

/** Unix seconds or ISO 8601 with a zone → the timestamp as it is stored, or undefined. */
export function readTimestamp(value: unknown): string | undefined {
  const text = String(value)
  // The calendar date must be one: the runtime would read 30 February as 2 March.
  const isIso = ISO.test(text) && isDate(text.slice(0, 10))
  const milliseconds = /^\d{1,11}$/.test(text) ? Number(text) * 1000 : isIso ? Date.parse(text) : Number.NaN
  if (Number.isNaN(milliseconds)) return undefined
  const moment = new Date(milliseconds).toISOString()
  return moment.slice(0, 10) <= LAST_DAY ? moment : undefined
}

function isTimeZone(value: string): boolean {
  if (!/^[A-Za-z]/.test(value)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false
  }
}

function isCountry(value: string): boolean {
  if (!/^[A-Z]{2}$/.test(value) || NO_COUNTRY.has(value) || regions.of(value) === undefined) return false
  // Codes of countries that are no more are known by the name of their successor.
  return new Intl.Locale(`und-${value}`).region === value
}

function isWebAddress(value: string): boolean {
  if (value.length > 8192) return false
  const url = URL.canParse(value) ? new URL(value) : undefined
  return (url?.protocol === 'http:' || url?.protocol === 'https:') && isLine(value)
}

/** What is too long to be an address is not looked at: a pattern can lose its way in it. */
const isEmail = (value: string) => value.length <= 320 && EMAIL.test(value) && isLine(value)

export const FORMATS: Record<string, Format> & Record<'text' | 'date' | 'decimal', Format> = {
  line: { test: isLine, expected: 'must be a single line of text without control characters' },
  text: { test: isText, expected: 'must be valid Unicode text without NUL characters' },
  date: { test: isDate, expected: 'must be a calendar date like 2024-01-31, from 1900 to 2200' },
  'date-time': {
    test: (value) => readTimestamp(value) !== undefined,
    expected: 'must be Unix seconds or a timestamp like 2024-01-31T09:30:00Z, from 1900 to 2200',
  },
  moment: {
    test: (value) => isDate(value) || readTimestamp(value) !== undefined,
    expected:
      'must be a date like 2024-01-31, Unix seconds or a timestamp like 2024-01-31T09:30:00Z, from 1900 to 2200',
  },
  year: { test: (value) => /^[12]\d{3}$/.test(value), expected: 'must be a year like 2012' },
  decimal: {
    test: (value) => value.length < 32 && DECIMAL_PATTERN.test(value),
    expected: 'must be a decimal number with at most 11 digits before and 4 after the point',
  },
  email: { test: isEmail, expected: 'must be an e-mail address' },
  uri: { test: isWebAddress, expected: 'must be an http or https URL' },
  currency: { test: (value) => currencies.has(value), expected: 'must be an ISO 4217 currency code like EUR' },
  country: {
    test: isCountry,
    expected: 'must be an ISO 3166-1 country code like DE',
  },
  region: {
    test: (value) => /^[A-Z]{2}-[A-Z\d]{1,10}$/.test(value),
    expected: 'must be an ISO 3166-2 region code like DE-BY',
  },
  'time-zone': { test: isTimeZone, expected: 'must be an IANA time zone like Europe/Berlin' },
  'class-names': {
    test: (value) => /^[\w :/.[\]-]*$/.test(value),
    expected: 'must be CSS class names: letters, digits, spaces and - _ : / . [ ]',
  },
  'hex-color': {
    test: (value) => /^#([\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/i.test(value),
    expected: 'must be a colour like #2e7d32',
  },
}

export { fold, foldCase } from '../records/text-folding.ts'
