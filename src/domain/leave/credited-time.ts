import { conflict } from '../../engine/problem.ts'
import type { Consequence } from '../../records/consequences.ts'
import type { Change } from '../../records/entries.ts'
import type { Writer } from '../../records/write.ts'
import { mayDecide } from '../time/approvals.ts'
import { overtimeRequests } from '../time/overtime-requests.ts'
import { timesheetEntries } from '../time/timesheet-entries.ts'
import { linesOf, movementsOf, STILL } from './balances.ts'
import { allAssignments, type PolicyTerms } from './entitlement.ts'
import { firstShortfall } from './postings.ts'

type Credited = {
  readonly table: string
  /** Its column with the approval. */
  readonly state: string
  readonly name: string
  readonly isCredited: (terms: PolicyTerms) => boolean
}

const CREDITED: readonly Credited[] = [
  {
    ...{ table: overtimeRequests.table, state: 'state', name: 'overtime' },
    isCredited: ({ overtime_factor }) => overtime_factor !== null,
  },
  {
    ...{ table: timesheetEntries.table, state: 'status', name: 'working time' },
    isCredited: ({ credit }) => credit === 'hours_worked',
  },
]

/**
 * Employees cannot withdraw approved overtime or working time once they have requested the leave that it was credited as. People who decide
 * about leave can: as with adjustments, the balance may then fall below its lowest value.
 */
export const keepCreditedTime: Consequence = {
  of: CREDITED.map(({ table }) => table),
  async follow(db, changes) {
    for (const one of CREDITED) {
      const gone = changes.filter(
        ({ resource, before, after }) =>
          resource === one.table && before?.[one.state] === 'approved' && after?.[one.state] !== 'approved',
      )
      if (gone.length > 0) await refuseIfTaken(db, one, gone)
    }
  },
}

async function refuseIfTaken(
  db: Writer,
  { table, name, isCredited }: Credited,
  gone: readonly Change[],
): Promise<void> {
  const ids = gone.map(({ record_id }) => record_id)
  const rows = await db.from(table).select('employee_id').where('id', 'in', ids).execute()
  const deleted = gone.flatMap(({ before }) => before?.employee_id ?? [])
  const people = [...new Set([...rows.map(({ employee_id }) => employee_id), ...deleted] as number[])]
  const own = people.filter((id) => !mayDecide(db, 'leave', id))
  if (own.length === 0) return
  const movements = await movementsOf(db, own)
  for (const [key, line] of await linesOf(db, own)) {
    const credits = allAssignments(line).some(({ terms }) => terms.some(isCredited))
    const short = credits && firstShortfall(line, db.today, (movements.get(key) ?? STILL).balance)
    if (short)
      throw conflict(
        `This ${name} has been credited as leave that is already requested: on ${short.day} the balance would be too low. Withdraw that leave first.`,
        'in_use',
      )
  }
}
