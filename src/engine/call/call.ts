import type { Caller } from '../../records/caller.ts'
import { readAs } from '../../records/ledger.ts'
import type { Operation } from '../operation.ts'
import type { Outcome } from '../outcome.ts'
import { requirePermission } from '../permission.ts'
import { invalid, Problem } from '../problem.ts'
import { type Checked, renamed } from '../validate.ts'
import { callerFor, readerInScope, refuseHiddenGroup } from './access.ts'
import { readParameters } from './parameters.ts'
import { runRead } from './read.ts'
import { readRequest } from './request.ts'
import type { CallInput, Service } from './service.ts'
import { runWrite } from './write.ts'

/** Calls an operation for a caller. A read sees one snapshot. A write is one transaction. */
export async function call(service: Service, operation: Operation, by: Caller, input: CallInput): Promise<Outcome> {
  requirePermission(by, operation.permission)
  const caller = callerFor(operation, by)
  refuseHiddenGroup(service, operation, caller)
  const { request, aliases } = readRequest(operation, caller, input)
  const outcome =
    operation.method === 'GET'
      ? await runRead(service, operation, { by, caller }, request, input.isGone)
      : await runWrite({ service, operation, caller, input, request }).catch((error) => {
          throw withNamesAsSent(error, aliases)
        })
  service.reads?.note(caller, operation.id, request.params, outcome.shown)
  return outcome
}

/** Runs the operation's check of its parameters. A surface calls it before it reads the body. */
export async function precheck(
  service: Service,
  operation: Operation,
  caller: Caller,
  sent: Pick<CallInput, 'params' | 'query' | 'queryNames'>,
): Promise<void> {
  const { precheck } = operation
  if (!precheck) return
  const { params, query } = readParameters(operation, sent)
  await readAs(service.ledger, caller, async (db) =>
    precheck({ db: await readerInScope(service, operation, db), params: params.values, query: query.values }),
  )
}

/** The problems that rules report, under the names that the request used for the fields. */
function withNamesAsSent(error: unknown, aliases: Checked['aliases']): unknown {
  if (!aliases?.size || !(error instanceof Problem) || error.code !== 'validation_failed') return error
  return invalid(error.errors.map((problem) => renamed(problem, aliases)))
}
