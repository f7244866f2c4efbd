import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { FIELD_GROUPS } from '../access/permissions.ts'
import { findAccount } from '../access/stored-accounts.ts'
import { type Event, eventsBetween, feedKey } from '../calendar/calendar.ts'
import { daysAfter } from '../engine/day.ts'
import { notFound } from '../engine/problem.ts'
import type { Caller } from '../ledger/caller.ts'
import { type Ledger, readAs } from '../ledger/ledger.ts'

/** The calendar as an iCalendar feed: whoever has the address may read it, so it tells no birthdays. */
export function serveCalendarFeed(app: FastifyInstance, ledger: Ledger): void {
  app.get<{ Params: { account: string; key: string } }>('/calendars/:account/:key.ics', async (request, reply) => {
    const account = await findAccount(ledger.database, Number(request.params.account) || -1)
    const [given, expected] = [Buffer.from(request.params.key), Buffer.from(account ? feedKey(account) : '')]
    if (!account || given.length !== expected.length || !timingSafeEqual(given, expected)) throw notFound()
    const caller: Caller = {
      account,
      actor: { kind: 'anybody' },
      personId: null,
      permissions: [],
      withheld: new Set(FIELD_GROUPS),
      origin: '',
      address: request.ip,
      requestId: String(request.id),
      correlationId: String(request.id),
    }
    const events = await readAs(ledger, caller, (db) =>
      eventsBetween(db, daysAfter(db.today, -60), daysAfter(db.today, 300)),
    )
    return reply
      .type('text/calendar; charset=utf-8')
      .header('cache-control', 'private, max-age=300')
      .send(calendarText(events, ledger.clock()))
  })
}

/** RFC 5545: whole-day events, the end being the day after the last. */
function calendarText(events: Event[], now: Date): string {
  const day = (date: string) => date.replaceAll('-', '')
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')
  const lines = events.flatMap((event) => [
    'BEGIN:VEVENT',
    `UID:${event.type}-${Object.values(event.data).join('-')}-${event.starts_on}@cadre`,
    `DTSTAMP:${stamp}`,
    `DTSTART;VALUE=DATE:${day(event.starts_on)}`,
    `DTEND;VALUE=DATE:${day(daysAfter(event.ends_on, 1))}`,
    `SUMMARY:${escaped(event.title)}`,
    `CATEGORIES:${event.type.toUpperCase()}`,
    'END:VEVENT',
  ])
  const all = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Cadre//Calendar//EN', ...lines, 'END:VCALENDAR']
  return `${all.map(folded).join('\r\n')}\r\n`
}

/** Lines of at most 75 bytes, continued behind a space; never inside a character. */
function folded(line: string): string {
  const parts: string[] = []
  let part = ''
  for (const letter of line) {
    if (Buffer.byteLength(part + letter) > 73) {
      parts.push(part)
      part = ''
    }
    part += letter
  }
  return [...parts, part].join('\r\n ')
}
