import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { MAX_PREPARED } from '../src/database/sqlite-statements.ts'
import { SEED } from './chance.ts'
import { fuzz } from './fuzz.ts'
import { ENGINE, startService } from './harness.ts'
import { rounds } from './thorough.ts'

/** On each engine other requests: what chance chooses is more, and what goes wrong on one mostly does on the other. */
const OWN_SEED = SEED + (ENGINE === 'postgres' ? 1 : 0)
const REQUESTS = rounds(ENGINE === 'sqlite' ? 600 : 250, 20_000)

test(`${REQUESTS} valid, nearly valid and hostile requests cause no server error and match the declared responses`, async () => {
  const statements = countStatements()
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
    if (ENGINE === 'sqlite') {
      assert.ok(statements.prepared > 3 * MAX_PREPARED, `only ${statements.prepared} statements were prepared`)
      const most = CONNECTIONS * MAX_PREPARED
      assert.ok(statements.open <= most, `${statements.open} statements are open, of ${most} at most`)
      assert.ok(statements.open < statements.prepared, 'no connection came to its bound')
    }
  } finally {
    statements.stop()
    await service.stop()
  }
})

/** One that writes, four that read, and one that is asked for keys. */
const CONNECTIONS = 6

/** Counts the prepared statements of this process: their memory is outside the heap. */
function countStatements() {
  const { prototype } = DatabaseSync
  const { prepare } = prototype
  const counted = {
    prepared: 0,
    open: 0,
    stop() {
      prototype.prepare = prepare
    },
  }
  prototype.prepare = function (...given) {
    const statement = prepare.apply(this, given) as ReturnType<typeof prepare> & { close: () => void }
    const { close } = statement
    counted.prepared++
    counted.open++
    statement.close = () => {
      counted.open--
      close.call(statement)
    }
    return statement
  }
  return counted
}
