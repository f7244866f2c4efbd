import { insertAll } from '../engine/records.ts'
import type { Writer } from '../ledger/write.ts'
import type { KeptGrant } from './grants.ts'
import { FIELD_GROUPS } from './permissions.ts'
import { roleGrants, roles } from './roles.ts'

/** The roles that every account starts with. One may change or delete them. */

type Given = Pick<KeptGrant, 'scope' | 'permissions'> & { sees?: readonly string[] }

const all = [...FIELD_GROUPS]

/** What anybody who works here finds out about colleagues and the company. */
const COMPANY: Given = {
  scope: 'everybody',
  permissions: ['directory:read', 'organisation:read', 'teams:read', 'knowledge:read', 'calendar:read'],
}

const ONESELF: Given = {
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
    'reviews:read',
    'review_answers:read',
    'review_answers:write',
    'assets:read',
  ],
  sees: all,
}

const READY_MADE: { standard: string; name: string; description: string; grants: Given[] }[] = [
  {
    standard: 'owner',
    name: 'Owner',
    description: 'Does and sees everything, and says who else may.',
    grants: [{ scope: 'everybody', permissions: ['*'], sees: all }],
  },
  {
    standard: 'hr',
    name: 'HR',
    description: 'Looks after all people and all that is known of them.',
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
    description: 'Reads what pay is made from: people, pay, time and leave.',
    grants: [
      {
        scope: 'everybody',
        permissions: ['employees:read', 'time:read', 'leave:read', 'reports:read', ...COMPANY.permissions],
        sees: ['compensation', 'personal'],
      },
    ],
  },
  {
    standard: 'recruiter',
    name: 'Recruiter',
    description: 'Fills all vacancies.',
    grants: [{ scope: 'everybody', permissions: ['recruitment:*', 'tasks:*'], sees: all }, { ...COMPANY }],
  },
  {
    standard: 'hiring_manager',
    name: 'Hiring manager',
    description: 'Sees and moves the candidates of the vacancies that they lead or work on.',
    grants: [{ scope: 'vacancies', permissions: ['recruitment:read', 'recruitment:write'], sees: ['notes'] }, COMPANY],
  },
  {
    standard: 'manager',
    name: 'Manager',
    description: 'Looks after all who report to them, at any depth, without seeing their pay.',
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
    description: 'Sees who works here, and all of their own.',
    grants: [ONESELF, COMPANY],
  },
]

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
