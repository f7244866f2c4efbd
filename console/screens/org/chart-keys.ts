import type { KeyboardEvent } from 'react'
import type { Layout } from './layout.ts'
import type { Person, Tree } from './tree.ts'
import type { Viewport } from './viewport.ts'

type ChartKeys = {
  tree: Tree
  layout: Layout
  viewport: Viewport
  isOpen: (person: Person, place: number) => boolean
  onToggle: (id: number) => void
  onSelect: (id: number, isByKey: boolean) => void
  flyTo: (id: number, isFocused: boolean) => void
  keepInPlace: (id: number) => void
}

/** Arrow keys move between people or move the chart; + and - zoom, 0 shows the whole chart. */
export function chartKeys({ tree, layout, isOpen, onToggle, onSelect, viewport, flyTo, keepInPlace }: ChartKeys) {
  const { width, height, setView, whole, fly, zoom } = viewport
  const goTo = (place: number | undefined) => {
    if (place === undefined || place < 0) return
    flyTo((tree.people[place] as Person).id, true)
  }

  return (event: KeyboardEvent) => {
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
        keepInPlace(person.id)
        onToggle(person.id)
      }
      goTo(place + 1)
    } else if (event.key === 'ArrowLeft') goTo(beside(-1))
    else if (event.key === 'ArrowRight') goTo(beside(1))
    else if (event.key === 'Enter') onSelect(person.id, true)
    else if (event.key === ' ') {
      keepInPlace(person.id)
      if (person.all > 0) onToggle(person.id)
    } else return
    event.preventDefault()
  }
}
