import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildConsole } from '../console/build/build.ts'
import { operations, resources } from '../src/operations.ts'
import { apiDocument } from '../src/surfaces/pages.ts'
import { VERSION } from '../src/version.ts'
import { SEED } from './chance.ts'
import { type Engine, makeTemplate } from './harness.ts'
import { postgresServer } from './postgres-server.ts'

/**
 * Everything that must hold before a change lands, top to bottom. `npm test -- teams` runs just the test files whose
 * path holds a word; `--engine sqlite` or `--engine postgres` runs on one engine.
 */
const { positionals: words, values } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: 'string', multiple: true }, help: { type: 'boolean', short: 'h' } },
})
const NAMES: Record<Engine, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
/**
 * Test files that look at papers, the document or headers alone; and at what the demo's company is like, which those of
 * its clients fill on either engine.
 */
const WITHOUT_ENGINE = [
  'house',
  'facts',
  'reference-page',
  'problem-pages',
  'cors',
  'compression',
  'engine/types',
  'access/matrix',
  'demo',
].map((name) => `test/${name}.test.ts`)
/** Test files that take longest: they begin first, each in a process of its own. */
const LONG = [
  'contract',
  'demo',
  'access/command-line',
  'start',
  'workers',
  'ledger-contract',
  'clients',
  'audits/dry-run',
  'access/matrix',
].map((name) => `test/${name}.test.ts`)
/** How many others share a process. */
const TOGETHER = 12
/** How long a file may take, in milliseconds: a tenth of it where nothing else runs. */
const LONGEST = 900_000
const begun = Date.now()

/** Tests write much and keep nothing: in memory, where there is room for it, commits and copies wait for no disk. */
const memory = hasRoom('/dev/shm') ? '/dev/shm' : tmpdir()
const scratch = mkdtempSync(join(memory, 'cadre-gate-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > 4 * 2 ** 30
  } catch {
    return false
  }
}

if (values.help) {
  console.log('Usage: npm test -- [words of test files] [--engine sqlite|postgres]')
  process.exit(0)
}
const engines = (values.engine ?? Object.keys(NAMES)) as Engine[]
for (const engine of engines)
  if (!(engine in NAMES)) fail(`there is no engine ${engine}: sqlite or postgres can be asked for`)

const files = new Map<Engine, string[]>()
for (const engine of engines) files.set(engine, await filesFor(engine))
if ([...files.values()].flat().length === 0 && (await pageFiles()).length === 0)
  fail(`no test file matches ${words.join(' ')} on ${engines.map((engine) => NAMES[engine]).join(' and ')}`)

if (words.length === 0) {
  await step('Format and lint', () => run('biome', ['check', '.']))
  await step('Types', async () => {
    await run('tsc', [])
    await run('tsc', ['-p', 'console'])
  })
  await step('openapi.json is up to date', checkDocument)
}
if (process.env.TEST_SEED) console.log(`\nChance begins with TEST_SEED=${SEED}`)
let tests = 0
for (const [engine, own] of files)
  if (own.length > 0)
    await step(`Tests on ${NAMES[engine]}`, async () => {
      tests += await (engine === 'sqlite' ? runTests(engine, own) : withPostgres((url) => runTests(engine, own, url)))
    })
const pages = engines.includes('sqlite') ? await pageFiles() : []
if (pages.length > 0)
  await step('Pages in a browser', async () => {
    await buildConsole()
    process.env.CONSOLE_BUILT = '1'
    tests += await runTests('sqlite', pages)
  })
const on = [...files].filter(([, own]) => own.length > 0).map(([engine]) => NAMES[engine])
console.log(`\n${tests} tests on ${on.join(' and ')} in ${((Date.now() - begun) / 1000).toFixed(0)} s`)

async function step(name: string, work: () => Promise<void>): Promise<void> {
  const started = Date.now()
  console.log(`\n== ${name}`)
  try {
    await work()
  } catch (error) {
    fail(`${name}: ${error instanceof Error ? error.message : error}`)
  }
  console.log(`== ${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

function fail(reason: string): never {
  console.error(`npm test: ${reason}`)
  process.exit(1)
}

/** Tests of pages have a browser, and nothing to do with the engine beneath. */
function isPage(file: string): boolean {
  return file.startsWith('test/console/')
}

async function testFiles(): Promise<string[]> {
  const all = (await Array.fromAsync(glob('test/**/*.test.ts'))).map((file) => file.replaceAll('\\', '/'))
  return all.filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
}

async function pageFiles(): Promise<string[]> {
  return (await testFiles()).filter(isPage).sort()
}

/** Files in `test/sqlite` and `test/postgres` are about that engine alone. */
async function filesFor(engine: Engine): Promise<string[]> {
  const others = (Object.keys(NAMES) as Engine[]).filter((one) => one !== engine).map((one) => `test/${one}/`)
  const matching = (await testFiles()).filter((file) => !isPage(file))
  const own = matching.filter((file) => !others.some((other) => file.startsWith(other)))
  // Where both engines are asked for, what has nothing to do with them is tested on one.
  const isTwice = engine === 'postgres' && engines.includes('sqlite')
  return own.filter((file) => !(isTwice && WITHOUT_ENGINE.includes(file))).sort()
}

async function withPostgres<T>(work: (url: string) => Promise<T>): Promise<T> {
  const server = await postgresServer({ isThrownAway: true, folder: memory })
  try {
    return await work(server.url())
  } finally {
    await server.remove()
  }
}

/** Runs test files and tells how many tests there were. */
async function runTests(engine: Engine, own: string[], postgresUrl?: string): Promise<number> {
  const figures = join(scratch, `figures-${engine}.json`)
  const reporters = [process.env.CI ? 'spec' : 'dot', './test/figures.ts'].map((one) => `--test-reporter=${one}`)
  const destinations = ['stdout', figures].map((one) => `--test-reporter-destination=${one}`)
  const environment: Record<string, string> = {
    TEST_ENGINE: engine,
    TEST_SEED: String(SEED),
    // Each file is a process, and many start the service as one: what was compiled once need not be again.
    NODE_COMPILE_CACHE: join(scratch, 'compiled'),
    ...(postgresUrl ? { TEST_POSTGRES_URL: postgresUrl } : {}),
  }
  if (postgresUrl) process.env.TEST_POSTGRES_URL = postgresUrl
  if (engine === 'sqlite') environment.TMPDIR = scratch
  const template = await makeTemplate(engine)
  if (engine === 'sqlite') process.on('exit', () => rmSync(dirname(template), { recursive: true, force: true }))
  const how = ['--test', '--test-concurrency=2', '--test-force-exit']
  await run('node', [...how, ...reporters, ...destinations, ...shares(engine, own)], {
    ...environment,
    TEST_TEMPLATE: template,
  })
  const { tests, suites } = JSON.parse(await readFile(figures, 'utf8')) as { tests: number; suites: string[] }
  // A process that ends too early says nothing of the files that it has not come to.
  const missing = own.filter((file) => !suites.includes(file))
  if (missing.length > 0) throw new Error(`not run to the end: ${missing.join(', ')}`)
  return tests
}

/** Files that each run several test files in one process, by name in the order in which they begin. */
function shares(engine: Engine, own: string[]): string[] {
  const [long, short] = [LONG.filter((file) => own.includes(file)), own.filter((file) => !LONG.includes(file))]
  const rest = Array.from({ length: Math.ceil(short.length / TOGETHER) }, (): string[] => [])
  // Dealt out, so that neighbours, which are alike in length, come to different ones.
  for (const [place, file] of short.entries()) rest[place % rest.length]?.push(file)
  const together = JSON.stringify(resolve('test/together.ts'))
  return [...long.map((file) => [file]), ...rest].map((files, place) => {
    const share = join(scratch, `${engine}-${String(place + 1).padStart(2, '0')}.cjs`)
    writeFileSync(share, `require(${together}).runTogether(${JSON.stringify(files)}, ${LONGEST})\n`)
    return share
  })
}

async function checkDocument(): Promise<void> {
  const committed = await readFile('openapi.json', 'utf8').catch(() => '')
  if (committed !== `${JSON.stringify(apiDocument({ operations, kinds: resources, version: VERSION }), null, 2)}\n`)
    throw new Error('write it anew with npm run openapi')
}

function run(command: string, args: string[], environment: Record<string, string> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: 'inherit',
      env: { ...process.env, ...environment },
      shell: process.platform === 'win32',
    })
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))))
  })
}
