import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from './harness.ts'

let service: Service
before(async () => {
  service = await startService({ clock: () => new Date('2036-06-15T12:00:00Z') })
})
after(() => service.stop())

const find = async (q: string, more = '', key = service.key) => {
  const answer = await service.get(`/search?q=${encodeURIComponent(q)}${more}`, { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data as any[]
}
const shown = (found: any[]) => found.map(({ kind, id, title, subtitle, path }) => [kind, id, title, subtitle, path])

test('search finds every kind of record by word prefixes and returns its path', async () => {
  const { make } = service
  const position = await make('/positions', { name: 'Quetzal keeper' })
  const person = await service.hire({ first_name: 'Quetta', last_name: 'Ruiz', position_id: position.id })
  const department = await make('/departments', { name: 'Quetzals' })
  const location = await make('/locations', { name: 'Quetzaltenango', country_code: 'GT' })
  const type = await make('/leave_types', { name: 'Quetzal days' })
  const policy = await make('/leave_policies', { name: '10 Quetzal days', leave_type_id: type.id })
  const field = await make('/employee_fields', { name: 'Favourite quetzal', type: 'text' })
  const task = await make('/tasks', { name: 'Feed the quetzal', employee_id: person.id })
  const candidate = await make('/recruitment/candidates', { full_name: 'Anna Quetz', position: 'Keeper' })
  const category = await make('/knowledge_base/categories', { name: 'Birds' })
  const article = await make('/knowledge_base/articles', {
    title: 'On the quetzal',
    category_id: category.id,
    state: 'published',
  })
  assert.deepEqual(shown(await find('QUÉT')), [
    ['person', person.id, 'Quetta Ruiz', 'Quetzal keeper', `/employees/${person.id}`],
    ['candidate', candidate.id, 'Anna Quetz', 'Keeper', `/recruitment/candidates/${candidate.id}`],
    ['article', article.id, 'On the quetzal', 'Birds', `/knowledge_base/articles/${article.id}`],
    ['task', task.id, 'Feed the quetzal', 'Quetta Ruiz', `/tasks/${task.id}`],
    ['department', department.id, 'Quetzals', null, `/departments/${department.id}`],
    ['location', location.id, 'Quetzaltenango', 'GT', `/locations/${location.id}`],
    ['position', position.id, 'Quetzal keeper', null, `/positions/${position.id}`],
    ['leave_type', type.id, 'Quetzal days', null, `/leave_types/${type.id}`],
    ['leave_policy', policy.id, '10 Quetzal days', null, `/leave_policies/${policy.id}`],
    ['employee_field', field.id, 'Favourite quetzal', 'text', `/employee_fields/${field.id}`],
  ])
  for (const { path } of await find('quet')) assert.equal((await service.get(path)).status, 200, path)
  assert.deepEqual(shown(await find('keep quetzal', '&kinds[]=position')).length, 1)
  assert.deepEqual(await find('quetzal keeper nonsense'), [])
  for (const nothing of ['', ' ', '!!!', '%', "'"]) assert.deepEqual(await find(nothing), [], nothing)
  await service.put(`/departments/${department.id}`, { name: 'Toucans' })
  assert.deepEqual(await find('quetzals'), [])
  assert.equal((await find('touc'))[0].kind, 'department')
})

test('exact words come first, each record once, up to the requested number', async () => {
  for (const name of ['Zoran', 'Zo', 'Zora Zoe Zola', 'Zoology']) await service.make('/divisions', { name })
  const titles = async (q: string, more = '') => (await find(q, `&kinds[]=division${more}`)).map((one) => one.title)
  assert.deepEqual(await titles('zo'), ['Zo', 'Zora Zoe Zola', 'Zoology', 'Zoran'])
  assert.deepEqual(await titles('zo', '&per_kind=2'), ['Zo', 'Zora Zoe Zola'])
  for (const wrong of ['0', '21', 'x']) assert.equal((await service.get(`/search?q=a&per_kind=${wrong}`)).status, 400)
  assert.equal((await service.get('/search?q=a&kinds[]=nonsense')).status, 400)
})

test('search never finds what the key may not read, and a forbidden kind gets 403', async () => {
  const word = 'Xylograph'
  await service.hire({ last_name: word, hired_on: '2030-01-01' })
  const gone = await service.hire({ last_name: `${word}left`, hired_on: '2030-01-01' })
  await service.post(`/employees/${gone.id}/terminate`, { effective_from: '2036-01-01' })
  await service.hire({ last_name: `${word}later`, hired_on: '2037-01-01' })
  await service.make('/recruitment/candidates', { full_name: word })
  await service.make('/departments', { name: word })
  await service.make('/employee_fields', { name: word, type: 'text', protection: 'compensation' })
  const category = await service.make('/knowledge_base/categories', { name: 'Prints' })
  await service.make('/knowledge_base/articles', { title: `${word} draft`, category_id: category.id })
  const kinds = async (permissions: string[], withheld: string[] = []) => {
    const found = await find(word, '', await service.keyWith({ permissions, withheld }))
    return found.map((one) => `${one.kind} ${one.path.split('/')[1]}`)
  }
  assert.deepEqual(await kinds(['directory:read']), ['person directory'])
  assert.deepEqual(await kinds(['directory:read', 'recruitment:read']), ['person directory', 'candidate recruitment'])
  const staff = ['person employees', 'person employees', 'person employees']
  assert.deepEqual(await kinds(['directory:read', 'employees:read']), [...staff, 'employee_field employee_fields'])
  assert.deepEqual(await kinds(['directory:read', 'employees:read'], ['compensation']), staff)
  assert.deepEqual(await kinds(['directory:read', 'knowledge:read', 'organisation:read']), [
    'person directory',
    'department departments',
  ])
  assert.ok((await kinds(['directory:read', 'knowledge:*'])).includes('article knowledge_base'))
  const key = await service.keyWith({ permissions: ['directory:read'] })
  assert.equal((await service.get('/search?q=x&kinds[]=candidate', { key })).status, 403)
  const other = await service.otherAccount()
  assert.deepEqual(await find(word, '', other.key), [])
})

test('search takes at most one statement for each kind', async () => {
  let n = 0
  service.onStatement = () => void n++
  await find('a b c d')
  service.onStatement = undefined
  assert.ok(n <= 34, String(n))
})
