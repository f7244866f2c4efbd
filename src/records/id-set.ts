/** A sorted set of record ids, with a bit for each id. The n-th id is found quickly. */
export class IdSet {
  #bits: Uint32Array
  /** How many ids there are in each block. */
  #counts: Uint32Array
  size = 0

  private constructor(last: number) {
    const blocks = Math.floor(last / BLOCK) + 1
    this.#bits = new Uint32Array(blocks * WORDS)
    this.#counts = new Uint32Array(blocks)
  }

  /** Makes a set of numbers in any order; null if it would take more bytes. */
  static of(ids: readonly number[], mostBytes: number): IdSet | null {
    const last = ids.reduce((most, id) => Math.max(most, id), 0)
    if (last / 8 > mostBytes) return null
    const set = new IdSet(last)
    for (const id of ids) set.add(id)
    return set
  }

  get bytes(): number {
    return this.#bits.byteLength + this.#counts.byteLength
  }

  has(id: number): boolean {
    return ((this.#bits[wordOf(id)] ?? 0) & (1 << (id & 31))) !== 0
  }

  add(id: number): void {
    if (this.has(id)) return
    const block = Math.floor(id / BLOCK)
    if (block >= this.#counts.length) this.#grow(block + 1)
    this.#bits[wordOf(id)]! |= 1 << (id & 31)
    this.#counts[block]!++
    this.size++
  }

  delete(id: number): void {
    if (!this.has(id)) return
    this.#bits[wordOf(id)]! &= ~(1 << (id & 31))
    this.#counts[Math.floor(id / BLOCK)]!--
    this.size--
  }

  /** A page of ids, ascending or descending. */
  slice(skipped: number, most: number, isDescending: boolean): number[] {
    const wanted = Math.max(0, Math.min(most, this.size - skipped))
    // Descending: the same page, counted from the other end.
    const stretch = this.#from(isDescending ? this.size - skipped - wanted : skipped, wanted)
    return isDescending ? stretch.reverse() : stretch
  }

  #from(skipped: number, wanted: number): number[] {
    const found: number[] = []
    let block = 0
    let left = skipped
    while (block < this.#counts.length && left >= this.#counts[block]!) left -= this.#counts[block++]!
    for (let word = block * WORDS; found.length < wanted && word < this.#bits.length; word++) {
      const bits = this.#bits[word]!
      for (let bit = 0; bits !== 0 && bit < 32 && found.length < wanted; bit++) {
        if ((bits & (1 << bit)) === 0) continue
        if (left > 0) left--
        else found.push(word * 32 + bit)
      }
    }
    return found
  }

  #grow(blocks: number): void {
    const room = Math.ceil(blocks * 1.25)
    const [bits, counts] = [new Uint32Array(room * WORDS), new Uint32Array(room)]
    bits.set(this.#bits)
    counts.set(this.#counts)
    this.#bits = bits
    this.#counts = counts
  }
}

const WORDS = 32
const wordOf = (id: number) => Math.floor(id / 32)
const BLOCK = WORDS * 32

/** Parses numbers separated by commas, digit by digit: splitting the text would create up to a million strings. */
export function numbersIn(text: string): number[] {
  const numbers: number[] = []
  let number = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COMMA) {
      numbers.push(number)
      number = 0
    } else number = number * 10 + code - ZERO
  }
  if (text.length > 0) numbers.push(number)
  return numbers
}

const COMMA = 44
const ZERO = 48
