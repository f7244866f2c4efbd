import { withoutHeldBack } from '../../engine/access-scope/held-back.ts'
import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import { ALWAYS, FOREVER } from '../../engine/dated.ts'
import { daysAfter, monthsAfter } from '../../engine/day.ts'
import { FIRST_DAY } from '../../engine/format.ts'
import { byId } from '../../engine/join.ts'
import { rowsOf } from '../../engine/records.ts'
import type { Reader } from '../../records/reader.ts'
import { PLANNED } from '../access/permissions.ts'
import { type Employment, type EmploymentPeriod, employmentsOf } from '../organisation/staff.ts'
import { OPEN } from '../time/approvals.ts'
import { approvedWorkOf } from '../time/approved-work.ts'
import { type WorkingWeek, workingWeeksOf } from '../time/working-weeks.ts'
import {
  allAssignments,
  earlier,
  type LeaveTimeline,
  type LeaveUnit,
  later,
  type Overtime,
  type Period,
  type PolicyAssignment,
  type PolicyTerms,
  type WorkedDay,
} from './entitlement.ts'
import { leavePolicyTerms } from './leave-policies.ts'
import { type BalanceChanges, onDemandWithin, sumUntil } from './on-demand.ts'
import { type BalanceChange, balancesOn, figuresOn, type YearFigures } from './postings.ts'

/** Lines of leave and their balances, from what is stored. */

/** What stands for a line: a person and a type of leave. */
export const lineKey = (row: { employee_id: number; leave_type_id: number }) =>
  `${row.employee_id} ${row.leave_type_id}`

type LeaveTypeAssignment = {
  id: number
  employee_id: number
  leave_type_id: number
  leave_type_policy_id: number
  effective_on: string
  ends_on: string | null
  type: string
  unit: LeaveUnit
}

/**
 * All lines of these people, by `lineKey`: three statements for all of them, one more each where a policy depends on the working pattern,
 * overtime or age, and three more for hours worked.
 * `otherTerms` take the place of the stored terms of some policies.
 */
export async function linesOf(
  db: Reader,
  employeeIds: readonly number[],
  otherTerms: ReadonlyMap<number, PolicyTerms[]> = new Map(),
): Promise<Map<string, LeaveTimeline>> {
  const people = [...new Set(employeeIds)]
  if (people.length === 0) return new Map()
  const rows = (await db
    .from('employee_leave_types as a')
    .innerJoin('leave_policies as p', byId('p', 'a.leave_type_policy_id'))
    .select(['a.id', 'a.employee_id', 'a.leave_type_id', 'a.leave_type_policy_id', 'a.effective_on', 'a.ends_on'])
    .innerJoin('leave_types as t', byId('t', 'a.leave_type_id'))
    .select(['p.type', 't.unit'])
    .where('a.employee_id', 'in', people)
    .orderBy('a.effective_on')
    .execute()) as LeaveTypeAssignment[]
  const stored = await termsByPolicy(db, [...new Set(rows.map((row) => row.leave_type_policy_id))])
  const termsOf = new Map([...stored, ...otherTerms])
  const services = await employmentsOf(db, people)
  const assigned = [...Map.groupBy(rows, lineKey)].map(([key, own]) => ({
    key,
    id: own[0]?.employee_id ?? 0,
    assignments: own.map((row, index) => assignmentOf(row, own[index + 1], termsOf)),
  }))
  const terms = [...termsOf.values()].flat()
  const isPartTime = terms.some(({ part_time }) => part_time !== 'same')
  const weeks = isPartTime ? await knownWeeksOf(db, people) : new Map<number, WorkingWeek[]>()
  const creditsOvertime = terms.some(({ overtime_factor }) => overtime_factor !== null)
  const overtime = creditsOvertime ? await overtimeOf(db, people) : new Map<number, Overtime[]>()
  const hasAgeSteps = terms.some(({ age_steps }) => age_steps.length > 0)
  const births = hasAgeSteps ? await birthsOf(db, people) : new Map<number, string | null>()
  const worked = await workedByPerson(db, services, assigned)
  const lines = assigned.map(({ key, id, assignments }): [string, LeaveTimeline] => [
    key,
    timelineOf(services.get(id), assignments, {
      ...{ weeks: weeks.get(id) ?? [], overtime: overtime.get(id) ?? [], worked: worked.get(id) ?? [] },
      bornOn: births.get(id) ?? null,
    }),
  ])
  return new Map(lines)
}

/** Dates of birth, also for callers who cannot see them: a balance must be the same for everybody. */
async function birthsOf(db: Reader, employeeIds: readonly number[]): Promise<Map<number, string | null>> {
  const rows = await withoutHeldBack(db)
    .from('employees')
    .select(['id', 'date_of_birth'])
    .where('id', 'in', [...employeeIds])
    .execute()
  return new Map(rows.map((row) => [row.id, row.date_of_birth]))
}

/** Approved working time, in the months in which terms give leave for it. */
async function workedByPerson(
  db: Reader,
  services: ReadonlyMap<number, EmploymentPeriod>,
  lines: readonly { readonly id: number; readonly assignments: readonly PolicyAssignment[] }[],
): Promise<Map<number, WorkedDay[]>> {
  const found = lines.flatMap(({ id, assignments }) =>
    assignments.flatMap(monthsByHours).map((one) => ({ id, ...one })),
  )
  if (found.length === 0) return new Map()
  const people = new Map(
    found.flatMap(({ id }) => {
      const person = services.get(id)
      return person ? [[id, person] as const] : []
    }),
  )
  const until = later(...found.map((one) => one.until))
  return approvedWorkOf(db, people, earlier(...found.map(({ from }) => from)), daysAfter(until, -1))
}

/** The months in which an assignment may give leave for hours worked: the terms of the first day decide about a month. */
const monthsByHours = ({ type, terms, ...assignment }: PolicyAssignment): Period[] =>
  terms
    .filter(({ credit }) => type === 'accrual' && credit === 'hours_worked')
    .map(({ from, until }) => ({
      from: firstOfMonth(later(from, firstOfMonth(assignment.from))),
      until: earlier(until, assignment.until),
    }))
    .filter(({ from, until }) => from < until)
    .map(({ from, until }) => ({
      from,
      until: until === FOREVER ? FOREVER : monthsAfter(firstOfMonth(daysAfter(until, -1)), 1),
    }))

const firstOfMonth = (day: string) => `${day.slice(0, 7)}-01`

/** One timeline for each employment, linked: an assignment belongs to the employment that its days are in. */
function timelineOf(
  person: EmploymentPeriod | undefined,
  assignments: readonly PolicyAssignment[],
  known: Pick<LeaveTimeline, 'weeks' | 'overtime' | 'worked' | 'bornOn'>,
): LeaveTimeline {
  const current: Employment = person ?? { hired_on: null, termination_effective_on: null }
  const employments = [...(person?.former ?? []), current]
  let former: LeaveTimeline | undefined
  for (const [index, { hired_on, termination_effective_on, tenure_since }] of employments.entries()) {
    const first = index === 0 ? ALWAYS : (hired_on ?? ALWAYS)
    const end = employments[index + 1]?.hired_on ?? FOREVER
    former = {
      assignments: assignments
        .map((one) => ({ ...one, from: later(one.from, first), until: earlier(one.until, end) }))
        .filter(({ from, until }) => from < until),
      service: { from: hired_on ?? FIRST_DAY, until: termination_effective_on ?? FOREVER },
      hiredOn: tenure_since ?? hired_on,
      ...known,
      former,
    }
  }
  return former as LeaveTimeline
}

/** Approved overtime of these people, in order, with its factors. */
async function overtimeOf(db: Reader, employeeIds: readonly number[]): Promise<Map<number, Overtime[]>> {
  const rows = await db
    .from('overtime_requests')
    .select((eb) => ['id', 'employee_id', 'date as day', eb.fn.coalesce('credited_minutes', 'minutes').as('minutes')])
    .where('employee_id', 'in', [...employeeIds])
    .where('state', '=', 'approved')
    .orderBy('date')
    .orderBy('id')
    .execute()
  return Map.groupBy(rows as (Overtime & { employee_id: number })[], (row) => row.employee_id)
}

/** A working pattern that is planned and not announced counts for those who may see plans, as a planned termination does. */
async function knownWeeksOf(db: Reader, people: readonly number[]): Promise<Map<number, WorkingWeek[]>> {
  const open = people.filter((id) => holdsFor(db, 'employees:read', 'employees', id, PLANNED))
  const others = people.filter((id) => !open.includes(id))
  const weeks = open.length > 0 ? await workingWeeksOf(db, open) : new Map<number, WorkingWeek[]>()
  if (others.length === 0) return weeks
  return new Map([...weeks, ...(await workingWeeksOf(withoutHeldBack(db), others))])
}

/** An assignment ends when it is said to, and at the latest when the next one begins. */
function assignmentOf(
  row: LeaveTypeAssignment,
  next: LeaveTypeAssignment | undefined,
  termsOf: Map<number, PolicyTerms[]>,
): PolicyAssignment {
  const until = row.ends_on === null ? FOREVER : daysAfter(row.ends_on, 1)
  return {
    id: row.id,
    policyId: row.leave_type_policy_id,
    type: row.type,
    unit: row.unit,
    from: row.effective_on,
    until: next && next.effective_on < until ? next.effective_on : until,
    terms: termsOf.get(row.leave_type_policy_id) ?? [],
  }
}

export async function termsByPolicy(db: Reader, policyIds: number[]): Promise<Map<number, PolicyTerms[]>> {
  if (policyIds.length === 0) return new Map()
  const all = db.from('leave_policy_terms').where('leave_policy_id', 'in', policyIds)
  const rows = await rowsOf(leavePolicyTerms, all, ['effective_from'])
  const terms = rows.map((row) => ({ ...row, from: row.effective_from, until: row.effective_until, conditions: row }))
  return Map.groupBy(terms, (row) => row.leave_policy_id)
}

export const STILL: BalanceChanges = { balance: [], onDemand: [] }

/**
 * What adds to and takes from lines. An adjustment is one of the balance or one of the part that may be taken on
 * demand; leave that is granted or asked for takes from the balance, and on demand from both.
 */
export async function movementsOf(db: Reader, employeeIds: readonly number[]): Promise<Map<string, BalanceChanges>> {
  const people = [...new Set(employeeIds)]
  if (people.length === 0) return new Map()
  const adjustments = await db
    .from('leave_adjustments')
    .select(['id', 'employee_id', 'leave_type_id', 'occurred_on as day', 'amount', 'on_demand'])
    .where('employee_id', 'in', people)
    .execute()
  const taken = await db
    .from('leave_entries as e')
    .innerJoin('leave_requests as r', byId('r', 'e.leave_request_id'))
    .select(['e.employee_id', 'r.leave_type_id', 'e.date as day', 'e.amount', 'r.on_demand', 'r.id', 'r.state'])
    .where('e.employee_id', 'in', people)
    .where('r.state', 'in', OPEN)
    .execute()
  const moves = [
    ...adjustments.map((row) => ({ ...row, ofBalance: !row.on_demand, source: { kind: 'adjustment', id: row.id } })),
    ...taken.map((row) => ({
      ...row,
      amount: -row.amount,
      ofBalance: true,
      source: { kind: 'leave', id: row.id, state: row.state },
    })),
  ] as (BalanceChange & { employee_id: number; leave_type_id: number; on_demand: unknown; ofBalance: boolean })[]
  const lines = [...Map.groupBy(moves, lineKey)].map(([key, own]): [string, BalanceChanges] => [
    key,
    { balance: own.filter(({ ofBalance }) => ofBalance), onDemand: own.filter(({ on_demand }) => on_demand) },
  ])
  return new Map(lines)
}

/** The day at which an assignment is looked at: the given one, or its first or last when it lies before or after. */
export const dayWithin = ({ from, until }: PolicyAssignment, day: string): string =>
  day < from ? from : day >= until ? daysAfter(until, -1) : day

/** Of each line the assignment that holds on a day, else the next to begin, else the last. */
export function heldOrNearest(line: LeaveTimeline, day: string): PolicyAssignment | undefined {
  const assignments = allAssignments(line)
  return assignments.find(({ until }) => day < until) ?? assignments.at(-1)
}

/** An assignment as it is on a day or on the nearest one: if it runs on in another employment, it has two parts. */
export function partOn(line: LeaveTimeline, id: number, day: string): PolicyAssignment | undefined {
  const parts = allAssignments(line).filter((one) => one.id === id)
  return parts.findLast(({ from }) => from <= day) ?? parts[0]
}

export const lastPart = (line: LeaveTimeline, id: number): PolicyAssignment | undefined =>
  allAssignments(line).findLast((one) => one.id === id)

type AssignmentBalance = {
  ends_on: string | null
  balance: number
  on_demand_balance: number
  this_year: YearFigures
}

/** For each assignment of these people its balances on a day, and its last day: five statements for all of them. */
export async function standingsOf(
  db: Reader,
  employeeIds: readonly number[],
  day: string,
): Promise<Map<number, AssignmentBalance>> {
  const movements = await movementsOf(db, employeeIds)
  const standings = [...(await linesOf(db, employeeIds))].flatMap(([key, line]) => {
    const { balance: ofBalance, onDemand } = movements.get(key) ?? STILL
    const ids = new Set(allAssignments(line).map(({ id }) => id))
    const assignments = [...ids].map((id) => partOn(line, id, day) as PolicyAssignment)
    const days = assignments.map((assignment) => dayWithin(assignment, day))
    const balances = balancesOn(days, line, ofBalance)
    return assignments.map((assignment, index): [number, AssignmentBalance] => {
      const [on, balance] = [days[index] as string, balances[index] as number]
      const on_demand_balance = onDemandWithin(sumUntil(on, line, onDemand), balance, assignment)
      const until = lastPart(line, assignment.id)?.until ?? FOREVER
      const ends_on = until === FOREVER ? null : daysAfter(until, -1)
      const this_year = figuresOn(on, line, ofBalance)
      return [assignment.id, { ends_on, balance, on_demand_balance, this_year }]
    })
  })
  return new Map(standings)
}
