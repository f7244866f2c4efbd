import { writeAs } from '../../records/ledger.ts'
import { like } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { lastNumberOf, type WriteTransaction } from '../../records/write-transaction.ts'
import type { FileKeeper, Files } from '../operation.ts'
import type { Outcome } from '../outcome.ts'
import { malformed, Problem, refuse, wrong } from '../problem.ts'
import { scopeFor } from './access.ts'
import { runDry } from './dry-run.ts'
import { filesIn } from './files.ts'
import { runHandler } from './handler.ts'
import { runOnce } from './idempotency.ts'
import { checkIfMatch } from './if-match.ts'
import type { Commit, WriteCall } from './service.ts'

/** Runs a write in one transaction: all of it is stored, or nothing. */
export async function runWrite(write: WriteCall): Promise<Outcome> {
  const { service, operation, caller, input, request } = write
  refuseUnsupportedHeaders(write)
  if (operation.prepare) refuse(request.problems)
  const { params, query, body } = request
  const preparation = await operation.prepare?.({ ledger: service.ledger, caller, params, query, body })
  if (input.isDryRun) return runDry(write, (db) => attempt(write, db, () => service.files.forDryRun(), preparation))
  const commit: Commit = (around) =>
    commitWrite(write, (db, transaction, files) =>
      around(transaction, () => attempt(write, db, (writer) => files.during(writer), preparation)),
    )
  if (input.retryKey === undefined || operation.guarded) return commit((_turn, run) => run())
  return runOnce(write, input.retryKey, commit)
}

function refuseUnsupportedHeaders({ operation, input: { retryKey, isDryRun } }: WriteCall): void {
  if (retryKey !== undefined && (retryKey.length === 0 || retryKey.length > 255))
    throw malformed(wrong('Idempotency-Key', 'too_long', 'must have 1 to 255 characters'))
  if (operation.guarded && isDryRun)
    throw malformed(
      wrong(
        'Prefer',
        'invalid',
        'cannot be dry-run: this operation handles secrets, so a dry run is not available. To carry it out, leave the header out',
      ),
    )
}

/** Checks the request against the access scope, runs the handler, and checks what it has changed. */
async function attempt(
  { service, operation, input, request }: WriteCall,
  unfiltered: Writer,
  openFiles: (db: Writer) => Files,
  preparation: unknown,
): Promise<Outcome> {
  const scope = await scopeFor(service, operation, unfiltered)
  const db = scope ? like(unfiltered, { responseReader: unfiltered.withVisibility(scope) }) : unfiltered
  if (!operation.checksScopeItself) await scope?.checkPath(unfiltered, operation, request.params)
  if (input.ifMatch !== undefined)
    await checkIfMatch(service, operation, db, { request, ifMatch: input.ifMatch, scope })
  const checkChanges = async () => {
    if (!operation.checksScopeItself) await scope?.checkChanges(db, operation, db.changes())
  }
  const call = { db, ...request, files: openFiles(db), preparation }
  const outcome = await runHandler(operation, call, request).catch(async (error) => {
    // A new record outside the scope cannot be shown. An error about the scope explains more than "not found".
    if (error instanceof Problem && error.status === 404 && db.changes().length > 0) await checkChanges()
    throw error
  })
  await checkChanges()
  return outcome
}

/** Uploads the request's files, runs the work in a transaction and commits it. */
async function commitWrite(
  { service, operation, caller, input, request }: WriteCall,
  work: (db: Writer, transaction: WriteTransaction, files: FileKeeper) => Promise<Outcome>,
): Promise<Outcome> {
  let transaction: WriteTransaction | undefined
  const upload = await service.files.upload(request.problems.length > 0 ? [] : filesIn(operation, request.body))
  const runTransaction = () =>
    writeAs(
      service.ledger,
      caller,
      operation.id,
      (db, current) => {
        transaction = current
        return work(db, current, upload)
      },
      input.isAbandoned,
    )
  const outcome = await runTransaction()
    .catch(async (error) => {
      if (await upload.shouldRetry(error)) return runTransaction()
      throw error
    })
    .finally(upload.cleanUp)
  // Consequences of the write add entries after the handler, so the last number is known only now.
  return transaction && caller.ledgerNumber !== undefined
    ? { ...outcome, ledgerNumber: lastNumberOf(transaction) }
    : outcome
}
