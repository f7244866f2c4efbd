import { get, listAll, post, put, remove } from '../engine/derive.ts'
import { boolean, choice, date, email, longText, reference, text, url, year } from '../engine/field.ts'
import { create, type Rule } from '../engine/records.ts'
import { type Resource, resource } from '../engine/resource.ts'
import { personShort } from './employees.ts'

/** The smaller records on an employee's file: educations, certifications, dependents, contacts and notes. */

const of = (table: string, one: string, name = table) => ({
  table,
  one,
  area: 'employees',
  path: `/employees/{employee_id}/${name}`,
})

const employee_id = reference('employees', { required: true, owner: true })
const group = 'personal'
const phone = () => text({ max: 50, example: '+49 30 901820', group })

export const educations = resource(of('employee_educations', 'employee education', 'educations'), {
  employee_id,
  school: text({ required: true, example: 'University of London' }),
  degree: text({ required: true, example: 'Mathematics' }),
  from_year: year({ example: '2008' }),
  to_year: year({ example: '2012' }),
  grade: text({ example: 'First class' }),
})

const endsAfterItBegins: Rule<typeof educations> = ({ after, fail }) => {
  if (after.from_year && after.to_year && after.to_year < after.from_year)
    fail('to_year', 'too_early', 'cannot be before from_year')
}

export const certifications = resource(of('certifications', 'certification'), {
  employee_id,
  name: text({ required: true, example: 'First aid' }),
  issuer: text({ required: true, example: 'Red Cross' }),
  issued_on: date({ example: '2024-03-01' }),
  expires: boolean({ default: false }),
  expires_on: date({ example: '2026-03-01' }),
  url: url({ example: 'https://example.com/certificate' }),
})

const expiresAfterItsIssue: Rule<typeof certifications> = ({ after, fail }) => {
  if (after.issued_on && after.expires_on && after.expires_on < after.issued_on)
    fail('expires_on', 'too_early', 'cannot be before issued_on')
}

export const dependents = resource(of('dependents', 'dependent'), {
  employee_id,
  first_name: text({ required: true, group, example: 'Byron' }),
  last_name: text({ required: true, group, example: 'King' }),
  relationship: text({ group, example: 'Child' }),
  date_of_birth: date({ group, example: '2015-05-12' }),
  gender: choice(['male', 'female', 'other'], { group }),
})

export const emergencyContacts = resource(of('emergency_contacts', 'emergency contact'), {
  employee_id,
  name: text({ required: true, group, example: 'William King' }),
  relationship: text({ group, example: 'Spouse' }),
  email: email({ group, example: 'william@example.net' }),
  work_phone_number: phone(),
  home_phone_number: phone(),
  mobile_phone_number: phone(),
})

export const employeeNotes = resource(of('employee_notes', 'employee note', 'notes'), {
  employee_id,
  body: longText({ required: true, example: 'Asked about a sabbatical' }),
  created_by_id: reference('employees', {
    show: () => personShort,
    note: 'The employee that the key belongs to, when not sent',
  }),
})

const five = <R extends Resource<any>>(of: R, rules: Rule<R>[] = []) => [
  listAll(of),
  get(of),
  post(of, { rules }),
  put(of, { rules }),
  remove(of),
]

export const recordOperations = [
  ...five(educations, [endsAfterItBegins]),
  ...five(certifications, [expiresAfterItsIssue]),
  ...five(dependents),
  ...five(emergencyContacts),
  listAll(employeeNotes),
  get(employeeNotes),
  post(employeeNotes, {
    store: ({ db, body, problems }) =>
      create(db, employeeNotes, { created_by_id: db.employeeId, ...body }, { problems }),
  }),
  put(employeeNotes),
  remove(employeeNotes),
]
