/** Days as the interface writes them, 2026-11-15, reckoned with as such: they have no zone and no hours. */

const DAY = 86_400_000
const numberOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
const written = (number: number) => new Date(number).toISOString().slice(0, 10)

/** A day that somebody could mean: while a year is typed, it is of the first centuries. */
export const isDay = (text: string | null | undefined): text is string =>
  /^(19|2\d)\d\d-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(numberOf(text as string))

export const plusDays = (day: string, days: number) => written(numberOf(day) + days * DAY)
export const daysBetween = (first: string, last: string) => Math.round((numberOf(last) - numberOf(first)) / DAY)
export const daysFrom = (first: string, count: number) => Array.from({ length: count }, (_, n) => plusDays(first, n))

/** 2026-11 → its days. */
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

/** Minutes as hours: 495 → 8:15. */
export const clock = (minutes: number) => {
  const whole = Math.abs(minutes)
  return `${minutes < 0 ? '−' : ''}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
