import { byOneOrMany, type Filter, TIME_BOUNDS, withinTimes } from '../../engine/filter.ts'
import { byId } from '../../engine/join.ts'
import type { Query, Reader } from '../../records/reader.ts'

/** Who was hired when, for which vacancies. */

type HireFilterQuery = Record<string, any>

const PLACES = ['department_id', 'location_id'] as const

/** Narrows vacancies `v` to those that are asked for. */
const among = (query: Query, asked: HireFilterQuery) =>
  ['id', ...PLACES].reduce((narrowed, column) => {
    const name = column === 'id' ? 'vacancy_id' : column
    return [asked[name], asked[`${name}s`]].reduce(
      (some, ids) => (ids === undefined ? some : some.where(`v.${column}`, 'in', [ids].flat())),
      narrowed,
    )
  }, query)

/** Hires `h` for vacancies `v`, with the application `a` that led to each, if it is still known. */
export const hiresIn = (db: Reader, asked: HireFilterQuery): Query =>
  among(
    withinTimes(db.from('hires as h'), 'h.created_at', asked.hired_at ?? {}, db)
      .innerJoin('vacancies as v', byId('v', 'h.vacancy_id'))
      .leftJoin('applications as a', byId('a', 'h.application_id')),
    asked,
  )

/** Those who applied for a vacancy there, or were hired for one when that is asked for too. */
const byPlace = (column: (typeof PLACES)[number]) =>
  byOneOrMany(column, [`vacancies.${column}`], (query, _, db, all) =>
    all.hired_at
      ? query
      : query.where(
          'candidates.id',
          'in',
          among(db.from('applications as a').innerJoin('vacancies as v', byId('v', 'a.vacancy_id')), all).select(
            'a.candidate_id',
          ),
        ),
  )

export const hiredFilters: Record<string, Filter> = {
  hired_at: {
    schema: {
      ...TIME_BOUNDS,
      description: 'Those who were hired then, for the vacancies that are asked for',
    } as Filter['schema'],
    indexedColumns: ['hires.created_at'],
    narrow: (query, _, db, all) =>
      query.where('candidates.id', 'in', hiresIn(db, all).select('a.candidate_id').where('a.id', 'is not', null)),
  },
  ...byPlace('department_id'),
  ...byPlace('location_id'),
}
