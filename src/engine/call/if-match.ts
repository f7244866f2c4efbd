import { like, type Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import type { AccessScope } from '../access-scope/access-scope.ts'
import type { Operation } from '../operation.ts'
import { hasTag, tagOf } from '../outcome.ts'
import { Problem } from '../problem.ts'
import { check } from '../validate.ts'
import { runHandler } from './handler.ts'
import type { CallRequest, Service } from './service.ts'

/**
 * 412 if the record has changed since the caller read it. The ETag is that of the GET operation at the request's own path or,
 * for actions and lists of parts, at the path of the record that they belong to.
 */
export async function checkIfMatch(
  { operations, files }: Service,
  operation: Operation,
  db: Writer,
  { request, ifMatch, scope }: { request: CallRequest; ifMatch: string; scope: AccessScope | undefined },
): Promise<void> {
  if (ifMatch.trim() === '*') return
  const values = Object.values(pathParams(operation.path, request.params))
  for (const path of recordPaths(operation.path)) {
    const get = operations.find((one) => one.method === 'GET' && withoutNames(one.path) === withoutNames(path))
    if (!get) continue
    const { values: params, problems } = check(get.params, pathParams(get.path, values))
    if (problems.length > 0) continue
    const reading = { ...request, params, query: {}, body: {}, problems: [], refuseUnused: () => undefined }
    const reader: Reader = scope ? db.withVisibility(scope.forOperation(get)) : db
    // The response is not shown to anybody, so nobody has read the record.
    const call = { db: like(reader, { shown: [] }), ...reading, files: files.forReading() }
    const { payload } = await runHandler(get, call, reading)
    if (hasTag(ifMatch, tagOf(payload ?? ''))) return
  }
  throw new Problem(
    412,
    'precondition_failed',
    'The record has changed since you read it: If-Match no longer matches its ETag. Read it again, then repeat the change with the new ETag.',
  )
}

/** Paths that differ only in the names of their parameters are the same place. */
const withoutNames = (path: string) => path.replace(/\{\w+\}/g, '{}')

/** A path, and the path of the record that it belongs to: `/books/{id}/lend` and `/books/{id}`. */
function recordPaths(path: string): string[] {
  const record = path.slice(0, path.lastIndexOf('}') + 1)
  return record && record !== path ? [path, record] : [path]
}

/** The parameters of a path from values by name, or from values in their order. */
const pathParams = (path: string, values: Record<string, unknown> | unknown[]) =>
  Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name], index) => [
      name,
      Array.isArray(values) ? values[index] : values[name as string],
    ]),
  )
