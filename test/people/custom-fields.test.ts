import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

const field = async (values: Record<string, unknown>) => {
  const answer = await service.post('/employee_fields', values)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data
}
const hire = async (values: Record<string, unknown> = {}) =>
  (await service.post('/employees', { first_name: 'A', last_name: 'B', ...values })).body.data

test('a field gets an internal name that is unique and never changes', async () => {
  const first = await field({ name: 'Größe (cm)', type: 'number' })
  assert.equal(first.internal_name, 'gro_e_cm')
  assert.equal((await field({ name: 'Gro e cm', type: 'text' })).internal_name, 'gro_e_cm_2')
  assert.deepEqual(first.group, { id: 1, name: 'General' })
  const renamed = await service.put(`/employee_fields/${first.id}`, { name: 'Height', internal_name: 'other' })
  assert.equal(renamed.body.data.internal_name, 'gro_e_cm')
  assert.equal(renamed.headers.get('cadre-ignored'), 'internal_name')
  assert.equal((await service.put(`/employee_fields/${first.id}`, { type: 'text' })).body.errors[0].code, 'fixed')
})

test('every type is set flat or under fields, shown with label, group and value, and cleared', async () => {
  await field({ name: 'Nick', type: 'text' })
  await field({ name: 'Badge', type: 'number' })
  await field({ name: 'Since', type: 'date' })
  await field({ name: 'Driver', type: 'boolean' })
  const size = await field({ name: 'Shirt', type: 'single_select', options: ['S', 'M', 'L'] })
  const skills = await field({ name: 'Tongues', type: 'multi_select', options: ['de', 'en', 'fr'] })
  await field({ name: 'Mentor', type: 'employee' })
  const mentor = await hire({ first_name: 'Men', last_name: 'Tor' })
  const one = await hire({
    nick: 'Bo',
    badge: 12.5,
    since: '2024-02-29',
    driver: true,
    shirt: size.options[1].id,
    tongues: ['EN', skills.options[0].id],
    mentor: mentor.id,
  })
  const group = { id: 1, name: 'General' }
  const shown = Object.fromEntries(
    ['nick', 'badge', 'since', 'driver', 'shirt', 'tongues', 'mentor'].map((name) => [name, one.fields[name]]),
  )
  assert.deepEqual(shown, {
    nick: { label: 'Nick', group, value: 'Bo' },
    badge: { label: 'Badge', group, value: 12.5 },
    since: { label: 'Since', group, value: '2024-02-29' },
    driver: { label: 'Driver', group, value: true },
    shirt: { label: 'Shirt', group, value: 'M', option_id: size.options[1].id },
    tongues: { label: 'Tongues', group, value: ['en', 'de'], option_ids: [skills.options[1].id, skills.options[0].id] },
    mentor: { label: 'Mentor', group, value: 'Men Tor', user_id: mentor.id },
  })
  const form = await service.send('PUT', `/employees/${one.id}`, {
    form: { fields: { nick: 'Bobby', driver: 'false', tongues: ['fr'] }, badge: '' },
  })
  assert.equal(form.status, 200, form.text)
  const { fields } = form.body.data
  assert.deepEqual(
    [fields.nick.value, fields.driver.value, fields.tongues.value, fields.badge.value, fields.shirt.value],
    ['Bobby', false, ['fr'], null, 'M'],
  )

  const listed = await service.get(`/employees?ids=${one.id}&fields[]=nick&fields[]=shirt`)
  assert.deepEqual(Object.keys(listed.body.data[0].fields), ['nick', 'shirt'])
})

test('a wrong value names its field and changes nothing', async () => {
  const { id } = await hire()
  const wrong = {
    nick: 5,
    badge: 'many',
    since: '2024-02-30',
    driver: 'perhaps',
    shirt: 'XXL',
    tongues: ['xx'],
    mentor: 999_999,
    first_name: 'Changed',
  }
  const answer = await service.put(`/employees/${id}`, wrong)
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.body.errors.map((error: any) => error.field).sort(), [
    'badge',
    'driver',
    'mentor',
    'nick',
    'shirt',
    'since',
    'tongues',
  ])
  assert.equal((await service.get(`/employees/${id}`)).body.data.first_name, 'A')
  assert.equal(
    (await service.put(`/employees/${id}`, { fields: { unheard_of: 1 } })).body.errors[0].field,
    'fields.unheard_of',
  )
  const ignored = await service.put(`/employees/${id}`, { unheard_of: 1, nick: 'N' })
  assert.equal(ignored.headers.get('cadre-ignored'), 'unheard_of')
  assert.equal(
    (await service.put(`/employees/${id}`, { unheard_of: 1, nick: 'M' }, { headers: { prefer: 'handling=strict' } }))
      .status,
    400,
  )
  assert.equal((await service.get(`/employees/${id}`)).body.data.fields.nick.value, 'N')
})

test('options belong to select fields, are found by id or internal name, and a rename reaches every record', async () => {
  const colour = await field({ name: 'Colour', type: 'single_select' })
  const red = await service.send('POST', '/employee_fields/colour/options', { form: { value: 'Red' } })
  assert.equal(red.status, 201)
  assert.deepEqual(red.body.data, { id: red.body.data.id, value: 'Red' })
  assert.equal(
    (await service.post(`/employee_fields/${colour.id}/options`, { value: 'RED' })).body.errors[0].code,
    'taken',
  )
  assert.equal((await service.post('/employee_fields/nick/options', { value: 'x' })).status, 409)
  const { id } = await hire({ colour: 'red' })
  assert.equal(
    (await service.put(`/employee_fields/colour/options/${red.body.data.id}`, { value: 'Crimson' })).body.data.value,
    'Crimson',
  )
  assert.equal((await service.get(`/employees/${id}`)).body.data.fields.colour.value, 'Crimson')
  const refused = await service.delete(`/employee_fields/colour/options/${red.body.data.id}`)
  assert.equal(refused.status, 409)
  assert.match(refused.body.detail, new RegExp(`employee ${id}`))
  await service.put(`/employees/${id}`, { colour: null })
  assert.equal((await service.delete(`/employee_fields/colour/options/${red.body.data.id}`)).status, 204)
  assert.equal(
    (await service.post('/employee_fields', { name: 'No', type: 'text', options: ['a'] })).body.errors[0].field,
    'options',
  )
})

test('historical fields keep their dated values', async () => {
  await field({ name: 'Band', type: 'single_select', historical: true, options: ['A', 'B'] })
  const { id } = await hire()
  for (const [effective_on, value] of [
    ['2024-01-01', 'A'],
    ['2025-01-01', 'B'],
    ['2026-01-01', null],
  ] as const)
    assert.equal(
      (
        await service.post(`/employees/${id}/field_histories`, {
          employee_field_internal_name: 'band',
          effective_on,
          value,
        })
      ).status,
      201,
    )
  const listed = (await service.get(`/employees/${id}/field_histories?employee_field_internal_name=band`)).body
  assert.deepEqual(
    listed.data.map((one: any) => [one.effective_on, one.value]),
    [
      ['2024-01-01', 'A'],
      ['2025-01-01', 'B'],
      ['2026-01-01', null],
    ],
  )
  assert.equal(listed.metadata.count, 3)
  const on = async (day: string) => (await service.get(`/employees/${id}?as_of=${day}`)).body.data.fields.band.value
  assert.deepEqual(
    [await on('2023-12-31'), await on('2024-12-31'), await on('2025-06-01'), await on('2026-06-01')],
    [null, 'A', 'B', null],
  )
  assert.equal(
    (
      await service.post(`/employees/${id}/field_histories`, {
        employee_field_internal_name: 'nick',
        effective_on: '2024-01-01',
        value: 'x',
      })
    ).status,
    422,
  )
})

test('a field in use cannot be deleted; one that is not can, with its options', async () => {
  const free = await field({ name: 'Free', type: 'multi_select', options: ['x'] })
  assert.equal((await service.delete(`/employee_fields/${free.id}`)).status, 204)
  const used = await field({ name: 'Used', type: 'text' })
  await hire({ used: 'yes' })
  assert.equal((await service.delete(`/employee_fields/${used.id}`)).status, 409)
})
