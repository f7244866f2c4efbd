import { like, type Query, type Reader } from '../../records/reader.ts'

/**
 * People and one of their employments: the columns of `employees` are the current one, and `former_employments` has those that
 * ended before it. A condition must compare columns of the same employment, so a list is asked for from each source.
 */
export type EmploymentSource = { readonly db: Reader; readonly all: Query }

/** The filters that find people by an employment that started or ended in a range. */
type EmploymentFilters = { joined_on?: unknown; left_on?: unknown }

const isPast = ({ view, today }: Reader): boolean => Boolean(view.asOf) && view.day < today

/** The table with the employment of the day that the list is about. */
export const employmentOfDay = (db: Reader) => (db.view.isFormer && isPast(db) ? 'former' : 'employees')

/** The table with the employment that `joined_on` and `left_on` ask for. */
export const employmentSearched = (db: Reader) => (db.view.isFormer ? 'former' : 'employees')

/** The sources of a list of people. `db` shows the day that it is about. */
export function employmentSources(
  db: Reader,
  { joined_on, left_on }: EmploymentFilters,
  all: Query,
): EmploymentSource[] {
  const { day } = db.view
  if (isPast(db)) return [{ db, all: startedBy(db, all, day) }, formerSource(db, (query) => inForceOn(db, query, day))]
  return joined_on || left_on ? [{ db, all }, formerSource(db)] : [{ db, all }]
}

/** People whose current employment is the one to look at on a past day: it has started, or it is the first. */
export const startedBy = (db: Reader, query: Query, day: string, person = 'employees'): Query =>
  query.where((eb) =>
    eb.or([
      eb(`${person}.hired_on`, 'is', null),
      eb(`${person}.hired_on`, '<=', day),
      eb(`${person}.id`, 'not in', formerlyHiredBy(db, day)),
    ]),
  )

/** The former employment that started last by a day, of people whose current one started later. */
const inForceOn = (db: Reader, query: Query, day: string): Query =>
  query
    .where('employees.hired_on', '>', day)
    .where('former.hired_on', '<=', day)
    .where((eb) =>
      eb.not(
        eb.exists(
          db
            .from('former_employments as next')
            .select('next.id')
            .whereRef('next.employee_id', '=', 'former.employee_id')
            .whereRef('next.hired_on', '>', 'former.hired_on')
            .where('next.hired_on', '<=', day),
        ),
      ),
    )

/** The ids of people who were employed on a day, and are employed again since. */
export const formerlyEmployedOn = (db: Reader, day: string): Query =>
  db
    .from('former_employments as f')
    .select('f.employee_id')
    .where('f.hired_on', '<=', day)
    .where('f.termination_effective_on', '>', day)

/** The ids of people with a former employment that started by a day. */
export const formerlyHiredBy = (db: Reader, day: string): Query =>
  db.from('former_employments as f').select('f.employee_id').where('f.hired_on', '<=', day)

function formerSource(db: Reader, narrow: (query: Query) => Query = (query) => query): EmploymentSource {
  const from = (table: string) =>
    table === 'employees'
      ? narrow(
          db
            .from('employees')
            .innerJoin('former_employments as former', (on) =>
              on
                .onRef('former.account_id', '=', 'employees.account_id')
                .onRef('former.employee_id', '=', 'employees.id'),
            ),
        )
      : db.from(table)
  const former = like(db, { from, view: { ...db.view, isFormer: true } })
  return { db: former, all: from('employees') }
}
