import type { Caller } from '../../records/caller.ts'
import { readAs } from '../../records/ledger.ts'
import type { ReadSet } from '../../records/read-set.ts'
import type { Operation } from '../operation.ts'
import type { Outcome } from '../outcome.ts'
import { readerInScope } from './access.ts'
import { runHandler } from './handler.ts'
import type { CallInput, CallRequest, Service } from './service.ts'

/** Runs a read. `by` is the caller as admitted, `caller` the same with the rights in this operation. */
export function runRead(
  service: Service,
  operation: Operation,
  { by, caller }: { by: Caller; caller: Caller },
  request: CallRequest,
  isGone: CallInput['isGone'],
): Promise<Outcome> {
  const read = (readSet?: ReadSet) =>
    readAs(
      service.ledger,
      caller,
      async (unfiltered) => {
        const db = await readerInScope(service, operation, unfiltered)
        return runHandler(operation, { db, ...request, files: service.files.forReading() }, request)
      },
      { readSet, isLong: takesLong(operation, request.query), isAbandoned: isGone },
    )
  return cached(service, operation, by, request, read)
}

/** The response from the cache, if it is still valid; otherwise a new one. */
const cached = (
  service: Service,
  operation: Operation,
  by: Caller,
  request: CallRequest,
  read: (readSet?: ReadSet) => Promise<Outcome>,
): Promise<Outcome> => service.responses?.get(by, operation, request, service.ledger.clock(), read) ?? read()

const takesLong = ({ takesLong = false }: Operation, query: Record<string, unknown>): boolean =>
  typeof takesLong === 'boolean' ? takesLong : takesLong.some((name) => query[name] !== undefined)
