import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, mock, test } from 'node:test'
import { chances, SEED } from '../chance.ts'
import { type Service, startService } from '../harness.ts'
import { rounds } from '../thorough.ts'

/** The program in the reference that keeps a copy of employees, run as it stands there. */

type Recipe = {
  employeeCopy: (
    url: string,
    key: string,
  ) => { copy: { people: Map<number, any>; last: number; day: string }; follow: (seconds?: number) => Promise<void> }
}

let service: Service
let folder: string
let recipe: Recipe
before(async () => {
  mock.timers.enable({ apis: ['Date'], now: new Date('2026-06-15T12:00:00Z') })
  service = await startService({ clock: () => new Date() })
  const { description } = (await service.get(`${service.url}/openapi.json`)).body.info
  const [, code] = /## Sync employees\n[\s\S]*?~~~js\n([\s\S]*?)~~~/.exec(description) ?? []
  assert.ok(code, 'the reference has no recipe')
  folder = mkdtempSync(join(tmpdir(), 'cadre-recipe-'))
  writeFileSync(join(folder, 'recipe.mjs'), code)
  recipe = await import(join(folder, 'recipe.mjs'))
})
after(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
  mock.timers.reset()
})

const today = () => new Date().toISOString().slice(0, 10)

/** Everybody as the list of employees shows them now. */
async function everybody(): Promise<Map<number, any>> {
  const people = new Map<number, any>()
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body } = await service.get(`/employees?status=all&as_of=${today()}&per_page=200&page=${page}`)
    pages = body.metadata.pages
    for (const person of body.data) people.set(person.id, person)
  }
  return people
}

const inOrder = (people: Map<number, any>) => [...people].sort(([a], [b]) => a - b)

test('a copy kept with the sync recipe equals the employee list after random changes', async () => {
  const { make, put } = service
  const list = async (path: string, ...names: string[]) => {
    const made: number[] = []
    for (const name of names) made.push((await make(path, { name })).id)
    return made
  }
  const departments = await list('/departments', 'Sales', 'Research')
  const locations = await list('/locations', 'Here', 'There')
  const types = await list('/employment_types', 'Full-time', 'Part-time')
  const field = await make('/employee_fields', { name: 'Badge', type: 'text' })
  const people: number[] = []
  for (let n = 0; n < 5; n++) people.push((await service.hire({ hired_on: '2024-01-01' })).id)

  const { copy, follow } = recipe.employeeCopy(`${service.url}/api/public/v3`, service.key)
  const isEqual = async (what: string) => {
    await follow(0)
    assert.deepEqual(inOrder(copy.people), inOrder(await everybody()), what)
  }
  await isEqual('at the beginning')

  const { below, of } = chances(SEED)
  let count = 0
  const day = () => `2026-0${1 + below(9)}-1${below(10)}`
  const changes: [string, () => Promise<{ status: number; text: string }>][] = [
    ['rename a person', () => put(`/employees/${of(people)}`, { last_name: `Name ${++count}` })],
    ['move', () => put(`/employees/${of(people)}`, { department_id: of(departments), location_id: of(locations) })],
    ['manager', () => put(`/employees/${of(people)}`, { manager_id: of(people) })],
    [
      'job entry',
      () =>
        service.post(`/employees/${of(people)}/positions`, { effective_from: day(), department_id: of(departments) }),
    ],
    [
      'status entry',
      () =>
        service.post(`/employees/${of(people)}/employment_statuses`, {
          effective_from: day(),
          employment_type_id: of(types),
        }),
    ],
    [
      'pay',
      () =>
        service.post(`/employees/${of(people)}/salaries`, {
          effective_on: day(),
          amount: 1000 + ++count,
          currency_code: 'EUR',
          per: 'month',
        }),
    ],
    ['custom value', () => put(`/employees/${of(people)}`, { fields: { badge: `B${++count}` } })],
    ['rename a department', () => put(`/departments/${of(departments)}`, { name: `Department ${++count}` })],
    ['rename a location', () => put(`/locations/${of(locations)}`, { name: `Location ${++count}` })],
    ['rename a type', () => put(`/employment_types/${of(types)}`, { name: `Type ${++count}` })],
    ['rename a field', () => put(`/employee_fields/${field.id}`, { name: `Field ${++count}` })],
    ['leave', () => service.post(`/employees/${of(people)}/terminate`, { effective_from: day() })],
    ['come back', () => service.post(`/employees/${of(people)}/activate`, {})],
    [
      'hire',
      async () => {
        const answer = await service.post('/employees', {
          first_name: 'New',
          last_name: `N${++count}`,
          hired_on: day(),
        })
        people.push(answer.body.data.id)
        return answer
      },
    ],
    [
      'erase',
      async () => {
        const at = below(people.length)
        const answer = await service.delete(`/employees/${people[at]}?erase=true`)
        if (answer.status === 204 && people.length > 3) people.splice(at, 1)
        return answer
      },
    ],
  ]
  const done = new Set<string>()
  for (let round = 0; round < rounds(60, 400); round++) {
    const [what, change] = of(changes)
    const { status, text } = await change()
    assert.ok(status < 500, text)
    if (status < 300) done.add(what)
    if (round % 3 === 0) await isEqual(what)
  }
  await isEqual('in the end')
  assert.ok(done.size > 8, [...done].join())
})

test('a planned change appears in the synced copy on its date', async () => {
  const { id } = await service.hire({ hired_on: '2024-01-01' })
  const pay = { currency_code: 'EUR', per: 'month' }
  await service.make(`/employees/${id}/salaries`, { effective_on: '2026-01-01', amount: 2000, ...pay })
  await service.make(`/employees/${id}/salaries`, { effective_on: '2026-06-16', amount: 3000, ...pay })
  const { copy, follow } = recipe.employeeCopy(`${service.url}/api/public/v3`, service.key)
  await follow(0)
  assert.equal(copy.people.get(id).salary.amount, '2000.0')
  mock.timers.setTime(new Date('2026-06-16T12:00:00Z').getTime())
  await follow(0)
  assert.equal(copy.people.get(id).salary.amount, '3000.0')
  assert.deepEqual(inOrder(copy.people), inOrder(await everybody()))
})

test('since=now starts at the end of the feed, and waits for what comes after', async () => {
  const { body: whole } = await service.get('/changes?since=0&limit=1000')
  assert.ok(whole.data.length > 0)
  const now = await service.get('/changes?since=now')
  assert.deepEqual([now.status, now.body.data, now.body.metadata.more], [200, [], false])
  const waiting = service.get('/changes?since=now&wait=20&resources[]=teams')
  const lead = await service.hire()
  // Whether the question or the team comes first is not known: teams are made until one is told.
  let answered = false
  const answer = waiting.then((one) => {
    answered = true
    return one
  })
  for (let n = 0; !answered && n < 100; n++) {
    await service.make('/teams', { name: `Team ${n}`, team_lead_id: lead.id })
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const { body } = await answer
  assert.equal(body.data[0].resource, 'teams')
  assert.ok(body.data[0].number > now.body.metadata.last)
  for (const since of ['soon', 'NOW', '-1', '1.5', ''])
    assert.equal((await service.get(`/changes?since=${since}`)).body.errors[0].field, 'since', since)
  const beyond = await service.get('/changes?since=999999999999999')
  assert.deepEqual([beyond.status, beyond.body.errors[0].code], [400, 'too_large'])
})
