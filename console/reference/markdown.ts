import { h } from '../parts/dom.ts'
import { slugOf } from './document.ts'

/**
 * The Markdown of descriptions: paragraphs, headings, lists, tables, code, emphasis and links. It creates elements
 * instead of HTML text, so a description cannot inject markup.
 */
export function markdown(text: string): DocumentFragment {
  const made = document.createDocumentFragment()
  const lines = text.split('\n')
  while (lines.length > 0) {
    const block = takeBlock(lines)
    if (block) made.append(block)
  }
  return made
}

const ITEM = /^(?:-|\d+\.) +/
const FENCE = /^(~~~|```)/
const INDENTED = /^ {4}/

function takeBlock(lines: string[]): Node | undefined {
  const line = lines[0] as string
  const isEnd = (one: string) => one.trim() === '' || FENCE.test(one) || ITEM.test(one) || /^(#+ |\|)/.test(one)
  const takeWhile = (isInside: (line: string) => boolean) => {
    const end = lines.findIndex((one) => !isInside(one))
    return lines.splice(0, end < 0 ? lines.length : end)
  }
  if (line.trim() === '') {
    lines.shift()
    return undefined
  }
  const fence = FENCE.exec(line)?.[1]
  if (fence) {
    lines.shift()
    const code = takeWhile((one) => !one.startsWith(fence))
    lines.shift()
    return codeBlock(code.join('\n'))
  }
  if (INDENTED.test(line))
    return codeBlock(
      takeWhile((one) => INDENTED.test(one))
        .map((one) => one.slice(4))
        .join('\n'),
    )
  const heading = /^#+ (.*)/.exec(line)
  if (heading) {
    lines.shift()
    const title = heading[1] as string
    return h('h2', { id: `description/${slugOf(title)}`, tabindex: -1 }, inline(title))
  }
  if (line.startsWith('|')) return table(takeWhile((one) => one.startsWith('|')))
  if (ITEM.test(line)) {
    const list = h(/^\d/.test(line) ? 'ol' : 'ul', {})
    while (lines[0] !== undefined && ITEM.test(lines[0])) {
      const first = (lines.shift() as string).replace(ITEM, '')
      const more = takeWhile((one) => /^ +\S/.test(one)).map((one) => one.trim())
      list.append(h('li', {}, inline([first, ...more].join(' '))))
    }
    return list
  }
  const first = lines.shift() as string
  return h('p', {}, inline([first, ...takeWhile((one) => !isEnd(one))].join(' ')))
}

/** A code block that can be scrolled with the keyboard. */
export const codeBlock = (text: string, label = 'Code') =>
  h('pre', { tabindex: 0, role: 'region', 'aria-label': label }, h('code', {}, text))

function table(lines: string[]): HTMLElement {
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .replace(/^\||\|\s*$/g, '')
      .split('|')
      .map((cell) => cell.trim()),
  )
  const row = (cells: string[], name: 'th' | 'td') => h('tr', {}, ...cells.map((cell) => h(name, {}, inline(cell))))
  return h(
    'div',
    { class: 'table', tabindex: 0, role: 'region', 'aria-label': 'Table' },
    h('table', {}, h('thead', {}, row(head, 'th')), h('tbody', {}, ...rows.map((cells) => row(cells, 'td')))),
  )
}

/**
 * Labels contain no brackets and URLs no parentheses, so a search for the end of a link never runs into the next one.
 */
const INLINE = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*|\[([^[\]]+)\]\(([^()\s]+)\)/g

export function inline(text: string): DocumentFragment {
  const made = document.createDocumentFragment()
  let end = 0
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, strong, emphasis, label, address] = found
    made.append(text.slice(end, found.index))
    if (code !== undefined) made.append(h('code', {}, code))
    else if (strong !== undefined) made.append(h('strong', {}, inline(strong)))
    else if (emphasis !== undefined) made.append(h('em', {}, inline(emphasis)))
    else made.append(isSafe(address as string) ? h('a', { href: address }, inline(label as string)) : (label as string))
    end = found.index + whole.length
  }
  made.append(text.slice(end))
  return made
}

const isSafe = (address: string) => /^(https?:|#|\/)/.test(address)
