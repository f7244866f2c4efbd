import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectingTo, readConfig } from '../src/config.ts'
import { startService } from './harness.ts'

const ORIGIN = 'https://hr.example.com'
const PREFLIGHT = {
  origin: ORIGIN,
  'access-control-request-method': 'PUT',
  'access-control-request-headers': 'x-api-key, content-type, if-match, idempotency-key',
}

/** What a browser would need to find in an answer. */
const grants = (headers: Headers) => headers.get('access-control-allow-origin')

test('without CORS_ORIGINS no other origin is allowed', async () => {
  const service = await startService()
  try {
    const preflight = await service.send('OPTIONS', '/divisions/1', { key: null, headers: PREFLIGHT })
    assert.equal(preflight.status, 405)
    assert.equal(preflight.headers.get('allow'), 'GET, HEAD, PUT, PATCH, DELETE')
    assert.equal(grants(preflight.headers), null)
    assert.equal(grants((await service.get('/genders', { headers: { origin: ORIGIN } })).headers), null)
  } finally {
    await service.stop()
  }
})

test('only the origins in CORS_ORIGINS are allowed', async () => {
  const service = await startService({ config: { CORS_ORIGINS: `${ORIGIN}, http://localhost:8080` } })
  try {
    const preflight = await service.send('OPTIONS', '/divisions/1', { key: null, headers: PREFLIGHT })
    assert.equal(preflight.status, 204)
    assert.equal(preflight.text, '')
    assert.equal(grants(preflight.headers), ORIGIN)
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /\bPUT\b.*\bDELETE\b/)
    const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ')
    for (const name of PREFLIGHT['access-control-request-headers'].split(', ')) assert.ok(allowed.includes(name), name)
    assert.equal(preflight.headers.get('vary'), 'Origin')

    // What went well and what did not, with a key and without, at any address.
    for (const [path, key, status] of [
      ['/genders', service.key, 200],
      ['/genders', null, 401],
      ['/genders/999', service.key, 404],
      ['/nowhere', service.key, 404],
      [`${service.url}/openapi.json`, null, 200],
    ] as const) {
      const answer = await service.get(path, { key, headers: { origin: ORIGIN } })
      assert.equal(answer.status, status)
      assert.equal(grants(answer.headers), ORIGIN, path)
      assert.match(answer.headers.get('vary') ?? '', /\bOrigin\b/)
      assert.equal(answer.headers.get('access-control-allow-credentials'), null)
      for (const name of ['Location', 'ETag', 'Cadre-Ignored', 'Cadre-Omitted', 'Idempotency-Replayed', 'Retry-After'])
        assert.ok(answer.headers.get('access-control-expose-headers')?.split(', ').includes(name), name)
    }

    for (const origin of [
      'https://evil.example.com',
      'https://hr.example.com.evil.org',
      'http://hr.example.com',
      'null',
    ]) {
      const refused = await service.send('OPTIONS', '/divisions/1', { headers: { ...PREFLIGHT, origin } })
      assert.equal(refused.status, 405, origin)
      assert.equal(grants(refused.headers), null, origin)
      const answer = await service.get('/genders', { headers: { origin } })
      assert.equal(grants(answer.headers), null, origin)
      assert.match(answer.headers.get('vary') ?? '', /\bOrigin\b/)
    }
    // OPTIONS that is no preflight is a method like any other.
    assert.equal((await service.send('OPTIONS', '/divisions', { headers: { origin: ORIGIN } })).status, 405)
  } finally {
    await service.stop()
  }
})

test('CORS_ORIGINS=* allows every origin', async () => {
  const service = await startService({ config: { CORS_ORIGINS: '*' } })
  try {
    const preflight = await service.send('OPTIONS', '/employees/', { key: null, headers: PREFLIGHT })
    assert.equal(preflight.status, 204)
    assert.equal(grants(preflight.headers), '*')
    const answer = await service.post('/divisions', { name: 'Retail' }, { headers: { origin: 'null' } })
    assert.equal(grants(answer.headers), '*')
  } finally {
    await service.stop()
  }
})

test('an invalid origin stops the start', () => {
  for (const text of [
    'https://hr.example.com/',
    'hr.example.com',
    'https://*.example.com/x',
    '*, https://a.example',
    'file:///x',
  ])
    assert.throws(() => readConfig({ CORS_ORIGINS: text }), /CORS_ORIGINS/, text)
  assert.equal(readConfig({ CORS_ORIGINS: '' }).CORS_ORIGINS, undefined)
})

test('PUBLIC_URL is normalised, and a query or fragment is rejected', () => {
  for (const text of ['https://hr.example.com', 'https://hr.example.com/', 'https://hr.example.com//'])
    assert.equal(readConfig({ PUBLIC_URL: text }).PUBLIC_URL, 'https://hr.example.com')
  for (const text of ['https://hr.example.com/?a=1', 'https://hr.example.com/#a', 'https://hr.example.com#'])
    assert.throws(() => readConfig({ PUBLIC_URL: text }), /PUBLIC_URL/)
})

test('an API key unfit for a header and malformed replica URLs are rejected at the start', () => {
  for (const wrong of ['\n', '\0', 'é'])
    assert.throws(
      () => readConfig({ CADRE_API_KEY: `${'x'.repeat(40)}${wrong}x` }),
      /CADRE_API_KEY must consist of printable ASCII/,
    )
  const at = (DATABASE_REPLICAS: string) => {
    const config = readConfig({ DATABASE_URL: 'postgres://one/cadre', DATABASE_REPLICAS })
    return connectingTo(config).replicas
  }
  const two = ['postgres://a,b/cadre', 'postgres://c/cadre?options=x,y']
  for (const end of ['', ',', ' , ']) assert.deepEqual(at(two.join(', ') + end), two)
  assert.throws(() => at('postgres://a/cadre,b'), /DATABASE_REPLICAS must be URLs like/)
})
