import type { With } from './declaration.ts'
import type { Rule } from './records.ts'

/** Rules that many kinds of records share. */

/** The end of a stretch of time is not before its beginning: `inOrder('starts_on', 'ends_on')`. */
export const inOrder =
  <S extends string, E extends string>(start: S, end: E): Rule<With<S | E, string | number | null>> =>
  ({ after, fail }) => {
    const { [start]: from, [end]: to } = after as Record<S | E, string | number | null>
    if (from !== null && from !== undefined && to !== null && to !== undefined && to < from)
      fail(end, 'too_early', `cannot be before ${start}`)
  }
