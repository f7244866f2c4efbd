import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { connect } from '../src/database/connect.ts'
import { storageAt } from '../src/domain/files/address.ts'
import { checkFiles } from '../src/domain/files/check.ts'
import { hashOf } from '../src/domain/files/store.ts'
import { fileSources } from '../src/operations.ts'
import { startPeriodicJobs } from '../src/periodic-jobs.ts'
import { openService } from '../src/service.ts'
import { type Service, sender, startService } from './harness.ts'
import { runHere } from './in-process.ts'
import { startProcess } from './process.ts'
import { type ObjectStore, useObjectStore } from './s3-server.ts'
import { PICTURE } from './samples.ts'
import { longTest } from './thorough.ts'

let store: ObjectStore
let service: Service
let documents: string
before(async () => {
  store = await useObjectStore()
  service = await startService({ config: { CADRE_FILES: store.address } })
  await service.make('/document_folders', { name: 'Contracts' })
  documents = `/employees/${(await service.hire()).id}/documents`
})
afterEach(async () => {
  store.between()
  // What one has left to be done a minute later is none of the next one's.
  await service.database.write((sql) => sql.deleteFrom('after_commit').execute())
})
after(async () => {
  await service.stop()
  await store.stop()
})

const uri = (text: string) => `data:text/plain;name=a.txt;base64,${Buffer.from(text).toString('base64')}`
const document = (text: string) => ({ name: 'Doc', document_folder_id: 1, document: uri(text) })
const keyOf = (text: string, part = 'documents') => {
  const hash = hashOf(Buffer.from(text))
  return `hr/${part}/${hash.slice(0, 2)}/${hash}`
}
const refuse = (response: ServerResponse, status: number, code: string, headers = {}) => {
  response.writeHead(status, { 'content-type': 'application/xml', ...headers })
  response.end(`<Error><Code>${code}</Code><Message>No</Message></Error>`)
  return true
}
const isPut = ({ method, headers }: IncomingMessage) => method === 'PUT' && !headers['x-amz-copy-source']
const isCopy = ({ method, headers }: IncomingMessage) => method === 'PUT' && Boolean(headers['x-amz-copy-source'])
const later = () => new Date(Date.now() + 4_000_000)
const look = (remove = false) => {
  const { files } = openService({ database: service.database, filesAt: store.address })
  return checkFiles(service.database, files, fileSources, { remove, now: later() })
}

describe('a start', () => {
  const refusal = async (environment: Record<string, string>, address = store.address) => {
    const kept = { ...process.env }
    Object.assign(process.env, environment)
    const message = await storageAt(address)
      .open()
      .then(String, (error: Error) => error.message)
    for (const name of Object.keys(environment)) process.env[name] = kept[name]
    return message
  }

  test('names what is wrong with the store settings', async () => {
    assert.match(await refusal({}, 's3://another/hr'), /^s3:\/\/another\/hr cannot be used: the bucket does not exist/)
    assert.match(await refusal({ AWS_ACCESS_KEY_ID: 'x' }), /the object store does not know AWS_ACCESS_KEY_ID/)
    assert.match(await refusal({ AWS_SECRET_ACCESS_KEY: 'x' }), /AWS_SECRET_ACCESS_KEY does not belong to/)
    assert.match(await refusal({ AWS_ACCESS_KEY_ID: '' }), /there are no credentials\. Set AWS_ACCESS_KEY_ID/)
    store.between((_, response) => refuse(response, 301, 'PermanentRedirect', { 'x-amz-bucket-region': 'eu-west-3' }))
    assert.match(await refusal({}), /in another region\. Set AWS_REGION to eu-west-3/)
    store.between((_, response) => refuse(response, 403, 'RequestTimeTooSkewed'))
    assert.match(await refusal({}), /the clocks of this machine and of the object store differ/)
    // Whoever may look and not write finds out now, and not by the first upload.
    store.between((request, response) => isPut(request) && refuse(response, 403, 'AccessDenied'))
    assert.match(await refusal({}), /the access key needs permission to .*AccessDenied/)
    assert.match(await refusal({ AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' }), /cannot be reached: ECONNREFUSED/)
    for (const address of [
      'gs://cadre/hr',
      's3:',
      's3:cadre/hr',
      's3://',
      's3://UPPER/hr',
      's3://cadre/../hr',
      's3://cadre/a b',
    ])
      assert.throws(() => storageAt(address), /CADRE_FILES must be a folder or s3:\/\/bucket\/prefix/)
  })

  test('with permanently wrong settings fails at once with one line', async () => {
    const environment = { ...store.environment, DATABASE_URL: service.databaseUrl, CADRE_FILES: 's3://another/hr' }
    const { code, stdout, stderr } = await runHere(['serve'], environment)
    assert.deepEqual(
      [code, stdout, stderr],
      [1, '', 'cadre: s3://another/hr cannot be used: the bucket does not exist. Create it, or correct CADRE_FILES\n'],
    )
  })

  longTest('waits for a store that is not available yet', async () => {
    let times = 0
    store.between((_, response) => ++times <= 4 && refuse(response, 503, 'ServiceUnavailable'))
    const environment = { ...store.environment, DATABASE_URL: service.databaseUrl, CADRE_FILES: store.address }
    const process = await startProcess(environment)
    assert.match(process.output(), /^Waiting up to 60 s for the file storage: s3:\/\/cadre\/hr cannot be reached: 503/m)
    await process.stop()
  })
})

test('a slow upload to the store blocks no other request', async () => {
  await service.make(documents, document('the first of all, which marks the place'))
  const arrived = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  store.between(async (request) => {
    if (isPut(request)) {
      arrived.resolve()
      await held.promise
    }
    return false
  })
  const slow = service.post(documents, document('slowly'))
  await arrived.promise
  assert.equal((await service.post('/divisions', { name: 'Meanwhile' })).status, 201)
  store.asked()
  held.resolve()
  assert.equal((await slow).status, 201)
  // In the turn it is copied, then the draft goes.
  assert.deepEqual(
    store.asked().map((line) => line.split(' ')[0]),
    ['PUT', 'DELETE'],
  )
  assert.deepEqual(
    store.keys().filter((key) => key.includes('.drafts')),
    [],
  )
})

test('an unavailable store gives a repeatable 503, stores nothing and blocks nothing else', async () => {
  const made = await service.make(documents, document('there before'))
  const count = (await service.get(documents)).body.data.length
  const sending = { headers: { 'idempotency-key': 'again' } }
  for (const away of [
    (_: IncomingMessage, response: ServerResponse) => refuse(response, 503, 'SlowDown'),
    (_: IncomingMessage, response: ServerResponse) => refuse(response, 403, 'ExpiredToken'),
    (_: IncomingMessage, response: ServerResponse) => refuse(response, 404, 'NoSuchBucket'),
    (request: IncomingMessage) => Boolean(request.socket.destroy()),
    (request: IncomingMessage, response: ServerResponse) => isCopy(request) && refuse(response, 500, 'InternalError'),
  ]) {
    store.between(away)
    const refused = await service.post(documents, document('again and again'), sending)
    assert.deepEqual([refused.status, refused.body.code, refused.headers.get('retry-after')], [503, 'unavailable', '2'])
    assert.equal((await service.get(documents)).body.data.length, count)
  }
  store.between((_, response) => refuse(response, 503, 'SlowDown'))
  for (const method of ['GET', 'HEAD']) {
    const missed = await fetch(made.url, { method })
    assert.deepEqual([missed.status, missed.headers.get('retry-after')], [503, '2'])
    assert.equal(missed.headers.get('content-disposition'), null)
  }
  store.between((_, response) => refuse(response, 507, 'XMinioStorageFull'))
  assert.equal((await service.post(documents, document('too much'))).body.code, 'out_of_space')
  store.between()
  assert.equal((await service.post(documents, document('again and again'), sending)).status, 201)
  assert.equal(await (await fetch(made.url)).text(), 'there before')
})

longTest('a store that falls silent during a write blocks others only briefly and gives 503', async () => {
  const there = await service.make(documents, document('there all the time'))
  const reached = Promise.withResolvers<void>()
  store.between((request) => {
    if (!isCopy(request)) return false
    reached.resolve()
    return true
  })
  const upload = service.post(documents, document('silent'))
  await reached.promise
  // It stays silent: this one is let in because it is given up.
  assert.equal((await service.post('/divisions', { name: 'While it is silent' })).status, 201)
  assert.equal((await upload).status, 503)
  // Those who need not hurry are not told that it is away.
  assert.equal(await (await fetch(there.url)).text(), 'there all the time')
  store.between()
  // For a moment nobody is asked to wait for it again.
  await new Promise((resolve) => setTimeout(resolve, 2_100))
  assert.equal((await service.post(documents, document('silent'))).status, 201)
  await look(true)
})

longTest('a store is not considered silent because the service itself paused', async () => {
  store.between((request) => {
    // The answer is there, and so is the end of the time that it may take.
    if (isCopy(request)) for (const until = Date.now() + 2_200; Date.now() < until; );
    return false
  })
  assert.equal((await service.post(documents, document('after standing still'))).status, 201)
})

describe('a late deletion by the store does not remove bytes that were uploaded again', () => {
  /** Another process, as far as the service can know. */
  let elsewhere: ReturnType<typeof sender>
  let stop: () => Promise<void>
  before(async () => {
    const config = { ...readConfig({ CADRE_FILES: store.address }), LOG_LEVEL: 'silent' as const }
    const app = await buildApp({ config, database: connect(service.databaseUrl) })
    elsewhere = sender(await app.listen({ host: '127.0.0.1', port: 0 }), service.key)
    stop = async () => void (await app.close())
  })
  after(() => stop())
  const isOrder = (text: string, { method, url }: IncomingMessage) => method === 'DELETE' && url?.includes(keyOf(text))
  const carryOut = (text: string) => storageAt(store.address).remove(keyOf(text).slice(3))
  const left = () =>
    service.database.query((sql) => sql.selectFrom('after_commit').select('kind').orderBy('kind').execute())
  /** A minute later nothing is on its way any more. */
  const aMinuteLater = () =>
    service.database.write((sql) =>
      sql.updateTable('after_commit').set({ created_at: '2020-01-01T00:00:00.000Z' }).execute(),
    )

  /** What comes instead of an answer, while the order goes on. */
  const ways: Record<string, (response: ServerResponse) => unknown> = {
    silence: () => undefined,
    '504': (response) => refuse(response, 504, 'GatewayTimeout'),
    '429': (response) => refuse(response, 429, 'SlowDown'),
    'a broken line': (response) => response.destroy(),
  }
  for (const [way, answer] of Object.entries(ways))
    longTest(`by any client or undo in any process: ${way}`, async () => {
      const first = await service.make(documents, document(way))
      let orders = 0
      store.between((request, response) => {
        if (!isOrder(way, request)) return false
        // Were it given once more and answered then, this one would still be under way.
        if (++orders === 1) answer(response)
        return orders === 1
      })
      const deleted = await service.delete(`${documents}/${first.id}`)
      assert.equal(deleted.status, 204)
      const undo = `/requests/${deleted.headers.get('x-request-id')}/undo`
      const again = () => elsewhere('POST', documents, { json: document(way) })
      for (const status of [
        (await again()).status,
        (await service.post(documents, document(way))).status,
        (await elsewhere('POST', undo)).status,
      ])
        assert.equal(status, 503)
      assert.equal(orders, 1)
      store.between()
      await carryOut(way)
      assert.equal((await again()).status, 503, 'nobody has said that it is settled')
      assert.deepEqual(
        (await left()).map(({ kind }) => kind),
        ['drop_file', 'unsettled_file'],
      )
      await aMinuteLater()
      const sent = await again()
      assert.equal(sent.status, 201, sent.text)
      assert.equal(await (await fetch(sent.body.data.url)).text(), way)
    })

  longTest('even if the process that ordered the deletion was killed', async () => {
    const first = await service.make(documents, document('killed amid it'))
    const environment = { ...store.environment, DATABASE_URL: service.databaseUrl, CADRE_FILES: store.address }
    const killed = await startProcess(environment)
    store.between((request) => {
      if (!isOrder('killed amid it', request)) return false
      killed.child.kill('SIGKILL')
      return true
    })
    await assert.rejects(sender(killed.url, service.key)('DELETE', `${documents}/${first.id}`))
    await killed.stop('SIGKILL')
    store.between()
    // What is taken up meanwhile waits until that order is over.
    const { ledger } = openService({ database: service.database, filesAt: store.address })
    await ledger.afterCommit.runPending()
    assert.equal((await service.post(documents, document('killed amid it'))).status, 503)
    await aMinuteLater()
    await ledger.afterCommit.runPending()
    assert.deepEqual(await left(), [])
    assert.ok(!store.keys().includes(keyOf('killed amid it')))
    assert.equal((await service.post(documents, document('killed amid it'))).status, 201)
  })
})

test('files of a rejected write are removed, also if the response of the store was lost', async () => {
  const keys = () => store.keys().filter((key) => key.includes('documents/') || key.includes('.drafts'))
  const there = keys()
  store.between(async (request, response) => {
    if (!isCopy(request)) return false
    await storageAt(store.address).write(keyOf('answer lost').slice(3), Buffer.from('answer lost'))
    return refuse(response, 500, 'InternalError')
  })
  assert.equal((await service.post(documents, document('answer lost'))).status, 503)
  assert.deepEqual(keys(), there)
  store.between()

  const employee_id = (await service.hire({ hired_on: '2020-01-01' })).id
  const type = await service.make('/leave_types', { name: 'Ill' })
  const policy = await service.make('/leave_policies', { name: 'Ill', leave_type_id: type.id, floor: -100 })
  const assigned = { leave_type_id: type.id, leave_type_policy_id: policy.id, effective_on: '2020-01-01' }
  await service.make(`/employees/${employee_id}/leave_types`, assigned)
  const notes = (count: number, of: string) => Array.from({ length: count }, (_, n) => uri(`${of} ${n}`))
  const days = { starts_on: '2036-07-07', ends_on: '2036-07-08' }
  const asked = { employee_id, leave_type_id: type.id, ...days, attachments: notes(8, 'note') }
  const { id } = await service.make('/leave_requests', asked)
  // The drafts of a write that succeeded are deleted after the response.
  while (store.keys().some((key) => key.includes('.drafts'))) await pause(20)
  const kept = store.keys()
  const more = await service.put(`/leave_requests/${id}`, { attachments: notes(5, 'another') })
  assert.equal(more.status, 422)
  assert.deepEqual(store.keys(), kept)
})

longTest('a rejected write is answered at once even if the store is silent while its files are removed', async () => {
  const deleted = Promise.withResolvers<void>()
  const givenUp = Promise.withResolvers<void>()
  store.between(({ method }, response) => {
    if (method !== 'DELETE') return false
    deleted.resolve()
    response.once('close', givenUp.resolve)
    return true
  })
  const begun = performance.now()
  const refused = await service.post(documents, { ...document('refused'), document_folder_id: 999 })
  assert.equal(refused.status, 422)
  assert.ok(performance.now() - begun < 4_000, `less than the store is waited for: ${performance.now() - begun}`)
  await deleted.promise
  store.between()
  // From then on nobody waits for it for a moment.
  await givenUp.promise
  await new Promise((resolve) => setTimeout(resolve, 2_100))
  await look(true)
})

test('files of a rejected write are removed also if the store saves them late', async () => {
  const jobs = () => service.database.query((sql) => sql.selectFrom('after_commit').selectAll().execute())
  store.between((request, response) => isCopy(request) && refuse(response, 504, 'GatewayTimeout'))
  assert.equal((await service.post(documents, document('put there late'))).status, 503)
  store.between()
  await storageAt(store.address).write(keyOf('put there late').slice(3), Buffer.from('put there late'))
  const { ledger } = openService({ database: service.database, filesAt: store.address })
  await ledger.afterCommit.runPending()
  const [waiting] = await jobs()
  assert.equal(waiting?.kind, 'drop_file')
  const details = JSON.stringify({ ...JSON.parse(waiting?.details), at: '2020-01-01T00:00:00.000Z' })
  await service.database.write((sql) => sql.updateTable('after_commit').set({ details }).execute())
  await ledger.afterCommit.runPending()
  assert.ok(!store.keys().includes(keyOf('put there late')))
  assert.deepEqual(await jobs(), [])
})

longTest('erasing many files does not wait for a silent store once for each file', async () => {
  const { id } = await service.hire()
  for (const text of ['first', 'second', 'third', 'fourth'])
    await service.make(`/employees/${id}/documents`, document(`${text} of many`))
  let orders = 0
  store.between(({ method }) => {
    if (method !== 'DELETE') return false
    orders++
    return true
  })
  assert.equal((await service.delete(`/employees/${id}?erase=true`)).status, 204)
  assert.ok(orders < 4, `${orders} orders`)
})

test('the picture of an erased person is not shown, even if the store still has it', async () => {
  const { id } = await service.hire()
  const pictured = async (id: number): Promise<string> =>
    (await service.put(`/employees/${id}/update_avatar`, { avatar: PICTURE })).body.data.avatar_url
  const avatar = await pictured(id)
  assert.equal((await fetch(avatar)).status, 200)
  store.between(({ method }, response) => method === 'DELETE' && refuse(response, 503, 'SlowDown'))
  assert.equal((await service.delete(`/employees/${id}?erase=true`)).status, 204)
  assert.ok(store.keys().some((key) => key.includes('avatars/')))
  assert.equal((await fetch(avatar)).status, 404)
  // Somebody else has the same one.
  const other = await service.hire()
  store.between()
  await openService({ database: service.database, filesAt: store.address }).ledger.afterCommit.runPending()
  await service.database.write((sql) => sql.deleteFrom('after_commit').execute())
  assert.equal((await fetch(await pictured(other.id))).status, 200)
})

test('a store without the known files is refused: nothing is saved or considered deleted there', async () => {
  const made = await service.make(documents, document('under the right name'))
  const database = connect(service.databaseUrl)
  const above = storageAt('s3://cadre')
  await above.open()
  assert.equal(await above.isBegun(), false)
  const config = { ...readConfig({ CADRE_FILES: 's3://cadre/typo' }), LOG_LEVEL: 'silent' as const }
  const app = await buildApp({ config, database })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const send = sender(url, service.key)
  try {
    assert.equal((await fetch(made.url.replace(service.url, url))).status, 503)
    assert.equal((await send('POST', documents, { json: document('at the wrong place') })).status, 503)
    assert.equal((await send('DELETE', `${documents}/${made.id}`)).status, 204)
  } finally {
    await app.close()
  }
  assert.deepEqual(
    store.keys().filter((key) => key.includes('typo/') && !key.includes('.drafts')),
    [],
  )
  assert.ok(store.keys().includes(keyOf('under the right name')))
  await openService({ database: service.database, filesAt: store.address }).ledger.afterCommit.runPending()
  assert.ok(!store.keys().includes(keyOf('under the right name')))
})

test('a file that the store lost gives 404', async () => {
  const made = await service.make(documents, document('lost'))
  await storageAt(store.address).remove(keyOf('lost').slice(3))
  assert.equal((await fetch(made.url)).status, 404)
  assert.deepEqual((await look()).missing, [`employee_documents ${made.id} of account ${service.account.id}`])
  await service.delete(`${documents}/${made.id}`)
})

longTest('a deleted bucket gives 503 for GET and HEAD', async () => {
  const { url } = await service.make(documents, document('in a bucket that goes'))
  // To a question without a body it is answered without a word.
  store.between(({ method }, response) =>
    method === 'HEAD' ? Boolean(response.writeHead(404).end()) : refuse(response, 404, 'NoSuchBucket'),
  )
  for (const method of ['GET', 'HEAD']) assert.equal((await fetch(url, { method })).status, 503, method)
  // Nor is what is undone meanwhile gone for good.
  const [{ id }] = (await service.get(`${documents}?per_page=1`)).body.data
  const deleted = await service.delete(`${documents}/${id}`)
  assert.equal((await service.post(`/requests/${deleted.headers.get('x-request-id')}/undo`)).status, 503)
  store.between()
  assert.equal((await service.post(`/requests/${deleted.headers.get('x-request-id')}/undo`)).status, 200)
})

longTest('a store that sends no content length still serves the file', async () => {
  const { url } = await service.make(documents, document('of any length'))
  store.between(({ method }, response) => {
    response.writeHead(200)
    return Boolean(response.end(method === 'GET' ? 'of any length' : ''))
  })
  const [whole, part, head] = await Promise.all([
    fetch(url),
    fetch(url, { headers: { range: 'bytes=0-1' } }),
    fetch(url, { method: 'HEAD' }),
  ])
  for (const answer of [whole, part, head])
    assert.deepEqual([answer.status, answer.headers.get('content-length')], [200, null])
  assert.deepEqual([await whole.text(), await part.text()], ['of any length', 'of any length'])
})

test('leftovers of unfinished writes are reported and removed from time to time', async (t) => {
  const place = storageAt(store.address)
  const left = () => store.keys().filter((key) => key.includes('.drafts'))
  await place.write('.drafts/left', Buffer.from('of somebody'))
  assert.deepEqual((await look()).drafts, [`${store.address}/.drafts/left`])
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.now() })
  const { ledger, files } = openService({ database: service.database, filesAt: store.address })
  const end = await startPeriodicJobs({ ledger, files }, { error: (what) => assert.fail(String(what)) })
  assert.deepEqual(left(), ['hr/.drafts/left'])
  t.mock.timers.tick(2 * 3_600_000)
  for (let tries = 0; left().length > 0 && tries < 500; tries++) await new Promise((resolve) => setTimeout(resolve, 10))
  assert.deepEqual(left(), [])
  end()
})

test('files copy refuses a source without files', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'cadre-empty-'))
  for (const from of [join(empty, 'nothing'), `${store.address}-misspelt`]) {
    const { code, stderr } = await runHere(['files', 'copy', join(empty, 'to')], {
      ...store.environment,
      CADRE_FILES: from,
    })
    assert.deepEqual([code, stderr], [1, `cadre: ${from} contains no files to copy. Check CADRE_FILES\n`])
  }
  rmSync(empty, { recursive: true, force: true })
})

test('a file URL with anything appended is 404', async () => {
  const { url } = await service.make(documents, document('of one address'))
  assert.equal((await fetch(`${url}.pdf`)).status, 404)
  assert.equal((await fetch(`${url}.`)).status, 404)
  assert.equal((await fetch(url)).status, 200)
})

test('files are streamed: the client gets the first half before the store sends the second', async () => {
  const text = 'x'.repeat(200_000)
  const { url } = await service.make(documents, document(text))
  const half = Promise.withResolvers<void>()
  store.between((request, response) => {
    if (request.method !== 'GET') return false
    response.writeHead(200, { 'content-length': text.length })
    response.write(text.slice(0, 100_000))
    half.promise.then(() => response.end(text.slice(100_000)))
    return true
  })
  const answer = await fetch(url)
  assert.equal(answer.headers.get('content-length'), '200000')
  let read = 0
  for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
    read += chunk.length
    if (read >= 100_000) half.resolve()
  }
  assert.equal(read, 200_000)
})

test('a download that breaks off in the store breaks off for the client', async () => {
  const { url } = await service.make(documents, document('y'.repeat(1000)))
  store.between((request, response) => {
    if (request.method !== 'GET') return false
    response.writeHead(200, { 'content-length': 1000 })
    response.write('y', () => response.destroy())
    return true
  })
  await assert.rejects(fetch(url).then((answer) => answer.text()))
})

longTest('an export breaks off with the store, and the service continues', async () => {
  const person = await service.hire()
  const own = `/employees/${person.id}`
  await service.make(`${own}/documents`, document('z'.repeat(1000)))
  for (const broken of [
    (response: ServerResponse) => refuse(response, 503, 'SlowDown'),
    (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': 1000 })
      return response.write('z', () => response.destroy())
    },
  ]) {
    store.between((request, response) => request.method === 'GET' && broken(response))
    await assert.rejects(service.get(`${own}/export`))
    assert.equal((await service.get(own)).status, 200)
  }
  store.between()
  assert.equal((await service.get(`${own}/export`)).status, 200)
})

test('a nested store of another installation is left alone', async () => {
  // What others before have left, on purpose.
  await look(true)
  const inner = storageAt(`${store.address}/staging`)
  await inner.open()
  const key = keyOf('of others').slice(3)
  await inner.write(key, Buffer.from('of others'))
  assert.deepEqual((await look(true)).orphans, [])
  assert.equal(await inner.sizeOf(key), 9)
  for await (const { key } of inner.list('documents')) await inner.remove(key)
  await inner.remove('.cadre-files')
})

test('a dry run only reads from the store', async () => {
  store.asked()
  const tried = await service.post(documents, document('only tried'), { headers: { prefer: 'dry-run' } })
  assert.equal(tried.status, 200)
  assert.deepEqual(
    store.asked().filter((line) => !/^(GET|HEAD)/.test(line)),
    [],
  )
})

test('a process killed between file and record leaves an orphan file that is found, and no record', async () => {
  const environment = { ...store.environment, DATABASE_URL: service.databaseUrl, CADRE_FILES: store.address }
  const killed = await startProcess(environment)
  store.between(async (request) => {
    if (!isCopy(request)) return false
    // The store goes on with what it was asked for; nobody hears that it is done.
    killed.child.kill('SIGKILL')
    return false
  })
  const count = (await service.get(documents)).body.data.length
  await assert.rejects(sender(killed.url, service.key)('POST', documents, { json: document('killed') }))
  await killed.stop('SIGKILL')
  store.between()
  assert.equal((await service.get(documents)).body.data.length, count)
  const own = () => store.keys().filter((key) => key === keyOf('killed') || key.includes('.drafts'))
  assert.equal(own().length, 2, 'the file and its draft')
  const { orphans, missing } = await look(true)
  assert.deepEqual([orphans, missing], [[`s3://cadre/${keyOf('killed')}`], []])
  assert.deepEqual(own(), [])
})

test('bytes uploaded again while their last record is deleted are kept', async () => {
  let last = await service.make(documents, document('to and fro'))
  for (let round = 0; round < 8; round++) {
    const [made] = await Promise.all([
      service.post(documents, document('to and fro')),
      service.delete(`${documents}/${last.id}`),
    ])
    assert.equal(made.status, 201, made.text)
    last = made.body.data
    assert.equal(await (await fetch(last.url)).text(), 'to and fro')
  }
  await service.delete(`${documents}/${last.id}`)
  assert.ok(!store.keys().includes(keyOf('to and fro')))
})

test('candidates are merged and erased with their files, also if the store was away', async () => {
  const make = (full_name: string) => service.make('/recruitment/candidates', { full_name, resume: uri(full_name) })
  const [one, other] = [await make('Grace H'), await make('Grace Hopper')]
  assert.equal((await service.post(`/recruitment/candidates/${one.id}/merge`, { duplicate_id: other.id })).status, 200)
  const own = (id: number) => store.keys().filter((key) => key.includes(`candidates/${service.account.id}-${id}/`))
  assert.deepEqual([own(one.id).length, own(other.id).length], [2, 0])
  store.between((_, response) => refuse(response, 503, 'SlowDown'))
  assert.equal((await service.delete(`/recruitment/candidates/${one.id}`)).status, 204)
  store.between()
  assert.equal(own(one.id).length, 2)
  await openService({ database: service.database, filesAt: store.address }).ledger.afterCommit.runPending()
  assert.equal(own(one.id).length, 0)
  const waiting = await service.database.query((sql) => sql.selectFrom('after_commit').selectAll().execute())
  assert.deepEqual(waiting, [])
})

test('records restored by undo before their files are deleted keep them', async () => {
  const make = (full_name: string) => service.make('/recruitment/candidates', { full_name, resume: uri(full_name) })
  const [one, other] = [await make('Kay M'), await make('Kay McNulty')]
  store.between(({ method, url }, response) =>
    method === 'DELETE' && !url?.includes('.drafts') ? refuse(response, 403, 'AccessDenied') : false,
  )
  const merged = await service.post(`/recruitment/candidates/${one.id}/merge`, { duplicate_id: other.id })
  assert.equal(merged.status, 200, merged.text)
  store.between()
  const undone = await service.post(`/requests/${merged.headers.get('x-request-id')}/undo`)
  assert.equal(undone.status, 200, undone.text)
  const { ledger } = openService({ database: service.database, filesAt: store.address })
  assert.ok((await ledger.afterCommit.pending()).some(({ kind }) => kind === 'clear_files'))
  await ledger.afterCommit.runPending()
  assert.deepEqual(await ledger.afterCommit.pending(), [])
  assert.deepEqual((await look()).missing, [])
  for (const { id } of [one, other]) await service.delete(`/recruitment/candidates/${id}`)
})

test('a file check covers every page of the listing', async () => {
  for (const text of ['one', 'two', 'three', 'four', 'five']) await service.make(documents, document(text))
  const { files: all } = await look()
  let pages = 0
  store.between((request) => {
    if (!request.url?.includes('list-type')) return false
    pages++
    request.url += '&max-keys=2'
    return false
  })
  const { files, missing } = await look()
  assert.deepEqual([files, missing, pages > 2], [all, [], true])
})

describe('files copy', () => {
  const folders = mkdtempSync(join(tmpdir(), 'cadre-moved-'))
  after(() => rmSync(folders, { recursive: true }))
  const copy = (from: string, to: string) => runHere(['files', 'copy', to], { ...store.environment, CADRE_FILES: from })
  const filesIn = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter(({ name }) => /^[0-9a-f]{64}$/.test(name))

  test('copies files to a folder and to another store, and resumes when interrupted', async () => {
    const folder = join(folders, 'files')
    const count = (await look()).files
    const there = await copy(store.address, folder)
    assert.deepEqual([there.code, there.stdout], [0, `${count} files copied, 0 already there.\n`])
    assert.equal(filesIn(folder).length, count)
    const first = filesIn(folder)[0]!
    rmSync(join(first.parentPath, first.name))
    assert.equal((await copy(store.address, folder)).stdout, `1 files copied, ${count - 1} already there.\n`)

    assert.equal((await copy(folder, 's3://cadre/moved')).stdout, `${count} files copied, 0 already there.\n`)
    const names = (prefix: string) =>
      store.keys().flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length) : []))
    assert.deepEqual(names('moved/'), names('hr/'))

    writeFileSync(join(first.parentPath, first.name), 'rotten')
    const again = await copy(folder, 's3://cadre/elsewhere')
    assert.equal(again.code, 1)
    assert.match(
      again.stdout,
      new RegExp(
        `^file not copied, because its content does not match its name \\(damaged\\): .*${first.name}\n${count - 1} files copied`,
      ),
    )
  })
})
