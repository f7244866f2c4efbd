import { useCallback, useMemo, useState } from 'react'
import { useMe } from '../../client/me.ts'
import { today } from '../../texts/formats.ts'
import type { Moves, Person } from './tree.ts'

/** A planned reorganisation. The browser keeps it until it is applied or discarded. */

export type Plan = {
  /** The day from which it applies. */
  day: string
  /** Planned managers of people, in the order in which the user entered them. */
  moves: readonly { id: number; to: number | null }[]
}

/** The most changes in one request. */
export const MOST_MOVES = 500

const firstOfNextMonth = () => {
  const [year, month] = today().split('-').map(Number) as [number, number]
  return month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

function read(name: string): Plan {
  const none = { day: firstOfNextMonth(), moves: [] }
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? 'null') as Plan | null
    const isId = (value: unknown) => Number.isInteger(value)
    if (!kept || !DAY.test(kept.day) || !Array.isArray(kept.moves)) return none
    return { day: kept.day, moves: kept.moves.filter(({ id, to }) => isId(id) && (to === null || isId(to))) }
  } catch {
    return none
  }
}

export function usePlan() {
  const { user, account } = useMe()
  const name = `cadre-reorganisation-${account.id}-${user.id}`
  const [plan, setPlan] = useState(() => read(name))
  const change = useCallback(
    (to: (now: Plan) => Plan) =>
      setPlan((now) => {
        const next = to(now)
        if (next.moves.length > 0) localStorage.setItem(name, JSON.stringify(next))
        else localStorage.removeItem(name)
        return next
      }),
    [name],
  )
  return useMemo(
    () => ({
      ...plan,
      setDay: (day: string) => change((now) => ({ ...now, day })),
      move: (id: number, to: number | null) =>
        change((now) => {
          const moves = [...now.moves.filter((one) => one.id !== id), { id, to }]
          return moves.length > MOST_MOVES ? now : { ...now, moves }
        }),
      takeBack: () => change((now) => ({ ...now, moves: now.moves.slice(0, -1) })),
      drop: (ids?: readonly number[]) =>
        change((now) => ({ ...now, moves: ids ? now.moves.filter(({ id }) => !ids.includes(id)) : [] })),
    }),
    [plan, change],
  )
}

export type CurrentPlan = ReturnType<typeof usePlan>

/** The moves of a plan that would still change something. */
export function movesOf(plan: Plan, people: readonly Person[]): Moves {
  const known = new Map(people.map((one) => [one.id, one]))
  return new Map(
    plan.moves
      .filter(({ id, to }) => known.has(id) && known.get(id)?.manager_id !== to && (to === null || known.has(to)))
      .map(({ id, to }) => [id, to]),
  )
}
