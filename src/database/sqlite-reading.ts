import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { plainly, preparing } from './prepared.ts'

/** The process that reads aside: one statement after the other, as they are asked for. It ends with who asks. */

export type Asked = { id: number; text: string; values: readonly unknown[] }
/** Said once, as the first: from now on it is not ended by signals, and reads what it is asked. */
export type Ready = { isReady: true }
export type Answered =
  | { id: number; names: readonly string[]; rows: unknown[][] }
  | { id: number; error: { message: string; errcode?: number | undefined } }

const connection = new DatabaseSync(process.argv[2] as string, { readOnly: true, timeout: 50 })
connection.exec('pragma foreign_keys = on; pragma cache_size = -16000; pragma temp_store = memory')
const prepare = preparing(connection, plainly)

// Supervisors and terminals tell all processes to stop: what is read by then is still waited for.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
// Whoever asked may be gone by the time there is an answer: nothing is left to do then.
const goneWithThem = (error: Error | null) => void (error && process.exit())
// While a statement runs this thread hears nothing: another one sees to it that it ends with who asked.
new Worker(
  `setInterval(() => process.ppid === ${Number(process.argv[3])} || process.kill(process.pid, 'SIGKILL'), 1000)`,
  { eval: true },
).unref()
process.on('message', ({ id, text, values }: Asked) => {
  const answer = (answered: Answered) => process.send?.(answered, undefined, undefined, goneWithThem)
  try {
    const statement = prepare(text)
    const { names } = statement
    if (names.length > 0) answer({ id, names, rows: statement.all(values) })
    else {
      statement.run(values)
      answer({ id, names, rows: [] })
    }
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number }
    answer({ id, error: { message, errcode } })
  }
})
process.send?.({ isReady: true } satisfies Ready)
