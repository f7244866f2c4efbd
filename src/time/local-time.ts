import { daysAfter } from '../engine/day.ts'
import { byId } from '../engine/join.ts'
import { dateIn, type Reader } from '../ledger/reader.ts'

type Stay = { employee_id: number; effective_from: string; effective_until: string; time_zone: string }

/** A stretch of time where somebody is: its time zone and its day there, undefined when it reaches into another day. */
export type LocalDay = { zone: string; day: string | undefined }

/**
 * Where these people are in a stretch of time: in the zone of their location on the day of the entry, else in the
 * account's. One statement for all that lies between two moments.
 */
export async function localDays(
  db: Reader,
  employeeIds: number[],
  first: string,
  last: string,
): Promise<(employeeId: number, startsAt: string, endsAt: string) => LocalDay> {
  // Of two places on earth, one is at most a day ahead of the other.
  const rows = (await db
    .from('employee_positions as p')
    .innerJoin('locations as l', byId('l', 'p.location_id'))
    .select(['p.employee_id', 'p.effective_from', 'p.effective_until', 'l.time_zone'])
    .where('p.employee_id', 'in', employeeIds)
    .where('p.effective_from', '<=', daysAfter(last.slice(0, 10), 1))
    .where('p.effective_until', '>', daysAfter(first.slice(0, 10), -1))
    .execute()) as Stay[]
  const stays = Map.groupBy(rows, (row) => row.employee_id)
  return (employeeId, startsAt, endsAt) => {
    const zoneOn = (day: string) =>
      stays.get(employeeId)?.find((stay) => stay.effective_from <= day && stay.effective_until > day)?.time_zone ??
      db.account.time_zone
    // Which day it is depends on the place, and the place on the day: only around a move is the second look another.
    const moment = new Date(startsAt)
    const zone = zoneOn(dateIn(zoneOn(startsAt.slice(0, 10)), moment))
    return { zone, day: localDayOf(zone, startsAt, endsAt) }
  }
}

/** The local day of a stretch of time; undefined when it reaches into another day. Midnight ends a day. */
function localDayOf(zone: string, startsAt: string, endsAt: string): string | undefined {
  const day = dateIn(zone, new Date(startsAt))
  return dateIn(zone, new Date(Date.parse(endsAt) - 1)) === day ? day : undefined
}
