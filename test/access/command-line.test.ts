import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ENGINE, freshDatabase, sender } from '../harness.ts'
import { runHere, startHere } from '../in-process.ts'
import { runCommand, startProcess } from '../process.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
before(async () => {
  database = await freshDatabase()
})
after(() => database.remove())

const cadre = (...args: string[]) => runHere(args, { DATABASE_URL: database.url })
const lastLine = (text: string) => text.trim().split('\n').at(-1) as string

test('the first start prints a working key, the second start prints none, and SIGTERM stops the service cleanly', async () => {
  const first = await startProcess({ DATABASE_URL: database.url, CADRE_API_KEY: '' })
  const key = /cadre_[\w-]{43}/.exec(first.output())?.[0]
  assert.ok(key, first.output())
  assert.equal((await sender(first.url, key)('GET', '/genders')).body.data.length, 3)
  assert.equal(await first.stop(), 0)
  const second = await startHere({ DATABASE_URL: database.url, CADRE_API_KEY: '' })
  assert.ok(!second.output().includes('cadre_'))
  assert.equal((await sender(second.url, key)('GET', '/genders')).status, 200)
  assert.equal(await second.stop(), 0)
})

test('a new CADRE_API_KEY value replaces the old key and revokes the keys created with it', async () => {
  const [old, fresh] = ['an-old-key-of-more-than-32-characters', 'a-new-key-of-more-than-32-characters'] as const
  const withKey = (CADRE_API_KEY: string) => ({ DATABASE_URL: database.url, CADRE_API_KEY })
  const asks = async (url: string, key: string) => (await sender(url, key)('GET', '/genders')).status

  const first = await startHere(withKey(old))
  const answer = await sender(first.url, old)('POST', '/api_keys', { json: { name: 'Child', permissions: ['*'] } })
  const child = answer.body.data.key as string
  assert.equal(await asks(first.url, child), 200)
  await first.stop()

  const second = await startHere(withKey(fresh))
  assert.deepEqual(
    [await asks(second.url, fresh), await asks(second.url, old), await asks(second.url, child)],
    [200, 401, 401],
  )
  assert.match(
    second.output(),
    /CADRE_API_KEY has changed: the previous key is revoked, together with 1 key created with it/,
  )
  await second.stop()

  // What was revoked stays so, and what is valid is not taken away for it.
  const third = await startHere(withKey(old))
  assert.deepEqual([await asks(third.url, old), await asks(third.url, fresh)], [401, 200])
  assert.equal(
    third.output().match(/CADRE_API_KEY was revoked, so requests with it are rejected/g)?.length,
    1,
    third.output(),
  )
  assert.ok(!third.output().includes(old))
  await third.stop()
})

test('CADRE_API_KEY may be a key created with the previous one, and survives its replacement', async () => {
  const own = await freshDatabase()
  const start = (CADRE_API_KEY: string) => startHere({ DATABASE_URL: own.url, CADRE_API_KEY })
  const before = 'a-key-that-makes-another-0123456789'
  const first = await start(before)
  const { body } = await sender(first.url, before)('POST', '/api_keys', { json: { name: 'Heir', permissions: ['*'] } })
  await first.stop()
  const second = await start(body.data.key)
  assert.equal((await sender(second.url, body.data.key)('GET', '/genders')).status, 200)
  assert.equal((await sender(second.url, before)('GET', '/genders')).status, 401)
  assert.equal((await sender(second.url, body.data.key)('DELETE', `/api_keys/${body.data.id}`)).status, 204)
  await second.stop()
  const third = await start(body.data.key)
  assert.equal((await sender(third.url, body.data.key)('GET', '/genders')).status, 401)
  await third.stop()
  await own.remove()
})

test('account create prints the key of a new account that shares no data with others', async () => {
  const made = await cadre(
    'account',
    'create',
    '--name',
    'Second company',
    '--time-zone',
    'Europe/Berlin',
    '--currency',
    'usd',
  )
  assert.equal(made.code, 0, made.stderr)
  const service = await startHere({ DATABASE_URL: database.url })
  const send = sender(service.url, lastLine(made.stdout))
  assert.equal((await send('GET', '/divisions')).body.metadata.count, 0)
  assert.equal((await send('POST', '/divisions', { json: { name: 'First here' } })).body.data.id, 1)
  await service.stop()
  assert.match((await cadre('account', 'list')).stdout, /2\tSecond company/)
  assert.match(
    (await cadre('account', 'create', '--name', 'X', '--time-zone', 'Mars/Base')).stderr,
    /--time-zone must be an IANA time zone like/,
  )
})

test('key create, key list and key revoke work', async () => {
  const made = await cadre(
    'key',
    'create',
    '--name',
    'Sync',
    '--permissions',
    'teams:read,employees:*',
    '--withheld',
    'compensation',
  )
  assert.equal(made.code, 0, made.stderr)
  assert.match(lastLine(made.stdout), /^cadre_/)
  const listed = (await cadre('key', 'list')).stdout
  const line = listed.split('\n').find((one) => one.includes('Sync')) as string
  assert.match(line, /teams:read,employees:\*/)
  assert.equal((await cadre('key', 'revoke', line.split('\t')[0] as string)).code, 0)
  assert.match((await cadre('key', 'list')).stdout, /Sync.*revoked/)
  assert.match((await cadre('key', 'create', '--name', 'X', '--permissions', 'everything')).stderr, /permissions/)
})

test('a wrong command or configuration fails with a reason', async () => {
  assert.match((await cadre('dance')).stderr, /unknown command "dance"/)
  const wrong = await runCommand(['serve'], {
    DATABASE_URL: database.url,
    PORT: 'http',
    CADRE_API_KEY: 'short',
    LOG_LEVEL: 'loud',
  })
  assert.equal(wrong.code, 1)
  for (const word of ['PORT', 'CADRE_API_KEY', 'LOG_LEVEL']) assert.match(wrong.stderr, new RegExp(word))
})

test('backup never overwrites its own database, and --force replaces an old copy with its log and files', {
  skip: ENGINE !== 'sqlite',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cadre-copies-'))
  const [file, copy] = [join(folder, 'own.db'), join(folder, 'copy.db')]
  const environment = { DATABASE_URL: `sqlite:${file}`, CADRE_FILES: join(folder, 'files') }
  assert.equal((await runHere(['migrate'], environment)).code, 0)
  const onto = await runHere(['backup', file, '--force'], environment)
  assert.deepEqual([onto.code, /is the database itself/.test(onto.stderr)], [1, true])
  assert.equal((await runHere(['backup', copy], environment)).code, 0)
  writeFileSync(`${copy}-wal`, 'of another')
  mkdirSync(join(folder, 'files'))
  mkdirSync(join(folder, 'copied', 'documents'), { recursive: true })
  const erased = `documents/ab/${'ab'.repeat(32)}`
  mkdirSync(join(folder, 'copied', 'documents/ab'))
  for (const name of ['.cadre-files', erased]) writeFileSync(join(folder, 'copied', name), 'somebody')
  const made = await runHere(['backup', copy, '--files', join(folder, 'copied'), '--force'], environment)
  assert.equal(made.code, 0, made.stderr)
  assert.deepEqual([existsSync(`${copy}-wal`), existsSync(join(folder, 'copied', erased))], [false, false])
  const wrong = await runHere(['restore', copy, '--files', copy], environment)
  assert.match(wrong.stderr, /the folder .* does not exist/)
  assert.equal((await runHere(['restore', copy], environment)).code, 0)
  rmSync(folder, { recursive: true })
})

test('backup copies a SQLite database in use; on PostgreSQL it refers to pg_dump', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cadre-backup-'))
  const file = join(folder, 'copy.db')
  const result = await cadre('backup', file)
  if (ENGINE === 'postgres') assert.match(result.stderr, /pg_dump/)
  else {
    assert.equal(result.code, 0, result.stderr)
    const copy = await startHere({
      DATABASE_URL: `sqlite:${file}`,
      CADRE_API_KEY: 'the-key-of-the-copy-0123456789-abcd',
    })
    const answer = await sender(copy.url, 'the-key-of-the-copy-0123456789-abcd')('GET', '/genders')
    assert.equal(answer.body.data.length, 3)
    await copy.stop()
  }
  rmSync(folder, { recursive: true })
})
