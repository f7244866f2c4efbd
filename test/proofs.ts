import { spawn } from 'node:child_process'
import { createWriteStream, globSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasPooler } from './pooler.ts'

process.env.TEST_SEED ??= 'random'
const { SEED } = await import('./chance.ts')
process.env.TEST_SEED = String(SEED)

/**
 * `npm run proofs`: what is too long for the gate. It runs before a release, and before a large change is called done.
 * `npm run proofs -- crash pages` runs only the named ones, `npm run proofs -- --list` lists them.
 */
type Proof = {
  name: string
  what: string
  args: string[]
  environment?: Record<string, string>
  /** A program that does not come with the packages, if it is missing. */
  missing?: string | false
}

const gate = (...args: string[]) => ['test/gate.ts', ...args]
const FUZZ_REQUESTS = '20000'
const MOST_MEMORY = '400'

const PROOFS: Proof[] = [
  {
    name: 'postgres',
    what: 'every test file on PostgreSQL; the gate runs those whose outcome can depend on the engine',
    args: gate('test/', '--engine', 'postgres'),
    environment: { THOROUGH: '0' },
  },
  {
    name: 'contract',
    what: 'every refusal of every operation, every spelling of every body, every role and every plan; the gate asks examples',
    args: gate('test/contract', 'test/every-write', 'access/matrix', 'test/plans', '--engine', 'sqlite'),
  },
  {
    name: 'crash',
    what: 'kill -9 of the service and the database, round after round: no acknowledged write is lost',
    args: gate(
      'sqlite/crash',
      'sqlite/faults',
      'sqlite/full-disk',
      'postgres/processes',
      'postgres/outage',
      'staleness',
    ),
  },
  {
    name: 'following',
    what: 'clients that follow the change feed while processes are killed',
    args: gate('audits/following'),
  },
  {
    name: 'processes',
    what: 'starts, stops, workers, figures and traces, with all time-outs',
    args: gate('test/workers', 'test/shutdown', 'test/start', 'test/metrics', 'test/traces', 'test/deadline'),
  },
  {
    name: 'several-machines',
    what: 'accounts in parts: every question, narrowed in every way, asks the part of its account',
    args: gate('postgres/one-node', 'postgres/distribut'),
  },
  { name: 'failover', what: 'another server takes over', args: gate('postgres/failover', 'postgres/other-history') },
  { name: 'replicas', what: 'reads from servers that follow the first', args: gate('postgres/replicas') },
  {
    name: 'pooler',
    what: 'PgBouncer, and connections that break or hang',
    args: gate('pooler', 'broken-lines'),
    missing: !hasPooler && 'PgBouncer (on Debian: apt-get install pgbouncer)',
  },
  { name: 'object-store', what: 'an object store that is slow, away or killed', args: gate('object-store') },
  {
    name: 'fuzz-sqlite',
    what: `${FUZZ_REQUESTS} valid, nearly valid and hostile requests on SQLite, with no more than ${MOST_MEMORY} MiB resident`,
    args: ['test/fuzz.ts', '--requests', FUZZ_REQUESTS, '--seed', String(SEED), '--most-memory', MOST_MEMORY],
  },
  {
    name: 'fuzz-postgres',
    what: `${FUZZ_REQUESTS} valid, nearly valid and hostile requests on PostgreSQL`,
    args: ['test/fuzz.ts', '--requests', FUZZ_REQUESTS, '--seed', String(SEED), '--engine', 'postgres'],
  },
  {
    name: 'clients',
    what: 'generators make clients of the document: they compile, and programs with them run',
    args: gate('generated-clients', '--engine', 'sqlite'),
  },
  { name: 'upgrade', what: 'start on the data of every released version', args: gate('yesterday', 'migrations') },
  {
    name: 'random',
    what: 'property tests with a new seed and more runs',
    args: gate(...filesThatUse('chance.ts')),
  },
  {
    name: 'leave',
    what: '20,000 random histories of leave against a naive model that counts day by day',
    args: gate('leave/postings', '--engine', 'sqlite'),
    environment: { HISTORIES: '10000', HISTORY_DAYS: '450' },
  },
  {
    name: 'demo',
    what: 'the demo company on the evening of a leap day, when few are at work',
    args: gate('test/demo'),
    environment: { DEMO_DAY: '2028-02-29T22:50' },
  },
  { name: 'pages-light', what: 'every page test, all accessibility rules', args: gate('test/console') },
  {
    name: 'pages-dark',
    what: 'every page test in dark mode',
    args: gate('test/console'),
    environment: { SCHEME: 'dark' },
  },
]

const FOLDER = join('node_modules', '.cache', 'proofs')
const words = process.argv.slice(2)
if (words.includes('--list') || words.includes('--help')) {
  for (const { name, what } of PROOFS) console.log(`${name.padEnd(17)} ${what}`)
  process.exit(0)
}
const chosen = PROOFS.filter(({ name }) => words.length === 0 || words.some((word) => name.startsWith(word)))
const unknown = words.filter((word) => !PROOFS.some(({ name }) => name.startsWith(word)))
if (unknown.length > 0) {
  console.error(`npm run proofs: there is no proof ${unknown.join(', ')}; --list names them all`)
  process.exit(1)
}
const lacking = chosen.filter(({ missing }) => missing)
if (lacking.length > 0) {
  for (const { name, missing } of lacking) console.error(`npm run proofs: ${name} needs ${missing}`)
  process.exit(1)
}

mkdirSync(FOLDER, { recursive: true })
console.log(`Random tests start from TEST_SEED=${SEED}`)
const begun = Date.now()
const rows: { name: string; outcome: string; tests: string; seconds: number }[] = []
for (const [place, proof] of chosen.entries()) {
  const started = Date.now()
  const tell = (outcome: string) =>
    console.log(`[${minutes(begun)}] ${place + 1}/${chosen.length} ${proof.name}: ${outcome}`)
  tell(proof.what)
  const progress = setInterval(() => tell(`${lastLine(proof)} (${minutes(started)})`), 60_000)
  const code = await run(proof)
  clearInterval(progress)
  const outcome = code === 0 ? 'passed' : 'FAILED'
  tell(`${outcome} in ${minutes(started)}`)
  if (code !== 0) console.log(failuresIn(proof))
  rows.push({ name: proof.name, outcome, tests: lastLine(proof), seconds: (Date.now() - started) / 1000 })
}

console.log(`\n${'proof'.padEnd(17)} ${'outcome'.padEnd(8)} ${'seconds'.padStart(7)}  result`)
for (const { name, outcome, tests, seconds } of rows)
  console.log(`${name.padEnd(17)} ${outcome.padEnd(8)} ${seconds.toFixed(0).padStart(7)}  ${tests}`)
const failed = rows.filter(({ outcome }) => outcome === 'FAILED').length
console.log(`\n${rows.length - failed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)

function logOf({ name }: Proof): string {
  return join(FOLDER, `${name}.log`)
}

function run(proof: Proof): Promise<number> {
  return new Promise((resolve) => {
    const log = createWriteStream(logOf(proof))
    const child = spawn(process.execPath, proof.args, {
      env: { ...process.env, THOROUGH: '1', ...proof.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false })
    child.on('close', (code) => log.end(() => resolve(code ?? 1)))
  })
}

function lastLine(proof: Proof): string {
  return readFileSync(logOf(proof), 'utf8').trimEnd().split('\n').at(-1) ?? ''
}

/** What the log says of failures, or its end; the whole stays in the file. */
function failuresIn(proof: Proof): string {
  const text = readFileSync(logOf(proof), 'utf8')
  const from = Math.max(text.indexOf('FAILED'), 0) || text.length - 4_000
  return `${text.slice(Math.max(from - 10, 0), from + 6_000)}\n… the whole output is in ${logOf(proof)}`
}

function minutes(since: number): string {
  const seconds = Math.floor((Date.now() - since) / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** The test files that import this one; pages and the fuzzer have proofs of their own. */
function filesThatUse(helper: string): string[] {
  return globSync('test/**/*.test.ts').filter(
    (file) => !/^test\/(console\/|fuzz)/.test(file) && readFileSync(file, 'utf8').includes(`/${helper}'`),
  )
}
