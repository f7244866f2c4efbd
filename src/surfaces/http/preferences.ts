import type { FastifyRequest } from 'fastify'
import type { Operation } from '../../engine/operation.ts'
import { malformed, wrong } from '../../engine/problem.ts'
import { header } from './headers.ts'

/**
 * What a request prefers, as in RFC 7240: names and values in small letters, without parameters; of a name that comes
 * twice, the first counts. A value that is not well formed is kept as it stands, for those who look at it.
 */
export function preferencesOf(request: FastifyRequest): Map<string, string> {
  const found = new Map<string, string>()
  for (const [part] of (header(request, 'prefer') ?? '').matchAll(BETWEEN_COMMAS)) {
    const [, name = '', rest = ''] = NAMED.exec(part.trim()) ?? []
    const sent = rest.trimStart().replace(/^=\s*/, '')
    const quoted = QUOTED.exec(sent)?.[1]?.replace(/\\(.)/g, '$1')
    const value = quoted ?? (sent.split(';')[0] as string).trimEnd()
    if (name && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), value.toLowerCase())
  }
  return found
}

/** A comma in quotes divides nothing. */
const BETWEEN_COMMAS = /(?:"(?:\\.|[^"\\])*(?:"|$)|[^,"])+/g
const NAMED = /^([\w!#$%&'*+.^`|~-]+)(.*)$/
const QUOTED = /^"((?:\\.|[^"\\])*)"\s*(?:;|$)/

/** Is a write only to be tried? What reads has nothing to take back. */
export const isTrial = (request: FastifyRequest, operation: Pick<Operation, 'method'>): boolean =>
  isWrite(operation) && saysTrial(request) === 'clearly'

/**
 * Whoever sends `dry_run`, or `dry-run=false`, gets neither a write that they may not want nor a trial in its place. Nor
 * does who asks for a trial elsewhere: in a header of another name, in the query, or, once that is read, in the body.
 */
export function refuseOddTrial(request: FastifyRequest, { method, query, body }: RequestSchemas): void {
  if (!isWrite({ method })) return
  if (saysTrial(request) === 'oddly')
    throw malformed(
      wrong(
        'Prefer',
        'invalid',
        'must be dry-run or dry-run=true. To store the change, send the request without this header or parameter',
      ),
    )
  const isField = (name: string) => name in query.properties || name in (body?.properties ?? {})
  const sent = [request.query, request.body].flatMap((one) => Object.keys(one ?? {})).filter((name) => !isField(name))
  const odd = [...Object.keys(request.headers), ...sent].find((name) => ELSEWHERE.test(name))
  if (odd) throw malformed(wrong(odd, 'unknown', 'is not supported. For a dry run, send the header Prefer: dry-run'))
}

type RequestSchemas = Pick<Operation, 'method' | 'query' | 'body'>

/** A name by which a trial is asked for, in other interfaces. */
const ELSEWHERE = /^(x[_-])?(is[_-]?)?dry[\s_-]*runs?(\[\])?$/i

const isWrite = ({ method }: Pick<Operation, 'method'>) => method !== 'GET'

/** What is in quotes behind an equals sign is another preference's own matter. */
function saysTrial(request: FastifyRequest): 'clearly' | 'oddly' | 'not at all' {
  const said = (header(request, 'prefer') ?? '').match(BETWEEN_COMMAS) ?? []
  const trials = said.filter((part) => TRIAL.test(part.replace(/^(?!\s*dry-run)(.*?=\s*)"(?:\\.|[^"\\])*"/i, '$1')))
  if (trials.length === 0) return 'not at all'
  return trials.every((part) => CLEAR_TRIAL.test(part)) ? 'clearly' : 'oddly'
}

/** Whatever somebody may write who means a trial. */
const TRIAL = /(?<![a-z])dry[\s_-]*run/i
const CLEAR_TRIAL = /^\s*dry-run\s*(?:=\s*(?:true|"(?:true)?")?\s*)?(?:;(?!.*dry[\s_-]*run).*)?$/i
