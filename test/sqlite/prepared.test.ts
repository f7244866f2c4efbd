import assert from 'node:assert/strict'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { test } from 'node:test'
import { MAX_PREPARED, statementCache } from '../../src/database/sqlite-statements.ts'

const isOpen = (statement: StatementSync) => {
  try {
    return statement.all().length > 0
  } catch (error) {
    assert.match(String(error), /finalized/)
    return false
  }
}

test('a connection keeps a limited number of recent prepared statements and closes the others', () => {
  const connection = new DatabaseSync(':memory:')
  try {
    const prepare = statementCache(connection, (statement) => statement)
    const often = prepare('select 0')
    const others = Array.from({ length: 5 * MAX_PREPARED }, (_, n) => {
      assert.equal(prepare('select 0'), often)
      return prepare(`select ${n + 1}`)
    })
    assert.ok(isOpen(often))
    const open = others.filter(isOpen)
    assert.equal(open.length, MAX_PREPARED - 1)
    assert.deepEqual(open, others.slice(1 - MAX_PREPARED))
    // One that had to go is prepared again when it is needed.
    assert.ok(isOpen(prepare('select 1')))
  } finally {
    connection.close()
  }
})

test('a statement that fails to prepare takes no place in the cache', () => {
  const connection = new DatabaseSync(':memory:')
  try {
    const prepare = statementCache(connection, (statement) => statement)
    const first = prepare('select 1')
    for (let n = 0; n < 2 * MAX_PREPARED; n++) assert.throws(() => prepare(`select ${n} from nowhere`))
    assert.ok(isOpen(first))
  } finally {
    connection.close()
  }
})
