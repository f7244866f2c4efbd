import { access } from './domain/access/index.ts'
import { assets } from './domain/assets/index.ts'
import { audits } from './domain/audits/index.ts'
import { calendar } from './domain/calendar/index.ts'
import { custom } from './domain/custom/index.ts'
import { directory } from './domain/directory/index.ts'
import { files } from './domain/files/index.ts'
import { handover } from './domain/handover/index.ts'
import { knowledge } from './domain/knowledge/index.ts'
import { leave } from './domain/leave/index.ts'
import { notifications } from './domain/notifications/index.ts'
import { organisation } from './domain/organisation/index.ts'
import { people } from './domain/people/index.ts'
import { performance } from './domain/performance/index.ts'
import { privacy } from './domain/privacy/index.ts'
import { recruitment } from './domain/recruitment/index.ts'
import { reports } from './domain/reports/index.ts'
import { reviews } from './domain/reviews/index.ts'
import { search } from './domain/search/index.ts'
import { signIn } from './domain/sign-in/index.ts'
import { tasks } from './domain/tasks/index.ts'
import { time } from './domain/time/index.ts'
import { type Area, combine } from './engine/area.ts'

/** Areas whose record types the OpenAPI document lists right after accounts and sign-in. */
const PEOPLE_AND_HIRING: readonly Area[] = [
  people.employees,
  handover,
  directory,
  search,
  people.records,
  access.company,
  organisation,
  people.teams,
  recruitment,
]

/**
 * All areas, in the order of their paths in the OpenAPI document. Their consequences run in this order too, and each
 * also sees what earlier ones changed.
 */
const AREAS: readonly Area[] = [
  ...PEOPLE_AND_HIRING,
  tasks,
  performance,
  reviews,
  time.tracking,
  leave,
  calendar.events,
  time.employeeHolidays,
  assets,
  knowledge,
  privacy,
  calendar.feeds,
  access.users,
  signIn.methods,
  people.myAccount,
  signIn.myAccount,
  access.apiKeys,
  reports,
  audits.changes,
  notifications,
  audits.histories,
  files,
  custom,
]

/** Files, accounts and settings. Undo asks their guards first, and the first guard that refuses gives the reason. */
const GUARDED_FIRST = [files, access.users, access.company, privacy, calendar.feeds, signIn.methods, custom]

export const {
  operations,
  resources,
  consequences,
  guards,
  scopes,
  held,
  files: fileSources,
} = combine(AREAS, {
  resources: [access.apiKeys, access.users, signIn.methods, ...PEOPLE_AND_HIRING, privacy],
  guards: [...GUARDED_FIRST, people.employees, assets, recruitment, reviews, knowledge],
})
