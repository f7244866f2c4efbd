import { useEffect, useSyncExternalStore } from 'react'
import type { IconName } from './icons.tsx'

/** What can be done from the command palette besides going to screens: each screen brings its own while it is open. */
export type Action = { name: string; icon: IconName; run: () => void }

let actions: readonly Action[] = []
const listeners = new Set<() => void>()
const change = (next: readonly Action[]) => {
  actions = next
  for (const listener of listeners) listener()
}

export const useActionsNow = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => actions,
  )

/** Give it a list that stays the same (`useMemo`). */
export function useActions(own: readonly Action[]): void {
  useEffect(() => {
    change([...actions, ...own])
    return () => change(actions.filter((one) => !own.includes(one)))
  }, [own])
}
