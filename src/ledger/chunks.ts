/** A long list in pieces that a statement can take. */
export function* chunks<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size)
}
