import type { Row } from '../../engine/declaration.ts'
import { permits } from '../../engine/permission.ts'
import { amend, create, insertAll, rowsOf } from '../../engine/records.ts'
import type { Writer } from '../../records/write.ts'
import type { StoredGrant } from './grants.ts'
import { FIELD_GROUPS, PLANNED, PROTECTIONS } from './permissions.ts'
import { REVISION, roleGrants, roles } from './roles.ts'

/** The roles that every account starts with. One may change or delete them. */

type DefaultGrant = Pick<StoredGrant, 'scope' | 'permissions'> & { sees?: readonly string[] }

const all = [...FIELD_GROUPS]

/** What anybody who works here finds out about colleagues and the company. */
const COMPANY: DefaultGrant = {
  scope: 'everybody',
  permissions: ['directory:read', 'organisation:read', 'teams:read', 'knowledge:read', 'calendar:read'],
}

/** One's own file, without what others have written about one. */
const ONESELF: DefaultGrant = {
  scope: 'self',
  permissions: [
    'employees:read',
    'skills:read',
    'leave:read',
    'leave:request',
    'time:read',
    'time:enter',
    'tasks:read',
    'tasks:write',
    'performance:read',
    'assets:read',
  ],
  sees: ['compensation', 'personal'],
}

/** The reviews that one takes part in: what one writes there is a note about somebody, and so is what one is told. */
const OWN_REVIEWS: DefaultGrant = {
  scope: 'self',
  permissions: ['reviews:read', 'review_answers:read', 'review_answers:write'],
  sees: [...PROTECTIONS],
}

const READY_MADE: { standard: string; name: string; description: string; grants: DefaultGrant[] }[] = [
  {
    standard: 'owner',
    name: 'Owner',
    description: 'Full access, including roles and permissions of others.',
    grants: [{ scope: 'everybody', permissions: ['*'], sees: all }],
  },
  {
    standard: 'hr',
    name: 'HR',
    description: 'Manages all employees and all of their data.',
    grants: [
      {
        scope: 'everybody',
        permissions: [
          'organisation:*',
          'employees:*',
          'skills:*',
          'external_users:*',
          'teams:*',
          'recruitment:*',
          'tasks:*',
          'performance:*',
          'time:*',
          'leave:*',
          'calendar:*',
          'audits:*',
          'assets:*',
          'knowledge:*',
          'reviews:*',
          'review_answers:*',
          'users:*',
          'directory:*',
          'reports:*',
        ],
        sees: all,
      },
    ],
  },
  {
    standard: 'payroll',
    name: 'Payroll',
    description: 'Sees the data that payroll needs: employees, compensation, time and leave.',
    grants: [
      {
        scope: 'everybody',
        permissions: ['employees:read', 'time:read', 'leave:read', 'reports:read', ...COMPANY.permissions],
        sees: ['compensation', 'personal', PLANNED],
      },
    ],
  },
  {
    standard: 'recruiter',
    name: 'Recruiter',
    description: 'Manages all vacancies and candidates.',
    grants: [{ scope: 'everybody', permissions: ['recruitment:*', 'tasks:*'], sees: all }, { ...COMPANY }],
  },
  {
    standard: 'hiring_manager',
    name: 'Hiring manager',
    description: 'Sees and moves candidates of the vacancies that they lead or where they are on the hiring team.',
    grants: [{ scope: 'vacancies', permissions: ['recruitment:read', 'recruitment:write'], sees: ['notes'] }, COMPANY],
  },
  {
    standard: 'manager',
    name: 'Manager',
    description: 'Manages direct and indirect reports, without seeing their compensation.',
    grants: [
      {
        scope: 'reports',
        permissions: [
          'employees:read',
          'skills:read',
          'leave:read',
          'leave:request',
          'leave:approve',
          'time:read',
          'time:approve',
          'tasks:read',
          'tasks:write',
          'performance:read',
          'performance:write',
          'assets:read',
        ],
        sees: ['notes'],
      },
    ],
  },
  {
    standard: 'employee',
    name: 'Employee',
    description: 'Sees the directory and their own data.',
    grants: [ONESELF, OWN_REVIEWS, COMPANY],
  },
]

const OF_REVIEWS = /^(reviews|review_answers):/

/**
 * Brings roles up to date that an earlier version has made. It let employees read what others wrote about them: their
 * ready-made role keeps that for the reviews that they take part in. And it showed what is planned to everybody: now those
 * see it who look after people, or see everybody's file.
 */
export async function reviseRoles(db: Writer): Promise<void> {
  const old = await rowsOf(roles, db.from('roles').where('revision', '<', REVISION))
  for (const role of old) {
    const grants = await rowsOf(roleGrants, db.from('role_grants').where('role_id', '=', role.id))
    for (const grant of grants) {
      if (showsPlans(grant)) await amend(db, roleGrants, grant, { sees: [...grant.sees, PLANNED] })
      if (role.standard === 'employee' && grant.scope === 'self' && grant.sees.includes('notes'))
        await hideNotes(db, grant)
    }
    await amend(db, roles, role, { revision: REVISION })
  }
}

const showsPlans = ({ scope, permissions, sees }: Row<typeof roleGrants>) =>
  !sees.includes(PLANNED) &&
  (permits(permissions, 'employees:write') || (scope === 'everybody' && permits(permissions, 'employees:read')))

async function hideNotes(db: Writer, grant: Row<typeof roleGrants>): Promise<void> {
  const [ofReviews, others] = [true, false].map((is) => grant.permissions.filter((one) => OF_REVIEWS.test(one) === is))
  if (others?.length === 0) return
  const sees = grant.sees.filter((group) => group !== 'notes')
  await amend(db, roleGrants, grant, { permissions: others, sees })
  const kept = grant.permissions.includes('*') ? OWN_REVIEWS.permissions : (ofReviews ?? [])
  if (kept.length > 0)
    await create(db, roleGrants, { role_id: grant.role_id, scope: 'self', permissions: [...kept], sees: grant.sees })
}

/** Gives an account the ready-made roles. */
export async function makeReadyRoles(db: Writer): Promise<void> {
  const ids = await insertAll(
    db,
    roles,
    READY_MADE.map(({ standard, name, description }) => ({ standard, name, description })),
  )
  await insertAll(
    db,
    roleGrants,
    READY_MADE.flatMap(({ grants }, index) =>
      grants.map(({ scope, permissions, sees = [] }) => ({
        role_id: ids[index] as number,
        scope,
        permissions: [...permissions],
        sees: [...sees],
      })),
    ),
  )
}
