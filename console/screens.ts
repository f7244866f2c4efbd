import type { Permission } from './client/operations.ts'
import type { QuickAction, Screen } from './shell/screens.ts'

/** All screens, in the order of the menu. A new screen only needs a line here. */

export const quickActions: readonly QuickAction[] = [
  {
    name: 'askForLeave',
    icon: 'leave',
    needs: ['leave:request'],
    isOwn: true,
    to: '/leave',
    focus: '[data-leave-ask]',
    synonyms: 'leaveWords',
  },
  { name: 'addTime', icon: 'time', needs: ['time:enter'], isOwn: true, to: '/time?entry=new' },
  { name: 'decide', icon: 'check', needs: ['leave:approve', 'time:approve'], to: '/leave/approvals' },
  { name: 'inviteSomebody', icon: 'mail', needs: ['users:write'], to: '/settings/users/new' },
]

/** Any of these permissions opens the settings. The settings screen decides which sections to show. */
const SETTINGS: readonly Permission[] = [
  'organisation:write',
  'users:read',
  'keys:read',
  'audits:read',
  'recruitment:write',
  'leave:write',
]

const SHOWN_IN_SETTINGS =
  'project department location division position job_level job_profile job_group employment_type legal_entity leave_type leave_policy holiday_policy working_pattern probation_policy pipeline category employee_field employee_table candidate_field vacancy_field'.split(
    ' ',
  )

export const screens: readonly Screen[] = [
  { path: '/', name: 'home', icon: 'home', inMenu: true, load: () => import('./screens/home/page.tsx') },
  {
    path: '/people',
    name: 'people',
    icon: 'people',
    needs: ['employees:read', 'directory:read'],
    inMenu: true,
    load: () => import('./screens/people/page.tsx'),
  },
  {
    path: '/org',
    name: 'orgChart',
    icon: 'chart',
    needs: ['directory:read'],
    inMenu: true,
    load: () => import('./screens/org/page.tsx'),
  },
  {
    path: '/dashboards',
    name: 'dashboards',
    icon: 'dashboard',
    needs: ['reports:read'],
    inMenu: true,
    load: () => import('./screens/dashboards/page.tsx'),
  },
  {
    path: '/people/new',
    name: 'people',
    icon: 'people',
    needs: ['employees:write'],
    load: () => import('./screens/new-person/page.tsx'),
  },
  {
    path: '/people/:id',
    name: 'profile',
    icon: 'person',
    shows: ['person'],
    load: () => import('./screens/profile/page.tsx'),
  },
  {
    path: '/leave',
    name: 'leave',
    icon: 'leave',
    needs: ['leave:read', 'time:approve'],
    inMenu: true,
    synonyms: 'leaveWords',
    load: () => import('./screens/leave/page.tsx'),
  },
  {
    path: '/leave/:part',
    name: 'leave',
    icon: 'leave',
    needs: ['leave:read', 'time:approve'],
    load: () => import('./screens/leave/page.tsx'),
  },
  {
    path: '/time',
    name: 'time',
    icon: 'time',
    needs: ['time:read'],
    inMenu: true,
    load: () => import('./screens/time/page.tsx'),
  },
  {
    path: '/time/:part',
    name: 'time',
    icon: 'time',
    needs: ['time:read'],
    load: () => import('./screens/time/page.tsx'),
  },
  {
    path: '/hiring',
    name: 'hiring',
    icon: 'board',
    needs: ['recruitment:read'],
    inMenu: true,
    load: () => import('./screens/hiring/page.tsx'),
  },
  {
    path: '/hiring/new',
    name: 'hiring',
    icon: 'board',
    needs: ['recruitment:write'],
    load: () => import('./screens/hiring/new.tsx'),
  },
  {
    path: '/hiring/:id/details',
    name: 'hiring',
    icon: 'board',
    needs: ['recruitment:read'],
    load: () => import('./screens/hiring/details.tsx'),
  },
  {
    path: '/hiring/:id',
    name: 'hiring',
    icon: 'board',
    needs: ['recruitment:read'],
    shows: ['vacancy'],
    load: () => import('./screens/hiring/board.tsx'),
  },
  {
    path: '/candidates/:id',
    name: 'candidate',
    icon: 'candidate',
    needs: ['recruitment:read'],
    shows: ['candidate'],
    load: () => import('./screens/candidate/page.tsx'),
  },
  {
    path: '/performance',
    name: 'performance',
    icon: 'target',
    needs: ['performance:read', 'reviews:read'],
    inMenu: true,
    load: () => import('./screens/performance/page.tsx'),
  },
  {
    path: '/performance/*',
    name: 'performance',
    icon: 'target',
    needs: ['performance:read', 'reviews:read'],
    load: () => import('./screens/performance/page.tsx'),
  },
  {
    path: '/settings',
    name: 'settings',
    icon: 'settings',
    needs: SETTINGS,
    inMenu: true,
    sections: async (locale) => (await import('./screens/settings/page.tsx')).sectionsIn(locale),
    load: () => import('./screens/settings/page.tsx'),
  },
  {
    path: '/settings/*',
    name: 'settings',
    icon: 'settings',
    needs: SETTINGS,
    shows: SHOWN_IN_SETTINGS,
    load: () => import('./screens/settings/page.tsx'),
  },
  { path: '/account', name: 'account', icon: 'person', load: () => import('./screens/account/page.tsx') },
  { path: '/sign-in', name: 'account', icon: 'lock', isPublic: true, load: () => import('./screens/sign-in/page.tsx') },
  {
    path: '/sign-in/link',
    name: 'account',
    icon: 'lock',
    isPublic: true,
    load: () => import('./screens/sign-in/link.tsx'),
  },
  {
    path: '/sign-in/sso',
    name: 'account',
    icon: 'lock',
    isPublic: true,
    load: () => import('./screens/sign-in/sso.tsx'),
  },
]
