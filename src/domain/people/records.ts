import { get, list, plainOwned, post, put, remove } from '../../engine/derive.ts'
import { boolean, choice, date, email, longText, reference, text, year } from '../../engine/field.ts'
import { create } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { inOrder } from '../../engine/rule.ts'
import { personShort } from './person.ts'

/** The smaller records on an employee's file: educations, dependents, contacts and notes. */

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

export const dependents = resource(
  { ...of('dependents', 'dependent'), group },
  {
    employee_id,
    first_name: text({ required: true, group, example: 'Byron' }),
    last_name: text({ required: true, group, example: 'King' }),
    relationship: text({ group, example: 'Child' }),
    date_of_birth: date({ group, example: '2015-05-12' }),
    gender: choice(['male', 'female', 'other'], { group }),
  },
)

export const emergencyContacts = resource(
  { ...of('emergency_contacts', 'emergency contact'), group },
  {
    employee_id,
    name: text({ required: true, group, example: 'William King' }),
    relationship: text({ group, example: 'Spouse' }),
    email: email({ group, example: 'william@example.net' }),
    work_phone_number: phone(),
    home_phone_number: phone(),
    mobile_phone_number: phone(),
  },
)

export const employeeNotes = resource(
  {
    ...of('employee_notes', 'employee note', 'notes'),
    group: 'notes',
    opens: { to: 'self', where: 'shared_with_employee' },
  },
  {
    employee_id,
    body: longText({ required: true, example: 'Asked about a sabbatical next year' }),
    created_by_id: reference('employees', {
      show: () => personShort,
      note: 'ID of the employee who wrote the note; by default the employee who is signed in or owns the API key',
    }),
    shared_with_employee: boolean({
      default: false,
      example: false,
      note: 'Whether the employee can see the note. If false, only people who can see the field group `notes` of this employee can see it',
    }),
  },
)

export const recordOperations = [
  ...plainOwned(educations, [inOrder('from_year', 'to_year')]),
  ...plainOwned(dependents),
  ...plainOwned(emergencyContacts),
  list(employeeNotes, { comesWhole: true }),
  get(employeeNotes),
  post(employeeNotes, {
    store: ({ db, body, problems }) =>
      create(db, employeeNotes, { created_by_id: db.caller.personId, ...body }, { problems }),
  }),
  put(employeeNotes),
  remove(employeeNotes),
]
