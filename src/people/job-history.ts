import Type from 'typebox'
import type { Reader } from '../database/handle.ts'
import type { Writer } from '../database/write.ts'
import { datedFields, FOREVER, inForce, mendEnds } from '../engine/dated.ts'
import { get, list, listAll, post, put, remove } from '../engine/derive.ts'
import { derived, longText, reference } from '../engine/field.ts'
import { operation, recordId } from '../engine/operation.ts'
import { type Attempt, amend, create, erase, find, type Rule } from '../engine/records.ts'
import { card, decode, fetchShape, type Resource, resource } from '../engine/resource.ts'
import { personShort } from './employees.ts'
import { positionFields, statusFields } from './job-fields.ts'
import { type Line, ReportingLines } from './reporting-lines.ts'

const employee_id = reference('employees', { required: true, owner: true })

/** The same day under the name that readers of this interface know it by. */
const effective_on = derived(Type.String({ format: 'date' }), ['effective_from'], (row) => row.effective_from)

export const employeePositions = resource(
  {
    table: 'employee_positions',
    one: 'employee position',
    area: 'employees',
    path: '/employees/{employee_id}/positions',
  },
  {
    employee_id,
    ...datedFields,
    effective_on,
    ...positionFields,
    reporting_to_id: reference('employees', { show: () => personShort }),
  },
)

export const employmentStatuses = resource(
  {
    table: 'employment_statuses',
    one: 'employment status',
    area: 'employees',
    path: '/employees/{employee_id}/employment_statuses',
  },
  { employee_id, ...datedFields, effective_on, ...statusFields, comment: longText({ example: 'Moved to four days' }) },
)

const positionShape = card(employeePositions, 'PositionInForce', [
  'employee_id',
  ...Object.keys(positionFields),
  'reporting_to_id',
])
const statusShape = card(employmentStatuses, 'StatusInForce', ['employee_id', ...Object.keys(statusFields)])

/** The job objects of employees: their entries in force on the day that is looked at. */
export async function loadJobs(db: Reader, ids: number[]): Promise<Map<number, any>> {
  const jobs = new Map<number, any>()
  for (const shape of [positionShape, statusShape]) {
    const { table } = shape.resource
    const query = inForce(db.from(table), table, db.view.day).where(`${table}.employee_id`, 'in', ids)
    for (const { record } of await fetchShape(db, shape, query))
      jobs.set(record.employee_id, { ...jobs.get(record.employee_id), ...record })
  }
  return jobs
}

/** An entry, as it stands or new, is the only one of its person that begins on its day. */
const oneADay =
  <R extends Resource<any>>(of: R): Rule<R> =>
  async ({ db, before, after, changes, fail }) => {
    if (!(changes as any).effective_from) return
    const twin = await db
      .from(of.table)
      .select('id')
      .where('employee_id', '=', (after as any).employee_id)
      .where('effective_from', '=', (after as any).effective_from)
      .executeTakeFirst()
    if (twin && twin.id !== before?.id) fail('effective_from', 'taken', 'is already the first day of another entry')
  }

/** Nobody reports to somebody who has left, nor to themselves through any chain on any day. */
const reportsToSomebodyElse: Rule<typeof employeePositions> = async (attempt) => {
  const { db, before, after, changes } = attempt
  if (changes.reporting_to_id === undefined && changes.effective_from === undefined) return
  await refuseFormerManagers(db, [attempt])
  if (after.reporting_to_id === null || !after.effective_from) return
  const lines = await ReportingLines.above(db, [after.employee_id, after.reporting_to_id])
  const others = lines.of(after.employee_id).filter((line) => line.effective_from !== before?.effective_from)
  if (lines.wouldCircle(after.employee_id, timeline([...others, after])))
    attempt.fail('reporting_to_id', 'cycle', 'cannot be the person themselves or one who reports to them')
}

/** Entries in the order of their days, each until the next one begins. */
export function timeline(lines: Line[]): Line[] {
  const inOrder = [...lines].sort((a, b) => (a.effective_from < b.effective_from ? -1 : 1))
  return inOrder.map((line, index) => ({ ...line, effective_until: inOrder[index + 1]?.effective_from ?? FOREVER }))
}

/** One statement for all attempts that name a new manager. */
export async function refuseFormerManagers(db: Reader, attempts: Attempt<typeof employeePositions>[]): Promise<void> {
  const named = attempts.filter(({ changes }) => typeof changes.reporting_to_id === 'number')
  if (named.length === 0) return
  const ids = [...new Set(named.map(({ changes }) => changes.reporting_to_id as number))]
  const rows = await db
    .from('employees')
    .select('id')
    .where('id', 'in', ids)
    .where('termination_effective_on', '<=', db.today)
    .execute()
  const gone = new Set(rows.map((row) => row.id))
  for (const { changes, fail } of named)
    if (gone.has(changes.reporting_to_id)) fail('reporting_to_id', 'terminated', 'is somebody who has left')
}

/** The five operations of a dated record of employees; what a new entry does not say stays as it was before. */
function history<R extends Resource<any>>(of: R, rules: Rule<R>[], isPaged: boolean) {
  const mend = (db: Writer, employeeId: number) => mendEnds(db, of, 'employee_id', [employeeId])
  const params = Type.Object({ employee_id: recordId('employees'), id: recordId(of.table) })
  return [
    isPaged ? list(of) : listAll(of),
    get(of),
    post(of, {
      note: 'What is not sent stays as it was on the day before.',
      async store({ db, body, problems }) {
        const earlier = await entryBefore(db, of, body.employee_id, body.effective_from)
        const id = await create(db, of, { ...earlier, ...body }, { rules, problems })
        await mend(db, body.employee_id)
        await touch(db, body.employee_id)
        return id
      },
    }),
    put(of, {
      async store({ db, body, problems }, before) {
        await amend(db, of, before, body, { rules, problems })
        await mend(db, (before as any).employee_id)
        await touch(db, (before as any).employee_id)
      },
    }),
    operation(
      {
        id: remove(of).id,
        method: 'DELETE',
        path: `${of.path}/{id}`,
        summary: remove(of).summary,
        note: 'The entry before it then holds on.',
        area: of.area,
        params,
      },
      async ({ db, params }) => {
        await erase(db, of, await find(db, of, params.id, { employee_id: params.employee_id }))
        await mend(db, params.employee_id)
        await touch(db, params.employee_id)
        return {}
      },
    ),
  ]
}

/** The references of the entry in force on the day before an entry begins. */
async function entryBefore(db: Reader, of: Resource<any>, employeeId: number, day: string | undefined) {
  if (!day) return {}
  const row = await inForce(db.from(of.table), of.table, day)
    .selectAll()
    .where('employee_id', '=', employeeId)
    .executeTakeFirst()
  if (!row) return {}
  const entry = decode(of, row)
  return Object.fromEntries(Object.entries(entry).filter(([name]) => name.endsWith('_id') && name !== 'employee_id'))
}

/** A change of somebody's job is a change of their record. */
export async function touch(db: Writer, employeeId: number): Promise<void> {
  await db.touch('employees', [employeeId])
}

export const jobHistoryOperations = [
  ...history(employeePositions, [oneADay(employeePositions), reportsToSomebodyElse], false),
  ...history(employmentStatuses, [oneADay(employmentStatuses)], true),
]
