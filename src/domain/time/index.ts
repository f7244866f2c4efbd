import type { Area } from '../../engine/area.ts'
import { nobodyDecidesByUndoing, waitingFor } from './approvals.ts'
import { calculatedOvertimeOperations } from './calculated-overtime-operations.ts'
import { clockOperations, clocks, clocksHold } from './clocks.ts'
import { employeeHolidayOperations } from './employee-holidays.ts'
import { overtimeHolds, overtimeRequestOperations, overtimeRequests } from './overtime-requests.ts'
import { projectOperations, projects, projectUsers } from './projects.ts'
import { entriesHold, timesheetEntries, timesheetEntryOperations } from './timesheet-entries.ts'
import { timesheetOperations } from './timesheets.ts'

export const time = {
  tracking: {
    resources: [projects, projectUsers, timesheetEntries, clocks, overtimeRequests],
    operations: [
      ...projectOperations,
      ...timesheetEntryOperations,
      ...clockOperations,
      ...timesheetOperations,
      ...overtimeRequestOperations,
      ...calculatedOvertimeOperations,
    ],
    guards: [nobodyDecidesByUndoing, entriesHold, clocksHold, overtimeHolds],
    held: [
      waitingFor('overtime_approvals', overtimeRequests, {
        note: 'Pending overtime requests that wait for the employee. They move to the next manager with the direct reports',
        from: 'date',
      }),
      waitingFor('timesheet_approvals', timesheetEntries, {
        note: 'Timesheet entries that wait for the approval of the employee. They move to the next manager with the direct reports',
        from: 'date',
        state: 'status',
      }),
    ],
  },
  employeeHolidays: { operations: employeeHolidayOperations },
} satisfies Record<string, Area>
