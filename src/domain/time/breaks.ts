import { minutesBetween } from './local-time.ts'

/** Entries of a person that start on the same day, or sums of such entries. */
type EntriesOfDay = readonly {
  readonly type: string
  readonly minutes: number | string
  readonly starts_at: string
  readonly ends_at: string
}[]

/** The break in a day's work, in minutes: what was entered as a break, and the gaps between entries. */
export function breakTaken(entries: EntriesOfDay): number {
  const starts = entries.map((one) => one.starts_at).sort()
  const ends = entries.map((one) => one.ends_at).sort()
  const sumOf = (some: EntriesOfDay) => some.reduce((sum, { minutes }) => sum + Number(minutes), 0)
  const gaps = minutesBetween(starts[0] as string, ends.at(-1) as string) - sumOf(entries)
  return sumOf(entries.filter(({ type }) => type === 'break')) + Math.max(0, gaps)
}
