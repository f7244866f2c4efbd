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
export const isTrial = (request: FastifyRequest, { method }: Pick<Operation, 'method'>): boolean =>
  method !== 'GET' && preferencesOf(request).has('dry-run')

/** Whoever sends `dry-run=false` expects a write, and gets neither that nor a trial in its place. */
export function refuseOddTrial(request: FastifyRequest): void {
  const value = preferencesOf(request).get('dry-run')
  if (value && value !== 'true')
    throw malformed(wrong('Prefer', 'invalid', 'knows dry-run without a value: leave it out to have the write done'))
}
