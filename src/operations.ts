import { access } from './access/index.ts'
import { assets } from './assets/index.ts'
import { audits } from './audits/index.ts'
import { calendar } from './calendar/index.ts'
import { custom } from './custom/index.ts'
import { directory } from './directory/index.ts'
import { type Area, combine } from './engine/area.ts'
import { files } from './files/index.ts'
import { knowledge } from './knowledge/index.ts'
import { leave } from './leave/index.ts'
import { notifications } from './notifications/index.ts'
import { organisation } from './organisation/index.ts'
import { people } from './people/index.ts'
import { performance } from './performance/index.ts'
import { privacy } from './privacy/index.ts'
import { recruitment } from './recruitment/index.ts'
import { reports } from './reports/index.ts'
import { reviews } from './reviews/index.ts'
import { search } from './search/index.ts'
import { signIn } from './sign-in/index.ts'
import { tasks } from './tasks/index.ts'
import { time } from './time/index.ts'

/** Areas whose record types the OpenAPI document lists right after accounts and sign-in. */
const PEOPLE_AND_HIRING: readonly Area[] = [
  people.employees,
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
  files: fileSources,
} = combine(AREAS, {
  resources: [access.apiKeys, access.users, signIn.methods, ...PEOPLE_AND_HIRING, privacy],
  guards: [...GUARDED_FIRST, people.employees, assets, recruitment, reviews, knowledge],
})
