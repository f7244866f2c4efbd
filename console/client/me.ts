import { useQuery } from '@tanstack/react-query'
import { call, ledger } from './client.ts'
import { queries, useRead } from './data.ts'
import type { Me, Permission } from './operations.ts'
import { forgetOwner, isSameOwner } from './session-owner.ts'
import { keepZone } from './time-zone.ts'

/** Who is signed in, and what they may do. */

const KEY = ['me']

const question = {
  queryKey: KEY,
  queryFn: async () => {
    const { data } = (await call('GET /me', {})).body
    if (!isSameOwner(data)) return await new Promise<never>(() => undefined)
    keepZone(data.time_zone)
    return data
  },
  // It tells of the company, too.
  meta: { kinds: ['company', 'companies'] },
  staleTime: Number.POSITIVE_INFINITY,
  retry: (count: number, error: unknown) => (error as { status?: number }).status === 0 && count < 1,
  retryOnMount: false,
  // Whoever was signed out elsewhere sees it at their next request.
  refetchOnWindowFocus: false,
}

export const useWhoIsThere = () => useQuery(question)

/** The same before anything is shown. */
export const askWhoIsThere = () => queries.prefetchQuery(question)

/** The person; only below the shell, which waits for it. */
export function useMe(): Me {
  const { data } = useWhoIsThere()
  if (!data) throw new Error('useMe is for what stands inside the shell')
  return data
}

export const me = () => queries.getQueryData<Me>(KEY)

/** All that is known goes: the next person, perhaps of another company, begins anew. */
export function forgetMe(): void {
  forgetOwner()
  queries.clear()
  ledger.last = 0
}

/** After one has changed something of one's own. */
export const readMeAgain = () => queries.invalidateQueries({ queryKey: KEY })

/** As the service has it: writing in an area covers all that is done there, besides hiring. */
export function permits(held: readonly string[], wanted: Permission): boolean {
  const [area, verb] = wanted.split(':')
  return (
    held.includes('*') ||
    held.includes(wanted) ||
    held.includes(`${area}:*`) ||
    (verb !== 'read' && verb !== 'hire' && held.includes(`${area}:write`))
  )
}

/** May the person make an employee of a candidate? */
export function useMayHire(): boolean {
  const may = useMay()
  return may('recruitment:write') && (may('recruitment:hire') || may('employees:write'))
}

/** May the person do this? `const may = useMay(); may('leave:write')`. */
export function useMay(): (permission: Permission) => boolean {
  const { permissions } = useMe()
  return (permission) => permits(permissions, permission)
}

/**
 * The same, about one person: roles hold for some alone. What is nobody's is everybody's. Nothing may be done until it is
 * known; nobody is asked where it holds for everybody, or for nobody.
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

/** The same, of everybody: for what is nobody's yet, and for what brings two together. */
export function useMayForAll(): (permission: Permission) => boolean {
  const { for_everybody } = useMe()
  return (permission) => permits(for_everybody, permission)
}
