import { daysAfter } from '../../engine/day.ts'
import { byId } from '../../engine/join.ts'
import { dateIn, type Reader } from '../../records/reader.ts'

type TimeZonePeriod = { employee_id: number; effective_from: string; effective_until: string; time_zone: string }

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
  // Of two places on earth, one is at most a day and some hours ahead of the other.
  const rows = (await db
    .from('employee_positions as p')
    .innerJoin('locations as l', byId('l', 'p.location_id'))
    .select(['p.employee_id', 'p.effective_from', 'p.effective_until', 'l.time_zone'])
    .where('p.employee_id', 'in', employeeIds)
    .where('p.effective_from', '<=', daysAfter(last.slice(0, 10), 2))
    .where('p.effective_until', '>', daysAfter(first.slice(0, 10), -2))
    .orderBy('p.effective_from')
    .execute()) as TimeZonePeriod[]
  const stays = Map.groupBy(rows, (row) => row.employee_id)
  return (employeeId, startsAt, endsAt) => {
    const moment = new Date(startsAt)
    const own = stays.get(employeeId) ?? []
    // Which day it is depends on the place, and the place on the day: they are where it is their day there.
    const isThere = ({ time_zone, effective_from, effective_until }: TimeZonePeriod) => {
      const day = dateIn(time_zone, moment)
      return effective_from <= day && day < effective_until
    }
    // Just before somebody's first place, it is the day that it is there.
    const next = own.find(({ time_zone, effective_from }) => dateIn(time_zone, moment) < effective_from)
    const zone = (own.findLast(isThere) ?? next)?.time_zone ?? db.account.time_zone
    return { zone, day: localDayOf(zone, startsAt, endsAt) }
  }
}

/** The local day of a stretch of time; undefined when it reaches into another day. Midnight ends a day. */
function localDayOf(zone: string, startsAt: string, endsAt: string): string | undefined {
  const day = dateIn(zone, new Date(startsAt))
  return dateIn(zone, new Date(Date.parse(endsAt) - 1)) === day ? day : undefined
}
