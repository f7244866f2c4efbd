import { withoutHeldBack } from '../../engine/access-scope/held-back.ts'
import type { Row } from '../../engine/declaration.ts'
import { plain } from '../../engine/derive.ts'
import { date, reference, text } from '../../engine/field.ts'
import { isRecord } from '../../engine/filter.ts'
import { rowsOf } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { inOrder } from '../../engine/rule.ts'
import type { Reader } from '../../records/reader.ts'

/** Periods in which leave cannot be taken. */

export const blockedPeriods = resource(
  { table: 'blocked_periods', one: 'blocked period', area: 'leave' },
  {
    name: text({ required: true, searched: true, example: 'Year-end closing' }),
    starts_on: date({ required: true, note: 'First day on which leave cannot be taken', example: '2030-12-15' }),
    ends_on: date({ required: true, note: 'Last day on which leave cannot be taken', example: '2030-12-31' }),
    leave_type_id: reference('leave_types', { note: 'Leave type that cannot be taken; null: all of them' }),
    department_id: reference('departments', {
      note: 'Department to whose people it applies, with the departments below it; null: all departments',
    }),
    location_id: reference('locations', { note: 'Location to whose people it applies; null: all locations' }),
  },
)

type BlockedPeriod = Row<typeof blockedPeriods>

export const blockedPeriodOperations = plain(blockedPeriods, {
  rules: [inOrder('starts_on', 'ends_on')],
  sorts: ['starts_on'],
  filters: {
    leave_type_id: isRecord(blockedPeriods, 'leave_type_id'),
    department_id: isRecord(blockedPeriods, 'department_id'),
    location_id: isRecord(blockedPeriods, 'location_id'),
  },
})

/** The department with those above it and the location of a person, by their job on a day. */
export async function placesOf(db: Reader, employeeId: number, first: string, last = first) {
  const jobs = await withoutHeldBack(db)
    .from('employee_positions')
    .select(['department_id', 'location_id', 'effective_from', 'effective_until'])
    .where('employee_positions.employee_id', '=', employeeId)
    .where('employee_positions.effective_from', '<=', last)
    .where('employee_positions.effective_until', '>', first)
    .execute()
  const above = new Map<number | null, readonly number[]>()
  for (const { department_id: id } of jobs)
    if (id !== null && !above.has(id)) above.set(id, await db.reach('departments', 'id', 'parent_id', [id]))
  return (day: string) => {
    const job = jobs.find((one) => one.effective_from <= day && one.effective_until > day)
    return { departments: above.get(job?.department_id) ?? [], location: job?.location_id as number | null | undefined }
  }
}

/** The first of some days, in order, on which a person cannot take a type of leave. One statement if there are no blocked periods. */
export async function firstBlockedDay(
  db: Reader,
  { employee_id, leave_type_id }: { employee_id: number; leave_type_id: number },
  days: readonly string[],
): Promise<{ day: string; by: BlockedPeriod } | undefined> {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return undefined
  const overlapping = db.from('blocked_periods').where('starts_on', '<=', last).where('ends_on', '>=', first)
  const all = await rowsOf(blockedPeriods, overlapping, ['starts_on'])
  const own = all.filter((one) => one.leave_type_id === null || one.leave_type_id === leave_type_id)
  if (own.length === 0) return undefined
  const isAnywhere = own.every((one) => one.department_id === null && one.location_id === null)
  const placeOn = isAnywhere ? undefined : await placesOf(db, employee_id, first, last)
  for (const day of days) {
    const place = placeOn?.(day)
    const by = own.find(
      (one) =>
        one.starts_on <= day &&
        day <= one.ends_on &&
        (one.department_id === null || place?.departments.includes(one.department_id)) &&
        (one.location_id === null || one.location_id === place?.location),
    )
    if (by) return { day, by }
  }
  return undefined
}
