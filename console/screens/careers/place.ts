import type { AnswerOf } from '../../client/client.ts'
import { fromBrowser, isLocale, regional, sayIn } from '../../texts/catalogue.ts'
import { careersTexts } from './texts.ts'

/** The address of the page, its language, and the data in its HTML. */

export type Company = AnswerOf<'GET /recruitment/careers/company'>['data']
export type Vacancy = AnswerOf<'GET /recruitment/careers/vacancies/{id}'>['data']
/** A vacancy in the list: without its description. */
export type ListedVacancy = Omit<Vacancy, 'description' | 'description_plain'>
export type CareersData = { status: number; company?: Company; vacancies?: ListedVacancy[]; vacancy?: Vacancy }

export const given = JSON.parse(document.getElementById('careers')?.textContent ?? '{}') as CareersData

export const BASE = document.querySelector<HTMLMetaElement>('meta[name="cadre-base"]')?.content ?? ''
export const isEmbedded = location.pathname.startsWith(`${BASE}/careers/embed`)
const HOME = `${BASE}/careers${isEmbedded ? '/embed' : ''}`

export const asked = new URLSearchParams(location.search)

/** Parameters that an embedding site can set: account, language, colour scheme. Links keep them. */
const KEPT = ['account', 'lang', 'scheme']
export const account = asked.get('account')

export function addressOf(id?: number): string {
  const search = new URLSearchParams(
    KEPT.flatMap((name) => (asked.get(name) ? [[name, asked.get(name) as string]] : [])),
  )
  return `${HOME}${id === undefined ? '' : `/${id}`}${search.size > 0 ? `?${search}` : ''}`
}

const wanted = asked.get('lang')
export const locale = isLocale(wanted) ? wanted : fromBrowser()
export const t = sayIn(locale, careersTexts)

const region = regional(locale)
const money = (amount: number, currency: string) =>
  new Intl.NumberFormat(region, { style: 'currency', currency, maximumFractionDigits: 0 }).format(amount)

export function salaryOf({ salary }: ListedVacancy): string | null {
  if (!salary) return null
  const [minimum, maximum] = [salary.minimum, salary.maximum].map((one) =>
    one === null ? null : money(one, salary.currency_code),
  )
  if (minimum && maximum)
    return minimum === maximum ? t('salaryFrom', { amount: minimum }) : t('salaryBetween', { minimum, maximum })
  return minimum ? t('salaryFrom', { amount: minimum }) : t('salaryTo', { amount: maximum ?? '' })
}

export function postedOf({ opened_at }: ListedVacancy): string | null {
  if (!opened_at) return null
  const days = Math.round((new Date(opened_at).getTime() - Date.now()) / 86_400_000)
  const words = new Intl.RelativeTimeFormat(region, { numeric: 'auto' })
  const when = days > -31 ? words.format(Math.min(0, days), 'day') : words.format(Math.round(days / 30.4), 'month')
  return t('posted', { when })
}
