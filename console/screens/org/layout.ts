import type { Tree } from './tree.ts'

/**
 * Computes the position of everybody on the chart, without the DOM. Managers are above their reports. Reports without
 * open reports of their own are stacked in columns, so that teams do not become too wide.
 */

export const WIDTH = 216
export const HEIGHT = 68
const BESIDE = 28
const BENEATH = 60
const STACKED = 12
const COLUMN = WIDTH + BESIDE
const LEVEL = HEIGHT + BENEATH
/** The lines to the reports branch in the middle of the gap above them. */
const BEND = BENEATH / 2
const SPINE = 14
/** If teams need several rows, the line to the lower rows runs beside the upper ones in this space. */
const CHANNEL = 28
/** A row may always be this wide. */
const NARROW = 8 * COLUMN

export type Frame = { left: number; top: number; right: number; bottom: number }

export type Layout = {
  /** The places of everybody on the chart, in order. */
  readonly places: readonly number[]
  /** The position of the box by place. It means nothing for people who are not on the chart. */
  readonly x: Float64Array
  readonly y: Float64Array
  /** The lines from a manager to the reports, and the frame around them. */
  readonly lines: readonly (Frame & { path: string })[]
  readonly frame: Frame
}

/** How many people are in a column of a stack. Large teams become about as wide as high. */
const rowsOf = (count: number, abreast: number) =>
  abreast > 1 ? Math.ceil(count / abreast) : count <= 8 ? count : Math.max(8, Math.ceil(Math.sqrt(count * 3)))
const columnsOf = (count: number, abreast: number) => (count === 0 ? 0 : Math.ceil(count / rowsOf(count, abreast)))

/** The block of a team, with the size of everything in it. */
type Block = { place: number; width: number; height: number }
type Row = { blocks: Block[]; width: number; height: number }

/** The block that holds the stacked people instead of a branch. */
const STACK = -1

/** Arranges blocks side by side, in several rows if one would be too wide. */
function inRows(blocks: readonly Block[]): Row[] {
  const area = blocks.reduce((sum, { width, height }) => sum + width * height, 0)
  const most = Math.max(NARROW, Math.sqrt(area * 2.4), ...blocks.map(({ width }) => width))
  const rows: Row[] = []
  for (const block of blocks) {
    let row = rows.at(-1)
    if (!row || row.width + block.width > most) {
      row = { blocks: [], width: 0, height: 0 }
      rows.push(row)
    }
    row.blocks.push(block)
    row.width += block.width
    row.height = Math.max(row.height, block.height)
  }
  return rows
}

/** Computes the layout. `abreast`: how many stacked people of the first level fit side by side on the screen. */
export function layOut({ people, above }: Tree, places: readonly number[], abreast: number): Layout {
  const count = people.length
  // One more than the last place: the parent of everybody at the top.
  const parent = (place: number) => ((above[place] as number) < 0 ? count : (above[place] as number))
  const branches: number[][] = []
  const stacks: number[][] = []
  const isManager = new Uint8Array(count + 1)
  for (const place of places) isManager[parent(place)] = 1
  for (const place of places) {
    const lists = isManager[place] ? branches : stacks
    const own = lists[parent(place)] ?? []
    own.push(place)
    lists[parent(place)] = own
  }

  // Bottom-up: the size that everybody needs, including all their reports.
  const abreastOf = (place: number) => (place < count && parent(place) === count ? abreast : 1)
  const rows: Row[][] = []
  const blocks: Block[] = []
  const measure = (place: number) => {
    const own = (branches[place] ?? []).map((one) => blocks[one] as Block)
    const stacked = stacks[place]?.length ?? 0
    if (stacked > 0) {
      const height = rowsOf(stacked, abreastOf(place)) * (HEIGHT + STACKED) - STACKED
      own.push({ place: STACK, width: columnsOf(stacked, abreastOf(place)) * COLUMN, height })
    }
    const found = inRows(own)
    rows[place] = found
    const width = Math.max(COLUMN, ...found.map((row) => row.width)) + (found.length > 1 ? CHANNEL : 0)
    const height = found.reduce((sum, row) => sum + row.height + BENEATH, HEIGHT)
    blocks[place] = { place, width, height }
  }
  for (const place of places.toReversed()) if (isManager[place]) measure(place)
  measure(count)

  // Top-down: all positions. Then bottom-up: managers move above the middle of their first row.
  const x = new Float64Array(count)
  const y = new Float64Array(count)
  const left = new Float64Array(count + 1)
  const columns: number[][] = []
  const putStack = (place: number, at: number, top: number) => {
    const own = stacks[place] as number[]
    const high = rowsOf(own.length, abreastOf(place))
    for (const [index, one] of own.entries()) {
      x[one] = at + Math.floor(index / high) * COLUMN
      y[one] = top + (index % high) * (HEIGHT + STACKED)
    }
    columns[place] = Array.from({ length: columnsOf(own.length, abreastOf(place)) }, (_, n) => at + n * COLUMN)
  }
  const placeBelow = (place: number, level: number) => {
    const own = rows[place] as Row[]
    let top = level
    for (const row of own) {
      let at = (left[place] as number) + (own.length > 1 ? CHANNEL : 0)
      for (const block of row.blocks) {
        if (block.place === STACK) putStack(place, at, top)
        else {
          left[block.place] = at
          y[block.place] = top
        }
        at += block.width
      }
      top += row.height + BENEATH
    }
  }
  placeBelow(count, 0)
  for (const place of places) if (isManager[place]) placeBelow(place, (y[place] as number) + LEVEL)
  const beginsOf = (place: number, { blocks: own }: Row) =>
    own.flatMap((block) => (block.place === STACK ? (columns[place] as number[]) : [x[block.place] as number]))
  for (const place of places.toReversed()) {
    if (!isManager[place]) continue
    const first = beginsOf(place, (rows[place] as Row[])[0] as Row)
    x[place] = ((first[0] as number) + (first.at(-1) as number)) / 2
  }

  const frame = { left: 0, top: 0, right: WIDTH, bottom: HEIGHT }
  for (const place of places) {
    frame.right = Math.max(frame.right, (x[place] as number) + WIDTH)
    frame.bottom = Math.max(frame.bottom, (y[place] as number) + HEIGHT)
  }
  return { places, x, y, lines: places.filter((place) => isManager[place]).map(linesOf), frame }

  function linesOf(place: number) {
    const middle = (x[place] as number) + WIDTH / 2
    const bottom = (y[place] as number) + HEIGHT
    const own = rows[place] as Row[]
    // Beside the vertical lines of the stacks in the rows.
    const channel = (left[place] as number) + CHANNEL - 2 * SPINE + 4
    const parts: string[] = [`M${middle} ${bottom}v${BEND}`]
    const reach = { left: middle, right: middle, top: bottom, bottom: bottom + BENEATH }
    let top = bottom + BENEATH
    for (const row of own) {
      const bend = top - BEND
      const ends = row.blocks.flatMap((block) => {
        if (block.place === STACK) return stackLines(place, top, parts)
        parts.push(`M${(x[block.place] as number) + WIDTH / 2} ${bend}v${BEND}`)
        return [(x[block.place] as number) + WIDTH / 2]
      })
      const from = own.length > 1 ? channel : Math.min(middle, ...ends)
      // The line of the first row comes from the manager, those of other rows from the channel at the side.
      const to = row === own[0] ? Math.max(middle, ...ends) : Math.max(...ends)
      parts.push(`M${from} ${bend}H${to}`)
      reach.left = Math.min(reach.left, from)
      reach.right = Math.max(reach.right, to)
      reach.bottom = top + row.height
      if (own.length > 1 && row === own.at(-1)) parts.push(`M${channel} ${bottom + BEND}V${bend}`)
      top += row.height + BENEATH
    }
    return { path: parts.join(''), ...reach }
  }

  /** A column is connected by a line at its side, a single row by lines from above. */
  function stackLines(place: number, top: number, parts: string[]): number[] {
    const own = stacks[place] as number[]
    const bend = top - BEND
    const isRow = own.every((one) => y[one] === top)
    return [...Map.groupBy(own, (one) => x[one] as number)].map(([begin, column]) => {
      const at = isRow ? begin + WIDTH / 2 : begin - SPINE
      if (isRow) parts.push(`M${at} ${bend}v${BEND}`)
      else {
        parts.push(`M${at} ${bend}V${(y[column.at(-1) as number] as number) + HEIGHT / 2}`)
        for (const one of column) parts.push(`M${at} ${(y[one] as number) + HEIGHT / 2}h${SPINE}`)
      }
      return at
    })
  }
}

export const meets = (one: Frame, other: Frame) =>
  one.left <= other.right && one.right >= other.left && one.top <= other.bottom && one.bottom >= other.top

/** Places of the boxes in a frame; null if there are more than `most`. */
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

/** The boxes of some people as a single path. */
export const boxesOf = ({ x, y }: Layout, places: readonly number[]) =>
  places.map((place) => `M${x[place]} ${y[place]}h${WIDTH}v${HEIGHT}h${-WIDTH}z`).join('')
