import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fc } from '../chance.ts'
import { type Service, startService } from '../harness.ts'

let service: Service
let now = new Date('2036-06-15T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
  for (const name of ['P1', 'P2', 'P3']) await service.post('/positions', { name })
  for (const name of ['D1', 'D2', 'D3']) await service.post('/departments', { name })
  for (const name of ['T1', 'T2']) await service.post('/employment_types', { name })
  await service.post('/employee_fields', { name: 'Grade', type: 'text', historical: true })
})
after(() => service.stop())

const hire = async (values: Record<string, unknown> = {}) =>
  (await service.post('/employees', { first_name: 'A', last_name: 'B', ...values })).body.data

/** Days 0 to 60 around today. */
const dayOf = (n: number) => new Date(Date.UTC(2036, 4, 20 + n)).toISOString().slice(0, 10)

describe('job history', () => {
  test('a change on the employee is an entry from today on, and changes of one day are one entry', async () => {
    now = new Date('2036-06-15T12:00:00Z')
    const { id } = await hire({ hired_on: '2036-01-01', position_id: 1, department_id: 1, employment_type_id: 1 })
    await service.put(`/employees/${id}`, { position_id: 2 })
    await service.put(`/employees/${id}`, { department_id: 2 })
    const entries = (await service.get(`/employees/${id}/positions`)).body.data
    assert.deepEqual(
      entries.map((one: any) => [one.effective_from, one.effective_on, one.position.id, one.department.id]),
      [
        ['2036-01-01', '2036-01-01', 1, 1],
        ['2036-06-15', '2036-06-15', 2, 2],
      ],
    )
    const then = (await service.get(`/employees/${id}?as_of=2036-06-14`)).body.data
    assert.deepEqual([then.position.id, then.department.id, then.employment_type.id], [1, 1, 1])
    assert.equal((await service.get(`/employees/${id}?as_of=2035-12-31`)).body.data.position, null)
    const { metadata } = (await service.get(`/employees/${id}/employment_statuses`)).body
    assert.equal(metadata.count, 1)
  })

  test('an entry in the future takes effect by itself and shows in filters by its day', async () => {
    now = new Date('2036-06-15T12:00:00Z')
    const { id } = await hire({ hired_on: '2036-01-01', department_id: 1 })
    const made = await service.post(`/employees/${id}/positions`, { effective_from: '2036-07-01', department_id: 3 })
    assert.equal(made.status, 201)
    assert.equal((await service.get(`/employees/${id}`)).body.data.department.id, 1)
    assert.deepEqual((await service.get('/employees?department_id=3')).body.data, [])
    assert.deepEqual(
      (await service.get('/employees?department_id=3&as_of=2036-07-01')).body.data.map((one: any) => one.id),
      [id],
    )
    now = new Date('2036-07-01T12:00:00Z')
    assert.equal((await service.get(`/employees/${id}`)).body.data.department.id, 3)
    assert.equal(
      (await service.post(`/employees/${id}/positions`, { effective_from: '2036-07-01' })).body.errors[0].code,
      'taken',
    )
    assert.equal((await service.delete(`/departments/3`)).status, 409)
    assert.equal((await service.delete(`/employees/${id}/positions/${made.body.data.id}`)).status, 204)
    assert.equal((await service.get(`/employees/${id}`)).body.data.department.id, 1)
  })

  test('as_of equals a naive replay for random histories, on every day around every change', async () => {
    type Action = {
      kind: 'add' | 'move' | 'drop' | 'put' | 'grade'
      day: number
      position: number | null
      department: number | null
      pick: number
    }
    const action: fc.Arbitrary<Action> = fc.record({
      kind: fc.constantFrom('add', 'move', 'drop', 'put', 'grade'),
      day: fc.integer({ min: 0, max: 60 }),
      position: fc.option(fc.integer({ min: 1, max: 3 })),
      department: fc.option(fc.integer({ min: 1, max: 3 })),
      pick: fc.nat(20),
    })
    type Entry = { id: number; from: string; position: number | null; department: number | null }

    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 8 }), async (actions) => {
        const today = now.toISOString().slice(0, 10)
        const { id } = await hire()
        const path = `/employees/${id}/positions`
        let entries: Entry[] = []
        const grades = new Map<string, string | null>()
        // The naive model: the entry with the latest beginning that is not after the day.
        const on = (day: string) =>
          entries.filter((one) => one.from <= day).sort((a, b) => (a.from < b.from ? 1 : -1))[0]

        for (const { kind, day, position, department, pick } of actions) {
          const from = dayOf(day)
          const chosen = entries[pick % Math.max(1, entries.length)]
          if (kind === 'add') {
            const answer = await service.post(path, {
              effective_from: from,
              position_id: position,
              department_id: department,
            })
            if (entries.some((one) => one.from === from)) assert.equal(answer.status, 422)
            else entries.push({ id: answer.body.data.id, from, position, department })
          } else if (kind === 'move' && chosen) {
            const answer = await service.put(`${path}/${chosen.id}`, { effective_from: from, position_id: position })
            if (entries.some((one) => one.from === from && one !== chosen)) assert.equal(answer.status, 422)
            else Object.assign(chosen, { from, position })
          } else if (kind === 'drop' && chosen) {
            assert.equal((await service.delete(`${path}/${chosen.id}`)).status, 204)
            entries = entries.filter((one) => one !== chosen)
          } else if (kind === 'put') {
            const before = on(today)
            const answer = await service.put(`/employees/${id}`, { position_id: position })
            assert.equal(answer.status, 200, answer.text)
            const list = (await service.get(path)).body.data
            if ((before?.position ?? null) !== position) {
              const entry = list.find((one: any) => one.effective_from === today)
              entries = entries.filter((one) => one.from !== today)
              entries.push({ id: entry.id, from: today, position, department: before?.department ?? null })
            }
          } else if (kind === 'grade') {
            const value = position === null ? null : `G${position}`
            assert.equal(
              (
                await service.post(`/employees/${id}/field_histories`, {
                  employee_field_internal_name: 'grade',
                  effective_on: from,
                  value,
                })
              ).status,
              201,
            )
            grades.set(from, value)
          }
        }

        const changes = [...entries.map((one) => one.from), ...grades.keys(), today]
        const around = new Set(
          changes.flatMap((day) =>
            [-1, 0, 1].map((step) =>
              new Date(Date.parse(`${day}T00:00:00Z`) + step * 86_400_000).toISOString().slice(0, 10),
            ),
          ),
        )
        for (const day of around) {
          const shown = (await service.get(`/employees/${id}?as_of=${day}`)).body.data
          const expected = on(day)
          assert.deepEqual(
            [shown.position?.id ?? null, shown.department?.id ?? null],
            [expected?.position ?? null, expected?.department ?? null],
            `${day} of ${JSON.stringify(entries)}`,
          )
          const grade = [...grades.keys()]
            .filter((from) => from <= day)
            .sort()
            .at(-1)
          assert.equal(shown.fields.grade.value, grade === undefined ? null : grades.get(grade))
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('salaries', () => {
  test('as_of shows the salary in force on the day', async () => {
    const { id } = await hire()
    for (const [effective_on, amount] of [
      ['2036-01-01', '1000'],
      ['2036-03-01', '1100.5'],
      ['2036-09-01', 1200],
    ] as const)
      assert.equal(
        (await service.post(`/employees/${id}/salaries`, { effective_on, amount, currency_code: 'EUR', per: 'month' }))
          .status,
        201,
      )
    const at = async (day: string) => (await service.get(`/employees/${id}?as_of=${day}`)).body.data.salary?.amount
    assert.deepEqual(
      [
        await at('2035-12-31'),
        await at('2036-01-01'),
        await at('2036-02-29'),
        await at('2036-03-01'),
        await at('2036-08-31'),
        await at('2036-09-01'),
      ],
      [undefined, '1000.0', '1000.0', '1100.5', '1100.5', '1200.0'],
    )
    assert.ok(!('salary' in (await service.get(`/employees/${id}`)).body.data))
  })
})
