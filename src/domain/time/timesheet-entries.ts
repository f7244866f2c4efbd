import Type, { type TObject } from 'typebox'
import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import { inForce } from '../../engine/dated.ts'
import type { ColumnName, Sent } from '../../engine/declaration.ts'
import { get, list, post, put, remove } from '../../engine/derive.ts'
import { choice, date, integer, longText, orNull, readOnly, reference, timestamp } from '../../engine/field.ts'
import { anyRecordOf, byOneOrMany, type Filter, from, isAnyOf, isOne, isRecord, until } from '../../engine/filter.ts'
import { allowed, operation } from '../../engine/operation.ts'
import { canBecome, conflict, type FieldProblem, invalid, refuse, wrong, wrongState } from '../../engine/problem.ts'
import {
  type Attempt,
  amend,
  attempt,
  checkAll,
  create,
  erase,
  eraseAll,
  insertAll,
  type Rule,
  rowsOf,
} from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { recordId } from '../../engine/schema.ts'
import { attemptsIn } from '../../engine/undo/guard-queries.ts'
import type { UndoGuard } from '../../engine/undo/guards.ts'
import { check } from '../../engine/validate.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { employmentsOf, whyNotEmployed } from '../organisation/staff.ts'
import type { employeePositions } from '../people/job-entries.ts'
import { mayDecide, rejecting, rejectionReason, requireDecider } from './approvals.ts'
import { bulkAnswer, bulkBody } from './bulk.ts'
import { employmentsThen } from './employment-periods.ts'
import { localZones, timesIn } from './local-time.ts'

const area = 'time'
const MOST_DELETED = 2500
export const ENTRY_TYPES = ['working', 'break'] as const
const APPROVALS = ['unsubmitted', 'pending', 'approved', 'rejected'] as const

/** Where an approval can go; what is approved stays as it is. */
const MOVES: Record<(typeof APPROVALS)[number], readonly string[]> = {
  unsubmitted: ['pending', 'approved'],
  pending: ['approved', 'rejected', 'unsubmitted'],
  rejected: ['pending', 'unsubmitted'],
  approved: [],
}

export const timesheetEntries = resource(
  {
    table: 'timesheet_entries',
    one: 'timesheet entry',
    area,
    path: '/time/timesheet_entries',
    about: [{ column: 'employee_id' }],
  },
  {
    employee_id: reference('employees', { required: true, fate: 'figure' }),
    starts_at: timestamp({
      required: true,
      note: 'Start time of the work or break: Unix seconds or ISO 8601',
      example: '2030-01-02T08:00:00.000Z',
    }),
    ends_at: timestamp({
      required: true,
      note: 'End time of the work or break: Unix seconds or ISO 8601. A night shift may end on the next day, at most 24 hours after `starts_at`',
      example: '2030-01-02T12:00:00.000Z',
    }),
    date: readOnly(date({ required: true, note: 'Day of `starts_at` in the time zone of the employee' })),
    minutes: readOnly(integer({ required: true })),
    minutes_after_midnight: {
      ...readOnly(
        integer({
          note: 'Part of `minutes` after midnight in the time zone of the employee: timesheets count it on the next day',
        }),
      ),
      output: Type.Integer(),
      show: (minutes) => minutes ?? 0,
    },
    type: choice(ENTRY_TYPES, { default: 'working' }),
    project_id: reference('projects'),
    comment: longText(),
    status: choice(APPROVALS, { default: 'unsubmitted' }),
    rejection_reason: rejectionReason(),
  },
)

type EntryAttempt = Attempt<typeof timesheetEntries>
type WorkedTime = { id: number | null; employee_id: number; starts_at: string; ends_at: string }

/** Of another person or at another time: an entry that stays where it is keeps its day, wherever the person is by now. */
const isMoved = (before: WorkedTime, after: WorkedTime) =>
  before.employee_id !== after.employee_id || before.starts_at !== after.starts_at || before.ends_at !== after.ends_at

/** Checks entries in their order: not too long, in the person's service, and never two at once. */
async function checkTimes(db: Reader, entries: EntryAttempt[]): Promise<void> {
  const timed = entries.filter(
    ({ before, after }) => after.employee_id && after.starts_at && after.ends_at && (!before || isMoved(before, after)),
  )
  if (timed.length === 0) return
  const people = [...new Set(timed.map(({ after }) => after.employee_id))]
  const first = timed.map(({ after }) => after.starts_at).reduce((one, other) => (one < other ? one : other))
  const last = timed.map(({ after }) => after.ends_at).reduce((one, other) => (one > other ? one : other))
  const zoneOf = await localZones(db, people, first, last)
  const services = await employmentsOf(db, people)
  // What lay outside of it already when it was changed may lie there again when that is undone.
  const undone = timed[0]?.undone
  const then = undone && (await employmentsThen(db, people, undone))
  const stays = await staysBetween(db, people, first, last)
  for (const { after, changes, fail } of timed) {
    if (after.ends_at <= after.starts_at) {
      fail('ends_at', 'too_early', 'must be after starts_at')
      continue
    }
    const zone = zoneOf(after.employee_id, after.starts_at)
    const times = timesIn(zone, after.starts_at, after.ends_at)
    if (!times) {
      fail(
        'ends_at',
        'too_late',
        `must be on the same day as starts_at in ${zone}, or on the next day and at most 24 hours later`,
      )
      continue
    }
    const day = times.date
    const outside = whyNotEmployed(services.get(after.employee_id), day)
    if (outside && !(then && whyNotEmployed(then.get(after.employee_id), day))) {
      fail('starts_at', outside.code, outside.message)
      continue
    }
    const mine = stays.get(after.employee_id) ?? []
    const other = mine.find(
      (stay) => stay.id !== (after.id ?? null) && stay.starts_at < after.ends_at && stay.ends_at > after.starts_at,
    )
    if (other) {
      fail('starts_at', 'overlap', `overlaps with another entry from ${other.starts_at} to ${other.ends_at}`)
      continue
    }
    Object.assign(changes, times)
    Object.assign(after, times)
    stays.set(after.employee_id, [
      ...mine,
      {
        id: after.id ?? -mine.length - 1,
        employee_id: after.employee_id,
        starts_at: after.starts_at,
        ends_at: after.ends_at,
      },
    ])
  }
}

/** What these people have entered around these times: a day is the longest that an entry can be. */
async function staysBetween(
  db: Reader,
  people: number[],
  first: string,
  last: string,
): Promise<Map<number, WorkedTime[]>> {
  const dayBefore = new Date(Date.parse(first) - 26 * 3_600_000).toISOString()
  const rows = await db
    .from('timesheet_entries')
    .select(['id', 'employee_id', 'starts_at', 'ends_at'])
    .where('employee_id', 'in', people)
    .where('starts_at', '>', dayBefore)
    .where('starts_at', '<', last)
    .execute()
  return Map.groupBy(rows as WorkedTime[], (row) => row.employee_id)
}

/** Never two at once, also when changes are undone; and what was approved since stays as it is. */
export const entriesHold: UndoGuard = {
  tables: [timesheetEntries.table],
  async check(db, changes, undone) {
    const attempts = await attemptsIn(db, timesheetEntries, changes, undone)
    const settled = attempts.find(
      ({ before, after }) => before?.status === 'approved' && after.status === before.status,
    )
    if (settled)
      throw conflict(
        `This cannot be undone: timesheet entry ${settled.after.id} is approved and cannot be changed. Undo the change that approved it first.`,
      )
    if (changes.some(({ action, before }) => action === 'delete' && before?.status === 'approved'))
      throw conflict('An approved timesheet entry cannot be deleted. Undo the change that approved it first.')
    await checkTimes(db, attempts)
    refuse(attempts[0]?.problems ?? [])
  },
}

const timesAreSound: Rule<typeof timesheetEntries> = (entry) => checkTimes(entry.db, [entry])

/** Enters times, all of them or none; what is wrong is added to the problems. */
export async function enter(
  db: Writer,
  entries: readonly Sent<typeof timesheetEntries>[],
  problems: FieldProblem[],
): Promise<number[]> {
  const attempts = entries.map((one) => attempt(db, timesheetEntries, null, one, problems))
  await checkAll(db, timesheetEntries, attempts)
  if (problems.length === 0) await checkTimes(db, attempts)
  if (problems.length > 0) return []
  return insertAll(
    db,
    timesheetEntries,
    attempts.map(({ after }) => after),
  )
}

/** Entries of those whose position in force today names one of the records. */
const byPosition = (column: ColumnName<typeof employeePositions>) =>
  byOneOrMany(
    column,
    [`employee_positions.${column}`, 'timesheet_entries.employee_id'],
    (query, ids, db) =>
      query.where(
        'timesheet_entries.employee_id',
        'in',
        inForce(db.from('employee_positions'), 'employee_positions', db.today)
          .select('employee_id')
          .where(column, 'in', ids),
      ),
    { permission: 'employees:read' },
  )

const byTeam = byOneOrMany(
  'team_id',
  ['team_members.team_id', 'timesheet_entries.employee_id'],
  (query, ids, db) =>
    query.where(
      'timesheet_entries.employee_id',
      'in',
      db.from('team_members').select('user_id').where('team_id', 'in', ids),
    ),
  { permission: 'teams:read' },
)

const filters: Record<string, Filter> = {
  starts_on: from(timesheetEntries, 'date'),
  ends_on: until(timesheetEntries, 'date'),
  employee_id: isRecord(timesheetEntries, 'employee_id'),
  employee_ids: anyRecordOf(timesheetEntries, 'employee_id'),
  project_id: isRecord(timesheetEntries, 'project_id'),
  project_ids: anyRecordOf(timesheetEntries, 'project_id'),
  ...byPosition('position_id'),
  ...byPosition('department_id'),
  ...byPosition('location_id'),
  ...byPosition('division_id'),
  ...byTeam,
  type: isOne(timesheetEntries, 'type'),
  status: isAnyOf(timesheetEntries, 'status'),
}

const oneOf = (values: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...values] })
const instant = Type.String({ format: 'date-time' })
const bulkEntry = Type.Object({
  employee_id: recordId('employees'),
  starts_at: instant,
  ends_at: instant,
  project_id: Type.Optional(orNull(recordId('projects'))),
  type: Type.Optional(oneOf(ENTRY_TYPES)),
  comment: Type.Optional(Type.String({ format: 'text', maxLength: 65_535 })),
}) as TObject

const BULK = bulkAnswer(
  {
    timesheet_entry_id: Type.Integer(),
    employee_id: Type.Integer(),
    project_id: Type.Unsafe({ type: ['integer', 'null'] }),
  },
  {
    employee_id: Type.Unsafe({}),
    starts_at: Type.Unsafe({}),
    ends_at: Type.Unsafe({}),
    project_id: Type.Unsafe({}),
  },
)

/** What somebody has entered is approved or rejected by others. */
const decidedByOthers: Rule<typeof timesheetEntries> = ({ db, before, changes, after, fail }) => {
  const { status } = changes
  if (status !== 'approved' && status !== 'rejected') return
  if (status === before?.status || mayDecide(db, area, after.employee_id)) return
  fail(
    'status',
    'not_allowed',
    `can be set to ${status} only by somebody who may approve this entry; nobody can approve their own entries`,
  )
}

const MOST_MOVED = 500

/** Moves entries on together, all of them or none: a week is handed in, and decided about, as one. */
const moving = (
  verb: 'submit' | 'approve' | 'reject',
  permission: string,
  status: (typeof APPROVALS)[number],
  froms: readonly (typeof APPROVALS)[number][],
) =>
  operation(
    {
      id: `${verb}TimesheetEntries`,
      method: 'POST',
      path: `/time/timesheet_entries/${verb}`,
      summary: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} timesheet entries`,
      note: `The entries become \`${status}\`. If one of them cannot, none is changed.`,
      area,
      permission,
      body: Type.Object(
        {
          timesheet_entry_ids: Type.Array(recordId('timesheet_entries'), {
            minItems: 1,
            maxItems: MOST_MOVED,
            examples: [[1]],
          }),
          ...(verb === 'reject' ? rejecting : {}),
        },
        { title: `${verb.charAt(0).toUpperCase()}${verb.slice(1)}TimesheetEntries` },
      ),
      answer: Type.Object({ count: Type.Integer({ description: 'Number of entries changed' }) }) as TObject,
      conflicts: `Only an entry that is ${froms.join(' or ')} can become ${status}`,
    },
    async ({ db, body: { timesheet_entry_ids, reason } }) => {
      const ids = [...new Set(timesheet_entry_ids)]
      const all = await rowsOf(timesheetEntries, db.from('timesheet_entries').where('id', 'in', ids).orderBy('id'))
      // Those of people whom the caller does not reach are as unknown as those that are not there.
      const rows = all.filter(
        ({ employee_id }) => employee_id === db.caller.personId || holdsFor(db, permission, 'employees', employee_id),
      )
      const found = new Set(rows.map(({ id }) => id))
      const missing = ids.filter((id) => !found.has(id))
      if (missing.length > 0)
        throw invalid(
          wrong(
            'timesheet_entry_ids',
            'not_found',
            `contains ids of timesheet entries that do not exist: ${missing.join(', ')}`,
          ),
        )
      if (verb !== 'submit') for (const { employee_id } of rows) requireDecider(db, area, employee_id)
      const stuck = rows.find((row) => !froms.includes(row.status))
      if (stuck) throw wrongState({ one: timesheetEntries.one, id: stuck.id, state: stuck.status }, status, froms)
      const rejection_reason = (reason as string | null | undefined) || null
      for (const row of rows) await amend(db, timesheetEntries, row, { status, rejection_reason })
      return { body: { count: rows.length } }
    },
  )

export const timesheetEntryOperations = [
  list(timesheetEntries, { comesWhole: true, filters }),
  get(timesheetEntries),
  allowed(
    'time:enter',
    post(timesheetEntries, {
      store: ({ db, body, problems }) =>
        create(db, timesheetEntries, body, { rules: [timesAreSound, decidedByOthers], problems }),
    }),
  ),
  allowed(
    'time:enter',
    put(timesheetEntries, {
      async store({ db, body, problems }, before) {
        if (before.status === 'approved')
          throw conflict(
            `Timesheet entry ${before.id} is approved and cannot be changed. Undo the change that approved it first.`,
          )
        const to = body.status
        if (to && to !== before.status && !MOVES[before.status].includes(to))
          throw conflict(
            `Timesheet entry ${before.id} is ${before.status} and cannot become ${to}. ${canBecome(MOVES[before.status])}`,
          )
        // Why it was rejected is of no interest once it is handed in again.
        const gone = to && to !== 'rejected' ? { rejection_reason: null } : {}
        await amend(
          db,
          timesheetEntries,
          before,
          { ...body, ...gone },
          { rules: [timesAreSound, decidedByOthers], problems },
        )
      },
    }),
  ),
  allowed(
    'time:enter',
    remove(timesheetEntries, {
      conflicts: 'The entry is approved. Undo the approval first (`POST /requests/{request_id}/undo`)',
      async store({ db }, before) {
        if (before.status === 'approved')
          throw conflict(
            `Timesheet entry ${before.id} is approved and cannot be deleted. Undo the change that approved it first.`,
          )
        await erase(db, timesheetEntries, before)
      },
    }),
  ),
  moving('submit', 'time:enter', 'pending', ['unsubmitted', 'rejected']),
  moving('approve', 'time:approve', 'approved', ['pending']),
  moving('reject', 'time:approve', 'rejected', ['pending']),
  operation(
    {
      id: 'bulkCreateTimesheetEntries',
      method: 'POST',
      path: '/time/timesheet_entries/bulk',
      summary: 'Create many timesheet entries',
      note: 'For at most 50 employees with 50 entries each. Each entry succeeds or fails on its own.',
      area,
      permission: 'time:enter',
      body: Type.Object(
        {
          data: Type.Array(
            Type.Object({
              employee_id: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
              entries: Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object' }), { maxItems: 50 }),
            }),
            {
              maxItems: 50,
              examples: [[{ employee_id: 1, entries: [{ starts_at: 1893571200, ends_at: 1893585600 }] }]],
            },
          ),
        },
        { title: 'BulkCreateTimesheetEntries' },
      ),
      answer: BULK,
    },
    async ({ db, body }) => {
      const items = body.data.flatMap(({ employee_id, entries }) =>
        entries.map((sent) => ({ sent, employee_id, ...check(bulkEntry, { ...sent, employee_id }) })),
      )
      const attempts = items.map(({ values, problems }) => attempt(db, timesheetEntries, null, values, problems))
      await checkAll(db, timesheetEntries, attempts, [decidedByOthers])
      await checkTimes(
        db,
        attempts.filter(({ problems }) => problems.length === 0),
      )
      const sound = attempts.filter(({ problems }) => problems.length === 0)
      const ids = await insertAll(
        db,
        timesheetEntries,
        sound.map(({ after }) => after),
      )
      const data = sound.map(({ after }, index) => ({
        timesheet_entry_id: ids[index],
        employee_id: after.employee_id,
        project_id: after.project_id,
      }))
      const errors = items.flatMap(({ sent, employee_id, problems }) =>
        problems.length
          ? [
              {
                employee_id,
                starts_at: sent.starts_at ?? null,
                ends_at: sent.ends_at ?? null,
                project_id: sent.project_id ?? null,
                messages: problems.map(({ message }) => message),
              },
            ]
          : [],
      )
      return { body: bulkBody(data, errors) }
    },
  ),
  operation(
    {
      id: 'bulkDeleteTimesheetEntries',
      method: 'DELETE',
      path: '/time/timesheet_entries/bulk',
      summary: 'Delete many timesheet entries',
      note: `Deletes the entries of these employees that match everything you send: the start time (\`starts_at\`, \`ends_at\`), the IDs (\`timesheet_entry_ids\`) and the type. At least one of \`starts_at\`, \`ends_at\` and \`timesheet_entry_ids\` is required. Without \`type\`, only entries of the type \`working\` are deleted. Approved entries are never deleted. At most ${MOST_DELETED} at once.`,
      area,
      permission: 'time:enter',
      body: Type.Object(
        {
          employee_ids: Type.Array(recordId('employees'), {
            minItems: 1,
            maxItems: 500,
          }),
          starts_at: Type.Optional(Type.String({ format: 'date-time', examples: ['2030-01-01T00:00:00Z'] })),
          ends_at: Type.Optional(Type.String({ format: 'date-time', examples: ['2030-02-01T00:00:00Z'] })),
          timesheet_entry_ids: Type.Optional(
            Type.Array(recordId('timesheet_entries'), { minItems: 1, maxItems: MOST_DELETED }),
          ),
          type: Type.Optional({ ...oneOf(ENTRY_TYPES), default: 'working' }),
        },
        { title: 'BulkDeleteTimesheetEntries' },
      ),
      status: 200,
      answer: Type.Object({ count: Type.Integer({ description: 'Number of entries deleted' }) }) as TObject,
    },
    async ({ db, body }) => {
      if (!body.starts_at && !body.ends_at && !body.timesheet_entry_ids)
        throw invalid(wrong('timesheet_entry_ids', 'required', 'is required, unless starts_at or ends_at is sent'))
      let query = db.from('timesheet_entries').where('employee_id', 'in', body.employee_ids)
      query = query.where('status', '!=', 'approved').where('type', '=', body.type ?? 'working')
      if (body.starts_at) query = query.where('starts_at', '>=', body.starts_at)
      if (body.ends_at) query = query.where('starts_at', '<=', body.ends_at)
      if (body.timesheet_entry_ids) query = query.where('id', 'in', body.timesheet_entry_ids)
      const rows = await rowsOf(timesheetEntries, query.limit(MOST_DELETED))
      await eraseAll(db, timesheetEntries, rows)
      return { body: { count: rows.length } }
    },
  ),
]
