import { h } from '../parts/dom.ts'
import type { Api, Schema } from './document.ts'
import { inline, markdown } from './markdown.ts'
import { TEXTS } from './texts.ts'

/** The type of a value in a few words: `list of Department`, `date or null`. */
export function typeOf(api: Api, schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) as string
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return alternatives.map((one) => typeOf(api, one)).join(` ${TEXTS.or} `)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  return [schema.type ?? 'any']
    .flat()
    .map((type) => {
      if (type === 'array') return `${TEXTS.listOf} ${typeOf(api, schema.items ?? {})}`
      return type === 'string' && schema.format ? schema.format : type
    })
    .join(` ${TEXTS.or} `)
}

/** Limits, values and the example of a value, below its description. */
export function factsOf(schema: Schema): HTMLElement | null {
  const code = (value: unknown) => h('code', {}, typeof value === 'string' ? value : JSON.stringify(value))
  const fact = (name: string, ...values: unknown[]) =>
    h('span', {}, `${name} `, ...values.flatMap((one) => [code(one), ' ']))
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  const values = valuesOf(schema)
  const isExplained = values && meaningsIn(schema.description ?? '', values).explained.length === values.length
  const isLimited = (limit: number | undefined) => limit !== undefined
  const facts = [
    ...(values && !isExplained ? [fact(TEXTS.oneOf, ...values)] : []),
    ...(schema.default !== undefined ? [fact(TEXTS.byDefault, schema.default)] : []),
    ...((minimum ?? 1) !== 1 || isLimited(shortened(maximum)) ? [fact(TEXTS.range, range(minimum, maximum))] : []),
    ...((minLength ?? 0) > 1 || isLimited(maxLength) ? [fact(TEXTS.length, range(minLength, maxLength))] : []),
    ...(isLimited(minItems) || isLimited(maxItems) ? [fact(TEXTS.items, range(minItems, maxItems))] : []),
    ...(schema.pattern ? [fact(TEXTS.pattern, schema.pattern)] : []),
    ...(schema.examples?.length && !values ? [fact(TEXTS.example, schema.examples[0])] : []),
  ]
  return facts.length > 0 ? h('p', { class: 'fact' }, ...facts) : null
}

const valuesOf = (schema: Schema) => schema.enum ?? schema.items?.enum

/** Limits that nobody reaches are not shown. */
const shortened = (maximum: number | undefined) => (maximum && maximum >= 1_000_000 ? undefined : maximum)

const range = (least: number | undefined, most: number | undefined) =>
  least === undefined ? `≤ ${most}` : most === undefined ? `≥ ${least}` : `${least} – ${most}`

/** A description. Sentences about values, like `` `draft`: being prepared. ``, become a list. */
export function about(description: string | undefined, schema: Schema = {}): HTMLElement | null {
  if (!description) return null
  const [, otherNames = ''] = OTHER_NAMES.exec(description) ?? []
  const { rest, meanings } = meaningsIn(description.replace(OTHER_NAMES, ''), valuesOf(schema) ?? [])
  return h(
    'div',
    { class: 'about' },
    rest ? markdown(rest) : null,
    meanings.length > 0 && h('ul', { class: 'meanings' }, ...meanings.map((one) => h('li', {}, inline(one)))),
    otherNames && h('p', { class: 'fact' }, inline(otherNames.charAt(0).toUpperCase() + otherNames.slice(1))),
  )
}

const OTHER_NAMES = / \((also accepted as [^)]*)\)$/
const MEANING = /^(`[^`]+`(?:, `[^`]+`)*): /

/** Separates the sentences that explain values from the rest of a description. */
function meaningsIn(description: string, values: readonly unknown[]) {
  const sentences = description.split(/(?<=\.)\s+(?=`[^`]+`(?:, `[^`]+`)*: )/)
  const namesIn = (sentence: string) =>
    (MEANING.exec(sentence)?.[1] ?? '').split(', ').map((one) => one.replaceAll('`', ''))
  const isMeaning = (sentence: string) => namesIn(sentence).every((name) => values.includes(name))
  const meanings = sentences.filter(isMeaning)
  return {
    rest: sentences.filter((one) => !isMeaning(one)).join(' '),
    meanings,
    explained: meanings.flatMap(namesIn),
  }
}

export function headOf(api: Api, name: string, schema: Schema, presence: string): HTMLElement {
  return h(
    'div',
    { class: 'head' },
    h('code', { class: 'name' }, name),
    h('span', { class: 'type' }, typeOf(api, schema)),
    presence && h('span', { class: presence === TEXTS.required ? 'required' : 'type' }, presence),
    schema.deprecated && h('span', { class: 'required' }, TEXTS.deprecated),
  )
}

type FieldContext = { isResponse?: boolean; opened?: string }

/** The fields of an object. Nested objects are drawn when they are opened, because some schemas refer to themselves. */
export function fieldsOf(api: Api, schema: Schema | undefined, place: FieldContext = {}): HTMLElement | null {
  const object = api.objectIn(schema)
  if (!object?.properties || Object.keys(object.properties).length === 0) return null
  return h(
    'ul',
    { class: 'fields' },
    ...Object.entries(object.properties).map(([name, field]) => {
      const own = field.$ref ? { ...api.resolve<Schema>(field), ...field } : field
      return h(
        'li',
        {},
        headOf(api, name, field, presenceOf(object.required?.includes(name) ?? false, place)),
        about(own.description, own),
        factsOf(own),
        nested(api, field, place, place.opened === name),
      )
    }),
  )
}

/** Requests mark required fields. Responses mark fields that can be missing. */
const presenceOf = (isRequired: boolean, { isResponse }: FieldContext) =>
  isResponse ? (isRequired ? '' : TEXTS.mayBeMissing) : isRequired ? TEXTS.required : ''

function nested(api: Api, schema: Schema, { isResponse = false }: FieldContext, isOpen: boolean): HTMLElement | null {
  const object = api.objectIn(schema)
  if (!object?.properties || Object.keys(object.properties).length === 0) return null
  const title = object.title
  const details = h(
    'details',
    { open: isOpen },
    h('summary', { class: 'more' }, inline(title ? `${TEXTS.fieldsOf} ${title}` : TEXTS.fields)),
  )
  const fill = () => {
    if (details.open && details.childElementCount === 1)
      details.append(fieldsOf(api, schema, { isResponse }) as HTMLElement)
  }
  details.addEventListener('toggle', fill)
  fill()
  return details
}
