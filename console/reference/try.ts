import { h } from '../parts/dom.ts'
import type { Api, ApiResponse, ListedOperation, Parameter, Schema } from './document.ts'
import { codeBlock } from './markdown.ts'
import { type Entry, LANGUAGE_NAMES, LANGUAGES, type RequestDraft, urlOf } from './request.ts'
import { sampleOf } from './sample.ts'
import { stored } from './stored.ts'
import { TEXTS } from './texts.ts'

export type Entries = Map<
  string,
  { parameter: Parameter; input: HTMLInputElement | HTMLSelectElement; isList: boolean }
>

/** Longer responses would make the page slow. */
const MOST_SHOWN = 200_000

/** The request as code, the form around it, and the response. */
export function tryPanel(
  api: Api,
  placed: ListedOperation,
  entries: Entries,
): { element: HTMLElement; update: () => void } {
  const { method, path, operation } = placed
  const server = (operation.servers ?? api.document.servers)[0]?.url ?? ''
  const needsKey = operation.security?.length !== 0
  const body = bodyField(api, placed)
  const files = fileFields(api, placed)
  const key = needsKey ? keyField() : undefined

  const entered = (): Entry[] =>
    [...entries.values()].map(({ parameter, input, isList }) => ({
      name: parameter.name,
      in: parameter.in,
      value: input.value.trim(),
      isList,
    }))
  const filled = (): RequestDraft => {
    const all = entered()
    const text = body?.value.trim()
    return {
      method,
      url: urlOf(server, path, all),
      needsKey,
      headers: [
        ...(text ? [['Content-Type', 'application/json'] as [string, string]] : []),
        ...all
          .filter((one) => one.in === 'header' && one.value)
          .map(({ name, value }): [string, string] => [name, value]),
      ],
      body: text || undefined,
    }
  }

  const code = codeBlock('', TEXTS.code)
  const language = h(
    'select',
    { 'aria-label': TEXTS.language, input: () => update() },
    ...Object.entries(LANGUAGE_NAMES).map(([value, name]) => h('option', { value }, name)),
  )
  const remembered = stored.language()
  if (remembered && remembered in LANGUAGES) language.value = remembered
  const update = () => {
    stored.setLanguage(language.value)
    if (dryRun) dryRun.input.checked = /\bdry-run\b/.test(entries.get('Prefer')?.input.value ?? '')
    code.firstElementChild!.textContent = LANGUAGES[language.value as keyof typeof LANGUAGES](filled())
  }
  const dryRun = entries.has('Prefer') ? dryRunField(entries, update) : undefined
  body?.addEventListener('input', update)

  const answer = h('div', { class: 'answer', 'aria-live': 'polite' })
  const say = (text: string, where?: HTMLElement) => {
    answer.replaceChildren(h('p', { class: 'wrong' }, text))
    where?.focus()
  }
  let running: AbortController | undefined
  const button = h('button', { type: 'submit', class: 'primary' }, TEXTS.send)

  const send = async () => {
    const empty = [...entries.values()].find(({ parameter, input }) => parameter.required && !input.value.trim())
    if (empty) return say(TEXTS.missing(empty.parameter.name), empty.input)
    if (key && !key.input.value.trim()) return say(TEXTS.keyMissing, key.input)
    const request = filled()
    try {
      request.body = await withFiles(request.body, files)
    } catch (error) {
      return say(TEXTS.badBody((error as Error).message), body)
    }
    running = new AbortController()
    button.textContent = TEXTS.cancel
    answer.replaceChildren(h('p', {}, TEXTS.sending))
    const begun = performance.now()
    try {
      const response = await fetch(request.url, {
        method,
        headers: [
          ['Accept', 'application/json, */*;q=0.5'],
          ...(key ? [['X-API-KEY', key.input.value.trim()] as [string, string]] : []),
          ...request.headers,
        ],
        ...(request.body === undefined ? {} : { body: request.body }),
        // Like a program, without the session of the console.
        credentials: 'omit',
        cache: 'no-store',
        signal: running.signal,
      })
      const bytes = await response.blob()
      answer.replaceChildren(...(await shown(response, bytes, performance.now() - begun)))
      example?.removeAttribute('open')
    } catch (error) {
      say(running.signal.aborted ? TEXTS.cancelled : TEXTS.unreachable((error as Error).message))
    } finally {
      running = undefined
      button.textContent = TEXTS.send
    }
  }

  const example = exampleResponse(api, placed)
  const element = h(
    'form',
    {
      class: 'try',
      'aria-label': TEXTS.tryIt,
      novalidate: true,
      submit: (event) => {
        event.preventDefault()
        if (running) running.abort()
        else void send()
      },
    },
    h('h2', {}, TEXTS.tryIt),
    key ? key.element : h('p', { class: 'hint' }, TEXTS.noKey),
    body && h('label', { class: 'labelled' }, h('span', {}, TEXTS.bodyLabel), body),
    ...[...files].map(([name, input]) => h('label', { class: 'labelled' }, h('span', {}, TEXTS.file(name)), input)),
    dryRun?.element,
    button,
    answer,
    h(
      'div',
      { class: 'bar' },
      language,
      copyButton(() => code.textContent ?? ''),
    ),
    code,
    example,
  )
  update()
  return { element, update }
}

export function copyButton(textOf: () => string, label = TEXTS.copy): HTMLButtonElement {
  const button = h('button', { type: 'button' }, label)
  button.addEventListener('click', async () => {
    await navigator.clipboard?.writeText(textOf())
    button.textContent = TEXTS.copied
    setTimeout(() => {
      button.textContent = label
    }, 1500)
  })
  return button
}

function keyField(): { element: HTMLElement; input: HTMLInputElement } {
  const input = h('input', {
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': 'key-hint',
  })
  const remove = h('button', { type: 'button', class: 'plain' }, TEXTS.removeKey)
  const store = () => {
    stored.setKey(input.value.trim())
    remove.hidden = input.value === ''
  }
  input.value = stored.key()
  input.addEventListener('input', store)
  remove.addEventListener('click', () => {
    input.value = ''
    store()
    input.focus()
  })
  store()
  const element = h(
    'div',
    { class: 'labelled' },
    h('label', {}, h('span', {}, TEXTS.key), input),
    h('p', { class: 'hint', id: 'key-hint' }, `${TEXTS.keyHint} `, remove),
  )
  return { element, input }
}

/** The header `Prefer: dry-run` as a checkbox. */
function dryRunField(entries: Entries, update: () => void): { element: HTMLElement; input: HTMLInputElement } {
  const input = h('input', { type: 'checkbox' })
  input.addEventListener('change', () => {
    const prefer = entries.get('Prefer')?.input
    if (prefer) prefer.value = input.checked ? 'dry-run' : ''
    update()
  })
  return { element: h('label', { class: 'box' }, input, TEXTS.dryRun), input }
}

function bodyField(api: Api, { operation }: ListedOperation): HTMLTextAreaElement | undefined {
  const json = operation.requestBody?.content['application/json']
  if (!json) return undefined
  const field = h('textarea', { rows: 10, spellcheck: 'false', autocomplete: 'off' })
  field.value = JSON.stringify(json.example ?? sampleOf(api, json.schema ?? {}), null, 2)
  field.rows = Math.min(14, field.value.split('\n').length + 1)
  return field
}

/** The file inputs of the body. Files are sent in the JSON as data URIs. */
function fileFields(api: Api, { operation }: ListedOperation): Map<string, HTMLInputElement> {
  const { properties = {} } = api.objectIn(operation.requestBody?.content['multipart/form-data']?.schema) ?? {}
  const names = Object.keys(properties).filter((name) => (properties[name] as Schema).format === 'binary')
  return new Map(names.map((name) => [name, h('input', { type: 'file' })]))
}

/** The body with the selected files. Throws if it is not JSON. */
async function withFiles(body: string | undefined, files: Map<string, HTMLInputElement>): Promise<string | undefined> {
  if (body === undefined) return undefined
  const values = JSON.parse(body)
  let isChanged = false
  for (const [name, { files: chosen }] of files) {
    const [file] = chosen ?? []
    if (!file) continue
    values[name] = await dataUri(file)
    isChanged = true
  }
  return isChanged ? JSON.stringify(values) : body
}

const dataUri = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onerror = () => reject(reader.error)
    reader.onload = () => {
      const bytes = String(reader.result).split(',')[1] ?? ''
      resolve(`data:${file.type || 'application/octet-stream'};name=${encodeURIComponent(file.name)};base64,${bytes}`)
    }
    reader.readAsDataURL(file)
  })

/** An example of the usual response. */
function exampleResponse(api: Api, { operation }: ListedOperation): HTMLElement | null {
  const [status, first] = Object.entries(operation.responses).find(([one]) => one.startsWith('2')) ?? []
  const response = first && api.resolve<ApiResponse>(first)
  const schema = response?.content?.['application/json']?.schema
  if (!schema) return null
  const text = JSON.stringify(sampleOf(api, schema), null, 2)
  return h(
    'details',
    { open: true },
    h('summary', {}, TEXTS.exampleResponse, ' ', h('b', { class: 'done' }, status ?? '')),
    codeBlock(text, TEXTS.exampleResponse),
  )
}

async function shown(response: Response, bytes: Blob, took: number): Promise<HTMLElement[]> {
  const type = response.headers.get('content-type') ?? ''
  const size = bytes.size < 1000 ? `${bytes.size} B` : `${(bytes.size / 1000).toFixed(1)} kB`
  const head = [
    h(
      'p',
      { class: 'status' },
      h('b', { class: response.ok ? 'done' : 'failed' }, String(response.status)),
      ` ${response.statusText} · ${Math.round(took)} ms · ${size}`,
    ),
    h(
      'details',
      {},
      h('summary', { class: 'more' }, TEXTS.headers),
      codeBlock([...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'), TEXTS.headers),
    ),
  ]
  if (bytes.size === 0) return [...head, h('p', { class: 'hint' }, TEXTS.noBody)]
  if (!/json|text|xml|csv|calendar/.test(type)) {
    const name = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'response'
    return [...head, h('p', {}, h('a', { href: URL.createObjectURL(bytes), download: name }, TEXTS.save))]
  }
  const text = readable(await bytes.text(), type)
  return [
    ...head,
    ...(text.length > MOST_SHOWN ? [h('p', { class: 'hint' }, TEXTS.cut(MOST_SHOWN))] : []),
    codeBlock(text.slice(0, MOST_SHOWN), TEXTS.response),
  ]
}

function readable(text: string, type: string): string {
  if (!type.includes('json')) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
