import Type from 'typebox'
import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import type { Row } from '../../engine/declaration.ts'
import { created, get, list, put, remove } from '../../engine/derive.ts'
import { choice, longText, neverBlank, orNull, reference, timestamp } from '../../engine/field.ts'
import { anyRecordOf, isRecord } from '../../engine/filter.ts'
import { allowed, operation } from '../../engine/operation.ts'
import { conflict, type FieldProblem, invalid, refuse, wrong } from '../../engine/problem.ts'
import { amend, create, erase, type Rule, rowsOf } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { recordId, schemaOf, wrapped } from '../../engine/schema.ts'
import { show } from '../../engine/shape.ts'
import { attemptsIn } from '../../engine/undo/guard-queries.ts'
import type { UndoGuard } from '../../engine/undo/guards.ts'
import { dateIn, type Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { employmentsOf, whyNotEmployed } from '../organisation/staff.ts'
import { localZones } from './local-time.ts'
import { ENTRY_TYPES, enter, timesheetEntries } from './timesheet-entries.ts'

/**
 * Clocks that run. Somebody has one at most, on whichever device they look; stopped, it becomes a timesheet entry.
 */

const area = 'time'
const permission = 'time:enter'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Whoever has run longer than this has been forgotten, most likely: it is asked when the work ended. */
const FORGOTTEN = 16 * HOUR
/** Nobody works longer without a stop. */
const LONGEST = 24 * HOUR

export const clocks = resource(
  { table: 'clocks', one: 'clock', area, path: '/time/clocks', about: [{ column: 'employee_id' }] },
  {
    employee_id: reference('employees', { required: true }),
    starts_at: timestamp({
      required: true,
      note: 'Start time: Unix seconds or ISO 8601, not in the future',
    }),
    type: neverBlank(choice(ENTRY_TYPES, { default: 'working' })),
    project_id: reference('projects'),
    comment: longText(),
  },
)

type Clock = Row<typeof clocks>
type ClockValues = Omit<Clock, 'id' | 'created_at' | 'updated_at'>

/** Whole minutes, as sheets count them. */
const minuteOf = (moment: string) => new Date(Math.floor(Date.parse(moment) / MINUTE) * MINUTE).toISOString()
const later = (moment: string, by: number) => new Date(Date.parse(moment) + by).toISOString()

/** Begun by now, on a day of service, and beside what is entered since. */
const startIsSound: Rule<typeof clocks> = async ({ db, before, after, fail }) => {
  const { employee_id, starts_at } = after
  if (!employee_id || !starts_at || (before?.starts_at === starts_at && before.employee_id === employee_id)) return
  if (starts_at > db.now) return fail('starts_at', 'in_the_future', `cannot be in the future: it is now ${db.now}`)
  const earliest = later(db.now, -LONGEST)
  if (starts_at < earliest)
    return fail('starts_at', 'too_early', `must be within the last ${LONGEST / HOUR} hours: ${earliest} or later`)
  const zone = (await localZones(db, [employee_id], starts_at, starts_at))(employee_id, starts_at)
  const services = await employmentsOf(db, [employee_id])
  const outside = whyNotEmployed(services.get(employee_id), dateIn(zone, new Date(starts_at)))
  if (outside) return fail('starts_at', outside.code, outside.message)
  const other = await entryWithin(db, employee_id, starts_at, db.now)
  if (other) fail('starts_at', 'overlap', `overlaps with an entry from ${other.starts_at} to ${other.ends_at}`)
}

/** The last entry that lies, with some of it, between two moments. */
const entryWithin = async (db: Reader, employeeId: number, from: string, until: string) =>
  (
    await rowsOf(
      timesheetEntries,
      db
        .from('timesheet_entries')
        .where('employee_id', '=', employeeId)
        .where('starts_at', '>', later(from, -26 * HOUR))
        .where('starts_at', '<=', until)
        .where('ends_at', '>', from),
      ['starts_at', 'id'],
    )
  ).at(-1)

/** One clock a person, also when changes are undone. */
const runsAlone: Rule<typeof clocks> = async ({ db, before, after, fail }) => {
  if (!after.employee_id || before?.employee_id === after.employee_id) return
  const other = await clockOf(db, after.employee_id)
  if (other && other.id !== after.id)
    fail('employee_id', 'taken', `already has a running clock: clock ${other.id}, started at ${other.starts_at}`)
}

export const clocksHold: UndoGuard = {
  tables: [clocks.table],
  async check(db, changes, undone) {
    const attempts = await attemptsIn(db, clocks, changes, undone)
    for (const one of attempts) await runsAlone(one)
    refuse(attempts[0]?.problems ?? [])
  },
}

const clockOf = async (db: Reader, employeeId: number): Promise<Clock | undefined> =>
  (await rowsOf(clocks, db.from('clocks').where('employee_id', '=', employeeId)))[0]

/** Whose clock is meant: that of the caller where nobody is named. Whom they do not reach is not there for them. */
function whose(db: Reader, sent: number | undefined): number {
  const id = sent ?? db.caller.personId
  if (id === null)
    throw invalid(
      wrong('employee_id', 'required', 'is required, because your user or key does not belong to an employee'),
    )
  if (!holdsFor(db, permission, 'employees', id))
    throw invalid(wrong('employee_id', 'not_found', 'must be the id of an existing employee'))
  return id
}

/** When the clock was stopped, or why it cannot have been then; the field is the one that says so. */
function endOf(db: Reader, { starts_at }: Clock, field: string, sent: string | undefined, now: string): string {
  const say = (code: string, message: string) => invalid(wrong(field, code, message))
  const latest = later(starts_at, LONGEST)
  if (sent === undefined && db.now > later(starts_at, FORGOTTEN))
    throw say(
      'required',
      `is required: the clock has been running for more than ${FORGOTTEN / HOUR} hours, since ${starts_at}. Send the time at which the work ended, ${latest < db.now ? latest : db.now} at the latest`,
    )
  const end = sent ?? now
  if (end > db.now) throw say('in_the_future', `cannot be in the future: it is now ${db.now}`)
  if (end > latest)
    throw say(
      'too_late',
      `must be within ${LONGEST / HOUR} hours after the start of the clock, ${latest} at the latest`,
    )
  if (sent !== undefined && end <= starts_at)
    throw say('too_early', `must be after the start of the clock, ${starts_at}`)
  return end
}

/** What was entered is wrong about when the clock ended, whichever field of an entry it is. */
const aboutEnd = ({ code, message }: FieldProblem): FieldProblem =>
  wrong('ends_at', code, message.replace(/^\w+_at /, ''))

/** Turns a clock into an entry, unless it ran for less than a minute. */
async function stop(db: Writer, clock: Clock, end: string, more: Partial<ClockValues> = {}): Promise<number[]> {
  const { employee_id, type, project_id, comment } = { ...clock, ...more }
  const problems: FieldProblem[] = []
  const entry = { employee_id, starts_at: clock.starts_at, ends_at: end, type, project_id, comment }
  const ids = await enter(db, end > clock.starts_at ? [entry] : [], problems)
  refuse(problems.map((one) => (/_at$|^date$/.test(one.field) ? aboutEnd(one) : one)))
  await erase(db, clocks, clock)
  return ids
}

const WHOSE = Type.Optional({
  ...recordId('employees'),
  description: 'ID of the employee who clocks in or out; yourself by default',
})
const moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))
const project = Type.Optional(orNull(recordId('projects')))
const comment = Type.Optional(Type.String({ format: 'text', maxLength: 65_535 }))

export const clockOperations = [
  list(clocks, {
    filters: {
      employee_id: isRecord(clocks, 'employee_id'),
      employee_ids: anyRecordOf(clocks, 'employee_id'),
      project_id: isRecord(clocks, 'project_id'),
    },
  }),
  get(clocks),
  operation(
    {
      id: 'clockIn',
      method: 'POST',
      path: clocks.path,
      summary: 'Clock in',
      note: 'Starts a clock, which runs until `POST /time/clocks/clock_out`. To change to a break or another project, send `switch: true`: a clock that is already running then stops when the new one starts.',
      area,
      permission,
      status: 201,
      body: Type.Object(
        {
          employee_id: WHOSE,
          starts_at: moment('Start time, at most 24 hours ago; now by default'),
          type: Type.Optional(
            Type.Unsafe<(typeof ENTRY_TYPES)[number]>({ type: 'string', enum: [...ENTRY_TYPES], default: 'working' }),
          ),
          project_id: project,
          comment,
          switch: Type.Optional(
            Type.Boolean({
              description:
                'Whether a clock that is already running stops when this one starts. By default, the request fails (409) if a clock is running',
            }),
          ),
        },
        { title: 'ClockIn' },
      ),
      answer: wrapped(schemaOf(clocks.whole)),
      conflicts: 'The employee already has a running clock, and `switch` was not sent',
    },
    async ({ db, body: { switch: isSwitch, ...body } }) => {
      const sent = { ...body, starts_at: body.starts_at && minuteOf(body.starts_at) }
      const employee_id = whose(db, sent.employee_id)
      const running = await clockOf(db, employee_id)
      if (running && !isSwitch)
        throw conflict(
          `The employee already has a clock that is running since ${running.starts_at}. Stop that clock first, or send switch=true to stop it and start a new one.`,
        )
      // What ended within this very minute is not run over.
      const floor = minuteOf(db.now)
      const last = await entryWithin(db, employee_id, floor, db.now)
      const now = last && last.ends_at <= db.now ? last.ends_at : floor
      const starts_at = sent.starts_at ?? (running && running.starts_at > now ? running.starts_at : now)
      if (running) await stop(db, running, endOf(db, running, 'starts_at', sent.starts_at, starts_at))
      const values = { ...sent, employee_id, starts_at, type: sent.type ?? 'working' }
      const id = await create(db, clocks, values, { rules: [startIsSound, runsAlone] })
      return created(db, clocks, {}, id)
    },
  ),
  operation(
    {
      id: 'clockOut',
      method: 'POST',
      path: `${clocks.path}/clock_out`,
      summary: 'Clock out',
      note: `Creates a timesheet entry, also over midnight; none if the clock ran for less than a minute. If it ran for more than ${FORGOTTEN / HOUR} hours, \`ends_at\` is required.`,
      area,
      permission,
      body: Type.Object(
        {
          employee_id: WHOSE,
          ends_at: moment('End time; now by default'),
          project_id: project,
          comment,
        },
        { title: 'ClockOut' },
      ),
      answer: Type.Object({ data: Type.Array(schemaOf(timesheetEntries.whole)) }),
      conflicts: 'The employee has no running clock',
    },
    async ({ db, body: { employee_id, ends_at: sentEnd, ...more } }) => {
      const ends_at = sentEnd && minuteOf(sentEnd)
      const clock = await clockOf(db, whose(db, employee_id))
      if (!clock) throw conflict('The employee has no running clock, so there is nothing to stop.')
      const ids = await stop(
        db,
        clock,
        endOf(db, clock, 'ends_at', ends_at, minuteOf(db.now)),
        more as Partial<ClockValues>,
      )
      return { body: { data: await show(db, timesheetEntries.whole, ids) } }
    },
  ),
  allowed(
    permission,
    put(clocks, {
      note: 'Omitted fields keep their values. Set `starts_at` to correct a forgotten clock-in.',
      store: ({ db, body, problems }, before) =>
        amend(
          db,
          clocks,
          before,
          { ...body, ...(body.starts_at ? { starts_at: minuteOf(body.starts_at) } : {}) },
          { rules: [startIsSound, runsAlone], problems },
        ),
    }),
  ),
  allowed(permission, remove(clocks, { note: 'Discards the clock without creating timesheet entries.' })),
]
