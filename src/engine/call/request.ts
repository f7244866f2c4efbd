import type { Caller } from '../../records/caller.ts'
import type { Operation } from '../operation.ts'
import { type Checked, check } from '../validate.ts'
import { refuseHiddenFields } from './access.ts'
import { bodyOf } from './body.ts'
import { refuseLostFiles } from './files.ts'
import { refuseMisspelledFilters, refuseUnknown, withSentSpelling } from './misspelled.ts'
import { readParameters } from './parameters.ts'
import type { CallInput, CallRequest } from './service.ts'

/** Validates a request. `aliases` are the other names that it used for fields. */
export function readRequest(
  operation: Operation,
  caller: Caller,
  input: CallInput,
): { request: CallRequest; aliases: Checked['aliases'] } {
  const { params, query, unreadable } = readParameters(operation, input)
  refuseMisspelledFilters(operation, input.query as Record<string, unknown>, query.ignored)
  const inQuery = bodyFieldsInQuery(operation, input, query.ignored)
  const body: Checked = operation.body
    ? check(operation.body, { ...inQuery, ...bodyOf(input.body) })
    : { values: {}, problems: unreadable, ignored: [] }
  refuseHiddenFields(caller, operation, body.values)

  const unusedInQuery = query.ignored.filter((name) => !Object.hasOwn(inQuery, name))
  const ignored = input.ignored ?? new Set<string>()
  for (const name of [...unusedInQuery, ...body.ignored]) ignored.add(name)
  if (operation.method === 'DELETE' && operation.body) refuseUnknown(operation, ignored)
  refuseLostFiles(operation, input.body, body.ignored)
  // Only the handler of an open operation knows which further fields of the body it uses.
  if (input.isStrict) refuseUnknown(operation, operation.open ? unusedInQuery : ignored)
  const request: CallRequest = {
    params: params.values,
    query: query.values,
    body: body.values,
    problems: withSentSpelling(body.problems, body.ignored),
    extra: operation.open ? extraFields(input.body, body.ignored) : {},
    ignored,
    refuseUnused: () => input.isStrict && refuseUnknown(operation, ignored),
  }
  return { request, aliases: body.aliases }
}

/** Body fields that the request has in its query, as some clients send them. Fields in the body itself take precedence. */
function bodyFieldsInQuery(
  { method, body, guarded }: Operation,
  input: CallInput,
  unknown: readonly string[],
): Record<string, unknown> {
  // URLs are logged in many places, so secrets are not accepted there.
  if (method === 'GET' || !body || guarded || unknown.length === 0) return {}
  const sent = bodyOf(input.body)
  const names = unknown.filter((name) => Object.hasOwn(body.properties, name) && !Object.hasOwn(sent, name))
  return Object.fromEntries(names.map((name) => [name, (input.query as Record<string, unknown>)[name]]))
}

/** The fields of an open body beyond its schema. */
function extraFields(body: unknown, names: readonly string[]): Record<string, unknown> {
  const sent = bodyOf(body)
  return Object.fromEntries(names.map((name) => [name, sent[name]]))
}
