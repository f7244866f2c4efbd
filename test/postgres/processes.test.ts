import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { emptyDatabase, sender } from '../harness.ts'
import { startHere } from '../in-process.ts'
import { startProcess } from '../process.ts'
import { rounds } from '../thorough.ts'

const KEY = 'a-key-for-the-two-processes-0123456789'
const WRITERS = 16
const WRITES = rounds(8, 20)

test('two processes that start together on an empty database make one account and migrate once', async () => {
  const { url, remove } = await emptyDatabase('postgres')
  const both = await Promise.all(
    [startProcess, startHere].map((start) => start({ DATABASE_URL: url, CADRE_API_KEY: KEY })),
  )
  const database = connect(url)
  try {
    const accounts = await database.query((sql) => sql.selectFrom('accounts').select('id').execute())
    assert.equal(accounts.length, 1)
    const keys = await database.query((sql) => sql.selectFrom('api_keys').select('id').execute())
    assert.equal(keys.length, 1)

    // All writers over both processes.
    const senders = both.map((one) => sender(one.url, KEY))
    const ids: number[] = []
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let n = 0; n < WRITES; n++) {
          const answer = await senders[(writer + n) % 2]!('POST', '/divisions', { json: { name: `w${writer} n${n}` } })
          assert.equal(answer.status, 201, answer.text)
          ids.push(answer.body.data.id)
        }
      }),
    )
    assert.deepEqual(
      ids.sort((a, b) => a - b),
      Array.from({ length: WRITERS * WRITES }, (_, index) => index + 1),
      'ids are unique and without gaps',
    )

    const ledger = await database.query((sql) => sql.selectFrom('ledger').selectAll().orderBy('no').execute())
    assert.deepEqual(
      ledger.map((entry) => entry.no),
      ledger.map((_, index) => index + 1),
      'ledger numbers have no gaps',
    )
    // An id is given inside the turn that gives the number, so their order is the order of the commits.
    const order = ledger.filter((entry) => entry.resource === 'divisions').map((entry) => entry.record_id)
    assert.deepEqual(
      order,
      Array.from({ length: WRITERS * WRITES }, (_, index) => index + 1),
    )
    for (let n = 1; n < ledger.length; n++) assert.ok(ledger[n]?.at >= ledger[n - 1]?.at, 'time never runs backwards')
  } finally {
    await database.close()
    for (const one of both) assert.equal(await one.stop(), 0)
    await remove()
  }
})
