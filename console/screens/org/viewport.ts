import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useElementSize, useMergedRef, useReducedMotion } from '@mantine/hooks'
import { type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'
import { HEIGHT, type Layout, WIDTH } from './layout.ts'

/** The visible part of the chart and its zoom. Pointer, wheel, pinch and drag change it. */

const NEAREST = 2

export type View = { x: number; y: number; k: number }
type ChangeView = (change: (now: View | undefined) => View | undefined) => void

export function useViewport(layout: Layout) {
  const isStill = useReducedMotion()
  const { ref: sized, width, height } = useElementSize<HTMLDivElement>()
  const element = useRef<HTMLDivElement>(null)
  const ref = useMergedRef(sized, element)
  const [view, setView] = useState<View>()
  const flight = useRef(0)

  const whole = useCallback((): View => {
    const { frame } = layout
    const k = Math.min((width - 48) / (frame.right - frame.left), (height - 72) / (frame.bottom - frame.top), 1)
    return { k, x: (width - (frame.right + frame.left) * k) / 2, y: 24 }
  }, [layout, width, height])

  /** The whole chart if it is readable, otherwise its beginning. */
  const beginning = useCallback((): View => {
    const all = whole()
    if (all.k >= 0.5) return all
    const k = width < 600 ? 0.75 : 0.85
    const first = layout.places[0]
    const [x, y] = first === undefined ? [0, 0] : [layout.x[first] as number, layout.y[first] as number]
    return { k, x: width / 2 - (x + WIDTH / 2) * k, y: 24 - y * k }
  }, [whole, layout, width])

  const around = useCallback(
    (place: number, k: number): View => ({
      k,
      x: width / 2 - ((layout.x[place] as number) + WIDTH / 2) * k,
      y: height * 0.4 - ((layout.y[place] as number) + HEIGHT / 2) * k,
    }),
    [layout, width, height],
  )

  const fly = useCallback(
    (to: View) => {
      cancelAnimationFrame(flight.current)
      if (isStill) return setView(to)
      const begun = performance.now()
      let from: View | undefined
      const step = (now: number) => {
        const part = Math.min(1, Math.max(0, (now - begun) / 450))
        const eased = 1 - (1 - part) ** 3
        const between = (one: number, other: number) => one + (other - one) * eased
        setView((current = to) => {
          from ??= current
          return { x: between(from.x, to.x), y: between(from.y, to.y), k: between(from.k, to.k) }
        })
        if (part < 1) flight.current = requestAnimationFrame(step)
      }
      flight.current = requestAnimationFrame(step)
    },
    [isStill],
  )
  useEffect(() => () => cancelAnimationFrame(flight.current), [])

  const zoom = useCallback((by: number, atX: number, atY: number) => {
    setView((now) => {
      if (!now) return now
      const k = Math.min(NEAREST, Math.max(0.002, now.k * by))
      return { k, x: atX - ((atX - now.x) / now.k) * k, y: atY - ((atY - now.y) / now.k) * k }
    })
  }, [])

  // React registers wheel listeners as passive, which cannot prevent scrolling.
  useEffect(() => {
    const own = element.current
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const { left, top } = (own as HTMLElement).getBoundingClientRect()
      if (event.shiftKey) setView((now) => now && { ...now, x: now.x - (event.deltaX || event.deltaY), y: now.y })
      else zoom(Math.exp(-Math.max(-100, Math.min(100, event.deltaY)) / 400), event.clientX - left, event.clientY - top)
    }
    own?.addEventListener('wheel', onWheel, { passive: false })
    return () => own?.removeEventListener('wheel', onWheel)
  }, [zoom])

  return { ref, element, width, height, view, setView, whole, beginning, around, fly, zoom }
}

export type Viewport = ReturnType<typeof useViewport>

/** One pointer moves the chart, two pointers zoom it. */
export function usePan(
  element: { current: HTMLElement | null },
  setView: ChangeView,
  zoom: (by: number, x: number, y: number) => void,
) {
  const pointers = useRef(new Map<number, { x: number; y: number }>())
  const way = useRef(0)
  const wasMoved = useCallback(() => way.current > 4, [])
  return {
    wasMoved,
    down(event: PointerEvent) {
      if (event.button !== 0 || (event.target as HTMLElement).closest('.org-toggle')) return
      if (pointers.current.size === 0) way.current = 0
      pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    },
    move(event: PointerEvent) {
      const last = pointers.current.get(event.pointerId)
      if (!last) return
      const now = { x: event.clientX, y: event.clientY }
      const [dx, dy] = [now.x - last.x, now.y - last.y]
      way.current += Math.abs(dx) + Math.abs(dy)
      // Capture the pointer only when it moves, so that a click reaches the card below.
      if (wasMoved() && !element.current?.hasPointerCapture(event.pointerId))
        element.current?.setPointerCapture(event.pointerId)
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
      pointers.current.set(event.pointerId, now)
      if (!other) return setView((view) => view && { ...view, x: view.x + dx, y: view.y + dy })
      const { left, top } = (element.current as HTMLElement).getBoundingClientRect()
      const apart = (one: { x: number; y: number }) => Math.hypot(one.x - other.x, one.y - other.y)
      zoom(apart(now) / Math.max(1, apart(last)), (now.x + other.x) / 2 - left, (now.y + other.y) / 2 - top)
    },
    up(event: PointerEvent) {
      pointers.current.delete(event.pointerId)
    },
  }
}

/** Dragging a card near the edge scrolls the chart. */
export function useEdgeScroll(
  element: { current: HTMLElement | null },
  setView: ChangeView,
  isDragging: boolean,
): void {
  useEffect(() => {
    if (!isDragging) return
    return monitorForElements({
      onDrag: ({ location }) => {
        const { left, right, top, bottom } = (element.current as HTMLElement).getBoundingClientRect()
        const { clientX, clientY } = location.current.input
        const push = (at: number, low: number, high: number) => (at < low + 60 ? 16 : at > high - 60 ? -16 : 0)
        const [dx, dy] = [push(clientX, left, right), push(clientY, top, bottom)]
        if (dx || dy) setView((now) => now && { ...now, x: now.x + dx, y: now.y + dy })
      },
    })
  }, [element, setView, isDragging])
}
