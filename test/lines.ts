import assert from 'node:assert/strict'

/** How many lines of a difference are shown: the first ones say what has happened. */
const MOST = 20

/**
 * Fails unless the lines that are committed are those that should be. Says what to do about it, and shows just the
 * lines to take out (`-`) and to put in (`+`).
 */
export function assertLines(actual: readonly string[], committed: readonly string[], advice: string): void {
  if (actual.join('\n') === committed.join('\n')) return
  const [out, into] = [without(committed, actual), without(actual, committed)]
  // In turns, so that what a line was and what it is now mostly stand together.
  const changes = Array.from({ length: Math.max(out.length, into.length) }, (_, at) => [
    ...out.slice(at, at + 1).map((line) => `- ${line}`),
    ...into.slice(at, at + 1).map((line) => `+ ${line}`),
  ]).flat()
  const shown = changes.length > 0 ? changes.slice(0, MOST) : ['the same lines, in another order']
  const rest = changes.length > MOST ? [`... and ${changes.length - MOST} more`] : []
  assert.fail([advice, ...shown, ...rest].join('\n'))
}

/** The lines of one that are not in the other, as often as they are missing there. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  })
}
