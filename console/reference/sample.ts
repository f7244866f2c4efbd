import type { Api, Schema } from './document.ts'

/** Example values by format. */
const FORMATS: Record<string, string> = {
  date: '2024-02-01',
  'date-time': '2024-02-01T09:00:00.000Z',
  email: 'ada@example.com',
  uri: 'https://example.com',
  decimal: '4200.0',
  currency: 'EUR',
  country: 'DE',
  region: 'DE-BY',
  'time-zone': 'Europe/Berlin',
}

/** Example values by the end of the field's name. */
const NAMES: [RegExp, string][] = [
  [/full_name$/, 'Ada Lovelace'],
  [/email$/, 'ada@example.com'],
  [/url$/, 'https://example.com'],
  [/_at$/, '2024-02-01T09:00:00.000Z'],
  [/_on$/, '2024-02-01'],
]

/**
 * An example value for a schema. `inside` lists the enclosing schemas: a record that contains records of its own kind
 * shows them once.
 */
export function sampleOf(api: Api, schema: Schema, inside: readonly string[] = [], name = ''): unknown {
  if (schema.$ref) {
    if (inside.includes(schema.$ref)) return null
    return sampleOf(api, api.resolve<Schema>(schema), [...inside, schema.$ref], name)
  }
  const [known] = schema.examples ?? []
  if (known !== undefined) return known
  for (const value of [schema.const, schema.default]) if (value !== undefined) return value
  if (schema.enum) return schema.enum[0]
  if (schema.allOf) return sampleOf(api, api.merged(schema.allOf), inside)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return sampleOf(api, alternatives[0] as Schema, inside, name)
  switch ([schema.type].flat()[0]) {
    case 'object':
      return objectOf(api, schema, inside)
    case 'array': {
      const item = sampleOf(api, schema.items ?? {}, inside)
      return item === null ? [] : [item]
    }
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'string':
      return FORMATS[schema.format ?? ''] ?? NAMES.find(([ending]) => ending.test(name))?.[1] ?? '…'
    default:
      return schema.properties ? objectOf(api, schema, inside) : null
  }
}

/** Response envelopes only show their required fields: the others are for dry runs. */
function objectOf(api: Api, { properties = {}, required }: Schema, inside: readonly string[]): unknown {
  const names = Object.keys(properties).filter((name) => inside.length > 0 || !required || required.includes(name))
  return Object.fromEntries(names.map((name) => [name, sampleOf(api, properties[name] as Schema, inside, name)]))
}
