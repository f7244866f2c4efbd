import type { OrgChartPerson } from '../../client/operations.ts'

/** Who reports to whom, as it is or as it is planned. People have places: each after their manager, before the next beside them. */

export type Person = OrgChartPerson
/** Of whom it is planned that they report to somebody else; null: to nobody. */
export type Moves = ReadonlyMap<number, number | null>

export type Tree = {
  /** With managers and counts as planned; the `all` people after somebody are those below. */
  readonly people: readonly Person[]
  readonly placeOf: ReadonlyMap<number, number>
  /** The place of each one's manager, -1 at the top. */
  readonly above: Int32Array
  readonly depth: Int32Array
  /** By place: the how-manieth they are of those who report to the same. */
  readonly nth: Int32Array
  readonly atTop: number
}

const NOBODY: readonly Person[] = []

export function treeOf(given: readonly Person[], moves: Moves = new Map()): Tree {
  const people = moves.size > 0 ? replaced(given, moves) : given
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

/** The same people in the order that their new managers make, counted anew. */
function replaced(given: readonly Person[], moves: Moves): Person[] {
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
  // A plan that others have overtaken may lead in a circle: whoever is in it is still shown.
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

/** Is the one at a place the other, or somewhere below? */
export const isWithin = ({ people }: Tree, place: number, top: number) =>
  place >= top && place <= top + (people[top]?.all ?? 0)

/** Everybody above, the nearest first. */
export function chainOf({ above }: Tree, place: number): number[] {
  const chain: number[] = []
  for (let next = above[place] ?? -1; next >= 0; next = above[next] as number) chain.push(next)
  return chain
}

/** Places of those who are seen, in their order, when these managers are closed. */
export function seen({ people }: Tree, isOpen: (person: Person, place: number) => boolean): number[] {
  const places: number[] = []
  for (let place = 0; place < people.length; place++) {
    const person = people[place] as Person
    places.push(place)
    if (person.all > 0 && !isOpen(person, place)) place += person.all
  }
  return places
}
