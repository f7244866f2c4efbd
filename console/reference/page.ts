import { BASE } from '../client/base.ts'
import { h } from '../parts/dom.ts'
import { Api, type ApiDocument, slugOf } from './document.ts'
import { markdown } from './markdown.ts'
import { methodBadge, operationView } from './operation.ts'
import { addWords, found, resultsOf, type SearchEntry } from './search.ts'
import { stored } from './stored.ts'
import { TEXTS } from './texts.ts'

/**
 * The API reference. The list of operations is part of the page, and the OpenAPI document is loaded separately. The
 * page opens fast because it shows one operation at a time.
 */

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T
const [nav, tree, results] = [byId('operations'), byId('tree'), byId('results')]
const [main, search, menu] = [byId('content'), byId<HTMLInputElement>('search'), byId<HTMLButtonElement>('menu')]

const scheme = stored.scheme()
if (scheme) document.documentElement.style.colorScheme = scheme

const listed: SearchEntry[] = [...tree.querySelectorAll<HTMLAnchorElement>('a[data-path]')].map((link) => ({
  id: link.hash.slice(1),
  method: link.querySelector('b')?.textContent ?? '',
  path: link.dataset.path ?? '',
  summary: link.querySelector('span')?.textContent ?? '',
  chapter: link.closest('details')?.querySelector('summary')?.textContent ?? '',
  link,
}))

let api: Api | undefined

async function load(): Promise<void> {
  main.replaceChildren(h('p', { class: 'hint' }, TEXTS.loading))
  try {
    const response = await fetch(`${BASE}/openapi.json`)
    if (!response.ok) throw new Error(String(response.status))
    api = new Api((await response.json()) as ApiDocument)
  } catch {
    const again = h('button', { type: 'button', click: () => void load() }, TEXTS.retry)
    main.replaceChildren(h('p', { class: 'wrong', role: 'alert' }, TEXTS.failed), again)
    return
  }
  show()
  if (search.value) find()
}

type ReferenceLocation =
  | { operation: string }
  | { chapter: string }
  | { heading: string }
  | { unknown: true }
  | { start: true }

/**
 * The target of a URL fragment: `#listEmployees`, `#chapter/employees`, `#description/two-clocks`. Fragments of the
 * former viewer, such as `#tag/employees/GET/employees`, still open their operation.
 */
function placeOf(api: Api, hash: string): ReferenceLocation {
  if (!hash) return { start: true }
  if (api.operations.has(hash)) return { operation: hash }
  const [, heading] = /^description\/(.+)$/.exec(hash) ?? []
  if (heading) return { heading: hash }
  const [, tag = '', method, path] = /^(?:chapter|tag)\/([^/]+)(?:\/(\w+)(\/.*))?$/.exec(hash) ?? []
  const old = path && listed.find((one) => one.path === path && one.method === method?.toUpperCase())
  if (old) return { operation: old.id }
  const chapter = api.document.tags.find(({ name }) => slugOf(name) === tag)
  return chapter ? { chapter: chapter.name } : { unknown: true }
}

function show(): void {
  if (!api) return
  const hash = decoded(location.hash.slice(1))
  if (hash === main.id) {
    main.focus()
    return
  }
  const place = placeOf(api, hash)
  const view =
    'operation' in place
      ? operationView(api, api.operations.get(place.operation)!)
      : 'chapter' in place
        ? chapterView(api, place.chapter)
        : startView(api, 'unknown' in place)
  main.replaceChildren(view)
  const heading = 'heading' in place ? document.getElementById(place.heading) : null
  const title = heading ?? main.querySelector('h1')
  document.title = title && !('start' in place) ? `${title.textContent} · ${TEXTS.title}` : TEXTS.title
  mark(place)
  closeMenu()
  if (heading) heading.scrollIntoView()
  else scrollTo(0, 0)
  if (!isFirst) title?.focus({ preventScroll: true })
  isFirst = false
}

/** When the page opens, it keeps its focus at the top. After later navigation the focus moves to the target. */
let isFirst = true

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Marks the current entry in the list. */
function mark(place: ReferenceLocation): void {
  for (const one of nav.querySelectorAll('[aria-current]')) one.removeAttribute('aria-current')
  const shown = listed.find(({ id, chapter }) =>
    'operation' in place ? id === place.operation : 'chapter' in place && chapter === place.chapter,
  )
  if (!shown) return
  shown.link.closest('details')?.setAttribute('open', '')
  if ('operation' in place) shown.link.setAttribute('aria-current', 'page')
  shown.link.scrollIntoView({ block: 'nearest' })
}

function startView({ document: { info, tags, 'x-tagGroups': parts } }: Api, isUnknown: boolean): HTMLElement {
  return h(
    'article',
    { class: 'text' },
    isUnknown && h('p', { class: 'wrong', role: 'alert' }, TEXTS.unknown),
    h('h1', { tabindex: -1 }, TEXTS.title),
    h(
      'p',
      { class: 'links' },
      h('a', { href: `${BASE}/openapi.json`, download: 'openapi.json' }, TEXTS.download),
      ' · ',
      h('a', { href: `${BASE}/problems` }, TEXTS.problems),
    ),
    markdown(info.description),
    h('h2', {}, TEXTS.chapters),
    ...parts.flatMap(({ name, tags: inside }) => [
      h('h3', {}, name),
      h(
        'ul',
        { class: 'chapters' },
        ...tags
          .filter((tag) => inside.includes(tag.name))
          .map((tag) =>
            h(
              'li',
              {},
              h('a', { href: `#chapter/${slugOf(tag.name)}` }, tag.name),
              h('small', {}, TEXTS.operations(listed.filter(({ chapter }) => chapter === tag.name).length)),
            ),
          ),
      ),
    ]),
  )
}

function chapterView(api: Api, name: string): HTMLElement {
  const about = api.document.tags.find((one) => one.name === name)?.description ?? ''
  return h(
    'article',
    { class: 'text' },
    h('h1', { tabindex: -1 }, name),
    markdown(about),
    h(
      'ul',
      { class: 'contents' },
      ...listed
        .filter((one) => one.chapter === name)
        .map(({ id, method, path, summary }) =>
          h('li', {}, h('a', { href: `#${id}` }, summary), h('div', {}, methodBadge(method), h('code', {}, path))),
        ),
    ),
  )
}

let hasWords = false

function find(): void {
  const text = search.value.trim()
  tree.hidden = text !== ''
  results.hidden = text === ''
  if (!text) return
  if (api && !hasWords) {
    addWords(listed, api)
    hasWords = true
  }
  results.replaceChildren(...resultsOf(found(listed, text)))
  nav.scrollTop = 0
}

function closeMenu(): void {
  menu.setAttribute('aria-expanded', 'false')
  nav.classList.remove('open')
}

menu.addEventListener('click', () => {
  const isOpen = nav.classList.toggle('open')
  menu.setAttribute('aria-expanded', String(isOpen))
})
search.addEventListener('input', () => {
  nav.classList.add('open')
  menu.setAttribute('aria-expanded', 'true')
  find()
})
addEventListener('hashchange', show)
nav.addEventListener('click', (event) => {
  const link = (event.target as Element).closest('a')
  // The link to the current operation only closes the menu on a phone.
  if (link && link.hash === location.hash) closeMenu()
})

/** `/` and Ctrl+K open the search; arrow keys move through the results. */
addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
  if ((event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
    event.preventDefault()
    search.focus()
    search.select()
  } else if (event.key === 'Escape' && (target === search || nav.contains(target))) {
    search.value = ''
    find()
    closeMenu()
    search.focus()
  } else if (/^Arrow(Up|Down)$/.test(event.key) && (target === search || nav.contains(target))) {
    const links = [...nav.querySelectorAll<HTMLElement>('a, summary')].filter((one) => one.checkVisibility())
    const at = links.indexOf(target) + (event.key === 'ArrowDown' ? 1 : -1)
    event.preventDefault()
    ;(links[at] ?? (at < 0 ? search : undefined))?.focus()
  } else if (event.key === 'Enter' && target === search) {
    results.querySelector<HTMLElement>('a')?.click()
  }
})

void load()
