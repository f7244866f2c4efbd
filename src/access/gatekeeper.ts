import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Caller } from '../database/handle.ts'
import { header } from '../engine/http.ts'
import type { Operation } from '../engine/operation.ts'
import { notFound, Problem } from '../engine/problem.ts'
import type { Resource } from '../engine/resource.ts'
import { findKey, KeyUses } from './keys.ts'
import { FIELD_GROUPS, permits } from './permissions.ts'
import { findAccount } from './stored-accounts.ts'

type Needs = { config: Config; database: Database; clock: () => Date; resources: readonly Resource<any>[] }

/** Admits a request whose key is valid and holds the permission of the operation. */
export function gatekeeper(app: FastifyInstance, { config, database, clock, resources }: Needs) {
  const uses = new KeyUses(database)
  const anybody = app.createRateLimit({ max: config.PUBLIC_REQUESTS_PER_MINUTE, timeWindow: 60_000 })
  const failures = app.createRateLimit({ max: config.FAILED_KEYS_PER_MINUTE, timeWindow: 60_000 })

  /** The same answer for a missing, unknown, expired or revoked key, until an address has failed too often. */
  async function refuse(request: FastifyRequest): Promise<never> {
    const attempts = await failures(request)
    if (!attempts.isAllowed && attempts.isExceeded)
      throw tooMany('Too many requests without a valid key; try again later', attempts.ttlInSeconds)
    throw new Problem(401, 'unauthorized', 'Send a valid API key in the header X-API-KEY')
  }

  /** Anybody at all: sees one account, and nothing that can be withheld. */
  async function admitAnybody(request: FastifyRequest, operation: Operation): Promise<Caller> {
    const attempts = await anybody(request)
    if (!attempts.isAllowed && attempts.isExceeded)
      throw tooMany('Too many requests; try again later', attempts.ttlInSeconds)
    const wanted = Number((request.query as { account?: string }).account)
    const account = await findAccount(database, Number.isSafeInteger(wanted) ? wanted : undefined)
    if (!account) throw notFound()
    return callerFor(request, operation, {
      account,
      actor: 'anybody',
      employeeId: null,
      permissions: [],
      withheld: new Set(FIELD_GROUPS),
    })
  }

  const callerFor = (
    request: FastifyRequest,
    operation: Operation,
    who: Pick<Caller, 'account' | 'actor' | 'employeeId' | 'permissions' | 'withheld'>,
  ): Caller => ({
    ...who,
    resources,
    origin: config.PUBLIC_URL ?? `${request.protocol}://${request.host}`,
    requestId: String(request.id),
    operation: operation.id,
  })

  return async (request: FastifyRequest, _reply: unknown, operation: Operation): Promise<Caller> => {
    const needed = operation.permission
    if (needed === null) return admitAnybody(request, operation)
    const sent = header(request, 'x-api-key')
    const now = clock()
    const key = sent ? await findKey(database, sent, now) : undefined
    if (!key) return refuse(request)
    uses.note(key, now)
    if (!permits(key.permissions, needed))
      throw new Problem(403, 'forbidden', `This key does not hold the permission ${needed}`)
    const { account, employeeId, permissions, withheld } = key
    return callerFor(request, operation, { account, actor: `key:${key.id}`, employeeId, permissions, withheld })
  }
}

const tooMany = (detail: string, seconds: number) =>
  new Problem(429, 'too_many_requests', detail, { headers: { 'retry-after': String(Math.max(1, seconds)) } })
