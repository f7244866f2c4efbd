import { byId } from '../../engine/join.ts'
import type { Reader } from '../../records/reader.ts'
import { versionsOf, WEEKDAYS, type WeekdayHours, workingPatterns } from '../organisation/working-patterns.ts'

/** The hours (in ten-thousandths) and working days (in ten-thousandths) of a person's week, from a day until before another. */
export type WorkingWeek = {
  readonly from: string
  readonly until: string
  readonly hours: number
  readonly days: number
}

/** The weeks of these people by the working patterns that they have, in order: one statement. */
export async function workingWeeksOf(db: Reader, employeeIds: readonly number[]): Promise<Map<number, WorkingWeek[]>> {
  const rows = await db
    .from('employment_statuses as s')
    .innerJoin('working_patterns as w', byId('w', 's.working_pattern_id'))
    .select(['s.employee_id', 's.effective_from', 's.effective_until', 'w.versions'])
    .select(WEEKDAYS.map((day) => `w.${day}_hours` as const))
    .where('s.employee_id', 'in', [...employeeIds])
    .orderBy('s.effective_from')
    .execute()
  const weeks = rows.flatMap(({ employee_id, effective_from, effective_until, versions: stored, ...row }) => {
    const versions = versionsOf({
      ...(row as never as WeekdayHours),
      versions: workingPatterns.fields.versions.read(stored),
    })
    return versions.flatMap(({ from, hours }, n) => {
      // What holds first holds before, too.
      const begins = n === 0 || from < effective_from ? effective_from : from
      const next = versions[n + 1]?.from ?? effective_until
      const until = next < effective_until ? next : effective_until
      return begins < until ? { employee_id, from: begins, until, ...weekOf(hours) } : []
    })
  })
  return Map.groupBy(weeks, ({ employee_id }) => employee_id as number)
}

const weekOf = (hours: readonly number[]) => ({
  hours: hours.reduce((sum, one) => sum + one, 0),
  days: hours.filter((one) => one > 0).length * 10_000,
})
