import { daysAfter, daysFrom } from '../../engine/day.ts'
import type { Reader } from '../../records/reader.ts'
import { type EmploymentPeriod, lastStarted } from '../organisation/staff.ts'
import { missingBreak, type TimeRule, timeRulesOf } from '../organisation/time-rules.ts'
import { breakTaken } from './breaks.ts'
import { localZones, momentAt } from './local-time.ts'
import { Schedule } from './schedule.ts'
import { approvedLeave, entriesInService, isHereAfter, notRejected } from './worked-minutes.ts'

/** Overtime that follows from time entries, working patterns and time rules. */

/** `period` is the same for all days whose working time is compared together. */
export type OvertimeDay = { date: string; minutes: number; credited_minutes: number; period: string }

/** Overtime of some people: of each day, and the period of each day, also without overtime. */
export type Overtime = { readonly days: readonly OvertimeDay[]; readonly periodOf: (day: string) => string | undefined }

/** Working time within one day, in milliseconds. */
type WorkedTime = { day: string; from: number; until: number; zone: string }

type StoredEntry = {
  employee_id: number
  date: string
  type: string
  minutes: number
  minutes_after_midnight: number | null
  starts_at: string
  ends_at: string
}

const MINUTE = 60_000
const minutesOf = ({ from, until }: WorkedTime) => (until - from) / MINUTE

const weekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay()
const monday = (day: string) => daysAfter(day, -((weekday(day) + 6) % 7))
const firstOfMonth = (day: string) => `${day.slice(0, 7)}-01`

/** The first day of a period, and the first one after it. */
function periodAround(day: string, per: string): [string, string] {
  if (per === 'week') return [monday(day), daysAfter(monday(day), 7)]
  if (per === 'month') return [firstOfMonth(day), firstOfMonth(daysAfter(firstOfMonth(day), 31))]
  return [day, daysAfter(day, 1)]
}

/** The first day of the weeks and months that have a day between two, and the first one after them. */
export const wholePeriods = (first: string, last: string): [string, string] => [
  [monday(first), firstOfMonth(first)].sort()[0] as string,
  [periodAround(last, 'week')[1], periodAround(last, 'month')[1]].sort()[1] as string,
]

/**
 * The overtime of these people in all weeks and months that have a day between two, by their ids. Days without overtime are
 * left out, and so is what comes after the second day.
 */
export async function calculateOvertime(
  db: Reader,
  people: ReadonlyMap<number, EmploymentPeriod>,
  /** The first day after the employment, also if it is not announced. */
  ends: ReadonlyMap<number, string | null>,
  first: string,
  last: string,
): Promise<Map<number, Overtime>> {
  const ids = [...people.keys()]
  const [from, until] = wholePeriods(first, last)
  const lastDay = daysAfter(until, -1)
  if (ids.length === 0) return new Map()
  const dayBefore = daysAfter(from, -1)
  const schedule = await Schedule.load(db, ids, dayBefore, lastDay)
  const rules = await timeRulesOf(db, schedule.patternsWithRules)
  if (!rules.all.some(({ overtime_per }) => overtime_per !== null)) return new Map()
  const entries = (await notRejected(entriesInService(db, 'timesheet_entries', ids, dayBefore, last), 't.status')
    .select(['t.employee_id', 't.date', 't.type', 't.minutes', 't.minutes_after_midnight', 't.starts_at', 't.ends_at'])
    .orderBy('t.starts_at')
    .execute()) as StoredEntry[]
  const leave = await approvedLeave(db, ids, from, lastDay, ['e.date']).execute()
  const zoneOf = await localZones(db, ids, `${dayBefore}T00:00:00Z`, `${last}T00:00:00Z`)
  const entriesOf = Map.groupBy(entries, (one) => one.employee_id)
  const leaveOf = Map.groupBy(leave, (one) => one.employee_id as number)
  const ruleOn = (id: number, day: string) => rules.on(schedule.patternOn(id, day), day)

  return new Map(
    [...people].flatMap(([id, person]) => {
      const own = entriesOf.get(id)
      if (!own) return []
      const stepsOn = (day: string) => ruleOn(id, day)?.break_deductions ?? []
      const worked = [...Map.groupBy(own, ({ date }) => date)].flatMap(([day, some]) => {
        const zone = zoneOf(id, (some[0] as StoredEntry).starts_at)
        return withoutMissingBreak(some, workedTimes(some, zone, isHereAfter(day, person, ends.get(id))), stepsOn(day))
      })
      const leaveOn = new Map<string, number>()
      for (const { date, minutes } of leaveOf.get(id) ?? [])
        leaveOn.set(date, (leaveOn.get(date) ?? 0) + Number(minutes))
      const periodOf = (day: string) => {
        const rule = ruleOn(id, day)
        if (!rule?.overtime_per) return undefined
        // Another employment or threshold starts a new period; another factor does not.
        const parts = [periodAround(day, rule.overtime_per)[0], rule.overtime_per, rule.overtime_after_minutes]
        return [...parts, lastStarted(person, day).hired_on].join(' ')
      }
      const days = overtimeOf({
        periodOf,
        worked: Map.groupBy(worked, ({ day }) => day),
        days: daysFrom(from, lastDay),
        ruleOn: (day) => ruleOn(id, day),
        expectedOn: (day) => Math.max(0, (schedule.hoursOn(person, day) * 60) / 10_000 - (leaveOn.get(day) ?? 0)),
        isHoliday: (day) => schedule.isHoliday(person, day),
      })
      return [[id, { days, periodOf }]]
    }),
  )
}

/** The working times of entries that start on the same day; a night is split at midnight. */
function workedTimes(entries: readonly StoredEntry[], zone: string, isHereAfter: boolean): WorkedTime[] {
  return entries
    .filter(({ type }) => type === 'working')
    .flatMap(({ date, minutes, minutes_after_midnight: after, starts_at, ends_at }) => {
      const ofNext = isHereAfter ? (after ?? 0) : 0
      const [from, until] = [Date.parse(starts_at), Date.parse(ends_at)]
      return [
        { day: date, from, until: from + (minutes - ofNext) * MINUTE, zone },
        { day: daysAfter(date, 1), from: until - ofNext * MINUTE, until, zone },
      ].filter((one) => one.until > one.from)
    })
}

/** Removes the missing break from the start of the day: overtime is at its end, so its factors stay the same. */
function withoutMissingBreak(
  entries: readonly StoredEntry[],
  times: readonly WorkedTime[],
  steps: TimeRule['break_deductions'],
): WorkedTime[] {
  const total = times.reduce((sum, one) => sum + minutesOf(one), 0)
  let missing = times.length > 0 ? missingBreak(steps, total, breakTaken(entries)) : 0
  return times.flatMap((one) => {
    const deducted = Math.min(missing, minutesOf(one))
    missing -= deducted
    const from = one.from + deducted * MINUTE
    return from < one.until ? [{ ...one, from }] : []
  })
}

/** What the overtime of one person is calculated from. */
type Work = {
  readonly worked: ReadonlyMap<string, readonly WorkedTime[]>
  /** All days, in order. */
  readonly days: readonly string[]
  readonly periodOf: (day: string) => string | undefined
  readonly ruleOn: (day: string) => TimeRule | undefined
  /** Minutes that are expected, less leave. */
  readonly expectedOn: (day: string) => number
  readonly isHoliday: (day: string) => boolean
}

/** What is worked above the expected time of a period is overtime: its last minutes. */
function overtimeOf({ worked, days, periodOf, ruleOn, expectedOn, isHoliday }: Work): OvertimeDay[] {
  return [...Map.groupBy(days, periodOf)].flatMap(([period, own]) => {
    if (period === undefined) return []
    const expected = Math.round(own.reduce((sum, day) => sum + expectedOn(day), 0))
    let usual = expected + (ruleOn(own[0] as string)?.overtime_after_minutes ?? 0)
    return own.flatMap((day) => {
      const rule = ruleOn(day) as TimeRule
      const overtime = (worked.get(day) ?? []).flatMap((one) => {
        const asUsual = Math.min(usual, minutesOf(one))
        usual -= asUsual
        const from = one.from + asUsual * MINUTE
        return from < one.until ? [{ ...one, from }] : []
      })
      const minutes = overtime.reduce((sum, one) => sum + minutesOf(one), 0)
      const units = overtime.reduce((sum, one) => sum + creditOf(one, rule, isHoliday(day)), 0)
      return minutes > 0 ? [{ date: day, period, minutes, credited_minutes: Math.round(units / 10_000) }] : []
    })
  })
}

/** Each minute counts with the highest factor that applies to it. In ten-thousandths of minutes. */
function creditOf(time: WorkedTime, rule: TimeRule, isHoliday: boolean): number {
  const usual = Math.max(
    rule.base_factor,
    (weekday(time.day) === 0 && rule.sunday_factor) || 0,
    (isHoliday && rule.holiday_factor) || 0,
  )
  const { night_starts_at: starts, night_ends_at: ends } = rule
  const atNight = Math.max(usual, rule.night_factor ?? 0)
  if (atNight === usual || starts === null || ends === null) return minutesOf(time) * usual
  const at = (clock: string) => momentAt(time.zone, time.day, clock)
  const nights: [number, number][] =
    starts < ends
      ? [[at(starts), at(ends)]]
      : [
          [Number.NEGATIVE_INFINITY, at(ends)],
          [at(starts), Number.POSITIVE_INFINITY],
        ]
  const night = nights.reduce(
    (sum, [from, until]) => sum + Math.max(0, Math.min(time.until, until) - Math.max(time.from, from)) / MINUTE,
    0,
  )
  return (minutesOf(time) - night) * usual + night * atNight
}

/**
 * Overtime that is not requested yet: of each period what is calculated less what is requested, on the earliest days with room for it.
 * What is planned for days after `today` is not worked yet, so it leaves nothing open on the days before.
 */
export function openOvertime(
  { days, periodOf }: Overtime,
  requested: ReadonlyMap<string, number>,
  today: string,
): OvertimeDay[] {
  const [asked, askedUntilToday] = [new Map<string, number>(), new Map<string, number>()]
  for (const [day, minutes] of requested) {
    const period = periodOf(day)
    if (period === undefined) continue
    for (const sums of day <= today ? [asked, askedUntilToday] : [asked])
      sums.set(period, (sums.get(period) ?? 0) + minutes)
  }
  const sum = (some: readonly OvertimeDay[]) => some.reduce((all, { minutes }) => all + minutes, 0)
  return [...Map.groupBy(days, ({ period }) => period)].flatMap(([period, own]) => {
    const untilToday = own.filter(({ date }) => date <= today)
    let open = Math.min(sum(own) - (asked.get(period) ?? 0), sum(untilToday) - (askedUntilToday.get(period) ?? 0))
    return untilToday.flatMap((day) => {
      const minutes = Math.min(open, day.minutes - Math.min(day.minutes, requested.get(day.date) ?? 0))
      if (minutes <= 0) return []
      open -= minutes
      return [{ ...day, minutes, credited_minutes: Math.round((day.credited_minutes * minutes) / day.minutes) }]
    })
  })
}

/** Minutes of overtime until today in the period that a day is in, and the minutes of these requests in the same period. */
export function overtimeUntilToday(
  { days, periodOf }: Overtime,
  day: string,
  requests: readonly { date: string; minutes: number }[],
  today: string,
): [calculated: number, requested: number] {
  const period = periodOf(day)
  const sum = (some: readonly { date: string; minutes: number }[]) =>
    some.reduce((all, { date, minutes }) => (periodOf(date) === period ? all + minutes : all), 0)
  return period === undefined ? [0, 0] : [sum(days.filter(({ date }) => date <= today)), sum(requests)]
}
