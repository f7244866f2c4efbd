import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { test } from 'node:test'
import { ts } from '@ts-morph/common'
import { sizing } from '../bench/report.ts'
import type { Area } from '../src/engine/area.ts'
import { consequences, fileSources, guards, held, operations, resources } from '../src/operations.ts'

/** The floors of a house, from the ground up: a file imports only from its own room and from rooms on floors below. */
type Floors = readonly (readonly string[])[]

const SERVICE: Floors = [
  ['database', 'version.ts', 'environment.ts'],
  ['records'],
  ['engine'],
  ['domain/access', 'domain/files', 'domain/custom', 'config.ts'],
  ['domain/sign-in'],
  ['domain/organisation'],
  ['domain/people'],
  // Areas that know nothing of each other.
  [
    ...['domain/tasks', 'domain/performance', 'domain/time', 'domain/recruitment', 'domain/calendar'],
    ...['domain/assets', 'domain/knowledge', 'domain/reviews', 'domain/audits'],
  ],
  ['domain/leave', 'domain/privacy'],
  ['domain/directory', 'domain/search', 'domain/reports', 'domain/notifications', 'domain/handover'],
  ['surfaces'],
  ['demo', 'operations.ts', 'connection-dispatcher.ts', 'signals.ts', 'memory.ts'],
  ['service.ts', 'periodic-jobs.ts', 'workers.ts', 'write-openapi.ts'],
  ['app.ts'],
  ['command-line'],
  ['main.ts'],
]

const CONSOLE: Floors = [
  ['client'],
  ['texts'],
  ['shell'],
  ['parts'],
  ['frame', 'reference', 'screens/*'],
  // These show a part of another screen.
  ['screens/candidate', 'screens/profile'],
  ['screens/home'],
  ['screens.ts'],
  ['app.tsx'],
  // It runs on the developer's machine, not in the browser.
  ['build'],
]

/** A source folder: its files, their rooms and floors, and what they import from each other. */
function houseIn(root: string, floors: Floors) {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file))
  /** A folder or file at the top; each area and each screen is a room of its own. */
  const roomOf = (file: string) =>
    file
      .split('/')
      .slice(0, /^(screens|domain)\//.test(file) ? 2 : 1)
      .join('/')
  const floorOf = (file: string) => {
    const own = floors.findIndex((rooms) => rooms.includes(roomOf(file)))
    return own === -1 ? floors.findIndex((rooms) => rooms.includes(`${dirname(roomOf(file))}/*`)) : own
  }
  const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
  /** What a file imports from the house, types included. */
  const importsOf = (file: string): string[] => {
    const named = textOf(file).matchAll(/(?:^import|^export|\bfrom|\bimport\()\s*(?:[^'"\n]*\bfrom\s*)?'(\.[^']+)'/gm)
    return [...new Set([...named].map(([, target]) => join(dirname(file), target as string)))]
  }
  return { root, files, roomOf, floorOf, textOf, importsOf }
}

const service = houseIn('src', SERVICE)
const browser = houseIn('console', CONSOLE)
const { files } = service

for (const { root, files, roomOf, floorOf, importsOf } of [service, browser]) {
  test(`every source file in ${root} has a layer`, () => {
    assert.deepEqual(
      files.filter((file) => floorOf(file) === -1),
      [],
    )
  })

  test(`imports in ${root} point to lower layers only`, () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => roomOf(target) !== roomOf(file) && floorOf(target) >= floorOf(file))
        .map((target) => `${file} → ${target}`),
    )
    assert.deepEqual(wrong, [])
  })

  test(`no files in ${root} import each other in a cycle, not even types`, () => {
    const done = new Set<string>()
    const visit = (file: string, path: string[]): void => {
      if (path.includes(file)) assert.fail(`a circle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`)
      if (done.has(file)) return
      for (const target of importsOf(file)) if (files.includes(target)) visit(target, [...path, file])
      done.add(file)
    }
    for (const file of files) visit(file, [])
  })
}

test('imports are found', () => {
  assert.ok(service.importsOf('app.ts').includes('service.ts'))
  assert.ok(service.importsOf('engine/call/call.ts').includes('records/ledger.ts'))
  assert.ok(browser.importsOf('screens.ts').includes('screens/home/page.tsx'))
  assert.ok(browser.importsOf('screens/home/page.tsx').includes('client/operations.ts'))
})

/** What the `index.ts` of an area exports: one area, or several by name. */
async function areasIn(file: string): Promise<Area[]> {
  const exported: (Area | Record<string, Area>)[] = Object.values(await import(`../src/${file}`))
  const parts = ['resources', 'operations', 'guards']
  return exported.flatMap((one) => (parts.some((part) => part in one) ? one : Object.values(one)))
}

test('every area is part of the service', async () => {
  const indexes = files.filter((file) => /^domain\/[\w-]+\/index\.ts$/.test(file))
  assert.ok(indexes.length > 20)
  const all = { resources, operations, guards, held, files: fileSources }
  const served = new Set<unknown>([
    ...[...resources, ...consequences, ...fileSources, ...held],
    ...operations.map(({ id }) => id),
  ])
  const guarded = new Set(guards.map(({ tables }) => tables.join()))
  const missing: string[] = []
  for (const index of indexes)
    for (const area of await areasIn(index)) {
      const { resources = [], operations = [], consequences = [], guards = [], files = [] } = area
      const ids = (typeof operations === 'function' ? operations(all) : operations).map(({ id }) => id)
      const own = (typeof guards === 'function' ? guards(all) : guards).map(({ tables }) => tables.join())
      const isServed = [...resources, ...consequences, ...files, ...(area.held ?? []), ...ids].every((one) =>
        served.has(one),
      )
      if (!isServed || !own.every((one) => guarded.has(one))) missing.push(index)
    }
  assert.deepEqual(missing, [])
})

test('the console imports nothing from outside its folder', () => {
  const outside = browser.files
    .filter((file) => browser.roomOf(file) !== 'build')
    .filter((file) => browser.importsOf(file).some((target) => target.startsWith('..')))
  assert.deepEqual(outside, [])
})

/** The functions in a file that have more lines than allowed. */
function longFunctionsIn(file: string, text: string, most: number): string[] {
  if (text.split('\n').length <= most) return []
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind)
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  const long: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const [first, last] = [lineAt(node.getStart()), lineAt(node.end)]
      if (last - first >= most) long.push(`${file}:${first} has ${last - first + 1} lines`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return long
}

/** A longer component does several things: its state, data and parts of the page get names of their own. */
const LONGEST_FUNCTION = 150

test(`no function in console is longer than ${LONGEST_FUNCTION} lines`, () => {
  assert.deepEqual(
    browser.files.flatMap((file) => longFunctionsIn(file, browser.textOf(file), LONGEST_FUNCTION)),
    [],
  )
})

/** The folders of the engine hold one concern per file. */
const ENGINE_FOLDERS = /^engine\/.+\//
const LONGEST_ENGINE_FILE = 250
const LONGEST_ENGINE_FUNCTION = 80

test(`in folders of the engine, files have at most ${LONGEST_ENGINE_FILE} lines and functions ${LONGEST_ENGINE_FUNCTION}`, () => {
  const inFolders = files.filter((file) => ENGINE_FOLDERS.test(file))
  assert.ok(inFolders.length > 30)
  const long = inFolders.filter((file) => service.textOf(file).split('\n').length > LONGEST_ENGINE_FILE)
  const longFunctions = inFolders.flatMap((file) =>
    longFunctionsIn(file, service.textOf(file), LONGEST_ENGINE_FUNCTION),
  )
  assert.deepEqual([...long, ...longFunctions], [])
})

/** Words of people's work that the lower floors must not know; a driver's option bears one of them. */
const HR_WORDS =
  /employee|candidate|vacanc|applicant|salar|leave_|_leave|holiday|\bteam|depart|gender|termination|recruit|hire|hiring|timesheet|payroll|employment|vacation|probation|overtime|manager|pipeline(?!: true)|\bjobs?_|compensation/i

test('engine, database, records and custom contain no HR terms', () => {
  const lower = files.filter((file) => /^(engine|database|records|domain\/custom)\//.test(file))
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
    for (const file of ['app.ts', 'command-line/index.ts', 'workers.ts']) await import('./src/' + file)
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
