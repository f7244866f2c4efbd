import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { operations } from '../../src/operations.ts'
import { longTest, rounds } from '../thorough.ts'
import { becomes, type Console, PHONE, startConsole } from './browser.ts'

/** Bytes of the first visit, compressed: the page, its script and style, and the OpenAPI document. */
const MOST_BYTES = 220_000

let at: Console
before(async () => {
  at = await startConsole()
})
after(() => at.stop())

const codeIn = (page: Page) => page.getByRole('region', { name: 'Request as code' })

const open = (path: string, options = {}) => at.open(path, { isNobody: true, ...options })

test('the reference lists every operation, finds one by its words or fields, and shows it', async () => {
  const page = await open('/docs')
  const list = page.getByRole('navigation', { name: 'Operations' })
  assert.equal(await list.locator('a[data-path]').count(), operations.length)
  await page.getByRole('heading', { level: 1, name: 'Cadre API reference' }).waitFor()
  await page.picture('reference-start')

  await page.keyboard.press('/')
  await page.keyboard.type('employees salaries')
  await list.getByRole('status').waitFor()
  await page.keyboard.press('Escape')
  await becomes(() => list.locator('a[data-path]').first().isVisible(), true)
  // A field of the body, which no name in the list has.
  await page.keyboard.type('linkedin_url')
  await becomes(
    () =>
      list
        .locator('#results a')
        .count()
        .then((count) => count > 0),
    true,
  )
  await list.locator('#results a[href="#createEmployee"]').click()

  const created = operations.find(({ id }) => id === 'createEmployee')
  await page.getByRole('heading', { level: 1, name: created?.summary as string }).waitFor()
  assert.equal(new URL(page.url()).hash, '#createEmployee')
  await page.getByRole('heading', { name: 'Request body' }).waitFor()
  await page
    .locator('.text .name', { hasText: /^linkedin_url$/ })
    .first()
    .waitFor()
  assert.match(await codeIn(page).innerText(), /^curl -X POST 'http.*\/api\/public\/v3\/employees'/)
  const example = JSON.parse(await page.getByRole('region', { name: 'Example response' }).innerText())
  assert.equal(typeof example.data.id, 'number')
  await page.axe()
  await page.picture('reference-operation')
  await page.done()
})

test('a request is sent with the key, which is still there after a reload, and its answer is shown', async () => {
  const page = await open('/docs#createDivision', { mayTell: /status of 4\d\d/ })
  const key = page.getByLabel('API key')
  const answer = page.locator('.answer')
  await page.getByRole('button', { name: 'Send request' }).click()
  await answer.getByText('Enter an API key').waitFor()
  await key.fill(at.service.key)
  await page.getByLabel('Body (JSON)').fill('{"name": "Sent from the reference"}')
  await page.getByLabel('Dry run').check()
  assert.match(await codeIn(page).innerText(), /-H 'Prefer: dry-run'/)
  await page.getByRole('button', { name: 'Send request' }).click()
  await answer.getByText('"changes"').waitFor()
  assert.equal((await at.service.get('/divisions')).body.data.length, 0)
  await page.getByLabel('Dry run').uncheck()
  await page.getByRole('button', { name: 'Send request' }).click()
  await answer.getByText('201').first().waitFor()
  assert.match(await answer.innerText(), /"name": "Sent from the reference"/)

  await page.goto(page.url().replace('#createDivision', '#listDivisions'))
  await page.reload()
  await page.getByLabel('per_page').fill('7')
  await page.getByRole('button', { name: 'Send request' }).click()
  await answer.getByText('200').first().waitFor()
  assert.match(await answer.innerText(), /Sent from the reference/)
  assert.match(await codeIn(page).innerText(), /divisions\?per_page=7'/)
  await page.picture('reference-answer')

  await page.getByRole('button', { name: 'Remove key' }).click()
  await page.reload()
  await becomes(() => key.inputValue(), '')
  await page.done()
})

longTest('links to an operation, a chapter and a guide lead there, also those of the viewer before', async () => {
  const page = await open('/docs#getEmployee')
  const title = page.getByRole('heading', { level: 1 })
  const summary = (id: string) => operations.find((one) => one.id === id)?.summary as string
  const leadsTo = async (hash: string, name: string) => {
    await page.evaluate((to) => {
      location.hash = to
    }, hash)
    await becomes(() => title.innerText(), name)
  }
  await becomes(() => title.innerText(), summary('getEmployee'))
  await leadsTo('#tag/employees/GET/employees', summary('listEmployees'))
  await leadsTo('#tag/employees/get/employees/%7Bid%7D', summary('getEmployee'))
  const chapter = page.locator('.crumbs a')
  const name = await chapter.innerText()
  await chapter.click()
  await becomes(() => title.innerText(), name)
  await leadsTo('#nothing-here', 'Cadre API reference')
  await page.getByRole('alert').waitFor()
  const guide = page.locator('main h2[id^="description/"]').nth(1)
  await leadsTo(`#${await guide.getAttribute('id')}`, 'Cadre API reference')
  await becomes(() => guide.evaluate((one) => one === document.activeElement), true)
  await page.done()
})

test('on a phone the list opens as a menu, nothing is wider than the screen, and dark is dark', async () => {
  const page = await open('/docs#listEmployees', { size: PHONE, scheme: 'dark' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  const isTooWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  assert.equal(await isTooWide(), false)
  await page.axeToo()
  await page.picture('reference-phone')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.picture('reference-phone-menu')
  await page.locator('nav a[href="#getEmployee"]').click()
  await becomes(() => page.locator('#operations').isVisible(), false)
  assert.equal(await isTooWide(), false)
  await page.goto(page.url().replace(/#.*/, ''))
  await page.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await isTooWide(), false)
  await page.done()
})

test(`the first visit takes no more than ${MOST_BYTES} bytes`, async () => {
  const page = await open('/docs')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const loaded = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((one) => ({
      name: one.name.split('/').at(-1) as string,
      bytes: (one as PerformanceResourceTiming).encodedBodySize,
    })),
  )
  assert.ok(loaded.some(({ name, bytes }) => name === 'openapi.json' && bytes > 0))
  const total = loaded.reduce((sum, { bytes }) => sum + bytes, 0)
  assert.ok(total <= MOST_BYTES, JSON.stringify(loaded))
  await page.done()
})

test('a description cannot bring markup or scripts, and many brackets in a row do not stop the page', async () => {
  const hostile = [
    '# Hostile <img src=x onerror=alert(1)>',
    '<script>alert(1)</script> <b onclick="alert(1)">bold</b> **strong *[inner](/inside)* text**',
    '[[[[nested](javascript:alert(1))]]] [[a](https://example.com/a)](javascript:x)',
    '[one](javascript:x) [two](JAVASCRIPT:x) [three](data:text/html,x) [four](vbscript:x)',
    '[five](&#106;avascript:x) [six](java\tscript:x) [seven](https://example.com/"onclick="x)',
    '- `<i>code</i>` [eight](#createEmployee)',
    '| <u>a</u> | b |',
    '|---|---|',
    '| [nine](javascript:x) | `[`',
  ].join('\n\n')
  const long = ['[', '[a](', '[a', '**a ', '*a_', '`a', '](', '<b>'].map((part) =>
    part.repeat(rounds(50_000, 1_000_000) / part.length),
  )
  const page = await open('/docs')
  await page.route('**/openapi.json', async (route) => {
    const document = await (await route.fetch()).json()
    document.info.description = [hostile, ...long, '# The end'].join('\n\n')
    await route.fulfill({ json: document })
  })
  await page.reload()
  await page.getByRole('heading', { name: 'The end' }).waitFor()
  const text = page.locator('article.text')
  await text.getByRole('heading', { name: 'Hostile <img src=x onerror=alert(1)>' }).waitFor()
  assert.equal(await text.locator('script, img, b, i, u').count(), 0)
  const links = await text
    .locator('p, li, td')
    .locator('a')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  assert.deepEqual(
    links.filter((href) => !href?.startsWith('#chapter/')),
    [
      '/openapi.json',
      '/problems',
      '/inside',
      'https://example.com/a',
      'https://example.com/"onclick="x',
      '#createEmployee',
    ],
  )
  await page.done()
})

test('the script and the style are cached for good and compressed, and nothing inline is allowed', async () => {
  const { url } = at.service
  const page = await fetch(`${url}/docs`)
  const html = await page.text()
  assert.equal(page.headers.get('cache-control'), 'no-cache')
  assert.ok(page.headers.get('content-encoding'))
  const headers = { 'if-none-match': page.headers.get('etag') as string }
  assert.equal((await fetch(`${url}/docs`, { headers })).status, 304)
  const assets = [...html.matchAll(/"(\/bundle\/[^"]+)"/g)].map(([, path = '']) => path)
  assert.ok(assets.some((path) => /\/reference-\w+\.js$/.test(path)) && assets.some((path) => path.endsWith('.css')))
  for (const path of assets) {
    const asset = await fetch(url + path)
    assert.equal(asset.status, 200, path)
    assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.ok(asset.headers.get('content-encoding'), path)
  }
  assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/)
})
