/** Other clocks may be ahead of ours by this much. */
const GRACE = 300_000

/** True if a reported time is in the future, allowing for other clocks. */
export const isInFuture = (moment: string, now: string) => Date.parse(moment) > Date.parse(now) + GRACE
