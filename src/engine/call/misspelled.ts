import { didYouMean, nearest } from '../nearest.ts'
import type { Operation } from '../operation.ts'
import { type FieldProblem, malformed, Problem, wrong } from '../problem.ts'
import { stemOf } from './parameters.ts'

/** The most names of a request for which a suggestion is searched. */
const MOST_NAMED = 50

/** Names that usually filter lists in other APIs: ids, states and dates. */
const USUAL_FILTERS =
  /_ids?$|^stat(e|us)(es|s)?$|(^|_)(date|month|year|week|day|from|to|since|until|before|after|start|end)s?(_|$)|_(on|at)$/

/**
 * 400 for unknown query parameters of a list that look like filters. If the list ignored a misspelled filter, the response
 * would show everybody's data.
 */
export function refuseMisspelledFilters(
  operation: Operation,
  sent: Record<string, unknown>,
  unknown: readonly string[],
): void {
  if (operation.method !== 'GET' || unknown.length === 0) return
  refuseOtherTimes(unknown)
  const { data } = (operation.answer?.properties ?? {}) as Record<string, any>
  if (data?.type !== 'array') return
  const filters = Object.keys(operation.query.properties).filter((name) => !/^(page|per_page|sort)$/.test(name))
  const looksLikeFilter = (name: string) => {
    const stem = stemOf(name)
    const isField = stem in (data.items?.properties ?? {}) || operation.asksBy?.includes(stem)
    return isField || isRange(sent[name]) || USUAL_FILTERS.test(stem) || nearest(stem, filters) !== undefined
  }
  const misspelled = unknown.slice(0, MOST_NAMED).filter(looksLikeFilter)
  if (misspelled.length === 0) return
  const errors = misspelled.map((name) =>
    wrong(name, 'unknown', `is not a parameter of this list${didYouMean(name, parameterNames(operation, name))}`),
  )
  // If a name has no suggestion, the message lists all filters once.
  const isUnclear = errors.some(({ message }) => !message.endsWith('?'))
  const all = filters.length > 0 ? `This list can be filtered by ${filters.join(', ')}.` : 'This list has no filters.'
  const detail = [errors.map(({ message }) => message).join('; '), ...(isUnclear ? [all] : [])].join('. ')
  throw new Problem(400, 'malformed', detail, { errors })
}

/** 400 for requests of a past state where only the current one is available. */
function refuseOtherTimes(unknown: readonly string[]): void {
  const times = unknown.filter((name) => /^(as_?of|known_?at)$/i.test(stemOf(name).replaceAll('-', '_')))
  if (times.length > 0)
    throw malformed(
      times.map((name) => wrong(name, 'unknown', 'is not supported here: only the current state is available')),
    )
}

const isRange = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).some((part) => /^[gl]te?$/.test(part))

/** 400 for names in a request that nothing uses. */
export function refuseUnknown(operation: Operation, ignored: Iterable<string>): void {
  const problems = [...ignored].map((field, index) => {
    const names = index < MOST_NAMED ? namesLike(operation, field) : []
    return wrong(field, 'unknown', `is not a known field or parameter${didYouMean(field, names)}`)
  })
  if (problems.length > 0) throw malformed(problems)
}

/** Adds to problems of missing fields under which similar name the request may have sent them. */
export const withSentSpelling = (problems: FieldProblem[], unknown: readonly string[]): FieldProblem[] =>
  unknown.length === 0
    ? problems
    : problems.map((problem) => {
        const sent = problem.code === 'required' ? nearest(problem.field, unknown.slice(0, MOST_NAMED)) : undefined
        return sent === undefined ? problem : { ...problem, message: `${problem.message}. Did you send it as ${sent}?` }
      })

/** All names that a request may have, in the form of a sent name: fields of a nested value if the sent name is nested. */
function namesLike(operation: Operation, sent: string): string[] {
  const names = [...parameterNames(operation, sent), ...Object.keys(operation.body?.properties ?? {})]
  const [, place = '', nested] = /^(.*)\[([^\]]*)\]$/.exec(sent) ?? []
  if (!nested) return names
  const schema = (operation.body?.properties as Record<string, any> | undefined)?.[stemOf(place)]
  const inner = Object.keys(schema?.items?.properties ?? schema?.properties ?? {})
  return [...names, ...inner.map((one) => `${place}[${one}]`)]
}

/** The query parameters of an operation. If the sent name has brackets, ranges come with their bounds: `made_on[gte]`. */
const parameterNames = ({ query }: Operation, sent: string): string[] =>
  Object.entries(query.properties as Record<string, any>).flatMap(([name, schema]) => {
    if (schema.type !== 'object' || !sent.includes('[')) return name
    return Object.keys(schema.properties).map((part) => `${name}[${part}]`)
  })
