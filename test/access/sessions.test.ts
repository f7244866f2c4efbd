import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser, PASSWORD, person, tokenIn } from '../browser.ts'
import { cheapPasswords } from '../cheap-passwords.ts'
import { type Service, startService } from '../harness.ts'

cheapPasswords()
let service: Service
let now = new Date('2036-03-03T09:00:00Z')
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms)
}
const HOUR = 3_600_000

before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

let count = 0
const somebody = (given: Partial<Parameters<typeof person>[1]> = {}) =>
  person(service, { email: `somebody${++count}@example.com`, ...given })

test('/me shows the user, their permissions and their session', async () => {
  const employee = await service.hire({ first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com' })
  const { browser, id } = await somebody({ email: 'grace@example.com', employee_id: employee.id })
  const { data } = (await browser.get('/me')).body
  assert.equal(data.user.id, id)
  assert.equal(data.employee.full_name, 'Grace Hopper')
  assert.deepEqual(
    data.roles.map((role: any) => role.standard),
    ['employee'],
  )
  assert.ok(data.permissions.includes('leave:request') && data.permissions.includes('me:*'))
  assert.deepEqual(data.account, { id: 1, name: 'Test company', time_zone: 'UTC', currency_code: 'EUR' })
  assert.deepEqual(data.sign_in, {
    password: true,
    totp: false,
    recovery_codes: 0,
    passkeys: 0,
    identities: 0,
    sso_compulsory: false,
  })
  const changed = await browser.put('/me', { locale: 'uk' })
  assert.equal(changed.body.data.user.locale, 'uk')
  const [session] = (await browser.get('/me/sessions')).body.data
  assert.equal(session.id, data.session.id)
  assert.equal(session.current, true)
  assert.equal(session.address, '127.0.0.1')
  assert.equal(session.browser, 'Test browser')
  assert.equal(session.way, 'link')
  const audits = (await service.get('/audits?per_page=200')).body.data
  const entry = audits.find((one: any) => one.operation === 'updateMe')
  assert.deepEqual(entry.actor, { kind: 'person', id, name: 'Grace Hopper', employee_id: employee.id })
})

test('/me is for users: even a key with all permissions gets 403 for_people', async () => {
  for (const [method, path] of [
    ['GET', '/me'],
    ['GET', '/me/sessions'],
    ['POST', '/me/totp'],
  ] as const) {
    const answer = await service.send(method, path)
    assert.equal(answer.status, 403)
    assert.equal(answer.body.code, 'for_people')
  }
  assert.equal((await service.post('/api_keys', { name: 'Mine', permissions: ['me:read'] })).status, 422)
})

test('the session cookie is HttpOnly, SameSite=Lax, bound to host and path, and Secure over https', async () => {
  const { email } = await somebody()
  const cookieOf = async (PUBLIC_URL?: string) => {
    const own = await startService({ ...(PUBLIC_URL ? { config: { PUBLIC_URL } } : {}) })
    try {
      const { body } = await own.post('/users/invite', { email, name: 'Some Body' })
      const headers = { origin: PUBLIC_URL ? new URL(PUBLIC_URL).origin : own.url }
      const token = tokenIn(body.data.link.url)
      const answer = await own.post('/sign_in/link_use', { token, password: PASSWORD }, { key: null, headers })
      const cookies = answer.headers.getSetCookie()
      const [name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(cookies[0] as string)?.slice(1) ?? []
      const me = await own.get('/me', { key: null, headers: { cookie: `${name}=${value}` } })
      assert.equal(me.status, 200, me.text)
      return cookies.map((line) => line.replace(/=[^;]+/, ''))
    } finally {
      await own.stop()
    }
  }
  const rest = (path: string) => `; Path=${path}; Max-Age=604800; HttpOnly; SameSite=Lax`
  assert.equal((await cookieOf())[0], `cadre_session${rest('/')}`)
  assert.equal((await cookieOf('https://hr.example.com'))[0], `__Host-cadre_session${rest('/')}; Secure`)
  assert.equal((await cookieOf('https://example.com/hr'))[0], `__Secure-cadre_session${rest('/hr')}; Secure`)
})

test('a request from a page opened by one user is rejected after another user signed in', async () => {
  const own = await startService()
  try {
    const { browser } = await person(own, { email: 'ada@example.com' })
    const { user, account } = (await browser.get('/me')).body.data
    const as = (name: string) => {
      const page = browser.stolen(own)
      page.headers = { origin: own.url, 'cadre-user': name }
      return page
    }
    for (const other of [`${account.id} ${user.id + 1}`, `${account.id + 1} ${user.id}`, `${user.id}`, '']) {
      const write = await as(other).put('/me', { name: 'Mallory' })
      assert.equal(write.status, 409, other)
      assert.equal(write.body.code, 'other_person')
    }
    assert.equal((await browser.get('/me')).body.data.user.name, user.name)
    assert.equal((await as(`${account.id} ${user.id}`).put('/me', { name: 'Ada' })).status, 200)
    assert.equal((await own.post('/positions', { name: 'By key' }, { headers: { 'cadre-user': '9 9' } })).status, 201)
  } finally {
    await own.stop()
  }
})

test('a session is rejected from pages of other origins, listed in CORS_ORIGINS or not', async () => {
  const elsewhere = 'https://intranet.example.com'
  const own = await startService({ config: { CORS_ORIGINS: elsewhere } })
  try {
    const { browser } = await person(own, { email: 'ada@example.com' })
    const as = (headers: Record<string, string>) => {
      const page = browser.stolen(own)
      page.headers = headers
      return page
    }
    for (const headers of [
      { origin: elsewhere },
      { origin: elsewhere, 'sec-fetch-site': 'cross-site' },
      { origin: elsewhere, 'sec-fetch-site': 'same-site' },
      { origin: 'null' },
    ] as Record<string, string>[]) {
      const read = await as(headers).get('/me')
      assert.equal(read.status, 403, JSON.stringify(headers))
      assert.equal(read.headers.get('access-control-allow-credentials'), null)
      const write = await as(headers).put('/me', { name: 'Mallory' })
      assert.equal(write.status, 403)
      assert.equal(write.body.code, 'cross_origin')
      // Nobody is signed in, or out, by another site either.
      const signIn = await as(headers).post('/sign_in', { email: 'ada@example.com', password: PASSWORD })
      assert.equal(signIn.body.code, 'cross_origin')
      assert.equal((await as(headers).post('/sign_out')).body.code, 'cross_origin')
    }
    // A browser always says where a write comes from.
    assert.equal((await as({}).put('/me', { name: 'Mallory' })).status, 403)
    assert.equal((await as({ origin: own.url }).put('/me', { name: 'Ada' })).status, 200)
    assert.equal((await as({ 'sec-fetch-site': 'same-origin' }).put('/me', { name: 'Ada' })).status, 200)
    // A key is sent by the page itself, and needs none of this.
    const byKey = await own.put(`/users/1`, { name: 'Ada B' }, { headers: { origin: elsewhere } })
    assert.equal(byKey.status, 200, byKey.text)
  } finally {
    await own.stop()
  }
})

test('signing in starts a session with a new secret and ends the previous session of the browser', async () => {
  const [one, other] = [await somebody(), await somebody()]
  const planted = one.browser.cookies.get('cadre_session') as string
  const victim = new Browser(service)
  victim.cookies.set('cadre_session', planted)
  await victim.signIn(other.email, PASSWORD)
  assert.notEqual(victim.cookies.get('cadre_session'), planted)
  assert.equal((await one.browser.get('/me')).status, 401)
  assert.equal((await victim.get('/me')).body.data.user.id, other.id)
  // Made-up secrets are none.
  const forged = new Browser(service)
  forged.cookies.set('cadre_session', 'A'.repeat(43))
  assert.equal((await forged.get('/me')).status, 401)
  assert.equal(forged.cookies.size, 1)
})

test('sign-out, the owner or an access manager ends a session, and a stolen copy of the cookie with it', async () => {
  const { email, browser, id } = await somebody()
  const second = await new Browser(service).signIn(email, PASSWORD)
  const third = await new Browser(service).signIn(email, PASSWORD)
  const thief = second.stolen(service)
  assert.equal((await second.post('/sign_out')).status, 204)
  assert.equal((await thief.get('/me')).status, 401)
  assert.equal(second.cookies.has('cadre_session'), false)
  assert.equal((await second.post('/sign_out')).status, 204)

  const listed = (await browser.get('/me/sessions')).body.data
  assert.equal(listed.length, 2)
  const others = listed.find((one: any) => !one.current)
  assert.equal((await browser.delete(`/me/sessions/${others.id}`)).status, 204)
  assert.equal((await third.get('/me')).status, 401)

  const fourth = await new Browser(service).signIn(email, PASSWORD)
  assert.equal((await browser.delete('/me/sessions')).status, 204)
  assert.equal((await fourth.get('/me')).status, 401)
  assert.equal((await browser.get('/me')).status, 200)

  const [mine] = (await service.get(`/users/${id}/sessions`)).body.data
  assert.equal((await service.delete(`/users/${id}/sessions/${mine.id}`)).status, 204)
  assert.equal((await browser.get('/me')).status, 401)
  await browser.signIn(email, PASSWORD)
  assert.equal((await service.delete(`/users/${id}/sessions`)).status, 204)
  assert.equal((await browser.get('/me')).status, 401)
  // Nobody sees or ends what is somebody else's.
  const other = await somebody()
  await browser.signIn(email, PASSWORD)
  const [foreign] = (await browser.get('/me/sessions')).body.data
  assert.equal((await other.browser.delete(`/me/sessions/${foreign.id}`)).status, 404)
})

test('a session ends after 12 hours without use, and in any case after a week', async () => {
  const { email, browser } = await somebody()
  pass(11 * HOUR)
  assert.equal((await browser.get('/me')).status, 200)
  await seen(1)
  pass(13 * HOUR)
  assert.equal((await browser.get('/me')).status, 401)
  assert.deepEqual((await new Browser(service).signIn(email, PASSWORD)).cookies.has('cadre_session'), true)
  const busy = await new Browser(service).signIn(email, PASSWORD)
  for (let hours = 0; hours < 7 * 24 - 10; hours += 10) {
    pass(10 * HOUR)
    assert.equal((await busy.get('/me')).status, 200, `after ${hours} hours`)
    await seen(1)
  }
  pass(10 * HOUR)
  assert.equal((await busy.get('/me')).status, 401)
})

/** That a session was used is noted behind the answer: waits until it is, for so many at this moment. */
async function seen(many: number): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const uses = await service.database.query((sql) =>
      sql.selectFrom('session_uses').select('session_id').where('last_used_at', '=', now.toISOString()).execute(),
    )
    if (uses.length >= many) return
    await new Promise((go) => setImmediate(go))
  }
  assert.fail('the use of a session is not noted')
}

test('a disabled user or a leaver is signed out at once and cannot sign in', async () => {
  const { browser, id, email } = await somebody()
  const link = tokenIn((await service.post(`/users/${id}/link`)).body.data.url)
  assert.equal((await service.post(`/users/${id}/disable`)).status, 200)
  assert.equal((await browser.get('/me')).status, 401)
  const refused = await new Browser(service).post('/sign_in', { email, password: PASSWORD })
  assert.equal(refused.body.code, 'sign_in_failed')
  assert.equal((await browser.post('/sign_in/link_use', { token: link, password: PASSWORD })).status, 404)
  assert.equal((await service.post(`/users/${id}/link`)).status, 409)
  assert.equal((await service.post(`/users/${id}/enable`)).status, 200)
  await new Browser(service).signIn(email, PASSWORD)

  const employee = await service.hire({ hired_on: '2030-01-01', email: 'leaver@example.com' })
  const leaver = await somebody({ email: 'leaver@example.com', employee_id: employee.id })
  const left = await service.post(`/employees/${employee.id}/terminate`, {
    effective_from: now.toISOString().slice(0, 10),
  })
  assert.ok(left.status < 300, left.text)
  assert.equal((await leaver.browser.get('/me')).status, 401)
  const again = await new Browser(service).post('/sign_in', { email: leaver.email, password: PASSWORD })
  assert.equal(again.text.replace(/"request_id":"[^"]+"/, ''), refused.text.replace(/"request_id":"[^"]+"/, ''))
})

test('a session cookie names its account, cannot open another, and needs no lookup across accounts', async () => {
  const { browser } = await somebody()
  const { account } = await service.otherAccount()
  const session = browser.cookies.get('cadre_session') as string
  assert.match(session, new RegExp(`^${service.account.id}\\.[\\w-]{43}$`))
  const statements: string[] = []
  service.onStatement = (statement) => void statements.push(statement)
  assert.equal((await browser.get('/me')).status, 200)
  service.onStatement = undefined
  assert.equal(statements.filter((one) => one.includes('from sessions s')).length, 1)
  assert.ok(!statements.some((one) => one.includes('secret_hashes')))
  const secret = session.replace(/^\d+\./, '')
  for (const forged of [`${account.id}.${secret}`, `0${session}`, secret, `9007199254740993.${secret}`, `.${secret}`]) {
    browser.cookies.set('cadre_session', forged)
    assert.equal((await browser.get('/me')).status, 401, forged)
  }
})
