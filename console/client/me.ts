import { useQuery } from '@tanstack/react-query'
import { type Answered, send } from './client.ts'
import { queries } from './data.ts'

/** Who is signed in, and what they may do. */
export type Me = {
  user: { id: number; email: string; name: string; locale: string | null; employee_id: number | null }
  employee: { id: number; first_name: string; last_name: string; full_name: string; avatar_url?: string } | null
  roles: { id: number; name: string }[]
  permissions: string[]
  withheld: string[]
  account: { id: number; name: string; time_zone: string; currency_code: string }
}

const KEY = ['me']

export const useWhoIsThere = () =>
  useQuery({
    queryKey: KEY,
    queryFn: async () => ((await send('GET', '/me')) as Answered<{ data: Me }>).body.data,
    staleTime: Number.POSITIVE_INFINITY,
    retry: (count, error) => (error as { status?: number }).status === 0 && count < 1,
    // Whoever was signed out elsewhere sees it at their next request.
    refetchOnWindowFocus: false,
  })

/** The person; only below the shell, which waits for it. */
export function useMe(): Me {
  const { data } = useWhoIsThere()
  if (!data) throw new Error('useMe is for what stands inside the shell')
  return data
}

export const me = () => queries.getQueryData<Me>(KEY)
export const forgetMe = () => queries.clear()
export const readMeAgain = () => queries.invalidateQueries({ queryKey: KEY })

/** `employees:read` is held by itself, as `employees:*`, or as `*`. */
export const permits = (held: readonly string[], wanted: string) =>
  held.includes('*') || held.includes(wanted) || held.includes(`${wanted.split(':')[0]}:*`)

/** May the person do this? `const may = useMay(); may('leave:write')`. */
export function useMay(): (permission: string) => boolean {
  const { permissions } = useMe()
  return (permission) => permits(permissions, permission)
}
