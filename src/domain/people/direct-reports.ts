import type { Gift, HeldKind, Holder } from '../../engine/held.ts'
import { rowsOf } from '../../engine/records.ts'
import type { Query, Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { changeEmployees } from './employee-changes.ts'
import { employees } from './employees.ts'
import { entriesOf } from './job-changes.ts'
import { employeePositions } from './job-entries.ts'
import { fullName } from './person.ts'
import { isSomebody, withStatus } from './status.ts'

/** The people who report to somebody on a day, or who will: a planned job entry may name them too. */
function rows(db: Reader, { id, day }: Holder): Query {
  const lines = () =>
    db
      .from('employee_positions')
      .where('reporting_to_id', '=', id)
      .where('employee_positions.effective_until', '>', day)
  const people = withStatus(isSomebody(db.from('employees')), 'active', day)
  return people
    .select(['employees.id', 'first_name', 'middle_name', 'last_name'])
    .select((eb) =>
      lines()
        .whereRef('employee_positions.employee_id', '=', 'employees.id')
        .select(eb.fn.min('employee_positions.effective_from').as('first'))
        .as('starts_on'),
    )
    .where('employees.id', 'in', lines().select('employee_id'))
    .where('employees.id', '!=', id)
    .orderBy('employees.id')
}

/** Each entry that names the holder from the day on names the new manager: the one in force on the day, and planned ones. */
async function give(db: Writer, gifts: readonly Gift[], holder: Holder): Promise<void> {
  const ids = gifts.map(({ id }) => id)
  const people = new Map(
    (await rowsOf(employees, db.from('employees').where('id', 'in', ids))).map((one) => [one.id, one]),
  )
  const done = new Set<string>()
  for (;;) {
    // A planned entry that the caller may not see stays as it is.
    const entries = await entriesOf(db.responseReader ?? db, employeePositions, ids)
    const changes = gifts.flatMap(({ id, to, problems }) => {
      const next = entries.get(id)?.find((one) => one.reporting_to_id === holder.id && one.effective_until > holder.day)
      const before = people.get(id)
      if (!next || !before || problems.length > 0) return []
      const effectiveFrom = next.effective_from > holder.day ? next.effective_from : holder.day
      if (done.has(`${id} ${effectiveFrom}`)) return []
      done.add(`${id} ${effectiveFrom}`)
      return { before, body: { reporting_to_id: to }, extra: {}, ignored: new Set<string>(), problems, effectiveFrom }
    })
    if (changes.length === 0) return
    await changeEmployees(db, changes)
  }
}

export const directReports: HeldKind = {
  kind: 'direct_reports',
  of: employees,
  note: 'People who report to the employee on that date, or will by a planned job entry; the ID is that of the person',
  otherwise: 'stays',
  role: 'manager',
  rows,
  nameOf: fullName,
  giving: { permission: 'employees:write', isDated: true, field: 'reporting_to_id', give },
}
