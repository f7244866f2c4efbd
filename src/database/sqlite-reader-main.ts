import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { statementCache, withArrayRows } from './sqlite-statements.ts'

/** Main module of a reader process: runs one statement after the other, and ends with its parent. */

export type StatementRequest = { id: number; text: string; values: readonly unknown[] }
/** The first message: the process now ignores signals and runs statements. */
export type ReadyMessage = { isReady: true }
export type StatementResponse =
  | { id: number; names: readonly string[]; rows: unknown[][] }
  | { id: number; error: { message: string; errcode?: number | undefined } }

const connection = new DatabaseSync(process.argv[2] as string, { readOnly: true, timeout: 50 })
connection.exec('pragma foreign_keys = on; pragma cache_size = -16000; pragma temp_store = memory')
const prepare = statementCache(connection, withArrayRows)

// Supervisors and terminals signal all processes to stop, but the parent still waits for reads that have begun.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
// The parent may have ended before the response was sent.
const exitWithParent = (error: Error | null) => void (error && process.exit())
// While a statement runs, this thread receives no events, so another thread checks that the parent is alive.
new Worker(
  `setInterval(() => process.ppid === ${Number(process.argv[3])} || process.kill(process.pid, 'SIGKILL'), 1000)`,
  { eval: true },
).unref()
process.on('message', ({ id, text, values }: StatementRequest) => {
  const respond = (response: StatementResponse) => process.send?.(response, undefined, undefined, exitWithParent)
  try {
    const statement = prepare(text)
    const { names } = statement
    if (names.length > 0) respond({ id, names, rows: statement.all(values) })
    else {
      statement.run(values)
      respond({ id, names, rows: [] })
    }
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number }
    respond({ id, error: { message, errcode } })
  }
})
process.send?.({ isReady: true } satisfies ReadyMessage)
