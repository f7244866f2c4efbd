import { email, text, textList } from '../../engine/field.ts'
import { card, resource } from '../../engine/resource.ts'

/** The person behind applications: how a candidate is named and reached, and how other records show them. */

/** Where candidates are, in the database and in the interface. */
export const CANDIDATES = {
  table: 'candidates',
  one: 'candidate',
  area: 'recruitment',
  path: '/recruitment/candidates',
  about: [{ from: 'applications', column: 'candidate_id' }],
}

export const applicantFields = {
  full_name: text({ required: true, folded: true, searched: true, example: 'Grace Hopper' }),
  email: email({ unique: true, searched: true, example: 'grace@example.com' }),
  phone_numbers: textList({ example: ['+1 202 555 0100'] }),
}

const applicants = resource(CANDIDATES, applicantFields)

/** `{id, full_name, email, phone_numbers}` */
export const applicantCard = card(applicants, 'Applicant', ['id', 'full_name', 'email', 'phone_numbers'])
