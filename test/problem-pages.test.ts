import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { FIELD_CODES, PROBLEMS } from '../src/surfaces/http/problem-document.ts'
import { type Service, startService } from './harness.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const source = globSync('src/**/*.ts', { cwd: join(import.meta.dirname, '..') })
  .map((path) => readFileSync(join(import.meta.dirname, '..', path), 'utf8'))
  .join('\n')

test('every error code has a page for browsers and JSON for other clients', async () => {
  // The compiler holds the table against the codes; this holds it against what it can be seen to be thrown.
  const thrown = [...source.matchAll(/new Problem\(\s*\d+,\s*'(\w+)'/g)].map((match) => match[1] as string)
  assert.ok(thrown.length > 15)
  for (const code of new Set([...thrown, ...Object.keys(PROBLEMS)])) {
    const page = await fetch(`${service.url}/problems/${code}`, { headers: BROWSER })
    assert.equal(page.status, 200, code)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(page.headers.get('vary') ?? '', /\bAccept\b(?!-)/)
    const html = await page.text()
    assert.ok(html.includes(code) && html.includes('What to do'), code)
    for (const headers of [{}, { accept: 'application/json' }, { accept: '*/*' }]) {
      const answer = await fetch(`${service.url}/problems/${code}`, { headers: headers as Record<string, string> })
      const { data }: any = await answer.json()
      assert.equal(data.type, `/problems/${code}`)
      for (const part of ['status', 'title', 'meaning', 'remedy']) assert.ok(data[part], `${code} ${part}`)
    }
  }
})

test('the type of a problem links to its page, and there is a list of all', async () => {
  const { body } = await service.post('/divisions', {})
  const page = await fetch(new URL(body.type, service.url), { headers: BROWSER })
  assert.equal(page.status, 200)
  const list = await (await fetch(`${service.url}/problems/`, { headers: BROWSER })).text()
  for (const code of Object.keys(PROBLEMS)) assert.ok(list.includes(`/problems/${code}"`), code)
  const unknown = await fetch(`${service.url}/problems/nonsense`, { headers: BROWSER })
  assert.equal(unknown.status, 404)
})

test('every field error code is explained', () => {
  const said = [...source.matchAll(/\b(?:wrong|fail|say)\(\s*(?:[^,'()]+|'[^']*'|`[^`]*`),\s*'([a-z_]+)',/g)].map(
    (match) => match[1] as string,
  )
  assert.ok(said.length > 30)
  assert.deepEqual([...new Set(said)].filter((code) => !FIELD_CODES[code]).toSorted(), [])
})
