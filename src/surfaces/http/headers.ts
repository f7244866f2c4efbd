import type { FastifyReply, FastifyRequest } from 'fastify'

/** A header that was sent, as one text. */
export function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Tells caches that the answer depends on this header of the request. */
export function vary(reply: FastifyReply, name: string): void {
  const known = reply.getHeader('vary')
  const names = known === undefined ? [] : String(known).split(', ')
  if (!names.includes(name)) reply.header('vary', [...names, name].join(', '))
}

/**
 * Which of the offers the caller likes best, as `Accept` and `Accept-Encoding` say it: by weight, the earlier offer
 * first among equals, none that has the weight 0. `matches` says which offers an entry of the header speaks of, and how
 * closely: the closest entry counts.
 */
export function preferred<T extends string>(
  sent: string,
  offers: readonly T[],
  matches: (entry: string, offer: T) => number,
): T | undefined {
  const entries = sent.split(',').map((part) => {
    const [name = '', ...rest] = part.split(';').map((one) => one.trim().toLowerCase())
    const weight = rest.find((one) => one.startsWith('q='))
    return { name, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
  })
  const weightOf = (offer: T) => {
    const ranked = entries
      .map(({ name, weight }) => ({ weight, closeness: matches(name, offer) }))
      .filter(({ closeness }) => closeness > 0)
      .sort((a, b) => b.closeness - a.closeness)
    return ranked[0]?.weight ?? 0
  }
  return offers
    .map((offer) => ({ offer, weight: weightOf(offer) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)[0]?.offer
}

/** Which of these media types the caller likes best: the first one when it says nothing. */
export const preferredType = <T extends string>(request: FastifyRequest, types: readonly T[]): T | undefined =>
  preferred(header(request, 'accept') ?? '*/*', types, (entry, type) =>
    entry === type ? 3 : entry === `${type.split('/')[0]}/*` ? 2 : entry === '*/*' ? 1 : 0,
  )
