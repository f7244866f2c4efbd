import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { Browser, PASSWORD, person, tokenIn } from '../browser.ts'
import { cheapPasswords } from '../cheap-passwords.ts'
import { type Service, startService } from '../harness.ts'
import { oneEngineTest } from '../thorough.ts'

cheapPasswords()
/** What somebody may do ends while something of theirs is still under way: a request, a link, a key, an undo. */

let service: Service
let ahead = 0
let frozen: number | null = null
before(async () => {
  service = await startService({ clock: () => new Date(frozen ?? Date.now() + ahead) })
  await person(service, { email: 'stays@example.com', role: 'owner' })
})
after(() => service.stop())

const roleOf = async (standard: string) =>
  (await service.get('/roles')).body.data.find((one: any) => one.standard === standard).id
const role = async (name: string, grants: object[]) => (await service.make('/roles', { name, grants })).id

/** Somebody has left, long ago. */
async function leaves(employeeId: number): Promise<void> {
  const type = await service.make('/termination_types', { name: `Left ${employeeId}` })
  const leaving = { effective_from: '2024-01-31', termination_type_id: type.id }
  const left = await service.post(`/employees/${employeeId}/terminate`, leaving)
  assert.equal(left.status, 200, left.text)
}

let size = 0

/** Sends a request whose body ends only after something else has happened, and says its status. */
async function slowly(
  method: string,
  path: string,
  { headers, body }: { headers: Record<string, string>; body: object },
  meanwhile: () => Promise<{ status: number; text: string }>,
): Promise<{ status: number; text: string }> {
  const text = JSON.stringify(body)
  const sending = request(`${service.url}/api/public/v3${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers },
  })
  const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
    sending.on('error', reject)
    sending.on('response', async (response) => {
      const told = (await Array.fromAsync(response)).join('')
      resolve({ status: response.statusCode as number, text: told })
    })
  })
  sending.write(text.slice(0, 1))
  // The request is admitted before these are: each reads more than an admission, and none comes from the cache.
  for (let n = 0; n < 12; n++) await service.get(`/employees?per_page=${++size}`)
  const done = await meanwhile()
  assert.ok(done.status < 300, done.text)
  sending.end(text.slice(1))
  return answer
}

const cookieOf = ({ cookies }: Browser) => ({
  cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  'sec-fetch-site': 'same-origin',
})

test('a key or session that ends or loses rights while its request arrives changes nothing', async () => {
  const employee = await service.hire({ first_name: 'Before' })
  const nameNow = async () => (await service.get(`/employees/${employee.id}`)).body.data.first_name
  const change = { body: { first_name: 'Changed' } }
  const put = `/employees/${employee.id}`

  const revoked = await service.make('/api_keys', { name: 'Ends', permissions: ['*'] })
  const ofKey = { headers: { 'x-api-key': revoked.key }, ...change }
  assert.equal((await slowly('PUT', put, ofKey, () => service.delete(`/api_keys/${revoked.id}`))).status, 401)

  const narrowed = await service.make('/api_keys', { name: 'Loses', permissions: ['*'] })
  const less = () => service.put(`/api_keys/${narrowed.id}`, { permissions: ['teams:*'] })
  assert.equal((await slowly('PUT', put, { headers: { 'x-api-key': narrowed.key }, ...change }, less)).status, 403)

  const out = await person(service, { email: 'out@example.com', role: 'hr' })
  const ofPerson = { headers: cookieOf(out.browser), ...change }
  assert.equal((await slowly('PUT', put, ofPerson, () => service.post(`/users/${out.id}/disable`))).status, 401)

  const left = await person(service, { email: 'left@example.com', role: 'hr' })
  const signedOut = () => left.browser.stolen(service).post('/sign_out')
  assert.equal((await slowly('PUT', put, { headers: cookieOf(left.browser), ...change }, signedOut)).status, 401)
  assert.equal(await nameNow(), 'Before')

  // A demoted owner does not make themselves one again.
  const owner = await person(service, { email: 'demoted@example.com', role: 'owner' })
  const roles = async () => (await service.get(`/users/${owner.id}`)).body.data.roles.map((one: any) => one.name)
  const again = { headers: cookieOf(owner.browser), body: { role_ids: [await roleOf('owner')] } }
  const hr = { role_ids: [await roleOf('hr')] }
  const raised = await slowly('PUT', `/users/${owner.id}`, again, () => service.put(`/users/${owner.id}`, hr))
  // They may still do what they were let in for, but not as they were let in.
  assert.equal(raised.status, 409, raised.text)
  assert.match(raised.text, /rights_changed/)
  assert.deepEqual(await roles(), ['HR'])

  // What ends by itself ends it, too.
  const expires_at = new Date(Date.now() + 60_000).toISOString()
  const brief = await service.make('/api_keys', { name: 'Brief', permissions: ['*'], expires_at })
  const late = async () => {
    ahead = 90_000
    return { status: 200, text: '' }
  }
  assert.equal((await slowly('PUT', put, { headers: { 'x-api-key': brief.key }, ...change }, late)).status, 401)
  ahead = 0

  // What changes about others changes nothing for those who wait.
  const stays = await service.make('/api_keys', { name: 'Stays', permissions: ['*'] })
  const others = () => service.post('/api_keys', { name: 'Of another', permissions: ['teams:read'] })
  assert.equal((await slowly('PUT', put, { headers: { 'x-api-key': stays.key }, ...change }, others)).status, 200)
  assert.equal(await nameNow(), 'Changed')
})

test('a request under way when its key expires is rejected', async () => {
  const { id } = await service.hire()
  const end = Date.now() + 60_000
  const expires_at = new Date(end).toISOString()
  const { key } = await service.make('/api_keys', { name: 'Brief', permissions: ['*'], expires_at })
  const sent = { headers: { 'x-api-key': key }, body: { first_name: 'Late' } }
  frozen = end - 100
  const late = await slowly('PUT', `/employees/${id}`, sent, async () => {
    frozen = end
    return { status: 200, text: '' }
  })
  frozen = null
  assert.equal(late.status, 401, late.text)
})

test('managing access needs a recent sign-in when the request completes, not only when it starts', async () => {
  const { browser } = await person(service, { email: 'slow-owner@example.com', role: 'owner' })
  const body = { email: 'slow-guest@example.com', name: 'Guest', role_ids: [await roleOf('employee')] }
  const sent = { headers: cookieOf(browser), body }
  const late = await slowly('POST', '/users/invite', sent, async () => {
    ahead = 11 * 60_000
    return { status: 200, text: '' }
  })
  ahead = 0
  assert.equal(late.status, 403, late.text)
  assert.match(late.text, /confirm_first/)
  assert.equal((await browser.post('/users/invite', body)).status, 201)
})

test('an invitation link works only while its creator could still create it', async () => {
  const hr = await person(service, { email: 'maker@example.com', role: 'hr' })
  const invite = async (email: string) => {
    const given = { email, name: 'New Body', role_ids: [await roleOf('employee')] }
    const invited = await hr.browser.post('/users/invite', given)
    assert.equal(invited.status, 201, invited.text)
    return { id: invited.body.data.user.id, token: tokenIn(invited.body.data.link.url) }
  }
  const use = (token: string) => new Browser(service).post('/sign_in/link_use', { token, password: PASSWORD })
  const [promoted, plain, late] = [await invite('a@new.test'), await invite('b@new.test'), await invite('c@new.test')]
  await service.put(`/users/${promoted.id}`, { role_ids: [await roleOf('owner')] })
  const refused = await use(promoted.token)
  assert.equal(refused.status, 404, refused.text)
  assert.equal(refused.body.code, 'link_ended')
  assert.equal((await use(plain.token)).status, 200)
  await service.post(`/users/${hr.id}/disable`)
  assert.equal((await use(late.token)).status, 404)
  // A key that makes links is held to those that it was made with, and to whose it is.
  const top = await service.make('/api_keys', { name: 'Top', permissions: ['*'] })
  const person_ = await service.hire({ hired_on: '2020-01-01' })
  const below = { name: 'Below', permissions: ['*'], employee_id: person_.id }
  const [own, theirs] = [
    (await service.post('/api_keys', { ...below, employee_id: null }, { key: top.key })).body.data,
    await service.make('/api_keys', below),
  ]
  const inviteBy = async (key: string, email: string) => {
    const sent = { email, name: 'New Body', role_ids: [await roleOf('employee')] }
    return tokenIn((await service.post('/users/invite', sent, { key })).body.data.link.url)
  }
  const [byOwn, byTheirs] = [await inviteBy(own.key, 'd@new.test'), await inviteBy(theirs.key, 'e@new.test')]
  const teams = await role('Teams', [{ scope: 'everybody', permissions: ['teams:read'], sees: [] }])
  await service.put(`/api_keys/${top.id}`, { role_ids: [teams] })
  const type = await service.make('/termination_types', { name: 'Ends' })
  const leaving = { effective_from: '2024-01-31', termination_type_id: type.id }
  assert.equal((await service.post(`/employees/${person_.id}/terminate`, leaving)).status, 200)
  for (const token of [byOwn, byTheirs]) assert.equal((await use(token)).status, 404)
  // One that is made anew by somebody who may works.
  const anew = await service.post(`/users/${late.id}/link`)
  assert.equal((await use(tokenIn(anew.body.data.url))).status, 200)
})

test('an invitation link ends when its creator may manage access for some people only', async () => {
  const sees = ['compensation', 'personal', 'notes', 'planned']
  const standard = (await service.get('/roles')).body.data.find((one: any) => one.standard === 'employee')
  const held = [...new Set<string>(standard.grants.flatMap((grant: any) => grant.permissions))]
  const wide = await role('Makes links', [{ scope: 'everybody', permissions: ['*'], sees }])
  const maker = await person(service, {
    email: 'links@example.com',
    role: 'hr',
    employee_id: (await service.hire()).id,
  })
  await service.put(`/users/${maker.id}`, { role_ids: [wide] })
  const ofKey = { name: 'Makes links', permissions: ['*'], employee_id: (await service.hire()).id, role_ids: [wide] }
  const { key } = await service.make('/api_keys', ofKey)
  const sent = (email: string) => ({ email, name: 'New Body', role_ids: [standard.id] })
  const invited = [
    await maker.browser.post('/users/invite', sent('f@new.test')),
    await service.post('/users/invite', sent('g@new.test'), { key }),
  ]
  for (const { status, text } of invited) assert.equal(status, 201, text)
  const grants = [
    { scope: 'everybody', permissions: held, sees },
    { scope: 'reports', permissions: ['users:write'], sees },
  ]
  assert.equal((await service.put(`/roles/${wide}`, { grants })).status, 200)
  for (const { body } of invited) {
    const used = { token: tokenIn(body.data.link.url), password: PASSWORD }
    assert.equal((await new Browser(service).post('/sign_in/link_use', used)).status, 404)
  }
})

test('a key is limited by the roles of the keys it was created with', async () => {
  const employee = await service.hire()
  const reads = async (key: string) => (await service.get(`/employees/${employee.id}/salaries`, { key })).status
  const make = async (name: string, sent: object, key?: string) => {
    const made = await service.post('/api_keys', { name, permissions: ['*'], ...sent }, key ? { key } : {})
    assert.equal(made.status, 201, made.text)
    return made.body.data
  }
  const sees = ['compensation', 'personal', 'notes', 'planned']
  const all = { scope: 'everybody', permissions: ['keys:*', 'employees:*'], sees }
  const wide = await role('Wide', [all])
  const top = await make('Top', { role_ids: [wide] })
  const middle = await make('Middle', { permissions: ['keys:*', 'employees:*'] }, top.key)
  const bottom = await make('Bottom', { permissions: ['employees:*'] }, middle.key)
  for (const { key } of [top, middle, bottom]) assert.equal(await reads(key), 200)
  await service.put(`/roles/${wide}`, { grants: [{ ...all, permissions: ['keys:*', 'teams:read'] }] })
  for (const { key } of [top, middle, bottom]) assert.equal(await reads(key), 403)
  const more = await service.post('/api_keys', { name: 'More', permissions: ['employees:read'] }, { key: middle.key })
  assert.equal(more.status, 422, more.text)
  await service.put(`/roles/${wide}`, { grants: [all] })
  assert.equal(await reads(bottom.key), 200)
  // Given a role of its own later, too.
  const plain = await make('Plain', {})
  const child = await make('Child', {}, plain.key)
  assert.equal(await reads(child.key), 200)
  await service.put(`/api_keys/${plain.id}`, { role_ids: [await roleOf('employee')] })
  assert.equal(await reads(child.key), 403)
})

test('when an employee leaves, their key and all keys created with it stop working', async () => {
  const [leaver, other] = [await service.hire({ hired_on: '2020-01-01' }), await service.hire()]
  const top = await service.make('/api_keys', { name: 'Top', permissions: ['*'], employee_id: leaver.id })
  const line = [top]
  for (const employee_id of [null, other.id, null]) {
    const sent = { name: 'Below', permissions: ['*'], employee_id }
    line.push((await service.post('/api_keys', sent, { key: line.at(-1).key })).body.data)
  }
  const statuses = () => Promise.all(line.map(async ({ key }) => (await service.get('/teams', { key })).status))
  assert.deepEqual(await statuses(), [200, 200, 200, 200])
  await leaves(leaver.id)
  assert.deepEqual(await statuses(), [401, 401, 401, 401])
})

test('a user who may read only their own reviews cannot create a key that reads the reviews of others', async () => {
  const sees = ['compensation', 'personal', 'notes', 'planned']
  const granted = { scope: 'everybody', permissions: ['keys:*', 'reviews:read', 'review_answers:read'], sees }
  const keysAndReviews = await role('Keys and reviews', [granted])
  const [own, other] = [await service.hire(), await service.hire()]
  const { id, browser } = await person(service, { email: 'curious@example.com', employee_id: own.id })
  await service.put(`/users/${id}`, { role_ids: [keysAndReviews] })
  const permissions = ['reviews:read', 'review_answers:read']
  for (const employee_id of [undefined, other.id]) {
    const made = await browser.post('/api_keys', {
      name: 'Reads',
      permissions,
      ...(employee_id ? { employee_id } : {}),
    })
    assert.equal(made.status, 422, made.text)
  }
  assert.equal((await browser.post('/api_keys', { name: 'Mine', permissions, employee_id: own.id })).status, 201)
})

test('a user without an employee cannot create a key that reads reviews, and keys of a demoted user lose it', async () => {
  const sees = ['compensation', 'personal', 'notes', 'planned']
  const granted = { scope: 'everybody', permissions: ['keys:*', 'reviews:read', 'review_answers:read'], sees }
  const reads = await role('Reads reviews', [granted])
  const employee = await service.hire()
  const permissions = ['reviews:read']
  const nobody = await person(service, { email: 'no-employee@example.com' })
  await service.put(`/users/${nobody.id}`, { role_ids: [reads] })
  for (const employee_id of [null, employee.id]) {
    const made = await nobody.browser.post('/api_keys', { name: 'Reads', permissions, employee_id })
    assert.equal(made.status, 422, made.text)
  }
  // One that was made by somebody who wrote them all, and does so no more.
  const whole = await role('Writes reviews', [{ ...granted, permissions: ['keys:*', 'reviews:*'] }])
  const hr = await person(service, { email: 'wrote-reviews@example.com', employee_id: employee.id })
  await service.put(`/users/${hr.id}`, { role_ids: [whole] })
  const made = await hr.browser.post('/api_keys', { name: 'Of all', permissions: [...permissions, 'keys:*'] })
  assert.equal(made.status, 201, made.text)
  const { key } = made.body.data
  const below = (await service.post('/api_keys', { name: 'Below', permissions }, { key })).body.data
  const statuses = () =>
    Promise.all(
      [key, below.key].map(async (one) => (await service.get('/performance/review_cycles', { key: one })).status),
    )
  assert.deepEqual(await statuses(), [200, 200])
  await service.put(`/users/${hr.id}`, { role_ids: [reads] })
  assert.deepEqual(await statuses(), [403, 403])
  assert.equal((await service.put(`/users/${hr.id}`, { employee_id: null })).status, 200)
  assert.deepEqual(await statuses(), [403, 403])
})

test('a user can undo their own change only while they still have the permissions it needed', async () => {
  const sees = ['compensation', 'personal', 'notes', 'planned']
  const grant = { scope: 'everybody', permissions: ['employees:*'], sees }
  const writes = await role('Writes people', [grant])
  const employee = await service.hire()
  const { id, browser } = await person(service, { email: 'undoes@example.com' })
  await service.put(`/users/${id}`, { role_ids: [writes] })
  const change = async (date_of_birth: string) => {
    const done = await browser.put(`/employees/${employee.id}`, { date_of_birth })
    assert.equal(done.status, 200, done.text)
    return `/me/requests/${done.headers.get('x-request-id')}/undo`
  }
  const born = async () => (await service.get(`/employees/${employee.id}`)).body.data.date_of_birth
  const first = await change('1990-01-01')
  // What concerns others, or says nothing of rights, is no matter.
  await person(service, { email: 'another@example.com' })
  await service.put(`/roles/${writes}`, { name: 'Writes of people' })
  assert.equal((await browser.put('/me', { locale: 'de' })).status, 200)
  assert.equal((await browser.post(first)).status, 204)
  const second = await change('1991-01-01')
  await service.put(`/roles/${writes}`, { grants: [{ ...grant, sees: [] }] })
  assert.equal((await browser.post(second)).status, 403)
  assert.equal(await born(), '1991-01-01')
})

test('a user cannot undo their own change once the field belongs to a hidden field group', async () => {
  const field = await service.make('/employee_fields', { name: 'Grade', type: 'text' })
  const employee = await service.hire()
  const grade = async () => (await service.get(`/employees/${employee.id}`)).body.data.fields.grade.value
  const put = (value: string, by: Pick<Browser | Service, 'put'>) =>
    by.put(`/employees/${employee.id}`, { fields: { grade: value } })
  await put('Old', service)
  const writes = await role('Writes grades', [{ scope: 'everybody', permissions: ['employees:*'], sees: ['personal'] }])
  const { id, browser } = await person(service, { email: 'grades@example.com' })
  await service.put(`/users/${id}`, { role_ids: [writes] })
  const undo = ({ headers }: { headers: Headers }) => browser.post(`/me/requests/${headers.get('x-request-id')}/undo`)
  assert.equal((await undo(await put('Other', browser))).status, 204)
  assert.equal(await grade(), 'Old')
  const changed = await put('New', browser)
  assert.equal(changed.status, 200, changed.text)
  assert.equal((await service.put(`/employee_fields/${field.id}`, { protection: 'compensation' })).status, 200)
  const undone = await undo(changed)
  assert.equal(undone.status, 403, undone.text)
  assert.equal(await grade(), 'New')
})

test('a user who left and was rehired has to sign in again', async () => {
  const employee = await service.hire({ hired_on: '2020-01-01' })
  const { browser } = await person(service, { email: 'back@example.com', employee_id: employee.id })
  const type = await service.make('/termination_types', { name: 'For a while' })
  const leaving = { effective_from: '2024-01-31', termination_type_id: type.id }
  assert.equal((await service.post(`/employees/${employee.id}/terminate`, leaving)).status, 200)
  assert.equal((await browser.get('/me')).status, 401)
  const back = await service.post(`/employees/${employee.id}/activate`)
  assert.ok(back.status < 300, back.text)
  assert.equal((await browser.get('/me')).status, 401)
})

test('a user whose employee left has to sign in again after being linked to another employee or none', async () => {
  const other = await service.hire()
  for (const employee_id of [null, other.id]) {
    const employee = await service.hire({ hired_on: '2020-01-01' })
    const { id, browser } = await person(service, {
      email: `left-${employee.id}@example.com`,
      employee_id: employee.id,
    })
    await leaves(employee.id)
    assert.equal((await browser.get('/me')).status, 401)
    assert.equal((await service.put(`/users/${id}`, { employee_id })).status, 200)
    assert.equal((await browser.get('/me')).status, 401)
  }
  // Whoever had not goes on.
  const { id, browser } = await person(service, { email: 'linked@example.com' })
  assert.equal((await service.put(`/users/${id}`, { employee_id: (await service.hire()).id })).status, 200)
  assert.equal((await browser.get('/me')).status, 200)
})

oneEngineTest('cancelling or moving a termination signs out only users whose employee had already left', async () => {
  const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const type = await service.make('/termination_types', { name: 'Planned' })
  const plan = (id: number, days: number) =>
    service.post(`/employees/${id}/terminate`, { effective_from: dayIn(days), termination_type_id: type.id })
  const undo = ({ headers }: { headers: Headers }) => service.post(`/requests/${headers.get('x-request-id')}/undo`)
  const signedIn = async () => {
    const { id } = await service.hire({ hired_on: '2020-01-01' })
    const { browser, ...user } = await person(service, { email: `plan-${id}@example.com`, employee_id: id })
    return { id, userId: user.id, status: async () => (await browser.get('/me')).status }
  }
  const changed = (answer: { status: number; text: string }) => assert.ok(answer.status < 300, answer.text)

  for (const days of [-30, 0, 1, 60]) {
    const hadLeft = days <= 0
    const ways: Record<string, (id: number, planned: { headers: Headers }) => Promise<void>> = {
      undo: async (_id, planned) => {
        const undone = await undo(planned)
        changed(undone)
        // The undo can be undone in its turn.
        if (!hadLeft) changed(await undo(undone))
      },
      activate: async (id) => changed(await service.post(`/employees/${id}/activate`)),
      ...(hadLeft
        ? {}
        : {
            later: async (id) => changed(await plan(id, days + 30)),
            'at once, and back': async (id) => {
              changed(await plan(id, 0))
              changed(await service.post(`/employees/${id}/activate`))
            },
          }),
    }
    for (const [name, way] of Object.entries(ways)) {
      const one = await signedIn()
      const planned = await plan(one.id, days)
      changed(planned)
      assert.equal(await one.status(), hadLeft ? 401 : 200, `planned in ${days} days`)
      await way(one.id, planned)
      const ends = hadLeft || name === 'at once, and back'
      assert.equal(await one.status(), ends ? 401 : 200, `in ${days} days: ${name}`)
    }
    const linked = await signedIn()
    changed(await plan(linked.id, days))
    changed(await service.put(`/users/${linked.userId}`, { employee_id: null }))
    assert.equal(await linked.status(), hadLeft ? 401 : 200, `in ${days} days: no longer linked`)
  }
})

test('sign-out ends the session of the browser in any account, unless the request names another user', async () => {
  const { account, key } = await service.otherAccount()
  const roles = (await service.get('/roles', { key })).body.data
  const given = { email: 'far@example.com', name: 'Far Away', role_ids: [roles[0].id] }
  const invited = (await service.post('/users/invite', given, { key })).body.data
  const browser = new Browser(service)
  const used = { token: tokenIn(invited.link.url), password: PASSWORD }
  assert.equal((await browser.send('POST', `/sign_in/link_use?account=${account.id}`, used)).status, 200)
  const before = browser.stolen(service)
  assert.equal((await before.get('/me')).status, 200)
  const other = await browser.send('POST', '/sign_out', {}, { 'cadre-user': `${account.id} 4711` })
  assert.equal(other.status, 409, other.text)
  assert.equal((await before.get('/me')).status, 200)
  assert.equal((await browser.post('/sign_out?account=1')).status, 204)
  assert.equal((await before.get('/me')).status, 401)
})

test('sign-out ends the session whatever account the URL names, also for an employee who has left', async () => {
  const { account, key } = await service.otherAccount()
  const roles = (await service.get('/roles', { key })).body.data
  const signedIn = async (email: string, more: object = {}) => {
    const given = { email, name: 'Far Away', role_ids: [roles[0].id], ...more }
    const invited = (await service.post('/users/invite', given, { key })).body.data
    const browser = new Browser(service)
    const used = { token: tokenIn(invited.link.url), password: PASSWORD }
    assert.equal((await browser.send('POST', `/sign_in/link_use?account=${account.id}`, used)).status, 200)
    return { browser, id: invited.user.id }
  }
  for (const query of ['account=abc', 'account=1&account=2', 'account=4711']) {
    const { browser } = await signedIn(`${query.replaceAll(/\W/g, '-')}@example.com`)
    const before = browser.stolen(service)
    const out = await browser.post(`/sign_out?${query}`)
    assert.equal(out.status, 204, out.text)
    assert.equal((await before.get('/me')).status, 401)
  }
  // There is no way to see that an ended session is gone but by whose it was.
  const sent = { first_name: 'L', last_name: 'M', hired_on: '2020-01-01' }
  const employee = (await service.post('/employees', sent, { key })).body.data
  const { browser, id } = await signedIn('has-left@example.com', { employee_id: employee.id })
  const type = (await service.post('/termination_types', { name: 'Ends' }, { key })).body.data
  const leaving = { effective_from: '2024-01-31', termination_type_id: type.id }
  assert.equal((await service.post(`/employees/${employee.id}/terminate`, leaving, { key })).status, 200)
  const sessions = async () => (await service.get(`/users/${id}/sessions`, { key })).body.data.length
  assert.equal(await sessions(), 1)
  assert.equal((await browser.post('/sign_out')).status, 204)
  assert.equal(await sessions(), 0)
})
