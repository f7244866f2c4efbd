import { type Dated, inForce, mendEntries, ownFieldsAfter, ownFieldsSent } from '../../engine/dated.ts'
import type { Field, Resource, Row, Sent } from '../../engine/declaration.ts'
import { get, list, listAll, MOST_OWNED, post, put, remove } from '../../engine/derive.ts'
import { knownAt } from '../../engine/known-at.ts'
import { conflict, type FieldProblem, invalid, wrong } from '../../engine/problem.ts'
import { amend, create, erase, find, type Rule, rowsOf } from '../../engine/records.ts'
import { tablesIn } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { inEmployment } from '../organisation/staff.ts'
import { employees } from './employees.ts'
import { entriesOf } from './job-changes.ts'
import { employeePositions, employmentStatuses } from './job-entries.ts'
import { announcedInTime } from './planned-changes.ts'
import { deriveProbation, policyAmong } from './probation.ts'
import { ReportingLines, refuseFormerManagers } from './reporting-lines.ts'

/** A kind of job entry: position or employment status. */
type JobEntryResource = Dated & Resource<{ employee_id: Field<number> }>

/** An entry, as it stands or new, is the only one of its person that begins on its day. */
const oneADay =
  (of: JobEntryResource): Rule<JobEntryResource> =>
  async ({ db, after, changes, fail }) => {
    if (!changes.effective_from) return
    const duplicate = await db
      .from(of.table)
      .select('id')
      .where('employee_id', '=', after.employee_id)
      .where('effective_from', '=', after.effective_from)
      .executeTakeFirst()
    if (duplicate && duplicate.id !== after.id)
      fail(
        'effective_from',
        'taken',
        `is already the first day of another ${of.one} of this employee. Change that ${of.one}, or choose another day`,
      )
  }

/** An entry begins in the employment. */
const inService = inEmployment('effective_from')

/** Nobody begins to report to somebody who has left by then; whom they reported to the day before they may go on to. */
const managerIsThere =
  (earlier: { reporting_to_id?: number | null }): Rule<typeof employeePositions> =>
  async ({ db, before, after, changes, fail }) => {
    const day = after.effective_from
    if (!day) return
    const isMoved = before !== null && day !== before.effective_from
    const known = isMoved ? null : before ? before.reporting_to_id : earlier.reporting_to_id
    const named = isMoved ? { reporting_to_id: after.reporting_to_id } : changes
    await refuseFormerManagers(db, [{ changes: named, fail, day, known }])
  }

/** Carries out a change of somebody's entries, and what follows from it. */
async function settle(
  db: Writer,
  of: JobEntryResource,
  employeeId: number,
  work: () => Promise<unknown>,
  refusal: () => Error,
): Promise<void> {
  const earlier = db.changeCount()
  const policy = await probationPolicyOf(db, employeeId)
  await work()
  if (db.changeCount() === earlier) return
  await mendEntries(db, of, 'employee_id', [employeeId])
  if (of === employeePositions) await refuseCircle(db, employeeId, refusal)
  else await moveProbation(db, employeeId, policy)
  await db.touch('employees', [employeeId])
}

/** On no day does anybody report to themselves through any chain, however the entries came to be as they are. */
async function refuseCircle(db: Writer, employeeId: number, refusal: () => Error): Promise<void> {
  const lines = await ReportingLines.above(db, [employeeId])
  if (lines.wouldCircle(employeeId, lines.of(employeeId))) throw refusal()
}

/** The policy of the probation that somebody is in, or begins with. */
async function probationPolicyOf(db: Reader, id: number): Promise<number | null> {
  const { hired_on } = await find(db, employees, id)
  const day = hired_on && hired_on > db.today ? hired_on : db.today
  const entries = await entriesOf(db, employmentStatuses, [id])
  return policyAmong(entries.get(id) ?? [], day)
}

async function moveProbation(db: Writer, id: number, policyBefore: number | null): Promise<void> {
  const employee = await find(db, employees, id)
  const policyId = await probationPolicyOf(db, id)
  const before = { ...employee, policyId: policyBefore }
  const [end = {}] = await deriveProbation(db, [{ before, hired_on: employee.hired_on, policyId, isSent: false }])
  await amend(db, employees, employee, end)
}

const reportsToThemselves = (body: Record<string, unknown>) => () =>
  invalid(
    wrong(
      body.reporting_to_id === undefined && body.effective_from !== undefined ? 'effective_from' : 'reporting_to_id',
      'cycle',
      'is not possible: the person would report to themselves, directly or through others',
    ),
  )

type RulesFor<R extends JobEntryResource> = (earlier: Sent<R>) => Rule<R>[]

/** Stores a new entry; what it does not say is what the one before it says. */
async function enter<R extends JobEntryResource>(
  db: Writer,
  of: R,
  rulesFor: RulesFor<R>,
  employeeId: number,
  body: Record<string, unknown>,
  problems: FieldProblem[],
): Promise<number> {
  const earlier = await entryBefore(db, of, employeeId, (body as Sent<JobEntryResource>).effective_from)
  let id = 0
  const work = async () => {
    const rules = rulesFor(earlier as Sent<R>)
    id = await create(db, of, { ...earlier, ...body, ...ownFieldsSent(of, body) } as unknown as Sent<R>, {
      rules,
      problems,
    })
  }
  await settle(db, of, employeeId, work, reportsToThemselves(body))
  return id
}

/** Stores what an entry is to become. */
async function change<R extends JobEntryResource>(
  db: Writer,
  of: R,
  rulesFor: RulesFor<R>,
  before: Row<R>,
  body: Record<string, unknown>,
  problems: FieldProblem[],
): Promise<number> {
  const sent = { ...body, ...ownFieldsAfter(of, before, body) } as unknown as Sent<R>
  const work = () => amend(db, of, before, sent, { rules: rulesFor({}), problems })
  await settle(db, of, (before as Row<JobEntryResource>).employee_id, work, reportsToThemselves(body))
  return before.id
}

/** The five operations of a dated record of employees. */
function history<R extends JobEntryResource>(of: R, rulesFor: RulesFor<R>, isPaged: boolean) {
  const lenses = { known_at: knownAt(() => [employees.table, ...tablesIn(of.whole)]) }
  return [
    isPaged ? list(of, { lenses }) : listAll(of, { lenses }),
    get(of, { lenses }),
    post(of, {
      most: MOST_OWNED,
      note: 'Omitted fields take the values of the previous entry; if that entry changes later, so do they. Fields that you send apply until a later entry changes them.',
      store: ({ db, body, params, problems }) => enter(db, of, rulesFor, params.employee_id, body, problems),
    }),
    put(of, {
      async store({ db, body, problems }, before) {
        await change(db, of, rulesFor, before, body, problems)
      },
    }),
    remove(of, {
      note: 'From the first day of the deleted entry on, the values of the previous entry apply.',
      conflicts:
        of.table === employeePositions.table
          ? 'Without this entry, an employee would report to themselves, directly or through other managers'
          : null,
      store: ({ db, params }, before) =>
        settle(
          db,
          of,
          params.employee_id,
          () => erase(db, of, before),
          () =>
            conflict(
              `This ${of.one} cannot be deleted: without it, the employee would report to themselves, directly or through others.`,
            ),
        ),
    }),
  ]
}

/** The references of the entry in force on the day before an entry begins. */
async function entryBefore(db: Reader, of: JobEntryResource, employeeId: number, day: string | null | undefined) {
  if (!day) return {}
  const [entry] = await rowsOf(of, inForce(db.from(of.table), of.table, day).where('employee_id', '=', employeeId))
  const values: Record<string, unknown> = entry ?? {}
  return Object.fromEntries(of.inherits.flatMap((name) => (entry ? [[name, values[name]]] : [])))
}

const positionRules: RulesFor<typeof employeePositions> = (earlier) => [
  oneADay(employeePositions),
  inService as Rule<typeof employeePositions>,
  announcedInTime('effective_from') as Rule<typeof employeePositions>,
  managerIsThere(earlier),
]

type JobProfileChange = { job_profile_id: number; effective_from?: string }

/** The entry of somebody's position that begins on a day, if there is one. */
export async function positionFrom(db: Reader, employeeId: number, day: string | undefined) {
  if (!day) return undefined
  const entries = db.from('employee_positions').where('employee_id', '=', employeeId)
  return (await rowsOf(employeePositions, entries.where('effective_from', '=', day)))[0]
}

export const enterPosition = (db: Writer, employeeId: number, body: JobProfileChange, problems: FieldProblem[]) =>
  enter(db, employeePositions, positionRules, employeeId, { ...body, employee_id: employeeId }, problems)

export const changePosition = (
  db: Writer,
  before: Row<typeof employeePositions>,
  body: JobProfileChange,
  problems: FieldProblem[],
) => change(db, employeePositions, positionRules, before, body, problems)

export const jobHistoryOperations = [
  ...history(employeePositions, positionRules, false),
  ...history(
    employmentStatuses,
    () => [
      oneADay(employmentStatuses),
      inService as Rule<typeof employmentStatuses>,
      announcedInTime('effective_from') as Rule<typeof employmentStatuses>,
    ],
    true,
  ),
]
