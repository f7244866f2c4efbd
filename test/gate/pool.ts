import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs test files in a few processes at once, each of which takes one file after another. */

export type ToWorker = { file: string; timeout: number } | { file: null }
export type FromWorker =
  | { type: 'ready' }
  | { type: 'test'; name: string; outcome: 'passed' | 'failed' | 'skipped'; milliseconds: number; error?: string }
  | { type: 'file'; milliseconds: number }
  | { type: 'statements'; statements: string[]; cpu: number }
  | { type: 'stray'; error: string }

/** Files that run in processes with the same environment, the longest first. */
export type Lane = { name: string; files: readonly string[]; environment: Record<string, string> }

export type FileRun = {
  lane: string
  file: string
  passed: number
  skipped: number
  failures: Failure[]
  /** Tests that took a second or more. */
  slow: { test: string; milliseconds: number }[]
  milliseconds: number
  /** What the process and those that it started have computed, in milliseconds. */
  cpu: number
}
export type Failure = { test: string; error: string }

/** Tells how it goes: files that have ended, and those that run. */
export type Progress = { ended: FileRun[]; running: { lane: string; file: string }[] }

type Options = {
  /** How many processes run at once. */
  processes: number
  /** How long one file may take, in milliseconds. */
  timeout: number
  /** What tests print is shown at once; otherwise only when their process fails. */
  isVerbose: boolean
  /** How long a file is expected to take, in seconds. */
  weightOf: (lane: string, file: string) => number
  onProgress: (progress: Progress) => void
  onStatement: (lane: string, file: string, statement: string) => void
}

const WHOLE_FILE = 'the whole file'

/** A process ends after so many files: what one leaves behind does not pile up. */
const FILES_PER_PROCESS = 100
const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url))
const REPORTER = new URL('reporter.ts', import.meta.url).href

export async function runFiles(lanes: readonly Lane[], options: Options): Promise<FileRun[]> {
  const queues = lanes.map((lane) => ({
    lane,
    files: [...lane.files].sort((a, b) => options.weightOf(lane.name, b) - options.weightOf(lane.name, a)),
  }))
  const progress: Progress = { ended: [], running: [] }
  const remaining = ({ lane, files }: (typeof queues)[number]) =>
    files.reduce((sum, file) => sum + options.weightOf(lane.name, file), 0)

  const slots = Array.from({ length: options.processes }, async () => {
    for (;;) {
      const [queue] = queues.filter(({ files }) => files.length > 0).sort((a, b) => remaining(b) - remaining(a))
      if (!queue) return
      await runWorker(queue.lane, () => queue.files.shift(), progress, options)
    }
  })
  await Promise.all(slots)
  return progress.ended
}

/** One process, until it has run its share or there is nothing left. */
function runWorker(lane: Lane, next: () => string | undefined, progress: Progress, options: Options): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = fork(WORKER, {
    execArgv: ['--max-semi-space-size=64', `--test-reporter=${REPORTER}`, '--test-reporter-destination=stdout'],
    // Within a run of the runner, a process would report to that.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...lane.environment },
    stdio: ['ignore', options.isVerbose ? 'inherit' : 'pipe', options.isVerbose ? 'inherit' : 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      printed = (printed + chunk).slice(-10_000)
    })
  let count = 0
  let isReady = false
  let isDone = false
  let run: FileRun | undefined
  let last: FileRun | undefined
  let timer: NodeJS.Timeout | undefined
  const send = (message: ToWorker) => void child.send(message)
  const sendNext = () => {
    const file = count++ < FILES_PER_PROCESS ? next() : undefined
    if (file === undefined) {
      isDone = true
      return send({ file: null })
    }
    // The runner's own limit does not end hooks, nor what never lets go of the process.
    timer = setTimeout(() => {
      run?.failures.push({ test: WHOLE_FILE, error: `did not end within ${options.timeout / 1000} s, and was killed` })
      child.kill('SIGKILL')
    }, options.timeout + 5_000)
    run = { lane: lane.name, file, passed: 0, skipped: 0, failures: [], slow: [], milliseconds: 0, cpu: 0 }
    progress.running.push({ lane: lane.name, file })
    send({ file, timeout: options.timeout })
  }
  const end = (ended: FileRun) => {
    clearTimeout(timer)
    last = ended
    if (ended.passed + ended.skipped + ended.failures.length === 0)
      ended.failures.push({ test: WHOLE_FILE, error: 'has no test that ran, or was skipped' })
    progress.running = progress.running.filter((one) => one.file !== ended.file || one.lane !== ended.lane)
    progress.ended.push(ended)
    options.onProgress(progress)
  }
  // The result of a file and its statements come by two ways, in either order: the next file waits for both.
  let awaited = 0
  const step = () => {
    if (--awaited > 0 || !run) return
    end(run)
    run = undefined
    begin()
  }
  const begin = () => {
    awaited = 2
    sendNext()
  }
  child.on('message', (message: FromWorker) => {
    if (message.type === 'ready') {
      isReady = true
      return begin()
    }
    if (message.type === 'stray')
      (run ?? last)?.failures.push({
        test: 'outside of any test',
        error: `${message.error}\n(of this file, or of one before it)`,
      })
    if (!run) {
      if (message.type === 'test' && message.outcome === 'failed')
        last?.failures.push({ test: message.name, error: `after the file had ended: ${message.error}` })
      return
    }
    if (message.type === 'test') {
      if (message.outcome === 'failed') run.failures.push({ test: message.name, error: message.error ?? 'failed' })
      else run[message.outcome]++
      const { name: test, milliseconds } = message
      if (milliseconds >= 1000) run.slow.push({ test, milliseconds })
    }
    if (message.type === 'file') run.milliseconds = message.milliseconds
    if (message.type === 'statements') {
      run.cpu = message.cpu
      for (const statement of message.statements) options.onStatement(lane.name, run.file, statement)
    }
    if (message.type === 'file' || message.type === 'statements') step()
  })
  child.on('exit', (code, signal) => {
    clearTimeout(timer)
    const error = `the process ended with ${signal ?? code}`
    if (!isReady) return reject(new Error(`${error} before it could run a file\n${printed}`))
    if (run) {
      run.failures.push({ test: WHOLE_FILE, error: `${error} before the file did\n${printed}` })
      end(run)
    } else if (!isDone || code !== 0) last?.failures.push({ test: WHOLE_FILE, error: `${error} after it\n${printed}` })
    resolve()
  })
  return promise
}
