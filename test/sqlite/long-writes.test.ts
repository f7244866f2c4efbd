import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CompiledQuery } from 'kysely'
import { startService } from '../harness.ts'

test('a read is answered while a long write is between two of its statements, and does not see it', async () => {
  const service = await startService()
  let answer: Awaited<ReturnType<typeof service.get>> | undefined
  let statements = 0
  await service.database.write(async (sql) => {
    await sql.executeQuery(CompiledQuery.raw(`update genders set name = 'Renamed'`))
    void service.get('/genders').then((one) => {
      answer = one
    })
    // Nothing here waits for the event loop, as in a write that changes thousands of records.
    for (; !answer && statements < 300_000; statements++) await sql.executeQuery(CompiledQuery.raw('select 1'))
  })
  assert.equal(answer?.status, 200, `no answer within ${statements} statements`)
  assert.equal(answer?.text.includes('Renamed'), false)
  await service.stop()
})
