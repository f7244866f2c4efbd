import type { FastifyRequest } from 'fastify'
import type { Operation } from '../../engine/operation.ts'
import { malformed, wrong } from '../../engine/problem.ts'
import { header } from './headers.ts'

/**
 * The preferences in the `Prefer` header (RFC 7240): names and values in lower case, without parameters. If a name comes twice,
 * the first counts. Malformed values are returned as they are.
 */
export function preferencesOf(request: FastifyRequest): Map<string, string> {
  const preferences = new Map<string, string>()
  for (const [part] of (header(request, 'prefer') ?? '').matchAll(BETWEEN_COMMAS)) {
    const [, name = '', rest = ''] = NAMED.exec(part.trim()) ?? []
    const sent = rest.trimStart().replace(/^=\s*/, '')
    const quoted = QUOTED.exec(sent)?.[1]?.replace(/\\(.)/g, '$1')
    const value = quoted ?? (sent.split(';')[0] as string).trimEnd()
    if (name && !preferences.has(name.toLowerCase())) preferences.set(name.toLowerCase(), value.toLowerCase())
  }
  return preferences
}

/** Parts between commas. A comma in quotes is no separator. */
const BETWEEN_COMMAS = /(?:"(?:\\.|[^"\\])*(?:"|$)|[^,"])+/g
const NAMED = /^([\w!#$%&'*+.^`|~-]+)(.*)$/
const QUOTED = /^"((?:\\.|[^"\\])*)"\s*(?:;|$)/

/** Does the request ask for a dry run? Reads have none. */
export const isDryRun = (request: FastifyRequest, operation: Pick<Operation, 'method'>): boolean =>
  isWrite(operation) && dryRunPreference(request) === 'clear'

/**
 * 400 for `dry_run`, `dry-run=false` and the like: it is not clear whether the caller wants the write. The same for a dry run
 * that is requested elsewhere: in another header, in the query, or in the body, once that is read.
 */
export function refuseUnclearDryRun(request: FastifyRequest, { method, query, body }: RequestSchemas): void {
  if (!isWrite({ method })) return
  if (dryRunPreference(request) === 'unclear')
    throw malformed(
      wrong(
        'Prefer',
        'invalid',
        'must be dry-run or dry-run=true. To store the change, send the request without this header or parameter',
      ),
    )
  const isField = (name: string) => name in query.properties || name in (body?.properties ?? {})
  const sent = [request.query, request.body].flatMap((one) => Object.keys(one ?? {})).filter((name) => !isField(name))
  const misplaced = [...Object.keys(request.headers), ...sent].find((name) => ELSEWHERE.test(name))
  if (misplaced)
    throw malformed(wrong(misplaced, 'unknown', 'is not supported. For a dry run, send the header Prefer: dry-run'))
}

type RequestSchemas = Pick<Operation, 'method' | 'query' | 'body'>

/** Names by which other APIs request a dry run. */
const ELSEWHERE = /^(x[_-])?(is[_-]?)?dry[\s_-]*runs?(\[\])?$/i

const isWrite = ({ method }: Pick<Operation, 'method'>) => method !== 'GET'

/** Does the `Prefer` header ask for a dry run? Quoted values of other preferences do not count. */
function dryRunPreference(request: FastifyRequest): 'clear' | 'unclear' | 'none' {
  const preferences = (header(request, 'prefer') ?? '').match(BETWEEN_COMMAS) ?? []
  const dryRuns = preferences.filter((part) =>
    DRY_RUN.test(part.replace(/^(?!\s*dry-run)(.*?=\s*)"(?:\\.|[^"\\])*"/i, '$1')),
  )
  if (dryRuns.length === 0) return 'none'
  return dryRuns.every((part) => CLEAR_DRY_RUN.test(part)) ? 'clear' : 'unclear'
}

/** All spellings that probably mean a dry run, and those that certainly do. */
const DRY_RUN = /(?<![a-z])dry[\s_-]*run/i
const CLEAR_DRY_RUN = /^\s*dry-run\s*(?:=\s*(?:true|"(?:true)?")?\s*)?(?:;(?!.*dry[\s_-]*run).*)?$/i
