import { createHash } from 'node:crypto'
import type { TObject } from 'typebox'
import { actorRef, comparableGrants } from '../../records/caller.ts'
import { findStoredResponse, isUnchangedSince, storeResponse } from '../../records/retries.ts'
import type { WriteTransaction } from '../../records/write-transaction.ts'
import type { Operation } from '../operation.ts'
import type { Outcome } from '../outcome.ts'
import { conflict, Problem } from '../problem.ts'
import { visibilityTables } from '../visibility-tables.ts'
import { serialise } from './handler.ts'
import type { CallRequest, Commit, WriteCall } from './service.ts'

/** Runs a write with an Idempotency-Key once. A repeated request gets the stored response. */
export async function runOnce(write: WriteCall, retryKey: string, commit: Commit): Promise<Outcome> {
  const { service, operation, caller } = write
  const slot = JSON.stringify([caller.account.id, actorRef(caller.actor), operation.id, retryKey])
  if (service.running.has(slot))
    throw conflict(
      'The first request with this Idempotency-Key is still running. Send it again in a moment to get its response.',
      'idempotency_in_progress',
    )
  service.running.add(slot)
  try {
    const hashes = fingerprintsOf(write)
    // The stored response is sent again only if the caller certainly still sees everything in it.
    const tables = [...visibilityTables(service, operation, caller)]
    return await commit(
      async (transaction, run) =>
        (await storedOutcome(transaction, operation, retryKey, hashes, tables)) ??
        storeOutcome(transaction, operation, retryKey, hashes[0], await run()),
    )
  } finally {
    service.running.delete(slot)
  }
}

/** The outcome that is stored under the key; undefined if the write has not run yet. */
async function storedOutcome(
  transaction: WriteTransaction,
  operation: Operation,
  retryKey: string,
  hashes: readonly string[],
  tables: readonly string[],
): Promise<Outcome | undefined> {
  const stored = await findStoredResponse(transaction, retryKey)
  if (!stored) return undefined
  const { status, body, location, request_id, request_hash } = stored
  if (!hashes.includes(request_hash)) throw keyMismatch()
  if (body === null && operation.answer) throw responseErased()
  if (body !== null && tables.length > 0 && !isUnchangedSince(transaction, stored, tables))
    throw responseWithheld(location)
  return {
    status,
    payload: body,
    file: null,
    location,
    isReplayed: true,
    replayOf: request_id,
    isDryRun: false,
    omitted: [],
    ledgerNumber: null,
    // The first request has logged who read what.
    shown: [],
    keep: {},
  }
}

/** Stores the outcome in the transaction of the write itself. */
async function storeOutcome(
  transaction: WriteTransaction,
  operation: Operation,
  retryKey: string,
  hash: string,
  outcome: Outcome,
): Promise<Outcome> {
  const { status, location, payload } = outcome
  const body = payload && operation.redact ? redacted(operation, payload) : payload
  await storeResponse(transaction, retryKey, hash, { status, location, body })
  return outcome
}

const redacted = ({ redact, answer }: Operation, payload: string) =>
  serialise(answer as TObject, redact?.(JSON.parse(payload), 'stored'))

const keyMismatch = () =>
  new Problem(
    422,
    'idempotency_mismatch',
    'This Idempotency-Key was already used for a different request, or by a caller with different access. Use a new Idempotency-Key.',
  )

const responseErased = () =>
  new Problem(
    410,
    'erased',
    'The request with this Idempotency-Key was already carried out. Its response contained data of a person who was erased later, so it is no longer available. Do not repeat the request.',
  )

const responseWithheld = (location: string | null) =>
  new Problem(
    409,
    'answer_withheld',
    'The request with this Idempotency-Key was already carried out, so it was not repeated. Its response is not sent again, because your access may have changed after it. Read the record instead.',
    { location },
  )

/**
 * Fingerprints of a request and of the caller's access: a response is not repeated to a caller with different access. The second
 * one is as versions before 0.4 stored it, without the person and the permissions.
 */
function fingerprintsOf({ caller, request }: WriteCall): readonly [string, string] {
  const withheld = [...caller.withheld].sort()
  const grants = caller.grants ? [comparableGrants(caller.grants)] : []
  const rights = [caller.personId, ...withheld, ...[...caller.permissions].sort(), ...grants]
  return [fingerprint(request, rights), fingerprint(request, withheld)]
}

/** Validated bodies have the order of the schema, so the same request has the same fingerprint in any form. */
function fingerprint({ params, query, body, problems, extra }: CallRequest, rights: unknown[]): string {
  const sentQuery = Object.keys(query).length > 0 ? [query] : []
  const all = [params, body, problems, extra, ...sentQuery, ...rights]
  return createHash('sha256').update(JSON.stringify(all, hashBytes)).digest('hex')
}

/** A file is compared by its content. */
const hashBytes = (_name: string, value: unknown) =>
  Buffer.isBuffer(value) ? createHash('sha256').update(value).digest('hex') : value
