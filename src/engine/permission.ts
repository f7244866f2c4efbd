import { type Caller, EVERYBODY, type Grant } from '../records/caller.ts'
import { forbidden, Problem } from './problem.ts'

/** Permissions that writing in their area does not cover, because they reach into another one. */
const beyondWriting = new Set<string>()
export const declareBeyondWriting = (permission: string) => void beyondWriting.add(permission)

/**
 * Does a set of permissions, with `*` and `area:*`, cover the one that is needed? Whoever may write in an area may also
 * do what stands between reading and writing there.
 */
export function permits(held: readonly string[], needed: string): boolean {
  if (held.includes('*') || held.includes(needed)) return true
  const [area, verb] = needed.split(':')
  if (held.includes(`${area}:*`)) return true
  return verb !== 'read' && verb !== '*' && !beyondWriting.has(needed) && held.includes(`${area}:write`)
}

/** Does a caller hold a permission for everybody? */
export const permitsForAll = (
  { permissions, grants }: Pick<Caller, 'permissions' | 'grants'>,
  needed: string,
): boolean =>
  grants
    ? grants.some(({ scope, permissions }) => scope.kind === EVERYBODY.kind && permits(permissions, needed))
    : permits(permissions, needed)

/** Does a caller see a group of data wherever they see anything? A refusal may then tell of it. */
export const seesGroup = ({ withheld, grants = [] }: Caller, group: string): boolean =>
  !withheld.has(group) && grants.every((grant) => !grant.withheld.has(group))

/** What is one's own: everybody who signs in holds it, and no key does, not even one that holds everything. */
export const OWN = /^me:/

/** Refuses a caller who does not hold a permission. */
export function requirePermission(caller: Pick<Caller, 'actor' | 'permissions'>, needed: string | null): void {
  if (needed !== null && OWN.test(needed) && caller.actor.kind !== 'person')
    throw new Problem(
      403,
      'for_people',
      `This operation needs the permission ${needed}, which only people who sign in have. It is not available with an API key.`,
    )
  if (needed !== null && !permits(caller.permissions, needed))
    throw forbidden(
      caller.actor.kind === 'person'
        ? `You do not have the permission ${needed}.`
        : `This API key does not have the permission ${needed}.`,
    )
}

/** Refuses a caller who holds a permission for nobody, or for some only, where the answer tells of everybody. */
export function requireForAll(caller: Caller, needed: string): void {
  requirePermission(caller, needed)
  if (!permitsForAll(caller, needed))
    throw forbidden(
      `You have the permission ${needed} only for some people or records. This operation needs a role that grants it for everybody.`,
    )
}

/**
 * What is seen in part only can be neither judged nor taken whole. By a permission that somebody holds for everybody,
 * with sight of all groups, they see all that there is while they use it.
 */
export function requireWholeSight({ withheld, grants }: Caller, permission?: string): void {
  const isWhole = (grant: Grant) =>
    permission !== undefined &&
    grant.scope.kind === EVERYBODY.kind &&
    grant.withheld.size === 0 &&
    permits(grant.permissions, permission)
  if (grants?.some(isWhole)) return
  if (grants) throw forbidden('This operation needs a role that covers everybody and has no hidden field groups.')
  if (withheld.size > 0)
    throw forbidden(
      `This operation needs access to all field groups, but some are hidden from you: ${[...withheld].join(', ')}. Use a role or API key that can see them.`,
    )
}
