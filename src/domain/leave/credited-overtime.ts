import { conflict } from '../../engine/problem.ts'
import type { Consequence } from '../../records/consequences.ts'
import { mayDecide } from '../time/approvals.ts'
import { overtimeRequests } from '../time/overtime-requests.ts'
import { linesOf, movementsOf, STILL } from './balances.ts'
import { allAssignments, type LeaveTimeline } from './entitlement.ts'
import { firstShortfall } from './postings.ts'

const creditsOvertime = (line: LeaveTimeline) =>
  allAssignments(line).some(({ terms }) => terms.some(({ overtime_factor }) => overtime_factor !== null))

/**
 * Employees cannot withdraw approved overtime once they have requested the leave that it was credited as. People who decide
 * about leave can: as with adjustments, the balance may then fall below its lowest value.
 */
export const keepCreditedOvertime: Consequence = {
  of: [overtimeRequests.table],
  async follow(db, changes) {
    const gone = changes.filter(({ before, after }) => before?.state === 'approved' && after?.state !== 'approved')
    if (gone.length === 0) return
    const ids = gone.map(({ record_id }) => record_id)
    const rows = await db.from(overtimeRequests.table).select('employee_id').where('id', 'in', ids).execute()
    const deleted = gone.flatMap(({ before }) => before?.employee_id ?? [])
    const people = [...new Set([...rows.map(({ employee_id }) => employee_id), ...deleted] as number[])]
    const own = people.filter((id) => !mayDecide(db, 'leave', id))
    if (own.length === 0) return
    const movements = await movementsOf(db, own)
    for (const [key, line] of await linesOf(db, own)) {
      const short = creditsOvertime(line) && firstShortfall(line, db.today, (movements.get(key) ?? STILL).balance)
      if (short)
        throw conflict(
          `This overtime has been credited as leave that is already requested: on ${short.day} the balance would be too low. Withdraw that leave first.`,
          'in_use',
        )
    }
  },
}
