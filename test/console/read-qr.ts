import assert from 'node:assert/strict'

const BORDER = 4

/** Reads a QR code with its light border as a phone does: by the rules of the standard, not by what drew it. */
export function readQr(drawn: boolean[][]): string {
  const grid = drawn.slice(BORDER, -BORDER).map((row) => row.slice(BORDER, -BORDER))
  const darkOf = (rows: boolean[][]) => rows.flat().filter(Boolean).length
  assert.equal(darkOf(drawn), darkOf(grid), 'the border is light')
  const size = grid.length
  const version = (size - 17) / 4
  const at = (x: number, y: number) => Number(grid[y]?.[x])
  let format = 0
  const around = [0, 1, 2, 3, 4, 5, 7, 8]
  for (const [index, y] of around.entries()) format |= at(8, y) << index
  for (const [index, x] of [7, 5, 4, 3, 2, 1, 0].entries()) format |= at(x, 8) << (8 + index)
  format ^= 0b101010000010010
  const mask = (format >> 10) & 7
  assert.equal(format >> 13, 0, 'it says that it has level M')
  const flips = [
    (i: number, j: number) => (i + j) % 2 === 0,
    (i: number) => i % 2 === 0,
    (_: number, j: number) => j % 3 === 0,
    (i: number, j: number) => (i + j) % 3 === 0,
    (i: number, j: number) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2 === 0,
    (i: number, j: number) => ((i * j) % 2) + ((i * j) % 3) === 0,
    (i: number, j: number) => (((i * j) % 2) + ((i * j) % 3)) % 2 === 0,
    (i: number, j: number) => (((i + j) % 2) + ((i * j) % 3)) % 2 === 0,
  ]
  const flip = flips[mask] as (i: number, j: number) => boolean
  // The centres of the small squares, and the blocks, from the tables of the standard.
  const centres: Record<number, number[]> = {
    1: [],
    2: [6, 18],
    5: [6, 30],
    6: [6, 34],
    7: [6, 22, 38],
    8: [6, 24, 42],
    9: [6, 26, 46],
    10: [6, 28, 50],
  }
  const blocks: Record<number, [number, number, number][]> = {
    1: [[1, 26, 16]],
    2: [[1, 44, 28]],
    5: [[2, 67, 43]],
    6: [[4, 43, 27]],
    7: [[4, 49, 31]],
    8: [
      [2, 60, 38],
      [2, 61, 39],
    ],
    9: [
      [3, 58, 36],
      [2, 59, 37],
    ],
    10: [
      [4, 69, 43],
      [1, 70, 44],
    ],
  }
  const own = centres[version]
  const layout = blocks[version]
  assert.ok(own && layout, `version ${version} is known to the test`)
  const isReserved = (x: number, y: number) =>
    x === 6 ||
    y === 6 ||
    (x < 9 && y < 9) ||
    (x < 9 && y >= size - 8) ||
    (x >= size - 8 && y < 9) ||
    (version >= 7 && ((x < 6 && y >= size - 11) || (y < 6 && x >= size - 11))) ||
    own.some((cx) =>
      own.some(
        (cy) =>
          !((cx === 6 && cy === 6) || (cx === 6 && cy === size - 7) || (cx === size - 7 && cy === 6)) &&
          Math.abs(cx - x) <= 2 &&
          Math.abs(cy - y) <= 2,
      ),
    )
  const bits: number[] = []
  let isUp = true
  for (let x = size - 1; x > 0; x -= 2) {
    if (x === 6) x--
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step
      for (const column of [x, x - 1]) if (!isReserved(column, y)) bits.push(at(column, y) ^ Number(flip(y, column)))
    }
    isUp = !isUp
  }
  const words = Array.from({ length: Math.floor(bits.length / 8) }, (_, index) =>
    Number.parseInt(bits.slice(index * 8, index * 8 + 8).join(''), 2),
  )
  const parts = layout.flatMap(([count, all, data]) => Array.from({ length: count }, () => ({ all, data })))
  const read: number[][] = parts.map(() => [])
  let next = 0
  for (let index = 0; index < Math.max(...parts.map(({ data }) => data)); index++)
    for (const [block, { data }] of parts.entries()) if (index < data) read[block]?.push(words[next++] as number)
  const rest = parts.map(({ all, data }) => all - data)
  for (let index = 0; index < Math.max(...rest); index++)
    for (const [block] of parts.entries()) read[block]?.push(words[next++] as number)
  // What Reed and Solomon say: a block is a polynomial with these roots.
  const power = Array<number>(256).fill(1)
  for (let index = 1; index < 256; index++) {
    const doubled = (power[index - 1] as number) * 2
    power[index] = doubled > 255 ? doubled ^ 0x11d : doubled
  }
  const log = new Map(power.slice(0, 255).map((value, index) => [value, index]))
  const times = (a: number, b: number) =>
    a && b ? (power[((log.get(a) as number) + (log.get(b) as number)) % 255] as number) : 0
  for (const [block, all] of read.entries())
    for (let root = 0; root < (rest[block] as number); root++)
      assert.equal(
        all.reduce((sum, word) => times(sum, power[root] as number) ^ word, 0),
        0,
        `block ${block} is whole`,
      )
  const data = read.flatMap((block, index) => block.slice(0, parts[index]?.data))
  const stream = data.map((word) => word.toString(2).padStart(8, '0')).join('')
  assert.equal(stream.slice(0, 4), '0100')
  const lengthBits = version < 10 ? 8 : 16
  const length = Number.parseInt(stream.slice(4, 4 + lengthBits), 2)
  const from = 4 + lengthBits
  const bytes = Array.from({ length }, (_, index) =>
    Number.parseInt(stream.slice(from + index * 8, from + index * 8 + 8), 2),
  )
  return new TextDecoder().decode(new Uint8Array(bytes))
}
