import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { type Engine, freshDatabase } from '../test/harness.ts'
import { postgresServer } from '../test/postgres-server.ts'
import { type ServiceProcess, startProcess } from '../test/process.ts'
import { SEEDED, seed } from './seed.ts'

/** Measures the real service beside a bare server that writes the same bytes, in the same run on the same machine. */

type Row = { name: string; request: (n: number) => { method: 'GET' | 'POST' | 'PUT'; path: string; body?: unknown } }

/** To measure another operation, add a row. */
const ROWS: Row[] = [
  { name: 'list, page 1', request: () => ({ method: 'GET', path: '/employees' }) },
  { name: `list, page ${SEEDED / 50}`, request: () => ({ method: 'GET', path: `/employees?page=${SEEDED / 50}` }) },
  {
    name: 'list of a department',
    request: (n) => ({ method: 'GET', path: `/employees?department_id=${1 + (n % 100)}` }),
  },
  { name: 'list by status', request: () => ({ method: 'GET', path: '/employees?status=active' }) },
  { name: 'list teams with members', request: () => ({ method: 'GET', path: '/teams' }) },
  {
    name: 'candidates by 2 skills, vacancy, stage',
    request: (n) => ({
      method: 'GET',
      path: `/recruitment/candidates?skills[]=skill ${n % 50}&skills[]=skill ${(n + 7) % 50}&vacancy_ids[]=1&pipeline_stage_id=1`,
    }),
  },
  { name: 'get', request: (n) => ({ method: 'GET', path: `/employees/${1 + (n % SEEDED)}` }) },
  {
    name: 'change',
    request: (n) => ({ method: 'PUT', path: `/employees/${1 + (n % SEEDED)}`, body: { middle_name: `N${n}` } }),
  },
  { name: 'create', request: (n) => ({ method: 'POST', path: '/divisions', body: { name: `Division ${n}` } }) },
]

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '16' },
    engine: { type: 'string' },
    candidates: { type: 'string', default: '20000' },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) {
  console.log(
    'Usage: npm run bench -- [--seconds 4] [--connections 16] [--engine sqlite|postgres] [--candidates 20000]',
  )
  process.exit(0)
}
const duration = Number(values.seconds)
const connections = Number(values.connections)
const KEY = 'the-key-of-the-benchmark-0123456789'
const PREFIX = '/api/public/v3'
let requests = 0

async function main(): Promise<void> {
  const engines = (values.engine ? [values.engine] : ['sqlite', 'postgres']) as Engine[]
  console.log(
    `${SEEDED} employees, ${values.candidates} candidates, ${connections} connections, ${duration} s a row; the bare server writes the same bytes with node:http\n`,
  )
  console.log(line(['engine', 'operation', 'req/s', 'p50 ms', 'p99 ms', 'bare req/s', 'ratio']))
  for (const engine of engines) {
    const server = engine === 'postgres' ? await postgresServer() : undefined
    if (server) process.env.TEST_POSTGRES_URL = server.url()
    const { url, remove } = await freshDatabase(engine)
    await seed(url, KEY, { candidates: Number(values.candidates) })
    const service = await startProcess({ DATABASE_URL: url, CADRE_API_KEY: KEY, LOG_LEVEL: 'error' })
    for (const row of ROWS) await measureRow(engine, row, service)
    await service.stop()
    await remove()
    await server?.remove()
  }
}

async function measureRow(engine: Engine, row: Row, service: ServiceProcess): Promise<void> {
  const ours = await measure(service.url, row)
  const sample = await ask(service.url, row, 900_000)
  const bare = await startBare(sample)
  const theirs = await measure(bare.url, row)
  bare.child.kill()
  if (ours.non2xx > 0 || ours.errors > 0) throw new Error(`${row.name}: ${ours.non2xx + ours.errors} requests failed`)
  const rate = ours.requests.average
  console.log(
    line([
      engine,
      row.name,
      rate.toFixed(0),
      ours.latency.p50,
      ours.latency.p99,
      theirs.requests.average.toFixed(0),
      (rate / theirs.requests.average).toFixed(3),
    ]),
  )
}

function measure(url: string, row: Row) {
  return autocannon({
    url,
    connections,
    duration,
    requests: [{ setupRequest: (request) => ({ ...request, ...toSend(row, ++requests) }) }],
  })
}

function toSend(row: Row, n: number) {
  const { method, path, body } = row.request(n)
  const headers: Record<string, string> = { 'x-api-key': KEY, ...(body ? { 'content-type': 'application/json' } : {}) }
  return { method, path: PREFIX + encodeURI(path), headers, ...(body ? { body: JSON.stringify(body) } : {}) }
}

async function ask(url: string, row: Row, n: number): Promise<string> {
  const { path, ...rest } = toSend(row, n)
  return (await fetch(url + path, rest)).text()
}

/** The same bytes from a server that does nothing else, as its own process. */
async function startBare(body: string): Promise<{ url: string; child: ReturnType<typeof spawn> }> {
  const file = join(mkdtempSync(join(tmpdir(), 'cadre-bench-')), 'body')
  writeFileSync(file, body)
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('The bare server did not start')))
  const [port] = (await Promise.race([once(child.stdout!, 'data'), failed])) as [Buffer]
  failed.catch(() => undefined)
  return { url: `http://127.0.0.1:${String(port).trim()}`, child }
}

function line(cells: (string | number)[]): string {
  const [engine, name, ...figures] = cells.map(String)
  return [engine!.padEnd(9), name!.padEnd(40), ...figures.map((figure) => figure.padStart(11))].join('')
}

await main()
