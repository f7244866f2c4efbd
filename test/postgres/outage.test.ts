import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sender } from '../harness.ts'
import { startHere } from '../in-process.ts'
import { postgresServer } from '../postgres-server.ts'
import { until } from './on-servers.ts'

const KEY = 'a-key-for-the-outage-0123456789-abcdef'

test('during a PostgreSQL outage requests get 503, then the service recovers, and no acknowledged write is lost', async () => {
  const server = await postgresServer()
  const service = await startHere({ DATABASE_URL: server.url(), CADRE_API_KEY: KEY, LOG_LEVEL: 'silent' })
  const send = sender(service.url, KEY)
  try {
    const acknowledged = new Map<number, string>()
    const statuses = new Map<number, number>()
    let running = true
    const note = (status: number) => void statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      // A little apart: that requests are under way all the time matters, not that they take all there is.
      for (let n = 0; running; n++, await pause(10)) {
        const name = `w${writer} n${n}`
        const answer = await send('POST', '/divisions', { json: { name } })
        note(answer.status)
        if (answer.status === 201) acknowledged.set(answer.body.data.id, name)
        if (answer.status === 503) assert.ok(answer.headers.get('retry-after'))
      }
    })
    const readers = Array.from({ length: 4 }, async () => {
      for (; running; await pause(10)) note((await send('GET', '/divisions')).status)
    })

    for (const how of ['fast', 'kill'] as const) {
      const before = acknowledged.size
      await until(() => acknowledged.size > before + 30)
      await server.stop(how)
      const refused = statuses.get(503) ?? 0
      await until(() => (statuses.get(503) ?? 0) > refused + 30)
      assert.equal(
        (await send('GET', '/healthz', { key: null }).then(() => fetch(`${service.url}/healthz`))).status,
        200,
      )
      assert.equal((await fetch(`${service.url}/readyz`)).status, 503)
      await server.start()
    }
    const back = acknowledged.size
    await until(() => acknowledged.size > back + 30)
    running = false
    await Promise.all([...writers, ...readers])

    assert.deepEqual([...statuses.keys()].sort(), [200, 201, 503], 'nothing but success and 503')
    const stored = new Map<number, string>()
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { body } = await send('GET', `/divisions?page=${page}`)
      pages = body.metadata.pages
      for (const one of body.data) stored.set(one.id, one.name)
    }
    for (const [id, name] of acknowledged) assert.equal(stored.get(id), name)
  } finally {
    await service.stop()
    await server.remove()
  }
})
