import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SEED } from './chance.ts'
import { fuzz } from './fuzz.ts'
import { ENGINE, startService } from './harness.ts'
import { rounds } from './thorough.ts'

/** On each engine other requests: what chance chooses is more, and what goes wrong on one mostly does on the other. */
const OWN_SEED = SEED + (ENGINE === 'postgres' ? 1 : 0)
const REQUESTS = rounds(ENGINE === 'sqlite' ? 600 : 250, 20_000)

test(`${REQUESTS} requests, right, nearly right and hostile, are answered without a failure of ours and as declared`, async () => {
  const service = await startService()
  try {
    const { findings, statuses } = await fuzz(service, { requests: REQUESTS, seed: OWN_SEED })
    // Time is not asserted here: the machines that run this are shared.
    assert.deepEqual(
      findings.filter(({ what }) => !what.startsWith('more than a second')),
      [],
      `with TEST_SEED=${SEED}`,
    )
    const few = REQUESTS / 100
    for (const status of [200, 201, 204, 400, 404, 422])
      assert.ok((statuses.get(status) ?? 0) > few, `status ${status}: ${statuses.get(status)} of ${REQUESTS}`)
  } finally {
    await service.stop()
  }
})
