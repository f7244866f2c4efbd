import type { Tree } from './tree.ts'

/**
 * Where everybody stands on the chart: by arithmetic, without a look at the document. Managers stand above those who
 * report to them; reports without open reports of their own are stacked, so that a team is a column and not a street.
 */

export const WIDTH = 216
export const HEIGHT = 68
const BESIDE = 28
const BENEATH = 60
const STACKED = 12
const COLUMN = WIDTH + BESIDE
const LEVEL = HEIGHT + BENEATH
/** From the middle of the gap above them, lines lead to those beneath. */
const BEND = BENEATH / 2
const SPINE = 14

export type Frame = { left: number; top: number; right: number; bottom: number }

export type Layout = {
  /** Places of all who are on the chart, in their order. */
  readonly places: readonly number[]
  /** By place: where the box begins. Meaningless for those who are not on the chart. */
  readonly x: Float64Array
  readonly y: Float64Array
  /** The lines from a manager to those beneath, and the frame that they stay in. */
  readonly lines: readonly (Frame & { path: string })[]
  readonly frame: Frame
}

/** How many stand in a column of a stack: long teams become about as wide as high. */
const rowsOf = (count: number) => (count <= 8 ? count : Math.max(8, Math.ceil(Math.sqrt(count * 3))))
const columnsOf = (count: number) => (count === 0 ? 0 : Math.ceil(count / rowsOf(count)))

export function layOut({ people, above }: Tree, places: readonly number[]): Layout {
  const count = people.length
  // One more than there are: whoever is at the top stands below nobody.
  const parent = (place: number) => ((above[place] as number) < 0 ? count : (above[place] as number))
  const branches: number[][] = []
  const stack: number[][] = []
  const isManager = new Uint8Array(count + 1)
  for (const place of places) isManager[parent(place)] = 1
  for (const place of places) {
    const lists = isManager[place] ? branches : stack
    const own = lists[parent(place)] ?? []
    own.push(place)
    lists[parent(place)] = own
  }
  const width = new Float64Array(count + 1)
  const widthBelow = (place: number) => {
    let sum = columnsOf(stack[place]?.length ?? 0)
    for (const one of branches[place] ?? []) sum += width[one] as number
    return sum
  }
  for (const place of places.toReversed()) width[place] = Math.max(1, widthBelow(place))

  const x = new Float64Array(count)
  const y = new Float64Array(count)
  const left = new Float64Array(count + 1)
  const lastIn = new Float64Array(count + 1)
  const firstIn = new Float64Array(count + 1)
  const frame = { left: 0, top: 0, right: WIDTH, bottom: HEIGHT }
  const put = (place: number, at: number, level: number) => {
    x[place] = at
    y[place] = level
    frame.right = Math.max(frame.right, at + WIDTH)
    frame.bottom = Math.max(frame.bottom, level + HEIGHT)
  }
  /** Those beneath somebody, from the left edge of what they have. */
  const placeBelow = (place: number, level: number) => {
    let at = left[place] as number
    firstIn[place] = at
    for (const one of branches[place] ?? []) {
      left[one] = at
      y[one] = level
      at += (width[one] as number) * COLUMN
    }
    const own = stack[place] ?? []
    const rows = rowsOf(own.length)
    for (const [index, one] of own.entries())
      put(one, at + Math.floor(index / rows) * COLUMN, level + (index % rows) * (HEIGHT + STACKED))
    lastIn[place] = at + (columnsOf(own.length) - 1) * COLUMN
  }
  placeBelow(count, 0)
  for (const place of places) if (isManager[place]) placeBelow(place, (y[place] as number) + LEVEL)
  // From below to above: a manager stands in the middle of those beneath.
  for (const place of places.toReversed()) {
    if (!isManager[place]) continue
    const own = branches[place] ?? []
    const first = own[0] === undefined ? (firstIn[place] as number) : (x[own[0]] as number)
    const last = (stack[place]?.length ?? 0) > 0 ? (lastIn[place] as number) : (x[own.at(-1) as number] as number)
    put(place, (first + last) / 2, y[place] as number)
  }
  const lines = places.filter((place) => isManager[place]).map((place) => linesOf(place))
  return { places, x, y, lines, frame }

  function linesOf(place: number) {
    const middle = (x[place] as number) + WIDTH / 2
    const bottom = (y[place] as number) + HEIGHT
    const bend = bottom + BEND
    const parts: string[] = []
    const ends = [middle]
    let lowest = bend
    for (const one of branches[place] ?? []) {
      const at = (x[one] as number) + WIDTH / 2
      ends.push(at)
      parts.push(`M${at} ${bend}V${y[one]}`)
    }
    const own = stack[place] ?? []
    const isRow = own.length > 0 && own.every((one) => y[one] === y[own[0] as number])
    for (const [, column] of Map.groupBy(own, (one) => x[one] as number)) {
      const [top] = column as [number]
      // Whoever stands alone hangs from above; a column hangs from a line at its side.
      const at = isRow ? (x[top] as number) + WIDTH / 2 : (x[top] as number) - SPINE
      ends.push(at)
      if (isRow) parts.push(`M${at} ${bend}V${y[top]}`)
      else {
        const last = (y[column.at(-1) as number] as number) + HEIGHT / 2
        lowest = Math.max(lowest, last)
        parts.push(
          `M${at} ${bend}V${last}`,
          ...column.map((one) => `M${at} ${(y[one] as number) + HEIGHT / 2}h${SPINE}`),
        )
      }
    }
    const [from, to] = [Math.min(...ends), Math.max(...ends)]
    const path = `M${middle} ${bottom}V${bend}M${from} ${bend}H${to}${parts.join('')}`
    return { path, left: from, right: to, top: bottom, bottom: Math.max(lowest, bottom + BENEATH) }
  }
}

export const meets = (one: Frame, other: Frame) =>
  one.left <= other.right && one.right >= other.left && one.top <= other.bottom && one.bottom >= other.top

/** Places whose boxes are in a frame, at most so many; null when there are more. */
export function within({ places, x, y }: Layout, frame: Frame, most: number): number[] | null {
  const found: number[] = []
  for (const place of places) {
    const [left, top] = [x[place] as number, y[place] as number]
    if (left > frame.right || left + WIDTH < frame.left || top > frame.bottom || top + HEIGHT < frame.top) continue
    if (found.length === most) return null
    found.push(place)
  }
  return found
}

export function placeAt({ places, x, y }: Layout, atX: number, atY: number): number | undefined {
  return places.find((place) => {
    const [left, top] = [x[place] as number, y[place] as number]
    return atX >= left && atX <= left + WIDTH && atY >= top && atY <= top + HEIGHT
  })
}

/** The boxes of some people as one path. */
export const boxesOf = ({ x, y }: Layout, places: readonly number[]) =>
  places.map((place) => `M${x[place]} ${y[place]}h${WIDTH}v${HEIGHT}h${-WIDTH}z`).join('')
