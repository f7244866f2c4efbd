import { queryAllAccounts } from '../../database/query-all-accounts.ts'
import { withoutHeldBack } from '../../engine/access-scope/held-back.ts'
import { FOREVER } from '../../engine/dated.ts'
import { daysAfter, daysFrom } from '../../engine/day.ts'
import { formatDecimal } from '../../engine/decimal.ts'
import type { Made, Row } from '../../engine/declaration.ts'
import { FIRST_DAY } from '../../engine/format.ts'
import { byId } from '../../engine/join.ts'
import { attempt, eraseAll, insertAll, rowsOf, storeChanges } from '../../engine/records.ts'
import { chunks } from '../../records/chunks.ts'
import { alters, type Consequence } from '../../records/consequences.ts'
import type { Change, Columns } from '../../records/entries.ts'
import type { Ledger } from '../../records/ledger.ts'
import type { Query, Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { employmentsOf } from '../organisation/staff.ts'
import { writeInAccounts } from '../organisation/system-writes.ts'
import { employmentsReplaced } from '../people/former-employments.ts'
import { OPEN } from '../time/approvals.ts'
import { Schedule } from '../time/schedule.ts'
import { lineKey, linesOf } from './balances.ts'
import type { LeaveTimeline, LeaveUnit, Period } from './entitlement.ts'
import { DayTotal, leaveDayOn, minutesOf } from './leave-days.ts'
import { leaveEntries, leaveRequests } from './leave-requests.ts'

/**
 * Days of leave follow what they were counted by. When a holiday, a pattern, a place, a policy or an assignment
 * changes, the days to come of open requests are counted anew; days gone by keep their figures. When the first or the
 * last day of service moves, the days between the old and the new one are, gone by or not.
 */

/** People, and the days on which their leave may need a recount. */
type RecountScope = Period & { people: Query | number[] }

const idsOf = (changes: readonly Change[]) => [...new Set(changes.map(({ record_id }) => record_id))]

/** What a column of changed records held before and holds now. */
async function valuesOf<T>(db: Reader, table: string, column: string, changes: readonly Change[]): Promise<T[]> {
  const told = changes.flatMap(({ before, after }) => [before?.[column], after?.[column]])
  // Of what was changed, the ledger tells only what is other now.
  const changed = idsOf(changes.filter(({ action }) => action === 'update'))
  const query = db.from(table).select(`${column} as value`)
  const rows = changed.length ? await query.where('id', 'in', changed).execute() : []
  const all = [...told, ...rows.map((row) => row.value)]
  return [...new Set(all.filter((value) => value !== undefined && value !== null))] as T[]
}

const least = (days: readonly string[]) => days.reduce((one, other) => (one < other ? one : other))
const most = (days: readonly string[]) => days.reduce((one, other) => (one > other ? one : other))

/** Whose leave a change of each table may concern, and on which days. */
const CONCERNS: Record<string, (db: Writer, changes: readonly Change[]) => Promise<RecountScope[]>> = {
  async holidays(db, changes) {
    const moved = changes.filter(({ action, after }) => action !== 'update' || !isOnlyNamed(after))
    if (moved.length === 0) return []
    // Its own days, too: one that is worked may stand in place of one that the country has.
    const ends = await Promise.all(
      ['free_from', 'free_until', 'occurs_on', 'ends_on'].map((name) => valuesOf<string>(db, 'holidays', name, moved)),
    )
    const days = ends.flat()
    const policies = await valuesOf<number>(db, 'holidays', 'holiday_policy_id', moved)
    const people = db
      .from('employee_positions as p')
      .innerJoin('locations as l', byId('l', 'p.location_id'))
      .select('p.employee_id')
      .where('l.holiday_policy_id', 'in', policies)
    return [{ people, from: most([least(days), db.today]), until: daysAfter(most(days), 1) }]
  },
  // Years to come, of which there are no records yet, follow from the country.
  async holiday_policies(db, changes) {
    const moved = idsOf(
      changes.filter((change) => change.action === 'update' && alters(change, ['country_code', 'region_code'])),
    )
    if (moved.length === 0) return []
    const at = db.from('locations').select('id').where('holiday_policy_id', 'in', moved)
    return [fromToday(db, db.from('employee_positions').select('employee_id').where('location_id', 'in', at))]
  },
  async locations(db, changes) {
    const moved = idsOf(changes.filter((change) => alters(change, ['holiday_policy_id', 'region_code'])))
    return moved.length ? [fromToday(db, named(db, 'employee_positions', 'location_id', moved))] : []
  },
  async working_patterns(db, changes) {
    const weekdays = changes.flatMap(({ after }) => Object.keys(after ?? {})).filter((name) => name.endsWith('_hours'))
    const changed = idsOf(changes.filter((change) => alters(change, [...weekdays, 'versions'])))
    return changed.length ? [fromToday(db, named(db, 'employment_statuses', 'working_pattern_id', changed))] : []
  },
  employee_positions: (db, changes) => ofOwners(db, 'employee_positions', ['location_id', ...PLANNED], changes),
  employment_statuses: (db, changes) =>
    ofOwners(db, 'employment_statuses', ['working_pattern_id', ...PLANNED], changes),
  employee_leave_types: (db, changes) => ofOwners(db, 'employee_leave_types', ['effective_on', 'ends_on'], changes),
  async leave_policy_terms(db, changes) {
    const changed = changes.filter((change) => alters(change, ['counted_as', ...DATED]))
    const policies = changed.length ? await valuesOf<number>(db, 'leave_policy_terms', 'leave_policy_id', changed) : []
    return policies.length ? [fromToday(db, named(db, 'employee_leave_types', 'leave_type_policy_id', policies))] : []
  },
  async employees(db, changes) {
    const others = employmentsReplaced(db)
    return changes.flatMap((change): RecountScope[] => {
      const { action, record_id, before, after } = change
      if (action !== 'update') return []
      const between = (column: string, open: string): RecountScope[] => {
        if (!(column in (after ?? {}))) return []
        const days = [before?.[column] ?? open, after?.[column] ?? open] as string[]
        return [{ people: [record_id], from: least(days), until: most(days) }]
      }
      return [
        // The days before another employment started stay as they were counted.
        ...(others.has(record_id) ? [] : between('hired_on', FIRST_DAY)),
        ...between('termination_effective_on', FOREVER),
        ...(alters(change, ['termination_announced_on']) ? [fromToday(db, [record_id])] : []),
      ]
    })
  },
  async former_employments(db, changes) {
    const others = employmentsReplaced(db)
    const moved = changes.filter(({ owner_id }) => owner_id !== null && !others.has(owner_id))
    return moved.flatMap(({ owner_id, before, after }): RecountScope[] => {
      const days = ['hired_on', 'termination_effective_on'].flatMap((column) => [before?.[column], after?.[column]])
      const known = days.filter((day) => typeof day === 'string')
      return known.length > 1 ? [{ people: [owner_id as number], from: least(known), until: most(known) }] : []
    })
  },
}

/** A new name makes no other day of it. */
const isOnlyNamed = (after: Columns | null) =>
  Object.keys(after ?? {}).every((column) => column === 'name' || column === 'updated_at')

const DATED = ['effective_from', 'effective_until']
const PLANNED = [...DATED, 'known_on', 'end_announced_on']

const fromToday = (db: Reader, people: Query | number[]): RecountScope => ({ people, from: db.today, until: FOREVER })

/** Those who have a record that names one of some others. */
const named = (db: Reader, table: string, column: string, ids: number[]) =>
  db.from(table).select('employee_id').where(column, 'in', ids)

async function ofOwners(
  db: Reader,
  table: string,
  columns: string[],
  changes: readonly Change[],
): Promise<RecountScope[]> {
  const altered = changes.filter((change) => alters(change, columns))
  const people = altered.length ? await valuesOf<number>(db, table, 'employee_id', altered) : []
  return people.length ? [fromToday(db, people)] : []
}

/** Those of the people concerned who have open requests then, and their days. */
async function daysByPerson(db: Reader, concerns: readonly RecountScope[]): Promise<Map<number, Period[]>> {
  const found = new Map<number, Period[]>()
  const add = (id: number, { from, until }: Period) => void found.set(id, [...(found.get(id) ?? []), { from, until }])
  const open = db.from('leave_requests').where('state', 'in', OPEN)
  for (const concern of concerns) {
    const { people, from, until } = concern
    if (Array.isArray(people) || from >= until) continue
    const then = open.where('starts_on', '<', until).where('ends_on', '>=', from).where('employee_id', 'in', people)
    for (const row of await then.select('employee_id').distinct().execute()) add(row.employee_id, concern)
  }
  // Many may be concerned one by one, each on days of their own.
  const single = concerns.flatMap((one) => (Array.isArray(one.people) ? one.people.map((id) => ({ ...one, id })) : []))
  for (const some of chunks(single, 1000)) {
    const ids = [...new Set(some.map(({ id }) => id))]
    const rows = await open.select(['employee_id', 'starts_on', 'ends_on']).where('employee_id', 'in', ids).execute()
    const requests = Map.groupBy(rows, (row) => row.employee_id as number)
    for (const { id, from, until } of some)
      if (requests.get(id)?.some((row) => row.starts_on < until && row.ends_on >= from)) add(id, { from, until })
  }
  return found
}

type LeaveRequest = Row<typeof leaveRequests>
type LeaveEntry = Row<typeof leaveEntries>

/** The leave entries that a recount creates, changes and deletes. */
type EntryChanges = {
  made: Made<typeof leaveEntries>[]
  changed: [LeaveEntry, Made<typeof leaveEntries>][]
  gone: LeaveEntry[]
}

/** Counts the open requests of some people anew on their days: in some ten statements, however many they are. */
async function recount(db: Writer, stretches: Map<number, Period[]>): Promise<void> {
  const people = [...stretches.keys()]
  const open = db.from('leave_requests').where('employee_id', 'in', people).where('state', 'in', OPEN)
  const from = least([...stretches.values()].flat().map((stretch) => stretch.from))
  const requests = await rowsOf(leaveRequests, open.where('ends_on', '>=', from))
  if (requests.length === 0) return
  const known = await knownOf(db, requests, from)
  const settled = settledIn(db)
  const outcome: EntryChanges = { made: [], changed: [], gone: [] }
  for (const [id, own] of Map.groupBy(requests, ({ employee_id }) => employee_id))
    recountPerson(
      known,
      own,
      daysIn(own, stretches.get(id) ?? []).filter((day) => !settled.has(`${id} ${day}`)),
      outcome,
    )
  await store(db, requests, outcome)
}

/**
 * Counts requests anew that did not count for a while: from the day on which they ceased to. They take what was asked for,
 * whatever others have taken since: whether that is too much is for the caller to say. Were they other than they are now?
 */
export async function recountReturned(db: Writer, requests: LeaveRequest[], since: string): Promise<boolean> {
  const due = requests.filter(({ ends_on }) => ends_on >= since)
  if (due.length === 0) return false
  const known = await knownOf(db, due, since)
  const outcome: EntryChanges = { made: [], changed: [], gone: [] }
  for (const one of due) recountPerson(known, [one], daysFrom(most([one.starts_on, since]), one.ends_on), outcome)
  await store(db, due, outcome)
  return Object.values(outcome).some(({ length }) => length > 0)
}

/** What requests are counted by, from a day on. */
async function knownOf(db: Reader, requests: LeaveRequest[], from: string): Promise<RecountData> {
  const people = [...new Set(requests.map(({ employee_id }) => employee_id))]
  const last = most(requests.map(({ ends_on }) => ends_on))
  const entries = await rowsOf(
    leaveEntries,
    db.from('leave_entries').where('employee_id', 'in', people).where('date', '>=', from).where('date', '<=', last),
  )
  const types = await db.from('leave_types').select(['id', 'unit']).execute()
  // Leave is counted by what is known to whom it belongs to: a plan that is not announced must not show in its days.
  const announced = withoutHeldBack(db)
  return {
    services: await employmentsOf(announced, people),
    lines: await linesOf(announced, people),
    schedule: await Schedule.load(announced, people, from, last),
    unitOf: new Map(types.map(({ id, unit }) => [id, unit])),
    entryOf: new Map(entries.map((entry) => [entryKey(entry.leave_request_id, entry.date), entry])),
  }
}

type RecountData = {
  services: Awaited<ReturnType<typeof employmentsOf>>
  lines: Map<string, LeaveTimeline>
  schedule: Schedule
  unitOf: Map<number, LeaveUnit>
  entryOf: Map<string, LeaveEntry>
}

/** Days gone by whose figures this very write has put back: they stay as they were counted then. */
const settledIn = (db: Writer): ReadonlySet<string> =>
  new Set(
    db.changes().flatMap(({ resource, before, after }) => {
      const { employee_id, date } = { ...before, ...after } as Partial<LeaveEntry>
      return resource === 'leave_entries' && date && date < db.today ? [`${employee_id} ${date}`] : []
    }),
  )

const entryKey = (requestId: number, day: string) => `${requestId} ${day}`

/** The days of requests that lie in one of the stretches. */
function daysIn(requests: LeaveRequest[], stretches: Period[]): string[] {
  const days = requests.flatMap(({ starts_on, ends_on }) =>
    stretches.flatMap(({ from, until }) => daysFrom(most([starts_on, from]), least([ends_on, daysAfter(until, -1)]))),
  )
  return [...new Set(days)]
}

/** Day by day, the requests in the order in which they were made: who came first takes first. */
function recountPerson(known: RecountData, requests: LeaveRequest[], days: string[], outcome: EntryChanges): void {
  for (const day of days) {
    const share = new DayTotal()
    for (const request of requests.filter(({ starts_on, ends_on }) => starts_on <= day && day <= ends_on)) {
      const entry = known.entryOf.get(entryKey(request.id, day))
      const wanted = wantedOn(known, request, day, share)
      if (!wanted) {
        if (entry) outcome.gone.push(entry)
        continue
      }
      share.take(known.unitOf.get(request.leave_type_id) ?? 'days', wanted.amount ?? 0)
      if (!entry) outcome.made.push(wanted)
      else if (isOther(entry, wanted)) outcome.changed.push([entry, wanted])
    }
  }
}

const isOther = (entry: LeaveEntry, wanted: Made<typeof leaveEntries>) =>
  entry.amount !== wanted.amount ||
  entry.minutes !== wanted.minutes ||
  entry.leave_type_policy_id !== wanted.leave_type_policy_id

/** What a request takes from a day: what was asked for, as far as the day and what others take from it allow. */
function wantedOn(
  { lines, services, schedule, unitOf }: RecountData,
  request: LeaveRequest,
  day: string,
  share: DayTotal,
): Made<typeof leaveEntries> | undefined {
  const line = lines.get(lineKey(request))
  const person = services.get(request.employee_id)
  const unit = unitOf.get(request.leave_type_id) ?? 'days'
  const possible = line && person && leaveDayOn(line, unit, schedule, person, day)
  if (!possible) return undefined
  const { whole, policyId } = possible
  const amount = Math.min(request.asked?.[day] ?? whole, whole, share.left(unit, possible))
  if (amount <= 0) return undefined
  return {
    leave_request_id: request.id,
    employee_id: request.employee_id,
    leave_type_policy_id: policyId,
    date: day,
    amount,
    minutes: minutesOf(unit, possible, amount),
  }
}

async function store(db: Writer, requests: LeaveRequest[], { made, changed, gone }: EntryChanges): Promise<void> {
  const more = new Map<number, number>()
  const add = (id: number, amount: number) => void more.set(id, (more.get(id) ?? 0) + amount)
  for (const { leave_request_id: id = 0, amount = 0 } of made) add(id, amount)
  for (const [entry, { amount = 0 }] of changed) add(entry.leave_request_id, amount - entry.amount)
  for (const entry of gone) add(entry.leave_request_id, -entry.amount)
  await eraseAll(db, leaveEntries, gone)
  await storeChanges(
    db,
    leaveEntries,
    changed.map(([entry, wanted]) =>
      attempt(db, leaveEntries, entry, { ...wanted, amount: formatDecimal(wanted.amount ?? 0) }),
    ),
  )
  await insertAll(db, leaveEntries, made)
  await storeChanges(
    db,
    leaveRequests,
    requests
      .filter(({ id }) => more.has(id))
      .map((row) =>
        attempt(db, leaveRequests, row, { amount: formatDecimal(row.amount + (more.get(row.id) as number)) }),
      ),
  )
  await db.touch('leave_requests', [...more.keys()])
}

export const recountLeave: Consequence = {
  of: Object.keys(CONCERNS),
  async follow(db, changes) {
    const concerns: RecountScope[] = []
    for (const [table, own] of Map.groupBy(changes, ({ resource }) => resource))
      concerns.push(...((await CONCERNS[table]?.(db, own)) ?? []))
    await recountAll(db, concerns)
  },
}

async function recountAll(db: Writer, concerns: readonly RecountScope[]): Promise<void> {
  const all = [...(await daysByPerson(db, concerns))]
  for (const some of chunks(all, 500)) await recount(db, new Map(some))
}

/** The days by which plans become known, by table. */
const KNOWN_BY: Record<string, { person: string; days: string[] }> = {
  employee_positions: { person: 'employee_id', days: ['effective_from', 'known_on'] },
  employment_statuses: { person: 'employee_id', days: ['effective_from', 'known_on'] },
  employees: { person: 'id', days: ['termination_effective_on', 'termination_announced_on'] },
}

/** So many days a service may have stood still. */
const LOOK_BACK = 14

/** Counts leave anew by the plans that have become known: on their day, or on the one on which they are announced. */
export async function recountAnnounced(ledger: Ledger): Promise<void> {
  const yesterday = daysAfter(ledger.clock().toISOString().slice(0, 10), -1)
  const { rows } = await queryAllAccounts(ledger.database, (sql, accounts) =>
    sql
      .selectFrom('leave_requests')
      .select('account_id')
      .distinct()
      .where('state', 'in', OPEN)
      .where('ends_on', '>=', yesterday)
      .$if(accounts !== null, (query) => query.where('account_id', 'in', accounts))
      .execute(),
  )
  await writeInAccounts(ledger, new Set(rows.map((row) => row.account_id)), 'recountAnnouncedLeave', async (db) => {
    const concerns: RecountScope[] = []
    for (const [table, { person, days }] of Object.entries(KNOWN_BY))
      for (const day of days) {
        const since = db.from(table).where(day, '>', daysAfter(db.today, -LOOK_BACK)).where(day, '<=', db.today)
        concerns.push(fromToday(db, since.select(`${person} as employee_id`)))
      }
    await recountAll(db, concerns)
  })
}
