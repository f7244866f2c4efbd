import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { outdated } from '../../console/build/generate.ts'
import { BUILT } from '../../src/surfaces/console.ts'
import { startService } from '../harness.ts'
import { type Console, startConsole } from './browser.ts'

let at: Console
before(async () => {
  at = await startConsole()
})
after(() => at.stop())

const page = (path: string, headers: Record<string, string> = {}) =>
  fetch(at.service.url + path, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' })

test('every page URL serves the console; unknown API and file URLs are 404', async () => {
  for (const path of ['/', '/people', '/people/7', '/settings/roles?x=1']) {
    const answer = await page(path)
    assert.equal(answer.status, 200, path)
    assert.match(await answer.text(), /<div id="root">/)
  }
  for (const path of [
    '/api/public/v3/nothing',
    '/api/nothing',
    '/docs/nothing',
    '/files/nothing',
    '/bundle/nothing.js',
    '/bundle/..%2f..%2fpackage.json',
  ]) {
    const answer = await page(path)
    assert.equal(answer.status, 404, path)
    assert.equal(((await answer.json()) as { code: string }).code, 'not_found')
  }
  const program = await fetch(`${at.service.url}/people`, { headers: { accept: 'application/json' } })
  assert.equal(program.status, 404)
  assert.equal((await page('/docs')).status, 200)
  assert.equal((await page('/healthz')).status, 200)
})

test("the content security policy allows only the page's own scripts, with a new nonce each time", async () => {
  const [one, other] = await Promise.all([page('/'), page('/')])
  const policy = one.headers.get('content-security-policy') ?? ''
  const nonce = /script-src 'nonce-([\w+/=]+)' 'strict-dynamic'/.exec(policy)?.[1]
  assert.ok(nonce)
  assert.doesNotMatch(other.headers.get('content-security-policy') ?? '', new RegExp(nonce.replace(/[+/]/g, '\\$&')))
  assert.doesNotMatch(policy, /unsafe|https?:/)
  for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "object-src 'none'"])
    assert.ok(policy.includes(part), part)
  const html = await one.text()
  for (const [tag] of html.matchAll(/<script[^>]*>/g)) assert.ok(tag.includes(`nonce="${nonce}"`), tag)
  assert.doesNotMatch(html, /<script[^>]*>[^<]|\son\w+=|style=/)
})

test('the page is never cached, and assets are compressed and immutable', async () => {
  const first = await page('/people')
  assert.equal(first.headers.get('etag'), null)
  const again = await page('/people', { 'if-none-match': '*' })
  assert.equal(again.status, 200)
  const nonceIn = ({ headers }: Response) => /nonce-([^']+)/.exec(headers.get('content-security-policy') ?? '')?.[1]
  assert.notEqual(nonceIn(again), nonceIn(first))
  // Links lead there, whoever looks where they lead.
  assert.equal((await fetch(`${at.service.url}/sign-in`, { headers: { accept: '*/*' } })).status, 200)
  const script = /src="([^"]+\.js)"/.exec(await first.text())?.[1] ?? ''
  for (const encoding of ['br', 'gzip']) {
    const asset = await fetch(at.service.url + script, { headers: { 'accept-encoding': encoding } })
    assert.equal(asset.headers.get('content-encoding'), encoding)
    assert.match(asset.headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
    assert.match(await asset.text(), /import/)
  }
})

test('the first page and each single screen load at most 250 KB', async () => {
  const sizeOf = (name: string) => readFileSync(join(BUILT, `${name}.br`)).length
  const { script, style, preload } = JSON.parse(readFileSync(join(BUILT, 'manifest.json'), 'utf8'))
  const first = [script, style, ...preload].map(sizeOf).reduce((sum, size) => sum + size)
  const others = readdirSync(BUILT).filter((name) => name.endsWith('.js') && ![script, ...preload].includes(name))
  assert.ok(first < 230_000, `the frame alone takes ${first} bytes`)
  const seen = await at.open('/people')
  const sizes: number[] = []
  await seen.getByRole('heading', { level: 1 }).waitFor()
  const loaded = await seen.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  for (const name of loaded) if (name.includes('/bundle/')) sizes.push(sizeOf(name.split('/').at(-1) as string))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(total <= 250_000, `the first page takes ${total} bytes`)
  for (const name of others) assert.ok(sizeOf(name) < 250_000, name)
  await seen.done()
})

test('the console and its API work below a base path', async () => {
  const service = await startService({ config: { PUBLIC_URL: 'https://example.com/hr' } })
  try {
    for (const path of ['/hr', '/hr/people', '/people']) {
      const answer = await fetch(service.url + path, { headers: { accept: 'text/html' } })
      const html = await answer.text()
      assert.match(html, /<meta name="cadre-base" content="\/hr">/)
      assert.match(html, /src="\/hr\/bundle\/app-/)
    }
    const script = /src="([^"]+\.js)"/.exec(
      await (await fetch(`${service.url}/hr`, { headers: { accept: 'text/html' } })).text(),
    )?.[1]
    assert.equal((await fetch(service.url + script)).status, 200)
    assert.equal((await service.get(`${service.url}/hr/api/public/v3/departments`)).status, 200)
    assert.equal((await service.get(`${service.url}/hrx/api/public/v3/departments`)).status, 404)
  } finally {
    await service.stop()
  }
})

test('sign-in, reading and browser history work below a base path', async () => {
  const below = await startConsole({ base: '/hr' })
  try {
    await below.service.hire({ first_name: 'Ada', last_name: 'Lovelace', hired_on: '2024-02-01' })
    const seen = await below.open('/people', { role: 'hr' })
    await seen.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    assert.match(
      (await seen.getByRole('link', { name: 'Ada Lovelace' }).getAttribute('href')) ?? '',
      /^\/hr\/people\/1$/,
    )
    await seen.getByText('Cards', { exact: true }).click()
    await seen.waitForURL(/\/hr\/people\?view=cards$/)
    await seen.goBack()
    await seen.waitForURL(/\/hr\/people$/)
    await seen.done()
  } finally {
    await below.stop()
  }
})

test('the generated API description of the console is up to date', () => {
  assert.deepEqual(outdated(), [], 'write it anew with npm run openapi')
})
