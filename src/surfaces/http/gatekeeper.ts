import { isIP } from 'node:net'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unauthorized } from '../../access/api-keys.ts'
import { findKey, type StoredKey, Uses } from '../../access/keys.ts'
import { FIELD_GROUPS } from '../../access/permissions.ts'
import { findAccount } from '../../access/stored-accounts.ts'
import { rightsOfUser } from '../../access/users.ts'
import { WhileUnchanged } from '../../database/unchanged.ts'
import { networkOf } from '../../engine/network.ts'
import type { Operation } from '../../engine/operation.ts'
import { requirePermission } from '../../engine/permission.ts'
import { malformed, notFound, Problem, unavailable, wrong } from '../../engine/problem.ts'
import type { Caller } from '../../ledger/caller.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { findSession, requireRecentToManage } from '../../sign-in/sessions.ts'
import { header } from './headers.ts'
import { isFromElsewhere, isFromHere, keptBy } from './kept.ts'
import { Quota } from './quota.ts'
import type { Admit } from './routes.ts'

type Limits = {
  publicUrl: string | undefined
  publicRequestsPerMinute: number
  publicUploadsPerHour: number
  failedKeysPerMinute: number
}

/** Files of anybody at all are in memory while they arrive: so many at a time, whoever sends them. */
const MOST_ARRIVING = 16

/** Admits a request whose key is valid and holds the permission of the operation. */
export async function gatekeeper(
  app: FastifyInstance,
  { database, clock }: Pick<Ledger, 'database' | 'clock'>,
  limits: Limits,
): Promise<Admit> {
  await app.register(rateLimit, { global: false })
  const keyUses = new Uses(database, 'api_key_uses', 'key_id')
  const sessionUses = new Uses(database, 'session_uses', 'session_id')
  const keys = new WhileUnchanged<StoredKey | undefined>(database)
  const sessions = new WhileUnchanged<Record<string, any> | undefined>(database)
  const rightsOf = new WhileUnchanged<Awaited<ReturnType<typeof rightsOfUser>>>(database)
  const uploads = new Quota()
  let arriving = 0
  const perMinute = (max: number) =>
    app.createRateLimit({ max, timeWindow: 60_000, keyGenerator: ({ ip }) => networkOf(ip) })
  const anybody = perMinute(limits.publicRequestsPerMinute)
  // Signing in has limits of its own; this is against those who only keep us busy. A company may have one address.
  const signingIn = perMinute(limits.publicRequestsPerMinute * 10)
  const failures = perMinute(limits.failedKeysPerMinute)

  const originOf = (request: FastifyRequest) => limits.publicUrl ?? `${request.protocol}://${request.host}`

  /** The same answer for a missing, unknown, expired or revoked key, until an address has failed too often. */
  async function refuse(request: FastifyRequest): Promise<never> {
    const attempts = await failures(request)
    if (!attempts.isAllowed && attempts.isExceeded)
      throw tooMany('Too many requests without a valid key; try again later', attempts.ttlInSeconds)
    throw unauthorized()
  }

  /** Anybody at all: sees one account, and nothing that can be withheld. */
  async function admitAnybody(request: FastifyRequest, { guarded }: Operation): Promise<Caller> {
    if (guarded && isFromElsewhere(request, originOf(request))) throw crossOrigin()
    const attempts = await (guarded ? signingIn : anybody)(request)
    if (!attempts.isAllowed && attempts.isExceeded)
      throw tooMany('Too many requests; try again later', attempts.ttlInSeconds)
    const { account: wanted } = request.query as { account?: unknown }
    if (wanted !== undefined && !/^\d{1,15}$/.test(typeof wanted === 'string' ? wanted : ''))
      throw malformed(wrong('account', 'wrong_type', 'must be a whole number'))
    const account = await findAccount(database, wanted === undefined ? undefined : Number(wanted))
    if (!account) throw notFound()
    if (/^multipart\//i.test(header(request, 'content-type') ?? '')) countUpload(request, account.id)
    return callerFor(request, {
      account,
      actor: { kind: 'anybody' },
      personId: null,
      permissions: [],
      withheld: new Set(FIELD_GROUPS),
    })
  }

  /** An address has its share of uploads, and so have a place and an account: the disk is not anybody's. */
  function countUpload(request: FastifyRequest, accountId: number): void {
    const most = limits.publicUploadsPerHour
    // One place has many spellings: `/7`, `/007`, `/7/`, `/%37`, and more than one address.
    const place = Object.values(request.params as object)
      .map(Number)
      .join(' ')
    const names = [
      { name: `address ${networkOf(request.ip)}`, most },
      { name: `place ${accountId} ${place}`, most: most * 10 },
      { name: `account ${accountId}`, most: most * 50 },
    ]
    if (arriving >= MOST_ARRIVING) throw unavailable('Too many uploads arrive at the same time; try again in a moment')
    uploads.take(names, 'uploads')
    arriving++
    request.raw.once('close', () => arriving--)
  }

  const callerFor = (
    request: FastifyRequest,
    who: Pick<Caller, 'account' | 'actor' | 'personId' | 'permissions' | 'withheld' | 'grants'>,
  ): Caller => ({
    ...who,
    origin: originOf(request),
    // Proxies may pass on what is no address at all.
    address: isIP(request.ip) ? request.ip : null,
    requestId: String(request.id),
    correlationId: correlationOf(request),
    kept: keptBy(request, originOf(request)),
    program: header(request, 'user-agent') ?? null,
  })

  /** Whoever is signed in in this browser, on our own pages: on those of others a session is none. */
  async function admitPerson(request: FastifyRequest, { method }: Operation): Promise<Caller | undefined> {
    const origin = originOf(request)
    const token = keptBy(request, origin).session
    if (!token) return undefined
    const now = clock()
    const session = await findSession(database, token, now, sessions)
    if (!session) return undefined
    if (method === 'GET' ? isFromElsewhere(request, origin) : !isFromHere(request, origin)) throw crossOrigin()
    sessionUses.note(session.account.id, session.id, now)
    const { id, account, ledgerNumber, versions, userId, personId, confirmedAt } = session
    const { permissions, ...rights } = await rightsOf.get(`${account.id} ${userId}`, () =>
      rightsOfUser(database, account.id, userId),
    )
    const who = { account, actor: { kind: 'person', id: userId }, personId, ...rights } as const
    return {
      ...callerFor(request, { ...who, permissions: [...permissions, 'me:*'] }),
      ledgerNumber,
      versions,
      session: { id, confirmedAt },
    }
  }

  return async (request, operation) => {
    if (operation.permission === null) return admitAnybody(request, operation)
    const sent = header(request, 'x-api-key') || bearerOf(request)
    const person = sent ? undefined : await admitPerson(request, operation)
    if (person) {
      requirePermission(person, operation.permission)
      requireRecentToManage(person, operation, clock())
      return person
    }
    const now = clock()
    const key = sent ? await findKey(database, sent, now, keys) : undefined
    if (!key) return refuse(request)
    keyUses.note(key.account.id, key.id, now)
    const { id, account, personId, makerId, permissions, withheld, grants, ledgerNumber, versions } = key
    const caller = {
      ...callerFor(request, { account, actor: { kind: 'key', id }, personId, permissions, withheld }),
      makerId,
      ...(grants ? { grants } : {}),
      ledgerNumber,
      versions,
    }
    requirePermission(caller, operation.permission)
    return caller
  }
}

/** `Authorization: Bearer <key>`, as many clients send a key. */
const bearerOf = (request: FastifyRequest) => /^Bearer +(\S+)$/i.exec(header(request, 'authorization') ?? '')?.[1]

/** What the caller says ties its requests together: a header of its own, or the trace that it is part of. */
function correlationOf(request: FastifyRequest): string {
  const given = header(request, 'x-correlation-id')
  if (given && /^[\w.:-]{1,100}$/.test(given)) return given
  const trace = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}(?:-|$)/.exec(
    header(request, 'traceparent') ?? '',
  )
  return trace?.[1] ?? String(request.id)
}

const crossOrigin = () =>
  new Problem(403, 'cross_origin', 'A browser sent this on behalf of another site: sessions work on our own pages only')

const tooMany = (detail: string, seconds: number) =>
  new Problem(429, 'too_many_requests', detail, { retryAfter: Math.max(1, seconds) })
