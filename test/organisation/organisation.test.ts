import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

const person = async (first_name: string) =>
  (await service.post('/employees', { first_name, last_name: 'Person' })).body.data.id

describe('departments', () => {
  const make = async (name: string, parent_id: number | null = null) =>
    (await service.post('/departments', { name, parent_id })).body.data.id

  test('have the documented fields', async () => {
    const manager_id = await person('Manager')
    const level = (await service.post('/department_levels', { name: 'First' })).body.data
    const { body } = await service.post('/departments', { name: 'Shape', manager_id, department_level_id: level.id })
    const { id, created_at, updated_at, ...rest } = body.data
    assert.deepEqual(rest, { name: 'Shape', parent_id: null, manager_id, department_level: level, fields: {} })
  })

  test('cannot become their own ancestor, at any distance', async () => {
    const chain = [await make('D0')]
    for (let n = 1; n < 6; n++) chain.push(await make(`D${n}`, chain[n - 1] as number))
    for (const below of chain) {
      const answer = await service.put(`/departments/${chain[0]}`, { parent_id: below })
      assert.equal(answer.status, 422)
      assert.equal(answer.body.errors[0].code, 'cycle')
    }
    assert.equal((await service.put(`/departments/${chain[5]}`, { parent_id: chain[0] })).status, 200)
  })

  test('cannot form a cycle by two concurrent moves', async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b] = [await make(`A${round}`), await make(`B${round}`)]
      const answers = await Promise.all([
        service.put(`/departments/${a}`, { parent_id: b }),
        service.put(`/departments/${b}`, { parent_id: a }),
      ])
      assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 422])
    }
  })

  test('with sub-departments cannot be deleted, and the error names what uses them', async () => {
    const above = await make('Above')
    const below = await make('Below', above)
    const refused = await service.delete(`/departments/${above}`)
    assert.equal(refused.status, 409)
    assert.equal(refused.body.code, 'in_use')
    assert.match(refused.body.detail, new RegExp(`department ${below} \\(parent_id\\)`))
    assert.equal((await service.delete(`/departments/${below}`)).status, 204)
    assert.equal((await service.delete(`/departments/${above}`)).status, 204)
  })
})

describe('holiday policies', () => {
  test('start with the public holidays of this year and the next', async () => {
    const { body } = await service.post('/holiday_policies', { name: 'Germany', country_code: 'DE' })
    const year = new Date().getUTCFullYear()
    const days = (await service.get(`/holidays?holiday_policy_ids[]=${body.data.id}`)).body.data
    for (const occurs_on of [`${year}-01-01`, `${year}-05-01`, `${year + 1}-10-03`, `${year + 1}-12-25`])
      assert.ok(
        days.some((day: any) => day.occurs_on === occurs_on && day.working === false),
        occurs_on,
      )
    assert.ok(days.every((day: any) => day.holiday_policy_id === body.data.id))
  })

  test('have holidays that are found by location and date range, and are deleted with them', async () => {
    const policy = (await service.post('/holiday_policies', { name: 'France', country_code: 'fr' })).body.data
    assert.equal(policy.country_code, 'FR')
    const location = (await service.post('/locations', { name: 'Paris', holiday_policy_id: policy.id })).body.data
    const year = new Date().getUTCFullYear()
    const { body } = await service.get(
      `/holidays?location_ids[]=${location.id}&starts_on=${year}-07-01&ends_on=${year}-07-31`,
    )
    assert.deepEqual(
      body.data.map((day: any) => day.occurs_on),
      [`${year}-07-14`],
    )
    const day = { holiday_policy_id: policy.id, name: 'Bridge', occurs_on: `${year}-07-13` }
    assert.equal((await service.post('/holidays', day)).status, 201)
    assert.equal((await service.post('/holidays', day)).body.errors[0].code, 'taken')
    assert.equal((await service.delete(`/holiday_policies/${policy.id}`)).status, 409)
    await service.put(`/locations/${location.id}`, { holiday_policy_id: null })
    assert.equal((await service.delete(`/holiday_policies/${policy.id}`)).status, 204)
    assert.equal((await service.get(`/holidays?holiday_policy_ids[]=${policy.id}`)).body.metadata.count, 0)
  })

  test('reject an invalid country code', async () => {
    for (const country_code of ['XX', 'EU', 'Germany', 'ZZ', '12'])
      assert.equal(
        (await service.post('/holiday_policies', { name: 'No', country_code })).body.errors[0].code,
        'invalid',
        country_code,
      )
  })
})

describe('working patterns', () => {
  test('keep hours exactly and show at least one decimal', async () => {
    const { body } = await service.post('/working_patterns', {
      name: 'Odd',
      monday_hours: 7.4,
      tuesday_hours: '8',
      wednesday_hours: '7.1234',
    })
    assert.deepEqual(
      [body.data.monday_hours, body.data.tuesday_hours, body.data.wednesday_hours, body.data.sunday_hours],
      ['7.4', '8.0', '7.1234', '0.0'],
    )
    const updated = await service.send('PUT', `/working_patterns/${body.data.id}`, {
      form: { name: 'Even', friday_hours: '4' },
    })
    assert.equal(updated.body.data.friday_hours, '4.0')
    assert.equal(updated.body.data.name, 'Even')
    for (const friday_hours of [-1, 24.5, '8.12345', 'eight', true])
      assert.equal(
        (await service.put(`/working_patterns/${body.data.id}`, { friday_hours })).status,
        422,
        String(friday_hours),
      )
  })
})

describe('locations', () => {
  test('have an optional country', async () => {
    const made = (await service.post('/locations', { name: 'Lisbon', country_code: 'pt' })).body.data
    assert.equal(made.country_code, 'PT')
    assert.equal((await service.post('/locations', { name: 'Nowhere' })).body.data.country_code, null)
    const refused = await service.put(`/locations/${made.id}`, { country_code: 'Portugal' })
    assert.deepEqual([refused.status, refused.body.errors[0].field], [422, 'country_code'])
    const cleared = await service.send('PUT', `/locations/${made.id}`, { form: { country_code: '' } })
    assert.equal(cleared.body.data.country_code, null)
  })
})

describe('termination reasons', () => {
  test('can also be changed and deleted at the misspelt path, with the same rules and ETags', async () => {
    const reason = (await service.post('/termination_reasons', { name: 'Moved' })).body.data
    const [right, misspelt] = [`/termination_reasons/${reason.id}`, `/termintation_reasons/${reason.id}`]
    const changed = await service.put(misspelt, { name: 'Moved away' })
    assert.deepEqual([changed.status, changed.body.data.name], [200, 'Moved away'])
    assert.deepEqual((await service.get(right)).body, changed.body)
    await service.post('/termination_reasons', { name: 'Taken' })
    assert.equal((await service.put(misspelt, { name: 'taken' })).body.errors[0].code, 'taken')
    const tag = (await service.get(right)).headers.get('etag') as string
    await service.put(right, { name: 'Moved far away' })
    assert.equal((await service.delete(misspelt, { headers: { 'if-match': tag } })).status, 412)
    const { id } = (await service.post('/employees', { first_name: 'A', last_name: 'B' })).body.data
    await service.post(`/employees/${id}/terminate`, { effective_from: '2030-01-01', termination_reason_id: reason.id })
    assert.equal((await service.delete(misspelt)).status, 409)
    await service.post(`/employees/${id}/activate`)
    const fresh = (await service.get(right)).headers.get('etag') as string
    assert.equal((await service.delete(misspelt, { headers: { 'if-match': fresh } })).status, 204)
    assert.equal((await service.get(right)).status, 404)
    assert.equal((await service.put('/termintation_reasons/987654', { name: 'X' })).status, 404)
  })
})
