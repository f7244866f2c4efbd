/** "Did you mean …?": the known name that a misspelt one was probably meant to be. */

const LONGEST = 100

/** The known name nearest to a misspelt one, or undefined when none is near enough to be meant. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined
  const sent = plain(name)
  let found: string | undefined
  let least = mostEdits(sent) + 1
  for (const one of known) {
    if (one === name) continue
    const distance = Math.min(edits(sent, plain(one), least), stem(name) === stem(one) ? 1 : least)
    if (distance >= least) continue
    found = one
    least = distance
  }
  return found
}

/** ` Did you mean …?`, or nothing when no known name is near. */
export function didYouMean(name: string, known: Iterable<string>, show = (one: string) => one): string {
  const found = nearest(name, known)
  return found === undefined ? '' : `. Did you mean ${show(found)}?`
}

/** `madeOn`, `made-on` and `made_on` are the same word. */
const plain = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()

/** `start_date`, `starts_on` and `starts_at` mean the same, and so do `status` and `statuses`. */
const stem = (name: string) =>
  plain(name)
    .replace(/(?<=\w)_(on|at|date|day|time)(?=\[|$)/, '')
    .replace(/(?<=\w{3})s(?=_|\[|$)/g, '')

/** Short names differ by little and mean something else: `to` is not `q`. */
const mostEdits = ({ length }: string) => (length < 3 ? 0 : length < 6 ? 1 : 2)

/** Letters added, left out, replaced or swapped with their neighbour; at least `most` is as good as `most`. */
function edits(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) >= most || b.length > LONGEST) return most
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let least = Math.min(
        (above[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (above[j - 1] as number) + (isSame ? 0 : 1),
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1)
      row.push(least)
    }
    before = above
    above = row
  }
  return above[b.length] as number
}
