/**
 * Waits for all that was sent, and fails by the first that failed: whoever takes it back then takes back all of it, and
 * nothing goes on behind their back.
 */
export async function allDone(sent: Iterable<Promise<unknown>>): Promise<void> {
  const outcomes = await Promise.allSettled(sent)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

/** A long list in pieces that a statement can take. */
export function* chunks<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size)
}
