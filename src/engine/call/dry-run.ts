import { toEntries } from '../../records/entries.ts'
import { dryRunAs } from '../../records/ledger.ts'
import type { Writer } from '../../records/write.ts'
import type { Outcome } from '../outcome.ts'
import { scopeFor } from './access.ts'
import type { WriteCall } from './service.ts'

/** Runs a write, shows its response and the changes that it would make, and rolls it back. It ignores the Idempotency-Key. */
export const runDry = (
  { service, operation, caller, input }: WriteCall,
  attempt: (db: Writer) => Promise<Outcome>,
): Promise<Outcome> =>
  dryRunAs(
    service.ledger,
    caller,
    operation.id,
    attempt,
    async (db, transaction, outcome) => {
      const by = { caller, operation: operation.id, at: transaction.at.toISOString() }
      const entries = toEntries(by, transaction.firstNumber, transaction.changes)
      const scope = await scopeFor(service, operation, db)
      const changes = await service.showChanges(db, scope ? await scope.withoutHeldBack(db, entries) : entries)
      const body = outcome.payload === null ? {} : JSON.parse(outcome.payload)
      return {
        ...outcome,
        status: 200,
        payload: JSON.stringify({ ...(operation.redact?.(body, 'dry-run') ?? body), ...changes }),
        // The record is not stored, so it has no location.
        location: null,
        isDryRun: true,
        omitted: [...db.omitted],
        ledgerNumber: caller.ledgerNumber === undefined ? null : transaction.firstNumber - 1,
      }
    },
    input.isAbandoned,
  )
