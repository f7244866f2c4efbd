import { byId } from '../engine/join.ts'
import type { Reader } from '../ledger/reader.ts'

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

/** Monday to Friday, eight hours: what holds for those who have no pattern. In ten-thousandths of hours. */
const STANDARD = Object.fromEntries(
  WEEKDAYS.map((day, n) => [`${day}_hours`, n === 0 || n === 6 ? 0 : 80_000]),
) as Hours

export type InService = { id: number; hired_on: string | null; termination_effective_on: string | null }

type Stretch = { employee_id: number; effective_from: string; effective_until: string }
type Hours = Record<`${(typeof WEEKDAYS)[number]}_hours`, number>

const holdsOn = (day: string) => (entry: Stretch) => entry.effective_from <= day && entry.effective_until > day

/** When people are to work: their pattern in force on each day in service that is no holiday where they are. */
export class Schedule {
  readonly #patterns: Map<number, (Stretch & Hours)[]>
  readonly #places: Map<number, (Stretch & { holiday_policy_id: number })[]>
  readonly #holidays: Set<string>

  private constructor(
    patterns: (Stretch & Hours)[],
    places: (Stretch & { holiday_policy_id: number })[],
    holidays: Set<string>,
  ) {
    this.#patterns = Map.groupBy(patterns, (row) => row.employee_id)
    this.#places = Map.groupBy(places, (row) => row.employee_id)
    this.#holidays = holidays
  }

  /** Three statements for all of them. */
  static async load(db: Reader, ids: number[], first: string, last: string): Promise<Schedule> {
    const overlapping = (table: string) =>
      db
        .from(table)
        .where(`${table}.employee_id`, 'in', ids)
        .where(`${table}.effective_from`, '<=', last)
        .where(`${table}.effective_until`, '>', first)
        .select([`${table}.employee_id`, `${table}.effective_from`, `${table}.effective_until`])
    const patterns = await overlapping('employment_statuses')
      .innerJoin('working_patterns as w', byId('w', 'employment_statuses.working_pattern_id'))
      .select(WEEKDAYS.map((day) => `w.${day}_hours`))
      .execute()
    const places = await overlapping('employee_positions')
      .innerJoin('locations as l', byId('l', 'employee_positions.location_id'))
      .select('l.holiday_policy_id')
      .where('l.holiday_policy_id', 'is not', null)
      .execute()
    const policies = [...new Set(places.map((row) => row.holiday_policy_id))]
    const holidays = policies.length
      ? await db
          .from('holidays')
          .select(['holiday_policy_id', 'occurs_on'])
          .where('holiday_policy_id', 'in', policies)
          .where('occurs_on', '>=', first)
          .where('occurs_on', '<=', last)
          .where('working', '=', false)
          .execute()
      : []
    const free = new Set(holidays.map((row) => `${row.holiday_policy_id} ${row.occurs_on}`))
    return new Schedule(patterns as (Stretch & Hours)[], places as (Stretch & { holiday_policy_id: number })[], free)
  }

  /** Ten-thousandths of hours that a person is to work on a day. */
  hoursOn({ id, hired_on, termination_effective_on }: InService, day: string): number {
    if (hired_on !== null && day < hired_on) return 0
    if (termination_effective_on !== null && day >= termination_effective_on) return 0
    const place = this.#places.get(id)?.find(holdsOn(day))
    if (place && this.#holidays.has(`${place.holiday_policy_id} ${day}`)) return 0
    const pattern = this.#patterns.get(id)?.find(holdsOn(day)) ?? STANDARD
    const weekday = WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? 'sunday'
    return pattern[`${weekday}_hours`]
  }
}
