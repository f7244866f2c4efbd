import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { test } from 'node:test'
import { sizing } from '../bench/report.ts'

/** The floors of the house, from the ground up: a file imports only from its own floor's folder and from floors below. */
const FLOORS = [
  ['database', 'version.ts', 'environment.ts'],
  ['ledger'],
  ['engine'],
  ['access', 'files', 'custom', 'config.ts'],
  ['sign-in'],
  ['organisation'],
  ['people'],
  ['tasks', 'performance', 'time', 'recruitment', 'calendar', 'assets', 'knowledge', 'reviews', 'audits'],
  ['leave', 'privacy'],
  ['directory', 'search', 'reports', 'notifications'],
  ['surfaces'],
  ['demo', 'operations.ts', 'connection-dispatcher.ts', 'signals.ts', 'command.ts', 'memory.ts'],
  ['service.ts', 'periodic-jobs.ts', 'workers.ts', 'write-openapi.ts'],
  ['app.ts', 'doctor.ts'],
  ['command-line.ts'],
  ['main.ts'],
]

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'))

const roomOf = (file: string) => file.split('/')[0] as string
const floorOf = (file: string) => FLOORS.findIndex((rooms) => rooms.includes(roomOf(file)))

/** What a file imports from the house, types included. */
function importsOf(file: string): string[] {
  const text = readFileSync(join('src', file), 'utf8')
  const named = text.matchAll(/(?:^import|^export|\bfrom|\bimport\()\s*(?:[^'"\n]*\bfrom\s*)?'(\.[^']+)'/gm)
  return [...new Set([...named].map(([, target]) => join(dirname(file), target as string)))]
}

test('every source file has a layer, and imports are found', () => {
  assert.deepEqual(
    files.filter((file) => floorOf(file) === -1),
    [],
  )
  assert.ok(importsOf('app.ts').includes('service.ts'))
  assert.ok(importsOf('engine/call.ts').includes('ledger/ledger.ts'))
})

test('imports point to lower layers only', () => {
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => roomOf(target) !== roomOf(file) && floorOf(target) >= floorOf(file))
      .map((target) => `${file} → ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('no files import each other in a cycle, not even types', () => {
  const done = new Set<string>()
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) assert.fail(`a circle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`)
    if (done.has(file)) return
    for (const target of importsOf(file)) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
})

/** Words of people's work that the lower floors must not know; a driver's option bears one of them. */
const HR_WORDS =
  /employee|candidate|vacanc|applicant|salar|leave_|_leave|holiday|\bteam|depart|gender|termination|recruit|hire|hiring|timesheet|payroll|employment|vacation|probation|overtime|manager|pipeline(?!: true)|\bjobs?_|compensation/i

test('engine, database, ledger and custom contain no HR terms', () => {
  const lower = files.filter((file) => /^(engine|database|ledger|custom)\//.test(file))
  const found = lower.flatMap((file) =>
    readFileSync(join('src', file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (HR_WORDS.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  )
  assert.deepEqual(found, [])
})

test('uses of any and unchecked casts do not increase', () => {
  const count = (pattern: RegExp) =>
    files.reduce((sum, file) => sum + (readFileSync(join('src', file), 'utf8').match(pattern)?.length ?? 0), 0)
  assert.equal(count(/\bas any\b/g), 0)
  assert.equal(count(/Resource<any>/g), 0)
  assert.equal(count(/Kysely<any>/g), 1)
})

test('random tests use one seed, so that a failure can be repeated', () => {
  const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !['chance.ts', 'house.test.ts'].includes(file))
  const own = /from 'fast-check'|Math\.random|randomInt\(|\bseed: ?\d/
  assert.deepEqual(
    tests.filter((file) => own.test(readFileSync(join('test', file), 'utf8'))),
    [],
  )
})

/** For PostgreSQL, S3, traces, SSO, passkeys, public holidays, exports and the build: a plain start on SQLite needs none of them. */
const OPTIONAL = [
  'pg',
  '@aws-sdk',
  '@opentelemetry',
  'openid-client',
  '@simplewebauthn',
  'date-holidays',
  'yazl',
  'esbuild',
]

test('packages that not every service needs are loaded when they are first used', () => {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    for (const file of ['app.ts', 'command-line.ts', 'workers.ts']) await import('./src/' + file)
    console.log(JSON.stringify(loaded))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  const loaded: string[] = JSON.parse(stdout)
  const isLoaded = (name: string) => loaded.some((url) => url.includes(`/node_modules/${name}/`))
  assert.ok(isLoaded('fastify') && isLoaded('kysely'))
  assert.deepEqual(OPTIONAL.filter(isLoaded), [])
})

test('the sizing table has one row for each engine and load', () => {
  const paper = readFileSync('docs/benchmarks.md', 'utf8')
  const printed = /<!-- sizing -->(.*)<!-- \/sizing -->/s.exec(paper)?.[1] ?? ''
  const made = sizing(JSON.parse(readFileSync('bench/results.json', 'utf8')))
  for (const table of [printed, made]) {
    const rows = [...table.matchAll(/^\| ((?:sqlite|postgres) \| [^|]*[a-z][^|]*) \|/gm)].map(([, row]) => row)
    assert.ok(rows.length > 10)
    assert.deepEqual(
      rows.filter((row, at) => rows.indexOf(row) !== at),
      [],
    )
  }
})
