/** Other clocks may be ahead of ours by this much. */
const GRACE = 300_000

/** Does a moment that is told of lie in the future? Then it cannot have happened. */
export const isToCome = (moment: string, now: string) => Date.parse(moment) > Date.parse(now) + GRACE
