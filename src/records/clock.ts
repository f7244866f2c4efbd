/** By how many milliseconds the clocks of two processes may differ. A larger difference is a jump. */
export const MAX_SKEW = 5 * 60_000

/** A clock that calls `onJump` if its time has changed by much more or less than the time that has passed. */
export function detectJumps(
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
    if (Math.abs(jump) > MAX_SKEW) onJump(Math.round(jump))
    return now
  }
}
