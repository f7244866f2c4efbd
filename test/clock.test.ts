import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectJumps } from '../src/records/clock.ts'
import { startService } from './harness.ts'

const dates = ({ body }: { body: any }) => [body.data.created_at.slice(0, 10), body.data.updated_at.slice(0, 10)]

test('after a clock that was years ahead is corrected, new records have the right time', async () => {
  let now = new Date('2036-05-01T00:00:00Z')
  const service = await startService({ clock: () => now })
  try {
    await service.post('/divisions', { name: 'Too early' })
    now = new Date('2026-05-02T00:00:00Z')
    assert.deepEqual(dates(await service.post('/divisions', { name: 'In time' })), ['2026-05-02', '2026-05-02'])
    assert.deepEqual(dates(await service.put('/divisions/1', { name: 'Renamed' })), ['2036-05-01', '2026-05-02'])
    const entries: any[] = await service.database.query((sql) =>
      sql.selectFrom('ledger').select(['no', 'at']).where('resource', '=', 'divisions').orderBy('no').execute(),
    )
    assert.deepEqual(
      entries.map((entry) => entry.at.slice(0, 4)),
      ['2036', '2026', '2026'],
    )
  } finally {
    await service.stop()
  }
})

test('clock differences below minutes never make time run backwards', async () => {
  let now = new Date('2026-05-02T00:01:00Z')
  const service = await startService({ clock: () => now })
  try {
    const first = await service.post('/divisions', { name: 'By one process' })
    now = new Date('2026-05-02T00:00:30Z')
    const second = await service.post('/divisions', { name: 'By another, whose clock is slow' })
    assert.ok(second.body.data.created_at >= first.body.data.created_at)
  } finally {
    await service.stop()
  }
})

test('a clock jump is reported, normal time is not', () => {
  const jumps: number[] = []
  const state = { clock: 0, passed: 0 }
  const clock = detectJumps(
    () => new Date(state.clock),
    (by) => void jumps.push(by),
    () => state.passed,
  )
  const move = (clockBy: number, passedBy: number) => {
    state.clock += clockBy
    state.passed += passedBy
    clock()
  }
  move(86_400_000, 86_400_000)
  move(60_000, 0)
  assert.deepEqual(jumps, [])
  move(3_600_000, 1000)
  move(-7_200_000, 0)
  assert.deepEqual(jumps, [3_599_000, -7_200_000])
})
