import Type from 'typebox'
import {
  boolean,
  date,
  derived,
  email,
  hidden,
  integer,
  longText,
  notInFeed,
  orNull,
  readOnly,
  reference,
  text,
  told,
  toldAsThere,
  url,
} from '../../engine/field.ts'
import { card, resource } from '../../engine/resource.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { genders, idAndName, terminationReasons, terminationTypes } from '../organisation/names.ts'
import { plannedTermination } from './planned-changes.ts'
import { isSomebody, STAND_IN, STATUSES, statusOn, withStatus } from './status.ts'

/** The person on file: what an employee's own row holds, and how other records show people. */

const genderName = idAndName(genders)
export const terminationTypeName = idAndName(terminationTypes)
export const terminationReasonName = idAndName(terminationReasons)

type PersonName = { first_name: string; middle_name?: string | null; last_name: string }

export const fullName = ({ first_name, middle_name, last_name }: PersonName) =>
  [first_name, middle_name, last_name].filter(Boolean).join(' ')

const initials = ({ first_name, last_name }: PersonName) =>
  encodeURIComponent(
    [first_name, last_name]
      .map((name) => [...name][0] ?? '')
      .join('')
      .toUpperCase(),
  )

const privatePhone = () => text({ max: 50, example: '+49 30 901820', group: 'personal' })

const STATUS_SOURCES = ['hired_on', 'probation_ends_on', 'termination_effective_on']

export const personFields = {
  status: derived(Type.Unsafe<string>({ type: 'string', enum: [...STATUSES] }), STATUS_SOURCES, (row, db) =>
    statusOn(db.view.day, row),
  ),
  active: derived(
    Type.Boolean({ description: 'True until the person leaves, even before their first day of work' }),
    STATUS_SOURCES,
    (row, db) => statusOn(db.view.day, row) !== 'terminated',
  ),
  access: boolean({
    default: false,
    note: 'Whether other systems should give the person access. Cadre does not use it: people sign in as users (`/users`)',
  }),
  employee_number: text({
    supplied: true,
    unique: true,
    searched: true,
    max: 64,
    example: '1024',
    note: 'Unique employee number; by default the next free whole number',
  }),
  full_name: derived(Type.String(), ['first_name', 'middle_name', 'last_name'], fullName),
  first_name: text({ required: true, searched: true, folded: true, nextBy: 'last_name', example: 'Ada' }),
  middle_name: text({ searched: true, example: 'King' }),
  last_name: text({ required: true, searched: true, folded: true, nextBy: 'first_name', example: 'Lovelace' }),
  avatar: hidden(text(), toldAsThere('avatar')),
  avatar_url: derived(Type.String(), ['avatar', 'first_name', 'last_name'], (row, { caller }) =>
    row.avatar ? `${caller.origin}/avatars/${row.avatar}` : `${caller.origin}/avatars/initials/${initials(row)}.svg`,
  ),
  email: email({ unique: true, searched: true, example: 'ada@example.com' }),
  personal_email: email({ group: 'personal', example: 'ada@example.net' }),
  mobile_number: privatePhone(),
  home_phone_number: privatePhone(),
  work_phone_number: text({ max: 50, example: '+49 30 901820' }),
  slack_username: text({ example: 'ada' }),
  linkedin_url: url({ example: 'https://www.linkedin.com/in/ada' }),
  skype_username: text({ example: 'live:ada' }),
  twitter_username: text({ group: 'personal', example: 'ada' }),
  facebook_url: url({ group: 'personal', example: 'https://www.facebook.com/ada' }),
  date_of_birth: date({ group: 'personal', example: '1990-12-10' }),
  birth_day_of_year: hidden(integer({ group: 'personal' }), notInFeed('The day of date_of_birth')),
  probation_ends_on: date({ note: 'Last day of the probation period; null if there is none', example: '2024-04-30' }),
  probation_end_is_derived: hidden(boolean(), notInFeed('Where probation_ends_on comes from, which nobody is shown')),
  hired_on: date({ note: 'First day of the current employment', example: '2024-02-01' }),
  hired_day_of_year: hidden(integer(), notInFeed('The day of tenure_since')),
  stored_tenure_since: hidden(date(), told('earlier_tenure_since')),
  tenure_since: derived(
    orNull(
      Type.String({
        format: 'date',
        description:
          'Day from which tenure counts: `hired_on`, or for people who were employed before, the day by the rule in `tenure_from` of the company',
      }),
    ),
    ['stored_tenure_since', 'hired_on'],
    (row) => row.stored_tenure_since ?? row.hired_on,
  ),
  gender_id: reference('genders', { show: () => genderName, group: 'personal' }),
}

export const terminationFields = {
  termination_effective_on: readOnly(date()),
  termination_announced_on: readOnly(
    date({ note: 'Date from which the employee can see that they will be terminated' }),
  ),
  termination_comment: readOnly(longText({ nullable: true, group: 'notes' })),
  termination_eligible_for_rehire: readOnly(boolean({ group: 'personal' })),
  termination_type_id: readOnly(reference('termination_types', { show: () => terminationTypeName, group: 'personal' })),
  termination_reason_id: readOnly(
    reference('termination_reasons', { show: () => terminationReasonName, group: 'personal' }),
  ),
}

const termination = Object.keys(terminationFields)

/** Nothing of an employment that has ended is still to be announced. */
const isOfFormerEmployments = (name: string) => name !== 'termination_announced_on'

/** Where employees are, in the database and in the interface. */
export const EMPLOYEES = {
  table: 'employees',
  one: 'employee',
  area: 'employees',
  about: ['self'] as const,
  named: {
    by: 'directory:read',
    which: (query: Query, { today }: Reader) => isSomebody(withStatus(query, 'active', today)),
  },
  standIn: STAND_IN,
  heldBack: plannedTermination(termination),
  earlierValues: {
    table: 'former_employments',
    owner: 'employee_id',
    since: 'hired_on',
    columns: ['hired_on', 'probation_ends_on', 'stored_tenure_since', ...termination.filter(isOfFormerEmployments)],
  },
}

const people = resource(EMPLOYEES, { ...personFields, ...terminationFields })

/** `{id, full_name, email}` */
export const personCard = card(people, 'PersonCard', ['id', 'full_name', 'email'])

/** `{id, full_name, first_name, last_name, email}` */
export const personNames = card(people, 'PersonNames', ['id', 'full_name', 'first_name', 'last_name', 'email'])

/** `{id, first_name, last_name, email}` */
export const personShort = card(people, 'PersonShort', ['id', 'first_name', 'last_name', 'email'])
