import { createHmac, timingSafeEqual } from 'node:crypto'
import Type from 'typebox'
import { integer, reference } from '../../engine/field.ts'
import { operation } from '../../engine/operation.ts'
import { permits } from '../../engine/permission.ts'
import { conflict, forbidden } from '../../engine/problem.ts'
import { amend, insertAll, rowsOf } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { wrapped } from '../../engine/schema.ts'
import type { UndoGuard } from '../../engine/undo/guards.ts'
import type { Account, Caller } from '../../records/caller.ts'
import type { Ledger } from '../../records/ledger.ts'
import type { Reader } from '../../records/reader.ts'
import { findKeyById } from '../access/keys.ts'

/** The calendar as a feed: whoever has its address reads what the key that asked for it may read, as long as it may. */

const area = 'calendar'
const permission = `${area}:read`

/** Kept only when an address was changed: the first one needs nothing. */
export const calendarFeeds = resource(
  { table: 'calendar_feeds', one: 'calendar feed', area },
  { api_key_id: reference('api_keys', { required: true, owner: true }), resets: integer({ required: true }) },
)

/** An address that was given up does not work again. */
export const addressesStayGone: UndoGuard = {
  tables: [calendarFeeds.table],
  async check() {
    throw conflict('This change cannot be undone: the old calendar feed address stays invalid. Use the new address.')
  },
}

/** The secret part of the address of a key's feed. */
const secretOf = (account: Account, keyId: number, resets: number) =>
  createHmac('sha256', account.signing_key).update(`calendar feed of key ${keyId}, ${resets}`).digest('base64url')

function callingKey({ actor, grants }: Caller): number {
  if (grants)
    throw forbidden(
      'An API key with roles cannot have a calendar feed: anybody who has the feed address would see what the key sees. Use a key without roles.',
    )
  if (actor.kind !== 'key') throw forbidden('Only an API key can have a calendar feed. Send the request with one.')
  return actor.id
}

const feedOf = async (db: Reader, keyId: number) =>
  (await rowsOf(calendarFeeds, db.from('calendar_feeds').where('api_key_id', '=', keyId))).at(0)

const addressOf = ({ caller, account }: Reader, keyId: number, resets: number) => ({
  data: { url: `${caller.origin}/calendars/${account.id}/${keyId}/${secretOf(account, keyId, resets)}.ics` },
})

/** The rights of the key whose feed an address is; undefined when it is none, or the key may not read the calendar. */
export async function rightsOfFeed(
  { database, clock }: Ledger,
  account: Account,
  keyId: number,
  secret: string,
): Promise<Pick<Caller, 'permissions' | 'withheld' | 'personId'> | undefined> {
  const feed = await database.query((sql) =>
    sql
      .selectFrom('calendar_feeds')
      .select('resets')
      .where('account_id', '=', account.id)
      .where('api_key_id', '=', keyId)
      .executeTakeFirst(),
  )
  const [given, expected] = [secret, secretOf(account, keyId, feed?.resets ?? 0)].map((one) => Buffer.from(one))
  if (!given || !expected || given.length !== expected.length || !timingSafeEqual(given, expected)) return
  const key = await findKeyById(database, account.id, keyId, clock())
  // What a key holds for some only cannot be told by an address that anybody may have.
  if (!key || key.grants || !permits(key.permissions, permission)) return
  return { permissions: key.permissions, withheld: key.withheld, personId: key.personId }
}

const answer = wrapped(Type.Object({ url: Type.String() }, { title: 'CalendarFeed' }))

export const calendarFeedOperations = [
  operation(
    {
      id: 'getCalendarFeed',
      method: 'GET',
      path: '/calendars/feed',
      summary: 'Get the address of the iCalendar feed',
      note: `Returns the secret address of the calendar of the calling key, for calendar programs. Anybody who knows the address can read the
calendar as the key can, until the key expires or loses \`${permission}\`, or until the address is reset.`,
      area,
      answer,
      indexedColumns: ['calendar_feeds.api_key_id'],
    },
    async ({ db }) => {
      const keyId = callingKey(db.caller)
      return { body: addressOf(db, keyId, (await feedOf(db, keyId))?.resets ?? 0) }
    },
  ),
  operation(
    {
      id: 'resetCalendarFeed',
      method: 'POST',
      path: '/calendars/feed/reset',
      summary: 'Reset the address of the iCalendar feed',
      note: 'Returns a new address for the calling key. The old address stops working at once.',
      area,
      // Whoever has a feed can also end what has leaked.
      permission,
      answer,
      // The next address follows from the last: shown beforehand, it would come to work.
      redact: (body, why) => (why === 'dry-run' ? { data: { url: '' } } : body),
    },
    async ({ db }) => {
      const api_key_id = callingKey(db.caller)
      const feed = await feedOf(db, api_key_id)
      const resets = (feed?.resets ?? 0) + 1
      if (feed) await amend(db, calendarFeeds, feed, { resets })
      else await insertAll(db, calendarFeeds, [{ api_key_id, resets }])
      return { body: addressOf(db, api_key_id, resets) }
    },
  ),
]
