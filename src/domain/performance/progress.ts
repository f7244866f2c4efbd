import { type RawBuilder, sql } from 'kysely'
import { countDays } from '../../engine/day.ts'
import type { Reader } from '../../records/reader.ts'

/** How far something has come, and whether that is in time. In whole numbers throughout: 29 of 100 is 29 %. */

export const STATUSES = ['none', 'on_track', 'behind', 'at_risk'] as const
export type GoalStatus = (typeof STATUSES)[number]
export const METRICS = ['percentage', 'number', 'currency'] as const

/** Start, target and current value, in ten-thousandths. The target may be below the start. */
export type TargetValues = { start: number; target: number; current: number }

/** The part that is done, from 0 to 1, as a fraction. */
type Fraction = { done: bigint; of: bigint }

const NOTHING: Fraction = { done: 0n, of: 1n }
const ALL: Fraction = { done: 1n, of: 1n }

function partOf({ start, target, current }: TargetValues): Fraction {
  if (start === target) return current === target ? ALL : NOTHING
  const sign = target > start ? 1n : -1n
  const [done, of] = [sign * (BigInt(current) - BigInt(start)), sign * (BigInt(target) - BigInt(start))]
  return done <= 0n ? NOTHING : done >= of ? ALL : { done, of }
}

/** Whole percent, of which none is shown before it is reached. */
const percent = ({ done, of }: Fraction) => Number((done * 100n) / of)

export const progressOf = (way: TargetValues): number => percent(partOf(way))

/** The mean by weight, of the ways themselves and not of their rounded percent. */
export function meanProgress(ways: readonly (TargetValues & { weight: number })[]): number {
  const weights = ways.reduce((sum, { weight }) => sum + weight, 0)
  if (weights === 0) return 0
  const { done, of } = ways.reduce<Fraction>((sum, way) => {
    const part = partOf(way)
    return { done: sum.done * part.of + part.done * BigInt(way.weight) * sum.of, of: sum.of * part.of }
  }, NOTHING)
  return percent({ done, of: of * BigInt(weights) })
}

/** Compared with the time that has gone by: a little late is behind, far behind is at risk. */
export function statusOf(progress: number, today: string, starts: string | null, ends: string | null): GoalStatus {
  if (progress >= 100) return 'on_track'
  if (!starts || !ends || today < starts) return 'none'
  const isOver = ends <= starts || today >= ends
  const [gone, all] = isOver ? [1, 1] : [countDays(starts, today) - 1, countDays(starts, ends) - 1]
  if (progress * all >= 90 * gone) return 'on_track'
  return progress * all >= 60 * gone ? 'behind' : 'at_risk'
}

type ProgressColumns = Record<'start' | 'target' | 'current' | 'starts' | 'ends', RawBuilder<any>>

/** Both of these in SQL, `none` without a target or a current value. `limit` keeps planners from working that out more than once. */
export function statusInSql(
  db: Reader,
  { start, target, current, starts, ends }: ProgressColumns,
): RawBuilder<GoalStatus> {
  const { day } = db.view
  const gone = db.daysBetween(sql.ref('starts'), sql`${day}`)
  const all = db.daysBetween(sql.ref('starts'), sql.ref('ends'))
  return sql`(select case when progress is null then 'none' when progress >= 100 then 'on_track'
      when starts is null or ends is null or ${day} < starts then 'none'
      when progress * whole >= 90 * gone then 'on_track'
      when progress * whole >= 60 * gone then 'behind' else 'at_risk' end
    from (select starts, ends,
        case when current is null or target is null then null
          when current = target then 100
          when current = start or target = start or (current > start) <> (target > start) then 0
          when abs(current - start) >= abs(target - start) then 100
          else abs(current - start) * 100 / abs(target - start) end as progress,
        case when ends <= starts or ${day} >= ends then 1 else ${gone} end as gone,
        case when ends <= starts or ${day} >= ends then 1 else ${all} end as whole
      from (select ${start} as start, ${target} as target, ${current} as current, ${starts} as starts, ${ends} as ends
        limit 1) as way limit 1) as compared)`
}
