import { mendEntries } from '../../engine/dated.ts'
import type { Row } from '../../engine/declaration.ts'
import { conflict, refuse } from '../../engine/problem.ts'
import { amend, rowsOf, type UndoneChange } from '../../engine/records.ts'
import { attemptsIn, valuesAfter } from '../../engine/undo/guard-queries.ts'
import type { UndoGuard } from '../../engine/undo/guards.ts'
import { chunks } from '../../records/chunks.ts'
import type { Change } from '../../records/entries.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { employeeFieldValues } from './custom-values.ts'
import { employees } from './employees.ts'
import { entriesOf, holdingAmong } from './job-changes.ts'
import { employeePositions, employmentStatuses } from './job-entries.ts'
import { isPlaceholder } from './placeholder.ts'
import { deriveProbation, policyAmong } from './probation.ts'
import { ReportingLines, refuseFormerManagers } from './reporting-lines.ts'

/** What holds of people, their jobs and their teams, also when changes of them are undone. */

/** The values of a column of changed records, as they were and as they are. */
const ownersOf = (changes: readonly Change[]) => [...new Set(changes.flatMap(({ owner_id }) => owner_id ?? []))]

/** Entries end where the next ones begin; nobody reports to themselves, nor begins to report to somebody who has left. */
const jobsHold: UndoGuard = {
  tables: ['employee_positions', 'employment_statuses'],
  derivedColumns: ['effective_until', 'known_on', 'end_announced_on'],
  async check(db, changes, undone) {
    const [positions, statuses] = [employeePositions, employmentStatuses].map(({ table }) =>
      changes.filter(({ resource }) => resource === table),
    ) as [Change[], Change[]]
    const [moved, ownFieldsAfter] = [ownersOf(positions), ownersOf(statuses)]
    await mendEntries(db, employeePositions, 'employee_id', moved)
    await mendEntries(db, employmentStatuses, 'employee_id', ownFieldsAfter)
    await refuseLeavers(db, positions, undone)
    for (const some of chunks(moved, 1000)) {
      const lines = await ReportingLines.above(db, some)
      const person = some.find((id) => lines.wouldCircle(id, lines.of(id)))
      if (person)
        throw conflict(
          `This cannot be undone: employee ${person} would then report to themselves, directly or through others.`,
        )
    }
    await moveProbation(
      db,
      db.changes().filter(({ resource }) => resource === employmentStatuses.table),
    )
    await db.touch('employees', [...moved, ...ownFieldsAfter])
  },
}

/** Whom they reported to the day before, and who had left already when that was changed, they may go on to report to. */
async function refuseLeavers(db: Writer, changes: readonly Change[], undone: UndoneChange): Promise<void> {
  const attempts = await attemptsIn(db, employeePositions, changes, undone)
  const named = attempts.flatMap(({ after }) => after.reporting_to_id ?? [])
  if (named.length === 0) return
  const leaving = await valuesAfter(db, 'employees', ['termination_effective_on'], named, undone)
  const entries = await entriesOf(
    db,
    employeePositions,
    attempts.map(({ after }) => after.employee_id),
  )
  await refuseFormerManagers(
    db,
    attempts.flatMap(({ before, changes, after, fail }) => {
      const day = after.effective_from
      const left = leaving.get(after.reporting_to_id ?? 0)?.termination_effective_on as string | null | undefined
      if (left && left <= day) return []
      const earlier = holdingAmong(
        (entries.get(after.employee_id) ?? []).filter(({ effective_from }) => effective_from < day),
        day,
      )
      const isMoved = before === null || before.effective_from !== day
      const known = isMoved ? earlier?.reporting_to_id : before.reporting_to_id
      return [{ changes: isMoved ? after : changes, fail, day, known }]
    }),
  )
  refuse(attempts[0]?.problems ?? [])
}

type EmploymentStatus = Row<typeof employmentStatuses>

/** An end of probation that followed from a policy follows from the one that holds again, where it is not put back itself. */
async function moveProbation(db: Writer, changes: readonly Change[]): Promise<void> {
  const ids = ownersOf(changes)
  const putBack = new Set(
    db
      .changes()
      .flatMap(({ resource, record_id, after }) =>
        resource === 'employees' && 'probation_ends_on' in (after ?? {}) ? record_id : [],
      ),
  )
  const people = (await byId(db, ids)).filter(({ id }) => !putBack.has(id))
  if (people.length === 0) return
  const entries = await entriesOf(
    db,
    employmentStatuses,
    people.map(({ id }) => id),
  )
  const moves = people.map((person) => {
    const day = person.hired_on && person.hired_on > db.today ? person.hired_on : db.today
    const now = entries.get(person.id) ?? []
    const before = { ...person, policyId: policyAmong(asTheyStood(now, changes, person.id), day) }
    return { before, hired_on: person.hired_on, policyId: policyAmong(now, day), isSent: false }
  })
  const ends = await deriveProbation(db, moves)
  for (const [index, person] of people.entries()) await amend(db, employees, person, ends[index] ?? {})
}

/** The entries of somebody as they stood before they were put back. */
function asTheyStood(
  now: readonly EmploymentStatus[],
  changes: readonly Change[],
  employeeId: number,
): EmploymentStatus[] {
  const stood = new Map(now.map((entry) => [entry.id, entry]))
  for (const { record_id, action, before, owner_id } of changes.toReversed()) {
    if (owner_id !== employeeId) continue
    if (action === 'create') stood.delete(record_id)
    else stood.set(record_id, { ...(stood.get(record_id) as EmploymentStatus), ...before, id: record_id })
  }
  return [...stood.values()].sort((one, other) => (one.effective_from < other.effective_from ? -1 : 1))
}

async function byId(db: Reader, ids: readonly number[]): Promise<Row<typeof employees>[]> {
  const found: Row<typeof employees>[] = []
  for (const some of chunks(ids, 1000))
    found.push(...(await rowsOf(employees, db.from('employees').where('id', 'in', some))))
  return found
}

/** What begins with the employment moves with its first day. */
const FIRST_DAYS = {
  employees: 'hired_on',
  employee_positions: 'effective_from',
  employment_statuses: 'effective_from',
  salaries: 'effective_on',
  employee_field_values: 'effective_from',
  employee_leave_types: 'effective_on',
}
const jobMovesWithHiring: UndoGuard = { tables: Object.keys(FIRST_DAYS), linkedColumns: FIRST_DAYS }

/** Whoever stands in for those who were erased stays as they are. */
const standInStays: UndoGuard = {
  tables: ['employees'],
  async check(db, changes) {
    const gone = changes.flatMap(({ action, before }) => (action === 'delete' && before ? [before as never] : []))
    const there = await byId(db, [...new Set(changes.map(({ record_id }) => record_id))])
    if ([...there, ...gone].some(isPlaceholder))
      throw conflict('This cannot be undone: this employee is the placeholder for erased people and cannot be changed.')
  },
}

/** Dated values of custom fields end where the next ones begin. */
const valuesHold: UndoGuard = {
  tables: ['employee_field_values'],
  derivedColumns: ['effective_until'],
  async check(db, changes) {
    await mendEntries(db, employeeFieldValues, 'employee_id', ownersOf(changes), ['employee_field_id'])
    await db.touch('employees', ownersOf(changes))
  },
}

/** The lead of a team is not among its members. */
const leadIsNoMember: UndoGuard = {
  tables: ['teams', 'team_members'],
  async check(db, changes) {
    const ids = changes.flatMap(({ resource, record_id, owner_id }) =>
      resource === 'teams' ? record_id : (owner_id ?? []),
    )
    for (const some of chunks([...new Set(ids)], 1000)) {
      const both = await db
        .from('team_members as m')
        .innerJoin('teams as t', (on) => on.onRef('t.account_id', '=', 'm.account_id').onRef('t.id', '=', 'm.team_id'))
        .select('t.id')
        .where('t.id', 'in', some)
        .whereRef('m.user_id', '=', 't.team_lead_id')
        .executeTakeFirst()
      if (both)
        throw conflict(
          `This cannot be undone: the lead of team ${both.id} would then also be one of its members. Change the lead of the team first.`,
        )
    }
  },
}

export const peopleGuards = [standInStays, jobsHold, jobMovesWithHiring, valuesHold, leadIsNoMember]
