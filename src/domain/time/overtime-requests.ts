import Type from 'typebox'
import { withoutHeldBack } from '../../engine/access-scope/held-back.ts'
import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import { daysAfter } from '../../engine/day.ts'
import type { Row } from '../../engine/declaration.ts'
import { get, list, post, put } from '../../engine/derive.ts'
import { boolean, date, derived, integer, longText, readOnly, reference, timestamp } from '../../engine/field.ts'
import { anyRecordOf, type Filter, from, isAnyOf, isOne, isRecord, until } from '../../engine/filter.ts'
import { allowed } from '../../engine/operation.ts'
import { conflict, refuse } from '../../engine/problem.ts'
import { type Attempt, attempt, checkAll, insertAll, storeChanges } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { attemptsIn } from '../../engine/undo/guard-queries.ts'
import type { UndoGuard } from '../../engine/undo/guards.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { PLANNED } from '../access/permissions.ts'
import { employmentsOf, whyNotEmployed } from '../organisation/staff.ts'
import { personShort } from '../people/person.ts'
import { approvalFields, decisionsOn, mayDecide, OPEN, removeAsked, requireDecider } from './approvals.ts'
import { calculateOvertime, overtimeUntilToday, wholePeriods } from './calculated-overtime.ts'
import { employmentsThen } from './employment-periods.ts'
import { localZones, timesIn } from './local-time.ts'
import { peopleOnPage } from './timesheet-people.ts'

/**
 * Overtime that somebody asks for, before or after it is worked. It is either so many minutes of a day, or from one
 * moment to another; of a day there is either one request of the first kind or some of the second that do not overlap.
 */

const LONGEST = 24 * 60

export const overtimeRequests = resource(
  {
    table: 'overtime_requests',
    one: 'overtime request',
    area: 'time',
    path: '/time/overtime_requests',
    about: [{ column: 'employee_id' }],
  },
  {
    employee_id: reference('employees', { required: true, show: () => personShort }),
    employee_id_shown: derived(Type.Integer(), ['employee_id'], (row) => row.employee_id, { as: 'employee_id' }),
    date: date({
      required: true,
      note: 'Date of the overtime, in the time zone of the employee; by default the date of `starts_at`',
      example: '2030-01-02',
    }),
    minutes: integer({
      required: true,
      min: 1,
      max: LONGEST,
      note: 'Duration in minutes; by default the time from `starts_at` to `ends_at`',
      example: 90,
    }),
    credited_minutes: integer({
      min: 1,
      max: 10 * LONGEST,
      note: 'Minutes that count, with the factors for nights, Sundays and holidays; null: `minutes`. Only somebody who may approve the request can set it. Leave policies with `overtime_factor` credit these. If `minutes` change, send it again',
      example: 135,
    }),
    starts_at: timestamp({
      note: 'Time at which the overtime starts: Unix seconds or ISO 8601; send it together with `ends_at`',
      example: '2030-01-02T17:00:00.000Z',
    }),
    ends_at: timestamp({
      note: 'Time at which the overtime ends: Unix seconds or ISO 8601, at most 24 hours after `starts_at`. Timesheets count all of it on `date`',
      example: '2030-01-02T18:30:00.000Z',
    }),
    comment: longText({ example: 'Stocktaking' }),
    calculated: {
      ...readOnly(
        boolean({
          default: false,
          note: 'Whether `POST /time/calculated_overtime/request` created the request. It can only be approved for as many minutes as are still calculated',
        }),
      ),
      column: { type: 'boolean', isNeverNull: false },
      read: Boolean,
    },
    ...approvalFields('overtime_requests', 'time'),
  },
)

type OvertimeAttempt = Attempt<typeof overtimeRequests>

/** What is asked for: the comment is only said about it. */
const ASKED = ['employee_id', 'date', 'minutes', 'credited_minutes', 'starts_at', 'ends_at'] as const

/** Its time and its day agree with each other; what was not sent of them follows from the time. */
async function checkTimes({ db, after, changes, fail }: OvertimeAttempt): Promise<void> {
  const { employee_id, starts_at, ends_at } = after
  if (starts_at === null && ends_at === null) {
    for (const name of ['date', 'minutes'] as const)
      if (!after[name]) fail(name, 'required', 'is required, unless starts_at and ends_at are sent')
    return
  }
  if (starts_at === null) return fail('starts_at', 'required', 'is required when ends_at is sent')
  if (ends_at === null) return fail('ends_at', 'required', 'is required when starts_at is sent')
  const minutes = Math.floor((Date.parse(ends_at) - Date.parse(starts_at)) / 60_000)
  if (minutes < 1) return fail('ends_at', 'too_early', 'must be after starts_at by at least a minute')
  if (minutes > LONGEST) return fail('ends_at', 'too_late', `cannot be more than ${LONGEST} minutes after starts_at`)
  const zone = (await localZones(db, [employee_id], starts_at, ends_at))(employee_id, starts_at)
  const day = timesIn(zone, starts_at, ends_at)?.date
  if (!day) return fail('ends_at', 'too_late', `must be on the same day as starts_at in ${zone}, or on the next one`)
  if (changes.date && changes.date !== day) fail('date', 'mismatch', `must be ${day}, the day of starts_at in ${zone}`)
  if (changes.minutes && changes.minutes !== minutes)
    fail('minutes', 'mismatch', `must be ${minutes}: the number of minutes from starts_at to ends_at`)
  for (const values of [changes, after]) Object.assign(values, { date: day, minutes })
}

/** In service on the day, and beside what else is asked for on it. */
async function checkDay({ db, after, undone, fail }: OvertimeAttempt): Promise<void> {
  const { employee_id, starts_at, ends_at } = after
  const field = starts_at === null ? 'date' : 'starts_at'
  const outside = whyNotEmployed((await employmentsOf(db, [employee_id])).get(employee_id), after.date)
  const then = undone && (await employmentsThen(db, [employee_id], undone)).get(employee_id)
  if (outside && !(then && whyNotEmployed(then, after.date))) return fail(field, outside.code, outside.message)
  const others = await db
    .from('overtime_requests')
    .select(['id', 'date', 'starts_at', 'ends_at'])
    .where('employee_id', '=', employee_id)
    // A night reaches into the next day.
    .where('date', '>=', daysAfter(after.date, -1))
    .where('date', '<=', daysAfter(after.date, 1))
    .where('id', '!=', after.id ?? 0)
    .where('state', 'in', OPEN)
    .execute()
  const other = others.find((one) =>
    starts_at && ends_at && one.starts_at
      ? one.starts_at < ends_at && one.ends_at > starts_at
      : one.date === after.date,
  )
  if (other) fail(field, 'overlap', `overlaps with overtime request ${other.id} on ${other.date}`)
}

/** Whoever has left meanwhile works no overtime after that. */
async function inServiceStill(db: Reader, { employee_id, date }: { employee_id: number; date: string }): Promise<void> {
  const outside = whyNotEmployed((await employmentsOf(db, [employee_id])).get(employee_id), date)
  if (outside) throw conflict(`The day of the overtime, ${date}, ${outside.message}.`)
}

/**
 * Entries may have changed since the request was calculated. Other calculated requests of the same day, week or month use up what
 * is calculated once they are approved.
 */
async function calculatedStill(db: Reader, request: Row<typeof overtimeRequests>): Promise<void> {
  const { id, employee_id, date, minutes } = request
  if (!request.calculated) return
  const view = holdsFor(db, 'employees:read', 'employees', employee_id, PLANNED) ? db : withoutHeldBack(db)
  const [first, until] = wholePeriods(date, date)
  const last = daysAfter(until, -1)
  const { people, ends } = await peopleOnPage(view, { employee_ids: [employee_id] }, first, last)
  const overtime = (await calculateOvertime(view, people, ends, first, last)).get(employee_id)
  const approved = (await db
    .from('overtime_requests')
    .select(['date', 'minutes'])
    .where('employee_id', '=', employee_id)
    .where('date', '>=', first)
    .where('date', '<=', last)
    .where('id', '!=', id)
    .where('state', '=', 'approved')
    .where('calculated', '=', true)
    .execute()) as { date: string; minutes: number }[]
  const [calculated, others] = overtime ? overtimeUntilToday(overtime, date, approved, db.today) : [0, 0]
  if (minutes <= calculated - others) return
  const ofOthers = others > 0 ? `, of which ${others} are approved already` : ''
  throw conflict(
    `Overtime request ${id} is for ${minutes} minutes, but only ${calculated} minutes of overtime are calculated now${ofOthers}. Withdraw the request, or correct its minutes or the time entries.`,
  )
}

/** Only somebody who may approve overtime can set its credited minutes. */
function creditedByOthers({ db, before, after, changes, fail }: OvertimeAttempt): void {
  const { credited_minutes } = changes
  if (credited_minutes === undefined || credited_minutes === null) return
  if (credited_minutes === before?.credited_minutes || !after.employee_id || mayDecide(db, 'time', after.employee_id))
    return
  fail(
    'credited_minutes',
    'not_allowed',
    'can be set only by somebody who may approve the request. Leave it out, or use POST /time/calculated_overtime/request',
  )
}

/** Checks what is asked for by itself, and if it is sound, beside the rest of the day. */
async function check(db: Writer, one: OvertimeAttempt): Promise<void> {
  await checkAll(db, overtimeRequests, [one])
  creditedByOthers(one)
  const isUnsound = () => one.problems.some(({ field }) => ASKED.some((name) => name === field))
  if (!isUnsound()) await checkTimes(one)
  if (!isUnsound()) await checkDay(one)
  refuse(one.problems)
  // The credited minutes were those of the old minutes.
  if (one.before && one.after.minutes !== one.before.minutes && one.changes.credited_minutes === undefined)
    for (const values of [one.changes, one.after]) Object.assign(values, { credited_minutes: null })
}

/** Overtime does not overlap, also when changes are undone; and what was decided since stays as it was asked for. */
export const overtimeHolds: UndoGuard = {
  tables: [overtimeRequests.table],
  async check(db, changes, undone) {
    const attempts = await attemptsIn(db, overtimeRequests, changes, undone)
    for (const one of attempts) {
      const { before, after } = one
      const isOther = !before || ASKED.some((name) => after[name] !== before[name])
      if (before && isOther && after.state === before.state && after.state !== 'pending')
        throw conflict(
          `This cannot be undone: overtime request ${after.id} is ${after.state} and can no longer change.`,
        )
      const isOpen = (OPEN as readonly string[]).includes(after.state)
      const wasOpen = before !== null && (OPEN as readonly string[]).includes(before.state)
      if (isOpen && (isOther || !wasOpen)) await checkDay(one)
    }
    refuse(attempts[0]?.problems ?? [])
  },
}

const filters: Record<string, Filter> = {
  employee_id: isRecord(overtimeRequests, 'employee_id'),
  employee_ids: anyRecordOf(overtimeRequests, 'employee_id'),
  state: isOne(overtimeRequests, 'state'),
  states: isAnyOf(overtimeRequests, 'state'),
  starts_on: from(overtimeRequests, 'date'),
  ends_on: until(overtimeRequests, 'date'),
}

/** What was approved and has begun is taken back by those who may decide. */
async function notOverYet(db: Reader, { state, employee_id, date }: Row<typeof overtimeRequests>): Promise<void> {
  if (state === 'approved' && date <= db.today) requireDecider(db, 'time', employee_id)
}

async function approvable(db: Reader, request: Row<typeof overtimeRequests>): Promise<void> {
  await inServiceStill(db, request)
  await calculatedStill(db, request)
}

export const overtimeRequestOperations = [
  list(overtimeRequests, { filters, sorts: ['date'] }),
  get(overtimeRequests),
  allowed(
    'time:enter',
    post(overtimeRequests, {
      optional: ['date', 'minutes'],
      note: 'Send `date` and `minutes`, or `starts_at` and `ends_at`. An employee can have, for the same date, one request with `minutes` or several requests with times that do not overlap. Rejected and withdrawn requests do not prevent new ones.',
      async store({ db, body, problems }) {
        const one = attempt(db, overtimeRequests, null, body, problems)
        await check(db, one)
        const [id] = await insertAll(db, overtimeRequests, [one.after])
        return id as number
      },
    }),
  ),
  allowed(
    'time:enter',
    put(overtimeRequests, {
      note: 'Omitted fields keep their values. After the decision or withdrawal, only the comment can change.',
      conflicts: 'The request has been decided or withdrawn: only the comment can change',
      async store({ db, body, problems }, before) {
        const one = attempt(db, overtimeRequests, before, body, problems)
        if (ASKED.some((name) => one.after[name] !== before[name])) {
          await check(db, one)
          if (before.state !== 'pending')
            throw conflict(
              `Overtime request ${before.id} is ${before.state}, so only its comment can still change. Create a new overtime request instead.`,
            )
        }
        refuse(problems)
        await storeChanges(db, overtimeRequests, [one])
      },
    }),
  ),
  ...decisionsOn(overtimeRequests, 'time:enter', { approve: approvable, withdraw: notOverYet }),
  removeAsked(overtimeRequests),
]
