import Type from 'typebox'
import { loaded, loadedTogether, orNull } from '../../engine/field.ts'
import { card, resource } from '../../engine/resource.ts'
import { nullable, schemaOf } from '../../engine/schema.ts'
import { CUSTOM_FIELDS, loadCustomFields } from './custom-values.ts'
import { jobSchemas, loadJobs } from './job-entries.ts'
import { EMPLOYEES, personFields, personShort, terminationFields } from './person.ts'
import { loadDirectReports } from './reporting-lines.ts'
import { loadSalaries, salaries } from './salaries.ts'

/** An employee: the person, and what is known about them from other records. */
export const employees = resource(EMPLOYEES, {
  ...personFields,
  ...loadedTogether(jobSchemas(), loadJobs),
  ...terminationFields,
  ...loadedTogether({ fields: () => CUSTOM_FIELDS, custom_fields: () => CUSTOM_FIELDS }, loadCustomFields),
  direct_reports: loaded(() => orNull(Type.Array(schemaOf(personShort))), loadDirectReports),
  salary: loaded(() => nullable(schemaOf(salaries.whole)), loadSalaries, { group: 'compensation', sometimes: true }),
})

/** Rows of lists: everything but who reports to them. */
export const employeeRow = card(
  employees,
  'EmployeeRow',
  employees.whole.names.filter((name) => name !== 'direct_reports'),
)
