import type { HeldKind } from '../../engine/held.ts'
import { byId } from '../../engine/join.ts'
import { OPEN, waitingFor } from '../time/approvals.ts'
import { leaveRequests } from './leave-requests.ts'

const ahead: HeldKind = {
  kind: 'leave_requests',
  of: leaveRequests,
  note: 'Pending and approved leave on that date or later. A termination removes the days after the employment; they cannot be given to somebody else',
  isAboutHolder: true,
  otherwise: 'ends',
  role: 'requester',
  rows: (db, { id, day }) =>
    db
      .from('leave_requests')
      .innerJoin('leave_types', byId('leave_types', 'leave_requests.leave_type_id'))
      .select(['leave_requests.id', 'leave_types.name', 'leave_requests.state'])
      .select(['leave_requests.starts_on', 'leave_requests.ends_on'])
      .where('leave_requests.employee_id', '=', id)
      .where('leave_requests.state', 'in', [...OPEN])
      .where('leave_requests.ends_on', '>=', day)
      .orderBy('leave_requests.starts_on')
      .orderBy('leave_requests.id'),
}

export const heldLeave = [
  waitingFor('leave_approvals', leaveRequests, {
    note: 'Pending leave requests that wait for the employee. They move to the next manager with the direct reports',
    from: 'starts_on',
    until: 'ends_on',
  }),
  ahead,
]
