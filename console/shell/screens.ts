import { type ComponentType, createContext, useContext } from 'react'
import { permits, useMe } from '../client/me.ts'
import type { Permission } from '../client/operations.ts'
import type { Locale } from '../texts/catalogue.ts'
import type { IconName } from './icons.tsx'
import type { ScreenName } from './texts.ts'

/** What the frame and links know about a screen. `app.tsx` passes the list of all screens. */

export type ScreenProps = {
  /** The parameters of the path: `/people/:id` → `{id}`; `*` is `rest`. */
  params: Record<string, string>
}

/** A part of a screen that the palette can open. */
export type SectionLink = { name: string; path: string; needs: readonly Permission[] }

export type Screen = {
  path: string
  /** The name's key in `shell/texts.ts`. */
  name: ScreenName
  icon: IconName
  /** The user needs one of these permissions. Without the list, every user may open it. */
  needs?: readonly Permission[]
  /** Synonyms for the search in the palette. */
  synonyms?: ScreenName
  /** Is it in the menu? Others are opened from a screen. */
  inMenu?: boolean
  /** The kinds of search results that this screen shows, at its `:id` or below its `*`. */
  shows?: readonly string[]
  /** Its sections for the palette, loaded when the user searches. */
  sections?: (locale: Locale) => Promise<readonly SectionLink[]>
  /** Visible without sign-in, and without the frame. */
  isPublic?: boolean
  load: () => Promise<{ default: ComponentType<ScreenProps> }>
}

/** An action that the palette always offers. */
export type QuickAction = {
  name: ScreenName
  icon: IconName
  needs?: readonly Permission[]
  /** Only for users who are employees. */
  isOwn?: boolean
  to: string
  /** Where the focus goes. */
  focus?: string
  /** Synonyms for the search in the palette. */
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

/** The path of a screen; undefined if it does not exist or the user may not open it. */
export function useScreenPath(): (name: ScreenName) => string | undefined {
  const { permissions } = useMe()
  const { screens } = useScreens()
  return (name) => screens.find((one) => one.name === name && mayOpen(permissions, one))?.path
}
