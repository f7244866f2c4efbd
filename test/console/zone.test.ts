import assert from 'node:assert/strict'
import { test } from 'node:test'
import { momentOf, onTheWall } from '../../console/screens/time/zone.ts'

/** Moments by the clock on the wall, on days on which it is put forward or back. */

test('a day without a midnight starts at its first moment', () => {
  for (const [zone, day, begins] of [
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
  ] as const) {
    assert.equal(momentOf(day, '00:00', zone), begins, zone)
    assert.deepEqual(onTheWall(begins, zone), { day, time: '01:00' })
  }
})

test('a skipped local time counts from before the change, and a repeated one is the first', () => {
  assert.equal(momentOf('2026-03-29', '02:30', 'Europe/Berlin'), '2026-03-29T01:30:00.000Z')
  assert.equal(momentOf('2026-03-29', '03:30', 'Europe/Berlin'), '2026-03-29T01:30:00.000Z')
  assert.equal(momentOf('2026-11-01', '01:30', 'America/New_York'), '2026-11-01T05:30:00.000Z')
  assert.equal(momentOf('2026-04-05', '01:40', 'Australia/Lord_Howe'), '2026-04-04T14:40:00.000Z')
})

test('every other local time is the moment at which the clock shows it', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'America/Santiago'])
    for (let month = 1; month <= 12; month++)
      for (const time of ['04:00', '12:15', '23:59']) {
        const day = `2026-${String(month).padStart(2, '0')}-17`
        assert.deepEqual(onTheWall(momentOf(day, time, zone), zone), { day, time })
      }
})
