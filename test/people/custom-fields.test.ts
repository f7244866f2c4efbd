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

test('a field gets a unique internal name that never changes', async () => {
  const first = await field({ name: 'Größe (cm)', type: 'number' })
  assert.equal(first.internal_name, 'gro_e_cm')
  assert.equal((await field({ name: 'Gro e cm', type: 'text' })).internal_name, 'gro_e_cm_2')
  assert.deepEqual(first.group, { id: 1, name: 'General' })
  const renamed = await service.put(`/employee_fields/${first.id}`, { name: 'Height', internal_name: 'other' })
  assert.equal(renamed.body.data.internal_name, 'gro_e_cm')
  assert.equal(renamed.headers.get('cadre-ignored'), 'internal_name')
  assert.equal((await service.put(`/employee_fields/${first.id}`, { type: 'text' })).body.errors[0].code, 'fixed')
})

test('values of every type can be sent at the top level or under fields, and cleared', async () => {
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

test('an invalid value names its field and changes nothing', async () => {
  const { id } = await hire()
  const wrong = {
    nick: 5.5,
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

test('options belong to select fields, are listed by field id or internal name, and renames apply everywhere', async () => {
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

test('a historical field starts on the requested date, and repeating the current value adds no entry', async () => {
  await field({ name: 'Tier', type: 'text', historical: true })
  const { id } = await service.hire({ hired_on: '2020-01-01', fields: { tier: 'old' } })
  const { id: other } = await service.hire({ hired_on: '2020-01-01' })
  const histories = async (of = id) =>
    (await service.get(`/employees/${of}/field_histories?employee_field_internal_name=tier`)).body.data.map(
      (one: any) => [one.effective_on, one.value],
    )
  const bulk = (effective_from: string, tier: string | null) =>
    service.send('PATCH', '/employees/bulk', { json: { data: [{ id, fields: { tier } }], effective_from } })
  const [begun] = await histories()
  for (const fields of [{ tier: 'old' }, { tier: 'old' }]) await service.put(`/employees/${id}`, { fields })
  await service.put(`/employees/${other}`, { fields: { tier: null } })
  assert.deepEqual([await histories(), await histories(other)], [[begun], []])

  const later = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  const answer = await bulk(later, 'future')
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(await histories(), [begun, [later, 'future']])
  assert.equal((await service.get(`/employees/${id}`)).body.data.fields.tier.value, 'old')
  assert.equal((await service.get(`/employees/${id}?as_of=${later}`)).body.data.fields.tier.value, 'future')
  // What holds by then anyway needs no entry; one that is asked for by itself is made.
  await bulk(later, 'future')
  await bulk('2024-01-01', 'old')
  assert.deepEqual(await histories(), [begun, [later, 'future']])
  const entry = { employee_field_internal_name: 'tier', effective_on: '2024-01-01', value: 'old' }
  assert.equal((await service.post(`/employees/${id}/field_histories`, entry)).status, 201)
  assert.equal((await histories()).length, 3)
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

test('a value sent both at the top level and under fields must match, or is rejected', async () => {
  await field({ name: 'Locker', type: 'number' })
  const same = await service.post('/employees', { first_name: 'A', last_name: 'B', locker: 7, fields: { locker: '7' } })
  assert.equal(same.status, 201)
  assert.equal(same.body.data.fields.locker.value, 7)
  const { id } = same.body.data
  for (const [flat, under] of [
    [7, 8],
    [null, 8],
    [7, null],
  ]) {
    const answer = await service.put(`/employees/${id}`, { locker: flat, fields: { locker: under }, first_name: 'No' })
    assert.equal(answer.status, 422)
    assert.deepEqual(
      answer.body.errors.map((error: any) => [error.field, error.code]),
      [['locker', 'mismatch']],
    )
  }
  const made = await service.post('/employees', { first_name: 'A', last_name: 'B', locker: 1, fields: { locker: 2 } })
  assert.equal(made.status, 422)
  const other = await hire()
  const bulk = await service.send('PATCH', '/employees/bulk', {
    json: {
      data: [
        { id, locker: 1, fields: { locker: 2 } },
        { id: other.id, locker: 3, fields: { locker: 3 } },
      ],
    },
  })
  assert.deepEqual([bulk.body.records.count, bulk.body.errors.count, bulk.body.errors.data[0].index], [1, 1, 0])
  for (const [path, body] of [
    ['candidate', { full_name: 'C' }],
    ['vacancy', { title: 'V' }],
  ] as const) {
    await service.make(`/recruitment/${path}_fields`, { name: 'Shelf', type: 'number' })
    const many = `/recruitment/${path === 'vacancy' ? 'vacancies' : 'candidates'}`
    const told = async (fields: Record<string, unknown>) =>
      (await service.post(many, { ...body, ...fields })).body.errors.map((error: any) => `${error.field} ${error.code}`)
    assert.ok((await told({ shelf: 1, fields: { shelf: 2 } })).includes('shelf mismatch'))
    assert.ok((await told({ fields: { shelve: 2 } })).includes('fields.shelve not_found'))
  }
})

test('a number selects an option by id, a text by value first and then by id', async () => {
  const { options, id } = await field({ name: 'Row', type: 'single_select', options: ['x', 'y'] })
  const [x, y] = options
  const tricky = await service.make(`/employee_fields/${id}/options`, { value: String(x.id) })
  const set = async (row: unknown) => (await hire({ row })).fields.row.option_id
  assert.equal(await set(x.id), x.id, 'a number is an id')
  assert.equal(await set(String(x.id)), tricky.id, 'a text is a value before it is an id')
  assert.equal(await set(String(y.id)), y.id, 'a text that is no value may be an id')
  assert.equal(await set(' Y '), y.id)
  assert.equal((await service.post('/employees', { first_name: 'A', last_name: 'B', row: 99_999 })).status, 422)
})

test('internal names never equal a built-in field, a parameter or a number', async () => {
  for (const name of [
    'E-mail',
    'Hired on',
    'Department id',
    'Reporting to',
    'Gender',
    'q',
    'As of',
    'Page',
    'Per page',
  ]) {
    const plain = name.toLowerCase().replaceAll(/[ -]/g, '_').replace('e_mail', 'email')
    const { internal_name } = await field({ name: name.replace('E-mail', 'Email'), type: 'text' })
    assert.equal(internal_name, `${plain}_2`, name)
  }
  assert.equal((await field({ name: '2024', type: 'text' })).internal_name, 'field_2024')
  assert.equal((await field({ name: '???', type: 'text' })).internal_name, 'field')
  const make = async (path: string, name: string) => (await service.make(path, { name, type: 'text' })).internal_name
  assert.equal(await make('/recruitment/candidate_fields', 'Full name'), 'full_name_2')
  assert.equal(await make('/recruitment/candidate_fields', 'Resume'), 'resume_2')
  assert.equal(await make('/recruitment/vacancy_fields', 'State'), 'state_2')
})

test('custom values are parsed like other values, and a cleared one is null in its history', async () => {
  await field({ name: 'Union', type: 'boolean', historical: true })
  await field({ name: 'Buddy', type: 'employee', historical: true })
  await field({ name: 'Motto', type: 'text' })
  const buddy = await hire()
  for (const [sent, value] of [
    ['yes', true],
    ['on', true],
    [' No ', false],
    [0, false],
  ])
    assert.equal((await hire({ union: sent })).fields.union.value, value)
  assert.equal((await hire({ motto: '   ' })).fields.motto.value, null)
  for (const id of ['1e0', '0x1', '1.0', '-1', '']) {
    const answer = await service.post('/employees', { first_name: 'A', last_name: 'B', buddy: id })
    assert.equal(answer.status, id === '' ? 201 : 422, id)
  }
  const one = await hire({ buddy: ` ${buddy.id} `, motto: 'Go' })
  assert.equal(one.fields.buddy.user_id, buddy.id)
  const cleared = await service.post(`/employees/${one.id}/field_histories`, {
    employee_field_internal_name: 'buddy',
    effective_on: '2099-01-01',
    value: null,
  })
  assert.deepEqual([cleared.status, cleared.body.data.value], [201, null])
  assert.equal((await service.get(cleared.headers.get('location') as string)).body.data.value, null)
  const histories = (await service.get(`/employees/${one.id}/field_histories`)).body.data
  assert.deepEqual(
    histories.map((each: any) => each.value),
    [buddy.id, null],
  )
  const all = histories.map((each: any) => each.id as number)
  for (let id = Math.min(...all) - 3; id <= Math.max(...all) + 3; id++)
    if (!all.includes(id))
      assert.equal((await service.delete(`/employees/${one.id}/field_histories/${id}`)).status, 404)
  assert.equal((await service.get(`/employees/${one.id}`)).body.data.fields.motto.value, 'Go')
})

test('a field can be addressed by internal name or id, accepts objects, and has at most 500 options', async () => {
  const { id, options } = await field({
    name: 'Wardrobe',
    type: 'single_select',
    options: Array.from({ length: 500 }, (_, n) => `L${n}`),
  })
  for (const key of [id, 'wardrobe', 'WARDROBE'])
    assert.equal((await service.get(`/employee_fields/${key}`)).body.data.id, id)
  assert.equal((await service.put('/employee_fields/wardrobe', { name: 'Cupboard' })).body.data.name, 'Cupboard')
  assert.equal((await service.post('/employee_fields/wardrobe/options', { value: 'One more' })).status, 409)
  const other = await hire({ wardrobe: { id: options[7].id } })
  assert.equal(other.fields.wardrobe.value, 'L7')
  await service.put(`/employees/${other.id}`, { wardrobe: null })
  assert.equal((await service.delete('/employee_fields/wardrobe')).status, 204)
  for (const key of ['wardrobe', 'unheard_of', '%00', '9'.repeat(20)])
    assert.equal((await service.get(`/employee_fields/${key}`)).status, 404, key)
})

test('a read returns byte for byte what the write returned, single or in lists, and shows renames', async () => {
  const odd = 'Quote " and \\ back, “round” 🦊 </script>'
  const text = await field({ name: odd, type: 'text' })
  const chosen = await field({ name: 'Chosen "one"', type: 'single_select', options: [`a ${odd}`, 'b'] })
  const shown: { id: number; text: string }[] = []
  for (let n = 0; n < 7; n++) {
    const { id } = await hire({ last_name: `Of seven ${n}` })
    const fields =
      n % 3 === 0 ? {} : { [text.internal_name]: `${odd} ${n}`, [chosen.internal_name]: chosen.options[n % 2].id }
    const { status, text: told } = await service.put(`/employees/${id}`, { middle_name: odd, fields })
    assert.equal(status, 200, told)
    shown.push({ id, text: told })
  }
  // As many as a statement has room for, fewer, and one.
  for (const count of [1, 2, 3, 5, 6, 7])
    for (const { id, text: told } of shown.slice(0, count)) {
      const ids = shown.slice(0, count).map((one) => `ids[]=${one.id}`)
      const { direct_reports: _, ...whole } = JSON.parse(told).data
      const list = await service.get(`/employees?${ids.join('&')}`)
      assert.equal(list.body.data.length, count)
      assert.equal(JSON.stringify(list.body.data.find((one: any) => one.id === id)), JSON.stringify(whole))
      assert.equal((await service.get(`/employees/${id}`)).text, told)
    }
  await service.put(`/employee_fields/${chosen.id}`, { name: 'Renamed' })
  const [one] = shown as [{ id: number; text: string }]
  const { fields } = (await service.get(`/employees/${one.id}`)).body.data
  assert.deepEqual(fields[chosen.internal_name].label, 'Renamed')
})

test('renaming an option changes updated_at only of records that use it', async () => {
  const kinds = [
    { fields: '/employee_fields', records: '/employees', body: { first_name: 'A', last_name: 'B' } },
    { fields: '/recruitment/candidate_fields', records: '/recruitment/candidates', body: { full_name: 'A B' } },
  ]
  for (const { fields, records, body } of kinds) {
    const team = await service.make(fields, { name: 'Shade', type: 'single_select', options: ['Red', 'Blue'] })
    const [red, blue] = team.options
    const holder = await service.make(records, { ...body, fields: { [team.internal_name]: red.id } })
    const other = await service.make(records, { ...body, fields: { [team.internal_name]: blue.id } })
    const stampOf = async ({ id }: { id: number }) => (await service.get(`${records}/${id}`)).body.data.updated_at
    const before = [await stampOf(holder), await stampOf(other)]
    await service.put(`${fields}/${team.id}/options/${red.id}`, { value: 'Red' })
    assert.deepEqual([await stampOf(holder), await stampOf(other)], before, 'nothing has changed')
    const renamed = await service.put(`${fields}/${team.id}/options/${red.id}`, { value: 'Crimson' })
    assert.equal(renamed.status, 200, renamed.text)
    assert.ok((await stampOf(holder)) > before[0])
    assert.equal(await stampOf(other), before[1])
  }
})
