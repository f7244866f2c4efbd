import { DatabaseSync } from 'node:sqlite'
import { plainly, preparing } from './prepared.ts'

/** The process that reads aside: one statement after the other, as they are asked for. It ends with who asks. */

export type Asked = { id: number; text: string; values: readonly unknown[] }
export type Answered =
  | { id: number; names: readonly string[]; rows: unknown[][] }
  | { id: number; error: { message: string; errcode?: number | undefined } }

const connection = new DatabaseSync(process.argv[2] as string, { readOnly: true, timeout: 50 })
connection.exec('pragma foreign_keys = on; pragma cache_size = -16000; pragma temp_store = memory')
const prepare = preparing(connection, plainly)

// Supervisors and terminals tell all processes to stop: what is read by then is still waited for.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', ({ id, text, values }: Asked) => {
  const answer = (answered: Answered) => process.send?.(answered)
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
