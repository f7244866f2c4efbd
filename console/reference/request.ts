/** A request that the user has filled in, also as code. */
export type RequestDraft = {
  method: string
  /** Contains `{id}` if nothing was entered. */
  url: string
  needsKey: boolean
  headers: [name: string, value: string][]
  body: string | undefined
}

export type Entry = { name: string; in: 'path' | 'query' | 'header'; value: string; isList: boolean }

/** The URL with the entered values. Empty entries are left out. */
export function urlOf(server: string, path: string, entries: readonly Entry[]): string {
  const entered = entries.filter(({ value }) => value !== '')
  let place = path
  for (const { name, value } of entered.filter((one) => one.in === 'path'))
    place = place.replace(`{${name}}`, encodeURIComponent(value))
  const query = entered
    .filter((one) => one.in === 'query')
    .flatMap(({ name, value, isList }) =>
      (isList ? value.split(',') : [value]).map((one) => `${spell(name)}=${spell(one.trim())}`),
    )
  return new URL(server.replace(/\/$/, '') + place, location.href).href.replace(/%7B(\w+)%7D/g, '{$1}') + joined(query)
}

const joined = (query: string[]) => (query.length > 0 ? `?${query.join('&')}` : '')
const spell = (text: string) => encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%2C', ',')

export const LANGUAGES = { curl, javascript, python } as const
export const LANGUAGE_NAMES: Record<keyof typeof LANGUAGES, string> = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
}

function curl({ method, url, needsKey, headers, body }: RequestDraft): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...(needsKey ? ['-H "X-API-KEY: $API_KEY"'] : []),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ')
}

function javascript({ method, url, needsKey, headers, body }: RequestDraft): string {
  const text = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const all = [
    ...(needsKey ? ["'X-API-KEY': process.env.API_KEY"] : []),
    ...headers.map(([name, value]) => `${text(name)}: ${text(value)}`),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${text(method)},`]),
    ...(all.length > 0 ? [`  headers: { ${all.join(', ')} },`] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(body, '  ')}),`]),
  ]
  const given = options.length > 0 ? `, {\n${options.join('\n')}\n}` : ''
  return `const response = await fetch(${text(url)}${given})\nconsole.log(response.status, await response.text())`
}

function python({ method, url, needsKey, headers, body }: RequestDraft): string {
  const all = [
    ...(needsKey ? ['"X-API-KEY": os.environ["API_KEY"]'] : []),
    ...headers
      .filter(([name]) => name !== 'Content-Type')
      .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ]
  const parts = [
    `    ${JSON.stringify(url)},`,
    ...(all.length > 0 ? [`    headers={${all.join(', ')}},`] : []),
    ...(body === undefined ? [] : [`    json=${indented(pythonValues(body), '    ')},`]),
  ]
  return [
    'import os',
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...parts,
    ')',
    'print(response.status_code, response.text)',
  ].join('\n')
}

const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`)

/** Translates JSON to Python. Strings are matched first, so that words inside them do not change. */
const pythonValues = (body: string) =>
  body.replace(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (found) => PYTHON[found] ?? found)

const PYTHON: Record<string, string> = { true: 'True', false: 'False', null: 'None' }
