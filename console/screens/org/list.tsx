import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Face } from '../../parts/person.tsx'
import { Icon } from '../../shell/icons.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { orgTexts } from './texts.ts'
import type { Person, Tree } from './tree.ts'

const ROW = 48
/** The indentation per level, so that even deep levels leave room for a name on a phone. */
const STEP = 'clamp(12px, 3vw, 28px)'

/** The chart as a tree list, for keyboards and screen readers. Only visible rows are in the document. */
export function TreeList(props: {
  tree: Tree
  places: readonly number[]
  colourOf: (place: number) => number
  selected: number | undefined
  moved: ReadonlySet<number>
  isOpen: (person: Person, place: number) => boolean
  onToggle: (id: number) => void
  onSelect: (id: number, isByKey: boolean) => void
}) {
  const { tree, places, colourOf, selected, moved, isOpen, onToggle, onSelect } = props
  const t = useTexts(orgTexts)
  const list = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const indexOf = (id: number | undefined) => {
    const place = id === undefined ? undefined : tree.placeOf.get(id)
    return place === undefined ? -1 : places.indexOf(place)
  }
  const [current, setCurrent] = useState(() => Math.max(0, indexOf(selected)))
  const wantsFocus = useRef(false)
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [])
  const rows = useWindowVirtualizer({
    count: places.length,
    estimateSize: () => ROW,
    overscan: 10,
    scrollMargin: top,
    scrollPaddingStart: 120,
    scrollPaddingEnd: 24,
  })

  // Scrolls to the person who was searched for.
  const shown = useRef<number>(undefined)
  useEffect(() => {
    if (selected === undefined || shown.current === selected) return
    const place = tree.placeOf.get(selected)
    const index = place === undefined ? -1 : places.indexOf(place)
    if (index < 0) return
    shown.current = selected
    setCurrent(index)
    rows.scrollToIndex(index, { align: 'auto' })
  }, [selected, places, tree, rows])

  useEffect(() => {
    if (!wantsFocus.current) return
    const row = list.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)
    if (!row) return
    wantsFocus.current = false
    row.focus({ preventScroll: true })
  })

  const goTo = (index: number) => {
    if (index < 0 || index >= places.length) return
    wantsFocus.current = true
    setCurrent(index)
    rows.scrollToIndex(index, { align: 'auto' })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const place = places[current]
    const person = place === undefined ? undefined : tree.people[place]
    if (place === undefined || !person || event.altKey || event.ctrlKey || event.metaKey) return
    const hasOpen = person.all > 0 && isOpen(person, place)
    const letter = event.key.length === 1 && /\p{L}/u.test(event.key) ? event.key.toLowerCase() : ''
    if (event.key === 'ArrowDown') goTo(current + 1)
    else if (event.key === 'ArrowUp') goTo(current - 1)
    else if (event.key === 'Home') goTo(0)
    else if (event.key === 'End') goTo(places.length - 1)
    else if (event.key === 'ArrowRight') {
      if (hasOpen) goTo(current + 1)
      else if (person.all > 0) onToggle(person.id)
    } else if (event.key === 'ArrowLeft') {
      if (hasOpen) onToggle(person.id)
      else goTo(places.indexOf(tree.above[place] as number))
    } else if (event.key === 'Enter' || event.key === ' ') onSelect(person.id, true)
    else if (letter) {
      const begins = (one: number) => tree.people[one]?.name.toLowerCase().startsWith(letter)
      const next = places.findIndex((one, index) => index > current && begins(one))
      goTo(next < 0 ? places.findIndex(begins) : next)
      // Keeps the event from the page's own shortcuts.
      event.stopPropagation()
    } else return
    event.preventDefault()
  }

  return (
    <div
      ref={list}
      role="tree"
      aria-label={t('title')}
      className="org-tree"
      style={{ blockSize: rows.getTotalSize() }}
      onKeyDown={onKeyDown}
    >
      {rows.getVirtualItems().map(({ index, start }) => {
        const place = places[index] as number
        const person = tree.people[place] as Person
        const level = tree.depth[place] as number
        const open = person.all > 0 ? isOpen(person, place) : undefined
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
          <div
            key={person.id}
            role="treeitem"
            data-index={index}
            data-person={person.id}
            className={`org-row${person.id === selected ? ' org-row-selected' : ''}`}
            style={{
              transform: `translateY(${start - top}px)`,
              blockSize: ROW,
              paddingInlineStart: `calc(8px + ${level} * ${STEP})`,
            }}
            tabIndex={index === current ? 0 : -1}
            aria-level={level + 1}
            aria-setsize={tree.people[tree.above[place] as number]?.direct ?? tree.atTop}
            aria-posinset={tree.nth[place]}
            aria-selected={person.id === selected}
            {...(open === undefined ? {} : { 'aria-expanded': open })}
            onClick={(event) => {
              setCurrent(index)
              if ((event.target as HTMLElement).closest('.org-twist') && open !== undefined) onToggle(person.id)
              else onSelect(person.id, false)
            }}
          >
            <span className="org-twist">
              {open === undefined ? null : <Icon name={open ? 'expand' : 'right'} size={16} />}
            </span>
            <span className={`org-dot org-c${colourOf(place)}`} />
            <Face of={{ full_name: person.name, avatar_url: person.photo }} size={30} />
            <span className="org-row-words">
              <span className="org-name">{person.name}</span>
              <span className="org-position">{person.position}</span>
            </span>
            {moved.has(person.id) ? (
              <span className="org-row-moved">
                <Icon name="edit" size={14} />
              </span>
            ) : null}
            <span className="org-row-count">
              {person.all === 0 ? '' : t('counts', { direct: person.direct, all: person.all })}
            </span>
          </div>
        )
      })}
    </div>
  )
}
