import { useMe } from '../client/me.ts'
import { screens } from '../screens.ts'
import { mayOpen } from '../shell/shell.tsx'
import type { ScreenName } from '../shell/texts.ts'

/** The path of a screen, when there is one that the person may open: links lead to nothing else. */
export function useScreenPath(): (name: ScreenName) => string | undefined {
  const { permissions } = useMe()
  return (name) => screens.find((one) => one.name === name && mayOpen(permissions, one))?.path
}
