import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Sending, type Service, startService } from './harness.ts'
import { longTest } from './thorough.ts'

/** How long answers may be in the making here, and how long nobody may read of one. */
const PATIENCE = { answer: 400, silence: 1_500 }
/** More than all buffers between a sender and a reader take. */
const SIZE = 20 * 2 ** 20

let service: Service
let folder: string
let document: { url: string }
let employeeId: number
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cadre-deadline-'))
  service = await startService({ config: { CADRE_FILES: folder }, patience: PATIENCE })
  employeeId = (await made('/employees', { json: { first_name: 'Ada', last_name: 'Lovelace' } })).id
  const { id: folderId } = await made('/document_folders', { json: { name: 'Contracts' } })
  const bytes = Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(SIZE)])
  const form = new FormData()
  form.append('name', 'Large')
  form.append('document_folder_id', String(folderId))
  form.append('document', new Blob([bytes], { type: 'application/pdf' }), 'large.pdf')
  document = await made(`/employees/${employeeId}/documents`, { multipart: form })
})
after(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** A new record. A busy machine may be too late for one at first. */
async function made(path: string, sending: Sending): Promise<any> {
  for (;;) {
    // On a busy machine the large upload itself may take longer than this service waits.
    const answer = await service.send('POST', path, sending).catch((error) => {
      if (!/socket hang up/.test(String(error))) throw error
    })
    if (!answer || answer.status === 503) continue
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data
  }
}

/** An answer that has begun to come, and where it is sent from. A busy machine may be too late for one at first. */
async function begin(path: string): Promise<{ answer: IncomingMessage; socket: Socket }> {
  for (;;) {
    const connected = once(service.app.server, 'connection')
    const asked = get(new URL(path, service.url), { agent: false, headers: { 'x-api-key': service.key } })
    const [[answer], [socket]] = (await Promise.all([once(asked, 'response'), connected])) as [
      [IncomingMessage],
      [Socket],
    ]
    if (answer.statusCode !== 503) return { answer, socket }
    answer.resume()
  }
}

const ways = () => ({
  'a file': document.url,
  'an archive': `/api/public/v3/employees/${employeeId}/export`,
})

/** Reads with breaks, for longer than anything may take that is not sent. */
async function readSlowly(answer: IncomingMessage): Promise<{ bytes: number; milliseconds: number }> {
  const begun = performance.now()
  let [bytes, breaks] = [0, 0]
  for await (const chunk of answer) {
    bytes += chunk.length
    if (bytes > (breaks * SIZE) / 8 && ++breaks) await pause(PATIENCE.answer / 3)
  }
  return { bytes, milliseconds: performance.now() - begun }
}

test('a response that is being sent arrives completely, however slowly it is read', async () => {
  for (const [what, path] of Object.entries(ways())) {
    const { bytes, milliseconds } = await readSlowly((await begin(path)).answer)
    assert.ok(bytes > SIZE, `${what}: ${bytes} bytes`)
    assert.ok(milliseconds > 2 * PATIENCE.answer, what)
  }
})

longTest('a client that does not read at all is disconnected', async () => {
  for (const [what, path] of Object.entries(ways())) {
    const { answer, socket } = await begin(path)
    await once(socket, 'close', { signal: AbortSignal.timeout(10 * PATIENCE.silence) })
    await assert.rejects(readSlowly(answer), what)
  }
})

test('a request that waits too long gets 503, and a write that has not started is not run', async () => {
  const held = Promise.withResolvers<void>()
  // As many as there are connections, where writes do not wait for each other.
  const all = Array.from({ length: 10 }, () => service.database.write(() => held.promise))
  const refused = await service.post('/divisions', { name: 'Too late' })
  assert.equal(refused.status, 503)
  assert.equal(refused.body.code, 'unavailable')
  assert.match(refused.text, /took too long/)
  held.resolve()
  await Promise.all(all)
  await service.make('/divisions', { name: 'In time' })
  const { data } = (await service.get('/divisions')).body
  assert.deepEqual(
    data.map((one: { name: string }) => one.name),
    ['In time'],
  )
})

test('a read whose client has stopped waiting is not run', async () => {
  const held = Promise.withResolvers<void>()
  // As many as may read at the same time, and more.
  const all = Array.from({ length: 10 }, () => service.database.read(() => held.promise))
  const refused = await service.get('/divisions?per_page=7')
  assert.equal(refused.status, 503)
  assert.match(refused.text, /took too long/)
  const run: string[] = []
  service.database.onRun = (statement) => void run.push(statement)
  held.resolve()
  await Promise.all(all)
  assert.equal((await service.get('/positions?per_page=7')).status, 200)
  service.database.onRun = undefined
  const isAbout = (table: string) => run.some((statement) => statement.includes(table))
  assert.deepEqual([isAbout('divisions'), isAbout('positions')], [false, true])
})

test('a write that has started is answered with its result, however long it takes', async () => {
  const { database } = service
  const run = database.write
  const begun = Promise.withResolvers<void>()
  database.write = (work, how) =>
    run(async (sql) => {
      begun.resolve()
      await pause(2 * PATIENCE.answer)
      return work(sql)
    }, how)
  const made = await service.post('/divisions', { name: 'Took its time' })
  database.write = run
  await begun.promise
  assert.equal(made.status, 201, made.text)
})
