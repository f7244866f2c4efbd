import type { Caller } from '../../ledger/caller.ts'
import type { Footing } from '../../ledger/footing.ts'
import { readAs } from '../../ledger/ledger.ts'
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
  const read = (footing?: Footing) =>
    readAs(
      service.ledger,
      caller,
      async (unfiltered) => {
        const db = await readerInScope(service, operation, unfiltered)
        return runHandler(operation, { db, ...request, files: service.files.forReading() }, request)
      },
      { footing, isLong: takesLong(operation, request.query), isAbandoned: isGone },
    )
  return cached(service, operation, by, request, read)
}

/** The response from the cache, if it is still valid; otherwise a new one. */
const cached = (
  service: Service,
  operation: Operation,
  by: Caller,
  request: CallRequest,
  read: (footing?: Footing) => Promise<Outcome>,
): Promise<Outcome> => service.answers?.again(by, operation, request, service.ledger.clock(), read) ?? read()

const takesLong = ({ takesLong = false }: Operation, query: Record<string, unknown>): boolean =>
  typeof takesLong === 'boolean' ? takesLong : takesLong.some((name) => query[name] !== undefined)
