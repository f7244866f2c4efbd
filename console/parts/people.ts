import { useQuery } from '@tanstack/react-query'
import { call } from '../client/client.ts'
import { useMay } from '../client/me.ts'
import type { PersonSummary } from './person.tsx'

const NOBODY: ReadonlyMap<number, PersonSummary> = new Map()

/**
 * Names and pictures of people, from their directory cards: unlike employees, cards are not in the access log. Only
 * people without a card, because they have left, are read as employees.
 */
export function usePeople(wanted: readonly (number | null)[]) {
  const may = useMay()
  const [mayCards, mayRecords] = [may('directory:read'), may('employees:read')]
  const ids = [...new Set(wanted.filter((id) => id !== null))].sort((one, other) => one - other).slice(0, 200)
  const query = useQuery({
    queryKey: ['people', ids],
    queryFn: async ({ signal }) => {
      const asked = { per_page: 200 }
      const cards = mayCards
        ? (await call('GET /directory', { query: { ...asked, 'ids[]': ids, coming: true } }, signal)).body.data
        : []
      const known = new Map<number, PersonSummary>(cards.map((one) => [one.id, one]))
      const left = ids.filter((id) => !known.has(id))
      if (left.length === 0 || !mayRecords) return known
      const { body } = await call('GET /employees', { query: { ...asked, 'ids[]': left, status: 'all' } }, signal)
      return new Map([...known, ...body.data.map((one) => [one.id, one as PersonSummary] as const)])
    },
    enabled: ids.length > 0 && (mayCards || mayRecords),
    placeholderData: (before) => before,
    meta: { kinds: ['employees'] },
  })
  return { people: query.data ?? NOBODY, isPending: query.isPending && query.isFetching }
}
