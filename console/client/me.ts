import { useQuery } from '@tanstack/react-query'
import { call, ledger } from './client.ts'
import { queries, useRead } from './data.ts'
import type { Me, Permission } from './operations.ts'
import { forgetOwner, isSameOwner } from './session-owner.ts'
import { keepZone } from './time-zone.ts'

/** The signed-in user and their permissions. */

const KEY = ['me']

const question = {
  queryKey: KEY,
  queryFn: async () => {
    const { data } = (await call('GET /me', {})).body
    if (!isSameOwner(data)) return await new Promise<never>(() => undefined)
    keepZone(data.time_zone)
    return data
  },
  // The answer includes the company.
  meta: { kinds: ['company', 'companies'] },
  staleTime: Number.POSITIVE_INFINITY,
  retry: (count: number, error: unknown) => (error as { status?: number }).status === 0 && count < 1,
  retryOnMount: false,
  // A user who was signed out elsewhere notices it at their next request.
  refetchOnWindowFocus: false,
}

export const useMeQuery = () => useQuery(question)

/** Starts the request before anything is shown. */
export const prefetchMe = () => queries.prefetchQuery(question)

/** The signed-in user. Only use it below the shell, which waits until the user is loaded. */
export function useMe(): Me {
  const { data } = useMeQuery()
  if (!data) throw new Error('useMe is for what stands inside the shell')
  return data
}

export const me = () => queries.getQueryData<Me>(KEY)

/** Clears all cached data, because the next user may belong to another company. */
export function forgetMe(): void {
  forgetOwner()
  queries.clear()
  ledger.last = 0
}

/** Reloads the user after they have changed their own account. */
export const reloadMe = () => queries.invalidateQueries({ queryKey: KEY })

/** The same rule as in the service: `write` includes every other permission of its area except `hire`. */
export function permits(held: readonly string[], wanted: Permission): boolean {
  const [area, verb] = wanted.split(':')
  return (
    held.includes('*') ||
    held.includes(wanted) ||
    held.includes(`${area}:*`) ||
    (verb !== 'read' && verb !== 'hire' && held.includes(`${area}:write`))
  )
}

/** May the user hire candidates as employees? */
export function useMayHire(): boolean {
  const may = useMay()
  return may('recruitment:write') && (may('recruitment:hire') || may('employees:write'))
}

/** Does the user have a permission? `const may = useMay(); may('leave:write')`. */
export function useMay(): (permission: Permission) => boolean {
  const { permissions } = useMe()
  return (permission) => permits(permissions, permission)
}

/**
 * The same for one employee, because a role can cover only some of them. Null means a record of no employee, which only
 * users who cover everybody may change. Until the answer is there, nothing is allowed. No request is made if the
 * permission covers everybody or nobody.
 */
export function useMayFor(employeeId: number | null, ...wanted: Permission[]) {
  const may = useMay()
  const mayForAll = useMayForAll()
  const isAsked = employeeId !== null && wanted.some((one) => may(one) && !mayForAll(one))
  const rights = useRead('GET /me/rights', { query: { employee_id: employeeId ?? 0 } }, { enabled: isAsked })
  const held = (isAsked && rights.answer?.data.permissions) || []
  return {
    mayFor: (permission: Permission) => mayForAll(permission) || permits(held, permission),
    isPending: isAsked && rights.isPending,
  }
}

/** Permissions that cover all employees: for records that belong to no employee yet, and for merging two records. */
export function useMayForAll(): (permission: Permission) => boolean {
  const { for_everybody } = useMe()
  return (permission) => permits(for_everybody, permission)
}
