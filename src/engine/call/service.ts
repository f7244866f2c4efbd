import type { Caller } from '../../records/caller.ts'
import type { Entry } from '../../records/entries.ts'
import type { Ledger } from '../../records/ledger.ts'
import type { Reader } from '../../records/reader.ts'
import type { ReadLog } from '../../records/reads.ts'
import type { WriteTransaction } from '../../records/write-transaction.ts'
import type { Scopes } from '../access-scope/scopes.ts'
import type { Call, FileKeeper, Operation } from '../operation.ts'
import type { Outcome } from '../outcome.ts'
import type { Kinds } from '../protection.ts'
import type { ResponseCache } from '../response-cache.ts'

/** The service without HTTP: its operations, on a ledger. Surfaces turn requests into calls of its operations. */
export type Service = {
  readonly operations: readonly Operation[]
  readonly ledger: Ledger
  readonly files: FileKeeper
  /** Shows ledger entries, or the entries that a dry run would make, as the caller may see them. */
  readonly showChanges: (db: Reader, entries: readonly Entry[]) => Promise<DryRunChanges>
  /** The scopes that grants can hold for. */
  readonly scopes: Scopes
  /** All resources, by table. */
  readonly kinds: Kinds
  /** Writes with an Idempotency-Key that run in this process. */
  readonly running: Set<string>
  /** The response cache. */
  readonly responses?: ResponseCache
  /** Logs who reads monitored data. */
  readonly reads?: Pick<ReadLog, 'note'>
}

/** Changes, and the resources of which changes may be left out because the caller does not see all of them. */
type DryRunChanges = { changes: readonly object[]; omitted?: readonly string[] }

/** A request as a surface passes it on. */
export type CallInput = {
  params: unknown
  query: unknown
  /** The names of the query parameters as they were sent, such as `ids[]`. */
  queryNames?: () => string[]
  body: unknown
  /** Refuses names that nothing uses. */
  isStrict?: boolean
  /** ETags of the record as the caller last read it. The record must still have one of them. */
  ifMatch?: string | undefined
  /** The Idempotency-Key: a repeated request gets the first response. */
  retryKey?: string | undefined
  /** Runs a write without storing it: the response shows what it would change. */
  isDryRun?: boolean
  /** Tells whether nobody waits for the response any more. A read that has not begun then does not run. */
  isGone?: () => boolean
  /** The same for a write. It is asked once, and the write begins unless it returns true. */
  isAbandoned?: () => boolean
  /** Receives the names that nothing used, also if the call fails. */
  ignored?: Set<string>
}

/** The validated request of a call. */
export type CallRequest = Omit<Call, 'db' | 'files'> & {
  /** Runs in the transaction when the handler is done: refuses names that nothing used, if the request is strict. */
  refuseUnused: () => void
}

/** A write that is under way: what its steps share. */
export type WriteCall = {
  readonly service: Service
  readonly operation: Operation
  readonly caller: Caller
  readonly input: CallInput
  readonly request: CallRequest
}

/** Runs the write in a transaction. `around` runs inside the transaction and calls `run`, or returns a stored outcome. */
export type Commit = (
  around: (transaction: WriteTransaction, run: () => Promise<Outcome>) => Promise<Outcome>,
) => Promise<Outcome>
