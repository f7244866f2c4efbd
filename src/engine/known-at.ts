import Type from 'typebox'
import { MOST_TAKEN_BACK } from '../records/historical-readers.ts'
import { dateIn, type Moment, type Reader, startOfDay } from '../records/reader.ts'
import { daysAfter } from './day.ts'
import type { Lens } from './derive.ts'
import { isDate, readTimestamp } from './format.ts'
import { requirePermission } from './permission.ts'
import { malformed, wrong } from './problem.ts'
import { kindOf, pastTableOf } from './resource.ts'

/** The parameter `known_at`: records as they were at a change number of the ledger, or at a time. */

const WRITTEN = 'a change number like 1204, a time like 2024-01-31T09:30:00Z, or a date like 2024-01-31'

/** `known_at=…`, for operations that read from no other tables than these. */
export function knownAt(tables: () => readonly string[]): Lens {
  return {
    takesLong: true,
    schema: Type.String({
      maxLength: 64,
      examples: ['2026-01-31'],
      description: `Show the data as Cadre had it recorded at this point, without later changes: ${WRITTEN}, meaning the end of that day in the account's time zone. \`as_of\` chooses the day for which the data applies; by default it is the day of \`known_at\`. Requires the \`audits:read\` permission too`,
    }),
    async look(db, sent: string) {
      // What was taken back or deleted since is for those who may read the past.
      requirePermission(db.caller, 'audits:read')
      const then = await momentOf(db, sent)
      if (!db.asKnownAt) throw new Error('A write cannot use known_at')
      const past = await db.asKnownAt(
        then,
        [...new Set(tables())].map((table) => pastTableOf(kindOf(table))),
      )
      if (past) return past
      const most = MOST_TAKEN_BACK.toLocaleString('en')
      throw refused(
        'too_early',
        `is too early: these records have changed more than ${most} times after it. Send a later time`,
      )
    },
  }
}

const refused = (code: string, message: string) => malformed(wrong('known_at', code, message))

async function momentOf(db: Reader, sent: string): Promise<Moment> {
  const entries = db.from('ledger').select(['no', 'at'])
  const last = (await entries.orderBy('no', 'desc').limit(1).executeTakeFirst())?.no ?? 0
  if (/^\d+$/.test(sent)) {
    const number = Number(sent)
    if (number > last)
      throw refused(
        'too_late',
        `is beyond the last change number, ${last}. Send a change number up to ${last}, a time like 2024-01-31T09:30:00Z, or a date like 2024-01-31`,
      )
    const entry = await entries.select('request_id').where('no', '=', number).executeTakeFirst()
    if (!entry) return { number, last, at: db.now }
    const { at, request_id } = entry
    // What one request changed became known at once: nobody has ever seen the half of it.
    const next = await entries
      .where('no', '>', number)
      .where((eb) => eb.or([eb('request_id', '!=', request_id), eb('at', '!=', at)]))
      .orderBy('no')
      .limit(1)
      .executeTakeFirst()
    return { number: next ? next.no - 1 : last, last, at }
  }
  const at = timeIn(db, sent)
  const entry = await entries
    .where('at', '<=', at)
    .orderBy('at', 'desc')
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { number: entry?.no ?? 0, last, at }
}

/** The time that is meant: a day is known when it is over. */
function timeIn({ account, now }: Reader, sent: string): string {
  const zone = account.time_zone
  if (isDate(sent)) {
    if (sent >= dateIn(zone, new Date(now)))
      throw refused(
        'too_late',
        `cannot be ${sent}: that day is not over yet. Send an earlier day, or a time that has passed, like ${now}`,
      )
    return new Date(startOfDay(daysAfter(sent, 1), zone).getTime() - 1).toISOString()
  }
  const at = readTimestamp(sent)
  if (at === undefined) throw refused('invalid', `must be ${WRITTEN}`)
  if (at > now) throw refused('too_late', `cannot be in the future: it is now ${now}`)
  return at
}
