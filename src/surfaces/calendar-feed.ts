import type { FastifyInstance } from 'fastify'
import { findAccount } from '../domain/access/stored-accounts.ts'
import { type CalendarEvent, eventsBetween } from '../domain/calendar/calendar.ts'
import { rightsOfFeed } from '../domain/calendar/feeds.ts'
import { daysAfter } from '../engine/day.ts'
import { notFound } from '../engine/problem.ts'
import type { Caller } from '../records/caller.ts'
import { type Ledger, readAs } from '../records/ledger.ts'
import { noteActor } from './http/log.ts'

type FeedAddress = { account: string; key: string; secret: string }

/** The calendar as an iCalendar feed, as the key sees it whose feed it is. */
export function serveCalendarFeed(app: FastifyInstance, ledger: Ledger): void {
  app.get<{ Params: FeedAddress }>('/calendars/:account/:key/:secret.ics', async (request, reply) => {
    const [accountId, keyId] = [request.params.account, request.params.key].map(numbered) as [number, number]
    const account = await findAccount(ledger.database, accountId)
    const rights = account && (await rightsOfFeed(ledger, account, keyId, request.params.secret))
    if (!account || !rights) throw notFound()
    noteActor(request, accountId, { kind: 'key', id: keyId })
    const caller: Caller = {
      account,
      actor: { kind: 'key', id: keyId },
      ...rights,
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
      .header('cache-control', 'private, no-store')
      .send(calendarText(events, ledger.clock()))
  })
}

/** An id as it stands in an address; -1, which nothing has, for what is none. */
const numbered = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : -1)

/** What an event is about, whatever else is said of it. */
const idsIn = (data: CalendarEvent['data']) =>
  Object.entries(data).flatMap(([name, id]) => (name.endsWith('_id') && name !== 'user_id' ? [id] : []))

/** RFC 5545: whole-day events, the end being the day after the last. */
function calendarText(events: CalendarEvent[], now: Date): string {
  const day = (date: string) => date.replaceAll('-', '')
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')
  const lines = events.flatMap((event) => [
    'BEGIN:VEVENT',
    `UID:${event.type}-${idsIn(event.data).join('-')}-${event.starts_on}@cadre`,
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
