import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { freshDatabase, sender } from '../harness.ts'
import { startProcess } from '../process.ts'
import { rounds } from '../thorough.ts'

const ROUNDS = rounds(2, 60)
const KEY = 'a-key-for-the-crash-test-0123456789'

test(`${ROUNDS} kills during concurrent writes lose no acknowledged write and leave the ledger without gaps`, async () => {
  const { url, remove } = await freshDatabase()
  const acknowledged = new Map<number, string>()
  for (let round = 0; round < ROUNDS; round++) {
    const service = await startProcess({ DATABASE_URL: url, CADRE_API_KEY: KEY })
    const send = sender(service.url, KEY)
    let running = true
    let inRound = 0
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; running; n++) {
        const name = `r${round} w${writer} n${n}`
        const answer = await send('POST', '/divisions', { json: { name } }).catch(() => undefined)
        if (answer?.status !== 201) return
        acknowledged.set(answer.body.data.id, name)
        // The moment of the kill is somewhere in the middle of the work, not at a set time.
        if (++inRound === 20 + ((round * 37) % 60)) {
          running = false
          service.child.kill('SIGKILL')
        }
      }
    })
    await Promise.all(writers)
    await service.stop('SIGKILL')
  }

  const database = connect(url)
  try {
    const rows = await database.query((sql) => sql.selectFrom('divisions').select(['id', 'name']).execute())
    const stored = new Map(rows.map((row) => [row.id, row.name]))
    for (const [id, name] of acknowledged) assert.equal(stored.get(id), name)
    assert.ok(acknowledged.size >= ROUNDS * 20)

    const ledger = await database.query((sql) =>
      sql.selectFrom('ledger').select(['no', 'resource', 'record_id']).orderBy('no').execute(),
    )
    assert.deepEqual(
      ledger.map((entry) => entry.no),
      ledger.map((_, index) => index + 1),
    )
    const ledgered = ledger.filter((entry) => entry.resource === 'divisions').map((entry) => entry.record_id)
    assert.deepEqual(
      ledgered,
      [...stored.keys()].sort((a, b) => a - b),
    )
    const account = await database.query((sql) => sql.selectFrom('accounts').select('ledger_no').executeTakeFirst())
    assert.equal(account?.ledger_no, ledger.length)
  } finally {
    await database.close()
    await remove()
  }
})
