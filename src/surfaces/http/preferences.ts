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
 * Whoever sends `dry_run`, or `dry-run=false`, gets neither a write that they may not want nor a trial in its place.
 */
export function refuseOddTrial(request: FastifyRequest, operation: Pick<Operation, 'method'>): void {
  if (isWrite(operation) && saysTrial(request) === 'oddly')
    throw malformed(
      wrong('Prefer', 'invalid', 'knows dry-run, once and without a value: leave it out to have the write done'),
    )
}

const isWrite = ({ method }: Pick<Operation, 'method'>) => method !== 'GET'

/** What is in quotes behind an equals sign is another preference's own matter. */
function saysTrial(request: FastifyRequest): 'clearly' | 'oddly' | 'not at all' {
  const said = (header(request, 'prefer') ?? '').match(BETWEEN_COMMAS) ?? []
  const trials = said.filter((part) => TRIAL.test(part.replace(/^(?!\s*dry-run)(.*?=\s*)"(?:\\.|[^"\\])*"/i, '$1')))
  if (trials.length === 0) return 'not at all'
  return trials.every((part) => CLEAR_TRIAL.test(part)) ? 'clearly' : 'oddly'
}

/** Whatever somebody may write who means a trial. */
const TRIAL = /(?<![a-z])dry[\s_-]*run(?![a-z])/i
const CLEAR_TRIAL = /^\s*dry-run\s*(?:=\s*(?:true|"(?:true)?")?\s*)?(?:;(?!.*dry[\s_-]*run).*)?$/i
