/** How far something has come, and whether that is in time. */

export const STATUSES = ['none', 'on_track', 'behind', 'at_risk'] as const
export type Status = (typeof STATUSES)[number]
export const METRICS = ['percentage', 'number', 'currency'] as const

/** From start to target, in whole percent within 0 and 100; targets may lie below the start. */
export function progressOf(start: number, target: number, current: number): number {
  if (start === target) return current === target ? 100 : 0
  const part = ((current - start) / (target - start)) * 100
  return Math.max(0, Math.min(100, Math.floor(part)))
}

/** Compared with the time that has gone by: a little late is behind, far behind is at risk. */
export function statusOf(progress: number, today: string, starts: string | null, ends: string | null): Status {
  if (progress >= 100) return 'on_track'
  if (!starts || !ends || today < starts) return 'none'
  const day = (date: string) => Date.parse(`${date}T00:00:00Z`)
  const gone = ends <= starts ? 1 : Math.min(1, (day(today) - day(starts)) / (day(ends) - day(starts)))
  const expected = gone * 100
  if (progress >= expected * 0.9) return 'on_track'
  return progress >= expected * 0.6 ? 'behind' : 'at_risk'
}
