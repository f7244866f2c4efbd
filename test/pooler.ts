import { spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './postgres-server.ts'

/** PgBouncer is no package of npm's: it is there where the machine has it. */
export const hasPooler = spawnSync('pgbouncer', ['--version']).status === 0

const NOBODY = 65_534

export type Pooler = {
  url: string
  /** From now on it stands before another server. */
  turnTo: (server: string) => void
  stop: () => Promise<void>
}

/** PgBouncer before a server, which gives its few connections to one transaction after the other. */
export async function pooler(server: string, mode = 'transaction'): Promise<Pooler> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'cadre-pooler-'))
  const file = join(folder, 'pgbouncer.ini')
  const configure = ({ hostname, port: behind }: URL) =>
    writeFileSync(
      file,
      `[databases]
* = host=${hostname} port=${behind} user=cadre
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 3
max_client_conn = 200
`,
    )
  configure(new URL(server))
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const one of [folder, file]) chownSync(one, NOBODY, NOBODY)
  const child = spawn('pgbouncer', [file], {
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
      if (said.includes('process up')) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`PgBouncer did not start: ${said}`)))
  })
  const url = new URL(server)
  url.port = String(port)
  return {
    url: url.href,
    turnTo(other) {
      configure(new URL(other))
      child.kill('SIGHUP')
    },
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      end()
      await gone
      process.off('exit', end)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
