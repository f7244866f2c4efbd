import type { ComponentType } from 'react'
import type { Permission } from './client/operations.ts'
import type { IconName } from './shell/icons.tsx'
import type { ScreenName } from './shell/texts.ts'

/** All screens, a line each: nothing else has to know of them. The order is that of the navigation. */

export type ScreenProps = {
  /** The values of the path: `/people/:id` → `{id}`; what `*` stands for is `rest`. */
  params: Record<string, string>
}

export type Screen = {
  path: string
  /** What it is called, in `shell/texts.ts`. */
  name: ScreenName
  icon: IconName
  /** What one must hold to see it: one of these. Nothing: everybody who is signed in. */
  needs?: readonly Permission[]
  /** In the navigation; others are reached from a screen. */
  inMenu?: boolean
  /** Kinds of what the search finds that this screen shows: at its `:id`, or below its `*` at their own path. */
  shows?: readonly string[]
  /** For anybody, signed in or not, without the frame. */
  isPublic?: boolean
  load: () => Promise<{ default: ComponentType<ScreenProps> }>
}

export const screens: readonly Screen[] = [
  {
    path: '/people',
    name: 'people',
    icon: 'people',
    needs: ['employees:read'],
    inMenu: true,
    load: () => import('./screens/people/page.tsx'),
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
