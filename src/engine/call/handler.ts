import type { TObject } from 'typebox'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import type { Call, Operation } from '../operation.ts'
import type { Outcome } from '../outcome.ts'
import { isPartlyWritten, objectWriterOf, writerOf } from '../written.ts'
import type { CallRequest } from './service.ts'

/** Runs an operation's handler and turns its answer into an outcome. */
export async function runHandler(
  operation: Operation,
  call: Call<Reader | Writer>,
  { refuseUnused }: Pick<CallRequest, 'refuseUnused'>,
): Promise<Outcome> {
  const answer = await operation.handle(call)
  refuseUnused()
  return {
    status: operation.status,
    payload: answer.body === undefined || !operation.answer ? null : serialise(operation.answer, answer.body),
    file: answer.file && operation.attaches ? { ...answer.file, type: operation.attaches } : null,
    location: answer.location ?? null,
    isReplayed: false,
    isDryRun: false,
    omitted: [...call.db.omitted],
    ledgerNumber: call.db.caller.ledgerNumber ?? null,
    shown: call.db.shown,
    keep: answer.keep ?? {},
  }
}

/** Writes a response by its declared schema: values that the schema does not declare are not sent. */
export const serialise = (schema: TObject, value: unknown): string =>
  (isPartlyWritten(value) ? objectWriterOf(schema) : writerOf(schema))(value)
