import { type Dated, inForce, mendEnds } from '../engine/dated.ts'
import type { Field, Resource, Sent } from '../engine/declaration.ts'
import { get, list, listAll, post, put, remove } from '../engine/derive.ts'
import { amend, create, erase, type Rule, rowsOf } from '../engine/records.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import { employeePositions, employmentStatuses } from './job-entries.ts'
import { ReportingLines, refuseFormerManagers, timeline } from './reporting-lines.ts'

/** An entry of somebody's history. */
type Entry = Dated & Resource<{ employee_id: Field<number> }>

/** An entry, as it stands or new, is the only one of its person that begins on its day. */
const oneADay =
  (of: Entry): Rule<Entry> =>
  async ({ db, before, after, changes, fail }) => {
    if (!changes.effective_from) return
    const twin = await db
      .from(of.table)
      .select('id')
      .where('employee_id', '=', after.employee_id)
      .where('effective_from', '=', after.effective_from)
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

/** Mends what follows from a change of somebody's entries: their ends, and that their record has changed. */
async function settle(db: Writer, of: Entry, employeeId: number): Promise<void> {
  await mendEnds(db, of, 'employee_id', [employeeId])
  await db.touch('employees', [employeeId])
}

/** The five operations of a dated record of employees; what a new entry does not say stays as it was before. */
function history<R extends Entry>(of: R, rules: Rule<R>[], isPaged: boolean) {
  return [
    isPaged ? list(of) : listAll(of),
    get(of),
    post(of, {
      note: 'What is not sent stays as it was on the day before.',
      async store({ db, body, params, problems }) {
        const earlier = await entryBefore(db, of, params.employee_id, (body as Sent<Entry>).effective_from)
        const id = await create(db, of, { ...earlier, ...body } as Sent<R>, { rules, problems })
        await settle(db, of, params.employee_id)
        return id
      },
    }),
    put(of, {
      async store({ db, body, params, problems }, before) {
        const earlier = db.changeCount()
        await amend(db, of, before, body as Sent<R>, { rules, problems })
        if (db.changeCount() > earlier) await settle(db, of, params.employee_id)
      },
    }),
    remove(of, {
      note: 'The entry before it then holds on.',
      conflicts: null,
      async store({ db, params }, before) {
        await erase(db, of, before)
        await settle(db, of, params.employee_id)
      },
    }),
  ]
}

/** The references of the entry in force on the day before an entry begins. */
async function entryBefore(db: Reader, of: Entry, employeeId: number, day: string | null | undefined) {
  if (!day) return {}
  const [entry] = await rowsOf(of, inForce(db.from(of.table), of.table, day).where('employee_id', '=', employeeId))
  const values = Object.entries(entry ?? {})
  return Object.fromEntries(values.filter(([name]) => name.endsWith('_id') && name !== 'employee_id'))
}

export const jobHistoryOperations = [
  ...history(employeePositions, [oneADay(employeePositions), reportsToSomebodyElse], false),
  ...history(employmentStatuses, [oneADay(employmentStatuses)], true),
]
