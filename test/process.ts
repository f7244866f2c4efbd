import { type ChildProcess, spawn } from 'node:child_process'
import { freePort } from './postgres-server.ts'
import { serviceFile } from './service-file.ts'

/** A start fills more memory than it gives back: looking for that to give back would be a tenth of it. */
const ROOM = '--min-semi-space-size=32'

/** The service as its own process, as an operator starts it. */
export type ServiceProcess = {
  child: ChildProcess
  url: string
  output: () => string
  /** Resolves once it has said this: a log may come after the answer that it is about. */
  said: (what: RegExp | ((output: string) => boolean)) => Promise<void>
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

export async function startProcess(
  environment: Record<string, string>,
  options: string[] = [],
): Promise<ServiceProcess> {
  const [port, main] = await Promise.all([freePort(), serviceFile()])
  const child = spawn(process.execPath, [ROOM, ...options, main, 'serve'], {
    // One process is up soonest, and can be killed as a whole.
    env: { ...process.env, PORT: String(port), LOG_LEVEL: 'warn', WORKERS: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  let output = ''
  const heard = new Set<() => void>()
  const gone = new Promise<number | null>((resolve) => child.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk
      for (const tell of heard) tell()
      if (output.includes('/docs')) resolve()
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    gone.then(() => reject(new Error(`The service did not start: ${output}`)))
  })
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    said: (what) =>
      new Promise((resolve) => {
        const tell = () => {
          if (!(what instanceof RegExp ? what.test(output) : what(output))) return
          heard.delete(tell)
          resolve()
        }
        heard.add(tell)
        tell()
      }),
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return gone
    },
  }
}

/** Runs a command of the command line to its end. */
export async function runCommand(
  args: string[],
  environment: Record<string, string>,
  as: { uid?: number } = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const main = await serviceFile()
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment }
    const child = spawn(process.execPath, [ROOM, main, ...args], { env, ...as })
    const said = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].on('data', (chunk) => {
        said[stream] += chunk
      })
    child.on('exit', (code) => resolve({ code, ...said }))
  })
}
