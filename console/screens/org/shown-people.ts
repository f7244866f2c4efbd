import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { OrgChart } from '../../client/operations.ts'
import { useFilters } from '../../shell/router.tsx'
import type { ChartHandle } from './chart.tsx'
import { type CurrentPlan, movesOf } from './plan.ts'
import { chainOf, type Moves, type Person, type Tree, treeOf } from './tree.ts'

/**
 * Which people are on screen: which part of the company, current or planned, whose reports are open, and who is
 * selected.
 */

/** The people below `top`, or everybody, with their managers as they are now (`given`) and as planned (`tree`). */
export function useTrees(chart: OrgChart, top: number | undefined, plan: CurrentPlan, isPlanning: boolean) {
  const people = useMemo(() => partOf(chart.people, top), [chart, top])
  const given = useMemo(() => treeOf(people), [people])
  const moves = useMemo(() => (isPlanning ? movesOf(plan, people) : (new Map() as Moves)), [isPlanning, plan, people])
  const tree = useMemo(() => (moves.size > 0 ? treeOf(people, moves) : given), [people, moves, given])
  const moved = useMemo(() => new Set(moves.keys()), [moves])
  return { given, tree, moves, moved }
}

/** A person and everybody below them, who are consecutive in the list. */
function partOf(people: readonly Person[], top: number | undefined): readonly Person[] {
  const at = top === undefined ? -1 : people.findIndex(({ id }) => id === top)
  const head = people[at]
  return head ? [{ ...head, manager_id: null }, ...people.slice(at + 1, at + 1 + head.all)] : people
}

/** Charts up to this size are opened completely at first; of larger ones only the first level is. */
const SMALL = 150

/**
 * Whose reports are open: by the size of the company at first, or all or none if the user chose that, and then by
 * single clicks.
 */
export function useOpening(tree: Tree, asked: string) {
  const { set } = useFilters()
  const [own, setOwn] = useState<ReadonlyMap<number, boolean>>(new Map())
  const isSmall = tree.people.length <= SMALL
  const { depth } = tree
  const isOpen = useCallback(
    (person: Person, place: number) =>
      own.get(person.id) ?? (asked === 'all' || (asked !== 'none' && (isSmall || (depth[place] as number) < 1))),
    [own, asked, isSmall, depth],
  )
  return {
    isOpen,
    toggle: useCallback(
      (id: number) =>
        setOwn((now) => {
          const place = tree.placeOf.get(id)
          const person = place === undefined ? undefined : tree.people[place]
          return person ? new Map(now).set(id, !isOpen(person, place as number)) : now
        }),
      [tree, isOpen],
    ),
    open: useCallback(
      (ids: readonly number[]) =>
        setOwn((now) => {
          const closed = ids.filter((id) => {
            const place = tree.placeOf.get(id)
            const person = place === undefined ? undefined : tree.people[place]
            return person && !(now.get(id) ?? isOpen(person, place as number))
          })
          return closed.length > 0 ? new Map([...now, ...closed.map((id) => [id, true] as const)]) : now
        }),
      [tree, isOpen],
    ),
    all: (isWanted: boolean) => {
      setOwn(new Map())
      set({ open: isWanted ? 'all' : 'none' }, { replace: true })
    },
  }
}

/** The selected person: from the address, a click or a search. `open` shows the reports of these managers. */
export function useSelection(tree: Tree, open: (ids: readonly number[]) => void, chart: RefObject<ChartHandle | null>) {
  const { get, set } = useFilters()
  const selected = Number(get('person')) || undefined
  const [isByKey, setByKey] = useState(false)
  const select = useCallback(
    (id: number, isByKeyboard: boolean) => {
      setByKey(isByKeyboard)
      set({ person: String(id) }, { replace: true })
    },
    [set],
  )
  const goTo = useCallback(
    (id: number) => {
      const place = tree.placeOf.get(id)
      if (place === undefined) return
      open(chainOf(tree, place).map((one) => (tree.people[one] as Person).id))
      setByKey(false)
      set({ person: String(id) })
      chart.current?.flyTo(id)
    },
    [tree, open, set, chart],
  )
  // Somebody who follows a link sees the person, even if managers above are closed.
  const arrived = useRef<number>(undefined)
  useEffect(() => {
    if (selected === undefined || arrived.current === selected) return
    arrived.current = selected
    const place = tree.placeOf.get(selected)
    if (place !== undefined) open(chainOf(tree, place).map((one) => (tree.people[one] as Person).id))
  }, [selected, tree, open])
  return { selected, isByKey, select, goTo }
}
