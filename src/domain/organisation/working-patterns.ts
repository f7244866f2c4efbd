import Type from 'typebox'
import { queryAllAccounts } from '../../database/query-all-accounts.ts'
import { columnHistory } from '../../engine/column-history.ts'
import type { Row } from '../../engine/declaration.ts'
import { type Body, get, list, post, put, remove } from '../../engine/derive.ts'
import { decimal, json, text, told } from '../../engine/field.ts'
import { FIRST_DAY } from '../../engine/format.ts'
import { type FieldProblem, wrong } from '../../engine/problem.ts'
import { amend, attempt, rowsOf, storeChanges } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import type { Ledger } from '../../records/ledger.ts'
import { cached, type Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { writeInAccounts } from './system-writes.ts'

/** How many hours people work on which day of the week: as of today in the record, with its past and its plans beside it. */

const hours = () => decimal({ min: 0, max: 24, default: 0, example: '8.0' })

export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

export type WeekdayHours = Record<`${(typeof WEEKDAYS)[number]}_hours`, number>

/**
 * The hours from a day on, until the next version begins. In ten-thousandths, from Sunday. `said` are the days of the week that it
 * changes; the others are those of the version before. Without it, all are its own.
 */
export type PatternVersion = { from: string; hours: number[]; said?: number[] }

const named = (all: number[]) =>
  Object.fromEntries(WEEKDAYS.map((day, n) => [`${day}_hours`, String((all[n] ?? 0) / 10_000)]))

export const workingPatterns = resource(
  { table: 'working_patterns', one: 'working pattern', area: 'organisation', isLookup: true },
  {
    name: text({ required: true, unique: true, searched: true, example: 'Four-day week' }),
    monday_hours: hours(),
    tuesday_hours: hours(),
    wednesday_hours: hours(),
    thursday_hours: hours(),
    friday_hours: hours(),
    saturday_hours: hours(),
    sunday_hours: hours(),
    /** In order of their days, without gaps; null while the hours have never changed. */
    versions: json<PatternVersion[] | null>(
      null,
      told('versions', (all) =>
        (Array.isArray(all) ? all : []).map(({ from, hours }) => ({ effective_from: from, ...named(hours) })),
      ),
    ),
  },
)

type WorkingPattern = Row<typeof workingPatterns>

const hoursIn = (row: WeekdayHours): number[] => WEEKDAYS.map((day) => row[`${day}_hours`])

const namesOfHours = WEEKDAYS.map((day) => `${day}_hours` as const)

/** All versions of a pattern. */
export const versionsOf = (row: WeekdayHours & { versions: PatternVersion[] | null }): PatternVersion[] =>
  Array.isArray(row.versions) && row.versions.length > 0 ? row.versions : [{ from: FIRST_DAY, hours: hoursIn(row) }]

/** The version of a day; what holds first holds before, too. */
export const versionOn = (versions: readonly PatternVersion[], day: string): PatternVersion =>
  versions.findLast(({ from }) => from <= day) ?? (versions[0] as PatternVersion)

/** The weekly hours of each pattern on a day, in ten-thousandths. */
export async function weeklyHoursOn(db: Reader, day: string): Promise<Map<number, number>> {
  const all = await cached(db, 'versions of working patterns', async (own) => {
    const rows = await rowsOf(workingPatterns, own.from('working_patterns'))
    return rows.map((row) => ({ id: row.id, versions: versionsOf(row) }))
  })
  return new Map(all.map(({ id, versions }) => [id, versionOn(versions, day).hours.reduce((sum, one) => sum + one, 0)]))
}

/** The weekly hours of full time on a day: a past day keeps those that the company had then. */
export async function fullTimeHoursOn(db: Reader, day: string): Promise<number> {
  if (day >= db.today) return db.account.full_time_hours
  const past = await columnHistory(db, 'companies', ['full_time_hours'], { since: day })
  const [id] = past.ids
  return (id === undefined ? undefined : (past.on(day, id)?.full_time_hours as number)) ?? db.account.full_time_hours
}

/** The part of full time, rounded to four decimals. */
export const fullTimeEquivalent = (hours: number, fullTimeHours: number): number =>
  Math.round((hours * 10_000) / fullTimeHours) / 10_000

const more = {
  effective_from: Type.String({
    format: 'date',
    description: 'First day on which the changed hours apply; today by default',
    examples: ['2030-01-01'],
  }),
}

/** Versions in order, each with the hours of the one before where it says none itself. */
function inherited(versions: readonly PatternVersion[]): PatternVersion[] {
  const inOrder = versions.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  let before: number[] = []
  return inOrder.map((version, index) => {
    const { said } = version
    const hours = version.hours.map((own, n) => (index > 0 && said && !said.includes(n) ? (before[n] ?? 0) : own))
    before = hours
    return { ...version, hours }
  })
}

async function change(
  db: Writer,
  before: WorkingPattern,
  { effective_from, ...body }: Body<typeof workingPatterns, typeof more>,
  problems: FieldProblem[],
): Promise<void> {
  const isOfHours = namesOfHours.some((name) => body[name] !== undefined)
  if (effective_from && !isOfHours)
    problems.push(
      wrong(
        'effective_from',
        'not_allowed',
        'is only allowed together with hours: send at least one of monday_hours to sunday_hours, or leave it out',
      ),
    )
  const from = effective_from ?? db.today
  const versions = versionsOf(before)
  const then = versionOn(versions, from)
  // What is sent is sound only when there are no problems; then it is told by the attempt.
  const sent = attempt(db, workingPatterns, before, body, problems).changes as Partial<WeekdayHours>
  const hours = WEEKDAYS.map((day, n) => sent[`${day}_hours`] ?? then.hours[n] ?? 0)
  if (problems.length > 0 || hours.every((one, n) => one === then.hours[n])) {
    const others = Object.fromEntries(
      Object.entries(body).filter(([name]) => !(namesOfHours as string[]).includes(name)),
    )
    await amend(db, workingPatterns, before, problems.length > 0 ? body : others, { problems })
    return
  }
  const other = hours.flatMap((one, n) => (one === then.hours[n] ? [] : n))
  const said = then.from !== from ? { said: other } : then.said ? { said: [...new Set([...then.said, ...other])] } : {}
  const next = inherited([...versions.filter((one) => one.from !== from), { from, hours, ...said }])
  const today = named(versionOn(next, db.today).hours)
  await amend(db, workingPatterns, before, { ...body, ...today, versions: next }, { problems })
}

/** Puts the hours of versions that have begun into the records. */
export async function beginVersions(ledger: Ledger): Promise<void> {
  const { rows } = await queryAllAccounts(ledger.database, (sql, accounts) =>
    sql
      .selectFrom('working_patterns')
      .select('account_id')
      .distinct()
      .where('versions', 'is not', null)
      .$if(accounts !== null, (query) => query.where('account_id', 'in', accounts))
      .execute(),
  )
  await writeInAccounts(ledger, new Set(rows.map((row) => row.account_id)), 'beginPatternVersions', async (db) => {
    const rows = await rowsOf(workingPatterns, db.from('working_patterns').where('versions', 'is not', null))
    await storeChanges(
      db,
      workingPatterns,
      rows.map((row) => attempt(db, workingPatterns, row, named(versionOn(versionsOf(row), db.today).hours))),
    )
  })
}

export const workingPatternOperations = [
  list(workingPatterns, { comesWhole: true }),
  get(workingPatterns),
  post(workingPatterns, {}),
  put(workingPatterns, {
    more,
    note: 'Omitted fields keep their values. Changed hours apply from `effective_from` on, until the date of a later change to the same weekday; dates before `effective_from` keep their hours. The response always shows the hours of today.',
    store: ({ db, body, problems }, before) => change(db, before, body, problems),
  }),
  remove(workingPatterns),
]
