import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../harness.ts'
import { oneEngineTest } from '../thorough.ts'

let service: Service
const everyone: number[] = []

before(async () => {
  service = await startService()
  await service.post('/departments', { name: 'D' })
  await service.post('/employee_fields', { name: 'Size', type: 'single_select', options: ['S', 'M'] })
  for (let n = 0; n < 505; n++)
    everyone.push(
      (await service.post('/employees', { first_name: 'P', last_name: `${n}`, email: `p${n}@example.com` })).body.data
        .id,
    )
})
after(() => service.stop())

const bulk = (data: unknown[], sending = {}) => service.send('PATCH', '/employees/bulk', { json: { data }, ...sending })

oneEngineTest(
  'a bulk update of 500 items with 100 invalid ones reports each item once and stores nothing of an invalid one',
  async () => {
    const bad: ((id: number, n: number) => Record<string, unknown>)[] = [
      (_id, n) => ({ id: 900_000 + n, first_name: 'Nobody' }),
      (id) => ({ id, email: 'no address' }),
      (id) => ({ id, email: 'P504@example.com' }),
      (id) => ({ id, department_id: 999, first_name: 'Changed' }),
      (id) => ({ id, hired_on: '2024-02-30', first_name: 'Changed' }),
      (id) => ({ id, first_name: '' }),
      (id) => ({ id, reporting_to_id: id, first_name: 'Changed' }),
      (id) => ({ id, size: 'XXL', first_name: 'Changed' }),
      (id) => ({ id, first_name: 'x'.repeat(256) }),
      () => ({ id: everyone[0], first_name: 'Repeated' }),
    ]
    const items = everyone
      .slice(0, 500)
      .map((id, n) =>
        n % 5 === 4
          ? bad[Math.floor(n / 5) % bad.length]!(id, n)
          : { id, first_name: `New ${n}`, department_id: 1, size: 'M' },
      )
    const statements: string[] = []
    service.onStatement = (statement) => statements.push(statement)
    const { status, body } = await bulk(items)
    service.onStatement = undefined
    assert.equal(status, 200)
    assert.ok(statements.length < 40, `${statements.length} statements`)

    assert.equal(body.records.count, 400)
    assert.equal(body.errors.count, 100)
    assert.deepEqual(
      body.records.data.map((one: any) => one.id),
      items.filter((_, n) => n % 5 !== 4).map((item) => item.id),
    )
    assert.deepEqual(
      body.errors.data.map((one: any) => one.index),
      items.flatMap((_, n) => (n % 5 === 4 ? [n] : [])),
    )
    for (const error of body.errors.data) {
      assert.equal(error.id, items[error.index]!.id)
      assert.deepEqual(
        error.messages,
        error.errors.map((one: any) => one.message),
      )
      assert.ok(error.errors.length > 0)
    }
    for (const record of body.records.data) {
      assert.match(record.first_name, /^New/)
      assert.equal(record.department.id, 1)
      assert.equal(record.fields.size.value, 'M')
      assert.ok('direct_reports' in record)
    }
    for (const [n, id] of everyone.slice(0, 500).entries()) {
      if (n % 5 !== 4) continue
      const { data } = (await service.get(`/employees/${id}`)).body
      assert.deepEqual(
        [data.first_name, data.email, data.department, data.hired_on],
        ['P', `p${n}@example.com`, null, null],
      )
    }
  },
)

oneEngineTest('the number of statements does not grow with the number of items', async () => {
  const change = (size: number, first_name: string, boss: number, shirt: string) =>
    bulk(everyone.slice(0, size).map((id) => ({ id, first_name, reporting_to_id: everyone[boss], size: shirt })))
  const count = async (work: () => Promise<unknown>) => {
    let statements = 0
    // That a key was used is noted once in a while.
    service.onStatement = (text) => {
      if (!text.includes('api_key_uses')) statements++
    }
    await work()
    service.onStatement = undefined
    return statements
  }
  await change(400, 'First', 500, 'S')
  assert.equal(await count(() => change(400, 'Many', 501, 'M')), await count(() => change(20, 'Few', 502, 'S')))
})

test('items apply in order: of two that together make a cycle or share an e-mail, the second fails', async () => {
  const [a, b] = [everyone[501], everyone[502]]
  const circle = await bulk([
    { id: a, reporting_to_id: b },
    { id: b, reporting_to_id: a },
  ])
  assert.deepEqual(
    [circle.body.records.data[0].id, circle.body.errors.data[0].id, circle.body.errors.data[0].errors[0].code],
    [a, b, 'cycle'],
  )
  const duplicates = await bulk([
    { id: a, email: 'same@example.com' },
    { id: b, email: 'SAME@example.com' },
  ])
  assert.deepEqual([duplicates.body.records.count, duplicates.body.errors.data[0].errors[0].code], [1, 'taken'])
})

test('more than 500 items are rejected, and unknown field names are reported', async () => {
  assert.equal((await bulk(Array.from({ length: 501 }, () => ({ id: 1 })))).body.errors[0].code, 'too_many')
  assert.deepEqual((await bulk([])).body, { records: { count: 0, data: [] }, errors: { count: 0, data: [] } })
  const ignored = await bulk([{ id: everyone[0], shoe: 44 }])
  assert.equal(ignored.headers.get('cadre-ignored'), 'data[0].shoe')
  const strict = await bulk([{ id: everyone[0], first_name: 'Never', shoe: 44 }], {
    headers: { prefer: 'handling=strict' },
  })
  assert.equal(strict.status, 400)
  assert.notEqual((await service.get(`/employees/${everyone[0]}`)).body.data.first_name, 'Never')
})

test('an item that is not an object fails alone; a body without a list fails as a whole', async () => {
  const [one] = everyone as [number]
  const answer = await bulk(['x', null, [1], { id: one, middle_name: 'Kept' }])
  assert.equal(answer.status, 200)
  assert.deepEqual(
    answer.body.errors.data.map((error: any) => [error.index, error.id, error.errors[0].code]),
    [0, 1, 2].map((index) => [index, null, 'wrong_type']),
  )
  assert.equal(answer.body.records.data[0].middle_name, 'Kept')
  for (const data of [null, {}, undefined]) assert.equal((await bulk(data as unknown as unknown[])).status, 422)
})

test('a failed item releases the e-mail it asked for, and a later item can take an e-mail given up earlier', async () => {
  const [a, b, c] = [await service.hire(), await service.hire(), await service.hire({ email: 'held@example.com' })]
  const [, field] = [await service.make('/employee_fields', { name: 'Shoe', type: 'number' }), 'shoe']
  const answer = await bulk([
    { id: a.id, email: 'wanted@example.com', [field]: 'no number' },
    { id: b.id, email: 'wanted@example.com' },
    { id: c.id, email: 'new@example.com' },
    { id: a.id + 1000, email: 'x@example.com' },
  ])
  assert.deepEqual(
    answer.body.errors.data.map((error: any) => [error.index, error.errors[0].field]),
    [
      [0, 'shoe'],
      [3, 'id'],
    ],
  )
  const swap = await bulk([
    { id: c.id, email: 'newer@example.com' },
    { id: a.id, email: 'new@example.com' },
  ])
  assert.deepEqual(swap.body.errors, { count: 0, data: [] })
  assert.equal((await service.get(`/employees/${a.id}`)).body.data.email, 'new@example.com')
  const given = await bulk([
    { id: a.id, email: null },
    { id: b.id, email: 'new@example.com' },
  ])
  assert.deepEqual(given.body.errors, { count: 0, data: [] })
  const taken = await bulk([
    { id: a.id, email: 'first@example.com' },
    { id: b.id, email: 'FIRST@example.com' },
  ])
  assert.deepEqual(
    taken.body.errors.data.map((error: any) => [error.index, error.errors[0].code]),
    [[1, 'taken']],
  )
})

test('e-mails can be passed along the list in any id order, and one undo reverts it', async () => {
  // An engine that knows how many there are may go through all of them, in an order of its own.
  await service.database.analyse()
  const ids = everyone.slice(100, 112)
  const emails = async (of: number[]) =>
    Promise.all(of.map(async (id) => (await service.get(`/employees/${id}`)).body.data.email))
  for (const order of [ids, ids.toReversed()]) {
    const before = await emails(order)
    // Each takes the one of whoever stands before it, who has just taken another.
    const told = await bulk(order.map((id, n) => ({ id, email: n === 0 ? 'free@example.com' : before[n - 1] })))
    assert.equal(told.status, 200, told.text)
    assert.deepEqual(await emails(order), ['free@example.com', ...before.slice(0, -1)])
    const undone = await service.post(`/requests/${told.headers.get('x-request-id')}/undo`)
    assert.equal(undone.status, 200, undone.text)
    assert.deepEqual(await emails(order), before)
  }
})

test('removing a manager earlier in the list counts for the cycle check of a later item', async () => {
  const [a, b] = [await service.hire(), await service.hire()]
  await service.put(`/employees/${a.id}`, { reporting_to_id: b.id })
  const answer = await bulk([
    { id: a.id, reporting_to_id: null },
    { id: b.id, reporting_to_id: a.id },
  ])
  assert.deepEqual(answer.body.errors, { count: 0, data: [] })
  const back = await bulk([
    { id: a.id, reporting_to_id: b.id },
    { id: b.id, reporting_to_id: null },
  ])
  assert.deepEqual(
    back.body.errors.data.map((error: any) => [error.index, error.errors[0].code]),
    [[0, 'cycle']],
  )
})

test('a bulk change applies from its effective date, checks cycles on that date, and one undo reverts it', async () => {
  const [head, lead, report] = [
    await service.hire({ hired_on: '2020-01-01' }),
    await service.hire({ hired_on: '2020-01-01' }),
    await service.hire({ hired_on: '2020-01-01' }),
  ].map(({ id }) => id as number) as [number, number, number]
  const soon = await service.hire({ hired_on: '2098-03-01' })
  await bulk([{ id: report, reporting_to_id: lead }])
  const plan = (effective_from: unknown, data: unknown[], headers = {}) =>
    service.send('PATCH', '/employees/bulk', { json: { effective_from, data }, headers })
  const managerOn = async (id: number, day: string) =>
    (await service.get(`/employees/${id}?as_of=${day}`)).body.data.reporting_to?.id ?? null

  const done = await plan('2098-01-01', [
    { id: lead, reporting_to_id: head },
    { id: report, reporting_to_id: head },
    { id: head, reporting_to_id: report },
    { id: soon.id, reporting_to_id: head },
  ])
  assert.equal(done.body.records.count, 3, done.text)
  assert.deepEqual(
    done.body.errors.data.map((one: any) => [one.id, one.errors[0].code]),
    [[head, 'cycle']],
  )
  assert.equal(await managerOn(report, '2097-12-31'), lead)
  assert.equal(await managerOn(report, '2098-01-01'), head)
  assert.equal(await managerOn(lead, '2097-12-31'), null)
  assert.equal(await managerOn(lead, '2098-01-01'), head)
  const [first] = (await service.get(`/employees/${soon.id}/positions`)).body.data
  assert.equal(first.effective_from, '2098-03-01', 'nothing begins before they do')

  const undone = await service.post(`/requests/${done.headers.get('x-request-id')}/undo`)
  assert.equal(undone.status, 200, undone.text)
  assert.equal(await managerOn(report, '2098-01-01'), lead)
  assert.equal((await plan('31.12.2026', [{ id: lead, reporting_to_id: head }])).status, 422)
})

test('a probation policy sets the end of probation only once it applies', async () => {
  const three = await service.make('/probation_policies', { name: 'Three weeks', length: 21 })
  const day = new Date().toISOString().slice(0, 10)
  const send = async (effective_from: string) => {
    const { id } = await service.hire({ hired_on: day })
    const data = [{ id, probation_policy_id: three.id }]
    return service.send('PATCH', '/employees/bulk', { json: { effective_from, data } })
  }
  const later = await send('2098-01-01')
  assert.equal(later.body.records.data[0]?.probation_ends_on, null, later.text)
  const now = await send(day)
  assert.notEqual(now.body.records.data[0]?.probation_ends_on, null, now.text)
})

test('unchanged_since rejects people who, or whose records, have changed since', async () => {
  const [one, other, third] = everyone.slice(0, 3) as [number, number, number]
  const seen = Number((await service.get('/employees')).headers.get('cadre-ledger'))
  await service.put(`/employees/${one}`, { first_name: 'Theirs' })
  await service.post(`/employees/${other}/positions`, { effective_from: '2026-01-01', department_id: 1 })
  const { body } = await service.send('PATCH', '/employees/bulk', {
    json: { unchanged_since: seen, data: [one, other, third].map((id) => ({ id, first_name: 'Mine' })) },
  })
  assert.deepEqual(
    body.errors.data.map((error: any) => [error.id, error.errors[0].code]),
    [
      [one, 'changed'],
      [other, 'changed'],
    ],
  )
  assert.deepEqual(
    body.records.data.map((record: any) => record.id),
    [third],
  )
  assert.equal((await service.get(`/employees/${one}`)).body.data.first_name, 'Theirs')
  for (const unchanged_since of [-1, 99_999_999]) {
    const json = { unchanged_since, data: [{ id: third, first_name: 'Blind' }] }
    assert.equal((await service.send('PATCH', '/employees/bulk', { json })).status, 422)
  }
  assert.equal((await service.get(`/employees/${third}`)).body.data.first_name, 'Mine')
})
