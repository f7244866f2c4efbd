import type { OrgChart } from '../../client/operations.ts'
import type { Tree } from './tree.ts'

/** Colours of departments or locations, largest first. The rest is grey. org.css has the same list. */
export const COLOURS = [
  '#9aa3ab',
  '#2f9a8f',
  '#3b76d6',
  '#d9730d',
  '#a44bc4',
  '#c2255c',
  '#5c940d',
  '#1098ad',
  '#b08900',
  '#6741d9',
  '#e8590c',
  '#495b6b',
]

export type ColouredBy = 'department' | 'location' | 'none'

/** The id is null for people without a department or location, and 0 for those without a colour of their own. */
export type Legend = { colour: number; id: number | null; name: string | null; count: number }[]

/** The colour of each person, and the legend. */
export function colouring(
  chart: OrgChart,
  tree: Tree,
  by: ColouredBy,
): { colourOf: (place: number) => number; legend: Legend } {
  if (by === 'none') return { colourOf: () => 0, legend: [] }
  const key = by === 'department' ? 'department_id' : 'location_id'
  const names = new Map(chart[by === 'department' ? 'departments' : 'locations'].map(({ id, name }) => [id, name]))
  const counts = new Map<number | null, number>()
  for (const person of tree.people) counts.set(person[key], (counts.get(person[key]) ?? 0) + 1)
  const ranked = [...counts]
    .filter(([id]) => id !== null)
    .sort((a, b) => b[1] - a[1] || (a[0] as number) - (b[0] as number))
  const colours = new Map(ranked.map(([id], rank) => [id, rank + 1 < COLOURS.length ? rank + 1 : 0]))
  const legend = ranked
    .slice(0, COLOURS.length - 1)
    .map(([id, count], rank) => ({ colour: rank + 1, id, name: names.get(id as number) ?? null, count }))
  const rest = ranked.slice(COLOURS.length - 1).reduce((sum, [, count]) => sum + count, 0)
  const none = counts.get(null)
  return {
    colourOf: (place) => colours.get(tree.people[place]?.[key] ?? null) ?? 0,
    legend: [
      ...legend,
      ...(rest ? [{ colour: 0, id: 0, name: null, count: rest }] : []),
      ...(none ? [{ colour: 0, id: null, name: null, count: none }] : []),
    ],
  }
}
