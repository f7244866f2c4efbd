import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type pg from 'pg'
import type { RunStatement } from './kysely.ts'

const require = createRequire(import.meta.url)
let loaded: typeof pg | undefined

/** The driver, loaded when it is first needed: a service on SQLite runs without it. */
export function driver(): typeof pg {
  loaded ??= require('pg') as typeof pg
  return loaded
}

const BIGINT = 20
const DATE = 1082
const TIMESTAMPTZ = 1184

/** Parses values into numbers, `YYYY-MM-DD` and ISO 8601, as on SQLite. */
export const TYPES = {
  getTypeParser(oid: number, format?: any): any {
    if (oid === BIGINT) return Number
    if (oid === DATE) return (value: string) => value
    if (oid === TIMESTAMPTZ) return (value: string) => new Date(value).toISOString()
    return driver().types.getTypeParser(oid, format)
  },
}

/** Time-outs of the server, in milliseconds. */
export const SERVER_TIMEOUTS = {
  statement_timeout: 15_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
}

/**
 * How long to wait for the response to a statement before giving up the connection. The server cancels long statements earlier:
 * this is for connections on which nothing arrives any more.
 */
export type ResponseTimeout = 'brief' | 'short' | 'normal' | 'none'
const MILLISECONDS: Record<ResponseTimeout, number> = {
  brief: 1_500,
  short: 5_000,
  normal: SERVER_TIMEOUTS.statement_timeout + 5_000,
  none: 0,
}

/** Without a pooler, or behind one where each transaction may use another connection to the server. */
export type Pooler = 'none' | 'transaction'

const statementNames = new Map<string, string>()

/** A named statement is parsed and planned once per connection. */
function statementName(text: string): string | undefined {
  if (!statementNames.has(text) && statementNames.size < 2000) statementNames.set(text, `s${statementNames.size}`)
  return statementNames.get(text)
}

/** Statements of one turn of the event loop leave in one write to the socket, which takes longer than most of them. */
function send(client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  if (stream.writableCorked === 0) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  return client.query(query)
}

const timeoutOption = (timeout: ResponseTimeout) =>
  MILLISECONDS[timeout] ? { query_timeout: MILLISECONDS[timeout] } : {}

/** Sends a statement without parameters. */
export const sendText = (client: pg.PoolClient, text: string, timeout: ResponseTimeout): Promise<pg.QueryResult> =>
  send(client, { text, ...timeoutOption(timeout) })

const WRITES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** Runs statements on a connection, named ones if `isPrepared`. */
export function runOn(client: pg.PoolClient, timeout: ResponseTimeout, isPrepared: boolean): RunStatement {
  const option = timeoutOption(timeout)
  return async (text, values) => {
    const name = isPrepared && values.length > 0 ? statementName(text) : undefined
    const query = { ...(name ? { name } : {}), text, values, ...option } as pg.QueryConfig
    const { command, rowCount, rows } = await send(client, query)
    return WRITES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
  }
}
