/** Calculates with days like 2026-11-15, which have no time zone. */

const DAY = 86_400_000
const numberOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
const written = (number: number) => new Date(number).toISOString().slice(0, 10)

/** Is it a date that the user can mean? While a year is typed, the input holds dates of the first centuries. */
export const isDay = (text: string | null | undefined): text is string =>
  /^(19|2\d)\d\d-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(numberOf(text as string))

export const plusDays = (day: string, days: number) => written(numberOf(day) + days * DAY)
export const daysBetween = (first: string, last: string) => Math.round((numberOf(last) - numberOf(first)) / DAY)
export const daysFrom = (first: string, count: number) => Array.from({ length: count }, (_, n) => plusDays(first, n))

/** All days of a month like 2026-11. */
export function daysOfMonth(month: string): string[] {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return daysFrom(`${month}-01`, new Date(Date.UTC(year, number, 0)).getUTCDate())
}

export function plusMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return written(Date.UTC(year, number - 1 + months, 1)).slice(0, 7)
}

/** 1 for Monday to 7 for Sunday. */
export const weekdayOf = (day: string) => new Date(numberOf(day)).getUTCDay() || 7

export const mondayOf = (day: string) => plusDays(day, 1 - weekdayOf(day))

/** Formats minutes as hours: 495 → 8:15. */
export const clock = (minutes: number) => {
  const whole = Math.abs(minutes)
  return `${minutes < 0 ? '−' : ''}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
