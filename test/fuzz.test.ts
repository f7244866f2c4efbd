import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SEED } from './chance.ts'
import { fuzz } from './fuzz.ts'
import { startService } from './harness.ts'

test('2,000 requests, right, nearly right and hostile, are answered without a failure of ours and as declared', async () => {
  const service = await startService()
  try {
    const { findings, statuses } = await fuzz(service, { requests: 2000, seed: SEED })
    // Time is not asserted here: the machines that run this are shared.
    assert.deepEqual(
      findings.filter(({ what }) => !what.startsWith('more than a second')),
      [],
      `with TEST_SEED=${SEED}`,
    )
    for (const status of [200, 201, 204, 400, 404, 422]) assert.ok((statuses.get(status) ?? 0) > 20, `status ${status}`)
  } finally {
    await service.stop()
  }
})
