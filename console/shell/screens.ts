import { type ComponentType, createContext, useContext } from 'react'
import { permits, useMe } from '../client/me.ts'
import type { Permission } from '../client/operations.ts'
import type { Locale } from '../texts/catalogue.ts'
import type { IconName } from './icons.tsx'
import type { ScreenName } from './texts.ts'

/** What the frame and links know of a screen. The list of all screens is above them: `app.tsx` hands it down. */

export type ScreenProps = {
  /** The values of the path: `/people/:id` → `{id}`; what `*` stands for is `rest`. */
  params: Record<string, string>
}

/** A part of a screen that the palette finds by its name. */
export type SectionLink = { name: string; path: string; needs: readonly Permission[] }

export type Screen = {
  path: string
  /** What it is called, in `shell/texts.ts`. */
  name: ScreenName
  icon: IconName
  /** What one must hold to see it: one of these. Nothing: everybody who is signed in. */
  needs?: readonly Permission[]
  /** Other words by which it is searched for. */
  synonyms?: ScreenName
  /** In the navigation; others are reached from a screen. */
  inMenu?: boolean
  /** Kinds of what the search finds that this screen shows: at its `:id`, or below its `*` at their own path. */
  shows?: readonly string[]
  /** Its sections, for the palette: loaded when somebody searches. */
  sections?: (locale: Locale) => Promise<readonly SectionLink[]>
  /** For anybody, signed in or not, without the frame. */
  isPublic?: boolean
  load: () => Promise<{ default: ComponentType<ScreenProps> }>
}

/** What can be done from the palette, wherever one is. */
export type QuickAction = {
  name: ScreenName
  icon: IconName
  needs?: readonly Permission[]
  /** Only for whoever is an employee. */
  isOwn?: boolean
  to: string
  /** Where the keyboard goes on there. */
  focus?: string
  /** Other words by which it is searched for. */
  synonyms?: ScreenName
}

/** All screens and quick actions. */
export const ScreensContext = createContext<{ screens: readonly Screen[]; quickActions: readonly QuickAction[] }>({
  screens: [],
  quickActions: [],
})

export const useScreens = () => useContext(ScreensContext)

export const mayOpen = (permissions: readonly string[], { needs }: Screen) =>
  !needs || needs.some((one) => permits(permissions, one))

/** The path of a screen, when there is one that the person may open: links lead to nothing else. */
export function useScreenPath(): (name: ScreenName) => string | undefined {
  const { permissions } = useMe()
  const { screens } = useScreens()
  return (name) => screens.find((one) => one.name === name && mayOpen(permissions, one))?.path
}
