/**
 * Converts typed text to HTML and back. A blank line starts a paragraph, `#` a heading, `-` or `1.` a list; `**bold**`,
 * `*italics*`, `[words](https://…)`.
 */

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const inline = (text: string) =>
  escaped(text)
    .replace(/\[([^\][]+)\]\(((?:https?:\/\/|mailto:|tel:)[^\s()]+)\)/g, '<a href="$2">$1</a>')
    .replace(/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![\w*])\*(?=[^\s*])([^*]+?)(?<=\S)\*(?![\w*])/g, '<em>$1</em>')

/** What kind of line it is, and its text. */
const LINES: [kind: string, form: RegExp][] = [
  ['', /^\s*$/],
  ['h', /^(#{1,6}) +(.+)$/],
  ['ul', /^[-*•] +(.+)$/],
  ['ol', /^\d+[.)] +(.+)$/],
  ['p', /^(.+)$/],
]

export function htmlOf(text: string): string {
  const blocks: { kind: string; lines: string[] }[] = []
  for (const line of text.split(/\r?\n/)) {
    const [kind = '', form = /^/] = LINES.find(([, one]) => one.test(line)) ?? []
    const found = form.exec(line)
    const words = inline((found?.[2] ?? found?.[1] ?? '').trim())
    const last = blocks.at(-1)
    if (kind === 'h') blocks.push({ kind: `h${found?.[1]?.length}`, lines: [words] })
    else if (last && last.kind === kind) last.lines.push(words)
    else blocks.push({ kind, lines: [words] })
  }
  return blocks
    .filter(({ kind }) => kind)
    .map(({ kind, lines }) =>
      /l$/.test(kind)
        ? `<${kind}>${lines.map((line) => `<li>${line}</li>`).join('')}</${kind}>`
        : `<${kind}>${lines.join('<br>')}</${kind}>`,
    )
    .join('')
}

export const bodyOf = (html: string) => new DOMParser().parseFromString(html, 'text/html').body

const nameOf = (node: Node) => node.nodeName.toLowerCase()
const BLOCKS = /^(p|div|ul|ol|li|h[1-6]|table|blockquote|pre|hr)$/

/** The typed text for this HTML; undefined if it has something that cannot be typed. */
export function typedOf(html: string): string | undefined {
  const blocks: string[] = []
  let run = ''
  const endRun = () => {
    if (run.trim()) blocks.push(run.trim())
    run = ''
  }
  for (const node of bodyOf(html).childNodes) {
    const name = nameOf(node)
    if (!BLOCKS.test(name)) {
      run += typedInline(node)
      continue
    }
    endRun()
    const items = [...node.childNodes].filter((one) => nameOf(one) === 'li')
    if (name === 'ul') blocks.push(items.map((one) => `- ${typedWithin(one)}`).join('\n'))
    else if (name === 'ol') blocks.push(items.map((one, n) => `${n + 1}. ${typedWithin(one)}`).join('\n'))
    else if (/^h/.test(name)) blocks.push(`${'#'.repeat(Number(name[1]))} ${typedWithin(node)}`)
    else blocks.push(typedWithin(node))
  }
  endRun()
  const typed = blocks.filter(Boolean).join('\n\n')
  return canonical(htmlOf(typed)) === canonical(html) ? typed : undefined
}

const typedWithin = (node: Node): string => [...node.childNodes].map(typedInline).join('').trim()

function typedInline(node: Node): string {
  const name = nameOf(node)
  if (name === '#text') return (node.textContent ?? '').replace(/\s+/g, ' ')
  if (name === 'br') return '\n'
  const inner = [...node.childNodes].map(typedInline).join('')
  if (/^(b|strong)$/.test(name)) return `**${inner}**`
  if (/^(i|em)$/.test(name)) return `*${inner}*`
  return name === 'a' ? `[${inner}](${(node as Element).getAttribute('href')})` : inner
}

/** Normalises HTML, so that HTML that looks the same is the same text. */
function canonical(html: string): string {
  const shown = (node: Node): string => {
    const name = nameOf(node)
    if (name === '#text') return escaped((node.textContent ?? '').replace(/\s+/g, ' '))
    const as = { b: 'strong', i: 'em', div: 'p' }[name] ?? name
    const href = name === 'a' ? ` ${(node as Element).getAttribute('href')}` : ''
    return `<${as}${href}>${[...node.childNodes].map(shown).join('').trim()}</>`
  }
  const parts: string[] = []
  let run = ''
  const endRun = () => {
    if (run.trim()) parts.push(`<p>${run.trim()}</>`)
    run = ''
  }
  for (const node of bodyOf(html).childNodes) {
    if (BLOCKS.test(nameOf(node))) {
      endRun()
      parts.push(shown(node))
    } else run += shown(node)
  }
  endRun()
  return parts
    .map((part) => part.replace(/\s*(<br><\/>)\s*/g, '$1').replace(/(<(?:ul|ol)>|<\/>)\s+(?=<li>|<\/>)/g, '$1'))
    .filter((part) => part !== '<p></>')
    .join('')
}
