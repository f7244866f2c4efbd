import type { OrgChartPerson } from '../../client/operations.ts'

/**
 * The reporting tree, current or planned. Each person has a place: after the manager, and before the manager's next
 * report.
 */

export type Person = OrgChartPerson
/** Planned managers by person; null: no manager. */
export type Moves = ReadonlyMap<number, number | null>

export type Tree = {
  /** With planned managers and counts. The `all` people after a person are those below them. */
  readonly people: readonly Person[]
  readonly placeOf: ReadonlyMap<number, number>
  /** The place of each person's manager; -1 at the top. */
  readonly above: Int32Array
  readonly depth: Int32Array
  /** By place: the position among the reports of the same manager. */
  readonly nth: Int32Array
  readonly atTop: number
}

const NOBODY: readonly Person[] = []

export function treeOf(given: readonly Person[], moves: Moves = new Map()): Tree {
  const people = moves.size > 0 ? rearranged(given, moves) : given
  const placeOf = new Map(people.map(({ id }, place) => [id, place]))
  const above = new Int32Array(people.length)
  const depth = new Int32Array(people.length)
  const nth = new Int32Array(people.length)
  const counted = new Int32Array(people.length + 1)
  for (const [place, { manager_id }] of people.entries()) {
    const manager = manager_id === null ? -1 : (placeOf.get(manager_id) ?? -1)
    above[place] = manager
    depth[place] = manager < 0 ? 0 : (depth[manager] as number) + 1
    const at = manager + 1
    counted[at] = (counted[at] as number) + 1
    nth[place] = counted[at] as number
  }
  return { people, placeOf, above, depth, nth, atTop: counted[0] as number }
}

/** The same people in the order of their new managers, with new counts. */
function rearranged(given: readonly Person[], moves: Moves): Person[] {
  const known = new Set(given.map(({ id }) => id))
  const now = given.map((one) => {
    const to = moves.get(one.id)
    return { ...one, manager_id: to === undefined || (to !== null && !known.has(to)) ? one.manager_id : to, all: 0 }
  })
  const reports = Map.groupBy(now, ({ manager_id }) => manager_id)
  const placed: Person[] = []
  const open = [...(reports.get(null) ?? [])].reverse()
  const left = new Set(now)
  const place = () => {
    for (let one = open.pop(); one; one = open.pop()) {
      if (!left.delete(one)) continue
      const below = reports.get(one.id) ?? NOBODY
      one.direct = below.length
      placed.push(one)
      for (const report of below.toReversed()) open.push(report)
    }
  }
  place()
  // If others have changed managers meanwhile, a plan can form a circle. Its people are still shown.
  for (const one of now)
    if (left.has(one)) {
      one.manager_id = null
      open.push(one)
      place()
    }
  const placeOf = new Map(placed.map(({ id }, index) => [id, index]))
  for (const one of placed.toReversed()) {
    const manager = one.manager_id === null ? undefined : placed[placeOf.get(one.manager_id) as number]
    if (manager) manager.all += one.all + 1
  }
  return placed
}

/** Is a place the same as `top`, or below it? */
export const isWithin = ({ people }: Tree, place: number, top: number) =>
  place >= top && place <= top + (people[top]?.all ?? 0)

/** All managers above, the nearest first. */
export function chainOf({ above }: Tree, place: number): number[] {
  const chain: number[] = []
  for (let next = above[place] ?? -1; next >= 0; next = above[next] as number) chain.push(next)
  return chain
}

/** The places of visible people, in order. */
export function visiblePlaces({ people }: Tree, isOpen: (person: Person, place: number) => boolean): number[] {
  const places: number[] = []
  for (let place = 0; place < people.length; place++) {
    const person = people[place] as Person
    places.push(place)
    if (person.all > 0 && !isOpen(person, place)) place += person.all
  }
  return places
}
