import type { Row } from '../../engine/declaration.ts'
import { get, listAll, post, put, remove } from '../../engine/derive.ts'
import { asNumber, choice, date, decimal, integer, objectList, reference, text } from '../../engine/field.ts'
import { type Rule, rowsOf } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { oneADay } from '../../engine/rule.ts'
import { cached, type Reader } from '../../records/reader.ts'

/** Rules for breaks and overtime of the people with a working pattern, each from a day until the next one. */

export type BreakDeduction = { readonly after_minutes: number; readonly break_minutes: number }

const factor = (note: string, example: string) => asNumber(decimal({ min: 1, max: 10, note, example }))
const timeOfDay = (note: string, example: string) => text({ max: 5, note: `${note}, as HH:MM`, example })

export const timeRules = resource(
  {
    table: 'time_rules',
    one: 'time rule',
    area: 'organisation',
    path: '/working_patterns/{working_pattern_id}/time_rules',
  },
  {
    working_pattern_id: reference('working_patterns', { required: true, owner: true }),
    effective_from: date({
      required: true,
      note: 'First day on which the rule applies. It applies until the next rule of the pattern. If `overtime_per` or `overtime_after_minutes` change within a week or month, each part is compared by itself',
      example: '2030-01-01',
    }),
    break_deductions: objectList<BreakDeduction>(
      {
        after_minutes: integer({ required: true, min: 1, max: 1440, note: 'Minutes of work in a day', example: 360 }),
        break_minutes: integer({
          required: true,
          min: 1,
          max: 480,
          note: 'Break that is needed after that',
          example: 30,
        }),
      },
      {
        maxItems: 5,
        note: 'Breaks that people need. What they did not enter as a break and did not leave free between entries is deducted from their working time, but never so much that it falls below `after_minutes`. Empty: nothing is deducted',
        example: [{ after_minutes: 360, break_minutes: 30 }],
      },
    ),
    overtime_per: choice(['day', 'week', 'month'], {
      note: 'Period whose working time is compared with the expected time; weeks start on Monday. Null: overtime is not calculated',
      example: 'week',
    }),
    overtime_after_minutes: integer({
      min: 0,
      max: 10_000,
      default: 0,
      note: 'Minutes above the expected time of the period that are not overtime yet',
      example: 15,
    }),
    base_factor: asNumber(
      decimal({ min: 1, max: 10, default: 1, note: 'How much a minute of overtime counts', example: '1.25' }),
    ),
    night_starts_at: timeOfDay('Local time at which the night starts', '22:00'),
    night_ends_at: timeOfDay('Local time at which the night ends', '06:00'),
    night_factor: factor('How much a minute of overtime at night counts; null: no more than others', '1.5'),
    sunday_factor: factor('How much a minute of overtime on a Sunday counts; null: no more than others', '1.5'),
    holiday_factor: factor(
      'How much a minute of overtime on a holiday counts; null: no more than others. Half holidays do not count',
      '2',
    ),
  },
)

export type TimeRule = Row<typeof timeRules>

const isWhole: Rule<typeof timeRules> = ({ after, fail }) => {
  const { night_starts_at: starts, night_ends_at: ends } = after
  for (const name of ['night_starts_at', 'night_ends_at'] as const)
    if (after[name] !== null && !/^([01]\d|2[0-3]):[0-5]\d$/.test(after[name]))
      fail(name, 'invalid', 'must be a time of day as HH:MM, such as 22:00')
  if (starts !== null && ends === null) fail('night_ends_at', 'required', 'is required when night_starts_at is sent')
  if (ends !== null && starts === null) fail('night_starts_at', 'required', 'is required when night_ends_at is sent')
  if (starts !== null && starts === ends) fail('night_ends_at', 'mismatch', 'must be another time than night_starts_at')
  if (after.night_factor !== null && starts === null)
    fail('night_starts_at', 'required', 'is required when night_factor is sent')
  const limits = after.break_deductions.map(({ after_minutes }) => after_minutes)
  if (new Set(limits).size < limits.length)
    fail('break_deductions', 'repeated', 'must not contain the same after_minutes twice')
}

const rules = [
  oneADay(
    timeRules,
    'working_pattern_id',
    'effective_from',
    'is already the first day of another rule of this working pattern. Change that rule, or choose another day',
  ),
  isWhole,
]

/** Every timesheet reads all of them. */
const MOST_RULES = 60

export const timeRuleOperations = [
  listAll(timeRules),
  get(timeRules),
  post(timeRules, {
    rules,
    most: MOST_RULES,
    note: 'The rule applies to everybody with the working pattern. It changes timesheets and calculated overtime from `effective_from` on, also in the past; overtime requests stay as they are.',
  }),
  put(timeRules, { rules, note: 'Omitted fields keep their values. Overtime requests stay as they are.' }),
  remove(timeRules, { note: 'The rule before it then continues to apply, if there is one.' }),
]

type TimeRules = {
  /** All rules of these working patterns, the earliest first. */
  readonly all: readonly TimeRule[]
  /** The rule of a working pattern on a day. */
  on(patternId: number | undefined, day: string): TimeRule | undefined
}

/** The rules of some working patterns. No statement if they are cached. */
export async function timeRulesOf(db: Reader, patternIds: readonly number[]): Promise<TimeRules> {
  if (patternIds.length === 0) return { all: [], on: () => undefined }
  const rows = await cached(db, 'time rules', (own) => rowsOf(timeRules, own.from('time_rules'), ['effective_from']))
  const all = rows.filter(({ working_pattern_id: id }) => patternIds.includes(id))
  return {
    all,
    on: (patternId, day) => all.findLast((one) => one.working_pattern_id === patternId && one.effective_from <= day),
  }
}

/** The breaks that a person needs on a day; null if nobody needs any. */
export type BreaksOn = ((employeeId: number, day: string) => readonly BreakDeduction[]) | null

/** The breaks by these rules, for people with working patterns. */
export const breaksBy = (
  rules: TimeRules,
  patternOn: (employeeId: number, day: string) => number | undefined,
): BreaksOn =>
  rules.all.some(({ break_deductions: steps }) => steps.length > 0)
    ? (id, day) => rules.on(patternOn(id, day), day)?.break_deductions ?? []
    : null

/** The break that is missing from the working time of a day. */
export const missingBreak = (steps: readonly BreakDeduction[], worked: number, taken: number): number =>
  Math.max(0, ...steps.map((step) => Math.min(worked - step.after_minutes, step.break_minutes - taken)))

/** The break that a day with so much working time needs. */
export const neededBreak = (steps: readonly BreakDeduction[], worked: number): number =>
  Math.max(0, ...steps.map((step) => (worked > step.after_minutes ? step.break_minutes : 0)))
