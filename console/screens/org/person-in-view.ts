import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Layout } from './layout.ts'
import type { Tree } from './tree.ts'
import type { Viewport } from './viewport.ts'

/** Scrolls to a person, and keeps a person in place while their reports are shown or hidden. */
export function usePersonInView(tree: Tree, layout: Layout, selected: number | undefined, viewport: Viewport) {
  const { element, width, view, setView, beginning, around, fly } = viewport
  const [focused, setFocused] = useState<number>()
  const wantsFocus = useRef(false)
  // The person to scroll to once they are on the chart. The managers above may still be opening.
  const target = useRef<{ id: number; isFocused: boolean } | undefined>(
    selected === undefined ? undefined : { id: selected, isFocused: false },
  )
  const held = useRef<number>(undefined)
  const before = useRef<{ tree: Tree; layout: Layout }>(undefined)
  const arrive = useCallback(() => {
    const place = target.current && tree.placeOf.get(target.current.id)
    if (place === undefined || !target.current || width === 0) return false
    // Not visible yet, because a manager above is closed.
    if (!isShown(layout, place)) return false
    const { isFocused, id } = target.current
    target.current = undefined
    const to = around(place, Math.max(view?.k ?? 1, 0.85))
    if (view) fly(to)
    else setView(to)
    if (isFocused) {
      wantsFocus.current = true
      setFocused(id)
    }
    return true
  }, [tree, layout, width, around, fly, view, setView])

  useLayoutEffect(() => {
    if (width === 0) return
    const last = before.current
    before.current = { tree, layout }
    if (arrive()) return
    if (!view) return setView(beginning())
    if (!last || last.layout === layout) return
    const id = held.current ?? selected ?? tree.people[0]?.id
    held.current = undefined
    const [old, now] = [last.tree.placeOf.get(id as number), tree.placeOf.get(id as number)]
    if (old === undefined || now === undefined || !isShown(last.layout, old) || !isShown(layout, now)) return
    const { k } = view
    setView({
      k,
      x: view.x + ((last.layout.x[old] as number) - (layout.x[now] as number)) * k,
      y: view.y + ((last.layout.y[old] as number) - (layout.y[now] as number)) * k,
    })
  }, [width, layout, tree, arrive, view, selected, beginning, setView])

  useEffect(() => {
    if (!wantsFocus.current) return
    const own = element.current?.querySelector<HTMLElement>(`[data-person="${focused}"]`)
    if (!own) return
    wantsFocus.current = false
    own.focus({ preventScroll: true })
  })

  const flyTo = useCallback(
    (id: number, isFocused = false) => {
      target.current = { id, isFocused }
      arrive()
    },
    [arrive],
  )
  const keepInPlace = useCallback((id: number) => {
    held.current = id
  }, [])
  return { focused, flyTo, keepInPlace }
}

/** Places are sorted, so a binary search finds them. */
function isShown({ places }: Layout, place: number): boolean {
  let [low, high] = [0, places.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = places[middle] as number
    if (found === place) return true
    if (found < place) low = middle + 1
    else high = middle - 1
  }
  return false
}
