/** What somebody may do only so often, or only so many times at once. Counted here, or in one place for all workers. */

export type QuotaLimit = { readonly name: string; readonly most: number }

export interface Quota {
  /** Counts once under each of the names, or tells after how many milliseconds of this stretch of time that can be. */
  take(within: number, shares: readonly QuotaLimit[]): Promise<number>
  /** Takes one of so many places; what comes back gives it up again. Undefined when all are taken. */
  hold(share: QuotaLimit): Promise<(() => void) | undefined>
}

/** Names that are remembered: those that were counted longest ago are forgotten first. */
const MOST_NAMES = 10_000

/** A quota in the memory of this process. */
export class ProcessQuota implements Quota {
  readonly #times = new Map<string, number[]>()
  readonly #held = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  async take(within: number, shares: readonly QuotaLimit[]): Promise<number> {
    const now = this.#now()
    const lists = shares.map(({ name, most }) => {
      const times = this.#times.get(name) ?? []
      const first = times.findIndex((time) => now - time < within)
      times.splice(0, first === -1 ? times.length : first)
      return { name, most, times }
    })
    const full = lists.find(({ times, most }) => times.length >= most)
    if (full) return Math.max(1, within - (now - (full.times[0] as number)))
    for (const { name, times } of lists) {
      times.push(now)
      this.#times.delete(name)
      this.#times.set(name, times)
      if (this.#times.size > MOST_NAMES) this.#times.delete(this.#times.keys().next().value as string)
    }
    return 0
  }

  async hold({ name, most }: QuotaLimit): Promise<(() => void) | undefined> {
    const count = this.#held.get(name) ?? 0
    if (count >= most) return undefined
    this.#held.set(name, count + 1)
    return () => {
      const rest = (this.#held.get(name) as number) - 1
      if (rest > 0) this.#held.set(name, rest)
      else this.#held.delete(name)
    }
  }
}
