import { isIP } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import type { Sql } from '../../database/database.ts'
import { unauthorized } from '../../domain/access/api-keys.ts'
import { FIELD_GROUPS } from '../../domain/access/permissions.ts'
import { findAccount } from '../../domain/access/stored-accounts.ts'
import { accountIn, findSession, requireRecentToManage } from '../../domain/sign-in/sessions.ts'
import { networkOf } from '../../engine/network.ts'
import type { Operation } from '../../engine/operation.ts'
import { requirePermission } from '../../engine/permission.ts'
import { malformed, notFound, Problem, unavailable, wrong } from '../../engine/problem.ts'
import { type Account, type Caller, comparableGrants } from '../../records/caller.ts'
import type { Ledger } from '../../records/ledger.ts'
import { isCrossOrigin, isSameOrigin, readCookies } from './cookies.ts'
import { keyCredential, sentKey } from './fast-path.ts'
import { header } from './headers.ts'
import { type CallerRights, type Identities, type Identity, takeIdentity } from './identities.ts'
import { noteActor } from './log.ts'
import type { Quota } from './quota.ts'
import type { Admit } from './routes.ts'
import { sentRequestId } from './server.ts'

type GatekeeperOptions = {
  publicUrl: string | undefined
  /** Where the service listens. */
  host: string
  publicRequestsPerMinute: number
  publicUploadsPerHour: number
  failedKeysPerMinute: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Files of anybody at all are in memory while they arrive: so many at a time, whoever sends them. */
const ARRIVING = { name: 'uploads that arrive', most: 16 }

/** Admits a request whose key is valid and holds the permission of the operation. */
export function gatekeeper(
  { database, clock }: Pick<Ledger, 'database' | 'clock'>,
  identities: Identities,
  limits: GatekeeperOptions,
  quota: Quota,
): Admit {
  /** Counts a request of an address, and refuses it when there were so many within a minute. */
  async function count(request: FastifyRequest, kind: string, most: number, detail: string): Promise<void> {
    const wait = await quota.take(MINUTE, [{ name: `${kind} ${networkOf(request.ip)}`, most }])
    if (wait > 0) throw tooMany(detail, wait)
  }

  const originOf = (request: FastifyRequest) => limits.publicUrl ?? hostOrigin(request)

  /** The same answer for a missing, unknown, expired or revoked key, until an address has failed too often. */
  async function refuse(request: FastifyRequest): Promise<never> {
    const words = 'Too many requests without a valid API key. Try again later.'
    await count(request, 'failed', limits.failedKeysPerMinute, words)
    throw unauthorized()
  }

  /** Reads the rights again within the transaction of a write: the caller may still do what they were admitted for. */
  const confirming =
    (before: Identity, operation: Operation) =>
    async (sql: Sql): Promise<void> => {
      const rights = await before.reread({ ...database, query: (work) => work(sql) })
      if (!rights) throw unauthorized()
      const { actor } = before
      requireRecentToManageIfPerson({ actor, ...rights }, operation)
      requirePermission({ ...rights, actor }, operation.permission)
      if (!isDeepStrictEqual(inWords(rights), inWords(before))) throw rightsChanged()
    }

  function requireRecentToManageIfPerson(
    { actor, session }: Pick<Caller, 'actor' | 'session'>,
    operation: Operation,
  ): void {
    if (session) requireRecentToManage({ actor, session }, operation, clock())
  }

  /** Anybody at all: sees one account, and nothing that can be withheld. */
  async function admitAnybody(request: FastifyRequest, { guarded, endsSession }: Operation): Promise<Caller> {
    if (guarded && isCrossOrigin(request, originOf(request))) throw crossOrigin()
    // Signing in has limits of its own; this is against those who only keep us busy. A company may have one address.
    const [kind, times] = guarded ? ['signing in', 10] : ['anybody', 1]
    await count(request, kind, limits.publicRequestsPerMinute * times, 'Too many requests. Try again later.')
    const kept = endsSession ? await keptSession(request) : undefined
    const account = kept ?? (await findAccount(database, endsSession ? undefined : accountWanted(request)))
    if (!account) throw notFound()
    if (/^multipart\//i.test(header(request, 'content-type') ?? '')) await countUpload(request, account.id)
    return callerFor(request, {
      account,
      actor: { kind: 'anybody' },
      personId: null,
      permissions: [],
      withheld: new Set(FIELD_GROUPS),
    })
  }

  /** The account of the session that a browser keeps, also of one that has ended, unless it is that of somebody else than is meant. */
  async function keptSession(request: FastifyRequest): Promise<Account | undefined> {
    const token = readCookies(request, originOf(request)).session
    if (!token) return undefined
    const session = await findSession(database, token, clock())
    if (session) refuseOther(request, session.account, { kind: 'person', id: session.userId })
    const id = accountIn(token)
    return session?.account ?? (id === undefined ? undefined : await findAccount(database, id))
  }

  /** An address has its share of uploads, and so have a place and an account: the disk is not anybody's. */
  async function countUpload(request: FastifyRequest, accountId: number): Promise<void> {
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
    const leave = await quota.hold(ARRIVING)
    if (!leave) throw unavailable('Too many uploads at the same time. Try again in a moment.')
    if (request.raw.destroyed) leave()
    else request.raw.once('close', leave)
    const wait = await quota.take(HOUR, names)
    if (wait > 0) throw tooMany('Too many uploads within an hour. Try again later.', wait)
  }

  const callerFor = (
    request: FastifyRequest,
    who: Pick<Caller, 'account' | 'actor' | 'personId' | 'permissions' | 'withheld' | 'grants'>,
  ): Caller => {
    noteActor(request, who.account.id, who.actor)
    return {
      ...who,
      origin: originOf(request),
      ...(limits.publicUrl || isOwnHost(request, limits.host) ? {} : { isOriginClaimed: true }),
      // Proxies may pass on what is no address at all.
      address: isIP(request.ip) ? request.ip : null,
      requestId: String(request.id),
      correlationId: correlationOf(request),
      cookies: readCookies(request, originOf(request)),
      program: header(request, 'user-agent') ?? null,
    }
  }

  /** A signed-in user, if the request comes from our own pages: a session does not work on other sites. */
  async function identifyPerson(request: FastifyRequest, operation: Operation): Promise<Identity | undefined> {
    const origin = originOf(request)
    const token = readCookies(request, origin).session
    const person = token ? await identities.bySession(token, clock()) : undefined
    if (!token || !person) return undefined
    request.credential = { kind: 'session', value: token }
    if (operation.method === 'GET' ? isCrossOrigin(request, origin) : !isSameOrigin(request, origin))
      throw crossOrigin()
    return person
  }

  async function identify(request: FastifyRequest, operation: Operation): Promise<Identity> {
    const sent = sentKey(request.raw)
    const early = takeIdentity(request.raw)
    let found: Identity | undefined
    if (sent) {
      request.credential = keyCredential(sent)
      found = early ?? (await identities.byKey(request.credential.value, clock()))
    } else found = await identifyPerson(request, operation)
    if (!found) return refuse(request)
    if (found.session) refuseOther(request, found.account, found.actor)
    return found
  }

  return async (request, operation) => {
    if (operation.permission === null) return admitAnybody(request, operation)
    const identity = await identify(request, operation)
    const now = clock()
    identity.noteUse(now)
    const { account, actor, personId, keyCreatorId, keyHolderIds, permissions, withheld, grants, session, version } =
      identity
    const caller: Caller = {
      ...callerFor(request, { account, actor, personId, permissions, withheld }),
      ...(keyCreatorId === undefined ? {} : { keyCreatorId }),
      ...(keyHolderIds === undefined ? {} : { keyHolderIds }),
      ...(grants ? { grants } : {}),
      ...(session ? { session } : {}),
      ledgerNumber: version.ledgerNumber,
      version,
      admitted: {
        checkedAt: now,
        expiresAt: identity.expiresAt,
        tables: identity.tables,
        confirm: confirming(identity, operation),
      },
    }
    requirePermission(caller, operation.permission)
    requireRecentToManageIfPerson(caller, operation)
    requireNumber(request, caller)
    return caller
  }
}

/** Rights as they can be compared, in whichever order they were read. */
const inWords = ({ permissions, withheld, grants, personId, keyCreatorId, keyHolderIds }: CallerRights) => [
  [...permissions].sort(),
  [...withheld].sort(),
  grants &&
    comparableGrants(grants)
      .map((one) => JSON.stringify(one))
      .sort(),
  [personId, keyCreatorId ?? null, ...[...(keyHolderIds ?? [])].sort()],
]

/** The account that anybody asks for by the address. */
function accountWanted(request: FastifyRequest): number | undefined {
  const { account: wanted } = request.query as { account?: unknown }
  if (wanted === undefined) return undefined
  if (typeof wanted !== 'string' || !/^\d{1,15}$/.test(wanted))
    throw malformed(wrong('account', 'wrong_type', 'must be a whole number'))
  return Number(wanted)
}

/** All pages of a browser share one session: what somebody began is not done as whoever has signed in since. */
function refuseOther(request: FastifyRequest, account: Account, actor: Caller['actor']): void {
  const meant = header(request, 'cadre-user')
  if (meant !== undefined && actor.kind === 'person' && meant !== `${account.id} ${actor.id}`) throw otherPerson()
}

/** Whoever has seen the ledger at a number is answered at that number or a later one, or not at all. */
function requireNumber(request: FastifyRequest, { ledgerNumber = 0 }: Caller): void {
  const sent = header(request, 'cadre-ledger')
  if (sent === undefined) return
  if (!/^\d{1,15}$/.test(sent))
    throw malformed(
      wrong('Cadre-Ledger', 'invalid', 'must be a change number, as sent in the Cadre-Ledger header of a response'),
    )
  if (Number(sent) > ledgerNumber)
    throw new Problem(
      412,
      'ledger_behind',
      `The Cadre-Ledger header asks for change number ${sent}, but the last change number of this account is ${ledgerNumber}. The header comes from another account, or the database was restored to an earlier state. To read the current state, leave the header out.`,
    )
}

/** What the caller says ties its requests together: a header of its own, its own id of the request, or the trace that it is part of. */
function correlationOf(request: FastifyRequest): string {
  const given = header(request, 'x-correlation-id')
  if (given && /^[\w.:-]{1,100}$/.test(given)) return given
  const sent = sentRequestId(request)
  if (sent !== undefined) return sent
  const trace = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}(?:-|$)/.exec(
    header(request, 'traceparent') ?? '',
  )
  return trace?.[1] ?? String(request.id)
}

/** The address by which the service is reached, as the caller says it: one that makes no address is refused before anything is done. */
function hostOrigin({ protocol, host }: FastifyRequest): string {
  // HTTP/1.0 knows no Host.
  const origin = `${protocol}://${host || 'localhost'}`
  const { host: read, pathname, username, search, hash } = URL.parse(origin) ?? {}
  if (!read || pathname !== '/' || username || search || hash)
    throw malformed(wrong('Host', 'invalid', 'must be a host name with an optional port, like cadre.example.com:8080'))
  return origin
}

/** Is a host this machine, where the service listens, or where this connection has come in? Callers may name any other. */
function isOwnHost(request: FastifyRequest, listensAt: string): boolean {
  const { hostname } = new URL(hostOrigin(request))
  const bare = (address = '') => address.replace(/^\[|\]$/g, '').replace(/^::ffff:/, '')
  return (
    /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname) ||
    [listensAt, request.raw.socket.localAddress].some((own) => bare(own) === bare(hostname))
  )
}

const crossOrigin = () =>
  new Problem(
    403,
    'cross_origin',
    'This request was sent by a page of another site, and a signed-in session works only on the pages of this service. Use an API key instead. If the page is a page of this service, its administrator must set PUBLIC_URL to the address of the page.',
  )

const rightsChanged = () =>
  new Problem(
    409,
    'rights_changed',
    'Your access changed while this request was being processed. Nothing was done; send it again.',
  )

const otherPerson = () =>
  new Problem(
    409,
    'other_person',
    'The Cadre-User header names a user who is not the one signed in now. Nothing was done. Reload the page.',
  )

const tooMany = (detail: string, wait: number) =>
  new Problem(429, 'too_many_requests', detail, { retryAfter: Math.ceil(wait / 1000) })
