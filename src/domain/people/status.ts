import { sql } from 'kysely'
import Type from 'typebox'
import type { Filter } from '../../engine/filter.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { employmentOfDay, formerlyEmployedOn } from './employment-sources.ts'

export const STATUSES = ['hired', 'probation', 'employed', 'terminated'] as const

/** Who stands where somebody must be named, and was erased: in the list of employees, but nobody. */
export const STAND_IN = { employee_number: 'ERASED', first_name: 'Erased', last_name: 'person' }

/** Later than any day. */
const NEVER = '9999-12-31'
/** Earlier than any. */
const EVER = '0001-01-01'

type StatusDates = {
  hired_on: string | null
  probation_ends_on: string | null
  termination_effective_on: string | null
}

/** The status on a day. It is never stored, so it is right on every day without any nightly job. */
export function statusOn(
  day: string,
  { hired_on, probation_ends_on, termination_effective_on }: StatusDates,
): (typeof STATUSES)[number] {
  if (termination_effective_on !== null && termination_effective_on <= day) return 'terminated'
  if (hired_on !== null && hired_on > day) return 'hired'
  if (probation_ends_on !== null && probation_ends_on >= day) return 'probation'
  return 'employed'
}

/** The same in SQL, over the index that holds these three dates. */
export function withStatus(query: Query, status: string, day: string, employment = 'employees'): Query {
  const column = (name: string) => `${employment}.${name}`
  if (status === 'all') return query
  if (status === 'terminated') return query.where(column('termination_effective_on'), '<=', day)
  // Not as `is null or >`: that would be looked up in two ways and put together again, where one walk over the index does.
  const active = query.where((eb) => eb(eb.fn.coalesce(column('termination_effective_on'), sql.lit(NEVER)), '>', day))
  if (status === 'active') return active
  if (status === 'hired') return active.where(column('hired_on'), '>', day)
  const begun = active.where((eb) => eb.or([eb(column('hired_on'), 'is', null), eb(column('hired_on'), '<=', day)]))
  if (status === 'in_service') return isSomebody(begun)
  if (status === 'probation') return begun.where(column('probation_ends_on'), '>=', day)
  return begun.where((eb) =>
    eb.or([eb(column('probation_ends_on'), 'is', null), eb(column('probation_ends_on'), '<', day)]),
  )
}

/** The people who are employed on a day, also in an employment that has ended since. */
export function employedOn(db: Reader, day: string): Query {
  const current = withStatus(db.from('employees'), 'in_service', day)
  if (day >= db.today) return current
  return db
    .from('employees')
    .where((eb) =>
      eb.or([
        eb('employees.id', 'in', current.select('employees.id')),
        eb('employees.id', 'in', formerlyEmployedOn(db, day)),
      ]),
    )
}

/** The people who were employed on one of these days, or will be; without a first day, they always were. */
export const hereBetween = (query: Query, first: string, last: string, db: Reader): Query =>
  query.where((eb) =>
    eb.or([
      eb.and([
        eb(eb.fn.coalesce('employees.termination_effective_on', sql.lit(NEVER)), '>', first),
        eb(eb.fn.coalesce('employees.hired_on', sql.lit(EVER)), '<=', last),
      ]),
      eb(
        'employees.id',
        'in',
        db
          .from('former_employments')
          .select('employee_id')
          .where('termination_effective_on', '>', first)
          .where('hired_on', '<=', last),
      ),
    ]),
  )

/** Whoever stands in for the erased was never here, on no day. */
export const isSomebody = (query: Query): Query =>
  // The number is asked for only of the few who have no first day: what the index holds answers for the others.
  query.where((eb) =>
    eb.or([
      eb('employees.hired_on', 'is not', null),
      eb('employees.employee_number_key', '!=', STAND_IN.employee_number.toLowerCase()),
    ]),
  )

/** The columns that a status follows from. */
export const STATUS_COLUMNS = [
  'employees.termination_effective_on',
  'employees.hired_on',
  'employees.probation_ends_on',
]

export const byStatus: Filter = {
  selfContained: true,
  indexedColumns: STATUS_COLUMNS,
  schema: Type.Unsafe<string>({
    type: 'string',
    enum: [...STATUSES, 'active', 'in_service', 'all'],
    description: 'Only employees with this status',
  }),
  narrow: (query, status, db) => withStatus(query, status, db.view.day, employmentOfDay(db)),
}
