import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fc } from '../chance.ts'
import { type Service, startService } from '../harness.ts'
import { oneEngineTest, rounds } from '../thorough.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

let tables = 0
/** A new table with these columns, and where it is. */
async function table(columns: Record<string, unknown>[] = [], values: Record<string, unknown> = {}) {
  const made = await service.make('/employee_tables', { name: `Table ${++tables}`, ...values })
  const path = `/employee_tables/${made.id}`
  const own = []
  for (const one of columns) own.push(await service.make(`${path}/columns`, one))
  const rows = (person: { id: number }) => `/employees/${person.id}/tables/${made.id}/rows`
  return { id: made.id as number, name: made.internal_name as string, path, columns: own as any[], rows }
}

const errors = (answer: { body: any }) =>
  answer.body.errors.map(({ field, code }: any) => `${field} ${code}`).sort() as string[]

test('a table is addressed by id or a unique, permanent internal name', async () => {
  const made = await service.make('/employee_tables', { name: 'Größen & Maße', description: 'For orders' })
  assert.deepEqual(
    [made.internal_name, made.description, made.group, made.columns, made.protection],
    ['gro_en_ma_e', 'For orders', { id: 1, name: 'General' }, [], null],
  )
  const sent = await service.make('/employee_tables', { name: 'Work permits', internal_name: 'permits' })
  assert.equal(sent.internal_name, 'permits')
  for (const key of [sent.id, 'permits', 'PERMITS'])
    assert.equal((await service.get(`/employee_tables/${key}`)).body.data.id, sent.id)
  assert.equal((await service.make('/employee_tables', { name: 'Permits' })).internal_name, 'permits_2')
  assert.equal((await service.make('/employee_tables', { name: '2024' })).internal_name, 'table_2024')

  const again = { name: 'work PERMITS', internal_name: 'permits' }
  assert.deepEqual(errors(await service.post('/employee_tables', again)), ['internal_name taken', 'name taken'])
  for (const internal_name of ['2024', 'Übung', 'a b', '_a', 'a__b', 'x'.repeat(61), ['a']]) {
    const answer = await service.post('/employee_tables', { name: 'New', internal_name })
    assert.deepEqual([answer.status, answer.body.errors[0].field], [422, 'internal_name'], String(internal_name))
  }
  const renamed = await service.put('/employee_tables/permits', { name: 'Residence', internal_name: 'other' })
  assert.deepEqual([renamed.body.data.name, renamed.body.data.internal_name], ['Residence', 'permits'])
  assert.equal(renamed.headers.get('cadre-ignored'), 'internal_name')
  assert.equal((await service.delete('/employee_tables/permits')).status, 204)
  assert.equal((await service.get('/employee_tables/permits')).status, 404)
})

test('columns have unique names in their table, a fixed type, and options for selects', async () => {
  const first = await table([
    { name: 'Name', type: 'text' },
    { name: 'Shoe size', type: 'number' },
    { name: 'Colour', type: 'single_select', options: ['Red', 'Blue'] },
    { name: 'Columns', type: 'multi_select' },
  ])
  const { columns } = (await service.get(first.path)).body.data
  assert.deepEqual(
    columns.map(({ internal_name, type, options }: any) => [
      internal_name,
      type,
      options?.map(({ value }: any) => value),
    ]),
    [
      ['name', 'text', undefined],
      ['shoe_size', 'number', undefined],
      ['colour', 'single_select', ['Red', 'Blue']],
      ['columns_2', 'multi_select', []],
    ],
  )
  const listed = (await service.get(`${first.path}/columns`)).body
  assert.deepEqual([listed.metadata.count, listed.data[1].internal_name], [4, 'shoe_size'])
  assert.deepEqual(errors(await service.post(`${first.path}/columns`, { name: 'SHOE size', type: 'text' })), [
    'name taken',
  ])
  const other = await table([{ name: 'Shoe size', type: 'text' }])
  assert.equal(other.columns[0].internal_name, 'shoe_size', 'another table has names of its own')
  assert.deepEqual(errors(await service.put(`${first.path}/columns/name`, { name: 'Colour', type: 'date' })), [
    'name taken',
    'type fixed',
  ])
  const renamed = await service.put(`${first.path}/columns/shoe_size`, { name: 'Size of shoes', type: 'number' })
  assert.deepEqual([renamed.body.data.name, renamed.body.data.internal_name], ['Size of shoes', 'shoe_size'])
  assert.deepEqual(errors(await service.post(`${first.path}/columns`, { name: 'X', type: 'text', options: ['a'] })), [
    'options not_allowed',
  ])

  const [, , colour] = columns
  for (const path of [`${other.path}/columns/${colour.id}`, `${other.path}/columns/colour`])
    for (const place of [path, `${path}/options`, `${path}/options/${colour.options[0].id}`])
      assert.equal((await service.get(place)).status, 404, `${place} is of another table`)
  const options = `/employee_tables/${first.name}/columns/colour/options`
  const green = await service.post(options, { value: 'Green' })
  assert.deepEqual([green.status, green.body.data.value], [201, 'Green'])
  assert.equal((await service.get(green.headers.get('location') as string)).body.data.value, 'Green')
  assert.deepEqual(errors(await service.post(options, { value: 'GREEN' })), ['value taken'])
  assert.equal((await service.post(`${first.path}/columns/name/options`, { value: 'x' })).status, 409)
  assert.equal((await service.put(`${options}/${green.body.data.id}`, { value: 'Lime' })).body.data.value, 'Lime')
  assert.equal((await service.delete(`${options}/${green.body.data.id}`)).status, 204)
  assert.equal((await service.get(options)).body.data.length, 2)
})

/** One column of each type. */
const TYPES = [
  { name: 'Words', type: 'text' },
  { name: 'Figure', type: 'number' },
  { name: 'Day', type: 'date' },
  { name: 'Yes', type: 'boolean' },
  { name: 'One', type: 'single_select', options: ['Small', 'Medium', 'Large'] },
  { name: 'Some', type: 'multi_select', options: ['Tetanus', 'Hepatitis', 'Measles'] },
  { name: 'Who', type: 'employee' },
]
const EMPTY = { words: null, figure: null, day: null, yes: null, one: null, some: [], who: null }

test('a cell returns its value in the format of its type, however it was sent', async () => {
  const { columns, rows } = await table(TYPES)
  const person = await service.hire()
  const people = [await service.hire({ email: 'who@example.com' }), await service.hire()].map(
    ({ id, full_name, email }) => ({ id, full_name, email }),
  )
  const optionsOf = (name: string) => columns.find((one) => one.internal_name === name).options as any[]
  const forms = (named: any) => [named.id, String(named.id), { id: named.id }, { id: String(named.id) }, named]
  const formsOfOption = (option: any) => [...forms(option), option.value, ` ${option.value.toUpperCase()} `]
  const option = (name: string) =>
    fc.constantFrom(...optionsOf(name).flatMap((one) => formsOfOption(one).map((sent) => ({ sent, shown: one }))))
  const NOTHING = [null, '', '  ', []].map((sent) => ({ sent, shown: null }))
  const decimal = fc.tuple(fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }), fc.integer({ min: 1, max: 9999 }))
  const cell = {
    words: fc
      .string({ unit: 'grapheme', maxLength: 40 })
      .filter((text) => !text.includes('\0'))
      .map((sent) => ({ sent, shown: sent.trim() || null })),
    figure: decimal.chain(([whole, part]) => {
      const text = `${whole}.${String(part).padStart(4, '0')}`
      return fc.constantFrom(
        { sent: text, shown: Number(text) },
        { sent: ` ${whole} `, shown: whole },
        { sent: whole, shown: whole },
        { sent: part / 10_000, shown: part / 10_000 },
      )
    }),
    day: fc
      .date({ min: new Date('1900-01-01'), max: new Date('2200-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10))
      .map((shown) => ({ sent: shown, shown })),
    yes: fc.constantFrom(
      ...[true, 'true', 1, '1', 'yes', 'ON'].map((sent) => ({ sent, shown: true })),
      ...[false, 'false', 0, '0', 'no', ' Off '].map((sent) => ({ sent, shown: false })),
    ),
    one: option('one'),
    some: fc.uniqueArray(option('some'), { minLength: 1, selector: ({ shown }) => shown.id }).map((all) => ({
      // A single one need not stand in a list.
      sent: all.length === 1 ? all[0]?.sent : all.map(({ sent }) => sent),
      shown: all.map(({ shown }) => shown),
    })),
    who: fc.constantFrom(...people.flatMap((one) => forms(one).map((sent) => ({ sent, shown: one })))),
  }
  const orNothing = Object.fromEntries(
    Object.entries(cell).map(([name, full]) => [
      name,
      fc.option(fc.oneof({ weight: 4, arbitrary: full as fc.Arbitrary<any> }, fc.constantFrom(...NOTHING)), {
        nil: undefined,
      }),
    ]),
  )
  /** What cells of a form can say: neither objects nor nothing in a list. */
  const isPlain = (sent: unknown) => [sent].flat().every((one) => one === null || typeof one !== 'object')
  const read = (sent: Record<string, any>) =>
    Object.entries(sent).filter(([, one]) => one !== undefined) as [string, { sent: unknown; shown: unknown }][]
  const shownIn = (sent: Record<string, any>) =>
    Object.fromEntries(read(sent).map(([name, { shown }]) => [name, shown ?? (EMPTY as any)[name]]))
  const write = (method: string, path: string, sent: Record<string, any>, way: string) => {
    const body = Object.fromEntries(read(sent).map(([name, one]) => [name, one.sent]))
    if (way === 'form' && Object.values(body).every((one) => isPlain(one) && !(Array.isArray(one) && one.length === 0)))
      return service.send(method, path, { form: body })
    return service.send(method, path, { json: way === 'nested' ? { columns: body } : body })
  }
  const ways = fc.constantFrom('flat', 'nested', 'form')
  await fc.assert(
    fc.asyncProperty(
      fc.record(orNothing),
      fc.record(orNothing),
      fc.tuple(ways, ways),
      async (first, second, [one, other]) => {
        const made = await write('POST', rows(person), first, one)
        assert.equal(made.status, 201, made.text)
        assert.deepEqual(made.body.data.columns, { ...EMPTY, ...shownIn(first) })
        const place = made.headers.get('location') as string
        const changed = await write('PUT', place, second, other)
        assert.equal(changed.status, 200, changed.text)
        assert.deepEqual((await service.get(place)).body.data.columns, {
          ...EMPTY,
          ...shownIn(first),
          ...shownIn(second),
        })
        // What was read can be sent as it is, and changes nothing.
        const { columns: cells, updated_at } = changed.body.data
        const back = await service.put(place, { columns: cells })
        assert.deepEqual([back.body.data.columns, back.body.data.updated_at], [cells, updated_at])
        assert.equal((await service.delete(place)).status, 204)
      },
    ),
    { numRuns: rounds(10, 60), endOnFailure: true },
  )
})

test("an employee's table has the same content under data and at the top level, with only their rows", async () => {
  const { id, name, rows } = await table([{ name: 'Size', type: 'single_select', options: ['S', 'M'] }], {
    description: 'Sizes',
  })
  const [one, other] = [await service.hire(), await service.hire()]
  const first = await service.make(rows(one), { size: 'M' })
  const second = await service.make(rows(one))
  await service.make(rows(other), { size: 'S' })
  const { data, ...top } = (await service.get(`/employees/${one.id}/tables/${name}`)).body
  assert.deepEqual(top, data)
  assert.deepEqual(Object.keys(data), ['id', 'internal_name', 'name', 'description', 'rows'])
  assert.deepEqual([data.id, data.internal_name, data.description], [id, name, 'Sizes'])
  assert.deepEqual(
    data.rows.map((row: any) => [row.id, row.columns.size?.value ?? null]),
    [
      [first.id, 'M'],
      [second.id, null],
    ],
  )
  const all = (await service.get(`/employees/${one.id}/tables`)).body
  assert.deepEqual(
    all.data.find((each: any) => each.id === id),
    data,
  )
  assert.equal(all.metadata.count, (await service.get('/employee_tables')).body.metadata.count)
  assert.deepEqual(
    (await service.get(`/employees/${one.id}/tables/${id}/rows`)).body.data.map((row: any) => row.id),
    [first.id, second.id],
  )
  const everybody = (await service.get(`/employee_tables/${name}/rows`)).body
  assert.deepEqual(
    everybody.data.map((row: any) => [row.employee.id, row.columns.size?.value ?? null]),
    [
      [one.id, 'M'],
      [one.id, null],
      [other.id, 'S'],
    ],
  )
  assert.equal((await service.get(`/employees/${other.id}/tables/${id}/rows/${first.id}`)).status, 404)
  assert.equal((await service.put(`/employees/${other.id}/tables/${id}/rows/${first.id}`, { size: 'S' })).status, 404)
  assert.equal((await service.delete(`/employees/${other.id}/tables/${id}/rows/${first.id}`)).status, 404)
  for (const path of ['/employees/999999/tables', `/employees/999999/tables/${id}`, `/employees/${one.id}/tables/nil`])
    assert.equal((await service.get(path)).status, 404, path)
})

test('all invalid cells are reported at once and change nothing; unknown columns are ignored and named', async () => {
  const { columns, rows, path } = await table(TYPES)
  const person = await service.hire()
  const row = await service.make(rows(person), { words: 'Kept', figure: 1 })
  const place = `${rows(person)}/${row.id}`
  const foreign = (await table([{ name: 'One', type: 'single_select', options: ['Small'] }])).columns[0].options[0]
  const bad: Record<string, unknown[]> = {
    words: [5.5, ['a'], { id: 1 }, 'a\0b', '\ud800', 'x'.repeat(65_536)],
    figure: ['many', 1e21, 1e-7, '1.23456', [1, 2], { id: 1 }],
    day: ['2024-02-30', 20240101, '0000-01-01', 'today'],
    yes: ['perhaps', 2],
    one: ['XL', 0, -1, foreign.id, { id: foreign.id }, { value: 'Small' }, {}, ['Small', 'Large']],
    some: [['Tetanus', 'Pox'], [[['Tetanus']]], [null], { id: 'x' }, Array(501).fill('Tetanus')],
    who: [999_999, 'Ada', 1.5, -1, '1e0', '9'.repeat(20), { full_name: 'Ada' }, [{ id: 1 }, { id: 2 }]],
  }
  for (const [name, values] of Object.entries(bad))
    for (const value of values)
      for (const [method, to] of [
        ['POST', rows(person)],
        ['PUT', place],
      ] as const) {
        const answer = await service.send(method, to, { json: { words: 'New', [name]: value } })
        assert.deepEqual(
          [answer.status, answer.body.errors?.[0]?.field],
          [422, name],
          `${name} ${JSON.stringify(value)}`,
        )
      }
  const all = Object.fromEntries(Object.entries(bad).map(([name, [value]]) => [name, value]))
  assert.deepEqual(
    (await service.put(place, { columns: all })).body.errors.map((one: any) => one.field).sort(),
    Object.keys(bad)
      .map((name) => `columns.${name}`)
      .sort(),
  )
  assert.deepEqual(errors(await service.put(place, { columns: { nothing: 1 } })), ['columns.nothing not_found'])
  assert.deepEqual(errors(await service.put(place, { figure: 1, columns: { figure: 2 } })), ['figure mismatch'])
  for (const cells of ['x', 5, [], null])
    assert.equal((await service.put(place, { columns: cells })).status, 422, JSON.stringify(cells))
  assert.deepEqual((await service.get(place)).body.data, row)
  assert.equal((await service.get(rows(person))).body.data.length, 1)

  const ignored = await service.put(place, { words: 'Read', unheard_of: 1 })
  assert.deepEqual([ignored.status, ignored.headers.get('cadre-ignored')], [200, 'unheard_of'])
  const strict = await service.put(place, { words: 'Not', unheard_of: 1 }, { headers: { prefer: 'handling=strict' } })
  assert.deepEqual([strict.status, (await service.get(place)).body.data.columns.words], [400, 'Read'])
  const deep = `{"some": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  assert.ok([400, 422].includes((await service.send('PUT', place, { json: deep })).status))

  assert.equal((await service.delete(path)).status, 409, 'a table with rows stays')
  const used = columns.find((one) => one.internal_name === 'words')
  assert.equal((await service.delete(`${path}/columns/${used.id}`)).status, 409)
  await service.put(place, { one: 'Large' })
  const [, , large] = columns.find((one) => one.internal_name === 'one').options
  const inUse = await service.delete(`${path}/columns/one/options/${large.id}`)
  assert.deepEqual(
    [inUse.status, inUse.body.detail],
    [
      409,
      `This option is still in use by employee table row ${row.id}. Choose another option for that employee table row first.`,
    ],
  )
  await service.put(place, { words: '', one: null, figure: null })
  for (const name of ['words', 'one']) assert.equal((await service.delete(`${path}/columns/${name}`)).status, 204)
  assert.equal((await service.delete(place)).status, 204)
  assert.equal((await service.delete(path)).status, 204)
})

test('a key that may not see a field group cannot read, find, change or delete its tables and columns', async () => {
  const salt = 'Zq77secret'
  const person = await service.hire()
  const sealed = await table([{ name: 'Word', type: 'single_select', options: [salt] }], { protection: 'personal' })
  const open = await table([
    { name: 'Plain', type: 'text' },
    { name: 'Hidden', type: 'single_select', options: [salt], protection: 'personal' },
  ])
  const inSealed = await service.make(sealed.rows(person), { word: salt })
  const inOpen = await service.make(open.rows(person), { plain: 'Seen', hidden: salt })
  const [own, ownSealed] = [`${open.rows(person)}/${inOpen.id}`, `${sealed.rows(person)}/${inSealed.id}`]
  const key = await service.keyWith({ permissions: ['*'], withheld: ['personal'] })

  const listed = await service.get(`/employees/${person.id}/tables`, { key })
  assert.ok((await service.get(`/employees/${person.id}/tables`)).text.includes(salt))
  assert.deepEqual([listed.text.includes(salt), listed.headers.get('cadre-omitted')], [false, 'personal'])
  const ids = listed.body.data.map((one: any) => one.id)
  assert.deepEqual([ids.includes(sealed.id), ids.includes(open.id)], [false, true])
  const whole = (await service.get(`/employees/${person.id}/tables`)).body.metadata.count
  assert.equal(listed.body.metadata.count, whole - 1)
  for (const path of [own, open.rows(person), `/employees/${person.id}/tables/${open.id}`, `${open.path}/rows`]) {
    const answer = await service.get(path, { key })
    assert.deepEqual([answer.status, answer.headers.get('cadre-omitted')], [200, 'personal'], path)
    assert.ok(answer.text.includes('Seen') && !answer.text.includes(salt) && !answer.text.includes('hidden'), path)
  }
  const column = `${open.path}/columns/hidden`
  const option = open.columns[1].options[0].id
  const refused: [string, string, unknown?][] = [
    ['GET', `/employees/${person.id}/tables/${sealed.name}`],
    ['GET', sealed.rows(person)],
    ['GET', `${sealed.path}/rows`],
    ['GET', ownSealed],
    ['GET', `${sealed.rows(person)}/999999`],
    ['POST', sealed.rows(person), {}],
    ['PUT', ownSealed, {}],
    ['DELETE', ownSealed],
    ['DELETE', own],
    ['PUT', sealed.path, { protection: null }],
    ['DELETE', sealed.path],
    ['DELETE', open.path],
    ['POST', `${sealed.path}/columns`, { name: 'X', type: 'text' }],
    ['PUT', `${sealed.path}/columns/word`, { name: 'X' }],
    ['DELETE', `${sealed.path}/columns/word`],
    ['POST', `${sealed.path}/columns/word/options`, { value: 'x' }],
    ['DELETE', `${sealed.path}/columns/word/options/${sealed.columns[0].options[0].id}`],
    ['PUT', column, { protection: null }],
    ['DELETE', column],
    ['PUT', `${column}/options/${option}`, { value: 'x' }],
    ['DELETE', `${column}/options/${option}`],
  ]
  for (const [method, path, json] of refused) {
    const answer = await service.send(method, path, { key, ...(json ? { json } : {}) })
    assert.equal(answer.status, 403, `${method} ${path}: ${answer.text}`)
    assert.ok(!answer.text.includes(salt))
  }
  for (const body of [{ hidden: salt }, { columns: { hidden: null } }, { hidden: 'guess' }]) {
    const answer = await service.put(own, body, { key })
    assert.deepEqual([answer.status, answer.body.errors[0].code], [422, 'forbidden'])
    assert.ok(!answer.text.includes(salt))
  }
  const changed = await service.put(own, { plain: 'Changed' }, { key })
  assert.deepEqual(changed.body.data.columns, { plain: 'Changed' })
  const { columns } = (await service.get(own)).body.data
  assert.deepEqual([columns.plain, columns.hidden.value], ['Changed', salt])
})

oneEngineTest('reading takes the same number of statements at any number of rows and columns', async () => {
  const { rows, path, id } = await table(TYPES)
  const [person, friend] = [await service.hire(), await service.hire()]
  const full = { words: 'a', figure: 1, day: '2024-01-01', yes: true, one: 'Small', some: ['Measles'], who: friend.id }
  await service.make(rows(person), full)
  const count = async (run: () => Promise<{ status: number; text: string }>) => {
    let statements = 0
    service.onStatement = () => void statements++
    const answer = await run()
    service.onStatement = undefined
    assert.ok(answer.status < 300, answer.text)
    return statements
  }
  const reads = [
    `/employees/${person.id}/tables/${id}`,
    rows(person),
    `${path}/rows`,
    `/employees/${person.id}/tables`,
    path,
  ]
  const costs = async () => {
    const found: number[] = []
    for (const read of reads) found.push(await count(() => service.get(read)))
    found.push(await count(() => service.post(rows(person), full)))
    const changes = { ...full, words: `b${last}`, figure: 2 }
    return [...found, await count(() => service.put(`${rows(person)}/${last}`, changes))]
  }
  let last = (await service.make(rows(person), full)).id
  const few = await costs()
  for (let n = 0; n < 20; n++) await service.make(rows(person), full)
  for (const column of TYPES) await service.make(`${path}/columns`, { ...column, name: `${column.name} too` })
  const more = Object.fromEntries(Object.entries(full).map(([name, value]) => [`${name}_too`, value]))
  for (let n = 0; n < 5; n++) last = (await service.make(rows(person), { ...full, ...more })).id
  Object.assign(full, more)
  assert.deepEqual(await costs(), few)
  assert.ok(Math.max(...few) <= 30, few.join())
})

test('of concurrent requests for one column name one succeeds; rows and columns have a limit', async () => {
  const { path, rows, id } = await table()
  const names = Array.from({ length: 8 }, () => service.post(`${path}/columns`, { name: 'Same', type: 'text' }))
  const statuses = (await Promise.all(names)).map(({ status }) => status).sort()
  assert.deepEqual(statuses, [201, ...Array(7).fill(422)])
  const person = await service.hire()
  const { id: row } = await service.make(rows(person), { same: 'x' })
  await service.database.write(async (sql) => {
    const stamps = { created_at: '2024-01-01T00:00:00.000Z', updated_at: '2024-01-01T00:00:00.000Z' }
    const own = { account_id: service.account.id, ...stamps }
    const rows = Array.from({ length: 499 }, (_, n) => ({
      ...own,
      id: row + 1_000 + n,
      employee_id: person.id,
      employee_table_id: id,
    }))
    await sql.insertInto('employee_table_rows').values(rows).execute()
    const columns = Array.from({ length: 99 }, (_, n) => ({
      ...own,
      id: 100_000 + n,
      employee_table_id: id,
      name: `C${n}`,
      name_key: `c${n}`,
      internal_name: `c${n}`,
      internal_name_key: `c${n}`,
      type: 'text',
    }))
    await sql.insertInto('employee_table_columns').values(columns).execute()
  })
  assert.equal((await service.post(rows(person), { same: 'y' })).status, 409)
  assert.equal((await service.post(rows(await service.hire()), { same: 'y' })).status, 201, 'others have their own')
  assert.equal((await service.post(`${path}/columns`, { name: 'One more', type: 'text' })).status, 409)
  assert.equal((await service.get(`/employees/${person.id}/tables/${id}`)).body.rows.length, 500)
})

test('a stale ETag stops a row change, and a repeated request runs once', async () => {
  const { rows } = await table([{ name: 'Size', type: 'number' }])
  const person = await service.hire()
  const retry = { headers: { 'idempotency-key': 'row-once' } }
  const [made, again] = [
    await service.post(rows(person), { size: 1 }, retry),
    await service.post(rows(person), { size: 1 }, retry),
  ]
  assert.equal(again.text, made.text)
  assert.equal((await service.post(rows(person), { size: 2 }, retry)).status, 422)
  const place = made.headers.get('location') as string
  const tag = (await service.get(place)).headers.get('etag') as string
  await service.put(place, { size: 3 })
  assert.equal((await service.put(place, { size: 4 }, { headers: { 'if-match': tag } })).status, 412)
  const fresh = (await service.get(place)).headers.get('etag') as string
  assert.equal((await service.put(place, { size: 4 }, { headers: { 'if-match': fresh } })).status, 200)
})

test('digits select a column option by id, and by value only if no option has that id', async () => {
  const one = await table([
    { name: 'Year', type: 'single_select', options: ['a', 'b', 'c'] },
    { name: 'Years', type: 'multi_select', options: ['x', 'y'] },
  ])
  const [year, years] = one.columns
  const [first, second, third] = year.options
  const rename = (column: any, option: any, value: unknown) =>
    service.put(`${one.path}/columns/${column.id}/options/${option.id}`, { value: String(value) })
  // The value of each is the id of another, and the last has a value that is nobody's id.
  await rename(year, first, second.id)
  await rename(year, second, first.id)
  await rename(year, third, 987654)
  await rename(years, years.options[0], years.options[1].id)
  const person = await service.hire()
  for (const sent of [first.id, String(first.id), ` ${first.id} `, { id: String(first.id) }]) {
    const row = await service.make(one.rows(person), { year: sent })
    assert.equal(row.columns.year.id, first.id, JSON.stringify(sent))
  }
  const form = { year: String(second.id), 'years[]': String(years.options[1].id) }
  const made = (await service.send('POST', one.rows(person), { form })).body.data.columns
  assert.deepEqual([made.year.id, made.years.map(({ id }: any) => id)], [second.id, [years.options[1].id]])
  assert.equal((await service.make(one.rows(person), { year: '987654' })).columns.year.id, third.id)
  const elsewhere = await service.post(one.rows(person), { year: String(years.options[0].id) })
  assert.deepEqual(errors(elsewhere), ['year not_allowed'])
})

test('the rows of a table can be filtered by one or several employees', async () => {
  const { path, rows } = await table([{ name: 'Words', type: 'text' }])
  const [ada, bob, eve] = [await service.hire(), await service.hire(), await service.hire()]
  for (const person of [ada, bob, ada, eve]) await service.make(rows(person), { words: 'x' })
  const whose = async (query: string) => {
    const { body } = await service.get(`${path}/rows?${query}`)
    assert.equal(body.metadata.count, body.data.length)
    return body.data.map(({ employee }: any) => employee.id)
  }
  assert.deepEqual(await whose(`employee_id=${ada.id}`), [ada.id, ada.id])
  assert.deepEqual(await whose(`employee_ids[]=${bob.id}&employee_ids[]=${eve.id}`), [bob.id, eve.id])
  assert.deepEqual(await whose('employee_id=987654'), [])
  assert.equal((await service.get(`${path}/rows?employee_id=ada`)).status, 400)
})

test('a number with too many digits is rejected with a message that names both limits', async () => {
  const { rows } = await table([{ name: 'Figure', type: 'number' }])
  const person = await service.hire()
  for (const figure of ['123456789012', '1.23456', 123456789012, 'x']) {
    const { status, body } = await service.post(rows(person), { figure })
    assert.deepEqual(
      [status, body.errors[0].message],
      [422, 'figure must be a decimal number with at most 11 digits before and 4 after the point'],
    )
  }
})
