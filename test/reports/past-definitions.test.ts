import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { daysAfter } from '../../src/engine/day.ts'
import { fc } from '../chance.ts'
import { type Answer, type Service, startService } from '../harness.ts'
import { rounds } from '../thorough.ts'

/** Reports and charts of past days have the departments and names of those days. */

let service: Service
let today = '2036-01-10'
before(async () => {
  // Noon where the account is: a day ends there, not in Greenwich.
  service = await startService({ clock: () => new Date(`${today}T12:00:00Z`) })
})
after(() => service.stop())

let count = 0
async function done(answer: Promise<Answer>): Promise<Answer> {
  const { status, text } = await answer
  assert.ok(status < 300, text)
  return answer
}
const below = (id: number) => `department_id=${id}&with_below=true`
const headcountOn = async (id: number, day: string) =>
  (await done(service.get(`/reports/tenure?as_of=${day}&${below(id)}`))).body.data.headcount

test('reports with sub-departments use the department tree of each day', async () => {
  const step = fc.record({ which: fc.nat(3), parent: fc.option(fc.nat(3)), days: fc.integer({ min: 1, max: 20 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      today = '2036-01-10'
      const departments: number[] = []
      for (let n = 0; n < 4; n++) {
        const { id } = await service.make('/departments', { name: `D ${++count}` })
        departments.push(id)
        for (let k = 0; k <= n; k++) await service.hire({ hired_on: '2035-01-01', department_id: id })
      }
      // The tree at the end of each day.
      const trees = new Map<string, (number | null)[]>()
      let parents: (number | null)[] = [null, null, null, null]
      const first = today
      trees.set(daysAfter(first, -200), parents)
      for (const { which, parent, days } of steps) {
        const answer = await service.put(`/departments/${departments[which]}`, {
          parent_id: parent === null ? null : departments[parent],
        })
        if (answer.status === 200) parents = parents.map((one, n) => (n === which ? parent : one))
        for (let n = 0; n < days; n++) {
          trees.set(today, parents)
          today = daysAfter(today, 1)
        }
        trees.set(today, parents)
      }
      const sizeOf = (tree: (number | null)[], top: number): number =>
        top + 1 + tree.reduce((sum: number, up, n) => sum + (up === top ? sizeOf(tree, n) : 0), 0)
      for (const [day, tree] of trees)
        if (day >= first && (Number(day.slice(8)) % 4 === 0 || day === today))
          for (const top of [0, 3])
            assert.equal((await headcountOn(departments[top] as number, day)).count, sizeOf(tree, top), `${day} ${top}`)
      const { months } = (
        await done(service.get(`/reports/headcount?from=2036-01-01&to=${today}&${below(departments[0] as number)}`))
      ).body.data
      for (const { ends_on, headcount } of months) {
        assert.equal(headcount.count, sizeOf(trees.get(ends_on) ?? parents, 0), ends_on)
        const list = await done(service.get(headcount.list))
        assert.equal(list.body.metadata.count, headcount.count, 'the list has as many')
      }
    }),
    { numRuns: rounds(4, 16) },
  )
})

test('a deleted department still counts as a parent on earlier days', async () => {
  today = '2037-01-10'
  const [top, middle, low] = [
    await service.make('/departments', { name: `Top ${++count}` }),
    await service.make('/departments', { name: `Middle ${++count}` }),
    await service.make('/departments', { name: `Low ${++count}` }),
  ]
  await service.hire({ hired_on: '2035-01-01', department_id: low.id })
  await done(service.put(`/departments/${middle.id}`, { parent_id: top.id }))
  await done(service.put(`/departments/${low.id}`, { parent_id: middle.id }))
  today = '2037-02-10'
  await done(service.put(`/departments/${low.id}`, { parent_id: null }))
  await done(service.delete(`/departments/${middle.id}`))
  assert.equal((await headcountOn(top.id, today)).count, 0)
  assert.equal((await headcountOn(top.id, '2037-02-09')).count, 1)
})

test('absence of past months uses the sub-departments of that time', async () => {
  today = '2038-01-10'
  const [top, low] = [
    await service.make('/departments', { name: `Top ${++count}` }),
    await service.make('/departments', { name: `Low ${++count}` }),
  ]
  await done(service.put(`/departments/${low.id}`, { parent_id: top.id }))
  const { id } = await service.hire({ hired_on: '2035-01-01', department_id: low.id })
  const type = await service.make('/leave_types', { name: `Leave ${++count}` })
  const policy = await service.make('/leave_policies', {
    name: `Leave ${count}`,
    leave_type_id: type.id,
    type: 'external',
  })
  const assigned = { leave_type_id: type.id, leave_type_policy_id: policy.id, effective_on: '2036-01-01' }
  await service.make(`/employees/${id}/leave_types`, assigned)
  for (const day of ['2038-01-12', '2038-02-16', '2038-03-16'])
    await service.make('/leave_requests', {
      employee_id: id,
      leave_type_id: type.id,
      starts_on: day,
      ends_on: day,
      skip_approval: true,
    })
  today = '2038-03-10'
  await done(service.put(`/departments/${low.id}`, { parent_id: null }))
  today = '2038-04-10'
  const { months } = (await done(service.get(`/reports/absence?from=2038-01-01&to=2038-03-31&${below(top.id)}`))).body
    .data
  assert.deepEqual(
    months.map((one: any) => one.days),
    [1, 1, 0],
  )
  for (const { list, days } of months)
    assert.equal((await done(service.get(list))).body.metadata.count, days, 'the list has as many')
})

test('org charts of past dates show the names of those dates', async () => {
  today = '2039-01-10'
  const department = await service.make('/departments', { name: `Old department ${++count}` })
  const location = await service.make('/locations', { name: `Old place ${count}` })
  const position = await service.make('/positions', { name: `Old job ${count}` })
  const job = { department_id: department.id, location_id: location.id, position_id: position.id }
  const { id } = await service.hire({ first_name: 'Ann', last_name: `Older${count}`, hired_on: '2035-01-01', ...job })
  today = '2039-02-10'
  const renamed = [
    await done(service.put(`/departments/${department.id}`, { name: `New department ${count}` })),
    await done(service.put(`/locations/${location.id}`, { name: `New place ${count}` })),
    await done(service.put(`/positions/${position.id}`, { name: `New job ${count}` })),
    await done(service.put(`/employees/${id}`, { last_name: `Newer${count}` })),
  ]
  today = '2039-03-10'
  const names = async (day?: string) => {
    const { data } = (await done(service.get(`/org_chart${day ? `?as_of=${day}` : ''}`))).body
    const one = data.people.find((person: any) => person.id === id)
    const named = (list: any[], of: number) => list.find((record) => record.id === of)?.name
    return [one.name, one.position, named(data.departments, department.id), named(data.locations, location.id)]
  }
  const [before, after] = ['Old', 'New'].map((what) => [
    `Ann ${what}er${count}`,
    `${what} job ${count}`,
    `${what} department ${count}`,
    `${what} place ${count}`,
  ])
  assert.deepEqual(await names(), after)
  assert.deepEqual(await names('2039-02-10'), after, 'a day has what it ended with')
  assert.deepEqual(await names('2039-02-09'), before)
  // Before they were written, they are called as they were first.
  assert.deepEqual(await names('2036-01-01'), before)
  for (const answer of renamed) await done(service.post(`/requests/${answer.headers.get('x-request-id')}/undo`))
  assert.deepEqual(await names('2039-02-20'), after, 'an undo does not change what was')
  assert.deepEqual(await names(), before)
})
