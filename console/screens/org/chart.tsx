import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { ActionIcon, Tooltip } from '@mantine/core'
import { useElementSize, useMergedRef, useReducedMotion } from '@mantine/hooks'
import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Face } from '../../parts/person.tsx'
import { Icon } from '../../shell/icons.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { boxesOf, HEIGHT, type Layout, meets, placeAt, WIDTH, within } from './layout.ts'
import { orgTexts } from './texts.ts'
import { isWithin, type Person, type Tree } from './tree.ts'

/**
 * The chart itself. Whatever the number of people, only cards that are in view are in the document; from far away the
 * boxes are a path for each colour, which only the view moves.
 */

/** More cards than these are drawn as boxes, and so is what would be too small to be read. */
const MOST_CARDS = 250
const READABLE = 0.42
const NEAREST = 2
const MARGIN = 120

type View = { x: number; y: number; k: number }

export type ChartHandle = {
  flyTo: (id: number, isFocused?: boolean) => void
  /** What is done next moves everything but this one. */
  hold: (id: number) => void
}

export type ChartProps = {
  tree: Tree
  layout: Layout
  /** By place: which of the colours. */
  colourOf: (place: number) => number
  selected: number | undefined
  isOpen: (person: Person, place: number) => boolean
  onToggle: (id: number) => void
  onSelect: (id: number, isByKey: boolean) => void
  /** Those of whom something is planned. */
  moved: ReadonlySet<number>
  /** Present while a reorganisation is planned. */
  onMove?: ((id: number, to: number) => void) | undefined
  ref?: Ref<ChartHandle>
}

export function Chart(props: ChartProps) {
  const { tree, layout, colourOf, selected, isOpen, onToggle, onSelect, moved, onMove, ref } = props
  const t = useTexts(orgTexts)
  const isStill = useReducedMotion()
  const { ref: sized, width, height } = useElementSize<HTMLDivElement>()
  const element = useRef<HTMLDivElement>(null)
  const both = useMergedRef(sized, element)
  const [view, setView] = useState<View>()
  const [hovered, setHovered] = useState<{ place: number; x: number; y: number }>()
  const [focused, setFocused] = useState<number>()
  const wantsFocus = useRef(false)
  const flight = useRef(0)

  const whole = useCallback((): View => {
    const { frame } = layout
    const k = Math.min((width - 48) / (frame.right - frame.left), (height - 72) / (frame.bottom - frame.top), 1)
    return { k, x: (width - (frame.right + frame.left) * k) / 2, y: 24 }
  }, [layout, width, height])

  /** All of it where that can be read, otherwise its beginning. */
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

  // Somebody is flown to once they are on the chart: what was closed above them may just be opening.
  const target = useRef<{ id: number; isFocused: boolean } | undefined>(
    selected === undefined ? undefined : { id: selected, isFocused: false },
  )
  const held = useRef<number>(undefined)
  const before = useRef<{ tree: Tree; layout: Layout }>(undefined)
  const arrive = useCallback(() => {
    const place = target.current && tree.placeOf.get(target.current.id)
    if (place === undefined || !target.current || width === 0) return false
    // Not seen yet: a manager above is closed.
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
  }, [tree, layout, width, around, fly, view])

  useImperativeHandle(
    ref,
    () => ({
      flyTo: (id, isFocused = false) => {
        target.current = { id, isFocused }
        arrive()
      },
      hold: (id) => {
        held.current = id
      },
    }),
    [arrive],
  )

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
  }, [width, layout, tree, arrive, view, selected, beginning])

  const zoom = useCallback((by: number, atX: number, atY: number) => {
    setView((now) => {
      if (!now) return now
      const k = Math.min(NEAREST, Math.max(0.002, now.k * by))
      return { k, x: atX - ((atX - now.x) / now.k) * k, y: atY - ((atY - now.y) / now.k) * k }
    })
  }, [])

  // The browser takes listeners of React for the wheel as passive ones.
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

  const hand = usePan(element, setView, zoom)

  const { k = 1, x = 0, y = 0 } = view ?? {}
  const frame = {
    left: (-x - MARGIN) / k,
    top: (-y - MARGIN) / k,
    right: (width - x + MARGIN) / k,
    bottom: (height - y + MARGIN) / k,
  }
  const cards = view && k >= READABLE ? within(layout, frame, MOST_CARDS) : null

  // Made once for a layout: moving and zooming does not touch them.
  const far = useMemo(() => {
    const groups = Map.groupBy(layout.places, colourOf)
    return {
      boxes: [...groups].map(([colour, places]) => ({ colour, path: boxesOf(layout, places) })),
      lines: layout.lines.map(({ path }) => path).join(''),
    }
  }, [layout, colourOf])
  const lines = cards
    ? layout.lines
        .filter((one) => meets(one, frame))
        .map(({ path }) => path)
        .join('')
    : far.lines

  const canTake = useCallback(
    (id: number, onto: number) => {
      const [place, to] = [tree.placeOf.get(id), tree.placeOf.get(onto)]
      return place !== undefined && to !== undefined && !isWithin(tree, to, place) && tree.above[place] !== to
    },
    [tree],
  )

  // Near the edge, what is dragged takes the chart along.
  useEffect(() => {
    if (!onMove) return
    return monitorForElements({
      onDrag: ({ location }) => {
        const { left, right, top, bottom } = (element.current as HTMLElement).getBoundingClientRect()
        const { clientX, clientY } = location.current.input
        const push = (at: number, low: number, high: number) => (at < low + 60 ? 16 : at > high - 60 ? -16 : 0)
        const [dx, dy] = [push(clientX, left, right), push(clientY, top, bottom)]
        if (dx || dy) setView((now) => now && { ...now, x: now.x + dx, y: now.y + dy })
      },
    })
  }, [onMove])

  const current = focused ?? selected ?? (cards?.[0] === undefined ? undefined : tree.people[cards[0]]?.id)
  useEffect(() => {
    if (!wantsFocus.current) return
    const own = element.current?.querySelector<HTMLElement>(`[data-person="${focused}"]`)
    if (!own) return
    wantsFocus.current = false
    own.focus({ preventScroll: true })
  })

  const goTo = (place: number | undefined) => {
    if (place === undefined || place < 0) return
    target.current = { id: (tree.people[place] as Person).id, isFocused: true }
    arrive()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const middle: [number, number] = [width / 2, height / 2]
    const own = event.target as HTMLElement
    const place = tree.placeOf.get(Number(own.dataset.person))
    const by = { ArrowUp: [0, 80], ArrowDown: [0, -80], ArrowLeft: [80, 0], ArrowRight: [-80, 0] }[event.key]
    const beside = (step: 1 | -1) => {
      const siblings = layout.places.filter((one) => tree.above[one] === tree.above[place as number])
      return siblings[siblings.indexOf(place as number) + step]
    }
    const person = place === undefined ? undefined : tree.people[place]
    if (event.key === '+' || event.key === '=') zoom(1.25, ...middle)
    else if (event.key === '-') zoom(0.8, ...middle)
    else if (event.key === '0') fly(whole())
    else if (place === undefined || !person) {
      if (!by) return
      setView((now) => now && { ...now, x: now.x + (by[0] as number), y: now.y + (by[1] as number) })
    } else if (event.key === 'ArrowUp') goTo(tree.above[place])
    else if (event.key === 'ArrowDown') {
      if (person.all === 0) return
      if (!isOpen(person, place)) {
        held.current = person.id
        onToggle(person.id)
      }
      goTo(place + 1)
    } else if (event.key === 'ArrowLeft') goTo(beside(-1))
    else if (event.key === 'ArrowRight') goTo(beside(1))
    else if (event.key === 'Enter') onSelect(person.id, true)
    else if (event.key === ' ') {
      held.current = person.id
      if (person.all > 0) onToggle(person.id)
    } else return
    event.preventDefault()
  }

  const toggle = useCallback(
    (id: number) => {
      held.current = id
      onToggle(id)
    },
    [onToggle],
  )
  const select = useCallback(
    (id: number) => {
      if (!hand.wasMoved()) onSelect(id, false)
    },
    [onSelect, hand.wasMoved],
  )

  const pointed = (event: PointerEvent) => {
    const { left, top } = (element.current as HTMLElement).getBoundingClientRect()
    const [atX, atY] = [event.clientX - left, event.clientY - top]
    return { place: placeAt(layout, (atX - x) / k, (atY - y) / k), x: atX, y: atY }
  }

  return (
    <div className="org-frame">
      {/* biome-ignore lint/a11y/useSemanticElements: a set of fields it is not */}
      <div
        ref={both}
        className="org-view"
        role="group"
        aria-label={t('title')}
        aria-describedby="org-keys"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved and zoomed by keys
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          const isCard = (event.target as HTMLElement).closest('[data-person]')
          if (!(onMove && isCard && event.pointerType === 'mouse')) hand.down(event)
        }}
        onPointerMove={(event) => {
          hand.move(event)
          if (cards || event.pointerType !== 'mouse') return setHovered(undefined)
          const { place, ...at } = pointed(event)
          setHovered(place === undefined ? undefined : { place, ...at })
        }}
        onPointerUp={hand.up}
        onPointerCancel={hand.up}
        onPointerLeave={() => setHovered(undefined)}
        onClick={(event) => {
          if (cards || hand.wasMoved()) return
          const { place } = pointed(event as unknown as PointerEvent)
          if (place !== undefined) fly(around(place, 0.85))
        }}
      >
        <svg className="org-drawing" aria-hidden="true" focusable="false">
          <g transform={`translate(${x} ${y}) scale(${k})`}>
            <path className="org-lines" d={lines} vectorEffect="non-scaling-stroke" />
            {cards
              ? null
              : far.boxes.map(({ colour, path }) => (
                  <path key={colour} className={`org-fill org-c${colour}`} d={path} />
                ))}
          </g>
        </svg>
        {cards ? (
          <div className="org-cards" style={{ transform: `translate(${x}px, ${y}px) scale(${k})` }}>
            {cards.map((place) => {
              const person = tree.people[place] as Person
              return (
                <Card
                  key={person.id}
                  person={person}
                  x={layout.x[place] as number}
                  y={layout.y[place] as number}
                  colour={colourOf(place)}
                  isOpen={isOpen(person, place)}
                  isSelected={person.id === selected}
                  isCurrent={person.id === current}
                  isMoved={moved.has(person.id)}
                  onToggle={toggle}
                  onSelect={select}
                  onMove={onMove}
                  canTake={canTake}
                />
              )
            })}
          </div>
        ) : null}
        {hovered && tree.people[hovered.place] ? (
          <div className="org-tip" style={{ transform: `translate(${hovered.x + 12}px, ${hovered.y + 16}px)` }}>
            <b>{tree.people[hovered.place]?.name}</b> {tree.people[hovered.place]?.position}
          </div>
        ) : null}
      </div>
      <p id="org-keys" className="org-hidden">
        {t('keys')}
      </p>
      <div className="org-zoom no-print">
        <ZoomButton label={t('zoomIn')} icon="plus" onClick={() => zoom(1.4, width / 2, height / 2)} />
        <ZoomButton label={t('zoomOut')} icon="minus" onClick={() => zoom(1 / 1.4, width / 2, height / 2)} />
        <ZoomButton label={t('fit')} icon="fit" onClick={() => fly(whole())} />
      </div>
    </div>
  )
}

const ZoomButton = (props: { label: string; icon: 'plus' | 'minus' | 'fit'; onClick: () => void }) => (
  <Tooltip label={props.label} position="left">
    <ActionIcon variant="default" size="lg" aria-label={props.label} onClick={props.onClick}>
      <Icon name={props.icon} />
    </ActionIcon>
  </Tooltip>
)

/** Places are in their order. */
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

/** One pointer moves the chart, two of them zoom it. */
function usePan(
  element: { current: HTMLElement | null },
  setView: (change: (now: View | undefined) => View | undefined) => void,
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
      // Held only once it moves: a press alone is for what lies beneath.
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

type CardProps = {
  person: Person
  x: number
  y: number
  colour: number
  isOpen: boolean
  isSelected: boolean
  isCurrent: boolean
  isMoved: boolean
  onToggle: (id: number) => void
  onSelect: (id: number) => void
  onMove: ((id: number, to: number) => void) | undefined
  canTake: (id: number, onto: number) => boolean
}

const Card = memo(function Card(props: CardProps) {
  const { person, x, y, colour, isOpen, isSelected, isCurrent, isMoved, onToggle, onSelect, onMove, canTake } = props
  const t = useTexts(orgTexts)
  const box = useRef<HTMLDivElement>(null)
  const [isOver, setOver] = useState(false)
  const { id } = person
  useEffect(() => {
    if (!onMove) return
    const element = box.current as HTMLDivElement
    const stops = [
      draggable({ element, getInitialData: () => ({ person: id }) }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => canTake(source.data.person as number, id),
        onDragEnter: () => setOver(true),
        onDragLeave: () => setOver(false),
        onDrop: ({ source }) => {
          setOver(false)
          onMove(source.data.person as number, id)
        },
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [id, onMove, canTake])
  const state = [
    isSelected ? 'org-selected' : '',
    isMoved ? 'org-moved' : '',
    isOver ? 'org-over' : '',
    onMove ? 'org-draggable' : '',
  ]
  return (
    <div className="org-card" style={{ transform: `translate(${x}px, ${y}px)` }}>
      {/* biome-ignore lint/a11y/useSemanticElements: buttons cannot be dragged everywhere */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the chart has the keys */}
      <div
        ref={box}
        role="button"
        className={`org-box org-c${colour} ${state.join(' ')}`}
        data-person={id}
        tabIndex={isCurrent ? 0 : -1}
        aria-pressed={isSelected}
        onClick={() => onSelect(id)}
      >
        <Face of={{ full_name: person.name, avatar_url: person.photo }} size={38} />
        <span className="org-words">
          <span className="org-name">{person.name}</span>
          <span className="org-position">{person.position}</span>
          <Below of={person} />
        </span>
        {isMoved ? (
          <span className="org-badge">
            <Icon name="edit" size={12} />
          </span>
        ) : null}
      </div>
      {person.all > 0 ? (
        <button
          type="button"
          className="org-toggle"
          tabIndex={-1}
          aria-expanded={isOpen}
          title={t('counts', { direct: person.direct, all: person.all })}
          onClick={() => onToggle(id)}
        >
          <span className="org-hidden">{t(isOpen ? 'collapse' : 'expand', { name: person.name })}</span>
          <span aria-hidden="true">
            {person.all === person.direct ? person.all : `${person.direct} · ${person.all}`}
          </span>
          <Icon name={isOpen ? 'collapse' : 'expand'} size={12} />
        </button>
      ) : null}
    </div>
  )
})

/** How many report to somebody, for those who do not see the chart. */
function Below({ of: { direct, all } }: { of: Person }) {
  const t = useTexts(orgTexts)
  return all > 0 ? <span className="org-hidden">{t('below', { direct, all })}</span> : null
}
