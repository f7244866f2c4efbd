import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { attribute, BUILT, guard, loading, manifestIn, type PageAssets, sendMissing } from './console.ts'
import { PREFIX } from './http/routes.ts'

/**
 * The careers page, for anybody: its vacancies, and one of them to apply for. What it shows comes with the document, so
 * that it is there at once and search engines and previews of links know it too. It asks the public operations, as a
 * company's own site would, and so has their limits.
 *
 * `/careers/embed` is the same for a frame on a company's own site, whatever site that is: nobody is signed in there
 * (cookies of the console are not sent to a frame of another site), so there is nothing that a frame could be misused for.
 */

const LARGEST_PAGE = 200
/** Nobody scrolls through more. */
const MOST_PAGES = 5

type PublicVacancy = {
  id: number
  title: string
  description: string
  description_plain: string
  location: { name: string }
  employment_type: { name: string }
  salary: { minimum: number | null; maximum: number | null; currency_code: string } | null
  opened_at: string | null
}
type PublicCompany = { name: string; heading: string | null; introduction: string | null; logo: string | null }
/** The data of the page. Without a company there was an error; `status` says which. */
type CareersPageData = { status: number; company?: PublicCompany; vacancies?: object[]; vacancy?: PublicVacancy }

type CareersPagesOptions = { base: string; publicUrl: string | undefined }

export function serveCareersPages(app: FastifyInstance, { base, publicUrl }: CareersPagesOptions): void {
  const manifest = manifestIn(BUILT)
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    const made = manifest()?.careers
    if (!made) return sendMissing(reply, base)
    const { '*': rest, id = rest } = request.params as { id?: string; '*'?: string }
    const { account } = request.query as { account?: unknown }
    const isEmbedded = /^\/careers\/embed\b/.test(request.url)
    const ask = asker(app, request, account)
    const given = id === undefined ? await askForAll(ask) : await askForOne(ask, id)
    const nonce = randomBytes(16).toString('base64')
    const own = account === undefined ? '' : `?account=${encodeURIComponent(String(account))}`
    const at = `${publicUrl ?? `${request.protocol}://${request.host}`}/careers${id ? `/${encodeURIComponent(id)}` : ''}${own}`
    // The answer tells what it is to machines as well: a vacancy that is filled is gone.
    reply.status(given.status).header('cache-control', 'no-cache')
    return guard(reply, nonce, isEmbedded).send(documentOf(given, { made, base, nonce, at, isEmbedded }))
  }
  // Whatever lies below is for strangers, too: nobody who applies is asked to sign in.
  for (const path of ['/careers', '/careers/:id', '/careers/embed', '/careers/embed/:id', '/careers/*'])
    app.get(path, page)
}

type CallApi = <T>(path: string) => Promise<{ status: number; body: { data: T; metadata: { pages: number } } }>

/** Asks the service as the visitor would, from where they are. */
const asker =
  (app: FastifyInstance, request: FastifyRequest, account: unknown): CallApi =>
  async (path) => {
    const url = new URL(`${PREFIX}/recruitment/careers${path}`, 'http://localhost')
    if (account !== undefined) url.searchParams.set('account', String(account))
    const answer = await app.inject({ url: url.pathname + url.search, remoteAddress: request.ip })
    return { status: answer.statusCode, body: answer.json() }
  }

async function askForOne(ask: CallApi, id: string): Promise<CareersPageData> {
  const [company, vacancy] = await Promise.all([
    ask<PublicCompany>('/company'),
    ask<PublicVacancy>(`/vacancies/${encodeURIComponent(id)}`),
  ])
  if (company.status !== 200) return { status: company.status }
  // An address that cannot be one is one where nothing is.
  const status = vacancy.status === 400 ? 404 : vacancy.status
  return { status, company: company.body.data, ...(status === 200 ? { vacancy: vacancy.body.data } : {}) }
}

async function askForAll(ask: CallApi): Promise<CareersPageData> {
  const page = (number: number) => ask<PublicVacancy[]>(`/vacancies?per_page=${LARGEST_PAGE}&page=${number}`)
  const [company, first] = await Promise.all([ask<PublicCompany>('/company'), page(1)])
  const failed = [company, first].find(({ status }) => status !== 200)
  if (failed) return { status: failed.status }
  const vacancies = [...first.body.data]
  for (let next = 2; next <= Math.min(first.body.metadata.pages, MOST_PAGES); next++)
    vacancies.push(...((await page(next)).body.data ?? []))
  return {
    status: 200,
    company: company.body.data,
    // Their descriptions are long, and not shown in the list.
    vacancies: vacancies.map(({ description: _long, description_plain: _plain, ...one }) => one),
  }
}

type DocumentOptions = { made: PageAssets; base: string; nonce: string; at: string; isEmbedded: boolean }

function documentOf(given: CareersPageData, { made, base, nonce, at, isEmbedded }: DocumentOptions): string {
  const { company, vacancy } = given
  const title = vacancy
    ? `${vacancy.title} · ${vacancy.location.name} · ${company?.name}`
    : company
      ? [company.heading, company.name].filter(Boolean).join(' · ')
      : 'Careers'
  const about = shortened(vacancy?.description_plain ?? company?.introduction ?? '')
  const meta = (name: string, content: string) => (content ? `<meta ${name} content="${attribute(content)}">\n` : '')
  const isFound = !isEmbedded && given.status === 200
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="cadre-base" content="${attribute(base)}">
<title>${attribute(title)}</title>
${meta('name="description"', about)}${meta('property="og:title"', title)}${meta('property="og:description"', about)}${meta('property="og:site_name"', company?.name ?? '')}${meta('property="og:type"', 'website')}${meta('property="og:url"', at)}${isFound ? `<link rel="canonical" href="${attribute(at)}">` : '<meta name="robots" content="noindex">'}
<link rel="icon" href="${base}/favicon.svg">
${loading(made, base, nonce)}
${vacancy && company && isFound ? dataBlock('application/ld+json', 'job-posting', nonce, jobPosting(vacancy, company, at)) : ''}
${dataBlock('application/json', 'careers', nonce, given)}
</head>
<body>
<div id="root"></div>
<noscript><h1>${attribute(title)}</h1><p>${attribute(vacancy?.description_plain ?? about)}</p><p>To apply, turn on JavaScript in your browser.</p></noscript>
</body>
</html>
`
}

const shortened = (text: string) => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 197).trimEnd()}…` : line
}

/** Data, which no policy has to let run: nothing in it can end it. */
const dataBlock = (type: string, id: string, nonce: string, data: object) =>
  `<script type="${type}" id="${id}" nonce="${nonce}">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`

/** The vacancy as search engines read it: https://schema.org/JobPosting */
const jobPosting = (vacancy: PublicVacancy, company: PublicCompany, at: string) => ({
  '@context': 'https://schema.org',
  '@type': 'JobPosting',
  title: vacancy.title,
  description: vacancy.description,
  url: at,
  directApply: true,
  identifier: { '@type': 'PropertyValue', name: company.name, value: String(vacancy.id) },
  hiringOrganization: { '@type': 'Organization', name: company.name },
  jobLocation: { '@type': 'Place', address: { '@type': 'PostalAddress', addressLocality: vacancy.location.name } },
  ...(vacancy.opened_at ? { datePosted: vacancy.opened_at.slice(0, 10) } : {}),
  ...kindOfWork(vacancy.employment_type.name),
  ...(vacancy.salary
    ? {
        baseSalary: {
          '@type': 'MonetaryAmount',
          currency: vacancy.salary.currency_code,
          value: {
            '@type': 'QuantitativeValue',
            ...(vacancy.salary.minimum === null ? {} : { minValue: vacancy.salary.minimum }),
            ...(vacancy.salary.maximum === null ? {} : { maxValue: vacancy.salary.maximum }),
            unitText: 'YEAR',
          },
        },
      }
    : {}),
})

/** Companies name their kinds of employment as they like: what is not plainly one of these is not told. */
const KINDS_OF_WORK: [RegExp, string][] = [
  [/part.?time|teilzeit|часткова|неповна/i, 'PART_TIME'],
  [/full.?time|vollzeit|повна/i, 'FULL_TIME'],
  [/intern|trainee|praktik|стаж/i, 'INTERN'],
  [/contract|freelance/i, 'CONTRACTOR'],
  [/tempor|befristet|тимчасов/i, 'TEMPORARY'],
]
const kindOfWork = (name: string) => {
  const found = KINDS_OF_WORK.find(([words]) => words.test(name))
  return found ? { employmentType: found[1] } : {}
}
