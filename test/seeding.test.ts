import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seed } from '../bench/seed.ts'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { connect } from '../src/database/connect.ts'
import { verifyLedger } from '../src/records/verify.ts'
import { freshDatabase, sender } from './harness.ts'

const KEY = 'a-key-for-the-seeded-0123456789-abcdef'

test('the benchmark seed is consistent: records, totals, related records and ledger', async () => {
  const { url, remove } = await freshDatabase()
  await seed(url, KEY, { employees: 450, candidates: 300 }, 200)
  const database = connect(url)
  const app = await buildApp({ config: { ...readConfig({}), LOG_LEVEL: 'silent' }, database })
  try {
    const send = sender(await app.listen({ host: '127.0.0.1', port: 0 }), KEY)
    const count = async (path: string) => (await send('GET', path)).body.metadata.count
    const people = await count('/employees?status=all&per_page=1')
    assert.ok(people > 430 && people <= 450, `${people} people`)
    assert.equal(await count('/recruitment/candidates?per_page=1'), 300)
    const last = (await send('GET', `/employees?status=all&per_page=1&page=${people}`)).body.data[0]
    assert.equal(last.id, 450)
    assert.ok(last.position && last.department && last.fields.badge_number.value)
    assert.equal((await verifyLedger(database, 1)).broken, null)
  } finally {
    await app.close()
    await remove()
  }
})
