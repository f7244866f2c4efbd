import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { commandLine } from '../../src/domain/access/accounts.ts'
import { FIELD_GROUPS } from '../../src/domain/access/permissions.ts'
import { resources } from '../../src/operations.ts'
import type { Caller } from '../../src/records/caller.ts'
import { entriesSince } from '../../src/records/entries.ts'
import { contentsOf, type Tables, tablesOf } from '../contents.ts'
import {
  type Answer,
  freshDatabase,
  type Sending,
  type Service,
  sender,
  startService,
  withoutRequestId,
} from '../harness.ts'
import { leaveOf } from '../leave/on-leave.ts'
import { startProcess } from '../process.ts'
import { Samples } from '../samples.ts'
import { changesSince, filesIn, ledgerNumber, withActorOf } from '../told-changes.ts'

const folder = mkdtempSync(join(tmpdir(), 'cadre-files-'))
const now = new Date()
let service: Service
let samples: Samples
let tables: Tables
/** A key that may do everything, and sees nothing that can be withheld. */
let narrow: { key: string; caller: Caller }
let wide: { key: string; caller: Caller }

before(async () => {
  // Time stands still, so that what was tried and what was done can be compared to the last letter.
  service = await startService({ config: { CADRE_FILES: folder }, clock: () => now })
  samples = new Samples(service)
  tables = await tablesOf(service.database)
  assert.ok(tables.size > resources.length)
  const rights = { permissions: ['*'], withheld: [...FIELD_GROUPS] }
  const caller = { ...commandLine(service.account), permissions: ['*'] }
  wide = { key: service.key, caller: { ...caller, actor: { kind: 'key', id: 1 } } }
  narrow = { key: await service.keyWith(rights), caller: { ...caller, withheld: new Set(FIELD_GROUPS) } }
})
after(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

/** What is there now: all of the database, and all files. */
const everything = async () => ({ tables: await contentsOf(service.database, tables), files: filesIn(folder) })

const dry = (sending: Sending = {}): Sending => ({ ...sending, headers: { prefer: 'dry-run', ...sending.headers } })

test('the Prefer header is parsed as RFC 7240 says: combined, quoted, in any case, and no other spelling', async () => {
  const isTried = async (prefer: string) => {
    const answer = await service.post('/divisions', { name: `Called ${samples.next()}` }, { headers: { prefer } })
    assert.equal(answer.headers.get('preference-applied'), answer.status === 200 ? 'dry-run' : null)
    return answer.status === 201 ? false : answer.status === 200 ? true : answer.status
  }
  for (const prefer of ['dry-run', 'Dry-Run', 'handling=strict, dry-run', 'dry-run;a=b', 'dry-run=""', 'dry-run=true'])
    assert.equal(await isTried(prefer), true, prefer)
  for (const prefer of ['respond-async', 'x="a, dry-run"', 'x="\\", dry-run"', 'laundry-run'])
    assert.equal(await isTried(prefer), false, prefer)
  // A write that was not meant could not be taken back, one that was left out would be missed.
  for (const prefer of [
    'dry-run=false',
    'dry-run=0',
    'dry-run handling=strict',
    'dry-run=@',
    'dry-run=no, dry-run',
    'dry-run, dry-run=false',
    'dryrun',
    'dry-runs',
    'dry-running',
    'dry_run',
    'DryRun',
    '"dry-run"',
    'mode=dry-run',
    'return=minimal; dry-run',
    'dry-run; dry-run=false',
  ])
    assert.equal(await isTried(prefer), 400, prefer)
  const several = new Headers([
    ['prefer', 'wait=10'],
    ['prefer', 'dry-run'],
    ['x-api-key', service.key],
  ])
  const answer = await fetch(`${service.url}/api/v3/divisions?name=Several`, { method: 'POST', headers: several })
  assert.equal(answer.status, 200)
  const strict = await service.post('/divisions', { nam: 'x' }, { headers: { prefer: 'dry-run, HANDLING="Strict"' } })
  assert.deepEqual([strict.status, strict.body.errors[0].code], [400, 'unknown'])
})

test('asking for a dry run outside the Prefer header is rejected and changes nothing', async () => {
  const made = await service.make('/divisions', { name: `Called ${samples.next()}` })
  const number = (await service.get('/divisions')).headers.get('cadre-ledger')
  const name = `Called ${samples.next()}`
  for (const sent of [
    service.post('/divisions?dry_run=true', { name }),
    service.post('/divisions', { name, dry_run: true }),
    service.post('/divisions', { name, dryRun: false }),
    service.post('/divisions', { name }, { headers: { 'x-dry-run': 'true' } }),
    service.post('/divisions', { name }, { headers: { 'dry-run': '1' } }),
    service.send('POST', '/divisions', { form: { name, 'dry-run': '1' } }),
    service.put(`/divisions/${made.id}?dryrun`, { name }),
    service.delete(`/divisions/${made.id}?dry-run=1`),
    service.post(`/changes/${number}/undo?dry_run=true`),
    service.post(`/changes/${number}/undo`, { dry_run: true }),
  ]) {
    const { status, text } = await sent
    assert.equal(status, 400, text)
    assert.match(text, /Prefer: dry-run/)
  }
  assert.equal((await service.get('/divisions')).headers.get('cadre-ledger'), number)
})

test('a dry run names the resources that a write-only key may not read', async () => {
  const key = await service.keyWith({ permissions: ['organisation:write'] })
  const { body } = await service.post('/divisions', { name: `Called ${samples.next()}` }, dry({ key }))
  assert.deepEqual(body.changes, [])
  assert.ok(body.omitted.includes('divisions'))
})

test('reads ignore a dry run preference', async () => {
  const answer = await service.get('/divisions', dry())
  assert.deepEqual([answer.status, answer.headers.get('preference-applied')], [200, null])
  assert.ok(answer.headers.get('etag') && !('changes' in answer.body))
})

test('the dry run example in the reference works', async () => {
  const document: any = await (await fetch(`${service.url}/openapi.json`)).json()
  const [, request] = /## Dry run[\s\S]*?~~~http\n([\s\S]*?)~~~/.exec(document.info.description) ?? []
  const [head = '', body = ''] = (request ?? '').split('\n\n')
  const [first = '', ...lines] = head.split('\n')
  const [method = '', path = ''] = first.split(' ')
  const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(': ') as [string, string]))
  const answer = await service.send(method, path, { json: body, headers })
  assert.equal(answer.status, 200, answer.text)
  const [change] = answer.body.changes
  assert.deepEqual(
    [change.action, change.resource, change.record_id, change.after.name],
    ['create', 'divisions', answer.body.data.id, 'Aviation'],
  )
})

test('a dry run neither uses nor replays an idempotency key', async () => {
  const name = `Once ${samples.next()}`
  const once = { headers: { 'idempotency-key': 'kept' } }
  const tried = await service.post('/divisions', { name }, dry(once))
  const done = await service.post('/divisions', { name }, once)
  assert.deepEqual([tried.status, done.status], [200, 201])
  assert.equal(tried.body.data.id, done.body.data.id)
  const taken = await service.post('/divisions', { name }, dry(once))
  assert.deepEqual([taken.status, taken.headers.get('idempotency-replayed')], [422, null])
  const other = await service.post('/divisions', { name: 'Another' }, dry(once))
  assert.equal(other.status, 200)
  assert.equal((await service.post('/divisions', { name }, once)).headers.get('idempotency-replayed'), 'true')
  const long = { headers: { 'idempotency-key': 'x'.repeat(256) } }
  assert.equal((await service.post('/divisions', { name: 'Long' }, dry(long))).status, 400)
})

test('a stale If-Match stops a dry run like a real write', async () => {
  const { id } = await service.make('/divisions', { name: `Guarded ${samples.next()}` })
  const tag = (await service.get(`/divisions/${id}`)).headers.get('etag') as string
  const guarded = { headers: { 'if-match': tag } }
  const [name, next] = [`Changed ${samples.next()}`, `Again ${samples.next()}`]
  for (let n = 0; n < 2; n++) assert.equal((await service.put(`/divisions/${id}`, { name }, dry(guarded))).status, 200)
  assert.equal((await service.put(`/divisions/${id}`, { name }, guarded)).status, 200)
  const stale = await service.put(`/divisions/${id}`, { name: next }, dry(guarded))
  assert.deepEqual([stale.status, stale.headers.get('preference-applied')], [412, 'dry-run'])
})

test('a dry run shows no API key or feed URL', async () => {
  const made = await service.post('/api_keys', { name: 'Tried', permissions: ['*'] }, dry())
  assert.deepEqual([made.status, made.body.data.key, made.body.changes[0].resource], [200, '', 'api_keys'])
  assert.ok(!('hash' in made.body.changes[0].after))
  const feed = await service.post('/calendars/feed/reset', {}, dry())
  assert.deepEqual([feed.status, feed.body.data.url], [200, ''])
})

test('a dry run of a bulk change lists the changes of valid items and the errors of invalid ones', async () => {
  const [one, two] = [await service.hire(), await service.hire()]
  const data = [
    { id: one.id, first_name: 'New' },
    { id: two.id, email: 'no address', first_name: 'Never' },
    { id: 987_654, first_name: 'Nobody' },
  ]
  const was = await everything()
  const tried = await service.send('PATCH', '/employees/bulk', { json: { data }, ...dry() })
  assert.deepEqual(await everything(), was)
  assert.deepEqual([tried.body.records.count, tried.body.errors.count], [1, 2])
  assert.deepEqual(
    tried.body.changes.map((change: any) => [change.record_id, change.before.first_name, change.after.first_name]),
    [[one.id, 'Person', 'New']],
  )
})

test('a dry run reveals nothing of hidden field groups, also through related records', async () => {
  const secret = 'Zq77secret'
  await service.make('/employee_fields', { name: 'Iban', type: 'text', historical: true, protection: 'compensation' })
  await service.make('/recruitment/vacancy_fields', { name: 'Budget', type: 'text', protection: 'compensation' })
  const papers = (await service.make('/document_folders', { name: 'Papers', protection: 'notes' })).id
  const { id } = await service.hire({ hired_on: '2020-01-01', iban: secret, personal_email: `${secret}@example.com` })
  const pay = { effective_on: '2024-01-01', amount: '76543.21', currency_code: 'EUR', per: 'year' }
  await service.make(`/employees/${id}/salaries`, pay)
  const paper = { name: secret, url: 'https://example.com', document_folder_id: papers }
  await service.make(`/employees/${id}/documents`, paper)
  const status = { effective_from: '2021-01-01', comment: secret }
  const statusId = (await service.make(`/employees/${id}/employment_statuses`, status)).id
  await service.post(`/employees/${id}/terminate`, { effective_from: '2024-01-01', comment: secret })
  const vacancy = (await samples.make('vacancies', { budget: secret })).id
  const attempts: [string, string, unknown?][] = [
    ['POST', `/employees/${id}/activate`, {}],
    ['DELETE', `/employees/${id}/employment_statuses/${statusId}`],
    ['DELETE', `/employees/${id}`],
    ['POST', `/employees/${id}/erasure`, { confirm: id }],
    ['PUT', `/employees/${id}`, { first_name: 'Other' }],
    ['DELETE', `/recruitment/vacancies/${vacancy}`],
    ['DELETE', `/document_folders/${papers}`],
  ]
  const told: string[] = []
  for (const [method, path, json] of attempts) {
    const whole = await service.send(method, path, { ...(json ? { json } : {}), ...dry() })
    for (const withheld of [['compensation', 'notes'], FIELD_GROUPS]) {
      const key = await service.keyWith({ permissions: ['*'], withheld: [...withheld] })
      const cut = await service.send(method, path, { key, ...(json ? { json } : {}), ...dry() })
      assert.ok(!/Zq77secret(?!@)|76543/.test(cut.text), `${method} ${path}: ${cut.text}`)
      if (withheld === FIELD_GROUPS) assert.ok(!cut.text.includes(secret), `${method} ${path}: ${cut.text}`)
      if (cut.status === 200 && whole.text.includes(secret)) told.push(`${method} ${path}`)
    }
  }
  // What whoever sees everything is told, and others are told without it.
  assert.ok(told.length >= 4, told.join())
  // Whoever may write and not read is told that it would work, and nothing more.
  const blind = await service.keyWith({ permissions: ['organisation:write'], withheld: [] })
  const answer = await service.post('/divisions', { name: 'Blind' }, { key: blind, ...dry() })
  assert.deepEqual([answer.status, answer.body.changes], [200, []])
})

/** Tries a request and does it: its changes, which must be those that come about. */
async function changesOf(method: string, path: string, json: unknown, by: { key: string; caller: Caller } = wide) {
  const number = await ledgerNumber(service)
  const sending = { key: by.key, ...(json ? { json } : {}), headers: { 'x-correlation-id': 'one' } }
  const tried = await service.send(method, path, dry(sending))
  const done = await service.send(method, path, sending)
  assert.ok(done.status < 300, done.text)
  const shown = withActorOf(tried, await changesSince(service, number, by.caller))
  assert.deepEqual(
    JSON.parse(withoutRequestId(JSON.stringify(tried.body.changes))),
    JSON.parse(withoutRequestId(JSON.stringify(shown))),
  )
  return tried.body.changes as any[]
}

test('a dry run lists the changes that follow from the write', async () => {
  const { person, ask } = leaveOf(() => service)
  const policy = await service.make('/holiday_policies', { name: 'Days', country_code: 'AQ' })
  const place = await service.make('/locations', { name: 'South', holiday_policy_id: policy.id })
  const yearly = { type: 'accrual', yearly_amount: 30, credit: 'yearly' }
  const who = await person(yearly, {}, { hired_on: '2036-01-01', location_id: place.id })
  assert.equal((await ask(who, '2036-07-07', '2036-07-11')).status, 201)
  const holiday = { holiday_policy_id: policy.id, name: 'Midwinter', occurs_on: '2036-07-09' }
  const changes = await changesOf('POST', '/holidays', holiday)
  assert.deepEqual([...new Set(changes.map(({ resource }) => resource))].sort(), [
    'holidays',
    'leave_entries',
    'leave_requests',
  ])
})

test('a dry run hides the same changes as the ledger when the write deletes the protecting field', async () => {
  const field = await service.make('/employee_fields', {
    name: 'Grade',
    type: 'single_select',
    options: ['A', 'B'],
    protection: 'compensation',
  })
  const key = await service.keyWith({ permissions: ['*'], withheld: ['notes'] })
  const caller = { ...narrow.caller, withheld: new Set(['notes']) }
  const changes = await changesOf('DELETE', `/employee_fields/${field.id}`, undefined, { key, caller })
  assert.deepEqual(
    changes.map(({ action }) => action),
    ['delete', 'delete', 'delete'],
  )
})

test('the careers form accepts a dry run, reveals nobody, and counts towards the rate limit', async () => {
  const { id } = await samples.make('vacancies', { state: 'opened', post_on_careers: true })
  const email = 'known.by.us@example.com'
  await service.make('/recruitment/candidates', { full_name: 'Known', email })
  const path = `/api/careers/v1/vacancies/${id}/applications`
  const apply = (email: string, prefer = 'dry-run') => {
    const multipart = new FormData()
    for (const [name, value] of Object.entries({ full_name: 'Grace', email, consent: 'true' }))
      multipart.append(name, value)
    multipart.append('resume', new Blob(['A life']), 'cv.txt')
    return service.send('POST', path, { key: null, multipart, headers: { prefer } })
  }
  const was = await everything()
  const [known, stranger] = [await apply(email), await apply('stranger@example.com')]
  assert.deepEqual(await everything(), was)
  assert.deepEqual(known.body, { data: { status: 'received' }, changes: [] })
  assert.equal(known.text, stranger.text)
  const names = (answer: Answer) => [...answer.headers.keys()].sort()
  assert.deepEqual(names(known), names(stranger))
  for (const header of ['cadre-omitted', 'cadre-ledger', 'location']) assert.equal(known.headers.get(header), null)

  const strict = await startService({ config: { PUBLIC_UPLOADS_PER_HOUR: 1, CADRE_FILES: folder } })
  try {
    const { id } = await new Samples(strict).make('vacancies', { state: 'opened', post_on_careers: true })
    const statuses: number[] = []
    for (let n = 0; n < 2; n++) {
      const multipart = new FormData()
      for (const [name, value] of Object.entries({ full_name: 'Grace', email, consent: 'true' }))
        multipart.append(name, value)
      const path = `/api/careers/v1/vacancies/${id}/applications`
      statuses.push((await strict.send('POST', path, { key: null, multipart, ...dry() })).status)
    }
    assert.deepEqual(statuses, [200, 429])
  } finally {
    await strict.stop()
  }
})

test('concurrent dry runs and writes do not affect each other', async () => {
  const before = (await service.get('/divisions')).body.metadata.count
  const first = await ledgerNumber(service)
  const rounds = Array.from({ length: 60 }, (_, n) => n)
  const all = await Promise.all(
    rounds.map((n) => service.post('/divisions', { name: `Both ${n}` }, n % 2 ? dry() : {})),
  )
  const [done, tried] = [0, 1].map((rest) => all.filter((_, n) => n % 2 === rest)) as [Answer[], Answer[]]
  assert.ok(done.every(({ status }) => status === 201) && tried.every(({ status }) => status === 200))
  assert.equal((await service.get('/divisions')).body.metadata.count, before + done.length)
  const ids = done.map(({ body }) => body.data.id).sort((a, b) => a - b)
  assert.deepEqual(
    ids,
    ids.map((_, n) => ids[0] + n),
  )
  const entries = await entriesSince(service.database, service.account.id, first)
  assert.deepEqual(
    entries.map(({ number }) => number),
    ids.map((_, n) => first + 1 + n),
  )
  for (const { body, headers } of tried) {
    const [change] = body.changes
    const at = Number(headers.get('cadre-ledger'))
    assert.deepEqual([body.changes.length, change.number], [1, at + 1])
    // It saw exactly the writes before it: its id is the one that the next of them got.
    assert.equal(change.record_id, ids[0] + (at - first))
  }
})

test('a process killed during dry runs leaves no trace of them', async () => {
  const { url, remove } = await freshDatabase()
  const key = 'a-key-for-the-dry-run-test-0123456789'
  const running = await startProcess({ DATABASE_URL: url, CADRE_API_KEY: key, CADRE_FILES: folder })
  const database = connect(url)
  try {
    const send = sender(running.url, key)
    const people = Array.from({ length: 20 }, (_, n) => ({ first_name: 'P', last_name: `${n}` }))
    for (const json of people) assert.equal((await send('POST', '/employees', { json })).status, 201)
    const all = await tablesOf(database)
    const was = await contentsOf(database, all)
    let answered = 0
    const data = people.map((_, n) => ({ id: n + 1, first_name: 'Changed', middle_name: 'Kill' }))
    const triers = Array.from({ length: 8 }, async () => {
      for (;;) {
        const tried = await send('PATCH', '/employees/bulk', { json: { data }, ...dry() }).catch(() => undefined)
        if (!tried) return
        assert.equal(tried.body.changes.length, 20, tried.text)
        if (++answered === 20) running.child.kill('SIGKILL')
      }
    })
    await Promise.all(triers)
    assert.ok(answered >= 20)
    assert.deepEqual(await contentsOf(database, all), was)
  } finally {
    await running.stop('SIGKILL')
    await database.close()
    await remove()
  }
})
