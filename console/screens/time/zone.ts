/** Converts between timestamps and local times at a place, including days with 23 and 25 hours. */

const formats = new Map<string, Intl.DateTimeFormat>()
function formatIn(zone: string): Intl.DateTimeFormat {
  const known =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
  formats.set(zone, known)
  return known
}

/** `{ day: '2026-11-15', time: '08:30' }` */
export function onTheWall(at: string | number, zone: string): { day: string; time: string } {
  const parts = Object.fromEntries(
    formatIn(zone)
      .formatToParts(new Date(at))
      .map(({ type, value }) => [type, value]),
  )
  return { day: `${parts.year}-${parts.month}-${parts.day}`, time: `${parts.hour}:${parts.minute}` }
}

const offsetAt = (moment: number, zone: string) => {
  const { day, time } = onTheWall(moment, zone)
  return Date.parse(`${day}T${time}:00Z`) - Math.floor(moment / 60_000) * 60_000
}

/**
 * The timestamp of a local time. If the clock shows it twice, it is the first. If the clock skips it, the time moves
 * forward by the skipped hour, so a day without midnight starts at its first moment.
 */
export function momentOf(day: string, time: string, zone: string): string {
  const wall = Date.parse(`${day}T${time}:00Z`)
  const both = [-1, 1].map((side) => wall - offsetAt(wall + side * DAY, zone))
  const shown = both.filter((at) => offsetAt(at, zone) === wall - at)
  return new Date(shown.length > 0 ? Math.min(...shown) : Math.max(...both)).toISOString()
}

const DAY = 86_400_000
