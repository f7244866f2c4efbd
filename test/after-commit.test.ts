import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { commandLine } from '../src/domain/access/accounts.ts'
import { storageAt } from '../src/domain/files/address.ts'
import { checkFiles } from '../src/domain/files/check.ts'
import { fileJobHandlers, isLeaving } from '../src/domain/files/remove-unused.ts'
import { DROP_FILE, FileStore, hashOf } from '../src/domain/files/store.ts'
import { tableOf } from '../src/engine/resource.ts'
import { fileSources, resources } from '../src/operations.ts'
import { startPeriodicJobs } from '../src/periodic-jobs.ts'
import { isJobPending } from '../src/records/after-commit.ts'
import { openLedger, writeAs } from '../src/records/ledger.ts'
import { openService } from '../src/service.ts'
import { type Service, startService } from './harness.ts'
import { startHere } from './in-process.ts'
import { PICTURE } from './samples.ts'

let service: Service
let folder: string
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cadre-files-'))
  service = await startService({ config: { CADRE_FILES: folder } })
})
after(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function undone(): Promise<object[]> {
  const kept = service.database.query((sql) => sql.selectFrom('after_commit').select(['kind', 'details']).execute())
  return (await kept).map((row) => ({ ...row }))
}

/** Another ledger on the database of the service, with job handlers of the test. */
const ledgerThat = (remind: () => Promise<unknown>, failures: unknown[] = []) =>
  openLedger({
    database: service.database,
    tables: resources.map(tableOf),
    jobHandlers: { remind, clear_files: async () => undefined },
    onFailure: (error) => void failures.push(error),
  })

test('an after-commit job runs after the commit, when others can see the change', async () => {
  let seen: unknown
  const ledger = ledgerThat(async () => {
    seen = await undone()
  })
  const answer = await writeAs(ledger, commandLine(service.account), 'test', async (db) => {
    db.afterCommit('remind', {})
    return 'done'
  })
  assert.equal(answer, 'done')
  assert.deepEqual(seen, [{ kind: 'remind', details: '{}' }])
  assert.deepEqual(await undone(), [])
})

test('a failed write leaves no after-commit job', async () => {
  let times = 0
  const ledger = ledgerThat(async () => void times++)
  const failing = writeAs(ledger, commandLine(service.account), 'test', async (db) => {
    db.afterCommit('remind', {})
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  await ledger.afterCommit.runPending()
  assert.equal(times, 0)
})

test('a failed after-commit job does not fail the write, stays queued, and is retried', async () => {
  const failures: unknown[] = []
  const broken = ledgerThat(() => Promise.reject(new Error('the disk is away')), failures)
  await writeAs(broken, commandLine(service.account), 'test', async (db) => db.afterCommit('remind', { of: 'it' }))
  assert.match(String(failures), /the disk is away/)
  assert.deepEqual(await undone(), [{ kind: 'remind', details: '{"of":"it"}' }])
  let times = 0
  const mended = ledgerThat(async () => void times++)
  await mended.afterCommit.runPending()
  await mended.afterCommit.runPending()
  assert.equal(times, 1)
  assert.deepEqual(await undone(), [])
})

test('an unknown or unreadable job stays and is reported, and does not block others', async () => {
  const at = new Date().toISOString()
  const row = (kind: string, details: string, created_at: string) => ({
    account_id: service.account.id,
    id: crypto.randomUUID(),
    kind,
    details,
    created_at,
  })
  const rows = [
    row('unheard_of', '{}', '2020-01-01'),
    row('clear_files', 'no JSON', '2020-01-02'),
    row('remind', '{}', at),
  ]
  await service.database.write((sql) => sql.insertInto('after_commit').values(rows).execute())
  const failures: unknown[] = []
  let times = 0
  const ledger = openLedger({
    database: service.database,
    tables: [],
    jobHandlers: {
      ...fileJobHandlers(service.database, new FileStore(storageAt(folder)), fileSources),
      remind: async () => void times++,
    },
    onFailure: (error) => void failures.push(error),
  })
  await ledger.afterCommit.runPending()
  assert.equal(times, 1)
  assert.equal(failures.length, 2)
  assert.equal((await undone()).length, 2)
  await service.database.write((sql) => sql.deleteFrom('after_commit').execute())
})

test('failing jobs do not block later ones, and only one runner takes up jobs at a time', async () => {
  const rows = Array.from({ length: 2_100 }, (_, n) => ({
    account_id: service.account.id,
    id: `failing ${String(n).padStart(4, '0')}`,
    kind: n === 2_050 ? 'clear_files' : 'remind',
    details: '{}',
    created_at: '2020-01-01T00:00:00.000Z',
  }))
  for (const some of [rows.slice(0, 700), rows.slice(700, 1_400), rows.slice(1_400)])
    await service.database.write((sql) => sql.insertInto('after_commit').values(some).execute())
  const failures: unknown[] = []
  const ledger = ledgerThat(() => Promise.reject(new Error('the disk is away')), failures)
  await Promise.all([ledger.afterCommit.runPending(), ledger.afterCommit.runPending()])
  assert.equal(failures.length, 2_099)
  assert.equal((await undone()).length, 2_099)
  await service.database.write((sql) => sql.deleteFrom('after_commit').execute())
})

test('a job that is not due yet stays queued and is no failure', async () => {
  const failures: unknown[] = []
  const ledger = ledgerThat(async () => 'later', failures)
  await writeAs(ledger, commandLine(service.account), 'test', async (db) => db.afterCommit('remind', {}))
  assert.deepEqual([failures, await undone()], [[], [{ kind: 'remind', details: '{}' }]])
  await service.database.write((sql) => sql.deleteFrom('after_commit').execute())
})

test('a job registered for failure runs only if the write fails, after its rollback', async () => {
  const done: unknown[] = []
  const ledger = ledgerThat(async () => void done.push(await undone()))
  const work = (fails: boolean) =>
    writeAs(ledger, commandLine(service.account), 'test', async (db) => {
      db.afterFailure('remind', { of: 'it' })
      if (fails) throw new Error('no')
    })
  await work(false)
  assert.deepEqual(done, [])
  await assert.rejects(work(true), /no/)
  assert.deepEqual(done, [[{ kind: 'remind', details: '{"of":"it"}' }]])
  assert.deepEqual(await undone(), [])
})

test('a start does not wait for long jobs', async () => {
  const held = Promise.withResolvers<void>()
  const ledger = ledgerThat(() => held.promise)
  const row = { account_id: service.account.id, id: 'long', kind: 'remind', details: '{}' }
  await service.database.write((sql) =>
    sql
      .insertInto('after_commit')
      .values({ ...row, created_at: '2020-01-01T00:00:00.000Z' })
      .execute(),
  )
  const end = await startPeriodicJobs({ ledger, files: new FileStore(storageAt(folder)) }, { error: () => undefined })
  end()
  held.resolve()
  await ledger.afterCommit.runPending()
  assert.deepEqual(await undone(), [])
})

test('a write that queues an unknown job is rejected', async () => {
  const ledger = ledgerThat(async () => undefined)
  const work = writeAs(ledger, commandLine(service.account), 'test', async (db) => db.afterCommit('dance', {}))
  await assert.rejects(work, /Unknown background job dance/)
})

test('the files of an erased candidate are deleted after the commit only', async () => {
  const { body } = await service.post('/recruitment/candidates', { full_name: 'Grace', resume: PICTURE })
  const own = join(folder, 'candidates', `${service.account.id}-${body.data.id}`)
  assert.equal(readdirSync(own).length, 1)
  // A write that is refused at its very end has removed nothing.
  const refused = await service.delete(`/recruitment/candidates/${body.data.id}`, { headers: { 'if-match': '"old"' } })
  assert.equal(refused.status, 412)
  assert.equal(readdirSync(own).length, 1)
  assert.equal((await service.delete(`/recruitment/candidates/${body.data.id}`)).status, 204)
  assert.ok(!existsSync(own))
  assert.deepEqual(await undone(), [])
})

test('concurrent uploads and merges lose no file and leave none behind', async () => {
  const person = async (n: number) => (await service.make('/recruitment/candidates', { full_name: `Racer ${n}` })).id
  for (let n = 0; n < 15; n++) {
    const [a, b] = [await person(n), await person(n)]
    const uri = (text: string) => `data:text/plain;base64,${Buffer.from(text).toString('base64')}`
    const attachment = uri(`of ${n}`)
    await service.make(`/recruitment/candidates/${a}/documents`, { attachment: uri(`first of ${n}`) })
    await Promise.all([
      service.post(`/recruitment/candidates/${a}/documents`, { attachment }),
      service.post(`/recruitment/candidates/${b}/merge`, { duplicate_id: a }),
    ])
  }
  const { files } = openService({ database: service.database, filesAt: folder })
  const later = new Date(Date.now() + 4_000_000)
  const { missing, orphans } = await checkFiles(service.database, files, fileSources, { now: later })
  assert.deepEqual({ missing, orphans }, { missing: [], orphans: [] })
  assert.deepEqual(await undone(), [])
})

test('a file without a record that is queued for deletion counts as leaving', async () => {
  const file = { part: 'avatars', hash: 'a'.repeat(64) }
  assert.equal(await isLeaving(service.database, fileSources, file), false)
  const details = JSON.stringify(file)
  await service.database.write((sql) =>
    sql
      .insertInto('after_commit')
      .values({
        account_id: service.account.id,
        id: 'leaving',
        kind: DROP_FILE,
        details,
        created_at: new Date().toISOString(),
      })
      .execute(),
  )
  assert.equal(await isLeaving(service.database, fileSources, file), true)
  const since = (seconds: number) =>
    service.database.query((sql) => isJobPending(sql, 'leaving', new Date(Date.now() + 1000 * seconds)))
  assert.deepEqual([await since(-60), await since(60)], [true, false])
  await service.database.write((sql) => sql.deleteFrom('after_commit').where('id', '=', 'leaving').execute())
})

test('files on an unmounted disk do not count as removed', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'cadre-unmounted-'))
  const { clear_files } = fileJobHandlers(service.database, new FileStore(storageAt(elsewhere)), fileSources)
  await assert.rejects(
    clear_files?.({ part: 'candidates/1-1' }, 1) ?? Promise.resolve(),
    /does not contain the marker file \.cadre-files/,
  )
  rmSync(elsewhere, { recursive: true })
})

test('a starting process runs the jobs of a killed one', async () => {
  const left = join(folder, 'candidates', 'left')
  const hash = hashOf(Buffer.from('of somebody erased'))
  mkdirSync(join(left, hash.slice(0, 2)), { recursive: true })
  writeFileSync(join(left, hash.slice(0, 2), hash), 'of somebody erased')
  await service.database.write((sql) =>
    sql
      .insertInto('after_commit')
      .values({
        account_id: service.account.id,
        id: crypto.randomUUID(),
        kind: 'clear_files',
        details: JSON.stringify({ part: 'candidates/left' }),
        created_at: new Date().toISOString(),
      })
      .execute(),
  )
  const other = await startHere({ DATABASE_URL: service.databaseUrl, CADRE_FILES: folder })
  await other.stop()
  assert.ok(!existsSync(left))
  assert.deepEqual(await undone(), [])
})
