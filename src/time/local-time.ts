import { inForce } from '../engine/dated.ts'
import { byId } from '../engine/join.ts'
import { dateIn, type Reader } from '../ledger/reader.ts'

/** The time zone of each of these people: that of their location today, else the account's. */
export async function timeZonesOf(db: Reader, employeeIds: number[]): Promise<(employeeId: number) => string> {
  const rows = employeeIds.length
    ? await inForce(db.from('employee_positions'), 'employee_positions', db.today)
        .innerJoin('locations', byId('locations', 'employee_positions.location_id'))
        .select(['employee_positions.employee_id', 'locations.time_zone'])
        .where('employee_positions.employee_id', 'in', employeeIds)
        .execute()
    : []
  const zones = new Map(rows.map((row) => [row.employee_id, row.time_zone as string]))
  return (employeeId) => zones.get(employeeId) ?? db.account.time_zone
}

/** The local day of a stretch of time; undefined when it reaches into another day. Midnight ends a day. */
export function localDayOf(zone: string, startsAt: string, endsAt: string): string | undefined {
  const day = dateIn(zone, new Date(startsAt))
  return dateIn(zone, new Date(Date.parse(endsAt) - 1)) === day ? day : undefined
}
