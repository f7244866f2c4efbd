import { useRef } from 'react'

/**
 * A list whose lines keep their places. Finished ones stay visible, so that no other line moves under the pointer or
 * the key. New ones come at the end.
 */
export function useStableList<T>(
  items: readonly T[],
  keyOf: (one: T) => string | number,
  /** Another value starts a new list. */
  list = '',
): { item: T; isThere: boolean }[] {
  const kept = useRef({ list, rows: new Map<string | number, T>() })
  if (kept.current.list !== list) kept.current = { list, rows: new Map() }
  const { rows } = kept.current
  const there = new Set(items.map(keyOf))
  for (const item of items) rows.set(keyOf(item), item)
  return [...rows].map(([key, item]) => ({ item, isThere: there.has(key) }))
}
