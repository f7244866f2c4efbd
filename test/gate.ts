import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs, styleText } from 'node:util'
import { buildConsole } from '../console/build/build.ts'
import { operations, resources } from '../src/operations.ts'
import { apiDocument } from '../src/surfaces/pages.ts'
import { VERSION } from '../src/version.ts'
import { SEED } from './chance.ts'
import { findBrowser } from './console/find-browser.ts'
import { affectedFiles } from './gate/changed.ts'
import { isOnPostgres, isOnSqlite, missingOnPostgres } from './gate/engines.ts'
import { type FileRun, type Lane, type Progress, runFiles } from './gate/pool.ts'
import { type Engine, makeTemplate } from './harness.ts'
import { makeServer, postgresServer } from './postgres-server.ts'
import { buildService } from './service-file.ts'

/**
 * `npm test`: everything that must hold before a change lands. `npm test -- teams` runs only the test files whose path
 * contains the word. `--engine sqlite` or `--engine postgres` runs one engine, `--changed` what the changes since `main`
 * affect.
 */
const { positionals: words, values } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string', multiple: true },
    changed: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
})
const SQLITE = 'SQLite'
const POSTGRES = 'PostgreSQL'
const PAGES = 'Pages'
const NAMES: Record<Engine, string> = { sqlite: SQLITE, postgres: POSTGRES }
/** Seconds that the longest files take: they start first. All others take about as long as each other. */
const LONG: Record<string, number> = {
  'every-write': 45,
  contract: 25,
  clients: 37,
  'object-store': 35,
  'access/matrix': 35,
  'sqlite/restore': 30,
  'access/command-line': 30,
  start: 28,
  shutdown: 27,
  workers: 30,
  demo: 30,
  examples: 18,
  plans: 30,
  yesterday: 25,
  fuzz: 20,
  'audits/undo-everything': 20,
  'audits/following': 18,
  'audits/known-at': 15,
  'people/bulk': 15,
  largest: 15,
  'postgres/one-node': 72,
  'postgres/distribute': 20,
  'postgres/replicas': 20,
  'postgres/broken-lines': 18,
  'postgres/other-history': 13,
  'yesterday-files': 12,
  deadline: 12,
  'console/settings': 30,
  'console/profile': 22,
  'console/reference': 20,
  'console/candidate': 20,
  'console/performance': 18,
  'console/sign-in': 18,
  'console/leave': 18,
  'console/org': 17,
}
/** One more than a small machine has cores: some tests wait rather than compute. */
const PROCESSES = Number(process.env.TEST_PROCESSES ?? 3)
if (!(Number.isInteger(PROCESSES) && PROCESSES > 0)) {
  console.error('npm test: TEST_PROCESSES must be a whole number, 1 or more')
  process.exit(1)
}
/** Several checkers in one process look at the same types again and again; here two processes check at once already. */
const ONE_CHECKER = ['--checkers', '1']
const LONGEST_FILE = 900_000
/** Where the time of each file is written. */
const TIMES = join('node_modules', '.cache', 'test-times.txt')
const begun = Date.now()
let shownAt = 0

if (values.help) {
  console.log('Usage: npm test -- [words of test files] [--engine sqlite|postgres] [--changed]')
  process.exit(0)
}

/** Tests write much and keep nothing: in memory, where there is room for it, commits and copies wait for no disk. */
const memory = hasRoom('/dev/shm') ? '/dev/shm' : tmpdir()
const scratch = mkdtempSync(join(memory, 'cadre-gate-'))
// PostgreSQL runs as another user when root starts it.
chmodSync(scratch, 0o711)
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const cleanUp: (() => Promise<void>)[] = []

const engines = (values.engine ?? Object.keys(NAMES)) as Engine[]
for (const engine of engines) if (!(engine in NAMES)) await fail(`unknown engine ${engine}: use sqlite or postgres`)

const isWhole = words.length === 0 && !values.changed && engines.length === 2
const files = await chosenFiles()
if (Object.values(files).flat().length === 0) {
  if (!values.changed)
    await fail(`no test file matches ${words.join(' ')} on ${engines.map((one) => NAMES[one]).join(', ')}`)
  console.log('No test file is affected by the changes since main.')
}

if (files[PAGES]?.length) await step('Find a browser for page tests', async () => void findBrowser())

/** Types are checked beside the tests, of which some wait for something else. */
let typesChecked: Promise<void> | undefined
if (words.length === 0) {
  await step('Format and lint, openapi.json is up to date', () => run('biome', ['check', '.']).then(checkDocument))
  typesChecked = step('Types of the service and of the console', async () => {
    await run('tsc', ONE_CHECKER)
    await run('tsc', ['-p', 'console', ...ONE_CHECKER])
  })
}
if (process.env.TEST_SEED) console.log(`Random tests start from TEST_SEED=${SEED}`)

const statements = { [SQLITE]: new Map<string, string>(), [POSTGRES]: new Map<string, string>() }
if (Object.values(files).flat().length === 0) {
  await typesChecked
  process.exit(0)
}
const runs = await runTests().catch((error) => fail(error instanceof Error ? (error.stack ?? error.message) : error))
await typesChecked
await report(runs)

async function runTests(): Promise<FileRun[]> {
  const built = resolve('node_modules', '.cache', `service-${process.pid}`)
  process.on('exit', () => rmSync(built, { recursive: true, force: true }))
  process.env.TEST_SERVICE = await buildService(built)
  const lanes = await Promise.all(
    Object.entries(files)
      .filter(([, own]) => own.length > 0)
      .map(([name, own]) => laneOf(name, own)),
  )
  const total = lanes.reduce((sum, { files }) => sum + files.length, 0)
  console.log(`${clock()} Tests: ${lanes.map(({ name, files }) => `${name} ${files.length}`).join(', ')} files`)
  return runFiles(lanes, {
    processes: Math.min(PROCESSES, total),
    timeout: LONGEST_FILE,
    isVerbose: words.length > 0,
    weightOf: (lane, file) => LONG[file.slice('test/'.length, -'.test.ts'.length)] ?? (lane === PAGES ? 8 : 2),
    onProgress: (progress) => showProgress(lanes, progress),
    onStatement: (lane, file, statement) => {
      const seen = statements[lane as typeof SQLITE]
      if (seen && !seen.has(statement)) seen.set(statement, file)
    },
  })
}

async function laneOf(name: string, own: string[]): Promise<Lane> {
  const engine: Engine = name === POSTGRES ? 'postgres' : 'sqlite'
  const environment: Record<string, string> = {
    TEST_ENGINE: engine,
    TEST_SEED: String(SEED),
    LONG_TESTS: process.env.LONG_TESTS ?? (words.length > 0 ? '1' : '0'),
    // Many tests start the service as a process: what was compiled once need not be compiled again.
    NODE_COMPILE_CACHE: resolve('node_modules', '.cache', 'compiled-for-tests'),
  }
  if (engine === 'postgres') {
    process.env.TEST_POSTGRES_MADE = join(scratch, 'postgres')
    await makeServer(process.env.TEST_POSTGRES_MADE)
    const server = await postgresServer({ isThrownAway: true, folder: scratch })
    cleanUp.push(() => server.remove())
    environment.TEST_POSTGRES_URL = server.url()
    process.env.TEST_POSTGRES_URL = server.url()
  } else environment.TMPDIR = scratch
  if (name === PAGES) {
    await buildConsole()
    environment.CONSOLE_BUILT = '1'
  }
  environment.TEST_TEMPLATE = await makeTemplate(engine)
  if (engine === 'sqlite') {
    const folder = dirname(environment.TEST_TEMPLATE)
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  }
  return { name, files: own, environment }
}

function showProgress(lanes: Lane[], { ended, running }: Progress): void {
  for (const { lane, file, failures } of ended.slice(-1))
    for (const { test, error } of failures) {
      const engine = lane === POSTGRES ? 'postgres' : 'sqlite'
      console.log(`\n${styleText('red', 'FAILED')} ${lane}: ${file}\n  ${test}\n${error.replace(/^/gm, '    ')}`)
      console.log(`  Run it alone: npm test -- ${file} --engine ${engine}\n`)
    }
  const isLast = running.length === 0
  if (Date.now() - shownAt < (process.stdout.isTTY ? 200 : 10_000) && !isLast) return
  shownAt = Date.now()
  const counts = lanes.map(
    ({ name, files }) => `${name} ${ended.filter(({ lane }) => lane === name).length}/${files.length}`,
  )
  const names = running.map(({ file }) => file.slice('test/'.length, -'.test.ts'.length))
  const line = `${clock()} ${counts.join(' · ')}${names.length > 0 ? ` · running ${names.join(', ')}` : ''}`
  if (!process.stdout.isTTY || isLast) console.log(line)
  else process.stdout.write(`\r\x1b[2K${line.slice(0, process.stdout.columns - 1)}\r`)
}

async function report(runs: FileRun[]): Promise<never> {
  const count = (of: (run: FileRun) => number) => runs.reduce((sum, one) => sum + of(one), 0)
  const failed = runs.filter(({ failures }) => failures.length > 0)
  const wanted = Object.values(files).flat().length
  if (runs.length !== wanted) await fail(`only ${runs.length} of ${wanted} files were run`)
  const lineOf = (milliseconds: number, ...words: string[]) =>
    [`${(milliseconds / 1000).toFixed(1).padStart(7)} s`, ...words].join('  ')
  const ordered = runs.sort((a, b) => b.milliseconds - a.milliseconds)
  const lines = ordered.map(({ file, lane, milliseconds, cpu }) =>
    lineOf(milliseconds, `(CPU ${(cpu / 1000).toFixed(1)} s)`.padEnd(14), lane.padEnd(10), file),
  )
  if (words.length === 0)
    console.log(
      `\nThe ten slowest files (all of them, with their slow tests: ${TIMES}):\n${lines.slice(0, 10).join('\n')}`,
    )
  const slow = ordered.map(({ slow }, n) => [lines[n], ...slow.map((one) => lineOf(one.milliseconds, `  ${one.test}`))])
  mkdirSync(dirname(TIMES), { recursive: true })
  writeFileSync(TIMES, `${slow.flat().join('\n')}\n`)
  const missing = isWhole ? missingOnPostgres(statements[SQLITE], new Set(statements[POSTGRES].keys())) : ''
  if (missing) console.log(`\n${missing}`)
  if (failed.length > 0) {
    console.log('\nFailed:')
    for (const { lane, file, failures } of failed)
      for (const { test } of failures) console.log(`  ${lane}: ${file}: ${test}`)
  }
  const seconds = ((Date.now() - begun) / 1000).toFixed(0)
  console.log(`\n${runs.length} files in ${seconds} s`)
  const [passed, failures, skipped] = [
    count((one) => one.passed),
    count((one) => one.failures.length) + (missing ? 1 : 0),
    count((one) => one.skipped),
  ]
  console.log(`${passed} passed, ${failures} failed, ${skipped} skipped`)
  return end(failed.length > 0 || missing ? 1 : 0)
}

async function step(name: string, work: () => Promise<void>): Promise<void> {
  const started = Date.now()
  console.log(`${clock()} ${name}`)
  try {
    await work()
  } catch (error) {
    await fail(`${name}: ${error instanceof Error ? error.message : error}`)
  }
  const seconds = (Date.now() - started) / 1000
  if (seconds > 1) console.log(`${clock()} ${name}: ${seconds.toFixed(1)} s`)
}

async function fail(reason: string): Promise<never> {
  console.error(`npm test: ${reason}`)
  return end(1)
}

async function end(code: number): Promise<never> {
  await Promise.all(cleanUp.map((work) => work()))
  process.exit(code)
}

/** The test files of each lane. Page tests need a browser, and do not depend on the engine below. */
async function chosenFiles(): Promise<Record<string, string[]>> {
  const all = (await Array.fromAsync(glob('test/**/*.test.ts'))).map((file) => file.replaceAll('\\', '/')).sort()
  const affected = values.changed ? await affectedFiles(all) : all
  const unknown = words.filter((word) => !all.some((file) => file.includes(word)))
  if (unknown.length > 0) await fail(`no test file has ${unknown.join(' or ')} in its path`)
  const matching = affected.filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  const isPage = (file: string) => file.startsWith('test/console/')
  const chosen: Record<string, string[]> = {}
  for (const engine of engines)
    chosen[NAMES[engine]] = matching.filter((file) => {
      if (isPage(file)) return false
      if (file.startsWith('test/sqlite/')) return engine === 'sqlite'
      if (file.startsWith('test/postgres/')) return engine === 'postgres'
      // Who asks for one engine, or for a few files, gets them: the choice is only for the whole gate.
      return !isWhole || (engine === 'sqlite' ? isOnSqlite(file) : isOnPostgres(file))
    })
  if (engines.includes('sqlite')) chosen[PAGES] = matching.filter(isPage)
  return chosen
}

async function checkDocument(): Promise<void> {
  const committed = await readFile('openapi.json', 'utf8').catch(() => '')
  if (committed !== `${JSON.stringify(apiDocument({ operations, kinds: resources, version: VERSION }), null, 2)}\n`)
    throw new Error('the committed file is stale; run `npm run openapi` and commit what it writes')
}

function clock(): string {
  const seconds = Math.floor((Date.now() - begun) / 1000)
  return `[${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}]`
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > 4 * 2 ** 30
  } catch {
    return false
  }
}

function run(command: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(command, args, { stdio: 'inherit', shell: process.platform === 'win32' })
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))))
  })
}
