import type { Sql } from './database.ts'
import type { SharedTransaction } from './group-commit.ts'
import { type Pooler, SERVER_TIMEOUTS } from './postgres-driver.ts'
import { isResponseTimeout } from './postgres-errors.ts'
import type { PostgresConnection } from './postgres-pools.ts'

/** Statements and transactions on a connection. Each function releases the connection at the end. */

/** The statements that begin a transaction. A pooler does not keep settings of a connection, so each transaction sets its own. */
export const beginStatement = (
  pooler: Pooler,
  mode: string,
  timeouts: Partial<typeof SERVER_TIMEOUTS> = {},
): string => {
  const settings = pooler === 'none' ? timeouts : { ...SERVER_TIMEOUTS, ...timeouts }
  return [`begin ${mode}`, ...Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`)].join(
    '; ',
  )
}

/** Runs a single statement without a transaction. */
export async function runSingle<T>(connection: PostgresConnection, work: (sql: Sql) => Promise<T>): Promise<T> {
  try {
    const result = await work(connection.sql)
    connection.release()
    return result
  } catch (error) {
    // After a time-out the statement may still run, and the next user of the connection would wait for it.
    connection.release(isResponseTimeout(error))
    throw error
  }
}

/** Runs reads on one snapshot. It does not wait for the results of the statements that begin and end the transaction. */
export async function runReadOnly<T>(
  connection: PostgresConnection,
  begin: string,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const begun = connection.send(begin)
  const end = () =>
    void connection.send('rollback').then(
      () => connection.release(),
      () => connection.release(true),
    )
  begun.catch(() => undefined)
  try {
    const result = await work(connection.sql)
    await begun
    return result
  } finally {
    end()
  }
}

/** Begins a transaction for writes. It does not wait for the results of statements that cannot fail on their own. */
export function beginTransaction(connection: PostgresConnection, begin: string): SharedTransaction {
  const sendOnly = async (statement: string) => void connection.send(statement).catch(() => undefined)
  const begun = connection.send(begin)
  begun.catch(() => undefined)
  let isOver = false
  const release = (isBroken = false) => {
    isOver = true
    connection.release(isBroken)
  }
  return {
    sql: connection.sql,
    savepoint: () => sendOnly('savepoint job'),
    rollbackToSavepoint: () => connection.send('rollback to savepoint job; release savepoint job'),
    releaseSavepoint: () => sendOnly('release savepoint job'),
    async commit() {
      await begun
      try {
        const { command } = await connection.send('commit')
        release()
        // If a statement has failed, `commit` succeeds but rolls back.
        if (command !== 'COMMIT') throw new Error(`Nothing was stored: the transaction ended with ${command}`)
      } catch (error) {
        if (!isOver) release(true)
        throw error
      }
    },
    async rollback() {
      if (isOver) return
      await connection.send('rollback').then(
        () => release(),
        () => release(true),
      )
    },
  }
}

/** Runs writes in one transaction; they are on disk when it resolves. */
export async function runTransaction<T>(
  connection: PostgresConnection,
  begin: string,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const transaction = beginTransaction(connection, begin)
  try {
    const result = await work(transaction.sql)
    await transaction.commit()
    return result
  } catch (error) {
    await transaction.rollback()
    throw error
  }
}
