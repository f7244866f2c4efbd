import { h } from '../screens/careers/dom.ts'
import type { Api, Schema } from './document.ts'
import { inline, markdown } from './markdown.ts'
import { TEXTS } from './texts.ts'

/** What a value is, in a few words: `list of Department`, `date or null`. */
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
export function factsOf(schema: Schema): HTMLElement[] {
  const code = (value: unknown) => h('code', {}, typeof value === 'string' ? value : JSON.stringify(value))
  const line = (name: string, ...values: unknown[]) =>
    h('p', { class: 'fact' }, h('span', {}, `${name} `), ...values.flatMap((one) => [code(one), ' ']))
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  const values = schema.enum ?? schema.items?.enum
  const isLimited = (limit: number | undefined) => limit !== undefined
  return [
    ...(values ? [line(TEXTS.oneOf, ...values)] : []),
    ...(schema.default !== undefined ? [line(TEXTS.byDefault, schema.default)] : []),
    ...(isLimited(minimum) || isLimited(maximum) ? [line(TEXTS.range, range(minimum, maximum))] : []),
    ...((minLength ?? 0) > 1 || isLimited(maxLength) ? [line(TEXTS.length, range(minLength, maxLength))] : []),
    ...(isLimited(minItems) || isLimited(maxItems) ? [line(TEXTS.items, range(minItems, maxItems))] : []),
    ...(schema.pattern ? [line(TEXTS.pattern, schema.pattern)] : []),
    ...(schema.examples?.length && !values ? [line(TEXTS.example, schema.examples[0])] : []),
  ]
}

const range = (least: number | undefined, most: number | undefined) =>
  least === undefined ? `≤ ${most}` : most === undefined ? `≥ ${least}` : `${least} – ${most}`

export const about = (description: string | undefined) =>
  description ? h('div', { class: 'about' }, markdown(description)) : null

export function headOf(api: Api, name: string, schema: Schema, isRequired: boolean): HTMLElement {
  return h(
    'div',
    { class: 'head' },
    h('code', { class: 'name' }, name),
    h('span', { class: 'type' }, typeOf(api, schema)),
    isRequired && h('span', { class: 'required' }, TEXTS.required),
    schema.deprecated && h('span', { class: 'required' }, TEXTS.deprecated),
  )
}

/** The fields of an object. Those of objects within come when they are opened: some kinds refer to themselves. */
export function fieldsOf(api: Api, schema: Schema | undefined, opened: readonly string[] = []): HTMLElement | null {
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
        headOf(api, name, field, object.required?.includes(name) ?? false),
        about(own.description),
        ...factsOf(own),
        nested(api, field, opened.includes(name)),
      )
    }),
  )
}

function nested(api: Api, schema: Schema, isOpen: boolean): HTMLElement | null {
  const object = api.objectIn(schema)
  if (!object?.properties || Object.keys(object.properties).length === 0) return null
  const title = object.title
  const details = h(
    'details',
    { open: isOpen },
    h('summary', { class: 'more' }, inline(title ? `${TEXTS.fieldsOf} ${title}` : TEXTS.fields)),
  )
  const fill = () => {
    if (details.open && details.childElementCount === 1) details.append(fieldsOf(api, schema) as HTMLElement)
  }
  details.addEventListener('toggle', fill)
  fill()
  return details
}
