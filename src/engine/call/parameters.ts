import { isText } from '../format.ts'
import type { Operation } from '../operation.ts'
import { type FieldProblem, malformed, notFound, wrong } from '../problem.ts'
import { check } from '../validate.ts'
import type { CallInput } from './service.ts'

/** Validates path and query parameters. Operations that gather problems of the query get them as `unreadable`. */
export function readParameters(operation: Operation, sent: Pick<CallInput, 'params' | 'query' | 'queryNames'>) {
  const params = check(operation.params, sent.params)
  const query = check(operation.query, sent.query)
  if (hasImpossibleId(operation, sent.params)) throw notFound()
  const unreadable = onceEach(
    [...query.problems, ...invalidTexts(query.values)].map((problem) => withSentName(problem, sent.queryNames)),
  )
  if (params.problems.length > 0) throw malformed(params.problems)
  if (unreadable.length > 0 && !operation.gathersQuery) throw malformed(unreadable)
  return { params, query, unreadable }
}

/** Does the path have an id that no record can have? Such a record is unknown, like any other that does not exist. */
function hasImpossibleId(operation: Operation, params: unknown): boolean {
  const isNumber = (name: string) => (operation.params.properties as Record<string, any>)[name]?.type !== 'string'
  return Object.entries((params ?? {}) as Record<string, unknown>).some(
    ([name, value]) => typeof value === 'string' && ((isNumber(name) && /^\d{16,}$/.test(value)) || !isText(value)),
  )
}

/** A problem under the name that the request used: `made_on[gte]` and `ids[]`, not `made_on.gte` and `ids[0]`. */
function withSentName(problem: FieldProblem, queryNames: CallInput['queryNames']): FieldProblem {
  const { field, message } = problem
  const inBrackets = field.replace(/\.(\w+)/g, '[$1]')
  const stem = stemOf(inBrackets)
  const names = queryNames?.().filter((name) => stemOf(name) === stem) ?? []
  // `made_on=x` sets bounds that the request does not name.
  const [name = inBrackets] = names.includes(inBrackets) ? [inBrackets] : names
  return name === field ? problem : { ...problem, field: name, message: name + message.slice(field.length) }
}

/** Removes repeated problems: a plain value of a range is checked as both bounds. */
const onceEach = (problems: FieldProblem[]) => [...new Map(problems.map((one) => [one.message, one])).values()]

/** Problems of texts that a database cannot search for. */
const invalidTexts = (values: Record<string, unknown>) =>
  Object.entries(values).flatMap(([name, value]) =>
    [value].flat().every((one) => typeof one !== 'string' || isText(one))
      ? []
      : [wrong(name, 'invalid', 'must be valid Unicode text without NUL characters')],
  )

/** `made_on[gte]` and `ids[]` → the name itself. */
export const stemOf = (name: string) => name.replace(/\[.*$/, '')
