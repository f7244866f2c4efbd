import { h } from '../../parts/dom.ts'
import { addressOf, asked, type ListedVacancy, salaryOf, t } from './place.ts'

/** All open vacancies, filtered while typing. The address keeps the filters. */

const FILTER_NAMES = [
  ['department', 'anyDepartment'],
  ['location', 'anyLocation'],
  ['employment_type', 'anyEmployment'],
] as const
const LABELS = { department: 'department', location: 'location', employment_type: 'employment' } as const

/** With fewer vacancies, a search field is not worth it. */
const WORTH_SEARCHING = 6

export const factsOf = ({ department, location, employment_type }: ListedVacancy) =>
  [department, location, employment_type].map(({ name }) => name).join(' · ')

const line = (one: ListedVacancy) => {
  const salary = salaryOf(one)
  return h(
    'li',
    {},
    h(
      'a',
      { class: 'job', href: addressOf(one.id) },
      h('span', { class: 'job-title' }, one.title),
      h('span', { class: 'facts' }, factsOf(one)),
      salary && h('span', { class: 'facts' }, salary),
    ),
  )
}

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

export function listOf(vacancies: readonly ListedVacancy[]): HTMLElement {
  if (vacancies.length === 0)
    return h('div', { class: 'notice', role: 'status' }, h('h2', {}, t('empty')), h('p', {}, t('emptyText')))

  const search = h('input', { type: 'search', 'aria-label': t('search'), placeholder: t('search'), maxlength: 100 })
  search.value = asked.get('q') ?? ''
  const selects = FILTER_NAMES.map(([name, any]) => {
    const names = new Map(vacancies.map(({ [name]: { id, name: shown } }) => [String(id), shown]))
    const sorted = [...names].sort(([, one], [, other]) => one.localeCompare(other))
    const select = h(
      'select',
      { 'aria-label': t(LABELS[name]) },
      h('option', { value: '' }, t(any)),
      ...sorted.map(([id, shown]) => h('option', { value: id }, shown)),
    )
    select.value = names.has(asked.get(`${name}_id`) ?? '') ? (asked.get(`${name}_id`) as string) : ''
    return { name, select, isUseful: names.size > 1 }
  })
  const count = h('p', { class: 'count', role: 'status' })
  const list = h('ul', { class: 'jobs' })
  const clear = h('button', { type: 'button', class: 'plain', click: () => empty() }, t('clear'))

  const show = () => {
    const words = plain(search.value).split(/\s+/).filter(Boolean)
    const found = vacancies.filter(
      (one) =>
        selects.every(({ name, select }) => !select.value || String(one[name].id) === select.value) &&
        words.every((word) => plain(`${one.title} ${factsOf(one)} ${one.skills.join(' ')}`).includes(word)),
    )
    count.textContent = found.length === 0 ? t('nothing') : t('count', { count: found.length })
    if (found.length === 0) count.append(' ', clear)
    list.replaceChildren(...found.map(line))
  }
  const remember = () => {
    const address = new URL(location.href)
    const values = [['q', search.value.trim()], ...selects.map(({ name, select }) => [`${name}_id`, select.value])]
    for (const [name, value] of values as [string, string][])
      if (value) address.searchParams.set(name, value)
      else address.searchParams.delete(name)
    history.replaceState(null, '', address)
  }
  const change = () => {
    show()
    remember()
  }
  const empty = () => {
    search.value = ''
    for (const { select } of selects) select.value = ''
    change()
    search.focus()
  }
  for (const input of [search, ...selects.map(({ select }) => select)]) input.addEventListener('input', change)
  show()

  const isFiltered = Boolean(search.value) || selects.some(({ select }) => select.value)
  const useful = selects.filter(({ isUseful }) => isUseful).map(({ select }) => select)
  const isWorthIt = vacancies.length >= WORTH_SEARCHING || isFiltered
  return h('div', {}, isWorthIt && h('div', { class: 'filters', role: 'search' }, search, ...useful), count, list)
}
