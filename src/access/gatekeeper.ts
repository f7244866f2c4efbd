import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Caller } from '../database/handle.ts'
import { header } from '../engine/http.ts'
import type { Operation } from '../engine/operation.ts'
import { Problem } from '../engine/problem.ts'
import type { Resource } from '../engine/resource.ts'
import { findKey, KeyUses } from './keys.ts'
import { permits } from './permissions.ts'

type Needs = { config: Config; database: Database; clock: () => Date; resources: readonly Resource<any>[] }

/** Admits a request whose key is valid and holds the permission of the operation. */
export function gatekeeper(app: FastifyInstance, { config, database, clock, resources }: Needs) {
  const uses = new KeyUses(database)
  const failures = app.createRateLimit({ max: config.FAILED_KEYS_PER_MINUTE, timeWindow: 60_000 })

  /** The same answer for a missing, unknown, expired or revoked key, until an address has failed too often. */
  async function refuse(request: FastifyRequest): Promise<never> {
    const attempts = await failures(request)
    if (!attempts.isAllowed && attempts.isExceeded)
      throw new Problem(429, 'too_many_requests', 'Too many requests without a valid key; try again later', {
        headers: { 'retry-after': String(Math.max(1, attempts.ttlInSeconds)) },
      })
    throw new Problem(401, 'unauthorized', 'Send a valid API key in the header X-API-KEY')
  }

  return async (request: FastifyRequest, _reply: unknown, operation: Operation): Promise<Caller> => {
    const needed = operation.permission
    if (needed === null) throw new Error(`Operation ${operation.id} needs no key, which nothing here serves yet`)
    const sent = header(request, 'x-api-key')
    const now = clock()
    const key = sent ? await findKey(database, sent, now) : undefined
    if (!key) return refuse(request)
    uses.note(key, now)
    if (!permits(key.permissions, needed))
      throw new Problem(403, 'forbidden', `This key does not hold the permission ${needed}`)
    return {
      resources,
      account: key.account,
      actor: `key:${key.id}`,
      employeeId: key.employeeId,
      permissions: key.permissions,
      withheld: key.withheld,
      origin: config.PUBLIC_URL ?? `${request.protocol}://${request.host}`,
      requestId: String(request.id),
      operation: operation.id,
    }
  }
}
