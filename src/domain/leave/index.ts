import type { Area } from '../../engine/area.ts'
import { leaveAttachmentOperations, leaveAttachments, leaveFiles } from './attachments.ts'
import { blockedPeriodOperations, blockedPeriods } from './blocked-periods.ts'
import { keepCreditedTime } from './credited-time.ts'
import { eligibleGroupOperations, eligibleGroups } from './eligible-groups.ts'
import {
  employeeLeaveOperations,
  employeeLeaveTypes,
  leaveAdjustments,
  leaveMovesWithHiring,
} from './employee-leave.ts'
import { heldLeave } from './held-leave.ts'
import { leavePolicies, leavePolicyOperations, leavePolicyTerms } from './leave-policies.ts'
import { leaveEntries, leaveRequestOperations, leaveRequests } from './leave-requests.ts'
import { leaveTypeOperations, leaveTypes } from './leave-types.ts'
import { leavePayouts } from './payouts.ts'
import { withLeaveEffects } from './policy-effects.ts'
import { recountLeave } from './recount.ts'
import { leaveStatement } from './statement.ts'
import { leaveGuards } from './undo-guards.ts'

const CHANGE_TERMS = [
  'createLeavePolicy',
  'updateLeavePolicy',
  'createLeavePolicyTerm',
  'updateLeavePolicyTerm',
  'deleteLeavePolicyTerm',
]

export const leave: Area = {
  resources: [
    leaveTypes,
    leavePolicies,
    leavePolicyTerms,
    employeeLeaveTypes,
    leaveAdjustments,
    leaveRequests,
    leaveEntries,
    leaveAttachments,
    blockedPeriods,
    eligibleGroups,
  ],
  operations: [
    ...leaveTypeOperations,
    ...leavePolicyOperations.map((one) => (CHANGE_TERMS.includes(one.id) ? withLeaveEffects(one) : one)),
    ...employeeLeaveOperations,
    leaveStatement,
    leavePayouts,
    ...leaveRequestOperations,
    ...leaveAttachmentOperations,
    ...blockedPeriodOperations,
    ...eligibleGroupOperations,
  ],
  consequences: [leaveMovesWithHiring, recountLeave, keepCreditedTime],
  guards: leaveGuards,
  held: heldLeave,
  files: [leaveFiles],
}
