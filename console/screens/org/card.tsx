import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { memo, useEffect, useRef, useState } from 'react'
import { Face } from '../../parts/person.tsx'
import { Icon } from '../../shell/icons.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { orgTexts } from './texts.ts'
import type { Person } from './tree.ts'

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

/** A person's card. It is only drawn again when its data changes. */
export const Card = memo(function Card(props: CardProps) {
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
      {/* biome-ignore lint/a11y/useSemanticElements: buttons cannot be dragged in all browsers */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the chart handles the keys */}
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

/** The number of reports, for screen readers. */
function Below({ of: { direct, all } }: { of: Person }) {
  const t = useTexts(orgTexts)
  return all > 0 ? <span className="org-hidden">{t('below', { direct, all })}</span> : null
}
