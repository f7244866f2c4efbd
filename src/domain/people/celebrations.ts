import { type RawBuilder, sql } from 'kysely'
import { withTables } from '../../database/compile.ts'
import { dayOfYear, daysAfter, isLeapYear } from '../../engine/day.ts'
import type { ColumnName } from '../../engine/declaration.ts'
import { DATE_BOUNDS, type Filter } from '../../engine/filter.ts'
import { fieldOf } from '../../engine/resource.ts'
import { employees } from './employees.ts'

/** Birthdays and anniversaries: days that return every year. Who has the 29th of February has the 28th in other years. */

/** The returns of a day within a range, with the years that have gone by. */
export function returnsOf(day: string, from: string, until: string): { day: string; years: number }[] {
  const [first, last, origin] = [from, until, day].map((date) => Number(date.slice(0, 4))) as [number, number, number]
  return Array.from({ length: last - first + 1 }, (_, n) => first + n)
    .map((year) => ({ day: inYear(day, year), years: year - origin }))
    .filter((one) => one.years > 0 && one.day >= from && one.day <= until)
}

const inYear = (day: string, year: number) =>
  `${year}${day.endsWith('-02-29') && !isLeapYear(year) ? '-02-28' : day.slice(4)}`

/** The last day whose return after so many years is no later than this one. */
export function yearsEarlier(day: string, years: number): string {
  const year = Number(day.slice(0, 4)) - years
  return inYear(isLastOfFebruary(day) && isLeapYear(year) ? `${year}-02-29` : day, year)
}

const isLastOfFebruary = (day: string) => daysAfter(day, 1).endsWith('-03-01')

type RangeBounds = { gte?: string; gt?: string; lt?: string; lte?: string }

/** The first and the last day of a range: the narrower of two bounds counts. */
function endsOf({ gte, gt, lt, lte }: RangeBounds): { gte?: string; lte?: string } {
  const [first] = [gte ?? [], gt === undefined ? [] : daysAfter(gt, 1)].flat().sort().reverse()
  const [last] = [lte ?? [], lt === undefined ? [] : daysAfter(lt, -1)].flat().sort()
  return { ...(first ? { gte: first } : {}), ...(last ? { lte: last } : {}) }
}

/** The days of a range, as far as birthdays and anniversaries need them. */
function daysOfRange(today: string, range: RangeBounds) {
  const { gte, lte } = endsOf(range)
  const from = gte ?? (lte && lte < today ? lte : today)
  const until = lte ?? daysAfter(from, 30)
  const last = isLastOfFebruary(until) ? 229 : dayOfYear(until)
  return { from, until, first: dayOfYear(from), last, isWholeYear: until >= daysAfter(from, 365) }
}

/** The day from which every day of the year has come up since this one. */
const yearLater = (day: string) => `${Number(day.slice(0, 4)) + 1}${day.endsWith('-02-29') ? '-03-01' : day.slice(4)}`

/**
 * Whoever leaves within the range is celebrated as long as they are here: until the day of the year on which they leave,
 * or on any day when they stay for a year of the range.
 */
const isStillHere = (column: string, from: string, until: string, first: number) => {
  const left = sql.ref('employees.termination_effective_on')
  const turn = turnFrom(first)
  return sql<boolean>`(${left} is null or ${left} > ${until} or ${left} >= ${yearLater(from)} or (${left} > ${from} and ${turn(sql.ref(column))} < ${turn(dayOfYearIn(left))}))`
}

/** People who come back after an earlier employment are celebrated from their first day on. */
const isBack = (column: string, accountId: number, from: string, until: string, first: number) => {
  const hired = sql.ref('employees.hired_on')
  const turn = turnFrom(first)
  return withTables<boolean>(
    ['former_employments'],
    sql`(${hired} is null or ${hired} <= ${from} or (${hired} <= ${until} and ${turn(dayOfYearIn(hired))} <= ${turn(sql.ref(column))}) or not exists (select 1 from former_employments f where f.account_id = ${accountId} and f.employee_id = employees.id))`,
  )
}

/** The day of the year of a date, as one number. */
const dayOfYearIn = (date: RawBuilder<unknown>) => {
  const part = (at: number, length: number) =>
    sql`cast(substr(cast(${date} as text), ${sql.lit(at)}, ${sql.lit(length)}) as integer)`
  return sql`(${part(6, 2)} * 100 + ${part(9, 2)})`
}

/** Days of the year before the first one of the range are those of the next year. */
const turnFrom = (first: number) => (day: RawBuilder<unknown>) =>
  sql`case when ${day} < ${sql.lit(first)} then ${day} + 10000 else ${day} end`

/** Narrows to those whose day of the year comes up in a range of dates. */
function comesUp(name: ColumnName<typeof employees>): Filter {
  const column = `employees.${name}`
  const { group } = fieldOf(employees, name)
  return {
    schema: DATE_BOUNDS,
    indexedColumns: [column],
    ...(group ? { group } : {}),
    narrow(query, range, db) {
      const { from, until, first, last, isWholeYear } = daysOfRange(db.today, range)
      if (until < from) return query.where(column, '=', -1)
      const there = query
        .where(isStillHere(column, from, until, first))
        .where(isBack(column, db.account.id, from, until, first))
      if (isWholeYear) return there.where(column, 'is not', null)
      if (first <= last) return there.where(column, '>=', first).where(column, '<=', last)
      return there.where((eb) => eb.or([eb(column, '>=', first), eb(column, '<=', last)]))
    },
  }
}

export const birthday = comesUp('birth_day_of_year')

const returnOfHiring = comesUp('hired_day_of_year')

/** The day from which tenure counts. */
const tenureSince = sql<string>`coalesce(employees.stored_tenure_since, employees.hired_on)`

/** A date as a number, as 20240229. */
const asNumber = (day: unknown) => {
  const text = sql`cast(${day} as text)`
  return sql`cast(substr(${text}, 1, 4) || substr(${text}, 6, 2) || substr(${text}, 9, 2) as integer)`
}

/** Whoever leaves before the first return of the day has none. */
const staysAYear = sql<boolean>`(employees.termination_effective_on is null or ${asNumber(tenureSince)} + 10000 < ${asNumber(sql.ref('employees.termination_effective_on'))})`

/** An anniversary is a return of the day, not the day itself. */
export const anniversary: Filter = {
  ...returnOfHiring,
  async narrow(query, range, db, all) {
    const { from, until, isWholeYear } = daysOfRange(db.today, range)
    const returns = await returnOfHiring.narrow(query, range, db, all)
    return isWholeYear
      ? returns.where(tenureSince, '<=', yearsEarlier(until, 1)).where(staysAYear)
      : returns.where(tenureSince, '<', from)
  },
}
