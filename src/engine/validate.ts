import { isDeepStrictEqual } from 'node:util'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TObject, TSchema } from 'typebox'
import { FORMATS, isInvisible, readTimestamp } from './format.ts'
import { cleanHtml, textOf } from './html.ts'
import { type FieldProblem, wrong } from './problem.ts'
import { RAILS_ZONES } from './rails-zones.ts'

export type Checked = {
  values: Record<string, any>
  problems: FieldProblem[]
  ignored: string[]
  /** Fields that were sent under another name, and that name. */
  aliases?: ReadonlyMap<string, string>
}

const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false, verbose: true })
for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format.test)

ajv.addKeyword({
  keyword: 'decimalRange',
  type: 'string',
  // A text that is no decimal is the format's matter.
  validate: ([min, max]: [number | null, number | null], text: string) => {
    const value = Number(text)
    return Number.isNaN(value) || ((min === null || value >= min) && (max === null || value <= max))
  },
})

/** `maxLength` rejects what is longer. It is not even cleaned: nested tags take time that grows with their square. */
const isTooLong = (html: string, most: number) => [...html].length > most

ajv.addKeyword({
  keyword: 'maxCleaned',
  type: 'string',
  validate: (most: number, html: string) => isTooLong(html, most) || [...cleanHtml(html)].length <= most,
})

ajv.addKeyword({
  keyword: 'hasText',
  type: 'string',
  validate: (most: number, html: string) => isTooLong(html, most) || textOf(cleanHtml(html)) !== '',
})

const validators = new WeakMap<object, ValidateFunction>()
/** Most operations declare the same parameters and queries as others do: those share a validator. */
const validatorsByText = new Map<string, ValidateFunction>()

/** Compiled on first use: compiling every operation's schemas at start would cost seconds. */
function validatorOf(schema: TSchema): ValidateFunction {
  const known = validators.get(schema)
  if (known) return known
  const text = JSON.stringify(schema)
  const validator = validatorsByText.get(text) ?? ajv.compile(schema)
  validatorsByText.set(text, validator)
  validators.set(schema, validator)
  return validator
}

/** Reads what was sent as the schema means it, then tests it. Only sound values come back; the rest are problems. */
export function check(schema: TObject, sent: unknown): Checked {
  const known = schema.properties as Record<string, any>
  const given = isRecord(sent) ? sent : {}
  const values: Record<string, any> = {}
  const problems: FieldProblem[] = []
  const [aliases, doubled] = aliasesIn(known, given)
  problems.push(...doubled)
  const lists: Record<string, unknown[]> = {}
  for (const name of Object.keys(known)) {
    const raw = sentAs(given, Object.hasOwn(given, name) ? name : aliases.get(name))
    if (raw === undefined) continue
    if (known[name]['x-several']) {
      const items = itemsOf(known[name], raw)
      if (items) {
        const problem = itemsProblem(known[name], name, items)
        if (problem) problems.push(problem)
        else values[name] = items[0]
        if (items.length > 1 && !problem) lists[name] = items
        continue
      }
    }
    // Nothing clears a list; where a list is needed it is no list.
    const isBlank = (raw === null || raw === '') && (schema.required as string[] | undefined)?.includes(name)
    try {
      values[name] = isBlank ? raw : coerce(known[name], raw)
    } catch (error) {
      if (!(error instanceof TooMany)) throw error
      problems.push(wrong(name, 'too_many', `can have at most ${error.limit} items`))
    }
  }
  const used = new Set(aliases.values())
  const ignored = Object.keys(given).flatMap((name) => {
    if (used.has(name)) return []
    if (!Object.hasOwn(known, name)) return name
    return unknownIn(known[name], given[name], name)
  })

  const validate = validatorOf(schema)
  if (!validate(values)) {
    const seen = new Set(problems.map(({ field }) => field))
    for (const error of validate.errors ?? []) {
      const problem = describe(error)
      if (seen.has(problem.field)) continue
      seen.add(problem.field)
      problems.push(problem)
      delete values[problem.field.replace(/[.[].*$/, '')]
    }
  }
  for (const [name, items] of Object.entries(lists)) if (Object.hasOwn(values, name)) values[name] = items
  return { values, problems: problems.map((problem) => renamed(problem, aliases)), ignored, aliases }
}

const sentAs = (given: Record<string, unknown>, name: string | undefined) =>
  name !== undefined && Object.hasOwn(given, name) ? given[name] : undefined

/** The other names by which fields were sent (`x-also`). A field under two names must have the same value. */
function aliasesIn(known: Record<string, any>, given: Record<string, unknown>): [Map<string, string>, FieldProblem[]] {
  const aliases = new Map<string, string>()
  const problems: FieldProblem[] = []
  for (const name of Object.keys(known))
    for (const alias of (known[name]['x-also'] ?? []) as string[]) {
      const value = sentAs(given, alias)
      if (value === undefined) continue
      const first = sentAs(given, Object.hasOwn(given, name) ? name : aliases.get(name))
      if (first !== undefined && !isDeepStrictEqual(first, value))
        problems.push(wrong(alias, 'ambiguous', `is another name for ${name}. Send only one of them`))
      else aliases.set(name, alias)
    }
  return [aliases, problems]
}

/** A problem under the name by which the field was sent. */
export function renamed(problem: FieldProblem, aliases: ReadonlyMap<string, string>): FieldProblem {
  const [, name = '', rest = ''] = /^(\w+)(.*)$/s.exec(problem.field) ?? []
  const alias = aliases.get(name)
  if (alias === undefined) return problem
  return { ...problem, field: alias + rest, message: alias + problem.message.slice(name.length) }
}

/** The values of a parameter that takes one or several, when several were sent, or one as a list. */
function itemsOf(schema: any, raw: unknown): unknown[] | undefined {
  const list = Array.isArray(raw) ? raw : isRecord(raw) ? numbered(raw) : splitList(schema, raw)
  return list && (list.length !== 1 || Array.isArray(raw) || isRecord(raw))
    ? [...new Set(list.map((item) => coerce(schema, item)))]
    : undefined
}

/** What is wrong with one of several values; the first one is checked with everything else. */
function itemsProblem(schema: any, name: string, items: unknown[]): FieldProblem | undefined {
  if (items.length === 0) return wrong(name, 'too_few', 'needs at least one value. To get all records, leave it out')
  if (items.length > MOST_VALUES) return wrong(name, 'too_many', `can have at most ${MOST_VALUES} values`)
  const validate = validatorOf(schema)
  for (const item of items.slice(1))
    if (!validate(item)) return describe((validate.errors as ErrorObject[])[0] as ErrorObject, name)
  return undefined
}

const MOST_VALUES = 500

/** Names inside a value that mean nothing there: of an object, and of each object of a list. */
function unknownIn(schema: any, value: unknown, place: string): string[] {
  const items = isRecord(value) ? numbered(value) : value
  if (Array.isArray(items) && schema.items?.properties)
    return items.slice(0, MOST_ITEMS).flatMap((item, index) => unknownIn(schema.items, item, `${place}[${index}]`))
  if (!schema.properties || !isRecord(value)) return []
  return Object.keys(value)
    .filter((part) => !schema.properties[part])
    .map((part) => `${place}[${part}]`)
}

/** A list holds more than it may: its items are not even looked at. */
class TooMany extends Error {
  readonly limit: number

  constructor(limit: number) {
    super()
    this.limit = limit
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const allows = (schema: any, type: string) =>
  Array.isArray(schema.type) ? schema.type.includes(type) : schema.type === type

/**
 * Form fields and query parameters are all text, so text that says a number, a boolean or nothing is read as such
 * for every kind of body: the same names and values give the same result however they are sent.
 */
export function coerce(schema: any, raw: unknown): unknown {
  if (allows(schema, 'array')) {
    if (raw === '' || raw === null) return allows(schema, 'null') && raw === null ? null : []
    const list = Array.isArray(raw) ? raw : isRecord(raw) ? numbered(raw) : splitList(schema.items, raw)
    if (!list) return raw
    if (list.length > (schema.maxItems ?? MOST_ITEMS)) throw new TooMany(schema.maxItems ?? MOST_ITEMS)
    return list.map((item) => coerce(schema.items, item))
  }
  if (schema['x-plain'] && (typeof raw === 'string' || typeof raw === 'number'))
    return coerce(schema, Object.fromEntries(schema['x-plain'].map((bound: string) => [bound, raw])))
  if (allows(schema, 'object')) {
    if (!isRecord(raw) || !schema.properties) return raw === '' && allows(schema, 'null') ? null : raw
    const entries = Object.entries(raw).map(([name, value]) => {
      const property = schema.properties[name]
      return [name, property ? coerce(property, value) : value]
    })
    return Object.fromEntries(entries)
  }
  if (typeof raw === 'number' && allows(schema, 'string')) {
    if (schema.format === 'decimal' || schema.format === 'year') return plainNumber(raw)
    if (schema.format === 'date-time' || schema.format === 'moment') return readTimestamp(raw) ?? raw
    // Numbers that are names, such as those on badges, come as numbers from those who keep them so.
    if (Number.isSafeInteger(raw) && !allows(schema, 'integer') && !allows(schema, 'number')) return String(raw)
  }
  if (typeof raw === 'number' && allows(schema, 'boolean')) return raw === 1 ? true : raw === 0 ? false : raw
  if (typeof raw !== 'string') return raw

  // What is around a password is a part of it.
  const text = schema['x-verbatim'] ? raw : isInvisible(raw) ? '' : raw.trim()
  if (text === '' && allows(schema, 'null')) return null
  if (schema['x-words'] && Object.hasOwn(schema['x-words'], text)) return schema['x-words'][text]
  if (allows(schema, 'integer')) return /^-?\d{1,15}$/.test(text) ? Number(text) : raw
  if (allows(schema, 'number')) return /^-?\d{1,9}(\.\d{1,4})?$/.test(text) ? Number(text) : raw
  if (allows(schema, 'boolean')) return BOOLEANS.get(text.toLowerCase()) ?? raw
  if (schema.format === 'date-time' || schema.format === 'moment') return readTimestamp(text) ?? text
  if (schema.format === 'time-zone') return RAILS_ZONES.get(text) ?? text
  if (['currency', 'country', 'region'].includes(schema.format)) return text.toUpperCase()
  return text
}

/** `{0: …, 1: …}`, spelled `a[0]=…&a[1]=…` in forms and queries, is a list too. */
export function numbered(items: Record<string, unknown>): unknown[] | undefined {
  const places = Object.keys(items)
  if (places.length === 0 || !places.every((place) => /^\d{1,6}$/.test(place))) return undefined
  return places.sort((a, b) => Number(a) - Number(b)).map((place) => items[place])
}

/** What a list may hold that says nothing of its own. */
const MOST_ITEMS = 1000

/** What may be said for true and false. */
export const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['on', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['off', false],
  ['no', false],
])

/** `ids=1,2` is a list of two for ids and fixed values; for text a comma is a character like any other. */
const splitList = (items: any, raw: unknown) =>
  (allows(items, 'integer') || items.enum || items.format === 'currency') && typeof raw === 'string'
    ? raw.split(',')
    : [raw]

/** 1e-7 and 1e21 stay as they are, and so fail the decimal format. */
const plainNumber = (value: number) => String(value)

const article: Record<string, string> = {
  integer: 'must be a whole number',
  number: 'must be a number',
  string: 'must be text',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
}

function describe(error: ErrorObject, place = ''): FieldProblem {
  const path = (place ? `/${place}` : '')
    .concat(error.instancePath)
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '')
  const say = (code: string, message: string, field = path) => ({ field, code, message: `${field} ${message}` })
  const { keyword, params } = error
  const schema = error.parentSchema ?? {}
  const blank = error.data === '' || error.data === null
  switch (keyword) {
    case 'required': {
      const name = params.missingProperty as string
      return say('required', 'is required', path ? `${path}.${name}` : name)
    }
    case 'type': {
      if (blank) return say('blank', 'cannot be blank')
      // Any text will do there, but a list or an object will not.
      const formatted = ['line', 'text'].includes(schema.format) ? undefined : FORMATS[schema.format]?.expected
      return say('wrong_type', formatted ?? article[[params.type].flat()[0]] ?? `must be of type ${params.type}`)
    }
    case 'minLength':
      return say('blank', params.limit === 1 ? 'cannot be blank' : `is too short: ${params.limit} characters at least`)
    case 'maxLength':
      return say('too_long', `is too long: ${params.limit} characters at most`)
    case 'maxCleaned':
      return say('too_long', `is too long: ${schema.maxCleaned} characters at most, markup included`)
    case 'hasText':
      return say('blank', 'cannot be blank')
    case 'enum':
      if (blank) return say('blank', 'cannot be blank')
      return say(
        'not_allowed',
        `must be one of ${[...params.allowedValues, ...Object.keys(schema['x-words'] ?? {})].filter((one) => one !== null).join(', ')}`,
      )
    case 'minimum':
      return say('too_small', `must be at least ${params.limit}`)
    case 'maximum':
      return say('too_large', `must be at most ${params.limit}`)
    case 'minItems':
      return say('too_few', `needs at least ${params.limit} item${params.limit === 1 ? '' : 's'}`)
    case 'maxItems':
      return say('too_many', `can have at most ${params.limit} items`)
    case 'decimalRange': {
      const [min, max] = schema.decimalRange
      return say('out_of_range', withinRange(min, max))
    }
    case 'format':
      if (blank) return say('blank', 'cannot be blank')
      return say('invalid', FORMATS[schema.format]?.expected ?? `must be a ${schema.format}`)
    default:
      return say('invalid', error.message ?? 'does not match the schema of this field in openapi.json')
  }
}

function withinRange(min: number | null, max: number | null): string {
  if (max === null) return `must be at least ${min}`
  return min === null ? `must be at most ${max}` : `must be from ${min} to ${max}`
}
