import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { PERMISSIONS } from '../../src/domain/access/permissions.ts'
import { FORMATS } from '../../src/engine/format.ts'
import type { Operation } from '../../src/engine/operation.ts'
import { nullableOf } from '../../src/engine/schema.ts'
import { operations, resources } from '../../src/operations.ts'

/**
 * Writes what the console knows of the interface, from the list of operations: their types, and what forms have to know
 * of the fields of bodies. Run by `npm run openapi`; `npm test` sees to it that it was.
 */

type Schema = Record<string, any>
const HEAD = '/** Written by console/build/generate.ts from the list of operations: not by hand. */\n'
const FOLDER = new URL('../client/', import.meta.url)

const quoted = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`)

/** Types of answers and bodies, each named one written once. */
class Types {
  readonly named = new Map<string, string>()

  of(schema: Schema, way: 'sent' | 'shown'): string {
    const original = nullableOf.get(schema as any)
    if (original) return `${this.of(original, way)} | null`
    if (!schema.title) return this.plain(schema, way)
    // The same title is sent and shown alike, or it is two titles.
    if (!this.named.has(schema.title)) {
      this.named.set(schema.title, '')
      this.named.set(schema.title, this.plain(schema, way))
    }
    return schema.title
  }

  plain(schema: Schema, way: 'sent' | 'shown'): string {
    if (schema['x-file']) return way === 'sent' ? 'string | Blob' : 'string'
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.anyOf) return schema.anyOf.map((one: Schema) => this.of(one, way)).join(' | ')
    const types: string[] = [schema.type ?? []].flat()
    const nullable = types.includes('null') && !schema.enum?.includes(null) ? ' | null' : ''
    if (schema.enum) return schema.enum.map((one: unknown) => JSON.stringify(one)).join(' | ') + nullable
    const written = types.filter((one) => one !== 'null').map((one) => this.#typed(one, schema, way))
    return (written.join(' | ') || 'unknown') + nullable
  }

  #typed(type: string, schema: Schema, way: 'sent' | 'shown'): string {
    if (type === 'integer' || type === 'number') return 'number'
    if (type === 'boolean' || type === 'string') return type
    if (type === 'array') {
      const items = this.of(schema.items ?? {}, way)
      return /[|&]/.test(items) ? `(${items})[]` : `${items}[]`
    }
    const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, one]) => {
      const isThere = schema.required?.includes(name)
      return `${quoted(name)}${isThere ? '' : '?'}: ${this.of(one, way)}`
    })
    if (fields.length === 0) return 'Record<string, unknown>'
    return `{ ${fields.join('; ')} }`
  }
}

/** `made_on: {gte, lte}` of a query is sent as `made_on[gte]`, a list as `ids[]`. */
const queryOf = (query: Schema, types: Types) => {
  const entries = Object.entries(query.properties as Record<string, Schema>).flatMap(([name, schema]): string[] => {
    if (schema.type === 'object')
      return Object.entries(schema.properties as Record<string, Schema>).map(
        ([part, one]) => `'${name}[${part}]'?: ${types.of(one, 'sent')}`,
      )
    const isThere = query.required?.includes(name) ? '' : '?'
    return [`${schema.type === 'array' ? `'${name}[]'` : quoted(name)}${isThere}: ${types.of(schema, 'sent')}`]
  })
  return entries.length ? `{ ${entries.join('; ')} }` : 'Nothing'
}

const paramsOf = (params: Schema) => {
  const names = Object.keys(params.properties)
  return names.length ? `{ ${names.map((name) => `${name}: number | string`).join('; ')} }` : 'Nothing'
}

/** Addresses that only clients of old know are not for the console. */
const isOwn = ({ note, path }: Operation) => !note?.startsWith('Alias of') && !path.startsWith('/api/')

function typesOf(all: readonly Operation[]): string {
  const types = new Types()
  const lines = all.map((one) => {
    const body = one.body ? types.of(one.body, 'sent') + (one.open ? ' & Record<string, unknown>' : '') : 'Nothing'
    const answer = one.attaches ? 'Blob' : one.answer ? types.of(one.answer, 'shown') : 'null'
    const parts = [`params: ${paramsOf(one.params)}`, `query: ${queryOf(one.query, types)}`, `body: ${body}`]
    return `  '${one.method} ${one.path}': { ${parts.join('; ')}; answer: ${answer} }`
  })
  const named = [...types.named].sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    HEAD,
    'export type Nothing = Record<never, never>\n',
    `export type Permission =${PERMISSIONS.filter((one) => !one.endsWith('*'))
      .map((one) => `\n  | '${one}'`)
      .join('')}\n`,
    ...named.map(([name, text]) =>
      /^{.*}$/s.test(text) ? `export interface ${name} ${text}` : `export type ${name} = ${text}`,
    ),
    '\nexport interface Operations {',
    ...lines,
    '}',
    '',
  ].join('\n')
}

/** What a form has to know of a field. */
function fieldOf(schema: Schema, isRequired: boolean): Record<string, unknown> {
  const inner = (nullableOf.get(schema as any) ?? schema) as Schema
  const types: string[] = [inner.type ?? []].flat()
  const type = inner['x-file'] ? 'file' : (types.find((one) => one !== 'null') ?? 'unknown')
  const isPlain = /^(line|text|moment)$/.test(inner.format ?? '')
  return {
    type,
    ...(isRequired ? { required: true } : {}),
    ...(types.includes('null') || inner !== schema ? { nullable: true } : {}),
    ...(inner.enum ? { values: inner.enum.filter((one: unknown) => one !== null) } : {}),
    ...(inner.maxCleaned
      ? { format: 'html' }
      : inner.format && (!isPlain || inner.format === 'text')
        ? { format: inner.format }
        : {}),
    ...(inner.maxLength ? { maxLength: inner.maxLength } : {}),
    ...(inner.minLength ? { minLength: inner.minLength } : {}),
    ...(inner.minimum !== undefined && !inner['x-reference'] ? { minimum: inner.minimum } : {}),
    ...(inner.maximum !== undefined && inner.maximum < Number.MAX_SAFE_INTEGER ? { maximum: inner.maximum } : {}),
    ...(inner['x-reference'] ? { reference: inner['x-reference'] } : {}),
    ...(inner['x-group'] ? { group: inner['x-group'] } : {}),
    ...(inner.description ? { about: inner.description } : {}),
    ...(type === 'array' && inner.items ? { items: fieldOf(inner.items, false) } : {}),
    ...(type === 'object' && inner.properties ? { fields: fieldsOf(inner) } : {}),
  }
}

const fieldsOf = (body: Schema) =>
  Object.fromEntries(
    Object.entries(body.properties as Record<string, Schema>).map(([name, one]) => [
      name,
      fieldOf(one, body.required?.includes(name) ?? false),
    ]),
  )

/** The bodies of an area in a file each, so that a screen loads only what its forms need. */
function fieldFiles(all: readonly Operation[]): Map<string, string> {
  const byArea = Map.groupBy(
    all.filter((one) => one.body),
    ({ area }) => area,
  )
  const done = new Set<string>()
  const files = new Map<string, string>()
  for (const [area, own] of byArea) {
    const bodies = own.flatMap((one) => {
      const body = one.body as Schema
      const name: string = body.title ?? `${one.id[0]?.toUpperCase()}${one.id.slice(1)}`
      if (done.has(name)) return []
      done.add(name)
      return [`export const ${name} = ${JSON.stringify(fieldsOf(body))} as const satisfies Fields`]
    })
    files.set(area, [HEAD, "import type { Fields } from '../fields.ts'\n", ...bodies, ''].join('\n'))
  }
  return files
}

/** The countries that a field of that format may be: the runtime has no list of them. */
function countries(): string {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const all = letters
    .flatMap((one) => letters.map((other) => one + other))
    .filter((code) => FORMATS.country?.test(code))
  return `${HEAD}\nexport const COUNTRIES = '${all.join(' ')}'.split(' ')\n`
}

/** The kinds of records that the ledger tells of: their titles by their tables. */
const kinds = () =>
  `${HEAD}\nexport const KINDS: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(resources.map(({ table, title }) => [table, title])))}\n`

/**
 * What the fields are that the ledger keeps, where their name alone does not tell: the path of what they name, one of
 * some values, or money. For histories, which show every kind of record.
 */
function kept(): string {
  const isRead = new Set(operations.filter(({ method }) => method === 'GET').map(({ path }) => path))
  const paths = new Map(resources.map(({ table, path }) => [table, path]))
  const all = resources.map(({ title, fields }) => {
    const own = Object.entries(fields as Record<string, Schema>).flatMap(
      ([name, { reference, output, input, money }]) => {
        const path = reference ? paths.get(reference.table) : undefined
        if (path && isRead.has(`${path}/{id}`)) return [[name, path]]
        if (money) return [[name, 'money']]
        return (output ?? input)?.enum ? [[name, 'choice']] : []
      },
    )
    return [title, Object.fromEntries(own)]
  })
  return `${HEAD}\nexport const VALUE_TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = ${JSON.stringify(Object.fromEntries(all))}\n\n/** Their titles by their paths. */
export const KIND_AT: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(resources.map(({ path, title }) => [path, title])))}\n`
}

export function generated(): Map<string, string> {
  const all = operations.filter(isOwn)
  const files = new Map([
    ['operations.ts', typesOf(all)],
    ['countries.ts', countries()],
    ['kinds.ts', kinds()],
    ['value-types.ts', kept()],
  ])
  for (const [area, text] of fieldFiles(all)) files.set(`fields/${area}.ts`, text)
  return files
}

/** The names of what is not as it would be written now. */
export const outdated = () =>
  [...generated()].flatMap(([name, text]) => {
    try {
      return readFileSync(new URL(name, FOLDER), 'utf8') === text ? [] : [name]
    } catch {
      return [name]
    }
  })

if (import.meta.main) {
  rmSync(new URL('fields/', FOLDER), { recursive: true, force: true })
  mkdirSync(new URL('fields/', FOLDER), { recursive: true })
  for (const [name, text] of generated()) writeFileSync(new URL(name, FOLDER), text)
}
