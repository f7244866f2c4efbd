import { useEffect } from 'react'

/** Keyboard shortcuts of the page, and the list that `?` shows. */

export type Shortcut = {
  keys: string
  text: string
  run: () => void
  isHidden?: boolean
  /** The shortcut changes something, so holding the key runs it only once. */
  runsOnce?: boolean
}

const shortcuts = new Set<Shortcut>()
export const shortcutsNow = () => [...shortcuts].filter(({ isHidden }) => !isHidden)

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !/^(checkbox|radio|button)$/.test((target as HTMLInputElement).type)

let begun = ''
let timer: ReturnType<typeof setTimeout> | undefined

/** A key such as `mod+k`, `?` or `/`, or two in a row such as `g p`. */
addEventListener('keydown', (event) => {
  const mod = event.ctrlKey || event.metaKey
  const name = `${mod ? 'mod+' : ''}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`
  if ((isTyping(event.target) && !mod) || event.altKey) return
  if (document.querySelector('[role="dialog"]') && name !== 'mod+k') return
  const found = [...shortcuts].findLast(({ keys }) => keys === name || keys === `${begun} ${name}`)
  clearTimeout(timer)
  begun = found ? '' : name
  timer = setTimeout(() => {
    begun = ''
  }, 1000)
  if (!found) return
  event.preventDefault()
  if (!(event.repeat && found.runsOnce)) found.run()
})

/** Adds shortcuts while the component is mounted. */
export function useShortcuts(own: readonly Shortcut[]): void {
  useEffect(() => {
    for (const one of own) shortcuts.add(one)
    return () => {
      for (const one of own) shortcuts.delete(one)
    }
  })
}
