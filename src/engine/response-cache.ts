import type { AccountVersion } from '../records/account-version.ts'
import type { Cache } from '../records/cache.ts'
import { actorRef, comparableGrants } from '../records/caller.ts'
import { ReadSet } from '../records/read-set.ts'
import { dateIn, hourAfter } from '../records/reader.ts'
import type { Operation } from './operation.ts'
import { type CachedBody, type Outcome, type ResponseCaller, tagOf } from './outcome.ts'

/** Sent parameters, as they were validated. */
type Parameters = { readonly params: unknown; readonly query: unknown }
type CheckedParameters = Parameters & { readonly problems: readonly unknown[] }

/**
 * Responses of read operations, as bytes. The key contains everything besides tables that a response depends on: the caller and
 * their rights, the parameters, the date and the hour. The cache drops a response when one of its tables changes.
 */
export class ResponseCache {
  readonly #cache: Cache
  readonly #isOn: boolean
  readonly #versioned: ReadonlySet<string>

  constructor(cache: Cache, tables: readonly string[], isOn: boolean) {
    this.#cache = cache
    this.#isOn = isOn
    this.#versioned = new Set([...tables, 'ledger', 'search_words'])
  }

  async get(
    caller: ResponseCaller & { readonly ledgerNumber?: number },
    operation: Operation,
    sent: CheckedParameters,
    now: Date,
    make: (readSet?: ReadSet) => Promise<Outcome>,
  ): Promise<Outcome> {
    const { version } = caller
    if (!version || operation.isFeed) return make()
    if (sent.problems.length > 0 || !this.#isOn) return make(new ReadSet(this.#versioned))
    const key = keyOf(caller, operation, sent, now)
    const known = this.#cache.find<Outcome>('responses', key, version)
    if (known) return { ...known, ledgerNumber: caller.ledgerNumber ?? null }
    const readSet = new ReadSet(this.#versioned)
    const outcome = await make(readSet)
    // Only the parameters are kept in memory: the whole object leads to the request and its connection.
    const { params, query } = sent
    const keyFor = (by: ResponseCaller, at: Date) => keyOf(by, operation, { params, query }, at)
    return this.#store(key, version, readSet, outcome, keyFor)
  }

  #store(
    key: string,
    version: AccountVersion,
    readSet: ReadSet,
    outcome: Outcome,
    keyFor: (caller: ResponseCaller, now: Date) => string,
  ): Outcome {
    const { payload, file, location, keep } = outcome
    if (readSet.isUncacheable || payload === null || file || location || Object.keys(keep).length > 0) return outcome
    const bytes = bytesOf(payload)
    const isValidFor: CachedBody['isValidFor'] = (caller, now) =>
      caller.version !== undefined && this.#cache.holds('responses', keyFor(caller, now), caller.version, stored)
    const sent = { ...outcome, payload: null, cached: { bytes, tag: tagOf(bytes), isValidFor } }
    // The access log has an entry of this caller in this hour already, so a cached response has nothing to log.
    const stored = { ...sent, shown: [] }
    // The name and time zone of the account are part of every response.
    const tables = [...readSet.tables, 'companies']
    // Compressed forms are kept with the bytes.
    const storing = { tables, bytes: bytes.length * 1.5 + OVERHEAD }
    return this.#cache.store('responses', key, version, stored, storing) ? sent : outcome
  }
}

/** What the outcome needs besides its bytes, roughly. */
const OVERHEAD = 600

/** In memory of its own: a slice would keep the larger buffer it belongs to. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

function keyOf(
  {
    account,
    actor,
    personId,
    keyCreatorId,
    keyHolderIds,
    permissions,
    withheld,
    grants,
    origin,
    session,
  }: ResponseCaller,
  { id }: Operation,
  { params, query }: Parameters,
  now: Date,
): string {
  return JSON.stringify([
    id,
    params,
    query,
    actorRef(actor),
    personId,
    keyCreatorId,
    keyHolderIds,
    permissions,
    [...withheld],
    session?.id,
    session?.confirmedAt,
    grants ? comparableGrants(grants) : null,
    origin,
    dateIn(account.time_zone, now),
    hourAfter(now),
  ])
}
