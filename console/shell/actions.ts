import { useEffect, useSyncExternalStore } from 'react'
import type { IconName } from './icons.tsx'

/** Actions of the command palette. Each open screen adds its own. */
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

/** Adds actions while the component is mounted. The list must be stable (`useMemo`). */
export function useActions(own: readonly Action[]): void {
  useEffect(() => {
    change([...actions, ...own])
    return () => change(actions.filter((one) => !own.includes(one)))
  }, [own])
}
