/**
 * Waits for all that was sent, and fails by the first that failed: whoever takes it back then takes back all of it, and
 * nothing goes on behind their back.
 */
export async function allDone<T>(sent: Iterable<Promise<T>>): Promise<T[]> {
  const outcomes = await Promise.allSettled(sent)
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

/** A long list in pieces that a statement can take. */
export function* chunks<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size)
}
