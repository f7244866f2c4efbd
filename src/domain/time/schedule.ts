import { daysFrom } from '../../engine/day.ts'
import { byId } from '../../engine/join.ts'
import type { Reader } from '../../records/reader.ts'
import { type HolidayPeriod, holidaysBetween } from '../organisation/holiday-years.ts'
import { type EmploymentPeriod, isEmployedOn } from '../organisation/staff.ts'
import {
  type PatternVersion,
  versionOn,
  versionsOf,
  WEEKDAYS,
  type WeekdayHours,
  workingPatterns,
} from '../organisation/working-patterns.ts'

/** Monday to Friday, eight hours: what holds for those who have no pattern. In ten-thousandths of hours, from Sunday. */
const STANDARD = WEEKDAYS.map((_, n) => (n === 0 || n === 6 ? 0 : 80_000))

type DatedEntry = { employee_id: number; effective_from: string; effective_until: string }
type AssignedPlace = DatedEntry & { holiday_policy_id: number; region_code: string | null }
type AssignedPattern = DatedEntry & {
  working_pattern_id: number
  has_time_rules: boolean | number
  versions: PatternVersion[]
}

const holdsOn = (day: string) => (entry: DatedEntry) => entry.effective_from <= day && entry.effective_until > day

const later = (one: string, other: string) => (one > other ? one : other)
const earlier = (one: string, other: string) => (one < other ? one : other)

const freeKey = (policyId: number, region: string | null, day: string) => `${policyId} ${region ?? ''} ${day}`

/** A holiday of the whole country, or of the region where somebody works. */
const appliesAt = (holiday: HolidayPeriod, { holiday_policy_id, region_code }: AssignedPlace) =>
  holiday.holiday_policy_id === holiday_policy_id &&
  (holiday.region_code === null || holiday.region_code === region_code)

/** The working patterns with time rules that people have between two days: one statement. */
export async function patternsWithRulesOf(db: Reader, ids: readonly number[], first: string, last: string) {
  const rows = (await db
    .from('employment_statuses as s')
    .select(['s.employee_id', 's.effective_from', 's.effective_until', 's.working_pattern_id'])
    .where('s.employee_id', 'in', [...ids])
    .where('s.effective_from', '<=', last)
    .where('s.effective_until', '>', first)
    .where('s.working_pattern_id', 'in', db.from('time_rules').select('working_pattern_id'))
    .execute()) as (DatedEntry & { working_pattern_id: number })[]
  const byPerson = Map.groupBy(rows, (row) => row.employee_id)
  return {
    patterns: [...new Set(rows.map((row) => row.working_pattern_id))],
    patternOn: (id: number, day: string) => byPerson.get(id)?.find(holdsOn(day))?.working_pattern_id,
  }
}

/** When people are to work: their pattern in force on each day in service that is no holiday where they are. */
export class Schedule {
  readonly #patterns: Map<number, AssignedPattern[]>
  readonly #places: Map<number, AssignedPlace[]>
  readonly #holidays: (HolidayPeriod & { days: string[] })[]
  /** How much of a day is free, by policy, region and day. */
  readonly #free = new Map<string, 0.5 | 1>()

  private constructor(
    patterns: AssignedPattern[],
    places: AssignedPlace[],
    holidays: (HolidayPeriod & { days: string[] })[],
  ) {
    this.#patterns = Map.groupBy(patterns, (row) => row.employee_id)
    this.#places = Map.groupBy(places, (row) => row.employee_id)
    this.#holidays = holidays
    for (const { holiday_policy_id, region_code, half_day, days } of holidays)
      for (const day of days) {
        const key = freeKey(holiday_policy_id, region_code, day)
        this.#free.set(key, half_day ? (this.#free.get(key) ?? 0.5) : 1)
      }
  }

  /** Four statements for all of them. */
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
      .select((eb) =>
        eb
          .exists(
            db
              .from('time_rules as r')
              .select('r.id')
              .whereRef('r.working_pattern_id', '=', 'employment_statuses.working_pattern_id'),
          )
          .as('has_time_rules'),
      )
      .select(['employment_statuses.working_pattern_id', 'w.versions', ...WEEKDAYS.map((day) => `w.${day}_hours`)])
      .execute()
    const places = await overlapping('employee_positions')
      .innerJoin('locations as l', byId('l', 'employee_positions.location_id'))
      .innerJoin('holiday_policies as h', byId('h', 'l.holiday_policy_id'))
      .select(['l.holiday_policy_id', (eb) => eb.fn.coalesce('l.region_code', 'h.region_code').as('region_code')])
      .execute()
    const policies = [...new Set(places.map((row) => row.holiday_policy_id))]
    const holidays = policies.length ? await holidaysBetween(db, first, last, policies) : []
    return new Schedule(
      patterns.map(({ versions, ...row }) => ({
        ...(row as Omit<AssignedPattern, 'versions'>),
        versions: versionsOf({
          ...(row as never as WeekdayHours),
          versions: workingPatterns.fields.versions.read(versions),
        }),
      })),
      places as AssignedPlace[],
      holidays.map((one) => ({ ...one, days: daysFrom(later(one.free_from, first), earlier(one.free_until, last)) })),
    )
  }

  /** The holidays that give a person a day, in service and where they are then. */
  holidaysOf(person: EmploymentPeriod): HolidayPeriod[] {
    return this.#holidays.filter((holiday) =>
      holiday.days.some((day) => {
        const place = isEmployedOn(person, day) ? this.#placeOn(person, day) : undefined
        return place !== undefined && appliesAt(holiday, place)
      }),
    )
  }

  /** The working patterns with time rules that these people have at some time. */
  get patternsWithRules(): number[] {
    const all = [...this.#patterns.values()].flat().filter(({ has_time_rules }) => has_time_rules)
    return [...new Set(all.map((one) => one.working_pattern_id))]
  }

  /** The working pattern of a person on a day. */
  patternOn(employeeId: number, day: string): number | undefined {
    return this.#patterns.get(employeeId)?.find(holdsOn(day))?.working_pattern_id
  }

  /** Is a whole day a holiday for a person? */
  isHoliday(person: EmploymentPeriod, day: string): boolean {
    return isEmployedOn(person, day) && this.#partOf(person, day) === 0
  }

  /** Ten-thousandths of hours that a person is to work on a day. */
  hoursOn(person: EmploymentPeriod, day: string): number {
    const pattern = this.#patterns.get(person.id)?.find(holdsOn(day))
    const hours = pattern ? versionOn(pattern.versions, day).hours : STANDARD
    return Math.round((hours[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? 0) * this.#partOf(person, day))
  }

  /** Ten-thousandths of a day of work that a day is for a person: half a holiday leaves half a day. */
  daysOn(person: EmploymentPeriod, day: string): number {
    return this.hoursOn(person, day) === 0 ? 0 : 10_000 * this.#partOf(person, day)
  }

  /** How much of a day a person is there to work, whatever their pattern: all, half or nothing. */
  #partOf(person: EmploymentPeriod, day: string): number {
    if (!isEmployedOn(person, day)) return 0
    const place = this.#placeOn(person, day)
    return 1 - (place ? Math.max(...[null, place.region_code].map((region) => this.#freeIn(place, region, day))) : 0)
  }

  #freeIn({ holiday_policy_id }: AssignedPlace, region: string | null, day: string): number {
    return this.#free.get(freeKey(holiday_policy_id, region, day)) ?? 0
  }

  #placeOn({ id }: EmploymentPeriod, day: string) {
    return this.#places.get(id)?.find(holdsOn(day))
  }
}
