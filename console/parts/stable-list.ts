import { useRef } from 'react'

/**
 * A list whose lines stay where they are until it is opened anew: one that is done with is shown as such, and nothing
 * else comes under the pointer or the key that did it. What comes new stands at the end.
 */
export function useStableList<T>(
  items: readonly T[],
  keyOf: (one: T) => string | number,
  /** Another one is another list. */
  list = '',
): { item: T; isThere: boolean }[] {
  const kept = useRef({ list, rows: new Map<string | number, T>() })
  if (kept.current.list !== list) kept.current = { list, rows: new Map() }
  const { rows } = kept.current
  const there = new Set(items.map(keyOf))
  for (const item of items) rows.set(keyOf(item), item)
  return [...rows].map(([key, item]) => ({ item, isThere: there.has(key) }))
}
