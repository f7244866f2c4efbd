import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { ENGINE, emptyDatabase, sender } from './harness.ts'
import { startHere } from './in-process.ts'
import { runCommand, startProcess } from './process.ts'
import { PICTURE } from './samples.ts'

const KEY = 'a-key-for-the-privacy-0123456789-abcdef'

let folder: string
let umask: number
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'cadre-private-'))
  // The most careless that there is; the processes that are started have it, too.
  umask = process.umask(0)
})
after(() => {
  process.umask(umask)
  rmSync(folder, { recursive: true, force: true })
})

const modeOf = (path: string) => statSync(path).mode & 0o777

/** What others than the owner may look at, below a folder and itself. */
const open = (at: string) =>
  [at, ...readdirSync(at, { recursive: true, encoding: 'utf8' }).map((name) => join(at, name))].filter(
    (path) => (modeOf(path) & 0o077) !== 0,
  )

test('stored data is readable by its owner only, whatever the umask, and older folders are tightened', async () => {
  const { url, remove } = await emptyDatabase()
  const data = join(folder, 'data')
  const files = join(data, 'files')
  mkdirSync(files, { recursive: true, mode: 0o755 })
  const address = ENGINE === 'sqlite' ? `sqlite:${join(data, 'cadre.db')}` : url
  const environment = { DATABASE_URL: address, CADRE_API_KEY: KEY, CADRE_FILES: files }
  const service = await startProcess(environment)
  const person = { full_name: 'Grace', resume: PICTURE }
  assert.equal((await sender(service.url, KEY)('POST', '/recruitment/candidates', { json: person })).status, 201)
  assert.deepEqual(open(files), [])
  if (ENGINE === 'sqlite') {
    assert.ok(readdirSync(data).includes('cadre.db-wal'))
    assert.deepEqual(open(data), [])
    const copies = join(folder, 'copies')
    const made = await runCommand(['backup', join(copies, 'a.db'), '--files', join(copies, 'files')], environment)
    assert.equal(made.code, 0, made.stderr)
    assert.deepEqual(open(copies), [])
  }
  await service.stop()

  for (const path of [data, files, ...(ENGINE === 'sqlite' ? [join(data, 'cadre.db')] : [])])
    chmodSync(path, path.endsWith('.db') ? 0o644 : 0o755)
  const again = await startHere(environment)
  assert.deepEqual(open(ENGINE === 'sqlite' ? data : files), [])
  await again.stop()
  await remove()
})

test("a shared folder keeps its permissions, and only Cadre's own files are restricted", {
  skip: ENGINE !== 'sqlite',
}, async () => {
  const shared = join(folder, 'shared')
  mkdirSync(shared, { mode: 0o755 })
  writeFileSync(join(shared, 'notes.txt'), 'of somebody else', { mode: 0o644 })
  if (process.env.TEST_TEMPLATE) {
    copyFileSync(process.env.TEST_TEMPLATE, join(shared, 'cadre.db'))
    chmodSync(join(shared, 'cadre.db'), 0o644)
  }
  const environment = { DATABASE_URL: `sqlite:${join(shared, 'cadre.db')}`, CADRE_FILES: shared, CADRE_API_KEY: KEY }
  const service = await startHere(environment)
  assert.equal(modeOf(shared), 0o755)
  assert.equal(modeOf(join(shared, 'notes.txt')), 0o644)
  assert.equal(modeOf(join(shared, 'cadre.db')), 0o600)
  assert.match(service.output(), /Other users of this machine can read .*shared\./)
  await service.stop()
})

test('if the packaged Node cannot run, a recent system Node is used, or the error says what to install', {
  skip: ENGINE !== 'sqlite' || process.platform === 'win32',
}, () => {
  const place = join(folder, 'packages')
  const packaged = join(place, 'node_modules/.bin/node')
  const old = join(place, 'old-node')
  mkdirSync(join(place, 'node_modules/.bin'), { recursive: true })
  const lost = 'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file'
  const run = (npm_node_execpath: string) => {
    rmSync(packaged, { force: true })
    writeFileSync(packaged, `#!/bin/sh\necho '${lost}' >&2\nexit 127\n`, { mode: 0o755 })
    const env = { ...process.env, npm_node_execpath }
    return spawnSync('sh', [resolve('bin/own-node.sh')], { cwd: place, env, encoding: 'utf8' })
  }
  writeFileSync(old, '#!/bin/sh\necho 20\n', { mode: 0o755 })
  const refused = run(old)
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /^cadre: .*apt install libatomic1.*, or Node 24 or newer\n$/)
  const taken = run(process.execPath)
  assert.equal(taken.status, 0)
  assert.match(taken.stderr, /^cadre: the packaged Node cannot run here without libatomic\.so\.1; taking .*\n$/)
  assert.equal(readlinkSync(packaged), process.execPath)
})
