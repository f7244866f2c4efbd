import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { connect } from '../../src/database/connect.ts'
import { daysAfter, daysFrom } from '../../src/engine/day.ts'
import { fc } from '../chance.ts'
import { type Answer, type Service, startService } from '../harness.ts'
import { rounds } from '../thorough.ts'

/** A change of a working pattern holds from a day on: the days before keep their hours. */

let service: Service
const TODAY = '2036-06-18'
let now = new Date(`${TODAY}T12:00:00Z`)
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

let count = 0
const WEEK = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const FULL = { monday_hours: 8, tuesday_hours: 8, wednesday_hours: 8, thursday_hours: 8, friday_hours: 8 }

async function worker(values: object = FULL) {
  const pattern = await service.make('/working_patterns', { name: `Pattern ${++count}`, ...values })
  const person = await service.hire({ hired_on: '2036-01-01', working_pattern_id: pattern.id })
  return { path: `/working_patterns/${pattern.id}`, id: person.id as number }
}
/** Hours that were to be worked on each day. */
async function expected(id: number, first: string, last: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (let from = first; from <= last; from = daysAfter(from, 60)) {
    const to = daysAfter(from, 59) < last ? daysAfter(from, 59) : last
    const { body } = await service.get(`/time/timesheets?employee_id=${id}&starts_on=${from}&ends_on=${to}&days=true`)
    for (const { date, expected_minutes } of body.data[0].days) found[date] = expected_minutes / 60
  }
  return found
}
async function done(answer: Promise<Answer>): Promise<Answer> {
  const { status, text } = await answer
  assert.ok(status < 300, text)
  return answer
}
const undo = (answer: Answer) => service.post(`/requests/${answer.headers.get('x-request-id')}/undo`)

describe('changed working pattern hours', () => {
  test('apply from today on and leave past days as they were, also after undo and redo', async () => {
    const { path, id } = await worker()
    const friday = async () => {
      const days = await expected(id, '2036-06-13', '2036-06-27')
      return [days['2036-06-13'], days['2036-06-20'], days['2036-06-27']]
    }
    const changed = await done(service.put(path, { friday_hours: 4 }))
    assert.deepEqual(await friday(), [8, 4, 4])
    const { id: _, created_at, updated_at, ...shown } = changed.body.data
    assert.deepEqual(
      [Object.keys(shown).sort(), shown.friday_hours],
      [['name', ...WEEK.map((day) => `${day}_hours`)].sort(), '4.0'],
    )
    const back = await done(undo(changed))
    assert.deepEqual(await friday(), [8, 8, 8])
    await done(undo(back))
    assert.deepEqual(await friday(), [8, 4, 4])
    await done(service.put(path, { name: `Renamed ${++count}` }))
    await done(service.put(path, { friday_hours: 4 }))
    assert.deepEqual(await friday(), [8, 4, 4])
  })

  test("apply from effective_from, in the past or future; the record shows today's hours", async () => {
    const { path, id } = await worker()
    const planned = await done(service.put(path, { friday_hours: 2, effective_from: '2036-07-01' }))
    assert.equal(planned.body.data.friday_hours, '8.0')
    const days = await expected(id, '2036-06-01', '2036-07-31')
    assert.deepEqual([days['2036-06-27'], days['2036-07-04']], [8, 2])
    await done(service.put(path, { friday_hours: 6, effective_from: '2036-06-10' }))
    const later = await expected(id, '2036-06-01', '2036-07-31')
    assert.deepEqual(
      ['2036-06-06', '2036-06-13', '2036-06-27', '2036-07-04'].map((day) => later[day]),
      [8, 6, 6, 2],
    )
    assert.equal((await service.get(path)).body.data.friday_hours, '6.0')
    const refused = await service.put(path, { name: 'Only a name', effective_from: '2036-07-01' })
    assert.deepEqual([refused.status, refused.body.errors[0].field], [422, 'effective_from'])
  })

  test('that are planned keep changes made before their date', async () => {
    const { path, id } = await worker()
    await done(service.put(path, { friday_hours: 0, effective_from: '2036-09-01' }))
    await done(service.put(path, { monday_hours: 4 }))
    const days = await expected(id, '2036-06-23', '2036-09-05')
    assert.deepEqual(
      ['2036-06-23', '2036-09-01', '2036-06-27', '2036-09-05'].map((day) => days[day]),
      [4, 4, 8, 0],
    )
  })

  test('are copied into the record on their date', async () => {
    const { path } = await worker()
    await done(service.put(path, { monday_hours: 1, effective_from: '2036-08-01' }))
    const start = async (day: string) => {
      const clock = () => new Date(`${day}T12:00:00Z`)
      const config = { ...readConfig({}), LOG_LEVEL: 'silent' as const }
      const app = await buildApp({ config, database: connect(service.databaseUrl), clock })
      await app.ready()
      await app.close()
    }
    await start('2036-07-31')
    assert.equal((await service.get(path)).body.data.monday_hours, '8.0')
    await start('2036-08-01')
    assert.equal((await service.get(path)).body.data.monday_hours, '1.0')
    const history = (await service.get(`${path}/history`)).body.data
    assert.ok(history.length >= 3, JSON.stringify(history))
  })

  test('are shown by a dry run without being saved, and each version is in the history', async () => {
    const { path, id } = await worker()
    const json = { friday_hours: 3, effective_from: '2036-07-01' }
    const tried = await service.send('PUT', path, { json, headers: { prefer: 'dry-run' } })
    assert.equal(tried.status, 200, tried.text)
    assert.match(tried.text, /"effective_from":"2036-07-01"/)
    assert.equal((await expected(id, '2036-07-01', '2036-07-05'))['2036-07-04'], 8)
    await done(service.put(path, json))
    assert.match((await service.get(`${path}/history`)).text, /"effective_from":"2036-07-01"/)
  })

  test('recalculate future leave and keep past leave', async () => {
    const { path, id } = await worker()
    const type = await service.make('/leave_types', { name: `Leave ${++count}` })
    const terms = { leave_type_id: type.id, type: 'external' }
    const policy = await service.make('/leave_policies', { name: `Leave ${count}`, ...terms })
    const assigned = { leave_type_id: type.id, leave_type_policy_id: policy.id, effective_on: '2036-01-01' }
    await service.make(`/employees/${id}/leave_types`, assigned)
    const days = { starts_on: '2036-06-09', ends_on: '2036-07-18' }
    const leave = await service.make('/leave_requests', { employee_id: id, leave_type_id: type.id, ...days })
    const taken = async () =>
      (await service.get(`/leave_requests/${leave.id}`)).body.data.entries.map(({ date }: any) => date)
    const all = await taken()
    const isFriday = (day: string) => new Date(day).getUTCDay() === 5
    await done(service.put(path, { friday_hours: 0, effective_from: '2036-07-01' }))
    assert.deepEqual(
      await taken(),
      all.filter((day: string) => !(isFriday(day) && day >= '2036-07-01')),
    )
    await done(service.put(path, { friday_hours: 0, effective_from: '2036-06-01' }))
    assert.deepEqual(
      await taken(),
      all.filter((day: string) => !(isFriday(day) && day >= TODAY)),
    )
  })

  test('match a naive day-by-day count after any sequence of changes and undos', async () => {
    const FIRST = '2036-05-01'
    const day = (n: number) => daysAfter(FIRST, n)
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('change' as const),
        from: fc.option(fc.integer({ min: 0, max: 100 })),
        weekday: fc.integer({ min: 0, max: 6 }),
        hours: fc.integer({ min: 0, max: 10 }),
      }),
      fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ kind: fc.constant('undo' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        now = new Date(`${TODAY}T12:00:00Z`)
        const { path, id } = await worker()
        // Each day by itself: its hours, and of which days of the week something begins on it.
        type Naive = { hours: number[][]; starts: Set<string> }
        const week = [0, 8, 8, 8, 8, 8, 0]
        let naive: Naive = { hours: Array.from({ length: 110 }, () => [...week]), starts: new Set() }
        const past: { answer: Answer; was: Naive }[] = []
        for (const one of steps) {
          if (one.kind === 'wait') now = new Date(now.getTime() + one.days * 86_400_000)
          else if (one.kind === 'undo') {
            const last = past.pop()
            if (!last) continue
            await done(undo(last.answer))
            naive = last.was
          } else {
            const today = Math.round((Date.parse(now.toISOString().slice(0, 10)) - Date.parse(FIRST)) / 86_400_000)
            const from = one.from ?? today
            const body = { [`${WEEK[one.weekday]}_hours`]: one.hours }
            const dated = one.from === null ? {} : { effective_from: day(from) }
            const answer = await done(service.put(path, { ...body, ...dated }))
            if (naive.hours[from]?.[one.weekday] === one.hours) continue
            past.push({ answer, was: naive })
            naive = { hours: naive.hours.map((row) => [...row]), starts: new Set(naive.starts) }
            for (let n = from; n < 110 && (n === from || !naive.starts.has(`${n} ${one.weekday}`)); n++)
              (naive.hours[n] as number[])[one.weekday] = one.hours
            naive.starts.add(`${from} ${one.weekday}`)
          }
        }
        const wanted = Object.fromEntries(
          daysFrom(FIRST, day(100)).map((one, n) => [one, naive.hours[n]?.[new Date(one).getUTCDay()]]),
        )
        assert.deepEqual(await expected(id, FIRST, day(100)), wanted)
      }),
      { numRuns: rounds(10, 50) },
    )
    now = new Date(`${TODAY}T12:00:00Z`)
  })
})
