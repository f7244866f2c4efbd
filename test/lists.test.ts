import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { markTablesChanged } from '../src/records/write-transaction.ts'
import { type Service, startService } from './harness.ts'

let service: Service
before(async () => {
  service = await startService()
  for (let n = 1; n <= 120; n++) await service.post('/divisions', { name: `Division ${n}` })
})
after(() => service.stop())

const figures = (page: number, items: number, count = 120, pages = 3) => ({ page, pages, count, items })

test('120 records come in pages of 50, 50 and 20, ordered by id', async () => {
  const seen: number[] = []
  for (const [page, items] of [
    [1, 50],
    [2, 50],
    [3, 20],
  ] as const) {
    const { status, body } = await service.get(`/divisions?page=${page}`)
    assert.equal(status, 200)
    assert.equal(body.data.length, items)
    seen.push(...body.data.map((division: any) => division.id))
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 120 }, (_, index) => index + 1),
  )
})

test('pagination figures are under metadata and metadata.pagination', async () => {
  const { body } = await service.get('/divisions?page=3')
  assert.deepEqual(body.metadata, { ...figures(3, 20), pagination: figures(3, 20) })
})

test('a page past the end is empty and has the right figures', async () => {
  const { status, body } = await service.get('/divisions?page=4')
  assert.equal(status, 200)
  assert.deepEqual(body, { data: [], metadata: { ...figures(4, 0), pagination: figures(4, 0) } })
})

test('an empty list has one page', async () => {
  const { body } = await service.get('/job_levels')
  assert.deepEqual(body.metadata.pagination, figures(1, 0, 0, 1))
})

test('pages stay full, in order and without gaps after deletions', async () => {
  for (const id of [1, 17, 50, 51, 120]) assert.equal((await service.delete(`/divisions/${id}`)).status, 204)
  const ids: number[] = []
  for (const page of [1, 2, 3])
    ids.push(...(await service.get(`/divisions?page=${page}`)).body.data.map((one: any) => one.id))
  assert.deepEqual(
    ids,
    Array.from({ length: 120 }, (_, index) => index + 1).filter((id) => ![1, 17, 50, 51, 120].includes(id)),
  )
  assert.deepEqual((await service.get('/divisions?page=3')).body.metadata.pagination, figures(3, 15, 115))
})

test('lists of ids are accepted in all three notations', async () => {
  for (let n = 1; n <= 3; n++) await service.post('/employees', { first_name: 'A', last_name: `B${n}` })
  for (const query of ['ids[]=1&ids[]=3', 'ids=1&ids=3', 'ids=1,3', 'ids%5B%5D=1&ids%5B%5D=3']) {
    const { body } = await service.get(`/employees?${query}`)
    assert.deepEqual(
      body.data.map((one: any) => one.id),
      [1, 3],
      query,
    )
  }
})

test('a page takes the same number of statements for any page number and table size', async () => {
  const count = async (path: string) => {
    const statements: string[] = []
    service.onStatement = (statement) => statements.push(statement)
    await service.get(path)
    service.onStatement = undefined
    return statements.filter((one) => !/^(begin|commit|start transaction)|api_key_uses/.test(one))
  }
  const first = await count('/divisions?page=1')
  assert.equal(first.length, 3, first.join('\n'))
  assert.equal((await count('/divisions?page=3')).length, 3)
  assert.ok(!first.some((statement) => /count\(/.test(statement)), 'an unfiltered list does not count its rows')
})

test('both prefixes return the same', async () => {
  const one = await service.get('/api/public/v3/divisions?page=2')
  const two = await service.get('/api/v3/divisions?page=2')
  assert.equal(one.text, two.text)
})

test('per_page accepts 1 to 200', async () => {
  const { body } = await service.get('/divisions?per_page=100&page=2')
  assert.deepEqual(body.metadata.pagination, figures(2, 15, 115, 2))
  assert.equal(body.data.length, 15)
  assert.equal((await service.get('/divisions?per_page=1')).body.metadata.pages, 115)
  for (const size of ['0', '201', '-1', 'all', '1.5', '']) {
    const { status, body } = await service.get(`/divisions?per_page=${size}`)
    assert.deepEqual([status, body.errors[0].field], [400, 'per_page'], size)
  }
})

test('a list can be sorted by its declared fields in both directions, page by page', async () => {
  const pageBy = async (sort: string) => {
    const rows: any[] = []
    for (let page = 1; page <= 6; page++)
      rows.push(...(await service.get(`/divisions?sort=${sort}&per_page=20&page=${page}`)).body.data)
    return rows
  }
  for (const sort of ['id', 'name', 'created_at', 'updated_at']) {
    const expected = (a: any, b: any) => {
      const [x, y] = [a, b].map((one) => (sort === 'name' ? one.name.toLowerCase() : one[sort]))
      return x < y ? -1 : x > y ? 1 : a.id - b.id
    }
    const up = await pageBy(sort)
    assert.equal(new Set(up.map(({ id }) => id)).size, 115)
    assert.deepEqual(
      up.map(({ id }) => id),
      [...up].sort(expected).map(({ id }) => id),
      sort,
    )
    assert.deepEqual(
      (await pageBy(`-${sort}`)).map(({ id }) => id),
      up.map(({ id }) => id).reverse(),
      sort,
    )
  }
  const { status, body } = await service.get('/divisions?sort=parent')
  assert.equal(status, 400)
  assert.match(body.errors[0].message, /must be one of id, -id, created_at/)
})

test('empty values sort last, or first in descending order, on both engines', async () => {
  const make = async (last_name: string, hired_on: string | null) =>
    (await service.post('/employees', { first_name: 'Sorted', last_name, hired_on })).body.data.id
  const [late, none, early, other] = [
    await make('alpha', '2021-05-01'),
    await make('Beta', null),
    await make('Gamma', '2019-05-01'),
    await make('delta', null),
  ]
  const ids = async (sort: string) =>
    (await service.get(`/employees?q=sorted&sort=${sort}`)).body.data.map((one: any) => one.id)
  assert.deepEqual(await ids('hired_on'), [early, late, none, other])
  assert.deepEqual(await ids('-hired_on'), [other, none, late, early])
  assert.deepEqual(await ids('last_name'), [late, none, other, early])
})

test('an unknown filter is rejected with the known ones; other unknown parameters are ignored', async () => {
  for (const [path, name] of [
    ['/employees?departement_id=3', 'departement_id'],
    ['/employees?worker_ids[]=3', 'worker_ids'],
    ['/employees?last_name=Kay', 'last_name'],
    ['/employees?terminated_on[gte]=2024-01-01', 'terminated_on'],
    ['/employees?hired_on[after]=2024-01-01', 'hired_on[after]'],
    ['/divisions?name=Division', 'name'],
    ['/tasks?name=Order', 'name'],
    ['/employees/1/educations?school=A', 'school'],
  ] as const) {
    const { status, body } = await service.get(path)
    assert.equal(status, 400, path)
    assert.deepEqual([body.errors[0].field, body.errors[0].code], [name, 'unknown'], path)
    assert.match(body.errors[0].message, /is not a parameter of this list/)
  }
  assert.match(
    (await service.get('/employees?last_name=Kay')).body.message,
    /emails, email, employee_numbers, status, hired_on,/,
  )
  const { status, headers } = await service.get('/employees?verbose=1&_=77')
  assert.deepEqual([status, headers.get('cadre-ignored')], [200, 'verbose, _'])
  // One record is not a list: nobody gets more than they asked for.
  assert.equal((await service.get('/divisions/2?name=x')).status, 200)
})

test('[gte] and [lte] include their bounds, [gt] and [lt] exclude them', async () => {
  const hired = async (range: string) =>
    (await service.get(`/employees?q=sorted&${range}`)).body.data.map((one: any) => one.hired_on).sort()
  assert.deepEqual(await hired('hired_on[gte]=2019-05-01&hired_on[lte]=2021-05-01'), ['2019-05-01', '2021-05-01'])
  assert.deepEqual(await hired('hired_on[gt]=2019-05-01&hired_on[lte]=2021-05-01'), ['2021-05-01'])
  assert.deepEqual(await hired('hired_on[gte]=2019-05-01&hired_on[lt]=2021-05-01'), ['2019-05-01'])
})

test('lists that clients read without paging are complete, and rejected rather than cut if too long', async () => {
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, n) => ({
      account_id: service.account.id,
      id: from + n,
      name: `Level ${from + n}`,
      name_key: `level ${from + n}`,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    }))
  const insert = (from: number, to: number) =>
    service.database.write(async (sql) => {
      for (let at = from; at <= to; at += 500)
        await sql
          .insertInto('job_levels')
          .values(rows(at, Math.min(to, at + 499)))
          .execute()
      await sql.deleteFrom('counters').where('resource', '=', 'job_levels').execute()
      await sql
        .insertInto('counters')
        .values({ account_id: service.account.id, resource: 'job_levels', last_id: to, live: to })
        .execute()
      await markTablesChanged(sql, service.account.id, ['job_levels'])
    })
  await insert(1, 5000)
  const whole = await service.get('/job_levels')
  assert.deepEqual([whole.body.data.length, whole.body.metadata.pagination], [5000, figures(1, 5000, 5000, 1)])
  assert.deepEqual((await service.get('/job_levels?page=2')).body.metadata.pagination, figures(2, 50, 5000, 100))
  assert.equal((await service.get('/job_levels?per_page=10')).body.data.length, 10)
  await insert(5001, 5001)
  const { status, body } = await service.get('/job_levels')
  assert.deepEqual([status, body.errors[0].field], [400, 'page'])
  assert.match(body.message, /there are 5001 records/)
  assert.equal((await service.get('/job_levels?page=1')).status, 200)
})

test('an empty list filter is rejected instead of returning everything', async () => {
  for (const path of [
    '/employees?ids=',
    '/employees?emails=',
    '/employees?skill_ids=',
    '/recruitment/vacancies?status=',
    '/recruitment/candidates?skills=',
    '/time/timesheets?employee_ids=',
    '/holidays?location_ids=',
  ]) {
    const { status, body } = await service.get(path)
    assert.deepEqual([status, body.errors?.[0].field], [400, path.match(/\?(\w+)/)?.[1]], path)
  }
})

test('a range filter without bounds means that day, or from or until it if its name says so', async () => {
  const found = async (path: string) => (await service.get(path)).body.data.map((one: any) => one.id)
  const { id } = await service.hire({ hired_on: '2018-03-04' })
  await service.hire({ hired_on: '2018-03-05' })
  assert.deepEqual(await found('/employees?hired_on=2018-03-04'), [id])
  const policy = await service.make('/holiday_policies', { name: 'Ours', country_code: 'DE' })
  const day = await service.make('/holidays', { name: 'Ours', holiday_policy_id: policy.id, occurs_on: '2199-01-05' })
  assert.deepEqual(await found('/holidays?starts_on=2199-01-05'), [day.id])
  assert.deepEqual(await found('/holidays?starts_on[gte]=2199-01-05'), [day.id])
  assert.deepEqual(await found('/holidays?starts_on[gt]=2199-01-05'), [])
})

test('a filter on records of another area needs permission to read them', async () => {
  const time = await service.keyWith({ permissions: ['time:read', 'assets:read'] })
  for (const [path, needed] of [
    ['/time/timesheet_entries?department_ids[]=1', 'employees:read'],
    ['/time/timesheet_entries?team_id=1', 'teams:read'],
    ['/time/timesheets?department_id=1', 'employees:read'],
    ['/assets?holder_status=terminated', 'employees:read'],
  ] as const) {
    const { status, body } = await service.get(path, { key: time })
    assert.equal(status, 403, path)
    assert.ok(body.message.includes(needed), body.message)
    assert.equal((await service.get(path)).status, 200)
  }
})

test('people with the same last name are sorted by first name, in both directions', async () => {
  for (const [last_name, first_name] of [
    ['Ordered', 'Zoe'],
    ['ordered', 'adam'],
    ['Ordered', 'Mia'],
    ['Earlier', 'Mia'],
  ])
    await service.hire({ first_name, last_name })
  const names = async (path: string) =>
    (await service.get(path)).body.data
      .filter((one: any) => /ordered|earlier/i.test(one.last_name))
      .map((one: any) => `${one.last_name} ${one.first_name}`)
  const byLast = ['Earlier Mia', 'ordered adam', 'Ordered Mia', 'Ordered Zoe']
  for (const list of ['/employees', '/directory']) {
    assert.deepEqual(await names(`${list}?sort=last_name&per_page=200`), byLast)
    assert.deepEqual(await names(`${list}?sort=-last_name&per_page=200`), byLast.toReversed())
  }
  assert.deepEqual(await names('/employees?sort=first_name&per_page=200'), [
    'ordered adam',
    'Earlier Mia',
    'Ordered Mia',
    'Ordered Zoe',
  ])
})
