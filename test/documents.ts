import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Reads Markdown documents as far as tests need it: code blocks, inline code, links and headings. */

export type Block = { language: string; text: string; line: number }
export type Document = {
  path: string
  text: string
  blocks: Block[]
  /** Inline code outside of code blocks. */
  inline: string[]
  /** Targets of links and images. */
  links: string[]
  /** Addresses in angle brackets. */
  addresses: string[]
  /** Anchors of headings, as GitHub makes them. */
  anchors: Set<string>
}

export const readDocument = (path: string): Document => documentOf(path, readFileSync(path, 'utf8'))

export function documentOf(path: string, text: string): Document {
  const blocks: Block[] = []
  const prose: string[] = []
  let open: (Block & { fence: string }) | undefined
  for (const [at, line] of text.split('\n').entries()) {
    const fence = /^\s*(```+|~~~+)\s*(\S*)/.exec(line)
    if (open && fence?.[1] === open.fence) {
      blocks.push({ language: open.language, text: open.text.trimEnd(), line: open.line })
      open = undefined
    } else if (open) open.text += `${line}\n`
    else if (fence) open = { language: fence[2] as string, text: '', line: at + 1, fence: fence[1] as string }
    else prose.push(line)
  }
  if (open) throw new Error(`${path}: the code block of line ${open.line} does not end`)
  const written = prose.join('\n')
  const withoutCode = written.replace(/(`+)[^`][\s\S]*?\1/g, '')
  return {
    path,
    text,
    blocks,
    inline: [...written.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, code]) => code as string),
    // A link's text may hold inline code; its target may not.
    links: [...written.matchAll(/\]\(([^()\s]+(?:\([^()]*\))?)\)/g)].map(([, target]) => target as string),
    addresses: [...withoutCode.matchAll(/<(https?:[^>\s]+)>/g)].map(([, address]) => address as string),
    anchors: anchorsOf(prose),
  }
}

function anchorsOf(lines: readonly string[]): Set<string> {
  const counts = new Map<string, number>()
  const anchors = new Set<string>()
  for (const line of lines) {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1]
    if (heading === undefined) continue
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')
    const slug = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    const before = counts.get(slug) ?? 0
    counts.set(slug, before + 1)
    anchors.add(before === 0 ? slug : `${slug}-${before}`)
  }
  return anchors
}

/** All documents of the project. */
export const allDocuments = (): string[] => [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'console/README.md'],
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file).replaceAll('\\', '/'))
    .sort(),
]

/** The file and anchor that a link of a document means; undefined for addresses on the web. */
export function targetOf(document: string, link: string): { file: string; anchor: string | undefined } | undefined {
  if (/^[a-z]+:/i.test(link)) return undefined
  const [path = '', anchor] = decodeURI(link).split('#')
  return { file: path === '' ? document : normalize(join(dirname(document), path)).replaceAll('\\', '/'), anchor }
}

/** The commands of a shell block: one for each line, with continued lines joined and comments left out. */
export const commandsIn = (text: string): string[] =>
  text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

/** The words of a simple command, as a shell reads them: quotes and variables, nothing else. */
export function wordsOf(command: string, variables: ReadonlyMap<string, string>): string[] {
  const expand = (text: string) =>
    text.replace(/\$(\w+)/g, (_, name: string) => {
      const value = variables.get(name)
      if (value === undefined) throw new Error(`$${name} is not set before: ${command}`)
      return value
    })
  const words: string[] = []
  for (const [word] of command.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"])+/g))
    words.push(
      [...word.matchAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|([^'"]+)/g)]
        .map(([, single, double, bare]) => single ?? expand((double ?? bare) as string))
        .join(''),
    )
  return words
}

export type Curl = {
  method: string
  url: string
  headers: Record<string, string>
  body: string | FormData | undefined
  isStream: boolean
}

/** A curl command as the request that it sends. Options that are not here are not used in the documents. */
export function curlOf(words: readonly string[]): Curl {
  const headers: Record<string, string> = {}
  const pairs: string[] = []
  const form = new FormData()
  let method: string | undefined
  let url: string | undefined
  let [isStream, isGlobbing, hasForm] = [false, true, false]
  for (let at = 1; at < words.length; at++) {
    const word = words[at] as string
    const next = () => words[++at] as string
    if (word === '-H') {
      const [name = '', ...value] = next().split(':')
      headers[name.toLowerCase()] = value.join(':').trim()
    } else if (word === '-X') method = next()
    else if (word === '-d') pairs.push(next())
    else if (word === '--data-urlencode') {
      const [name, ...value] = next().split('=')
      pairs.push(`${name}=${encodeURIComponent(value.join('='))}`)
    } else if (word === '-F') {
      const [name = '', value = ''] = next().split('=')
      hasForm = true
      if (value.startsWith('@')) form.append(name, new Blob(['%PDF-1.4\n%%EOF\n']), value.slice(1))
      else form.append(name, value)
    } else if (word === '-o') next()
    else if (word === '-N') isStream = true
    else if (word === '-g') isGlobbing = false
    else if (word === '-i') continue
    else if (word.startsWith('-')) throw new Error(`test/documents.ts does not know the option ${word} of curl`)
    else if (url !== undefined) throw new Error(`curl with two addresses: ${words.join(' ')}`)
    else url = word
  }
  if (url === undefined) throw new Error(`curl without an address: ${words.join(' ')}`)
  if (isGlobbing && /\[[^\]]+\]/.test(url)) throw new Error(`curl needs -g for the brackets in ${url}`)
  const isForm = pairs.length > 0 && headers['content-type'] === undefined
  if (isForm) headers['content-type'] = 'application/x-www-form-urlencoded'
  const body = hasForm ? form : pairs.length > 0 ? pairs.join('&') : undefined
  return { method: method ?? (body === undefined ? 'GET' : 'POST'), url, headers, body, isStream }
}

/** Where an answer differs from the part of it that a document shows; undefined if it does not. */
export function differenceOf(shown: unknown, real: unknown, at = 'response'): string | undefined {
  if (shown === null || typeof shown !== 'object')
    return shown === real ? undefined : `${at} is ${JSON.stringify(real)}, not ${JSON.stringify(shown)}`
  if (real === null || typeof real !== 'object') return `${at} is ${JSON.stringify(real)}`
  for (const [name, value] of Object.entries(shown)) {
    const difference = differenceOf(value, (real as Record<string, unknown>)[name], `${at}.${name}`)
    if (difference) return difference
  }
  return undefined
}
