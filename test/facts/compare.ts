import type { AnswerFact, Fact, OperationFact, Type } from './read.ts'

type Schema = Record<string, any>

/** Holds an OpenAPI document against facts, and says in a line each what it lacks. */
export class Comparison {
  readonly complaints = new Set<string>()
  #document: Schema
  #records: Map<string, Fact[]>
  #paths: Map<string, Schema>
  #isPartial: boolean

  /** Facts that are partial do not say what need not be sent. */
  constructor(document: Schema, records: Map<string, Fact[]>, options: { isPartial?: boolean } = {}) {
    this.#document = document
    this.#records = records
    this.#isPartial = options.isPartial ?? false
    this.#paths = new Map(Object.entries(document.paths).map(([path, item]) => [places(path), item as Schema]))
  }

  operation(fact: OperationFact): void {
    const name = `${fact.method} ${fact.path}`
    const found = this.#paths.get(places(fact.path))?.[fact.method.toLowerCase()]
    if (!found) {
      this.#complain(`${name} is absent`)
      return
    }
    this.#params(name, fact.path, found.parameters ?? [])
    this.#query(name, fact.query, found.parameters ?? [])
    this.#body(name, fact.body, this.#resolved(found.requestBody?.content?.['application/json']?.schema ?? {}))
    for (const answer of fact.answers) this.#answer(name, answer, found)
  }

  /** What is not an id is a name, and names are text. */
  #params(name: string, path: string, parameters: Schema[]): void {
    const own = parameters.filter((one) => one.in === 'path')
    for (const [place, [, param]] of [...path.matchAll(/\{(\w+)\}/g)].entries())
      if (!/(^|_)id$/.test(param as string)) this.#holds(`${name} {${param}}`, TEXT, own[place]?.schema, 'in')
  }

  #query(name: string, facts: Fact[], parameters: Schema[]): void {
    const own = new Map(parameters.filter((one) => one.in === 'query').map((one) => [one.name as string, one]))
    for (const fact of facts) {
      const parameter = own.get(fact.name)
      const what = `${name} ? ${fact.name}`
      if (!parameter) this.#complain(`${what} is absent`)
      else this.#sent(what, fact, { ...parameter.schema, description: parameter.description }, parameter.required)
    }
    for (const [given, { required }] of this.#isPartial ? [] : own)
      if (required && !facts.some((fact) => fact.name === given)) this.#complain(`${name} ? ${given} is required`)
  }

  #body(name: string, facts: Fact[], schema: Schema): void {
    this.#object(`${name} <`, ' ', facts, schema, 'in')
  }

  #answer(name: string, { status, type, isPaged, form }: AnswerFact, { responses, description }: Schema): void {
    const isFailure = status.startsWith('4')
    const given = isFailure ? status : Object.keys(responses).find((code) => code.startsWith('2'))
    if (given !== status) this.#complain(`${name} answers ${given}, not ${status}`)
    if (!type) return
    const response = this.#resolved(responses[given as string] ?? {})
    const whole = this.#resolved((Object.values(response.content ?? {})[0] as Schema)?.schema ?? {})
    const { data, metadata } = whole.properties ?? {}
    if (isPaged && !metadata) this.#complain(`${name} has no metadata`)
    if (isPaged && metadata)
      for (const place of [metadata, this.#resolved(metadata).properties.pagination])
        this.#object(`${name} metadata`, '.', this.#record('Pagination'), this.#resolved(place), 'out')
    const isWhole = !metadata || /Returns all records\b.* unless you send `page`/.test(description)
    if (type.kind === 'list' && !isPaged && !isWhole && !this.#isPartial) this.#complain(`${name} comes in pages`)
    const wrapped = form === 'bare' || !data ? whole : data
    this.#holds(form ? `${name} > ${form}` : type.kind === 'record' ? type.name : `${name} >`, type, wrapped, 'out')
  }

  #object(what: string, joint: string, facts: Fact[], schema: Schema, way: 'in' | 'out'): void {
    const { properties = {}, required = [] } = schema
    // What is not described takes anything.
    if (way === 'in' && schema.type === 'object' && !schema.properties) return
    for (const fact of facts) {
      const own = properties[fact.name]
      const name = `${what}${joint}${fact.name}`
      if (!own) this.#complain(`${name} is absent`)
      else if (way === 'in') this.#sent(name, fact, own, required.includes(fact.name))
      else {
        this.#holds(name, fact.type, own, way)
        if (fact.isRequired && this.#alternatives(own).some(({ type }) => type === 'null'))
          this.#complain(`${name} may be null`)
      }
    }
    if (way === 'in' && !this.#isPartial)
      for (const name of required)
        if (!facts.some((fact) => fact.name === name)) this.#complain(`${what}${joint}${name} is required`)
  }

  #sent(what: string, fact: Fact, schema: Schema, isRequired: boolean): void {
    if (isRequired && !fact.isRequired && !this.#isPartial) this.#complain(`${what} is required`)
    if (fact.initial !== undefined && String(this.#resolved(schema).default) !== fact.initial)
      this.#complain(`${what} is not ${fact.initial} when it is not sent`)
    this.#holds(what, fact.type, schema, 'in')
  }

  #holds(what: string, type: Type, schema: Schema | undefined, way: 'in' | 'out'): void {
    const given = this.#alternatives(schema ?? {})
    const kinds = [...new Set(given.map((one) => one.format ?? one.type))].filter((one) => one !== 'null').join(' or ')
    const arrays = given.filter((one) => one.type === 'array')
    const objects = given.filter((one) => one.type === 'object')
    switch (type.kind) {
      case 'record':
      case 'object': {
        const fields = type.kind === 'record' ? this.#record(type.name) : type.fields
        if (!objects[0]) this.#complain(`${what} is ${kinds}, not an object`)
        else this.#object(what, what.endsWith('>') ? ' ' : '.', fields, objects[0], way)
        break
      }
      case 'list':
        if (!arrays[0]) this.#complain(`${what} is ${kinds}, not a list`)
        else if (what.endsWith(' >') && type.of.kind === 'record')
          this.#holds(type.of.name, type.of, arrays[0].items, way)
        else this.#holds(what, type.of, arrays[0].items, way)
        break
      case 'values': {
        const texts = given.filter((one) => one.type === 'string')
        if (texts.length === 0) this.#complain(`${what} is ${kinds}, not text`)
        const isOpen = texts.length === 0 || texts.some((one) => !one.enum && (way === 'in' || !one.format))
        const known = texts.flatMap((one) => one.enum ?? [])
        for (const value of type.values)
          if (!isOpen && !known.includes(value)) this.#complain(`${what} knows no ${value}`)
        break
      }
      case 'plain':
        if (type.name !== 'any' && !given.some((one) => HOLDS[type.name]?.(one, way)))
          this.#complain(`${what} is ${kinds || 'not described'}, not ${type.name}`)
    }
  }

  #record(name: string): Fact[] {
    const found = this.#records.get(name)
    if (!found) throw new Error(`there are no facts about ${name}`)
    return found
  }

  #resolved(schema: Schema): Schema {
    if (schema.allOf) {
      const parts: Schema[] = schema.allOf.map((one: Schema) => this.#resolved(one))
      return { ...parts[0], properties: Object.assign({}, ...parts.map(({ properties }) => properties)) }
    }
    if (!schema.$ref) return schema
    const parts = (schema.$ref as string).slice(2).split('/')
    return this.#resolved(parts.reduce((place, part) => place[part], this.#document))
  }

  /** Each kind of value that a schema lets through, one type each. */
  #alternatives(schema: Schema): Schema[] {
    const own = this.#resolved(schema)
    const choices = own.anyOf ?? own.oneOf
    if (choices) return choices.flatMap((one: Schema) => this.#alternatives(one))
    return Array.isArray(own.type) ? own.type.map((type: string) => ({ ...own, type })) : [own]
  }

  #complain(what: string): void {
    this.complaints.add(what)
  }
}

const TEXT: Type = { kind: 'plain', name: 'str' }

/** Path parameters compare by place, not by name. */
const places = (path: string) => path.replaceAll(/\{\w+\}/g, '{}')

/**
 * Whether a schema lets a kind of value through. On the way in a decimal may be sent as a number, a timestamp as Unix
 * seconds and a file as text (test/engine/values.test.ts), though the document shows but one form of each.
 */
const HOLDS: Record<string, (schema: Schema, way: 'in' | 'out') => boolean> = {
  int: ({ type }, way) => type === 'integer' || (way === 'in' && type === 'number'),
  num: ({ type, format }, way) =>
    type === 'number' || (type === 'integer' && way === 'out') || (format === 'decimal' && way === 'in'),
  str: ({ type }) => type === 'string',
  bool: ({ type }) => type === 'boolean',
  date: ({ type, format }) => type === 'string' && format === 'date',
  datetime: ({ format }) => format === 'date-time',
  unix: ({ format, description }) => format === 'date-time' || /Unix seconds/.test(description),
  uuid: ({ type, format }) => type === 'string' && format === 'uuid',
  object: ({ type }) => type === 'object',
  file: ({ type }) => type === 'string',
}
