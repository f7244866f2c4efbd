/** A small random number generator with a seed: it returns the same numbers every time. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  #next(): number {
    this.#state = (this.#state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return this.#state / 4_294_967_296
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#next() * (most - least + 1))
  }

  /** Whether something happens that happens so often in a hundred times. */
  percent(often: number): boolean {
    return this.#next() * 100 < often
  }

  of<T>(list: readonly T[]): T {
    return list[Math.floor(this.#next() * list.length)] as T
  }

  /** Some of a list, in an order of their own. */
  some<T>(list: readonly T[], count: number): T[] {
    const left = [...list]
    const taken: T[] = []
    while (taken.length < count && left.length > 0)
      taken.push(...left.splice(Math.floor(this.#next() * left.length), 1))
    return taken
  }
}
