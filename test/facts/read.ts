/** A fact about a field or parameter: its name, and what it must be able to hold. */
export type Fact = { name: string; isRequired: boolean; type: Type; initial: string | undefined }
export type Type =
  | { kind: 'plain'; name: string }
  | { kind: 'record'; name: string }
  | { kind: 'values'; values: string[] }
  | { kind: 'list'; of: Type }
  | { kind: 'object'; fields: Fact[] }

export type AnswerFact = { status: string; type: Type | undefined; isPaged: boolean; form: string | undefined }
export type OperationFact = { method: string; path: string; query: Fact[]; body: Fact[]; answers: AnswerFact[] }
export type Section = { name: string; operations: OperationFact[] }

const lines = (text: string) => text.split('\n').filter((line) => line.trim() && !line.startsWith('#'))

export function readOperations(text: string): Section[] {
  const sections: Section[] = []
  let operation: OperationFact | undefined
  const parts: { mark: string; text: string; of: OperationFact }[] = []
  for (const line of lines(text)) {
    if (line.startsWith('== ')) sections.push({ name: line.slice(3), operations: [] })
    else if (/^[A-Z]/.test(line)) {
      const [method, path] = line.split(' ') as [string, string]
      operation = { method, path, query: [], body: [], answers: [] }
      sections.at(-1)?.operations.push(operation)
    } else {
      const [, mark, rest] = line.match(/^ {2}(\S) (.*)$/) ?? []
      if (mark && operation) parts.push({ mark, text: rest as string, of: operation })
      else (parts.at(-1) as { text: string }).text += ` ${line.trim()}`
    }
  }
  for (const { mark, text, of } of parts)
    if (mark === '?') of.query.push(...new Reading(text).fields())
    else if (mark === '<') of.body.push(...new Reading(text).fields())
    else of.answers.push(new Reading(text).answer())
  return sections
}

export function readRecords(text: string): Map<string, Fact[]> {
  const written = new Map<string, string>()
  let name = ''
  for (const line of lines(text))
    if (line.startsWith(' ')) written.set(name, `${written.get(name) ?? ''} ${line.trim()}`)
    else if (!line.startsWith('== ')) name = line
  return new Map([...written].map(([name, text]) => [name, new Reading(text).fields()]))
}

/** What differs on purpose: the complaint that is not made, and the reason below it. */
export function readExceptions(text: string): { complaint: string; reason: string }[] {
  const found: { complaint: string; reason: string }[] = []
  let told: typeof found = []
  for (const line of lines(text)) {
    if (!line.startsWith(' ')) {
      if (told.some(({ reason }) => reason)) told = []
      const one = { complaint: line.trim(), reason: '' }
      told.push(one)
      found.push(one)
    } else for (const one of told) one.reason = `${one.reason} ${line.trim()}`.trim()
  }
  return found
}

/** `name*:type=initial …`, where a type is a word, `(a|b)`, `[type]`, `{fields}` or the name of a record. */
class Reading {
  #at = 0
  #text: string
  constructor(text: string) {
    this.#text = text.trim()
  }

  #take(pattern: RegExp): string | undefined {
    const sticky = new RegExp(pattern, 'y')
    sticky.lastIndex = this.#at
    const found = sticky.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #expect(pattern: RegExp): string {
    const found = this.#take(pattern)
    if (found === undefined) throw new Error(`${pattern} was expected at: ${this.#text.slice(this.#at)}`)
    return found
  }

  fields(): Fact[] {
    const found: Fact[] = []
    for (;;) {
      this.#take(/\s+/)
      const name = this.#take(/\w+(\[\w*\])?/)
      if (name === undefined) return found
      const isRequired = this.#take(/\*/) !== undefined
      const type: Type = this.#take(/:/) ? this.type() : { kind: 'plain', name: 'any' }
      const initial = this.#take(/=\w+/)?.slice(1)
      found.push({ name, isRequired, type: name.endsWith('[]') ? { kind: 'list', of: type } : type, initial })
    }
  }

  type(): Type {
    if (this.#take(/\(/)) {
      const values = this.#expect(/[^)]+/)
      this.#expect(/\)/)
      return { kind: 'values', values: values.split('|').map((one) => one.trim()) }
    }
    if (this.#take(/\[/)) {
      const of = this.type()
      this.#expect(/\]/)
      return { kind: 'list', of }
    }
    if (this.#take(/\{/)) {
      const fields = this.fields()
      this.#expect(/\s*\}/)
      return { kind: 'object', fields }
    }
    const name = this.#expect(/\w+/)
    return { kind: /^[A-Z]/.test(name) ? 'record' : 'plain', name }
  }

  answer(): AnswerFact {
    const status = this.#expect(/\d{3}/)
    this.#take(/\s+/)
    const form = this.#take(/(bare|wrapped)\b/)
    this.#take(/\s+/)
    const type = this.#at < this.#text.length && !/^metadata/.test(this.#text.slice(this.#at)) ? this.type() : undefined
    const isPaged = this.#take(/\s*metadata/) !== undefined
    return { status, type, isPaged, form }
  }
}
