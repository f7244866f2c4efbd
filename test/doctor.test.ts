import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { examine, lineOf } from '../src/command-line/doctor.ts'
import { unknownSettings } from '../src/config.ts'
import { connect } from '../src/database/connect.ts'
import { readMigrations } from '../src/database/migrate.ts'
import { readEnvironment } from '../src/environment.ts'
import { bringUpToDate } from '../src/service.ts'
import { ENGINE, emptyDatabase, freshDatabase } from './harness.ts'
import { runHere, startHere } from './in-process.ts'
import { runCommand } from './process.ts'

/** What operators are told by commands: `cadre doctor`, the environment file, and settings that are none. */

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'cadre-doctor-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

const problemsIn = async (environment: Record<string, string>, more = {}) =>
  (await examine(environment, more)).filter(({ problem }) => problem !== undefined).map(lineOf)

test('cadre doctor reports ok for each part of a working installation and exits with 0', async () => {
  const { url, remove } = await freshDatabase()
  const file = join(folder, 'environment')
  writeFileSync(file, `DATABASE_URL=${url}\nCADRE_FILES=${join(folder, 'files')}\n`)
  const { code, stdout, stderr } = await runCommand(['doctor', '--env-file', file], {})
  assert.deepEqual([code, stderr], [0, ''], stdout)
  assert.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.slice(0, 23).trimEnd()),
    ['configuration', 'database', 'schema', 'files', 'clock', 'disk space'].map((about) => `ok       ${about}`),
  )
  assert.ok(!existsSync(join(folder, 'files')))
  await remove()
})

test('cadre doctor names each problem, says what to do, and exits with 1', async () => {
  const { url, remove } = await emptyDatabase()
  const sound = { DATABASE_URL: url, CADRE_FILES: join(folder, 'files') }
  const nowhere = join(folder, 'nowhere', 'cadre.db')
  const run = await runHere(['doctor'], { ...sound, DATABASE_URL: `sqlite:${nowhere}` })
  assert.equal(run.code, 1)
  assert.match(
    run.stdout,
    /^problem {2}database {7}There is no database at .*nowhere\/cadre\.db\. Set DATABASE_URL, or /m,
  )
  assert.ok(!existsSync(join(folder, 'nowhere')))
  const only = (lines: string[], line: RegExp) => {
    assert.equal(lines.length, 1, lines.join('\n'))
    assert.match(lines[0] as string, line)
  }
  only(await problemsIn({ ...sound, PORT: 'x' }), /^problem {2}configuration {2}PORT must be a whole number\. See/)
  only(
    await problemsIn({ ...sound, DATABASE_URL: 'postgres://cadre:hush@127.0.0.1:1/x' }),
    /^problem {2}database .*127\.0\.0\.1:1, database x, cannot be reached: .*\. Check that the database is running/,
  )
  if (ENGINE === 'sqlite') writeFileSync(url.replace('sqlite:', ''), '')
  only(
    await problemsIn(sound),
    /^problem {2}schema {9}The database is empty\. Start the service, or check DATABASE_URL$/,
  )

  const database = connect(url)
  await bringUpToDate(database)
  const at = new Date(Date.now() + 3_600_000).toISOString()
  const later = {
    id: 1,
    name: 'X',
    time_zone: 'UTC',
    currency_code: 'EUR',
    signing_key: 'x',
    turn_at: at,
    created_at: at,
  }
  await database.write((sql) => sql.insertInto('accounts').values(later).execute())
  only(
    await problemsIn(sound),
    /^problem {2}clock .*The last change in the database is 60 minutes ahead of the clock of this machine\. Synchronise/,
  )
  await database.write((sql) => sql.deleteFrom('accounts').execute())

  writeFileSync(join(folder, 'in-the-way'), '')
  only(
    await problemsIn({ ...sound, CADRE_FILES: join(folder, 'in-the-way', 'files') }),
    /^problem {2}files .*Cannot write files to .*in-the-way.files: ENOTDIR.*CADRE_FILES/,
  )
  only(
    await problemsIn(sound, { leastSpace: 2 ** 60 }),
    /^problem {2}disk space .* MB free at .*\. Free some space: at least/,
  )
  const unknown = await problemsIn({ ...sound, CADRE_FILE: 'x' })
  only(
    unknown,
    /^problem {2}configuration {2}CADRE_FILE is not a known setting and has no effect\. Did you mean CADRE_FILES\?/,
  )

  const newest = Math.max(...readMigrations().map(({ number }) => number))
  const renumber = (from: number, to: number) =>
    database.write((sql) =>
      sql.updateTable('schema_migrations').set({ number: to }).where('number', '=', from).execute(),
    )
  await renumber(newest, 9999)
  only(
    await problemsIn(sound),
    /^problem {2}schema {9}The database schema is from a newer version of Cadre\. Install the Cadre version that migrated/,
  )
  await renumber(9999, -newest)
  only(
    await problemsIn(sound),
    /^problem {2}schema {9}The database schema is from an older version of Cadre\. Make a backup, then start/,
  )
  await database.close()
  await remove()
})

test("commands read the service's environment file, and existing variables win", () => {
  const file = join(folder, 'shared')
  writeFileSync(file, '# Settings\nDATABASE_URL="sqlite:/data/cadre.db"\nPORT=4000\n')
  const environment: Record<string, string | undefined> = { PORT: '5000' }
  assert.equal(readEnvironment({}, environment, file), file)
  assert.deepEqual(environment, { PORT: '5000', DATABASE_URL: 'sqlite:/data/cadre.db' })
  assert.equal(readEnvironment({}, environment, join(folder, 'nothing')), undefined)
  assert.throws(
    () => readEnvironment({ given: join(folder, 'nothing') }, {}),
    /cannot read the environment file .*nothing/,
  )
  // One that is there and cannot be read is not passed over: the command would work with another database.
  assert.throws(
    () => readEnvironment({}, {}, folder),
    /cannot read the environment file .*\. Run this command as a user who can read it, or pass/,
  )
  assert.equal(readEnvironment({ isService: true }, {}, folder), undefined)
  assert.equal(readEnvironment({}, { DATABASE_URL: 'sqlite:x' }, folder), undefined)
})

test('a command that needs a database creates none, and migrate names the one it creates', {
  skip: ENGINE !== 'sqlite',
}, async () => {
  const file = join(folder, 'made', 'cadre.db')
  const environment = { DATABASE_URL: `sqlite:${file}`, CADRE_FILES: join(folder, 'files') }
  for (const words of [
    'account list',
    'key create --name X',
    'person invite a@example.com',
    'audit verify',
    'retention',
  ]) {
    const { code, stderr } = await runHere(words.split(' '), environment)
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^cadre: there is no database at .*made\/cadre\.db\. Set DATABASE_URL, or pass .* --env-file\n$/,
    )
  }
  assert.deepEqual(readdirSync(folder).includes('made'), false)
  const made = await runHere(['migrate'], environment)
  assert.equal(made.stdout, `Created the database schema in ${file}\nThe schema is up to date.\n`)
})

test('key create rejects an expiry in the past', { skip: ENGINE !== 'sqlite' }, async () => {
  const { url, remove } = await freshDatabase()
  await runHere(['account', 'create', '--name', 'X'], { DATABASE_URL: url })
  const late = await runHere(['key', 'create', '--name', 'X', '--expires', '2020-01-01T00:00:00Z'], {
    DATABASE_URL: url,
  })
  assert.deepEqual([late.code, late.stdout, late.stderr], [1, '', 'cadre: --expires must be in the future\n'])
  await remove()
})

test('a start warns about unknown CADRE_ variables and suggests the right name', {
  skip: ENGINE !== 'sqlite',
}, async () => {
  assert.deepEqual(
    unknownSettings({
      CADRE_FILES: 'x',
      CADRE_WORKER: '1',
      CADRE_DATABASE_URL: 'x',
      CADRE_PORT: '1',
      CADRE_COLOUR: 'x',
    }),
    [
      'CADRE_DATABASE_URL is not a known setting and has no effect. Did you mean DATABASE_URL?',
      'CADRE_PORT is not a known setting and has no effect. Did you mean PORT?',
      'CADRE_COLOUR is not a known setting and has no effect',
    ],
  )
  const { url, remove } = await freshDatabase()
  const environment = { DATABASE_URL: url, CADRE_FILES: join(folder, 'f'), CADRE_API_KEYS: 'x'.repeat(40) }
  const service = await startHere(environment)
  assert.match(
    service.output(),
    /CADRE_API_KEYS is not a known setting and has no effect\. Did you mean CADRE_API_KEY\?/,
  )
  assert.equal(await service.stop(), 0)
  await remove()
})
