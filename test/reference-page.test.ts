import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { operations } from '../src/operations.ts'
import { OTHER } from '../src/surfaces/chapters.ts'
import { referencePage } from '../src/surfaces/reference-page.ts'
import { type Service, startService } from './harness.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

test('the reference page loads nothing from other hosts', async () => {
  const page = await fetch(`${service.url}/docs/`)
  assert.equal(page.status, 200)
  const html = await page.text()
  const outside = [...html.matchAll(/(?:src|href)="(https?:\/\/[^"]+)"/g)].map((match) => match[1])
  assert.deepEqual(outside, [])
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
})

test('the OpenAPI document passes a strict linter and contains every operation', async () => {
  const source = await (await fetch(`${service.url}/openapi.json`)).text()
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  assert.deepEqual(
    problems.map((problem) => `${problem.ruleId}: ${problem.message}`),
    [],
  )
  const document = JSON.parse(source)
  assert.equal(document.openapi, '3.1.0')
  const ids = Object.values(document.paths).flatMap((path: any) =>
    Object.values(path).map((one: any) => one.operationId),
  )
  assert.deepEqual(ids.sort(), operations.map((one) => one.id).sort())
})

test('the reference page runs only its own scripts, without unlisted inline code or eval', async () => {
  for (const path of ['/docs', '/problems/forbidden']) {
    const page = await fetch(service.url + path, { headers: { accept: 'text/html' } })
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /script-src 'self';/)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    const html = await page.text()
    assert.doesNotMatch(html, /<script(?![^>]* src=)|\sstyle=|\son\w+=/)
    for (const [, style = ''] of html.matchAll(/<style>([\s\S]*?)<\/style>/g))
      assert.ok(policy.includes(`'sha256-${createHash('sha256').update(style).digest('base64')}'`), path)
  }
})

test('the reference page works below a base path', async () => {
  const made = { script: 'reference-1.js', style: 'style-1.css', preload: ['chunk-1.js'] }
  const html = referencePage({ operations, version: '1', base: '/hr' }, made).body.toString()
  for (const path of ['/bundle/reference-1.js', '/bundle/style-1.css', '/bundle/chunk-1.js', '/openapi.json'])
    assert.ok(html.includes(`"/hr${path}"`), path)
  assert.doesNotMatch(html, /(?:href|src)="\/(?!hr\/)/)
  const own = await startService({ config: { PUBLIC_URL: 'https://example.com/hr' } })
  try {
    assert.match(await (await fetch(`${own.url}/hr/docs`)).text(), /<meta name="cadre-base" content="\/hr">/)
    const { servers } = (await (await fetch(`${own.url}/hr/openapi.json`)).json()) as any
    assert.deepEqual(servers, [{ url: '/hr/api/public/v3' }])
    const problems = await fetch(`${own.url}/hr/problems`, { headers: { accept: 'text/html' } })
    assert.ok(!/href="\/(?!hr\/)/.test(await problems.text()))
  } finally {
    await own.stop()
  }
})

test('the reference script is immutable, the document is revalidated, and both are compressed', async () => {
  const html = referencePage({ operations, version: '1' }, undefined).body.toString()
  assert.deepEqual(
    [...html.matchAll(/href="#(\w+)" data-path/g)].map(([, id]) => id).sort(),
    operations.map(({ id }) => id).sort(),
  )
  assert.match(html, /npm run build/)
  assert.doesNotMatch(html, /<script/)
})

test('the OpenAPI document comes compressed, and only when it has changed', async () => {
  const document = await fetch(`${service.url}/openapi.json`)
  assert.ok(document.headers.get('content-encoding'))
  assert.equal(document.headers.get('cache-control'), 'no-cache')
  const headers = { 'if-none-match': document.headers.get('etag') as string }
  assert.equal((await fetch(`${service.url}/openapi.json`, { headers })).status, 304)
})

test('the favicon is served', async () => {
  for (const path of ['/favicon.ico', '/favicon.svg']) {
    const icon = await fetch(service.url + path)
    assert.equal(icon.status, 200)
    assert.match(icon.headers.get('content-type') ?? '', /^image\/svg\+xml/)
  }
})

const described = async () => {
  const document: any = await (await fetch(`${service.url}/openapi.json`)).json()
  return { document, all: Object.values<any>(document.paths).flatMap((path) => Object.values<any>(path)) }
}

test('reference chapters have at most 20 operations besides histories, and every operation is in one', async () => {
  const { document, all } = await described()
  const chapters = Map.groupBy(all, (one) => one.tags.join())
  for (const [name, inside] of chapters) {
    // Every kind of record has one, and whoever has seen one knows them all.
    const others = inside.filter((one) => !/^list\w+History$/.test(one.operationId))
    assert.ok(
      others.length <= 20,
      `${name} has ${others.length} operations, and 20 at most: begin another chapter in src/surfaces/chapters.ts`,
    )
  }
  assert.deepEqual(
    all.filter((one) => one.tags.join() === OTHER.name).map((one) => one.operationId),
    [],
    'These operations stand in no chapter: put their path into one of src/surfaces/chapters.ts',
  )
  const inParts = document['x-tagGroups'].flatMap((part: any) => part.tags)
  assert.deepEqual(inParts.toSorted(), [...chapters.keys()].toSorted())
  assert.deepEqual(document.tags.map((tag: any) => tag.name).toSorted(), inParts.toSorted())
})

test('JSON is the first body type, and forms are listed where they can express the body', async () => {
  const { document, all } = await described()
  const needsLists = ({ $ref }: any) => {
    const { properties, required = [] } = document.components.schemas[$ref.split('/').at(-1)]
    return required.some((name: string) => [properties[name].items?.type].flat().includes('object'))
  }
  for (const { requestBody, operationId } of all.filter((one) => one.requestBody)) {
    const [json, ...forms] = Object.keys(requestBody.content)
    assert.equal(json, 'application/json')
    const expected = needsLists(requestBody.content[json].schema)
      ? []
      : ['application/x-www-form-urlencoded', 'multipart/form-data']
    assert.deepEqual(forms, expected, operationId)
  }
})

/** Names of fields that need no sentence. */
const PLAIN =
  /^(\w+_)?(name|title|description|comment|email|phone|number|phone_number|date_of_birth|address|location|company|school|subject|degree|grade|tags|skills|cover_letter|filename|emoji|body|detail|success|department|employment_type|position)$/

test('every operation, parameter and field that is not obvious has a description', async () => {
  const { document, all } = await described()
  const silent = Object.keys(document.components.parameters).filter(
    (name) => !document.components.parameters[name].description,
  )
  for (const { operationId, summary, description, parameters = [] } of all) {
    if (!summary || !description) silent.push(operationId)
    for (const one of parameters) if (!one.description && !one.$ref) silent.push(`${operationId} ${one.name}`)
  }
  for (const [title, { properties = {} }] of Object.entries<any>(document.components.schemas))
    for (const [name, field] of Object.entries<any>(properties))
      if (!field.description && !field.$ref && !field.anyOf && !PLAIN.test(name)) silent.push(`${title}.${name}`)
  assert.deepEqual(
    silent,
    [],
    'These names say nothing of what they are: give the field a `note`, or the name a line in src/surfaces/glossary.ts',
  )
})

test('/healthz and /readyz report whether the service and its database work', async () => {
  for (const path of ['/healthz', '/readyz']) assert.equal((await fetch(service.url + path)).status, 200)
})

test('response headers are declared and match those really sent', async () => {
  const { paths, components }: any = await (await fetch(`${service.url}/openapi.json`)).json()
  const declared = (path: string, method: string, status: number) =>
    Object.keys(paths[path][method].responses[status].headers)
  const own = /^(cadre-.*|etag|location|preference-applied|idempotency-replayed|x-request-id|retry-after)$/
  const headers = { 'idempotency-key': 'declared' }
  await service.post('/divisions', { name: 'Declared', nonsense: 1 }, { headers })
  const made = await service.post('/divisions', { name: 'Declared', nonsense: 1 }, { headers })
  const read = await service.get('/divisions?nonsense=1')
  for (const [answer, names] of [
    [made, declared('/divisions', 'post', 201)],
    [read, declared('/divisions', 'get', 200)],
  ] as const)
    for (const name of [...answer.headers.keys()].filter((one) => own.test(one)))
      assert.ok(
        names.some((one) => one.toLowerCase() === name),
        name,
      )
  assert.ok(made.headers.has('idempotency-replayed') && read.headers.has('cadre-ledger'))
  assert.deepEqual(Object.keys(components.responses.TooManyRequests.headers), ['X-Request-ID', 'Retry-After'])
})
