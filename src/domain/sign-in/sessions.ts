import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql as raw } from 'kysely'
import Type from 'typebox'
import type { QueryRunner } from '../../database/database.ts'
import type { Row } from '../../engine/declaration.ts'
import { choice, derived, loaded, orNull, readOnly, reference, secret, text, timestamp } from '../../engine/field.ts'
import type { Keeping, Operation } from '../../engine/operation.ts'
import { Problem } from '../../engine/problem.ts'
import { eraseAll, insertAll, rowsOf } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { fetchShape } from '../../engine/shape.ts'
import { type AccountVersion, versionIn } from '../../records/account-version.ts'
import type { Account, Caller } from '../../records/caller.ts'
import { alters, type Consequence } from '../../records/consequences.ts'
import type { Ledger } from '../../records/ledger.ts'
import { dateIn, type Reader } from '../../records/reader.ts'
import { findInAccount } from '../../records/secret-hashes.ts'
import type { Writer } from '../../records/write.ts'
import { CREDENTIAL_BYTES, CREDENTIALS_MAX_AGE, mayEnter, returnsOn } from '../access/keys.ts'
import { type AttemptLimit, ofAddress, ofPerson } from './attempts.ts'
import type { SignInUser } from './people.ts'
import { hashOf, random } from './tickets.ts'

/** Who is signed in where. What a browser keeps is its account and a secret by chance; we keep the hash of both. */

export const WAYS = ['password', 'passkey', 'sso', 'link'] as const
export type SignInMethod = (typeof WAYS)[number]

const HOUR = 3_600_000

/** A session ends when it was not used for so long, and in any case after so long. */
const IDLE = 12 * HOUR
const LONGEST = 7 * 24 * HOUR

/** How long ago somebody may have shown who they are to change how they sign in. */
const RECENT = 10 * 60_000

/** Nobody needs more at a time: the oldest makes room. */
const MOST = 50

/** How long a browser is remembered in which somebody has signed in. */
const DEVICE = 365 * 24 * HOUR

export const sessions = resource(
  { table: 'sessions', one: 'session', area: 'users', path: '/users/{user_id}/sessions' },
  {
    user_id: reference('users', { required: true, owner: true }),
    hash: secret(),
    way: readOnly(choice(WAYS, { required: true, note: 'Sign-in method' })),
    address: readOnly(text({ note: 'IP address from which the user signed in', example: '203.0.113.7' })),
    browser: readOnly(text({ max: 500, note: 'User agent of the browser' })),
    confirmed_at: readOnly(timestamp({ required: true, note: 'When the user last confirmed their identity' })),
    expires_at: readOnly(timestamp({ required: true, note: 'When the session ends at the latest' })),
    signed_in_at: derived(Type.String({ format: 'date-time' }), ['created_at'], (row) => row.created_at),
    current: derived(
      Type.Boolean({ description: 'Whether this is the session of the request' }),
      ['id'],
      (row, { caller }) => (caller.session ? caller.session.id === row.id : false),
    ),
    last_seen_at: loaded(orNull(Type.String({ format: 'date-time' })), async (db, ids) => {
      const uses = await db
        .from('session_uses')
        .select(['session_id', 'last_used_at'])
        .where('session_id', 'in', ids)
        .execute()
      return new Map(uses.map((use) => [use.session_id, use.last_used_at]))
    }),
  },
  ['id', 'way', 'address', 'browser', 'current', 'signed_in_at', 'last_seen_at', 'confirmed_at', 'expires_at'],
)

const isOver = (lastSeen: string, expiresAt: string, now: number) =>
  expiresAt <= new Date(now).toISOString() || Date.parse(lastSeen) + IDLE <= now

/** Somebody's sessions that have not ended, as they are shown. */
export async function sessionsOf(db: Reader, userId: number): Promise<Record<string, any>[]> {
  const all = await fetchShape(db, sessions.whole, db.from('sessions').where('user_id', '=', userId))
  const now = Date.parse(db.now)
  return all
    .map(({ record }) => record)
    .filter((one) => !isOver(one.last_seen_at ?? one.signed_in_at, one.expires_at, now))
}

const own = (db: Reader, userId: number) => rowsOf(sessions, db.from('sessions').where('user_id', '=', userId))

/** Ends somebody's sessions: all of them, or all but one. */
export async function endSessions(db: Writer, userId: number, except?: number): Promise<void> {
  await eraseAll(
    db,
    sessions,
    (await own(db, userId)).filter(({ id }) => id !== except),
  )
}

/**
 * Somebody who had left signs in anew when they are back, or are another employee or none: as those do who were disabled.
 * A leaving that is only planned ends no session when it is called off or moved.
 */
export const sessionsEndWithTheJob: Consequence = {
  of: ['employees', 'users'],
  async follow(db, changes) {
    const updates = changes.filter(({ action }) => action === 'update')
    const hadLeft = (on: unknown) => !mayEnter({ disabled_at: null, left_on: (on ?? null) as string | null }, db)
    for (const change of updates.filter(({ resource }) => resource === 'employees')) {
      if (!alters(change, ['termination_effective_on']) || !hadLeft(change.before?.termination_effective_on)) continue
      const user = await db.from('users').select('id').where('employee_id', '=', change.record_id).executeTakeFirst()
      if (user) await endSessions(db, user.id)
    }
    for (const change of updates.filter(({ resource }) => resource === 'users')) {
      const before = change.before?.employee_id
      if (typeof before !== 'number' || !alters(change, ['employee_id'])) continue
      const was = await db
        .from('employees')
        .select('termination_effective_on')
        .where('id', '=', before)
        .executeTakeFirst()
      if (hadLeft(was?.termination_effective_on)) await endSessions(db, change.record_id)
    }
  },
}

/** Ends the session that the caller's side keeps, and says whose it was. */
export async function endKept(db: Writer): Promise<number[]> {
  const token = db.caller.cookies?.session
  if (!token) return []
  const kept = await rowsOf(sessions, db.from('sessions').where('hash', '=', hashOf(token)))
  await eraseAll(db, sessions, kept)
  return kept.map(({ user_id }) => user_id)
}

/**
 * Lets somebody in who has shown who they are at a moment: a new session under a new secret, whatever was there before
 * in this browser. Old ones that are over are cleared away on the occasion.
 */
export async function beginSession(
  db: Writer,
  person: Pick<SignInUser, 'id'>,
  way: SignInMethod,
  shownAt: string = db.now,
): Promise<Keeping> {
  await endKept(db)
  const now = Date.parse(db.now)
  const before = await own(db, person.id)
  const over = before.filter(({ expires_at }) => expires_at <= db.now)
  const living = before.filter((one) => !over.includes(one))
  await eraseAll(db, sessions, [...over, ...living.slice(0, Math.max(0, living.length - MOST + 1))])
  const token = `${db.account.id}.${random()}`
  const { address, program } = db.caller
  await insertAll(db, sessions, [
    {
      user_id: person.id,
      hash: hashOf(token),
      way,
      address,
      browser: program?.slice(0, 500) ?? null,
      confirmed_at: shownAt,
      expires_at: new Date(now + LONGEST).toISOString(),
    },
  ])
  return {
    session: { value: token, seconds: LONGEST / 1000 },
    device: { value: newDevice(db.account, person.id), seconds: DEVICE / 1000 },
  }
}

/** What the browser keeps no more. */
export const SIGNED_OUT: Keeping = { session: null }

export type KnownSession = {
  id: number
  account: Account
  version: AccountVersion
  userId: number
  personId: number | null
  confirmedAt: string
  expiresAt: string
}

/** The tables that decide whether a session is valid and what its user may do. */
export const SESSION_TABLES = [
  'sessions',
  'users',
  'user_roles',
  'roles',
  'role_grants',
  'employees',
  'former_employments',
  'companies',
] as const

type SessionRow = Record<string, any>

/** The user of a session; undefined for unknown and ended sessions, and for users who may no longer sign in. */
export const findSession = (database: QueryRunner, token: string, now: Date): Promise<KnownSession | undefined> =>
  findSessionByToken(database, token, now, (accountId, hash) => readSession(database, accountId, hash))

/** The same with cached sessions. */
export const findCachedSession = (
  { database, cache, versions }: Pick<Ledger, 'database' | 'cache' | 'versions'>,
  token: string,
  now: Date,
): Promise<KnownSession | undefined> => {
  const storing = { tables: SESSION_TABLES, bytes: CREDENTIAL_BYTES, maxAge: CREDENTIALS_MAX_AGE }
  return findSessionByToken(database, token, now, async (accountId, hash) => {
    // When statements are recorded, nothing comes from the cache.
    if (database.onStatement) return readSession(database, accountId, hash)
    const version = await versions.current(accountId)
    if (!version) return undefined
    const row = await cache.get('credentials', `session ${hash}`, version, storing, () =>
      readSession(database, accountId, hash),
    )
    return row && { ...row, account_version: version }
  })
}

async function findSessionByToken(
  database: QueryRunner,
  token: string,
  now: Date,
  read: (accountId: number, hash: string) => Promise<SessionRow | undefined>,
): Promise<KnownSession | undefined> {
  const hash = hashOf(token)
  const accountId = accountIn(token)
  const row = await (accountId === undefined
    ? findInAccount(database, hash, (id) => read(id, hash))
    : read(accountId, hash))
  if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))) return undefined
  if (isOver(row.last_used_at ?? row.created_at, row.expires_at, now.getTime())) return undefined
  const { disabled_at, left_on, returns_on, time_zone } = row
  if (!mayEnter({ disabled_at, left_on, returns_on }, { today: dateIn(time_zone, now) })) return undefined
  return {
    id: row.id,
    account: {
      id: row.account_id,
      name: row.name,
      time_zone,
      currency_code: row.currency_code,
      full_time_hours: row.full_time_hours,
      signing_key: row.signing_key,
    },
    version: row.account_version,
    userId: row.user_id,
    personId: row.employee_id,
    confirmedAt: row.confirmed_at,
    expiresAt: row.expires_at,
  }
}

/** The account that a token says it is of. Those that earlier versions gave out do not. */
export const accountIn = (token: string): number | undefined => {
  const [, id] = /^(\d{1,15})\./.exec(token) ?? []
  return id === undefined ? undefined : Number(id)
}

async function readSession(database: QueryRunner, accountId: number, hash: string): Promise<SessionRow | undefined> {
  const generation = database.generation()
  const { rows } = await database.query((db) =>
    raw<SessionRow>`select s.id, s.hash, s.user_id, s.created_at, s.confirmed_at, s.expires_at, n.last_used_at,
      u.employee_id, u.disabled_at, e.termination_effective_on as left_on, ${returnsOn('e', accountId)} as returns_on,
      a.id as account_id, c.name, c.time_zone, c.currency_code, c.full_time_hours, a.signing_key, a.ledger_no, a.ledger_hash, a.version, a.table_versions, ${database.serverIdentity} as here
      from sessions s join accounts a on a.id = s.account_id join companies c on c.account_id = s.account_id
      join users u on u.account_id = s.account_id and u.id = s.user_id
      left join employees e on e.account_id = s.account_id and e.id = u.employee_id
      left join session_uses n on n.account_id = s.account_id and n.session_id = s.id
      where s.account_id = ${accountId} and s.hash = ${hash}`.execute(db),
  )
  const [row] = rows
  return row && { ...row, account_version: versionIn(row.account_id, row, generation) }
}

type CallerSession = Pick<Caller, 'actor' | 'session'>

/** The session in which somebody acts as themselves. */
export function ownSession({ caller }: { readonly caller: CallerSession }): {
  userId: number
  id: number
  confirmedAt: string
} {
  const { actor, session } = caller
  if (actor.kind !== 'person' || !session)
    throw new Problem(403, 'for_people', 'This is only for people who sign in. It is not available with an API key.')
  return { userId: actor.id, ...session }
}

/** Whoever comes by an open session must not be able to make themselves at home in it. */
export function requireRecent(caller: CallerSession, now: string): void {
  const { confirmedAt } = ownSession({ caller })
  if (Date.parse(confirmedAt) + RECENT < Date.parse(now))
    throw new Problem(
      403,
      'confirm_first',
      'Confirm your identity with POST /me/confirmation, then repeat the request.',
    )
}

/** What others can come in by, or do, is as much worth as what one signs in with oneself. */
const MANAGING = ['users:write', 'keys:write']

/** Whoever manages access, as a person, has shown who they are of late. */
export function requireRecentToManage(caller: CallerSession, { method, permission }: Operation, now: Date): void {
  if (method !== 'GET' && MANAGING.includes(permission ?? '')) requireRecent(caller, now.toISOString())
}

const markOf = ({ signing_key }: Account, userId: number, nonce: string) =>
  createHmac('sha256', signing_key).update(`device of user ${userId}, ${nonce}`).digest('base64url')

const newDevice = (account: Account, userId: number, nonce = random().slice(0, 16)) =>
  `${userId}.${nonce}.${markOf(account, userId, nonce)}`

/** Who has signed in in this browser before, and the browser's own name; null where nobody has, or it is made up. */
function deviceOf({ account, cookies }: Caller): { userId: number; nonce: string } | null {
  const [id, nonce = '', mark = ''] = cookies?.device?.split('.') ?? []
  if (id === undefined) return null
  const expected = markOf(account, Number(id), nonce)
  const isOurs = mark.length === expected.length && timingSafeEqual(Buffer.from(mark), Buffer.from(expected))
  return isOurs ? { userId: Number(id), nonce } : null
}

/**
 * How attempts of somebody are counted. From a browser in which they have signed in before they are counted by that
 * browser alone: so nobody is kept out by others who try their name all day long, or who sit in the same office.
 */
export function countedFor(
  caller: Caller,
  userId: number | null,
  name: string,
): { own: AttemptLimit; others: AttemptLimit[] } {
  const device = deviceOf(caller)
  return device && device.userId === userId
    ? { own: { ...ofPerson(''), name: `device ${device.nonce}` }, others: [] }
    : { own: ofPerson(name), others: [ofAddress(caller.address)] }
}

/** The same before it is known who it is: in a browser where somebody has signed in, it may be they. */
export const countedFrom = (caller: Caller, name: string): AttemptLimit[] =>
  deviceOf(caller) ? [] : [ofPerson(name), ofAddress(caller.address)]

export type Session = Row<typeof sessions>
