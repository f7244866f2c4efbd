import { sql } from 'kysely'
import { withTables } from '../../database/compile.ts'
import { FOREVER, hasOwnField } from '../../engine/dated.ts'
import { byId } from '../../engine/join.ts'
import type { Attempt } from '../../engine/records.ts'
import { decode } from '../../engine/resource.ts'
import { listsFor, show } from '../../engine/shape.ts'
import { prepared } from '../../records/prepared.ts'
import { type Reader, wholeTable } from '../../records/reader.ts'
import { knownLeaving, type TerminationDates } from '../organisation/staff.ts'
import { employeePositions, holdingOn } from './job-entries.ts'
import { personShort } from './person.ts'
import { withStatus } from './status.ts'

/** A period in which one person reports to another. */
export type ReportingPeriod = {
  reporting_to_id: number | null
  effective_from: string
  effective_until: string
  /** The fields that the entry says itself; the others are those of the entry before. */
  stated: readonly string[] | null
}

type ReportingRange = Omit<ReportingPeriod, 'stated'>

/** Who reports to whom and when, as far up as it can be followed from some people. */
export class ReportingLines {
  readonly #lines: Map<number, ReportingPeriod[]>

  constructor(lines: Map<number, ReportingPeriod[]>) {
    this.#lines = lines
  }

  /** Two statements, however many people and however long their chains are. */
  static async above(db: Reader, people: number[]): Promise<ReportingLines> {
    const all = await db.reach('employee_positions', 'employee_id', 'reporting_to_id', people)
    const columns = ['employee_id', 'reporting_to_id', 'effective_from', 'effective_until', 'stated']
    const found = await db.from('employee_positions').select(columns).where('employee_id', 'in', all).execute()
    const rows = found.map((row) => decode(employeePositions, row))
    return new ReportingLines(Map.groupBy(rows, (row) => row.employee_id))
  }

  /** Would these lines of a person lead back to them on any day? */
  wouldCircle(person: number, lines: ReportingPeriod[]): boolean {
    const seen = new Set<string>()
    const open: ReportingRange[] = [...lines]
    for (let line = open.pop(); line; line = open.pop()) {
      const above = line.reporting_to_id
      if (above === null) continue
      if (above === person) return true
      const step = `${above} ${line.effective_from} ${line.effective_until}`
      if (seen.has(step)) continue
      seen.add(step)
      for (const next of this.#lines.get(above) ?? []) {
        const from = later(next.effective_from, line.effective_from)
        const until = earlier(next.effective_until, line.effective_until)
        if (from < until)
          open.push({ reporting_to_id: next.reporting_to_id, effective_from: from, effective_until: until })
      }
    }
    return false
  }

  of(person: number): ReportingPeriod[] {
    return this.#lines.get(person) ?? []
  }

  /** From now on, these are the lines of a person. */
  set(person: number, lines: ReportingPeriod[]): void {
    this.#lines.set(person, lines)
  }
}

const later = (one: string, other: string) => [one, other].sort()[1] as string
const earlier = (one: string, other: string) => [one, other].sort()[0] as string

/** Entries in the order of their days, each until the next one begins, and with what the one before says. */
export function timeline(lines: ReportingPeriod[]): ReportingPeriod[] {
  const inOrder = [...lines].sort((a, b) => (a.effective_from < b.effective_from ? -1 : 1))
  let above = inOrder[0]?.reporting_to_id ?? null
  return inOrder.map((line, index) => {
    if (hasOwnField(line, 'reporting_to_id')) above = line.reporting_to_id
    return { ...line, reporting_to_id: above, effective_until: inOrder[index + 1]?.effective_from ?? FOREVER }
  })
}

/**
 * Nobody begins to report to somebody who has left by then: one statement for all that name another manager. When somebody
 * leaves whom the caller does not see is not told by a refusal: of them only counts whether they are there today.
 */
export async function refuseFormerManagers(
  db: Reader,
  attempts: readonly (Pick<Attempt<typeof employeePositions>, 'changes' | 'fail'> & {
    /** The day from which they would. */
    day: string
    /** Whom they report to already. */
    known: number | null | undefined
  })[],
): Promise<void> {
  const named = attempts.flatMap(({ changes: { reporting_to_id: id }, fail, day, known }) =>
    typeof id === 'number' && id !== known ? [{ id, fail, day }] : [],
  )
  if (named.length === 0) return
  const ids = [...new Set(named.map(({ id }) => id))]
  const seen =
    db.responseReader &&
    new Set(
      (await db.responseReader.from('employees').select('id').where('id', 'in', ids).execute()).map(({ id }) => id),
    )
  const rows = await db
    .from('employees')
    .select(['id', 'termination_effective_on', 'termination_announced_on'])
    .where('id', 'in', ids)
    .where('termination_effective_on', 'is not', null)
    .execute()
  const leaving = new Map(rows.map((row) => [row.id, knownLeaving(db, row as TerminationDates)]))
  for (const { id, fail, day } of named)
    if ((leaving.get(id) ?? FOREVER) <= (seen?.has(id) === false ? earlier(day, db.today) : day))
      fail('reporting_to_id', 'terminated', `is an employee who has left by ${day}`)
}

const reportingTo = (asOf: boolean) =>
  prepared<{ day: string; ids: number[] }>((from, { day, ids }) => {
    const entries = holdingOn(from('employee_positions'), 'employee_positions', { day, asOf })
      .innerJoin('employees', byId('employees', 'employee_positions.employee_id'))
      .select(['employee_positions.employee_id', 'employee_positions.reporting_to_id'])
      .where('employee_positions.reporting_to_id', 'in', ids)
      .orderBy('employee_positions.employee_id')
    return withStatus(entries, 'active', day)
  })
const [reportsToday, reportsThen] = [reportingTo(false), reportingTo(true)]

/** Those who report to each of these people on the day that is looked at; null for those to whom nobody does. */
export async function loadDirectReports(db: Reader, ids: number[]): Promise<Map<number, unknown>> {
  const { day, asOf } = db.view
  const rows = await db.run(asOf ? reportsThen : reportsToday, { day, ids })
  const people = await show(db, personShort, [...new Set(rows.map((row) => row.employee_id))])
  const shown = new Map(people.map((person) => [person.id, person]))
  const reports = listsFor(
    ids,
    rows.map((row) => [row.reporting_to_id, shown.get(row.employee_id)]),
  )
  return new Map([...reports].map(([id, list]) => [id, list.length > 0 ? list : null]))
}

/** The ids of all who report to somebody today, directly or through others, as a part of a statement. */
export const peopleBelow = (db: Reader, id: number) => {
  const { account, today } = db
  const lines = sql.table(wholeTable(db, 'employee_positions'))
  const holds = sql`line.account_id = ${account.id} and line.effective_from <= ${today} and line.effective_until > ${today}`
  // The name of the recursive part is no table: nothing else is declared.
  const below = withTables([], sql.raw('from below'))
  return sql<number>`(with recursive below (id) as (
      select line.employee_id from ${lines} line where ${holds} and line.reporting_to_id = ${id}
      union
      select line.employee_id ${below} join ${lines} line on ${holds} and line.reporting_to_id = below.id
    ) select id ${below})`
}
