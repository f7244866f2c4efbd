import { h } from '../../parts/dom.ts'
import { paint } from './colour.ts'
import { formFor } from './form.ts'
import { factsOf, listOf } from './list.ts'
import {
  addressOf,
  asked,
  BASE,
  type Company,
  given,
  isEmbedded,
  locale,
  postedOf,
  salaryOf,
  t,
  type Vacancy,
} from './place.ts'

/**
 * The careers page. Visitors open it on phones, so it is small, and it shows the data in its HTML without a request.
 */

const root = document.documentElement
root.lang = locale
const scheme = asked.get('scheme')
if (scheme === 'light' || scheme === 'dark') root.style.colorScheme = scheme

function listPage(company: Company): HTMLElement {
  document.title = `${company.heading ?? t('title')} · ${company.name}`
  return h(
    'main',
    { id: 'content' },
    h('h1', {}, isEmbedded ? t('title') : (company.heading ?? t('title'))),
    !isEmbedded && company.introduction && h('p', { class: 'introduction' }, company.introduction),
    listOf(given.vacancies ?? []),
  )
}

function vacancyPage(vacancy: Vacancy, company: Company): HTMLElement {
  const description = h('div', { class: 'description' })
  // The service has sanitised this HTML.
  description.innerHTML = vacancy.description
  levelHeadings(description)
  const facts = [
    factsOf(vacancy),
    salaryOf(vacancy),
    [postedOf(vacancy), vacancy.positions > 1 && t('positions', { count: vacancy.positions })]
      .filter(Boolean)
      .join(' · '),
  ]
  return h(
    'main',
    { id: 'content' },
    h('a', { class: 'back', href: addressOf() }, `← ${t('back')}`),
    h('h1', {}, vacancy.title),
    ...facts.map((one) => one && h('p', { class: 'facts' }, one)),
    description,
    vacancy.skills.length > 0 && h('h2', {}, t('skills')),
    vacancy.skills.length > 0 && h('ul', { class: 'skills' }, ...vacancy.skills.map((skill) => h('li', {}, skill))),
    formFor(vacancy, company),
  )
}

/** Renumbers the headings of a description, so that they follow the page title without gaps. */
function levelHeadings(within: HTMLElement): void {
  const found = [...within.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  const levels = [...new Set(found.map(({ tagName }) => tagName))].sort()
  let above = 1
  for (const one of found) {
    above = Math.min(levels.indexOf(one.tagName) + 2, above + 1)
    one.replaceWith(h(`h${above}` as 'h2', {}, ...one.childNodes))
  }
}

const noticePage = (title: string, text: string, action: HTMLElement) =>
  h('main', { id: 'content' }, h('div', { class: 'notice' }, h('h1', {}, title), h('p', {}, text), action))

function pageOf({ company, vacancy, vacancies }: typeof given): HTMLElement {
  if (company && vacancy) return vacancyPage(vacancy, company)
  if (company && vacancies) return listPage(company)
  if (given.status === 404 && !company)
    return noticePage(
      t('nobodyTitle'),
      t('nobodyText'),
      h('a', { class: 'main-button', href: `${BASE}/careers` }, t('back')),
    )
  if (given.status === 404)
    return noticePage(t('goneTitle'), t('goneText'), h('a', { class: 'main-button', href: addressOf() }, t('back')))
  const retry = h('button', { type: 'button', class: 'main-button', click: () => location.reload() }, t('retry'))
  return noticePage(t('brokenTitle'), given.status === 429 ? t('tooMany') : '', retry)
}

const top = ({ logo, name }: Company) =>
  h(
    'header',
    { class: 'top' },
    h('a', { class: 'skip', href: '#content' }, t('skip')),
    h('a', { class: 'company', href: addressOf() }, logo ? h('img', { src: logo, alt: name, height: 40 }) : name),
  )

/** On a phone the form is far below, so this bar always leads to it. */
const applyBar = () => {
  const bar = h('div', { class: 'apply-bar' }, h('a', { class: 'main-button', href: '#apply' }, t('apply')))
  const form = document.getElementById('apply')
  if (form) new IntersectionObserver(([seen]) => bar.toggleAttribute('hidden', seen?.isIntersecting)).observe(form)
  return bar
}

const { company, vacancy } = given
if (company) paint(company.color ?? '#1f5f5b', root)
const place = document.getElementById('root') as HTMLElement
if (isEmbedded) place.classList.add('embedded')
if (company && !isEmbedded) place.append(top(company))
place.append(pageOf(given))
if (vacancy && !isEmbedded) place.append(applyBar())

// A site that embeds this page can adjust the frame to its height.
if (isEmbedded && parent !== window)
  new ResizeObserver(() =>
    parent.postMessage({ type: 'cadre-careers-height', height: Math.ceil(place.getBoundingClientRect().height) }, '*'),
  ).observe(place)
