import { run } from '../src/command-line/index.ts'
import { readCommand } from '../src/command-line/options.ts'
import type { ServiceProcess } from './process.ts'

/**
 * Commands, and the service as `serve` starts it, inside the process of the test: what a process of their own costs is mostly
 * loading the same code again. `process.ts` is for what needs one: signals, kills, users, limits, several workers.
 */

export type ServiceHere = Pick<ServiceProcess, 'url' | 'output' | 'stop'>

type Listener = (...given: unknown[]) => void

/** Runs a command of the command line to its end, as `runCommand` does. */
export async function runHere(args: string[], environment: Record<string, string>) {
  const { code, stdout, stderr } = await inTurn(() => asIfAlone(args, environment))
  return { code, stdout, stderr }
}

/** The service as an operator starts it. Its log lines and warnings are in the output of all that run at the same time. */
export async function startHere(environment: Record<string, string>): Promise<ServiceHere> {
  let log = ''
  const stopHearing = hear(({ isLog, text }) => {
    if (isLog) log += text
  })
  const noteWarning = ({ name, message }: Error) => {
    log += `${name}: ${message}\n`
  }
  process.on('warning', noteWarning)
  const stopListening = () => {
    stopHearing()
    process.off('warning', noteWarning)
  }
  const usual = { HOST: '127.0.0.1', PORT: '0', WORKERS: '1', LOG_LEVEL: 'warn' }
  const { code, stdout, stderr, listeners } = await inTurn(() => asIfAlone(['serve'], { ...usual, ...environment }))
  if (code !== 0) {
    stopListening()
    throw new Error(`The service did not start: ${stdout}${stderr}`)
  }
  let ended: Promise<number> | undefined
  return {
    url: / is running at (\S+)/.exec(stdout)?.[1] as string,
    output: () => stdout + log,
    /** As `SIGTERM` ends it, whatever is asked for. */
    stop() {
      ended ??= inTurn(() => untilExit(() => listeners.get('SIGTERM')?.())).finally(stopListening)
      return ended
    },
  }
}

let last: Promise<unknown> = Promise.resolve()

/** One after another: they share what belongs to the process. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work)
  last = mine.catch(() => undefined)
  return mine
}

/** Has a command run with variables, output, exit code and listeners that are no one else's. */
async function asIfAlone(args: string[], environment: Record<string, string>) {
  const said = { stdout: '', stderr: '' }
  const stopHearing = hear(({ isLog, text }) => {
    if (!isLog) said.stdout += text
  })
  const listeners = new Map<string, Listener>()
  const { env, exitCode, on } = process
  const { write } = process.stderr
  const umask = process.umask(0o077)
  process.env = { ...env, ...environment }
  process.exitCode = undefined
  process.stderr.write = (text: string | Uint8Array) => {
    said.stderr += text
    return true
  }
  process.on = (name: string, listener: Listener) => {
    listeners.set(name, listener)
    return process
  }
  try {
    const command = readCommand(args)
    if ('output' in command) said.stdout += `${command.output}\n`
    else await run(command)
    return { code: Number(process.exitCode ?? 0), ...said, listeners }
  } catch (error) {
    said.stderr += `cadre: ${error instanceof Error ? error.message : error}\n`
    return { code: 1, ...said, listeners }
  } finally {
    stopHearing()
    process.stderr.write = write
    Object.assign(process, { env, exitCode, on })
    process.umask(umask)
  }
}

type OutputListener = (said: { isLog: boolean; text: string }) => void

const hearers = new Set<OutputListener>()
const { write } = process.stdout

/** Hears what is said, until the returned function is called. Logs write to `process.stdout` if that is not as it was. */
function hear(hearer: OutputListener): () => void {
  hearers.add(hearer)
  process.stdout.write = (text: string | Uint8Array) => {
    const said = { isLog: String(text).startsWith('{"level":'), text: String(text) }
    for (const one of hearers) one(said)
    return true
  }
  return () => {
    hearers.delete(hearer)
    if (hearers.size === 0) process.stdout.write = write
  }
}

/** Does what ends the process, but for its end, and returns the code. */
async function untilExit(begin: () => void): Promise<number> {
  const { exit } = process
  const ended = Promise.withResolvers<number>()
  process.exit = ((code = 0) => ended.resolve(Number(code))) as typeof process.exit
  try {
    begin()
    return await ended.promise
  } finally {
    process.exit = exit
  }
}
