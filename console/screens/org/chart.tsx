import { ActionIcon, Tooltip } from '@mantine/core'
import { type PointerEvent, type Ref, useCallback, useImperativeHandle, useMemo, useState } from 'react'
import { Icon } from '../../shell/icons.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { Card } from './card.tsx'
import { chartKeys } from './chart-keys.ts'
import { boxesOf, type Layout, meets, placeAt, within } from './layout.ts'
import { usePersonInView } from './person-in-view.ts'
import { orgTexts } from './texts.ts'
import { isWithin, type Person, type Tree } from './tree.ts'
import { useEdgeScroll, usePan, useViewport, type View, type Viewport } from './viewport.ts'

/**
 * The org chart. Only visible cards are in the document, however many people there are. Zoomed out, all boxes of a
 * colour are one path, so that moving and zooming is fast.
 */

/** With more visible cards than this, people are drawn as boxes. So are cards that would be too small to read. */
const MOST_CARDS = 250
const READABLE = 0.42
const MARGIN = 120

export type ChartHandle = {
  flyTo: (id: number, isFocused?: boolean) => void
  /** The next change of the layout keeps this person in place. */
  keepInPlace: (id: number) => void
}

export type ChartProps = {
  tree: Tree
  layout: Layout
  /** The colour number of the person at a place. */
  colourOf: (place: number) => number
  selected: number | undefined
  isOpen: (person: Person, place: number) => boolean
  onToggle: (id: number) => void
  onSelect: (id: number, isByKey: boolean) => void
  /** The people with a planned change. */
  moved: ReadonlySet<number>
  /** Set while the user plans a reorganisation. */
  onMove?: ((id: number, to: number) => void) | undefined
  ref?: Ref<ChartHandle>
}

export function Chart(props: ChartProps) {
  const { tree, layout, colourOf, selected, isOpen, onToggle, onSelect, moved, onMove, ref } = props
  const t = useTexts(orgTexts)
  const viewport = useViewport(layout)
  const { element, setView, zoom, fly, around } = viewport
  const { focused, flyTo, keepInPlace } = usePersonInView(tree, layout, selected, viewport)
  useImperativeHandle(ref, () => ({ flyTo, keepInPlace }), [flyTo, keepInPlace])
  const hand = usePan(element, setView, zoom)
  useEdgeScroll(element, setView, onMove !== undefined)
  const { cards, lines, boxes } = useDrawn(layout, colourOf, viewport)
  const [hovered, setHovered] = useState<{ place: number; x: number; y: number }>()
  const current = focused ?? selected ?? (cards?.[0] === undefined ? undefined : tree.people[cards[0]]?.id)

  const canTake = useCallback(
    (id: number, onto: number) => {
      const [place, to] = [tree.placeOf.get(id), tree.placeOf.get(onto)]
      return place !== undefined && to !== undefined && !isWithin(tree, to, place) && tree.above[place] !== to
    },
    [tree],
  )

  const toggle = useCallback(
    (id: number) => {
      keepInPlace(id)
      onToggle(id)
    },
    [keepInPlace, onToggle],
  )
  const select = useCallback(
    (id: number) => {
      if (!hand.wasMoved()) onSelect(id, false)
    },
    [onSelect, hand.wasMoved],
  )

  const { k = 1, x = 0, y = 0 } = viewport.view ?? {}
  const pointed = (event: PointerEvent) => {
    const { left, top } = (element.current as HTMLElement).getBoundingClientRect()
    const [atX, atY] = [event.clientX - left, event.clientY - top]
    return { place: placeAt(layout, (atX - x) / k, (atY - y) / k), x: atX, y: atY }
  }

  return (
    <div className="org-frame">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be wrong here */}
      <div
        ref={viewport.ref}
        className="org-view"
        role="group"
        aria-label={t('title')}
        aria-describedby="org-keys"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the chart is moved and zoomed by keys
        tabIndex={0}
        onKeyDown={chartKeys({ tree, layout, isOpen, onToggle, onSelect, viewport, flyTo, keepInPlace })}
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
        <Drawing view={{ k, x, y }} lines={lines} boxes={cards ? [] : boxes} />
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
        {hovered ? <Tip of={tree.people[hovered.place]} x={hovered.x} y={hovered.y} /> : null}
      </div>
      <p id="org-keys" className="org-hidden">
        {t('keys')}
      </p>
      <ZoomButtons viewport={viewport} />
    </div>
  )
}

/** What to draw of the visible part: readable cards, or one path of boxes per colour when zoomed out. */
function useDrawn(layout: Layout, colourOf: (place: number) => number, { view, width, height }: Viewport) {
  const { k = 1, x = 0, y = 0 } = view ?? {}
  const frame = {
    left: (-x - MARGIN) / k,
    top: (-y - MARGIN) / k,
    right: (width - x + MARGIN) / k,
    bottom: (height - y + MARGIN) / k,
  }
  const cards = view && k >= READABLE ? within(layout, frame, MOST_CARDS) : null

  // Computed once per layout, because moving and zooming does not change it.
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

  return { cards, lines, boxes: far.boxes }
}

/** The lines and boxes below the cards. */
function Drawing(props: { view: View; lines: string; boxes: readonly { colour: number; path: string }[] }) {
  const { view, lines, boxes } = props
  return (
    <svg className="org-drawing" aria-hidden="true" focusable="false">
      <g transform={`translate(${view.x} ${view.y}) scale(${view.k})`}>
        <path className="org-lines" d={lines} vectorEffect="non-scaling-stroke" />
        {boxes.map(({ colour, path }) => (
          <path key={colour} className={`org-fill org-c${colour}`} d={path} />
        ))}
      </g>
    </svg>
  )
}

function Tip({ of: person, x, y }: { of: Person | undefined; x: number; y: number }) {
  if (!person) return null
  return (
    <div className="org-tip" style={{ transform: `translate(${x + 12}px, ${y + 16}px)` }}>
      <b>{person.name}</b> {person.position}
    </div>
  )
}

function ZoomButtons({ viewport: { width, height, zoom, fly, whole } }: { viewport: Viewport }) {
  const t = useTexts(orgTexts)
  return (
    <div className="org-zoom no-print">
      <ZoomButton label={t('zoomIn')} icon="plus" onClick={() => zoom(1.4, width / 2, height / 2)} />
      <ZoomButton label={t('zoomOut')} icon="minus" onClick={() => zoom(1 / 1.4, width / 2, height / 2)} />
      <ZoomButton label={t('fit')} icon="fit" onClick={() => fly(whole())} />
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
