import { Problem } from '../../engine/problem.ts'

const HOUR = 3_600_000

/** How often something was done under each name within the last hour, up to a number for each kind of name. */
export class Quota {
  readonly #counts = new Map<string, number[]>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Counts once under each of the names, or refuses when one of them has had its share. */
  take(names: readonly { name: string; most: number }[], what: string): void {
    const now = this.#now()
    const lists = names.map(({ name, most }) => {
      const times = (this.#counts.get(name) ?? []).filter((time) => now - time < HOUR)
      if (times.length >= most) {
        const wait = Math.ceil((HOUR - (now - (times[0] as number))) / 1000)
        throw new Problem(429, 'too_many_requests', `Too many ${what} within an hour; try again later`, {
          retryAfter: Math.max(1, wait),
        })
      }
      return { name, times }
    })
    for (const { name, times } of lists) this.#counts.set(name, [...times, now])
    if (this.#counts.size > 10_000) this.#forget(now)
  }

  #forget(now: number): void {
    for (const [name, times] of this.#counts) if (now - (times.at(-1) ?? 0) >= HOUR) this.#counts.delete(name)
  }
}
