import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { constants as system, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connectingTo, readConfig } from '../src/config.ts'
import { connect, waitForDatabase } from '../src/database/connect.ts'
import { migrate, readMigrations, schemaOf } from '../src/database/migrate.ts'
import { ALLOCATOR } from '../src/memory.ts'
import { ENGINE, emptyDatabase, freshDatabase, sender } from './harness.ts'
import { runHere, startHere } from './in-process.ts'
import { freePort } from './postgres-server.ts'
import { runCommand, startProcess } from './process.ts'
import { serviceFile } from './service-file.ts'
import { isThorough, longTest } from './thorough.ts'

const { signals } = system
const KEY = 'a-key-for-the-start-0123456789-abcdefgh'

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'cadre-start-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

/** A command that must fail with one line and nothing else: here, or as a process of a user. */
async function fails(args: string[], environment: Record<string, string>, line: RegExp, as?: { uid?: number }) {
  const { code, stdout, stderr } = await (as ? runCommand(args, environment, as) : runHere(args, environment))
  assert.equal(code, 1, stdout)
  assert.match(stderr, line)
  assert.equal(stderr.trim().split('\n').length, 1, stderr)
  return stdout
}

/** What a start does first must fail, with one line: that a process prints just that is seen by others. */
async function refuses(environment: Record<string, string>, line: RegExp) {
  const begin = async () => {
    const config = readConfig(environment)
    const database = connect(config.DATABASE_URL, connectingTo(config))
    try {
      await waitForDatabase(database, config.DATABASE_URL, { seconds: 0, say: () => undefined })
      await schemaOf(database)
    } finally {
      await database.close()
    }
  }
  await assert.rejects(begin, ({ message }: Error) => {
    assert.match(message, line)
    assert.ok(!message.includes('\n'), message)
    return true
  })
}

test('a SQLite file that cannot be opened is reported in one line with its path, and left unchanged', {
  skip: ENGINE !== 'sqlite',
}, async () => {
  const text = join(folder, 'text.db')
  writeFileSync(text, 'These are words and no database at all.\n'.repeat(50), { mode: 0o644 })
  const at = (path: string) => ({ DATABASE_URL: `sqlite:${path}` })
  const noDatabase = /cadre: Cannot open the database .*text\.db: it is not a SQLite database\. Set/
  await fails(['serve'], at(text), noDatabase, {})
  // What is not ours keeps the rights it had.
  assert.equal(statSync(text).mode & 0o777, 0o644)
  await fails(['key', 'list'], at(join(folder, 'nowhere', 'cadre.db')), /there is no database at .*nowhere/)
  await refuses(at(folder), /Cannot open the database .*: it is a folder/)
  await refuses(at(join(text, 'below', 'cadre.db')), /text\.db.* is not a folder/)
  await refuses(at(':memory:'), /DATABASE_URL must name a file/)
  await refuses(at('/proc/cadre.db'), /its folder \/proc cannot be created/)
  await refuses(at('/proc/x/y/cadre.db'), /its folder \/proc\/x\/y cannot be created/)
  assert.ok(!existsSync(join(folder, 'nowhere')))
})

test('a file folder that cannot be written stops the start and is named', {
  skip: ENGINE !== 'sqlite',
}, async () => {
  const file = join(folder, 'in-the-way')
  writeFileSync(file, '')
  const { url, remove } = await freshDatabase()
  await fails(
    ['serve'],
    { DATABASE_URL: url, CADRE_FILES: join(file, 'files') },
    /^cadre: Cannot write files to .*in-the-way\/files: ENOTDIR.*Set CADRE_FILES to a folder that this user can write to$/m,
  )
  await remove()
})

/** What does not depend on the engine is tried on one of them. */
const testOnce = ENGINE === 'sqlite' ? test : longTest

/** Root may do everything: what others may not is tried as nobody, if that one can read the code at all. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534 } : {}
const isPrivateCode = (() => {
  try {
    accessSync('src/main.ts', constants.R_OK)
    return process.cwd().startsWith('/root')
  } catch {
    return true
  }
})()

longTest(
  'a folder or file without write permission is named, with what to do',
  {
    skip: ENGINE !== 'sqlite' ? true : isPrivateCode ? 'the code lies where only root can read it' : false,
  },
  async () => {
    const closed = join(folder, 'closed')
    mkdirSync(closed, { mode: 0o755 })
    chmodSync(folder, 0o755)
    if (process.getuid?.() !== 0) chmodSync(closed, 0o555)
    const url = `sqlite:${join(closed, 'cadre.db')}`
    await fails(['serve'], { DATABASE_URL: url }, /closed\/cadre\.db: this user cannot write/, nobody)
    chmodSync(closed, 0o755)
    assert.equal((await runCommand(['migrate'], { DATABASE_URL: url })).code, 0)
    chmodSync(join(closed, 'cadre.db'), 0o444)
    await fails(['serve'], { DATABASE_URL: url }, /closed\/cadre\.db: this user cannot write/, nobody)
  },
)

test('a taken port or an unknown address is reported in one line', {
  skip: ENGINE !== 'sqlite',
}, async () => {
  const { url, remove } = await freshDatabase()
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const environment = { DATABASE_URL: url, CADRE_API_KEY: KEY, CADRE_FILES: join(folder, 'f') }
  await fails(
    ['serve'],
    { ...environment, PORT: String(port) },
    new RegExp(`port ${port} on 127.0.0.1 is already in use\\. .*PORT`),
    {},
  )
  if (isThorough)
    await fails(['serve'], { ...environment, HOST: '192.0.2.1' }, /no address 192\.0\.2\.1\. Set HOST/, {})
  other.close()
  await remove()
})

test('a start waits for PostgreSQL with one line and never prints its password', {
  skip: ENGINE !== 'sqlite',
}, async () => {
  const port = await freePort()
  const DATABASE_URL = `postgres://cadre:hush-hush@127.0.0.1:${port}/people`
  const said = await fails(
    ['serve'],
    { DATABASE_URL, DATABASE_WAIT: '1' },
    new RegExp(`^cadre: PostgreSQL at 127.0.0.1:${port}, database people, cannot be reached: connect ECONNREFUSED`),
  )
  assert.match(said, new RegExp(`^Waiting up to 1 s for PostgreSQL at 127.0.0.1:${port}, database people: .*\n$`))
  // Somebody who wants to see the keys does not want to wait.
  assert.equal(await fails(['key', 'list'], { DATABASE_URL }, /cannot be reached/), '')
  await fails(
    ['serve'],
    { DATABASE_URL: 'postgres://cadre:hush-hush@nowhere:port' },
    /^cadre: DATABASE_URL must be a URL(?!.*hush)/,
  )
  for (const nameless of ['postgres://', 'postgres://127.0.0.1:1', 'postgres://127.0.0.1:1/?sslmode=disable'])
    await refuses({ DATABASE_URL: nameless }, /^DATABASE_URL has no database name/)
})

test('a start continues once PostgreSQL is there; a missing database is reported at once', {
  skip: ENGINE !== 'postgres',
}, async () => {
  const { url, remove } = await emptyDatabase()
  const real = new URL(url)
  const port = await freePort()
  const through = new URL(url)
  through.port = String(port)
  // The server stands behind a door that is opened only when the service has said that it waits.
  const child = spawn(process.execPath, [await serviceFile(), 'migrate'], {
    env: { ...process.env, DATABASE_URL: through.href },
  })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
    if (/Waiting/.test(said) && !door.listening) door.listen(port, '127.0.0.1')
  })
  const { connect: dial } = await import('node:net')
  const door = createServer((socket) => {
    const inner = dial(Number(real.port), real.hostname)
    socket.pipe(inner).pipe(socket)
    for (const one of [socket, inner]) one.on('error', () => socket.destroy())
  })
  assert.equal(await new Promise((resolve) => child.on('exit', resolve)), 0)
  door.close()
  assert.equal(said.match(/Waiting/g)?.length, 1)
  assert.match(said, /is reachable after \d+ s\n/)

  through.port = real.port
  through.pathname = '/nothing_of_the_kind'
  await fails(
    ['serve'],
    { DATABASE_URL: through.href },
    /database nothing_of_the_kind, rejected the connection: .*does not exist/,
  )
  await remove()
})

testOnce('commands refuse an older schema and leave it unchanged; backup works with any', async () => {
  const { url, remove } = await (ENGINE === 'sqlite' ? freshDatabase() : emptyDatabase())
  const database = connect(url)
  const newest = readMigrations().at(-1)?.number ?? 0
  const environment = { DATABASE_URL: url, CADRE_FILES: join(folder, 'none') }
  const schema = () =>
    database.query((sql) => sql.selectFrom('schema_migrations').select('number').orderBy('number').execute())
  if (ENGINE === 'postgres')
    await fails(['key', 'list'], environment, /the database is empty\. Start the service first/)
  await migrate(database)
  await database.write((sql) => sql.deleteFrom('schema_migrations').where('number', '=', newest).execute())
  const older = await schema()
  for (const args of [['key', 'list'], ['account', 'create', '--name', 'X'], ['demo']])
    await fails(
      args,
      environment,
      /the database schema is from an older version of Cadre\. Start the service or run "migrate"/,
    )
  if (ENGINE === 'sqlite') assert.equal((await runHere(['backup', join(folder, 'copy.db')], environment)).code, 0)
  assert.deepEqual(await schema(), older)
  await database.close()
  await remove()
})

test('a service left running under a newer schema stops writing and keeps reading', async () => {
  const { url, remove } = await freshDatabase()
  const service = await startHere({ DATABASE_URL: url, CADRE_API_KEY: KEY, CADRE_FILES: join(folder, 'left') })
  const send = sender(service.url, KEY)
  assert.equal((await send('POST', '/divisions', { json: { name: 'Before' } })).status, 201)
  const database = connect(url)
  const row = { number: 9999, name: '9999-future.sql', checksum: 'x', applied_at: new Date().toISOString() }
  await database.write((sql) => sql.insertInto('schema_migrations').values(row).execute())
  await database.close()
  const refused = await send('POST', '/divisions', { json: { name: 'After' } })
  assert.equal(refused.status, 503)
  assert.match(service.output(), /A newer version of Cadre has migrated the database schema\. Stop this process/)
  assert.deepEqual(
    (await send('GET', '/divisions')).body.data.map((one: any) => one.name),
    ['Before'],
  )
  assert.equal((await fetch(`${service.url}/readyz`)).status, 503)
  await service.stop()
  await remove()
})

longTest(
  'the service runs with its allocator settings unless the operator set others',
  {
    skip: ENGINE !== 'sqlite' || process.platform !== 'linux',
  },
  async () => {
    const own = { MALLOC_ARENA_MAX: '3' }
    for (const [set, expected] of [
      [{}, ALLOCATOR],
      [own, own],
    ] as const) {
      const { url, remove } = await freshDatabase()
      const service = await startProcess({ DATABASE_URL: url, CADRE_FILES: join(folder, 'allocated'), ...set })
      const environment = readFileSync(`/proc/${service.child.pid}/environ`, 'utf8').split('\0')
      const found = environment.filter((one) => one.startsWith('MALLOC_')).map((one) => one.split('='))
      assert.deepEqual(Object.fromEntries(found), expected)
      assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
      assert.equal(await service.stop(), 0)
      await remove()
    }
  },
)

test('--help and --version print their text and do nothing else', { skip: ENGINE !== 'sqlite' }, async () => {
  const nowhere = { DATABASE_URL: `sqlite:${join(folder, 'help', 'cadre.db')}` }
  for (const [words, said] of [
    ['serve --help', /^Usage: /],
    ['backup copy.db -h', /^Usage: /],
    ['key create --version', /^\d+\.\d+\.\d+\n$/],
  ] as const) {
    const { code, stdout } = await (words === 'serve --help' ? runCommand : runHere)(words.split(' '), nowhere)
    assert.equal(code, 0)
    assert.match(stdout, said)
  }
  assert.ok(!existsSync(join(folder, 'help')))
})

test('an unknown option is rejected and nothing is done', {
  skip: ENGINE !== 'sqlite',
}, async () => {
  const nowhere = { DATABASE_URL: `sqlite:${join(folder, 'options', 'cadre.db')}` }
  for (const [words, option] of [
    ['distribute --account 1', '--account'],
    ['migrate --dry-run', '--dry-run'],
    ['key list --name X', '--name'],
    ['key create --name X --permissions=* --head 1:1:x', '--head'],
    ['serve --force', '--force'],
  ] as const) {
    const { code, stdout, stderr } = await (words === 'serve --force' ? runCommand : runHere)(words.split(' '), nowhere)
    const command = words.split(' --')[0]
    assert.deepEqual([code, stdout, stderr], [1, '', `cadre: unknown option ${option} for "${command}"\n`])
  }
  assert.ok(!existsSync(join(folder, 'options')))
})

/** Numbers of processes of their own, where this user may have them: the first of them is spared by signals. */
const NAMESPACE = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child']
const canBeFirst = spawnSync('unshare', [...NAMESPACE, 'true']).status === 0

for (const workers of ['1', '2'])
  for (const signal of isThorough
    ? (['SIGTERM', 'SIGINT'] as const)
    : ([workers === '1' ? 'SIGTERM' : 'SIGINT'] as const))
    test(`${signal} ends a waiting start, also as the first process of a container, with ${workers} workers`, {
      skip: ENGINE !== 'sqlite' ? true : canBeFirst ? false : 'this user may have no processes of their own',
    }, async () => {
      const DATABASE_URL = `postgres://cadre@127.0.0.1:${await freePort()}/people`
      const args = [...NAMESPACE, process.execPath, await serviceFile(), 'serve']
      const env = { ...process.env, DATABASE_URL, WORKERS: workers, CADRE_FILES: join(folder, 'waits'), PORT: '0' }
      const outer = spawn('unshare', args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
      const gone = new Promise<number | null>((resolve) => outer.once('close', resolve))
      await new Promise<void>((resolve) => {
        let said = ''
        outer.stdout.on('data', (chunk) => {
          said += chunk
          if (said.includes('Waiting up to 60 s')) resolve()
        })
        gone.then(() => resolve())
      })
      const [inner] = readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').split(' ')
      process.kill(Number(inner), signal)
      assert.equal(await gone, 128 + signals[signal])
    })

/** Ends the process at a point of its start, as a power cut would. */
const POINTS = {
  'before the account is made': 'let n = 0; patch(() => ++n === 1)',
  'between account and key': 'let n = 0; patch(() => ++n === 2)',
  'between key and its showing': `const write = process.stdout.write
    process.stdout.write = function (text, ...rest) {
      if (String(text).includes('API key')) process.kill(process.pid, 'SIGKILL')
      return write.call(this, text, ...rest)
    }`,
}
const PATCH = `import crypto from 'node:crypto'; import { syncBuiltinESMExports } from 'node:module'
  const random = crypto.randomBytes
  function patch(isNow) {
    crypto.randomBytes = (...given) => {
      if (given[0] === 32 && isNow()) process.kill(process.pid, 'SIGKILL')
      return random(...given)
    }
    syncBuiltinESMExports()
  }`

for (const [point, script] of Object.entries(POINTS))
  (point.startsWith('between account') ? test : testOnce)(
    `after a first start killed ${point} the next start prints a key`,
    async () => {
      const { url, remove } = await freshDatabase()
      const preload = `--import=data:text/javascript,${encodeURIComponent(`${PATCH}\n${script}`)}`
      const environment = { DATABASE_URL: url, CADRE_API_KEY: '', CADRE_FILES: join(folder, 'first') }
      await assert.rejects(startProcess({ ...environment, NODE_OPTIONS: preload }), /did not start/)
      const service = await startHere(environment)
      const key = /cadre_[\w-]{43}/.exec(service.output())?.[0]
      assert.ok(key, service.output())
      assert.equal((await sender(service.url, key)('GET', '/genders')).body.data.length, 3)
      await service.stop()
      await remove()
    },
  )

longTest(
  'a start warns when the database allows fewer connections than may be needed',
  {
    skip: ENGINE !== 'postgres',
  },
  async () => {
    const { url, remove } = await freshDatabase()
    for (const [asked, needed] of [
      [{ DATABASE_CONNECTIONS: '500' }, 500],
      [{ WORKERS: '2', DATABASE_CONNECTIONS: '499' }, 500],
    ] as const) {
      const service = await startProcess({ DATABASE_URL: url, ...asked })
      assert.match(
        service.output(),
        new RegExp(`Cadre may open up to ${needed} database connections, but the server allows only \\d+\\. Lower`),
      )
      assert.equal(await service.stop(), 0)
    }
    const service = await startProcess({ DATABASE_URL: url, DATABASE_CONNECTIONS: '3' })
    assert.doesNotMatch(service.output(), /Cadre may open up to/)
    await service.stop()
    await remove()
  },
)
