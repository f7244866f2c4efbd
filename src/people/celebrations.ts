import Type from 'typebox'
import { dayOfYear, daysAfter, isLeapYear } from '../engine/day.ts'
import type { ColumnName } from '../engine/declaration.ts'
import type { Filter } from '../engine/filter.ts'
import { fieldOf } from '../engine/resource.ts'
import { employees } from './employees.ts'

/** Birthdays and anniversaries: days that return every year. */

/** The days of a range, as far as birthdays and anniversaries need them. */
function daysOfRange(today: string, { gte, lte }: { gte?: string; lte?: string }) {
  const from = gte ?? (lte && lte < today ? lte : today)
  const until = lte ?? daysAfter(from, 30)
  // Who was born on 29 February is celebrated on the 28th when there is no 29th.
  const last = until.endsWith('-02-28') && !isLeapYear(Number(until.slice(0, 4))) ? 229 : dayOfYear(until)
  return { from, until, first: dayOfYear(from), last, isWholeYear: until >= daysAfter(from, 365) }
}

/** Narrows to those whose day of the year comes up in a range of dates. */
function comesUp(name: ColumnName<typeof employees>): Filter {
  const column = `employees.${name}`
  const { group } = fieldOf(employees, name)
  return {
    schema: Type.Object({
      gte: Type.Optional(Type.String({ format: 'date' })),
      lte: Type.Optional(Type.String({ format: 'date' })),
    }),
    looksAt: [column],
    ...(group ? { group } : {}),
    narrow(query, range, db) {
      const { from, until, first, last, isWholeYear } = daysOfRange(db.today, range)
      if (until < from) return query.where(column, '=', -1)
      if (isWholeYear) return query.where(column, 'is not', null)
      if (first <= last) return query.where(column, '>=', first).where(column, '<=', last)
      return query.where((eb) => eb.or([eb(column, '>=', first), eb(column, '<=', last)]))
    },
  }
}

export const birthday = comesUp('birth_day_of_year')

const returnOfHiring = comesUp('hired_day_of_year')

/** An anniversary is a return of the day, not the day itself. */
export const anniversary: Filter = {
  ...returnOfHiring,
  async narrow(query, range, db, all) {
    const { from, until, isWholeYear } = daysOfRange(db.today, range)
    const returns = await returnOfHiring.narrow(query, range, db, all)
    return isWholeYear
      ? returns.where('employees.hired_on', '<=', daysAfter(until, -365))
      : returns.where('employees.hired_on', '<', from)
  },
}
