import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { type ServiceProcess, startProcess } from '../test/process.ts'
import { KEY } from './databases.ts'

/** Asking, and measuring what comes. */

export type LoadRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  path: string
  body?: unknown
  headers?: Record<string, string>
}
/** The same request every time, or one that differs by its number. */
export type RequestSource = LoadRequest | ((n: number) => LoadRequest)

/** `cost` is how many milliseconds of a processor each request took, of all but the one who asks: the system's share too. */
export type Figures = { rate: number; p50: number; p99: number; cost: number }

/** Whoever gets no answer within this many milliseconds has failed. */
const LONGEST = 30_000
const PREFIX = '/api/public/v3'
/** Goes on through the whole run: what is written differs each time. */
let asked = 0

function toSend({ method = 'GET', path, body, headers }: LoadRequest, prefix = PREFIX) {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return {
    method,
    path: prefix + encodeURI(path),
    headers: { 'x-api-key': KEY, ...type, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}

const oneOf = (what: RequestSource): LoadRequest => (typeof what === 'function' ? what(++asked) : what)

/** One that is like the others: a read, where reads and writes are mixed. */
export const sampleOf = (what: RequestSource): LoadRequest => {
  while (asked % 10 !== 0) asked++
  return oneOf(what)
}

/** Milliseconds for which all processors were at work, those in which a neighbour of the machine had them not among them. */
const workedHere = () => cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0)

/**
 * Milliseconds of a processor that the processes below this one have worked: services, databases and those they are compared
 * with. Other work on the machine does not count. Only Linux tells this for each process.
 */
function workedBelow(): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').map(Number) ?? []
        // In hundredths of a second: its own time, and that of its children which have ended.
        const [user = 0, system = 0, userOfChildren = 0, systemOfChildren = 0] = words.slice(11, 15)
        const worked = (user + system + userOfChildren + systemOfChildren) * 10
        return [{ pid: Number(pid), parent: words[1], worked }]
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
  const below = (pid: number): number =>
    processes.reduce((sum, one) => (one.parent === pid ? sum + one.worked + below(one.pid) : sum), 0)
  return below(process.pid)
}

/** Does something, and says how many milliseconds of a processor others have worked meanwhile, and this process. */
export async function costing<T>(work: () => Promise<T>): Promise<{ value: T; others: number; own: number }> {
  const isLinux = process.platform === 'linux'
  const worked = isLinux ? workedBelow : workedHere
  const [all, mine] = [worked(), process.cpuUsage()]
  const value = await work()
  const { user, system } = process.cpuUsage(mine)
  const own = (user + system) / 1000
  return { value, own, others: Math.max(0, worked() - all - (isLinux ? 0 : own)) }
}

/** Asks over so many connections for so many seconds, each of them again as soon as it is answered. */
export async function load(
  url: string,
  what: RequestSource,
  { connections, seconds, prefix }: { connections: number; seconds: number; prefix?: string | undefined },
): Promise<Figures> {
  // What never differs is made once: the one who asks shares the machine.
  const request =
    typeof what === 'function'
      ? { setupRequest: (given: object) => ({ ...given, ...toSend(what(++asked), prefix) }) }
      : toSend(what, prefix)
  const asking = { url, connections, requests: [request as autocannon.Request] }
  // Code that has run for a while is what is measured, on either side.
  await autocannon({ ...asking, duration: Math.ceil(seconds / 4) })
  const { value: result, others } = await costing(() => autocannon({ ...asking, duration: seconds }))
  const failed = result['4xx'] + result['5xx'] + result.errors
  if (failed > 0)
    throw new Error(`${failed} of ${result.requests.total} requests failed: ${await complaint(url, what, prefix)}`)
  if (result.requests.total === 0) throw new Error(`nobody was answered within ${seconds} s`)
  const { total } = result.requests
  return {
    rate: total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cost: others / total,
  }
}

const complaint = async (url: string, what: RequestSource, prefix?: string) => {
  const { status, text } = await ask(url, what, prefix)
  return status < 400 ? 'but not this one' : `${status} ${text.slice(0, 200)}`
}

export async function ask(url: string, what: RequestSource, prefix?: string) {
  const { path, ...rest } = toSend(oneOf(what), prefix)
  const answer = await fetch(url + path, { ...rest, signal: AbortSignal.timeout(LONGEST) })
  return { status: answer.status, text: await answer.text(), tag: answer.headers.get('etag') }
}

/** What one caller waits for an answer, in milliseconds: the median of many, and the slowest in a hundred. */
export async function waiting(url: string, what: RequestSource, seconds: number): Promise<Omit<Figures, 'cost'>> {
  for (const warm = performance.now(); performance.now() - warm < seconds * 250; ) await fine(url, what)
  const times: number[] = []
  const begun = performance.now()
  while (performance.now() - begun < seconds * 1000 || times.length < 3) {
    const before = performance.now()
    await fine(url, what)
    times.push(performance.now() - before)
  }
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] as number
  return { rate: (times.length * 1000) / (performance.now() - begun), p50: at(0.5), p99: at(0.99) }
}

/** What one caller waits for answers to so many questions, each asked for the first time: the median in milliseconds. */
export async function waitingAtFirst(url: string, what: RequestSource, questions: number): Promise<number> {
  const times: number[] = []
  while (times.length < questions) {
    const before = performance.now()
    await fine(url, what)
    times.push(performance.now() - before)
  }
  return times.sort((a, b) => a - b)[Math.floor(questions / 2)] as number
}

async function fine(url: string, what: RequestSource): Promise<void> {
  const { status, text } = await ask(url, what)
  if (status >= 400) throw new Error(`${status} ${text.slice(0, 200)}`)
}

export type Service = ServiceProcess & { startedIn: number }

/** The service as its operator starts it; the time until it gives its first answer from the data. */
export async function startService(url: string, environment: Record<string, string>): Promise<Service> {
  const begun = performance.now()
  const service = await startProcess({
    DATABASE_URL: url,
    CADRE_API_KEY: KEY,
    LOG_LEVEL: 'error',
    WORKERS: '',
    ...environment,
  })
  await fine(service.url, { path: '/employees' })
  return { ...service, startedIn: performance.now() - begun }
}

/** The memory of a process and of all that it has started, in MB. */
export function memoryOf({ child }: ServiceProcess): number {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' }).trim().split('\n')
  const all = lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number, number])
  const sum = (of: number): number =>
    all.reduce((kb, [pid, parent, own]) => kb + (pid === of ? own : 0) + (parent === of ? sum(pid) : 0), 0)
  return sum(child.pid as number) / 1024
}

/** A server of our own as its own process, which tells its port. */
export async function startServer(file: string, args: string[]): Promise<{ url: string; stop: () => void }> {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = () => void child.kill()
  process.once('exit', end)
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`${file} did not start`)))
  const [port] = (await Promise.race([once(child.stdout!, 'data'), failed])) as [Buffer]
  failed.catch(() => undefined)
  const stop = () => {
    process.off('exit', end)
    end()
  }
  return { url: `http://127.0.0.1:${String(port).trim()}`, stop }
}

/** The same bytes from a server that does nothing else. */
export async function loadBare(body: string, options: { connections: number; seconds: number }): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'cadre-bench-'))
  const file = join(folder, 'body')
  writeFileSync(file, body)
  const bare = await startServer('bare-server.ts', [file])
  try {
    return await load(bare.url, { path: '/' }, options)
  } finally {
    bare.stop()
    rmSync(folder, { recursive: true })
  }
}
