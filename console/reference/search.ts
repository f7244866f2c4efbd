import { h } from '../parts/dom.ts'
import type { Api } from './document.ts'
import { TEXTS } from './texts.ts'

const MOST_FOUND = 60

/** An operation in the list. `more` holds its description and the names of its parameters and fields. */
export type SearchEntry = {
  id: string
  method: string
  path: string
  summary: string
  chapter: string
  link: HTMLElement
  more?: string
}

/** Adds the words of the document that the list does not show. It runs once, at the first search. */
export function addWords(listed: Iterable<SearchEntry>, api: Api): void {
  for (const one of listed) {
    const placed = api.operations.get(one.id)
    if (!placed) continue
    const { operation } = placed
    const body = api.objectIn(operation.requestBody?.content['application/json']?.schema)
    one.more = [
      operation.description ?? '',
      ...api.parametersOf(operation).map(({ name }) => name),
      ...Object.keys(body?.properties ?? {}),
    ]
      .join(' ')
      .toLowerCase()
  }
}

/** The operations that contain every word, best matches first. */
export function found(listed: readonly SearchEntry[], text: string): SearchEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const scored = listed.map((one) => {
    const places: [string, number][] = [
      [one.summary.toLowerCase(), 4],
      [`${one.method} ${one.path}`.toLowerCase(), 3],
      [one.id.toLowerCase(), 3],
      [one.chapter.toLowerCase(), 2],
      [one.more ?? '', 1],
    ]
    const scores = words.map((word) =>
      Math.max(...places.map(([place, weight]) => (place.includes(word) ? weight : 0))),
    )
    return { one, score: scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0) }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ one }) => one)
}

export function resultsOf(all: SearchEntry[]): HTMLElement[] {
  const shown = all.slice(0, MOST_FOUND)
  return [
    h('p', { class: 'hint', role: 'status' }, TEXTS.found(shown.length, all.length)),
    h(
      'ul',
      {},
      ...shown.map(({ id, method, path, summary, chapter }) =>
        h(
          'li',
          {},
          h(
            'a',
            { href: `#${id}` },
            h('b', { class: method.toLowerCase() }, method),
            h('span', {}, summary, h('small', {}, `${chapter} · ${path}`)),
          ),
        ),
      ),
    ),
  ]
}
