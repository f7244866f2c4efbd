import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { operations } from '../src/operations.ts'
import { type Service, startService } from './harness.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

test('/ leads to the reference page, which is served by us alone', async () => {
  const root = await fetch(service.url, { redirect: 'manual' })
  assert.equal(root.headers.get('location'), '/docs')
  const page = await fetch(`${service.url}/docs/`)
  assert.equal(page.status, 200)
  const html = await page.text()
  const outside = [...html.matchAll(/(?:src|href)="(https?:\/\/[^"]+)"/g)].map((match) => match[1])
  assert.deepEqual(outside, [])
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'self'/)
})

test('the OpenAPI document passes the strict rules of a linter and names every operation', async () => {
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

test('every example of a body that has no references can be sent as it stands', async () => {
  const document: any = await (await fetch(`${service.url}/openapi.json`)).json()
  for (const operation of operations.filter((one) => one.method === 'POST' && one.body && !one.path.includes('{'))) {
    if (
      Object.keys(operation.body!.properties).some(
        (name) => /_ids?$/.test(name) && operation.body!.required?.includes(name),
      )
    )
      continue
    const { example } = document.paths[operation.path].post.requestBody.content['application/json']
    const answer = await service.post(operation.path, example)
    assert.equal(answer.status, operation.status, `${operation.id}: ${answer.text}`)
  }
})

test('/healthz and /readyz tell whether the service is alive and its database answers', async () => {
  for (const path of ['/healthz', '/readyz']) assert.equal((await fetch(service.url + path)).status, 200)
})
