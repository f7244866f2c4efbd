import { daysAfter } from '../../engine/day.ts'
import { byId } from '../../engine/join.ts'
import { dateIn, type Reader, startOfDay } from '../../records/reader.ts'

type TimeZonePeriod = { employee_id: number; effective_from: string; effective_until: string; time_zone: string }

/**
 * The time zone of these people at a moment: that of their location on the day there, else the account's. One statement
 * for all that lies between two moments.
 */
export async function localZones(
  db: Reader,
  employeeIds: number[],
  first: string,
  last: string,
): Promise<(employeeId: number, startsAt: string) => string> {
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
  return (employeeId, startsAt) => {
    const moment = new Date(startsAt)
    const own = stays.get(employeeId) ?? []
    // Which day it is depends on the place, and the place on the day: they are where it is their day there.
    const isThere = ({ time_zone, effective_from, effective_until }: TimeZonePeriod) => {
      const day = dateIn(time_zone, moment)
      return effective_from <= day && day < effective_until
    }
    // Just before somebody's first place, it is the day that it is there.
    const next = own.find(({ time_zone, effective_from }) => dateIn(time_zone, moment) < effective_from)
    return (own.findLast(isThere) ?? next)?.time_zone ?? db.account.time_zone
  }
}

/** The longest time that ends on the next day, in milliseconds. */
const LONGEST_NIGHT = 24 * 3_600_000

export const minutesBetween = (from: string, until: string) =>
  Math.floor((Date.parse(until) - Date.parse(from)) / 60_000)

/** The local day on which a time starts, its minutes, and those after midnight; undefined if it is too long. */
export function timesIn(zone: string, startsAt: string, endsAt: string) {
  const date = dateIn(zone, new Date(startsAt))
  const next = daysAfter(date, 1)
  // Midnight ends a day.
  const lastDay = dateIn(zone, new Date(Date.parse(endsAt) - 1))
  const minutes = minutesBetween(startsAt, endsAt)
  if (lastDay === date) return { date, minutes, minutes_after_midnight: 0 }
  if (lastDay !== next || Date.parse(endsAt) - Date.parse(startsAt) > LONGEST_NIGHT) return undefined
  const midnight = startOfDay(next, zone).toISOString()
  return { date, minutes, minutes_after_midnight: minutesBetween(midnight, endsAt) }
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** How far a time zone is ahead of UTC at a moment, in milliseconds. */
function offsetAt(zone: string, moment: number): number {
  const clock =
    clocks.get(zone) ?? new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  clocks.set(zone, clock)
  return Date.parse(`${clock.format(moment).replace(' ', 'T')}Z`) - moment
}

/** The moment at which clocks in a time zone show a time of a day (`HH:MM`), in milliseconds. */
export function momentAt(zone: string, day: string, time: string): number {
  const inUtc = Date.parse(`${day}T${time}:00Z`)
  // The offset is that of the moment itself, which may lie on the other side of a clock change.
  return inUtc - offsetAt(zone, inUtc - offsetAt(zone, inUtc))
}
