import Type from 'typebox'
import type { Row, Sent } from '../../engine/declaration.ts'
import { type Body, get, list, post, put, remove } from '../../engine/derive.ts'
import { alsoTheGone, eraseForGood } from '../../engine/erasure.ts'
import { boolean, choice, derived, email, neverBlank, text } from '../../engine/field.ts'
import { isText, timeRange } from '../../engine/filter.ts'
import { type FieldProblem, wrong } from '../../engine/problem.ts'
import { amend, create } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { fullName } from './person.ts'

/** People outside the company who take part in its work: recruiters of agencies and the like. They are no employees. */

/** What they do here. An id is a place in this list, so that new ones stand behind it. */
const ROLES = [
  { id: 1, name: 'External Recruiter', value: 'external_recruiter' },
  { id: 2, name: 'External Interviewer', value: 'external_interviewer' },
  { id: 3, name: 'External Consultant', value: 'external_consultant' },
] as const

type ExternalUserRole = (typeof ROLES)[number]['value']

const ROLE = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    value: Type.Unsafe({ type: 'string', enum: ROLES.map((one) => one.value) }),
  },
  { title: 'ExternalUserRole' },
)

export const externalUsers = resource(
  { table: 'external_users', one: 'external user', area: 'external_users' },
  {
    active: neverBlank(boolean({ default: true, note: 'Whether the person still works for the company' })),
    access: neverBlank(
      boolean({
        default: false,
        note: 'Whether other systems should give the person access. Cadre does not use it: people sign in as users (`/users`)',
      }),
    ),
    first_name: text({ required: true, example: 'Mary' }),
    last_name: text({ required: true, example: 'Jackson' }),
    full_name: derived(Type.String(), ['first_name', 'last_name'], fullName),
    email: email({ required: true, unique: true, example: 'mary@agency.example' }),
    // Sent by its value, shown as the whole.
    role: {
      ...neverBlank(
        choice(
          ROLES.map(({ value }) => value),
          { default: 'external_recruiter' as ExternalUserRole },
        ),
      ),
      output: null,
    },
    role_shown: derived(ROLE, ['role'], ({ role }) => ROLES.find(({ value }) => value === role), { as: 'role' }),
  },
)

const more = {
  role_id: Type.Unsafe<number>({
    type: 'integer',
    enum: ROLES.map(({ id }) => id),
    maximum: ROLES.length,
    description: `ID of the role; send this or \`role\`. ${ROLES.map(({ id, value }) => `${id}: \`${value}\``).join(', ')}`,
  }),
}

/** The role under its one name. */
function readRole(
  { role_id, ...body }: Body<typeof externalUsers, typeof more>,
  problems: FieldProblem[],
): Sent<typeof externalUsers> {
  const role = ROLES.find(({ id }) => id === role_id)?.value
  if (!role) return body
  if (body.role && body.role !== role)
    problems.push(wrong('role_id', 'mismatch', `means ${role}, but role is ${body.role}. Send only one of them`))
  return { ...body, role }
}

export const externalUserOperations = [
  list(externalUsers, {
    filters: { created_at: timeRange(externalUsers, 'created_at'), email: isText(externalUsers, 'email') },
  }),
  get(externalUsers),
  post(externalUsers, {
    more,
    store: ({ db, body, problems }) => create(db, externalUsers, readRole(body, problems), { problems }),
  }),
  put(externalUsers, {
    more,
    store: ({ db, body, problems }, before: Row<typeof externalUsers>) =>
      amend(db, externalUsers, before, readRole(body, problems), { problems }),
  }),
  alsoTheGone(
    externalUsers,
    remove(externalUsers, {
      note: 'Erases the person and their data for good; undo cannot restore them. The change history still shows that a person was created and erased, but no names or values. Also works after the creation of the person was undone.',
      conflicts: null,
      store: ({ db }, before) => eraseForGood(db, externalUsers, before.id),
    }),
  ),
]
