import { article } from '../../engine/derive.ts'
import type { Operation } from '../../engine/operation.ts'
import { nullableOf } from '../../engine/schema.ts'
import { GLOSSARY } from '../glossary.ts'
import { RECORD_TYPES } from '../resource-glossary.ts'
import { otherNames, sentenceCase, withValues, words } from './descriptions.ts'

export type Json = Record<string, any>

/** What references need to know about a kind of record. */
export type RecordKind = { table: string; one: string; title: string }

/** `movement: one move of an application …`, or just `employee`. */
const explained = ({ table, one }: Pick<RecordKind, 'table' | 'one'>) =>
  RECORD_TYPES[table] ? `${one}: ${RECORD_TYPES[table]}` : one

/** What values of a format are, when there is nothing else to say. */
const ABOUT: Record<string, string> = {
  currency: 'Currency code (ISO 4217)',
  country: 'Country code (ISO 3166-1 alpha-2)',
  region: 'Region code (ISO 3166-2)',
  'time-zone': 'IANA time zone',
  decimal: 'Exact decimal number, as a string',
}

/** What the glossary says of a field: for this schema, for records and bodies of this type, or wherever it occurs. */
function inGlossary(title: string | undefined, name: string, schema: any): string | undefined {
  if (name === 'data') return schema.type === 'array' ? 'The records' : 'The record, or the result of the operation'
  const record = title?.replace(/^(Create|Update)/, '').replace(/(Form|WithFile)$/, '')
  return GLOSSARY[`${title}.${name}`] ?? GLOSSARY[`${record}.${name}`] ?? GLOSSARY[name]
}

/** Collects the schemas that have a title, so that each is written once and referred to by name. */
export class Schemas {
  readonly #named = new Map<string, { schema: unknown; written: Json }>()
  readonly #kinds: Map<string, RecordKind>
  readonly #byTitle: Map<string, RecordKind>

  constructor(kinds: readonly RecordKind[]) {
    this.#kinds = new Map(kinds.map((kind) => [kind.table, kind]))
    this.#byTitle = new Map(kinds.map((kind) => [kind.title, kind]))
  }

  /** What a value is that names a record, or records. */
  identified(schema: any, name: string): string | undefined {
    const kind = this.#kinds.get(schema['x-reference'])
    // Where a record can be called by another name than its ID, the parameter is text.
    if (kind) return `${schema.type === 'string' ? 'ID or internal name' : 'ID'} of the ${explained(kind)}`
    const kinds = this.#kinds.get(schema.items?.['x-reference'])
    if (kinds) return `IDs of ${words(kinds.table)}`
    if (!/_id$/.test(name)) return undefined
    const one = words(name.replace(/_id$/, ''))
    return `ID of the ${explained([...this.#kinds.values()].find((other) => other.one === one) ?? { table: '', one })}`
  }

  /** What the records are that an operation reads, writes or shows the history of, unless everybody knows. */
  definition({ id, summary, kind, params }: Operation): string | null {
    const isHistory = /^list\w+History$/.test(id)
    if (!isHistory && !/^(List|Get|Create|Update|Delete) /.test(summary)) return null
    const table = isHistory ? (params.properties as Json).id['x-reference'] : kind
    const record = this.#kinds.get(table)
    const about = RECORD_TYPES[table]
    return record && about ? `${sentenceCase(article(record.one))} is ${about}.` : null
  }

  /** A field of an object, with what there is to say about it. */
  #field(title: string | undefined, name: string, schema: any): Json {
    const written = this.refer(schema)
    const about = inGlossary(title, name, schema) ?? this.identified(schema, name) ?? ABOUT[schema.format]
    const said = written.description ?? (written.$ref || written.anyOf ? undefined : about)
    return said === undefined ? written : { ...written, description: withValues(said, schema) + otherNames(schema) }
  }

  refer(schema: any): Json {
    const original = nullableOf.get(schema)
    if (original) return { anyOf: [this.refer(original), { type: 'null' }] }
    if (!schema.title) return this.plain(schema)
    const known = this.#named.get(schema.title)
    if (known && known.schema !== schema) throw new Error(`Two schemas are called ${schema.title}`)
    if (!known) {
      const entry: { schema: unknown; written: Json } = { schema, written: {} }
      this.#named.set(schema.title, entry)
      const about = RECORD_TYPES[this.#byTitle.get(schema.title)?.table ?? '']
      const written = this.plain(schema)
      entry.written = about ? { description: sentenceCase(about), ...written } : written
    }
    return { $ref: `#/components/schemas/${schema.title}` }
  }

  /** The schema itself, with those inside it referred to by name. */
  plain(schema: any): Json {
    const {
      properties,
      items,
      'x-reference': _target,
      'x-group': _group,
      'x-verbatim': _verbatim,
      'x-unique': _unique,
      'x-plain': _plain,
      'x-several': _several,
      'x-also': _also,
      'x-words': _words,
      ...rest
    } = schema
    // Words stand for some of the values.
    if (_words && !rest.enum) rest.type = [...new Set([rest.type, 'string'].flat())]
    for (const ours of ['decimalRange', 'maxCleaned', 'hasText']) delete rest[ours]
    if (schema['x-file'])
      return { type: 'string', description: `${schema.description}. Here, in a JSON or form body: a base64 data URI` }
    // What only says that it is text, or a number that can be told exactly, says nothing to others.
    if (/^(line|text|moment)$/.test(rest.format)) delete rest.format
    if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum
    if (schema.format === 'decimal') Object.assign(rest, { type: rest.type, pattern: '^-?\\d{1,11}(\\.\\d{1,4})?$' })
    return {
      ...rest,
      ...(properties
        ? {
            properties: Object.fromEntries(
              Object.entries(properties).map(([name, one]) => [name, this.#field(schema.title, name, one)]),
            ),
          }
        : {}),
      ...(items ? { items: this.refer(items) } : {}),
    }
  }

  all(): Json {
    const sorted = [...this.#named].sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(sorted.map(([name, { written }]) => [name, written]))
  }
}
