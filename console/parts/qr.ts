/**
 * A QR code (ISO/IEC 18004) of a text: bytes, error correction of level M, the smallest version that holds it, the mask
 * with the least penalty. Gives the rows of modules, true where they are dark.
 */

/** Of level M: error-correcting words of a block, and how many blocks, by version from 1. */
const WORDS_PER_BLOCK = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24]
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10]
const LEVEL_M = 0

type Grid = boolean[][]

/** All modules that are neither patterns nor said about the format. */
function dataModules(version: number): number {
  let modules = (16 * version + 128) * version + 64
  if (version >= 2) {
    const patterns = Math.floor(version / 7) + 2
    modules -= (25 * patterns - 10) * patterns - 55
    if (version >= 7) modules -= 36
  }
  return modules
}

const capacityOf = (version: number) =>
  Math.floor(dataModules(version) / 8) - (WORDS_PER_BLOCK[version - 1] as number) * (BLOCKS[version - 1] as number)

export function qrCode(text: string): Grid {
  const bytes = new TextEncoder().encode(text)
  const version = BLOCKS.findIndex((_, index) => {
    const lengthBits = index + 1 < 10 ? 8 : 16
    return 4 + lengthBits + bytes.length * 8 <= capacityOf(index + 1) * 8
  })
  if (version < 0) throw new Error('The text is too long for a QR code')
  return drawn(version + 1, withCorrection(version + 1, dataWords(version + 1, bytes)))
}

function dataWords(version: number, bytes: Uint8Array): number[] {
  const bits: number[] = []
  const push = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >>> bit) & 1)
  }
  push(0b0100, 4)
  push(bytes.length, version < 10 ? 8 : 16)
  for (const byte of bytes) push(byte, 8)
  const capacity = capacityOf(version) * 8
  push(0, Math.min(4, capacity - bits.length))
  push(0, (8 - (bits.length % 8)) % 8)
  for (let pad = 0xec; bits.length < capacity; pad ^= 0xec ^ 0x11) push(pad, 8)
  return Array.from({ length: bits.length / 8 }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((word, bit) => (word << 1) | bit, 0),
  )
}

/** Multiplication in the field of 256 elements. */
function times(one: number, other: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    product ^= ((other >>> bit) & 1) * one
  }
  return product
}

function generator(degree: number): number[] {
  const result = [...Array<number>(degree - 1).fill(0), 1]
  let root = 1
  for (let step = 0; step < degree; step++) {
    for (let index = 0; index < degree; index++)
      result[index] = times(result[index] as number, root) ^ (result[index + 1] ?? 0)
    root = times(root, 2)
  }
  return result
}

function remainder(words: readonly number[], divisor: readonly number[]): number[] {
  const result = Array<number>(divisor.length).fill(0)
  for (const word of words) {
    const factor = word ^ (result.shift() as number)
    result.push(0)
    for (const [index, one] of divisor.entries()) result[index] = (result[index] as number) ^ times(one, factor)
  }
  return result
}

/** In blocks, each with its own correction, and all of them interleaved. */
function withCorrection(version: number, words: readonly number[]): number[] {
  const count = BLOCKS[version - 1] as number
  const length = WORDS_PER_BLOCK[version - 1] as number
  const all = Math.floor(dataModules(version) / 8)
  const short = Math.floor(all / count) - length
  const shortBlocks = count - (all % count)
  const divisor = generator(length)
  const blocks: { data: number[]; correction: number[] }[] = []
  for (let block = 0, from = 0; block < count; block++) {
    const data = words.slice(from, from + short + (block < shortBlocks ? 0 : 1))
    from += data.length
    blocks.push({ data, correction: remainder(data, divisor) })
  }
  const columns = (part: 'data' | 'correction', size: number) =>
    Array.from({ length: size }, (_, index) => blocks.map((block) => block[part][index])).flat()
  return [...columns('data', short + 1), ...columns('correction', length)].filter((word) => word !== undefined)
}

const MASKS: ((x: number, y: number) => number)[] = [
  (x, y) => (x + y) % 2,
  (_, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
]

function drawn(version: number, words: readonly number[]): Grid {
  const size = version * 4 + 17
  const grid: Grid = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  const isPattern: Grid = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  const set = (x: number, y: number, isDark: boolean) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return
    ;(grid[y] as boolean[])[x] = isDark
    ;(isPattern[y] as boolean[])[x] = true
  }
  for (let index = 0; index < size; index++) {
    set(6, index, index % 2 === 0)
    set(index, 6, index % 2 === 0)
  }
  for (const [cx, cy] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    for (let dy = -4; dy <= 4; dy++)
      for (let dx = -4; dx <= 4; dx++) {
        const distance = Math.max(Math.abs(dx), Math.abs(dy))
        set(cx + dx, cy + dy, distance !== 2 && distance !== 4)
      }
  const places = alignments(version, size)
  const last = places.length - 1
  for (const [i, x] of places.entries())
    for (const [j, y] of places.entries()) {
      if ((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)) continue
      for (let dy = -2; dy <= 2; dy++)
        for (let dx = -2; dx <= 2; dx++) set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1)
    }
  drawVersion(version, size, set)
  drawFormat(0, size, set)
  fill(grid, isPattern, words)

  let best: { grid: Grid; penalty: number } | undefined
  for (const [mask, isFlipped] of MASKS.entries()) {
    const masked = grid.map((row, y) =>
      row.map((isDark, x) => isDark !== (!isPattern[y]?.[x] && isFlipped(x, y) === 0)),
    )
    drawFormat(mask, size, (x, y, isDark) => {
      ;(masked[y] as boolean[])[x] = isDark
    })
    const penalty = penaltyOf(masked)
    if (!best || penalty < best.penalty) best = { grid: masked, penalty }
  }
  return (best as { grid: Grid }).grid
}

function alignments(version: number, size: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  const rest = Array.from({ length: count - 1 }, (_, index) => size - 7 - index * step)
  return [6, ...rest.reverse()]
}

type SetModule = (x: number, y: number, isDark: boolean) => void

function drawFormat(mask: number, size: number, set: SetModule): void {
  const data = (LEVEL_M << 3) | mask
  let rest = data
  for (let step = 0; step < 10; step++) rest = (rest << 1) ^ ((rest >>> 9) * 0x537)
  const bits = ((data << 10) | rest) ^ 0x5412
  const bit = (index: number) => ((bits >>> index) & 1) === 1
  for (let index = 0; index <= 5; index++) set(8, index, bit(index))
  set(8, 7, bit(6))
  set(8, 8, bit(7))
  set(7, 8, bit(8))
  for (let index = 9; index < 15; index++) set(14 - index, 8, bit(index))
  for (let index = 0; index < 8; index++) set(size - 1 - index, 8, bit(index))
  for (let index = 8; index < 15; index++) set(8, size - 15 + index, bit(index))
  set(8, size - 8, true)
}

function drawVersion(version: number, size: number, set: SetModule): void {
  if (version < 7) return
  let rest = version
  for (let step = 0; step < 12; step++) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25)
  const bits = (version << 12) | rest
  for (let index = 0; index < 18; index++) {
    const isDark = ((bits >>> index) & 1) === 1
    const a = size - 11 + (index % 3)
    const b = Math.floor(index / 3)
    set(a, b, isDark)
    set(b, a, isDark)
  }
}

/** Two columns at a time, up and down in turn, from the right. */
function fill(grid: Grid, isPattern: Grid, words: readonly number[]): void {
  const size = grid.length
  let next = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const isUp = ((right + 1) & 2) === 0
        const y = isUp ? size - 1 - step : step
        if (isPattern[y]?.[x] || next >= words.length * 8) continue
        ;(grid[y] as boolean[])[x] = (((words[next >>> 3] as number) >>> (7 - (next & 7))) & 1) === 1
        next++
      }
  }
}

/** How hard it is to read: long runs, blocks, what looks like a corner, and too much of one shade. */
function penaltyOf(grid: Grid): number {
  const size = grid.length
  const lines = [...grid, ...grid.map((_, x) => grid.map((row) => row[x] as boolean))]
  let penalty = 0
  for (const line of lines) {
    const text = line.map((isDark) => (isDark ? '1' : '0')).join('')
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2
    for (const [index] of line.entries())
      if (/^(10111010000|00001011101)/.test(text.slice(index, index + 11))) penalty += 40
  }
  let dark = 0
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const shade = grid[y]?.[x]
      if (shade) dark++
      if (shade === grid[y]?.[x + 1] && shade === grid[y + 1]?.[x] && shade === grid[y + 1]?.[x + 1]) penalty += 3
    }
  return penalty + Math.floor(Math.abs((dark * 20) / size ** 2 - 10)) * 10
}
