import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { BUILT } from '../../src/surfaces/console.ts'
import { longTest } from '../thorough.ts'
import { becomes, type Console, startConsole } from './browser.ts'

const SMALL_PHONE = { width: 360, height: 740 }
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='

const folder = mkdtempSync(join(tmpdir(), 'cadre-careers-'))
let at: Console
let open: any
let closed: any
before(async () => {
  at = await startConsole({ config: { CADRE_FILES: folder, PUBLIC_REQUESTS_PER_MINUTE: 1000 } })
  const { service } = at
  const lead = await service.hire()
  const named = async (path: string, name: string) => (await service.make(path, { name })).id as number
  const pipeline = await service.make('/recruitment/pipelines', { name: 'Standard', stages: ['Applied', 'Hired'] })
  const [engineering, sales, berlin, kyiv, full] = await Promise.all([
    named('/departments', 'Engineering'),
    named('/departments', 'Sales'),
    named('/locations', 'Berlin'),
    named('/locations', 'Kyiv'),
    named('/employment_types', 'Full-time'),
  ])
  const vacancy = (title: string, values: object = {}) =>
    service.make('/recruitment/vacancies', {
      title,
      description:
        '<h3>What you do</h3><p>You build &lt;/script&gt; things that <b>last</b>.</p><ul><li>Think</li><li>Write</li></ul>',
      state: 'opened',
      post_on_careers: true,
      department_id: engineering,
      location_id: berlin,
      employment_type_id: full,
      recruitment_pipeline_id: pipeline.id,
      hiring_lead_user_id: lead.id,
      ...values,
    })
  const pay = { min_salary: 60_000, max_salary: 80_000, currency_code: 'EUR', salary_on_careers: true }
  open = await vacancy('Bridge builder', { ...pay, skills: ['Patience', 'Steel'], positions: 2 })
  for (const title of ['Boat builder', 'House builder', 'Tower builder', 'Garden builder']) await vacancy(title)
  await vacancy('Seller of bridges', { department_id: sales, location_id: kyiv })
  closed = await vacancy('Gone', { state: 'drafting' })
  await service.put('/recruitment/settings', {
    consent_required: true,
    careers_heading: 'Build with us',
    careers_introduction: 'We build what stays.',
    careers_color: '#e0a800',
    careers_logo: LOGO,
  })
})
after(async () => {
  await at.stop()
  rmSync(folder, { recursive: true })
})

test('a visitor finds a vacancy on a phone and applies with a file on one page', async () => {
  const page = await at.open('/careers', { isNobody: true, size: SMALL_PHONE, mayTell: /ERR_FAILED/ })
  await page.getByRole('heading', { level: 1, name: 'Build with us' }).waitFor()
  await becomes(() => page.title(), `Build with us · ${await companyName()}`)
  await page.getByText('6 open positions').waitFor()
  await page.axeToo()
  await page.picture('careers-phone')
  await page.getByLabel('Search positions').fill('bridge')
  await page.getByText('2 open positions').waitFor()
  await page.getByLabel('Department').selectOption('Engineering')
  await page.getByText('1 open position', { exact: true }).waitFor()
  await page.getByRole('link', { name: /Bridge builder/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Bridge builder' }).waitFor()
  await page.getByText('€60,000 – €80,000 per year').waitFor()
  await page.picture('careers-vacancy-phone')
  await page.goBack()
  await becomes(() => page.getByLabel('Search positions').inputValue(), 'bridge')
  await page.getByText('1 open position', { exact: true }).waitFor()
  await page.goForward()

  await page.getByLabel('E-mail').fill('grace')
  await page.getByRole('button', { name: 'Send application' }).click()
  await page.getByText('Check 3 fields').waitFor()
  await becomes(() => page.getByLabel('Your name').getAttribute('aria-invalid'), 'true')
  await becomes(() => page.evaluate(() => document.activeElement?.id), 'full_name')
  await page.axe()
  await page.picture('careers-wrong-phone')
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByLabel('E-mail').fill('grace@example.com')
  await page.getByLabel('CV').setInputFiles({ name: 'empty.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) })
  await page.getByRole('button', { name: 'Send application' }).click()
  await page.getByText('This file is empty. Choose another one.').waitFor()
  await page
    .getByLabel('CV')
    .setInputFiles({ name: 'cv.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 cv') })
  await page.getByLabel('Link').fill('https://example.com/grace')
  await page.getByLabel('Cover letter').fill('I build.')
  await page.getByLabel(/I consent to the processing/).check()
  // It arrives, and its answer is lost: sent again, it is the same one.
  await page.route('**/applications', (route) => route.fetch().then(() => route.abort()), { times: 1 })
  await page.getByRole('button', { name: 'Send application' }).click()
  await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
  await page.getByRole('button', { name: 'Send application' }).click()
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  await page.getByText('“Bridge builder”. We will reply to grace@example.com.').waitFor()
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'scrolls sideways')
  await page.picture('careers-thanks-phone')
  await page.done()
  const { service } = at
  const [candidate] = (await service.get('/recruitment/candidates?email=grace@example.com')).body.data
  const { body } = await service.get(`/recruitment/candidates/${candidate.id}`)
  assert.equal(body.data.full_name, 'Grace Hopper')
  assert.deepEqual(body.data.urls, ['https://example.com/grace'])
  assert.equal(body.data.consent.status, 'consented')
  assert.equal(body.data.resume, true)
  assert.equal((await service.get(`/recruitment/candidates/${candidate.id}/notes`)).body.metadata.count, 0)
  const applied = await service.get(`/recruitment/vacancies/${open.id}/applications`)
  assert.equal(applied.body.metadata.count, 1)
})

const companyName = async () => (await at.service.get('/recruitment/careers/company', { key: null })).body.data.name

longTest('the careers page uses the browser language and the colour and logo of the company', async () => {
  const page = await at.open(`/careers/${open.id}`, { isNobody: true, locale: 'de-DE' })
  await page.getByRole('heading', { name: 'Auf diese Stelle bewerben' }).waitFor()
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'de')
  await page.getByRole('img', { name: await companyName() }).waitFor()
  const button = page.getByRole('button', { name: 'Bewerbung absenden' })
  assert.deepEqual(
    await button.evaluate((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color]),
    ['rgb(224, 168, 0)', 'rgb(0, 0, 0)'],
  )
  await page.axe()
  await page.picture('careers-vacancy')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.picture('careers-vacancy-dark')
  await page.goto(page.url().replace(/\/\d+$/, '?lang=uk'))
  await page.getByText('6 відкритих вакансій').waitFor()
  await page.picture('careers-dark')
  await page.done()
})

test('a closed vacancy shows a message and returns 404', async () => {
  const page = await at.open(`/careers/${closed.id}`, { isNobody: true, mayTell: /status of 404/ })
  await page.getByRole('heading', { name: 'This position is no longer open' }).waitFor()
  await page.axe()
  await page.getByRole('link', { name: 'All open positions' }).click()
  await page.getByText('6 open positions').waitFor()
  await page.done()
  const nobody = await at.open('/careers?account=77', { isNobody: true, mayTell: /status of 404/ })
  await nobody.getByRole('heading', { name: 'No careers page at this address' }).waitFor()
  await nobody.done()
  for (const path of [
    `/careers/${closed.id}`,
    '/careers/nothing',
    '/careers/1/x',
    '/careers?account=77',
    '/careers/embed/999',
  ])
    assert.equal((await ask(path)).status, 404, path)
  assert.match(await (await ask('/careers/1/x')).text(), /id="careers"/)
})

const ask = (path: string) => fetch(at.service.url + path, { headers: { accept: 'text/html' } })

test('a vacancy page has metadata for search engines and link previews', async () => {
  const html = await (await ask(`/careers/${open.id}`)).text()
  assert.match(html, /<title>Bridge builder · Berlin · [^<]+<\/title>/)
  assert.match(html, /<meta property="og:title" content="Bridge builder · Berlin/)
  assert.match(html, new RegExp(`<link rel="canonical" href="[^"]+/careers/${open.id}">`))
  assert.doesNotMatch(html, /noindex/)
  const [, block = ''] = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/.exec(html) ?? []
  const posting = JSON.parse(block)
  assert.equal(posting['@type'], 'JobPosting')
  assert.equal(posting.employmentType, 'FULL_TIME')
  assert.match(posting.description, /&lt;\/script&gt;/)
  assert.deepEqual(posting.baseSalary.value, {
    '@type': 'QuantitativeValue',
    minValue: 60_000,
    maxValue: 80_000,
    unitText: 'YEAR',
  })
})

test('only the embed page can be framed, and it works on another site', async () => {
  for (const path of ['/careers', `/careers/${open.id}`]) {
    const { headers } = await ask(path)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.equal(headers.get('x-frame-options'), 'DENY')
  }
  const { headers } = await ask(`/careers/embed/${open.id}`)
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors \*$/)
  assert.equal(headers.get('x-frame-options'), null)
  const page = await at.open('/careers', { isNobody: true, mayTell: /another host/ })
  const framed = `${page.url()}/embed?lang=en&scheme=light`
  const site = createServer((_request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(
        `<title>Site</title><iframe title="Jobs" width="600" src="${framed}"></iframe><script>onmessage = ({ data }) => { document.querySelector('iframe').height = data.height }</script>`,
      ),
  ).listen(0, '127.0.0.1')
  await once(site, 'listening')
  try {
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    const frame = page.frameLocator('iframe')
    await frame.getByRole('link', { name: /Bridge builder/ }).click()
    await frame.getByRole('heading', { level: 1, name: 'Bridge builder' }).waitFor()
    await page.waitForFunction(() => Number(document.querySelector('iframe')?.height) > 800)
    await page.picture('careers-embedded')
    await page.done()
  } finally {
    site.close()
    site.closeAllConnections()
  }
})

test('the careers page loads less than 16 KB', () => {
  const { careers } = JSON.parse(readFileSync(join(BUILT, 'manifest.json'), 'utf8'))
  const sizes = [careers.script, careers.style, ...careers.preload].map(
    (name) => readFileSync(join(BUILT, `${name}.br`)).length,
  )
  const total = sizes.reduce((sum, size) => sum + size)
  assert.ok(total < 16_000, `the careers page takes ${total} bytes`)
})
