import { h } from '../parts/dom.ts'
import { type Api, type ApiResponse, type ListedOperation, type Parameter, type Schema, slugOf } from './document.ts'
import { about, factsOf, fieldsOf, headOf } from './fields.ts'
import { markdown } from './markdown.ts'
import { TEXTS } from './texts.ts'
import { type Entries, tryPanel } from './try.ts'

/** One operation: its parameters, body and responses, and a form to send it. */
export function operationView(api: Api, placed: ListedOperation): HTMLElement {
  const { method, path, chapter, operation } = placed
  const parameters = api.parametersOf(operation)
  const entries: Entries = new Map()
  const onInput = () => panel.update()
  const parametersIn = (place: Parameter['in']) => {
    const inside = parameters.filter((one) => one.in === place)
    if (inside.length === 0) return []
    return [
      h('h2', {}, TEXTS.groups[place]),
      h('ul', { class: 'fields entered' }, ...parameterRows(api, inside, entries, onInput)),
    ]
  }
  const groups = [...parametersIn('path'), ...parametersIn('query'), ...bodyOf(api, placed), ...parametersIn('header')]
  const panel = tryPanel(api, placed, entries)
  return h(
    'article',
    { class: 'operation' },
    h(
      'div',
      { class: 'text' },
      h('p', { class: 'crumbs' }, h('a', { href: `#chapter/${slugOf(chapter)}` }, chapter)),
      h('h1', { tabindex: -1 }, operation.summary),
      h(
        'p',
        { class: 'address' },
        methodBadge(method),
        h('code', {}, path),
        h('button', { type: 'button', class: 'jump plain', click: () => panel.element.scrollIntoView() }, TEXTS.tryIt),
      ),
      operation.description ? markdown(operation.description) : null,
      ...groups,
      h('h2', {}, TEXTS.responses),
      ...Object.entries(operation.responses).map(([status, one]) =>
        responseOf(api, status, api.resolve<ApiResponse>(one)),
      ),
    ),
    panel.element,
  )
}

export const methodBadge = (method: string) => h('b', { class: method.toLowerCase() }, method)

const RANGE = /^(.+)\[(gte|lte|gt|lt)\]$/

/** A row for each parameter. The two bounds of a range share a row. */
function parameterRows(api: Api, all: Parameter[], entries: Entries, onInput: () => void): HTMLElement[] {
  const rows: HTMLElement[] = []
  const stemOf = (one: Parameter | undefined) => RANGE.exec(one?.name ?? '')?.[1]
  for (let at = 0; at < all.length; at++) {
    const one = all[at] as Parameter
    const stem = stemOf(one)
    const bounds = [one]
    while (stem && stemOf(all[at + 1]) === stem) bounds.push(all[++at] as Parameter)
    rows.push(
      bounds.length > 1 ? rangeRow(api, stem as string, bounds, entries, onInput) : row(api, one, entries, onInput),
    )
  }
  return rows
}

function row(api: Api, parameter: Parameter, entries: Entries, onInput: () => void): HTMLElement {
  const { name, schema, required = false, description = schema.description } = parameter
  return h(
    'li',
    {},
    h(
      'div',
      {},
      headOf(api, name, schema, required ? TEXTS.required : ''),
      about(description, schema),
      factsOf({ ...schema, ...(description ? { description } : {}) }),
    ),
    inputFor(parameter, entries, onInput),
  )
}

function rangeRow(api: Api, stem: string, bounds: Parameter[], entries: Entries, onInput: () => void): HTMLElement {
  const [first] = bounds as [Parameter]
  return h(
    'li',
    { class: 'range' },
    headOf(api, `${stem}[…]`, first.schema, ''),
    h(
      'ul',
      { class: 'bounds' },
      ...bounds.map((one) =>
        h(
          'li',
          {},
          h('code', {}, `[${RANGE.exec(one.name)?.[2]}]`),
          about(one.description),
          inputFor(one, entries, onInput),
        ),
      ),
    ),
  )
}

function inputFor(parameter: Parameter, entries: Entries, onInput: () => void): HTMLElement {
  const { name, schema, examples = {} } = parameter
  const types = [schema.type].flat()
  const example = Object.values(examples)[0]?.value ?? schema.examples?.[0]
  const isList = types.includes('array')
  const shown = example === undefined ? '' : [example].flat().join()
  const values = types.includes('boolean') ? ['true', 'false'] : isList ? undefined : schema.enum
  const given = { id: `entry-${entries.size}`, 'aria-label': name, input: onInput }
  const input = values
    ? h('select', given, h('option', { value: '' }, '–'), ...values.map((one) => h('option', {}, String(one))))
    : h('input', {
        ...given,
        type: 'text',
        placeholder: shown,
        title: isList ? TEXTS.list : null,
        autocomplete: 'off',
        spellcheck: 'false',
      })
  if (parameter.in === 'path') input.value = shown
  entries.set(name, { parameter, input, isList })
  return input
}

function bodyOf(api: Api, { operation }: ListedOperation): HTMLElement[] {
  const content = operation.requestBody?.content
  if (!content) return []
  const [first = '', ...others] = Object.keys(content)
  return [
    h('h2', {}, TEXTS.body),
    h(
      'p',
      { class: 'fact' },
      h('code', {}, first),
      ...(others.length > 0 ? [` ${TEXTS.alsoAs} `, ...others.flatMap((one) => [h('code', {}, one), ' '])] : []),
    ),
    fieldsOf(api, content[first]?.schema) ?? h('p', { class: 'fact' }),
  ]
}

function responseOf(api: Api, status: string, { description, headers = {}, content }: ApiResponse): HTMLElement {
  const isDone = status.startsWith('2')
  const [type, inside] = Object.entries(content ?? {})[0] ?? []
  const details = h(
    'details',
    { class: 'response', open: isDone },
    h('summary', {}, h('b', { class: isDone ? 'done' : 'failed' }, status), h('span', {}, markdown(description))),
  )
  // All operations have similar errors, and few readers open them.
  const fill = () => {
    if (!details.open || details.childElementCount > 1) return
    const fields = fieldsOf(api, inside?.schema, { isResponse: true, opened: 'data' })
    details.append(
      ...(type ? [h('p', { class: 'fact' }, h('code', {}, type))] : [h('p', { class: 'fact' }, TEXTS.noBody)]),
      ...(fields ? [fields] : []),
      ...headersOf(api, headers),
    )
  }
  details.addEventListener('toggle', fill)
  fill()
  return details
}

function headersOf(api: Api, headers: NonNullable<ApiResponse['headers']>): HTMLElement[] {
  const names = Object.keys(headers)
  if (names.length === 0) return []
  return [
    h(
      'details',
      {},
      h('summary', { class: 'more' }, TEXTS.headers),
      h(
        'ul',
        { class: 'fields' },
        ...names.map((name) => {
          const { description, schema = {} } = api.resolve<{ description?: string; schema?: Schema }>(
            headers[name] as { $ref: string },
          )
          return h('li', {}, headOf(api, name, schema, ''), about(description))
        }),
      ),
    ),
  ]
}
