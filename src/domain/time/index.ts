import type { Area } from '../../engine/area.ts'
import { nobodyDecidesByUndoing } from './approvals.ts'
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
    ],
    guards: [nobodyDecidesByUndoing, entriesHold, clocksHold, overtimeHolds],
  },
  employeeHolidays: { operations: employeeHolidayOperations },
} satisfies Record<string, Area>
