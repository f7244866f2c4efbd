import { toEntries } from '../../records/entries.ts'
import { dryRunAs, readAs } from '../../records/ledger.ts'
import type { Writer } from '../../records/write.ts'
import type { Effects } from '../operation.ts'
import type { Outcome } from '../outcome.ts'
import { readerInScope, scopeFor } from './access.ts'
import { serialise } from './handler.ts'
import type { WriteCall } from './service.ts'

/** Runs a write, shows its response, the changes that it would make and their effects, and rolls it back. It ignores the Idempotency-Key. */
export async function runDry(
  { service, operation, caller, input, request }: WriteCall,
  attempt: (db: Writer) => Promise<Outcome>,
): Promise<Outcome> {
  const { ledger } = service
  let readEffects: Awaited<ReturnType<Effects['begin']>> | undefined
  const outcome = await dryRunAs(
    ledger,
    caller,
    operation.id,
    attempt,
    async (db, transaction, outcome) => {
      const by = { caller, operation: operation.id, at: transaction.at.toISOString() }
      const entries = toEntries(by, transaction.firstNumber, transaction.changes)
      const scope = await scopeFor(service, operation, db)
      const changes = await service.showChanges(db, scope ? await scope.withoutHeldBack(db, entries) : entries)
      const body = outcome.payload === null ? {} : JSON.parse(outcome.payload)
      readEffects = await operation.effects?.begin({ db, ...request }, body)
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
  if (!readEffects || !operation.effects) return outcome
  const read = readEffects
  const isGone = input.isGone ?? (() => false)
  const effects = await readAs(
    ledger,
    caller,
    async (db) => read(await readerInScope(service, operation, db), isGone),
    { isLong: true, isAbandoned: isGone },
  )
  const shown = serialise(operation.effects.schema, effects)
  return { ...outcome, payload: `${outcome.payload?.slice(0, -1)},"effects":${shown}}` }
}
