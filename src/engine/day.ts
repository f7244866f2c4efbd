/** Arithmetic with calendar dates, which are texts like `2024-01-31`. */

const DAY = 86_400_000
const start = (day: string) => Date.parse(`${day}T00:00:00Z`)
const dayAt = (moment: number) => new Date(moment).toISOString().slice(0, 10)

export const daysAfter = (day: string, days: number) => dayAt(start(day) + days * DAY)

/** The same day so many months later, or earlier: the last one of a month that is too short for it. */
export function monthsAfter(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return dayAt(Date.UTC(year, month - 1 + months, Math.min(date, last)))
}

/** How many days there are from the first to the last, both included. */
export const countDays = (first: string, last: string) => Math.round((start(last) - start(first)) / DAY) + 1

/** Days from the first to the last, both included. */
export function daysFrom(first: string, last: string): string[] {
  const days: string[] = []
  for (let at = start(first); at <= start(last); at += DAY) days.push(dayAt(at))
  return days
}

/** Month and day as one number, so that what returns every year can have an index: 10 December is 1210. */
export const dayOfYear = (day: string) => Number(day.slice(5, 7)) * 100 + Number(day.slice(8, 10))

export const isLeapYear = (year: number) => new Date(Date.UTC(year, 2, 0)).getUTCDate() === 29
