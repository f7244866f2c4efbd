import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startOfDay } from '../src/records/reader.ts'
import { fc } from './chance.ts'
import { startService } from './harness.ts'
import { rounds } from './thorough.ts'

/** Ranges of time, by whatever their ends are given, against a naive model. */

/** Around days of 23, 24 and 25 hours, and a zone that is not whole hours away. */
const ZONES = {
  'Europe/Berlin': ['2026-03-29', '2026-10-25'],
  'Asia/Kathmandu': ['2026-05-05'],
  'America/Santiago': ['2026-09-06'],
}

const dayIn = (zone: string, moment: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(moment))

type Bound = { kind: 'day' | 'seconds' | 'moment'; at: number }

const spelled = ({ kind, at }: Bound, zone: string) => {
  const moment = new Date(at).toISOString()
  return kind === 'day' ? dayIn(zone, moment) : kind === 'seconds' ? String(Math.floor(at / 1000)) : moment
}

/** Compares a moment with a bound by the part of it that the bound speaks of. */
function compare(moment: string, bound: Bound, zone: string): number {
  const said = spelled(bound, zone)
  const part =
    bound.kind === 'day'
      ? dayIn(zone, moment)
      : bound.kind === 'seconds' || said.endsWith('.000Z')
        ? Math.floor(Date.parse(moment) / 1000)
        : Date.parse(moment)
  const limit =
    bound.kind === 'day'
      ? said
      : bound.kind === 'seconds'
        ? Number(said)
        : said.endsWith('.000Z')
          ? Date.parse(said) / 1000
          : Date.parse(said)
  return part < limit ? -1 : part > limit ? 1 : 0
}

const HOLDS = {
  gte: (order: number) => order >= 0,
  gt: (order: number) => order > 0,
  lte: (order: number) => order <= 0,
  lt: (order: number) => order < 0,
}

for (const [zone, days] of Object.entries(ZONES))
  describe(`with the account in ${zone}`, () => {
    test('a range of times, seconds or whole days finds what a naive model finds', async () => {
      let now = new Date(0)
      const service = await startService({ clock: () => now, timeZone: zone })
      try {
        const edges = days.flatMap((day) => {
          const midnight = Date.parse(`${day}T00:00:00Z`)
          return Array.from({ length: 10 }, (_, n) => midnight + (n * 6 - 18) * 3_600_000 + (n % 3) * 999)
        })
        for (const day of days) edges.push(startOfDay(day, zone).getTime(), startOfDay(day, zone).getTime() - 1)
        const made: { id: number; at: string }[] = []
        for (const edge of edges.sort((a, b) => a - b)) {
          now = new Date(edge)
          const { id, created_at } = await service.hire()
          made.push({ id, at: created_at })
        }
        const around = fc
          .constantFrom(...edges)
          .chain((edge) => fc.integer({ min: -1500, max: 1500 }).map((ms) => edge + ms))
        const bound = fc.record({
          kind: fc.constantFrom('day', 'seconds', 'moment'),
          at: around,
        }) as fc.Arbitrary<Bound>
        const range = fc.dictionary(fc.constantFrom('gte', 'gt', 'lte', 'lt'), bound, { minKeys: 1 })
        await fc.assert(
          fc.asyncProperty(range, async (bounds) => {
            const query = Object.entries(bounds).map(([end, one]) => [`created_at[${end}]`, spelled(one, zone)])
            const { body } = await service.get(`/employees?per_page=200&${new URLSearchParams(query)}`)
            const expected = made.filter(({ at }) =>
              Object.entries(bounds).every(([end, one]) => HOLDS[end as keyof typeof HOLDS](compare(at, one, zone))),
            )
            assert.deepEqual(
              body.data.map((one: any) => one.id),
              expected.map(({ id }) => id),
              query.join('&'),
            )
          }),
          { numRuns: rounds(20, 120) },
        )
      } finally {
        await service.stop()
      }
    })
  })
