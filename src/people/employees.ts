import Type, { type TSchema } from 'typebox'
import type { Reader } from '../database/handle.ts'
import {
  boolean,
  date,
  derived,
  email,
  type Field,
  hidden,
  integer,
  loaded,
  loadedTogether,
  longText,
  orNull,
  readOnly,
  reference,
  text,
} from '../engine/field.ts'
import { card, nullable, resource, schemaOf } from '../engine/resource.ts'
import { genders, idAndName, terminationReasons, terminationTypes } from '../organisation/names.ts'
import { CUSTOM_FIELDS, loadCustomFields } from './custom-values.ts'
import { positionFields, statusFields } from './job-fields.ts'
import { loadJobs } from './job-history.ts'
import { loadDirectReports } from './reporting-lines.ts'
import { loadSalaries, salaries } from './salaries.ts'
import { STATUSES, statusOn } from './status.ts'

const genderName = idAndName(genders)
const terminationTypeName = idAndName(terminationTypes)
const terminationReasonName = idAndName(terminationReasons)

/** The schemas of the job objects, which are those of the entries in force. */
function jobSchemas(): Record<string, () => TSchema> {
  const { probation_policy_id: _, ...status } = statusFields
  const shapes = Object.entries<Field>({ ...positionFields, ...status }).map(
    ([name, { reference }]) => [name, reference!.shape!] as const,
  )
  const all = [...shapes, ['reporting_to_id', () => personShort] as const]
  return Object.fromEntries(all.map(([name, shape]) => [name.replace(/_id$/, ''), () => nullable(schemaOf(shape()))]))
}

type Named = { first_name: string; middle_name?: string | null; last_name: string }

export const fullName = ({ first_name, middle_name, last_name }: Named) =>
  [first_name, middle_name, last_name].filter(Boolean).join(' ')

const initials = ({ first_name, last_name }: Named) =>
  encodeURIComponent(
    [first_name, last_name]
      .map((name) => [...name][0] ?? '')
      .join('')
      .toUpperCase(),
  )

const privatePhone = () => text({ max: 50, example: '+49 30 901820', group: 'personal' })

export const employees = resource(
  { table: 'employees', one: 'employee', area: 'employees' },
  {
    status: derived(
      Type.Unsafe<string>({ type: 'string', enum: [...STATUSES] }),
      ['hired_on', 'probation_ends_on', 'termination_effective_on'],
      (row, db) => statusOn(db.view.day, row),
    ),
    access: boolean({ default: false, note: 'May log in' }),
    employee_number: text({ unique: true, max: 64, example: '1024', note: 'The next free whole number when not sent' }),
    full_name: derived(Type.String(), ['first_name', 'middle_name', 'last_name'], fullName),
    first_name: text({ required: true, folded: true, example: 'Ada' }),
    middle_name: text({ folded: true, example: 'King' }),
    last_name: text({ required: true, folded: true, example: 'Lovelace' }),
    avatar: hidden(text()),
    avatar_url: derived(Type.String(), ['avatar', 'first_name', 'last_name'], (row, db) =>
      row.avatar ? `${db.origin}/avatars/${row.avatar}` : `${db.origin}/avatars/initials/${initials(row)}.svg`,
    ),
    email: email({ unique: true, example: 'ada@example.com' }),
    personal_email: email({ group: 'personal', example: 'ada@example.net' }),
    mobile_number: privatePhone(),
    home_phone_number: privatePhone(),
    work_phone_number: text({ max: 50, example: '+49 30 901820' }),
    date_of_birth: date({ group: 'personal', example: '1990-12-10' }),
    birth_day_of_year: hidden(integer()),
    probation_ends_on: date({ note: 'The last day of probation', example: '2024-04-30' }),
    hired_on: date({ example: '2024-02-01' }),
    hired_day_of_year: hidden(integer()),
    gender_id: reference('genders', { show: () => genderName, group: 'personal' }),
    ...loadedTogether(jobSchemas(), (db: Reader, ids: number[]) => loadJobs(db, ids)),
    termination_effective_on: readOnly(date()),
    termination_comment: readOnly(longText({ nullable: true })),
    termination_eligible_for_rehire: readOnly(boolean()),
    termination_type_id: readOnly(reference('termination_types', { show: () => terminationTypeName })),
    termination_reason_id: readOnly(reference('termination_reasons', { show: () => terminationReasonName })),
    fields: loaded(CUSTOM_FIELDS, (db, ids) => loadCustomFields(db, ids)),
    direct_reports: loaded(
      () => orNull(Type.Array(schemaOf(personShort))),
      (db, ids) => loadDirectReports(db, ids),
    ),
    salary: loaded(
      () => nullable(schemaOf(salaries.whole)),
      (db, ids) => loadSalaries(db, ids),
      { group: 'compensation', sometimes: true },
    ),
  },
)

/** `{id, full_name, email}` */
export const personCard = card(employees, 'PersonCard', ['id', 'full_name', 'email'])

/** `{id, first_name, last_name, email}` */
export const personShort = card(employees, 'PersonShort', ['id', 'first_name', 'last_name', 'email'])

/** Rows of lists: everything but who reports to them. */
export const employeeRow = card(
  employees,
  'EmployeeRow',
  employees.whole.names.filter((name) => name !== 'direct_reports'),
)
