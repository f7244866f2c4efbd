import type { Area } from '../../engine/area.ts'
import { additionalCompensationOperations, additionalCompensations } from './additional-compensations.ts'
import { avatarFiles, avatarOperations } from './avatars.ts'
import { certificationFiles, certificationOperations, certifications } from './certifications.ts'
import { customFieldOperations, employeeFieldGroups, employeeFieldOptions, employeeFields } from './custom-fields.ts'
import { employeeFieldValues } from './custom-values.ts'
import { directReports } from './direct-reports.ts'
import { documentFiles, documentOperations, employeeDocuments } from './documents.ts'
import { employeeOperations } from './employee-operations.ts'
import { employeeTableOperations } from './employee-table-operations.ts'
import { employeeTableRows, employeeTableValues } from './employee-table-rows.ts'
import { columnOptions, employeeTableColumns, employeeTables } from './employee-tables.ts'
import { employees } from './employees.ts'
import { employmentOperations } from './employments.ts'
import { externalUserOperations, externalUsers } from './external-users.ts'
import { fieldHistoryOperations } from './field-histories.ts'
import { payMovesWithHiring } from './first-day.ts'
import { employmentsHold, formerEmployments, tenureFollows } from './former-employments.ts'
import { employeePositions, employmentStatuses } from './job-entries.ts'
import { jobHistoryOperations } from './job-history.ts'
import { employeeJobProfileOperations } from './job-profiles.ts'
import { meOperations } from './me.ts'
import { dependents, educations, emergencyContacts, employeeNotes, recordOperations } from './records.ts'
import { salaries, salaryOperations } from './salaries.ts'
import { savedViewOperations } from './saved-views.ts'
import { peopleScopes } from './scopes.ts'
import { employeeSkills, skillOperations, skills } from './skills.ts'
import { ledTeams, teamMembers, teamOperations, teams } from './teams.ts'
import { peopleGuards } from './undo-guards.ts'

export const people = {
  employees: {
    resources: [employees],
    operations: (all) => [...employeeOperations(all.held), ...avatarOperations],
    guards: [...peopleGuards, employmentsHold],
    held: [directReports],
    scopes: peopleScopes,
  },
  /** What belongs to employees. */
  records: {
    resources: [
      formerEmployments,
      employeePositions,
      employmentStatuses,
      salaries,
      additionalCompensations,
      employeeDocuments,
      educations,
      certifications,
      dependents,
      emergencyContacts,
      employeeNotes,
      skills,
      employeeSkills,
      externalUsers,
      employeeFieldGroups,
      employeeFields,
      employeeFieldOptions,
      employeeFieldValues,
      employeeTables,
      employeeTableColumns,
      columnOptions.options,
      employeeTableRows,
      employeeTableValues,
    ],
    operations: [
      ...employmentOperations,
      ...jobHistoryOperations,
      ...employeeJobProfileOperations,
      ...salaryOperations,
      ...additionalCompensationOperations,
      ...documentOperations,
      ...recordOperations,
      ...certificationOperations,
      ...skillOperations,
      ...externalUserOperations,
      ...customFieldOperations,
      ...fieldHistoryOperations,
      ...employeeTableOperations,
    ],
    consequences: [payMovesWithHiring, tenureFollows],
    files: [documentFiles, certificationFiles, avatarFiles],
  },
  teams: { resources: [teams, teamMembers], operations: teamOperations, held: [ledTeams] },
  myAccount: { operations: [...meOperations, ...savedViewOperations] },
} satisfies Record<string, Area>
