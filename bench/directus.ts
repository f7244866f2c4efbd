import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../test/postgres-server.ts'

/**
 * Directus on SQLite, installed to a temporary folder, with a collection that holds the employees as the service shows them:
 * what they name is in columns of JSON, so that it need not join. Its list is asked for without a total, by a token of its
 * administrator, for whom no permissions are looked up; its own cache is off, as it is from the start.
 */
export type Directus = { url: string; path: string; headers: Record<string, string>; version: string; stop: () => void }

/** A version whose packages are all in the registry. */
const VERSION = '11.17.4'
const TOKEN = 'the-token-of-the-benchmark'
const MOST_ROWS = 20_000

type Answer = { data: Record<string, unknown>[]; metadata: { count: number } }

export async function startDirectus({ data, metadata }: Answer, say: (line: string) => void): Promise<Directus> {
  const home = install(say)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const folder = mkdtempSync(join(tmpdir(), 'cadre-bench-directus-'))
  const file = join(folder, 'data.db')
  const env = {
    ...process.env,
    KEY: 'benchmark',
    SECRET: 'a secret of the benchmark, of which nothing hangs',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'admin-of-the-benchmark',
    ADMIN_TOKEN: TOKEN,
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: file,
    HOST: '127.0.0.1',
    PORT: String(port),
    SERVE_APP: 'false',
    TELEMETRY: 'false',
    LOG_LEVEL: 'error',
    NODE_ENV: 'production',
  }
  const directus = join(home, 'node_modules', 'directus', 'cli.js')
  execFileSync(process.execPath, [directus, 'bootstrap'], { cwd: home, env, stdio: 'ignore' })
  const child = spawn(process.execPath, [directus, 'start'], { cwd: home, env, stdio: 'ignore' })
  const end = () => void child.kill()
  process.once('exit', end)
  const stop = () => {
    process.off('exit', end)
    end()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await answering(child, url)
    await makeCollection(url, data[0] as Record<string, unknown>)
    fillCollection(file, data, Math.min(metadata.count, MOST_ROWS))
  } catch (error) {
    stop()
    throw error
  }
  return {
    url,
    path: '/items/employees?limit=50&sort=id',
    headers: { authorization: `Bearer ${TOKEN}` },
    version: VERSION,
    stop,
  }
}

/** Once for a machine: it takes minutes. What its packages fetch from elsewhere is built here instead, or left out. */
function install(say: (line: string) => void): string {
  const home = join(tmpdir(), `cadre-bench-directus-${VERSION}`)
  const ready = join(home, 'ready')
  if (existsSync(ready)) return home
  say(`Installing Directus ${VERSION} to ${home}: this takes some minutes, once`)
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{"private":true}')
  // The headers of this very Node, where it brings them: nothing need be fetched to build for it.
  const own = dirname(dirname(process.execPath))
  const nodedir = existsSync(join(own, 'include', 'node')) ? { npm_config_nodedir: own } : {}
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...nodedir }
  const npm = (...args: string[]) =>
    execFileSync('npm', [...args, '--no-audit', '--no-fund'], { cwd: home, env, stdio: ['ignore', 'ignore', 'pipe'] })
  npm('install', `directus@${VERSION}`, '--ignore-scripts')
  npm('rebuild', 'sqlite3')
  // Runs scripts of flows, of which there are none, and cannot be built for every Node.
  writeFileSync(join(home, 'node_modules', 'isolated-vm', 'isolated-vm.js'), 'module.exports = {}\n')
  writeFileSync(ready, '')
  return home
}

async function answering(child: ChildProcess, url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) throw new Error('it ended at its start')
    if ((await fetch(`${url}/server/ping`).catch(() => undefined))?.ok) return
    await pause(200)
  }
  throw new Error('it did not answer within a minute')
}

const typeOf = (value: unknown) =>
  typeof value === 'boolean' ? 'boolean' : typeof value === 'object' && value !== null ? 'json' : 'string'

async function makeCollection(url: string, sample: Record<string, unknown>): Promise<void> {
  // Whoever comes first reports to nobody.
  const columns = Object.entries({ ...sample, reporting_to: {}, location: {} }).filter(([field]) => field !== 'id')
  const fields = columns.map(([field, value]) => ({ field, type: typeOf(value), meta: {}, schema: {} }))
  const id = { field: 'id', type: 'integer', meta: {}, schema: { is_primary_key: true, has_auto_increment: true } }
  const answer = await fetch(`${url}/collections`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ collection: 'employees', meta: {}, schema: {}, fields: [id, ...fields] }),
  })
  if (!answer.ok) throw new Error(`its collection could not be made: ${await answer.text()}`)
}

function fillCollection(file: string, data: Record<string, unknown>[], count: number): void {
  const db = new DatabaseSync(file, { timeout: 5000 })
  const columns = Object.keys(data[0] as object)
  const insert = db.prepare(`insert into employees (${columns.join()}) values (${columns.map(() => '?').join()})`)
  db.exec('begin')
  for (let n = 0; n < count; n++) {
    const row: Record<string, unknown> = { ...data[n % data.length], ...(n < data.length ? {} : { id: 1000 + n }) }
    insert.run(...columns.map((name) => kept(row[name])))
  }
  db.exec('commit')
  db.close()
}

function kept(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as SQLInputValue)
}
