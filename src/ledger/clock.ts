/** Clocks of several processes differ a little; what is more than this is no difference but a jump. */
export const SKEW = 5 * 60_000

/** A clock that says so when it has jumped: when it went forward or back by more than the time that has passed. */
export function watchful(
  clock: () => Date,
  onJump: (milliseconds: number) => void,
  passed = () => performance.now(),
): () => Date {
  let last = { clock: clock().getTime(), passed: passed() }
  return () => {
    const now = clock()
    const next = { clock: now.getTime(), passed: passed() }
    const jump = next.clock - last.clock - (next.passed - last.passed)
    last = next
    if (Math.abs(jump) > SKEW) onJump(Math.round(jump))
    return now
  }
}
