import Type from 'typebox'
import { dayOfYear, monthsAfter } from '../../engine/day.ts'
import type { Row } from '../../engine/declaration.ts'
import { boolean, date, derived, hidden, longText, orNull, reference, told } from '../../engine/field.ts'
import { conflict } from '../../engine/problem.ts'
import { type Attempt, attempt, type Rule, rowsOf, storeChanges } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { inOrder } from '../../engine/rule.ts'
import type { UndoGuard } from '../../engine/undo/guards.ts'
import { chunks } from '../../records/chunks.ts'
import type { Consequence } from '../../records/consequences.ts'
import type { Change } from '../../records/entries.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { companies } from '../access/companies.ts'
import { employees } from './employees.ts'
import { terminationReasonName, terminationTypeName } from './person.ts'

/** Employments that ended before somebody was hired again. The current one is in the record of the employee. */

export const formerEmployments = resource(
  { table: 'former_employments', one: 'employment', area: 'employees', path: '/employees/{employee_id}/employments' },
  {
    employee_id: reference('employees', { required: true, owner: true }),
    hired_on: date({ required: true, note: 'First day of the employment', example: '2019-03-01' }),
    probation_ends_on: date({
      note: 'Last day of the probation period; null if there was none',
      example: '2019-08-31',
    }),
    termination_effective_on: date({
      required: true,
      note: 'First day on which the person was no longer employed',
      example: '2021-07-01',
    }),
    termination_type_id: reference('termination_types', { show: () => terminationTypeName, group: 'personal' }),
    termination_reason_id: reference('termination_reasons', { show: () => terminationReasonName, group: 'personal' }),
    termination_eligible_for_rehire: boolean({ group: 'personal' }),
    termination_comment: longText({ nullable: true, group: 'notes', example: 'Moved abroad' }),
    stored_tenure_since: hidden(date(), told('earlier_tenure_since')),
    tenure_since: derived(
      orNull(Type.String({ format: 'date', description: 'Day from which tenure counted in this employment' })),
      ['stored_tenure_since', 'hired_on'],
      (row) => row.stored_tenure_since ?? row.hired_on,
    ),
  },
)

type FormerEmployment = Row<typeof formerEmployments>

const formersOf = async (db: Reader, ids: readonly number[]): Promise<Map<number, FormerEmployment[]>> =>
  Map.groupBy(
    await rowsOf(formerEmployments, db.from('former_employments').where('employee_id', 'in', [...ids]), ['hired_on']),
    ({ employee_id }) => employee_id,
  )

const endsAfterStart: Rule<typeof formerEmployments> = ({ after, fail }) => {
  if (after.hired_on && after.termination_effective_on && after.termination_effective_on < after.hired_on)
    fail('termination_effective_on', 'too_early', `cannot be before hired_on, ${after.hired_on}`)
}

/** A person has one employment at a time. An undo is checked as a whole. */
const overlapsNone: Rule<typeof formerEmployments> = async ({ db, after, changes, undone, fail }) => {
  const { id, employee_id, hired_on, termination_effective_on: end } = after
  if (!employee_id || !hired_on || !end || undone) return
  if (changes.hired_on === undefined && changes.termination_effective_on === undefined) return
  const current = await db.from('employees').select('hired_on').where('id', '=', employee_id).executeTakeFirst()
  if (!current?.hired_on) {
    fail(
      'hired_on',
      'not_allowed',
      'is not possible: the employee has no hired_on yet. Set hired_on of the employee first',
    )
    return
  }
  if (end > db.today)
    fail(
      'termination_effective_on',
      'in_the_future',
      `cannot be after today, ${db.today}: only the current employment, which you change with the employee, can end later`,
    )
  else if (end > current.hired_on)
    fail(
      'termination_effective_on',
      'too_late',
      `cannot be after ${current.hired_on}, when the current employment starts`,
    )
  const others = (await formersOf(db, [employee_id])).get(employee_id) ?? []
  const other = others.find(
    (one) =>
      one.id !== id && (one.hired_on === hired_on || (one.hired_on < end && hired_on < one.termination_effective_on)),
  )
  if (other)
    fail(
      'hired_on',
      'overlap',
      `overlaps with employment ${other.id}, from ${other.hired_on} until before ${other.termination_effective_on}`,
    )
}

const DATED = [
  ['employee_positions', 'effective_from', 'position'],
  ['employment_statuses', 'effective_from', 'employment status'],
  ['salaries', 'effective_on', 'salary'],
] as const

/** Job and pay stay in the employment: its days do not get fewer while an entry starts on one of them. */
const keepsEntries: Rule<typeof formerEmployments> = async ({ db, before, after, undone, fail }) => {
  if (!before || undone) return
  const lost = [
    { field: 'hired_on', from: before.hired_on, until: after.hired_on },
    { field: 'termination_effective_on', from: after.termination_effective_on, until: before.termination_effective_on },
  ] as const
  for (const { field, from, until } of lost) {
    if (!from || !until || from >= until) continue
    for (const [table, column, one] of DATED) {
      const entry = await db
        .from(table)
        .select(['id', `${column} as day`])
        .where('employee_id', '=', after.employee_id)
        .where(column, '>=', from)
        .where(column, '<', until)
        .orderBy(column)
        .limit(1)
        .executeTakeFirst()
      if (entry)
        return fail(
          field,
          'passes_next',
          `cannot be ${after[field]}: ${one} ${entry.id} starts on ${entry.day}, which would not be in the employment. Change that ${one} first`,
        )
    }
  }
}

export const formerEmploymentRules = [
  endsAfterStart,
  inOrder('hired_on', 'probation_ends_on'),
  overlapsNone,
  keepsEntries,
]

/** The last day that each of these people was no longer employed before the current employment: it starts on that day or later. */
export async function formerEnds(db: Reader, ids: readonly number[]): Promise<Map<number, string>> {
  const ends = new Map<number, string>()
  for (const some of chunks([...new Set(ids)], 1000))
    for (const [id, own] of await formersOf(db, some)) ends.set(id, own.at(-1)?.termination_effective_on as string)
  return ends
}

/** The people whose current employment became a former one in this write, or the reverse: their first day did not just move. */
export function employmentsReplaced(db: Writer): Set<number> {
  const changes = db.changes()
  const started = new Set(
    changes.flatMap(({ resource, record_id, after }) =>
      resource === employees.table && after && 'hired_on' in after ? record_id : [],
    ),
  )
  return new Set(
    changes.flatMap(({ resource, action, owner_id }) =>
      resource === formerEmployments.table && action !== 'update' && owner_id !== null && started.has(owner_id)
        ? owner_id
        : [],
    ),
  )
}

type TenureRule = Pick<Row<typeof companies>, 'tenure_from' | 'tenure_gap_months'>

/** From when tenure counts in each of some employments, which come in order. */
export function tenureDays(
  employments: readonly { hired_on: string; termination_effective_on: string | null }[],
  { tenure_from, tenure_gap_months }: TenureRule,
): string[] {
  const days: string[] = []
  for (const [index, { hired_on }] of employments.entries()) {
    // An employment that never started is none.
    const last = employments.slice(0, index).findLastIndex((one) => one.hired_on !== one.termination_effective_on)
    const before = employments[last]
    const end = before?.termination_effective_on ?? null
    const isBridged =
      tenure_from === 'first_hire' ||
      (tenure_from === 'bridged' && end !== null && hired_on <= monthsAfter(end, tenure_gap_months ?? 0))
    days.push(before && isBridged ? (days[last] as string) : hired_on)
  }
  return days
}

/** Stores from when tenure counts, for people with former employments, and for all of them that `isComplete` names. */
async function storeTenure(db: Writer, ids: readonly number[], isComplete = false): Promise<void> {
  const [rule] = await rowsOf(companies, db.from('companies'))
  for (const some of chunks([...new Set(ids)], 1000)) {
    const formers = await formersOf(db, some)
    const concerned = isComplete ? some : [...formers.keys()]
    if (concerned.length === 0) continue
    const people = await rowsOf(employees, db.from('employees').where('id', 'in', concerned))
    const own: Attempt<typeof employees>[] = []
    const before: Attempt<typeof formerEmployments>[] = []
    for (const person of people) {
      const former = formers.get(person.id) ?? []
      const current = person.hired_on === null ? [] : [{ ...person, hired_on: person.hired_on }]
      const employments = [...former, ...current]
      const days = tenureDays(employments, rule as TenureRule)
      const stored = employments.map(({ hired_on }, index) =>
        days[index] === hired_on ? null : (days[index] as string),
      )
      before.push(
        ...former.map((one, index) =>
          attempt(db, formerEmployments, one, { stored_tenure_since: stored[index] as string | null }),
        ),
      )
      const since = current.length > 0 ? (days.at(-1) as string) : null
      const stored_tenure_since = current.length > 0 ? (stored.at(-1) as string | null) : null
      const hired_day_of_year = since === null ? null : dayOfYear(since)
      own.push(attempt(db, employees, person, { stored_tenure_since, hired_day_of_year }))
    }
    await storeChanges(db, employees, own)
    await storeChanges(db, formerEmployments, before)
  }
}

const idsOf = (changes: readonly Change[]): number[] =>
  changes.flatMap(({ resource, action, record_id, owner_id, after }) =>
    resource === formerEmployments.table
      ? (owner_id ?? [])
      : resource === employees.table && action === 'update' && after && 'hired_on' in after
        ? record_id
        : [],
  )

/** Tenure follows from the employments of a person and from the rule of the company. */
export const tenureFollows: Consequence = {
  of: [employees.table, formerEmployments.table, companies.table],
  async follow(db, changes) {
    const isOtherRule = changes.some(
      ({ resource, after }) =>
        resource === companies.table && after && ('tenure_from' in after || 'tenure_gap_months' in after),
    )
    const all = isOtherRule ? await db.from('former_employments').select('employee_id').distinct().execute() : []
    const ids = [...all.map(({ employee_id }) => employee_id as number), ...idsOf(changes)]
    if (ids.length > 0) await storeTenure(db, ids)
  },
}

/** One employment at a time, also when changes are undone. */
export const employmentsHold: UndoGuard = {
  tables: [employees.table, formerEmployments.table],
  derivedColumns: ['stored_tenure_since', 'hired_day_of_year'],
  async check(db, changes) {
    const ids = [...new Set(idsOf(changes))]
    await storeTenure(db, ids, true)
    for (const some of chunks(ids, 1000)) {
      const formers = await formersOf(db, some)
      const people = await db
        .from('employees')
        .select(['id', 'hired_on'])
        .where('id', 'in', [...formers.keys()])
        .execute()
      for (const { id, hired_on } of people) {
        const later = formers.get(id)?.find((one) => one.termination_effective_on > db.today)
        if (later)
          throw conflict(
            `This cannot be undone: former employment ${later.id} would end after today, on ${later.termination_effective_on}.`,
          )
        const own = [...(formers.get(id) ?? []), { hired_on: hired_on as string | null, termination_effective_on: '' }]
        if (
          own.some((one, index) => index > 0 && (one.hired_on ?? '') < (own[index - 1]?.termination_effective_on ?? ''))
        )
          throw conflict(`This cannot be undone: two employments of employee ${id} would then overlap.`)
      }
    }
  },
}
