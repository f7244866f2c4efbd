import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Keeping } from '../../engine/operation.ts'
import { header } from './headers.ts'

/** What browsers keep for us, as cookies: no script reads them, and other sites do not have them sent. */

const KEPT = ['session', 'device', 'sso'] as const

/**
 * The name tells the browser what to hold a cookie to: over https, that no other host and no other path has set it. Below
 * a path of a shared host it is for that path alone. Without https it is for trying things out on one's own machine.
 */
function placeOf(origin: string) {
  const { protocol, pathname } = new URL(origin)
  const isSecure = protocol === 'https:'
  const path = pathname.replace(/\/+$/, '') || '/'
  const prefix = isSecure ? (path === '/' ? '__Host-' : '__Secure-') : ''
  return { nameOf: (name: string) => `${prefix}cadre_${name}`, path, isSecure }
}

/** Our cookies in the request. A name that occurs twice is ignored. */
export function readCookies(request: FastifyRequest, origin: string): Record<string, string> {
  const sent = header(request, 'cookie')
  if (!sent) return {}
  const pairs = sent.split(/;\s*/).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])
  const { nameOf } = placeOf(origin)
  return Object.fromEntries(
    KEPT.flatMap((name) => {
      const values = pairs.filter(([key]) => key === nameOf(name)).map(([, value]) => value as string)
      return values.length === 1 && /^[\w.-]{1,4000}$/.test(values[0] as string) ? [[name, values[0] as string]] : []
    }),
  )
}

/** Sets and deletes cookies. */
export function setCookies(reply: FastifyReply, keep: Keeping, origin: string): void {
  const { nameOf, path, isSecure } = placeOf(origin)
  const cookies = Object.entries(keep).map(([name, kept]) =>
    [
      `${nameOf(name)}=${kept?.value ?? ''}`,
      `Path=${path}`,
      `Max-Age=${kept?.seconds ?? 0}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(isSecure ? ['Secure'] : []),
    ].join('; '),
  )
  if (cookies.length > 0) reply.header('set-cookie', cookies)
}

/**
 * Does a page of another origin make the browser send this? Programs that are no browsers say nothing of it: they have
 * no cookies either, unless somebody gives them some.
 */
export function isCrossOrigin(request: FastifyRequest, origin: string): boolean {
  const site = header(request, 'sec-fetch-site')
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const from = header(request, 'origin')
  return from !== undefined && from !== new URL(origin).origin
}

/** True if the browser says that one of our own pages sends this. */
export const isSameOrigin = (request: FastifyRequest, origin: string): boolean =>
  header(request, 'sec-fetch-site') === 'same-origin' ||
  (header(request, 'sec-fetch-site') === undefined && header(request, 'origin') === new URL(origin).origin)
