import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { entriesSince } from '../../src/records/entries.ts'
import { fc } from '../chance.ts'
import { type Service, startService } from '../harness.ts'
import { rounds } from '../thorough.ts'
import { leaveOf, type OnLeave } from './on-leave.ts'

let service: Service
/** A Wednesday. */
const TODAY = '2036-06-18'
let now = new Date(`${TODAY}T12:00:00Z`)
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

const make: Service['make'] = (path, values) => service.make(path, values)
const { person, ask, balance, days } = leaveOf(() => service)
const YEARLY = { type: 'accrual', yearly_amount: 30, credit: 'yearly' }

let places = 0
/** What is planned counts once it is announced: at once, here. */
const announced = (day: string) => (day > TODAY ? TODAY : null)

/** A place with holidays of its own, and none yet. */
async function place() {
  const policy = await make('/holiday_policies', { name: `Days of ${++places}`, country_code: 'AQ' })
  const location = await make('/locations', { name: `Place ${places}`, holiday_policy_id: policy.id })
  const holiday = (occurs_on: string, more = {}) =>
    make('/holidays', { holiday_policy_id: policy.id, name: `H ${occurs_on}`, occurs_on, ...more })
  return { policyId: policy.id as number, locationId: location.id as number, holiday }
}
const pattern = (name: string, ...hours: number[]) =>
  make('/working_patterns', {
    name,
    ...Object.fromEntries(
      ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day, n) => [`${day}_hours`, hours[n] ?? 0]),
    ),
  })

/** Somebody with a week around today, Monday to Friday, and one to come, with half a Tuesday. */
async function away(more: Record<string, unknown> = {}): Promise<OnLeave & { now: number; next: number }> {
  const who = await person(YEARLY, {}, { hired_on: '2036-01-01', ...more })
  const asked = { leave_request_entries: [{ occurs_on: '2036-07-08', amount: 0.5 }] }
  const current = (await ask(who, '2036-06-16', '2036-06-20', { skip_approval: true })).body.data
  const next = (await ask(who, '2036-07-07', '2036-07-11', asked)).body.data
  return { ...who, now: current.id, next: next.id }
}
const THIS_WEEK = { '2036-06-16': 1, '2036-06-17': 1, '2036-06-18': 1, '2036-06-19': 1, '2036-06-20': 1 }
const NEXT = { '2036-07-07': 1, '2036-07-08': 0.5, '2036-07-09': 1, '2036-07-10': 1, '2036-07-11': 1 }
const without = <T extends object>(all: T, ...names: string[]) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)))

describe('future leave days are recalculated when their basis changes', () => {
  test('a half holiday leaves half a day of leave, also when it is added later', async () => {
    const { locationId, holiday } = await place()
    await holiday('2036-07-09', { half_day: true })
    const who = await person(YEARLY, {}, { hired_on: '2036-01-01', location_id: locationId })
    const request = (await ask(who, '2036-07-07', '2036-07-11')).body.data
    assert.equal(request.amount, 4.5)
    const taken = { '2036-07-07': 1, '2036-07-08': 1, '2036-07-09': 0.5, '2036-07-10': 1, '2036-07-11': 1 }
    assert.deepEqual(await days(request.id), taken)
    await holiday('2036-07-10', { half_day: true })
    assert.deepEqual(await days(request.id), { ...taken, '2036-07-10': 0.5 })
    const whole = await ask(who, '2036-07-09', '2036-07-09')
    assert.equal(whole.body.errors[0].code, 'overlap', 'nothing is left of it')
    const refused = await ask(who, '2036-08-04', '2036-08-04', {
      leave_request_entries: [{ occurs_on: '2036-08-04', amount: 1 }],
    })
    assert.equal(refused.status, 201)
  })

  test('when a holiday is added, moved, made working or deleted; past days stay', async () => {
    const { locationId, holiday } = await place()
    const who = await away({ location_id: locationId })
    assert.deepEqual([await days(who.now), await days(who.next)], [THIS_WEEK, NEXT])
    const before = await balance(who.id, '2036-12-31')
    const gone = await holiday('2036-06-17')
    const today = await holiday(TODAY)
    const half = await holiday('2036-07-08')
    assert.deepEqual(await days(who.now), without(THIS_WEEK, TODAY))
    assert.deepEqual(await days(who.next), without(NEXT, '2036-07-08'))
    assert.equal(await balance(who.id, '2036-12-31'), before + 1.5)
    await service.put(`/holidays/${half.id}`, { occurs_on: '2036-07-10' })
    assert.deepEqual(await days(who.next), without(NEXT, '2036-07-10'))
    await service.put(`/holidays/${half.id}`, { working: true })
    assert.deepEqual(await days(who.next), NEXT)
    await service.put(`/holidays/${half.id}`, { working: false, occurs_on: '2036-07-08' })
    await service.delete(`/holidays/${half.id}`)
    assert.deepEqual(await days(who.next), NEXT, 'half a day comes back as half a day')
    await service.delete(`/holidays/${gone.id}`)
    await service.delete(`/holidays/${today.id}`)
    assert.deepEqual(await days(who.now), THIS_WEEK)
    assert.equal(await balance(who.id, '2036-12-31'), before)
  })

  test('when a holiday of a distant year is entered as working, and deleted', async () => {
    const policy = await make('/holiday_policies', { name: `Far ${++places}`, country_code: 'DE' })
    const location = await make('/locations', { name: `Far ${places}`, holiday_policy_id: policy.id })
    const who = await person(YEARLY, {}, { hired_on: '2036-01-01', location_id: location.id })
    const far = (await ask(who, '2040-05-01', '2040-05-02')).body.data
    assert.deepEqual(await days(far.id), { '2040-05-02': 1 })
    const worked = { holiday_policy_id: policy.id, name: 'Maifeiertag', occurs_on: '2040-05-01', working: true }
    const { id } = await make('/holidays', worked)
    assert.deepEqual(await days(far.id), { '2040-05-01': 1, '2040-05-02': 1 })
    await service.delete(`/holidays/${id}`)
    assert.deepEqual(await days(far.id), { '2040-05-02': 1 })
  })

  test('when the location of the employee, or the location itself, changes in any way', async () => {
    const [one, two] = [await place(), await place()]
    await two.holiday('2036-07-09')
    const who = await away({ location_id: one.locationId })
    const free = without(NEXT, '2036-07-09')
    await service.send('PATCH', '/employees/bulk', { json: { data: [{ id: who.id, location_id: two.locationId }] } })
    assert.deepEqual(await days(who.next), free)
    await service.put(`/employees/${who.id}`, { location_id: one.locationId })
    assert.deepEqual(await days(who.next), NEXT)
    const path = `/employees/${who.id}/positions`
    const entry = await make(path, { effective_from: '2036-07-09', announced_on: TODAY, location_id: two.locationId })
    assert.deepEqual(await days(who.next), free)
    await service.put(`${path}/${entry.id}`, { effective_from: '2036-07-10' })
    assert.deepEqual(await days(who.next), NEXT)
    await service.put(`${path}/${entry.id}`, { effective_from: '2036-07-08' })
    assert.deepEqual(await days(who.next), free)
    await service.delete(`${path}/${entry.id}`)
    assert.deepEqual(await days(who.next), NEXT)
    await service.put(`/locations/${one.locationId}`, { holiday_policy_id: two.policyId })
    assert.deepEqual(await days(who.next), free)
    await service.put(`/locations/${one.locationId}`, { holiday_policy_id: null })
    assert.deepEqual(await days(who.next), NEXT)
  })

  test('when the working pattern changes; two requests never take more than the day has left', async () => {
    const noFriday = await pattern('No Friday', 8, 8, 8, 8, 0)
    const who = await away()
    await service.put(`/employees/${who.id}`, { working_pattern_id: noFriday.id })
    assert.deepEqual(
      [await days(who.now), await days(who.next)],
      [without(THIS_WEEK, '2036-06-20'), without(NEXT, '2036-07-11')],
    )
    await service.put(`/working_patterns/${noFriday.id}`, { friday_hours: 4 })
    assert.deepEqual(await days(who.next), NEXT)

    const byHour = await person({ type: 'external' }, { unit: 'hours' }, { hired_on: '2036-01-01' })
    const asked = (amount: number) => ({ leave_request_entries: [{ occurs_on: '2036-07-01', amount }] })
    const first = (await ask(byHour, '2036-07-01', '2036-07-01', asked(5))).body.data
    const second = (await ask(byHour, '2036-07-01', '2036-07-01', asked(3))).body.data
    const short = await pattern('Short', 6, 6, 6, 6, 6)
    await service.put(`/employees/${byHour.id}`, { working_pattern_id: short.id })
    assert.deepEqual([await days(first.id), await days(second.id)], [{ '2036-07-01': 5 }, { '2036-07-01': 1 }])
    await service.put(`/working_patterns/${short.id}`, { tuesday_hours: 4 })
    assert.deepEqual([await days(first.id), await days(second.id)], [{ '2036-07-01': 4 }, {}])
    await service.put(`/working_patterns/${short.id}`, { tuesday_hours: 8 })
    assert.deepEqual([await days(first.id), await days(second.id)], [{ '2036-07-01': 5 }, { '2036-07-01': 3 }])
  })

  test('when the employment is shortened, past days included, and again when that is reversed', async () => {
    const who = await away()
    await service.post(`/employees/${who.id}/terminate`, { effective_from: '2036-06-17' })
    assert.deepEqual([await days(who.now), await days(who.next)], [{ '2036-06-16': 1 }, {}])
    await service.post(`/employees/${who.id}/activate`)
    assert.deepEqual([await days(who.now), await days(who.next)], [THIS_WEEK, NEXT])
    await service.put(`/employees/${who.id}`, { hired_on: '2036-06-17' })
    assert.deepEqual(await days(who.now), without(THIS_WEEK, '2036-06-16'))
    await service.send('PATCH', '/employees/bulk', { json: { data: [{ id: who.id, hired_on: '2036-02-01' }] } })
    assert.deepEqual(await days(who.now), THIS_WEEK)
  })

  test('when the policy terms change', async () => {
    const who = await away()
    const request = (await ask(who, '2036-07-18', '2036-07-21')).body.data
    await service.put(`/leave_policies/${who.policyId}`, { counted_as: 'calendar_days', effective_from: '2036-07-20' })
    assert.deepEqual(await days(request.id), { '2036-07-18': 1, '2036-07-20': 1, '2036-07-21': 1 })
    const term = (await service.get(`/leave_policies/${who.policyId}/terms`)).body.data.at(-1)
    await service.delete(`/leave_policies/${who.policyId}/terms/${term.id}`)
    assert.deepEqual(await days(request.id), { '2036-07-18': 1, '2036-07-21': 1 })
  })

  test('but not for rejected or withdrawn requests', async () => {
    const { locationId, holiday } = await place()
    const who = await away({ location_id: locationId })
    await service.post(`/leave_requests/${who.next}/withdraw`)
    await holiday('2036-07-09')
    assert.deepEqual(await days(who.next), NEXT)
  })
})

test('recalculated days are in the ledger under the request that caused them, and update the leave request', async () => {
  const { locationId, holiday } = await place()
  const who = await away({ location_id: locationId })
  const seen = (await service.get(`/leave_requests/${who.next}`)).body.data
  now = new Date(now.getTime() + 1000)
  const last = async () => (await entriesSince(service.database, service.account.id, 0, 1_000_000)).at(-1)?.number ?? 0
  const before = await last()
  await holiday('2036-07-09')
  const entries = await entriesSince(service.database, service.account.id, before)
  assert.deepEqual(
    entries.map(({ operation, resource, action }) => [operation, resource, action]),
    [
      ['createHoliday', 'holidays', 'create'],
      ['createHoliday', 'leave_entries', 'delete'],
      ['createHoliday', 'leave_requests', 'update'],
    ],
  )
  assert.equal(new Set(entries.map((entry) => entry.request_id)).size, 1)
  const then = (await service.get(`/leave_requests/${who.next}`)).body.data
  assert.ok(then.updated_at > seen.updated_at)
  // As many days, but under another policy: that is a change of the request, too.
  now = new Date(now.getTime() + 1000)
  const other = await make('/leave_policies', { name: 'Same days', leave_type_id: who.leave_type_id, ...YEARLY })
  await make(`/employees/${who.id}/leave_types`, {
    leave_type_id: who.leave_type_id,
    leave_type_policy_id: other.id,
    effective_on: '2036-07-01',
  })
  const finally_ = (await service.get(`/leave_requests/${who.next}`)).body.data
  assert.deepEqual([finally_.amount, finally_.entries[0].leave_type_policy_id], [then.amount, other.id])
  assert.ok(finally_.updated_at > then.updated_at)
})

test('recalculating 20 people takes as many statements as one, and none if nobody is affected', async () => {
  const counted = async (work: () => Promise<unknown>, about = '') => {
    let n = 0
    service.onStatement = (statement) => {
      if (statement.includes(about)) n++
    }
    await work()
    service.onStatement = undefined
    return n
  }
  const [few, many] = [await place(), await place()]
  await away({ location_id: few.locationId })
  for (let n = 0; n < 20; n++) await away({ location_id: many.locationId })
  const one = await counted(() => few.holiday('2036-07-09'))
  const twenty = await counted(() => many.holiday('2036-07-09'))
  assert.ok(twenty <= one + 2, `${twenty} and ${one}`)
  const renamed = (await service.get(`/holidays?holiday_policy_ids[]=${few.policyId}`)).body.data[0]
  assert.equal(await counted(() => service.put(`/holidays/${renamed.id}`, { name: 'Other' }), 'leave_'), 0)
  assert.equal(await counted(() => make('/divisions', { name: 'x' }), 'leave_'), 0)
  const people = (await service.get('/employees')).body.data.slice(0, 30)
  const moved = (hired_on: string, some: any[]) =>
    counted(() =>
      service.send('PATCH', '/employees/bulk', { json: { data: some.map(({ id }) => ({ id, hired_on })) } }),
    )
  const [small, large] = [await moved('2036-01-02', people.slice(0, 2)), await moved('2036-01-03', people)]
  assert.ok(large <= small + 8, `${large} and ${small}`)
})

test('after any sequence of changes, days equal a naive recount', async () => {
  const date = (n: number) => new Date(Date.UTC(2036, 5, 1 + n)).toISOString().slice(0, 10)
  const all = Array.from({ length: 60 }, (_, n) => date(n))
  const [one, two] = [await place(), await place()]
  const patterns = [null, await pattern('Random', 8, 0, 8, 4, 6)]
  const hoursOf = [
    [0, 8, 8, 8, 8, 8, 0],
    [0, 8, 0, 8, 4, 6, 0],
  ]
  const day = fc.integer({ min: 0, max: 59 })
  const step = fc.oneof(
    fc.record({ kind: fc.constant('holiday' as const), at: fc.constantFrom(0, 1), n: day }),
    fc.record({ kind: fc.constant('move' as const), at: fc.constantFrom(0, 1), n: day }),
    fc.record({ kind: fc.constant('pattern' as const), n: day }),
    fc.record({ kind: fc.constant('leave' as const), n: day }),
    fc.record({ kind: fc.constant('return' as const) }),
    fc.record({ kind: fc.constant('hire' as const), n: fc.integer({ min: 0, max: 30 }) }),
  )
  const asked = fc.record({
    from: fc.integer({ min: 0, max: 50 }),
    length: fc.integer({ min: 0, max: 9 }),
    halves: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(asked, { minLength: 1, maxLength: 4 }),
      fc.array(step, { maxLength: 6 }),
      async (requests, steps) => {
        const who = await person({ type: 'external' }, {}, { hired_on: '2036-01-01' })
        const holidays = [new Map<string, number>(), new Map<string, number>()]
        let [hired, left] = ['2036-01-01', '9999-12-31']
        const moves = new Map<string, number>()
        let patternFrom = '9999-12-31'
        const inForce = (entries: Map<string, number>, today: string) =>
          [...entries]
            .filter(([from]) => from <= today)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .at(-1)?.[1]
        const isWorked = (today: string) => {
          const where = inForce(moves, today)
          if (today < hired || today >= left) return false
          if (where !== undefined && holidays[where]?.has(today)) return false
          return (hoursOf[today >= patternFrom ? 1 : 0]?.[new Date(`${today}T00:00:00Z`).getUTCDay()] ?? 0) > 0
        }
        const made: { id: number; first: string; last: string; amount: number; taken: Map<string, number> }[] = []
        const recount = (isConcerned: (today: string) => boolean) => {
          for (const today of all.filter(isConcerned)) {
            let free = 1
            for (const { first, last, amount, taken } of made) {
              if (today < first || today > last) continue
              const wanted = isWorked(today) ? Math.min(amount, free) : 0
              free -= wanted
              if (wanted > 0) taken.set(today, wanted)
              else taken.delete(today)
            }
          }
        }
        for (const { from, length, halves } of requests) {
          const span = all.slice(from, from + length + 1)
          const worked = span.filter(isWorked)
          const leave_request_entries = halves ? worked.map((occurs_on) => ({ occurs_on, amount: 0.5 })) : []
          const answer = await ask(who, span[0] as string, span.at(-1) as string, { leave_request_entries })
          const amount = halves ? 0.5 : 1
          const fits = worked.every(
            (today) => made.reduce((sum, { taken }) => sum + (taken.get(today) ?? 0), 0) + amount <= 1,
          )
          assert.equal(answer.status, fits && worked.length > 0 ? 201 : 422, answer.text)
          if (answer.status === 201)
            made.push({
              id: answer.body.data.id,
              first: span[0] as string,
              last: span.at(-1) as string,
              amount,
              taken: new Map(worked.map((today) => [today, amount])),
            })
        }
        const isToCome = (today: string) => today >= TODAY
        for (const one_ of steps) {
          if (one_.kind === 'holiday') {
            const known = holidays[one_.at]?.get(date(one_.n))
            if (known) await service.delete(`/holidays/${known}`)
            else {
              const { id } = await (one_.at ? two : one).holiday(date(one_.n))
              holidays[one_.at]?.set(date(one_.n), id)
            }
            if (known) holidays[one_.at]?.delete(date(one_.n))
            recount(isToCome)
          } else if (one_.kind === 'move') {
            if (moves.has(date(one_.n)) || date(one_.n) < hired || date(one_.n) >= left) continue
            await make(`/employees/${who.id}/positions`, {
              effective_from: date(one_.n),
              announced_on: announced(date(one_.n)),
              location_id: (one_.at ? two : one).locationId,
            })
            moves.set(date(one_.n), one_.at)
            recount(isToCome)
          } else if (one_.kind === 'pattern') {
            if (patternFrom !== '9999-12-31' || date(one_.n) < hired || date(one_.n) >= left) continue
            await make(`/employees/${who.id}/employment_statuses`, {
              effective_from: date(one_.n),
              announced_on: announced(date(one_.n)),
              working_pattern_id: patterns[1].id,
            })
            patternFrom = date(one_.n)
            recount(isToCome)
          } else if (one_.kind === 'hire') {
            const before = hired
            if (date(one_.n) > left) continue
            const answer = await service.put(`/employees/${who.id}`, { hired_on: date(one_.n) })
            // The first day cannot move past a later entry.
            const isPassing = [...moves.keys(), patternFrom].some((from) => from > before && from <= date(one_.n))
            assert.equal(answer.status, isPassing ? 422 : 200, answer.text)
            if (isPassing) continue
            hired = date(one_.n)
            const [low, high] = [before, hired].sort() as [string, string]
            recount((today) => low <= today && today < high)
          } else {
            const before = left
            const next = one_.kind === 'leave' ? date(one_.n) : '9999-12-31'
            const answer =
              one_.kind === 'leave'
                ? await service.post(`/employees/${who.id}/terminate`, {
                    effective_from: next,
                    announced_on: announced(next),
                  })
                : await service.post(`/employees/${who.id}/activate`)
            if (answer.status !== 200) continue
            left = next
            const [low, high] = [before, left].sort() as [string, string]
            recount((today) => low <= today && today < high)
          }
        }
        const inOrder = (taken: Map<string, number>) =>
          Object.fromEntries([...taken].sort(([a], [b]) => (a < b ? -1 : 1)))
        for (const { id, taken } of made) assert.deepEqual(await days(id), inOrder(taken))
        for (const map of holidays) for (const id of map.values()) await service.delete(`/holidays/${id}`)
      },
    ),
    { numRuns: rounds(8, 40) },
  )
})
