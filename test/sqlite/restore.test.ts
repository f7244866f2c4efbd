import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { freshDatabase, sender } from '../harness.ts'
import { runHere, startHere } from '../in-process.ts'
import { startProcess } from '../process.ts'
import { startObjectStore } from '../s3-server.ts'
import { PICTURE } from '../samples.ts'
import { longTest } from '../thorough.ts'

const KEY = 'a-key-for-the-restore-0123456789-abcde'

test('a backup can be restored after a crash as documented, with its files and without losing anything', async () => {
  const { url, remove } = await freshDatabase()
  const folder = dirname(url.replace('sqlite:', ''))
  const environment = { DATABASE_URL: url, CADRE_API_KEY: KEY, CADRE_FILES: join(folder, 'files') }
  const [copy, copiedFiles] = [join(folder, 'copies.db'), join(folder, 'copied-files')]
  const names = async (service: { url: string }) => {
    const { body } = await sender(service.url, KEY)('GET', '/divisions')
    return body.data.map((one: any) => one.name)
  }
  const add = (service: { url: string }, name: string) =>
    sender(service.url, KEY)('POST', '/divisions', { json: { name } })

  const service = await startProcess(environment)
  await add(service, 'Before')
  const person = { full_name: 'Grace', resume: PICTURE }
  await sender(service.url, KEY)('POST', '/recruitment/candidates', { json: person })
  assert.equal((await runHere(['backup', copy, '--files', copiedFiles], environment)).code, 0)
  const again = await runHere(['backup', copy], environment)
  assert.equal(again.code, 1)
  assert.match(again.stderr, /already exists/)

  await add(service, 'After')
  const inUse = await runHere(['restore', copy], environment)
  assert.equal(inUse.code, 1)
  assert.match(inUse.stderr, /in use\. Stop the service/)
  assert.deepEqual(await names(service), ['Before', 'After'])

  // A kill leaves the write-ahead log behind: it must not meet the restored database.
  await service.stop('SIGKILL')
  assert.ok(readdirSync(folder).includes('cadre.db-wal'))
  const restored = await runHere(['restore', copy, '--files', copiedFiles], environment)
  assert.equal(restored.code, 0, restored.stderr)
  assert.ok(!readdirSync(folder).includes('cadre.db-wal'))
  const after = await startHere(environment)
  assert.deepEqual(await names(after), ['Before'])
  await after.stop()

  const aside = join(folder, readdirSync(folder).find((name) => /replaced-\w+$/.test(name)) ?? '')
  const kept = new DatabaseSync(aside)
  assert.deepEqual(
    kept
      .prepare('select name from divisions order by id')
      .all()
      .map((row) => row.name),
    ['Before', 'After'],
  )
  kept.close()
  const check = await runHere(['files', 'check'], environment)
  assert.match(check.stdout, / 0 files of records are missing/)
  await remove()
})

test('restore refuses a file that is not a Cadre backup and keeps the database', async () => {
  const { url, remove } = await freshDatabase()
  const file = url.replace('sqlite:', '')
  const environment = { DATABASE_URL: url }
  assert.equal((await runHere(['migrate'], environment)).code, 0)
  const wrong = join(dirname(file), 'wrong')
  mkdirSync(wrong)
  writeFileSync(join(wrong, 'garbage.db'), 'not a database at all, but long enough to be looked at'.repeat(50))
  new DatabaseSync(join(wrong, 'empty.db')).close()
  for (const name of ['garbage.db', 'empty.db', 'missing.db']) {
    const { code, stderr } = await runHere(['restore', join(wrong, name)], environment)
    assert.equal(code, 1, name)
    assert.match(stderr, /cannot be read as a Cadre database|does not exist/)
  }
  assert.deepEqual(
    readdirSync(dirname(file)).filter((name) => /replaced|restoring/.test(name)),
    [],
  )
  const nothing = await runHere(['backup', join(wrong, 'copy.db')], { DATABASE_URL: `sqlite:${wrong}/nowhere.db` })
  assert.equal(nothing.code, 1)
  assert.match(nothing.stderr, /there is no database at/)
  assert.ok(!existsSync(join(wrong, 'nowhere.db')))
  await remove()
})

test('backup and restore work for a company without files', async () => {
  const { url, remove } = await freshDatabase()
  const folder = dirname(url.replace('sqlite:', ''))
  const environment = { DATABASE_URL: url, CADRE_FILES: join(folder, 'no-files') }
  const both = [join(folder, 'copy.db'), '--files', join(folder, 'copied')]
  assert.equal((await runHere(['migrate'], environment)).code, 0)
  for (const command of ['backup', 'restore']) {
    const { code, stderr } = await runHere([command, ...both], environment)
    assert.equal(code, 0, stderr)
  }
  assert.deepEqual(readdirSync(join(folder, 'copied')), [])
  await remove()
})

test('backup does not replace a complete copy when the file store is away, and restore never stops half-way', async () => {
  const { url, remove } = await freshDatabase()
  const folder = dirname(url.replace('sqlite:', ''))
  const environment = { DATABASE_URL: url, CADRE_API_KEY: KEY, CADRE_FILES: join(folder, 'files') }
  const both = [join(folder, 'copy.db'), '--files', join(folder, 'copied')]
  const service = await startHere(environment)
  const send = sender(service.url, KEY)
  const person = { full_name: 'Grace', resume: PICTURE }
  assert.equal((await send('POST', '/recruitment/candidates', { json: person })).status, 201)
  assert.equal((await runHere(['backup', ...both], environment)).code, 0)
  const copied = readdirSync(join(folder, 'copied'), { recursive: true })
  renameSync(join(folder, 'files'), join(folder, 'elsewhere'))
  const over = await runHere(['backup', ...both, '--force'], environment)
  assert.equal(over.code, 1)
  assert.match(
    over.stderr,
    /files does not contain the marker file \.cadre-files, .*\. Check CADRE_FILES, and that the folder is mounted/,
  )
  assert.deepEqual(readdirSync(join(folder, 'copied'), { recursive: true }), copied)
  await service.stop()

  const away = { ...environment, CADRE_FILES: 's3://cadre/hr', AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' }
  const keys = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' }
  const restored = await runHere(['restore', ...both], { ...away, ...keys })
  assert.equal(restored.code, 1)
  assert.ok(!readdirSync(folder).some((name) => name.includes('replaced')), restored.stdout)
  await remove()
})

test('a database backup replaces only another backup, and never a database in use', async () => {
  const { url, remove } = await freshDatabase()
  const folder = dirname(url.replace('sqlite:', ''))
  const environment = { DATABASE_URL: url, CADRE_API_KEY: KEY, CADRE_FILES: join(folder, 'files') }
  const backUp = (target: string) => runHere(['backup', target, '--force'], environment)
  const notes = join(folder, 'notes.txt')
  writeFileSync(notes, 'the only one')
  const foreign = join(folder, 'foreign.db')
  const database = new DatabaseSync(foreign)
  database.exec('create table notes (text text)')
  database.close()
  const other = await freshDatabase()
  const service = await startHere({ DATABASE_URL: other.url, CADRE_API_KEY: KEY })
  const inUse = other.url.replace('sqlite:', '')
  const before = [notes, foreign].map((file) => readFileSync(file))
  for (const [target, why] of [
    [notes, /notes\.txt already exists and is not a Cadre database, so it was not overwritten/],
    [foreign, /foreign\.db already exists and is not a Cadre database, so it was not overwritten/],
    [inUse, /is a database that is in use, so it was not overwritten/],
  ] as const) {
    const { code, stderr } = await backUp(target)
    assert.equal(code, 1, target)
    assert.match(stderr, why)
  }
  assert.deepEqual(
    [notes, foreign].map((file) => readFileSync(file)),
    before,
  )
  const send = sender(service.url, KEY)
  assert.equal((await send('POST', '/divisions', { json: { name: 'Kept' } })).status, 201)
  await service.stop()
  const kept = new DatabaseSync(inUse, { readOnly: true })
  assert.equal(kept.prepare('select name from divisions').get()?.name, 'Kept')
  kept.close()
  for (let time = 0; time < 2; time++) assert.equal((await backUp(join(folder, 'copy.db'))).code, 0)
  await other.remove()
  await remove()
})

test('restore creates the folder of the database', async () => {
  const { url, remove } = await freshDatabase()
  const folder = dirname(url.replace('sqlite:', ''))
  const environment = { DATABASE_URL: url, CADRE_FILES: join(folder, 'files') }
  assert.equal((await runHere(['backup', join(folder, 'copy.db')], environment)).code, 0)
  const fresh = join(folder, 'empty', 'place', 'cadre.db')
  const restored = await runHere(['restore', join(folder, 'copy.db')], {
    ...environment,
    DATABASE_URL: `sqlite:${fresh}`,
  })
  assert.equal(restored.code, 0, restored.stderr)
  assert.ok(existsSync(fresh))
  await remove()
})

test('a file backup replaces only another file backup and loses nothing from it', async () => {
  const { url, remove } = await freshDatabase()
  const folder = dirname(url.replace('sqlite:', ''))
  const files = join(folder, 'files')
  const environment = { DATABASE_URL: url, CADRE_API_KEY: KEY, CADRE_FILES: files }
  const run = (...words: string[]) => runHere(words, environment)
  const within = (path: string) => readdirSync(path, { recursive: true }).map(String).sort()
  const service = await startHere(environment)
  const send = sender(service.url, KEY)
  for (const text of ['one', 'two']) {
    const resume = `data:text/plain;name=a.txt;base64,${Buffer.from(text).toString('base64')}`
    assert.equal((await send('POST', '/recruitment/candidates', { json: { full_name: text, resume } })).status, 201)
  }

  const foreign = join(folder, 'foreign')
  mkdirSync(foreign)
  writeFileSync(join(foreign, 'thesis.txt'), 'the only one')
  const copies = join(folder, 'copies')
  mkdirSync(copies)
  for (const beside of ['a.part', 'b.replaced-by-cadre', 'c/photos']) {
    mkdirSync(join(folder, beside), { recursive: true })
    writeFileSync(join(folder, beside, 'x.txt'), 'the only one')
  }
  writeFileSync(join(folder, 'c', '.cadre-files'), '')
  for (const [target, into, why] of [
    [join(copies, 'cadre.db'), copies, /the database backup would be inside/],
    [join(folder, 'copy.db'), folder, /would be inside/],
    [join(folder, 'copy.db'), files, /would be inside/],
    [join(folder, 'copy.db'), join(files, 'copied'), /is inside CADRE_FILES/],
    [join(folder, 'copy.db'), foreign, /contains files that "backup" did not write/],
    [join(folder, 'copy.db'), join(folder, 'a'), /a\.part contains files that "backup" did not write/],
    [join(folder, 'copy.db'), join(folder, 'b'), /b\.replaced-by-cadre contains files that "backup" did not write/],
    [join(folder, 'copy.db'), join(folder, 'c'), /contains files that "backup" did not write/],
    [join(folder, 'd.part'), join(folder, 'd'), /would be inside/],
    [join(files, 'copy.db'), join(folder, 'd'), /belongs to the database or the file storage/],
  ] as const) {
    const { code, stderr } = await run('backup', target, '--files', into, '--force')
    assert.equal(code, 1, into)
    assert.match(stderr, why)
    assert.ok(!existsSync(target), target)
  }
  assert.deepEqual([within(foreign), within(copies)], [['thesis.txt'], []])
  assert.ok(existsSync(url.replace('sqlite:', '')))

  const both = [join(folder, 'copy.db'), '--files', `${join(folder, 'copied')}/`]
  assert.equal((await run('backup', ...both)).code, 0)
  const whole = within(join(folder, 'copied'))
  const [lost, damaged] = within(files).filter((name) => /[0-9a-f]{64}$/.test(name)) as [string, string]
  rmSync(join(files, lost))
  writeFileSync(join(files, damaged), 'BAD')
  const again = await run('backup', ...both, '--force')
  assert.equal(again.code, 1)
  assert.equal(again.stdout.match(/copied from the previous backup instead/g)?.length, 2)
  assert.deepEqual(within(join(folder, 'copied')), whole)
  await service.stop()

  mkdirSync(join(folder, 'nothing'))
  const empty = await run('restore', join(folder, 'copy.db'), '--files', join(folder, 'nothing'))
  assert.equal(empty.code, 1)
  assert.match(
    empty.stderr,
    /nothing contains no files, but the database in .* refers to uploaded files\. Pass the folder/,
  )
  assert.ok(!readdirSync(folder).some((name) => name.startsWith('cadre.db.replaced')))
  const restored = await run('restore', ...both)
  assert.equal(restored.code, 0, restored.stdout)
  assert.equal(readFileSync(join(files, damaged), 'utf8'), readFileSync(join(folder, 'copied', damaged), 'utf8'))
  assert.ok(existsSync(join(files, lost)))
  await remove()
})

longTest('files in an object store are backed up to a folder and restored into a store', async () => {
  const { url, remove } = await freshDatabase()
  const store = await startObjectStore()
  const folder = dirname(url.replace('sqlite:', ''))
  const environment = { ...store.environment, DATABASE_URL: url, CADRE_API_KEY: KEY, CADRE_FILES: store.address }
  const service = await startHere(environment)
  const person = { full_name: 'Grace', resume: PICTURE }
  await sender(service.url, KEY)('POST', '/recruitment/candidates', { json: person })
  await service.stop()
  const both = [join(folder, 'copy.db'), '--files', join(folder, 'copied')]
  assert.equal((await runHere(['backup', ...both], environment)).code, 0)
  const elsewhere = { ...environment, CADRE_FILES: 's3://cadre/new' }
  const looked = await runHere(['files', 'check'], elsewhere)
  assert.equal(looked.code, 1)
  assert.match(
    looked.stdout,
    /^s3:\/\/cadre\/new\/ does not contain the marker file \.cadre-files, .*\. Check CADRE_FILES/,
  )
  const restored = await runHere(['restore', ...both], elsewhere)
  assert.equal(restored.code, 0, restored.stderr)
  const check = await runHere(['files', 'check'], elsewhere)
  assert.deepEqual(
    [check.code, check.stdout],
    [0, '1 files in the file storage, 0 of them without a record. 0 files of records are missing.\n'],
  )
  const wrong = await runHere(['backup', join(folder, 'another.db'), '--files', 's3://cadre/copy'], environment)
  assert.match(wrong.stderr, /--files must be a folder\. To copy files to s3:\/\/cadre\/copy, use "files copy"/)
  assert.ok(!existsSync(join(folder, 'another.db')))
  await store.stop()
  await remove()
})
