import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandLine } from '../src/access/accounts.ts'
import { reference } from '../src/engine/field.ts'
import { card, resource } from '../src/engine/resource.ts'
import { fetchShape } from '../src/engine/shape.ts'
import { readAs } from '../src/ledger/ledger.ts'
import { employees } from '../src/people/employees.ts'
import { openService } from '../src/service.ts'
import { type Service, startService } from './harness.ts'

let service: Service
let impersonal: string
before(async () => {
  service = await startService()
  impersonal = await service.keyWith({ permissions: ['*'], withheld: ['personal'] })
  await service.post('/employees', { first_name: 'Ada', last_name: 'L', date_of_birth: '1990-12-10' })
  await service.post('/tasks', { name: 'Order a laptop', employee_id: 1 })
})
after(() => service.stop())

test('a list that is found by a withheld group is refused, and says which', async () => {
  for (const path of ['/employees/birthdays', '/employees/birthdays?date[gte]=2026-12-01&date[lte]=2026-12-31']) {
    assert.equal((await service.get(path)).status, 200)
    const refused = await service.get(path, { key: impersonal })
    assert.equal(refused.status, 403)
    assert.match(refused.body.detail, /date.*personal/)
  }
  assert.equal((await service.get('/employees/anniversaries', { key: impersonal })).status, 200)
})

test('a nested shape is cut as the one around it is, and the group is named', async () => {
  const { ledger } = openService({ database: service.database, filesFolder: '' })
  const birth = card(employees, 'Birth', ['id', 'first_name', 'date_of_birth', 'gender_id'])
  const assigned = resource(
    { table: 'tasks', one: 'task', area: 'tasks' },
    { employee_id: reference('employees', { required: true, show: () => birth }) },
  )
  const look = (withheld: string[]) =>
    readAs(ledger, { ...commandLine(service.account), withheld: new Set(withheld) }, async (db) => {
      const [found] = await fetchShape(db, assigned.whole, db.from('tasks'))
      return { employee: found?.record.employee, omitted: [...db.omitted] }
    })
  assert.deepEqual(await look([]), {
    employee: { id: 1, first_name: 'Ada', date_of_birth: '1990-12-10', gender: null },
    omitted: [],
  })
  assert.deepEqual(await look(['personal']), { employee: { id: 1, first_name: 'Ada' }, omitted: ['personal'] })
})
