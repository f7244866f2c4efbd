import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { codeAt } from '../../src/domain/sign-in/totp.ts'
import { operations } from '../../src/operations.ts'
import { Browser, PASSWORD, person, tokenIn } from '../browser.ts'
import { cheapPasswords } from '../cheap-passwords.ts'
import { type Service, startService, withoutRequestId } from '../harness.ts'

const { asked, atRealCost } = cheapPasswords()
let service: Service
let now = new Date('2036-03-03T09:00:00Z')
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms)
}
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]

before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

let count = 0
const somebody = (given: Partial<Parameters<typeof person>[1]> = {}) =>
  person(service, { email: `somebody${++count}@example.com`, ...given })

test('an invited user sets a password with the link, once, and is signed in', async () => {
  const invited = await service.post('/users/invite', { email: 'ada@example.com', name: 'Ada Lovelace', role_ids: [] })
  assert.equal(invited.status, 201, invited.text)
  const { user, link } = invited.body.data
  assert.equal(link.purpose, 'invitation')
  const browser = new Browser(service)
  const token = tokenIn(link.url)
  const looked = await browser.post('/sign_in/link', { token })
  assert.deepEqual(
    { ...looked.body.data, expires_at: undefined },
    {
      purpose: 'invitation',
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      expires_at: undefined,
      account: { id: 1, name: 'Test company' },
    },
  )
  for (const [password, code] of [
    ['short', 'too_short'],
    ['password1234', 'too_common'],
    ['P4ssw0rd!!!!', 'too_common'],
    ['1234567890', 'too_common'],
    ['welcome2036', 'too_common'],
    ['qwertyuiop', 'too_common'],
    ['lovelace2036', 'too_personal'],
  ] as const) {
    const answer = await browser.post('/sign_in/link_use', { token, password })
    assert.equal(answer.status, 422, password)
    assert.deepEqual(
      answer.body.errors.map((error: any) => [error.field, error.code]),
      [['password', code]],
      password,
    )
  }
  const used = await browser.post('/sign_in/link_use', { token, password: PASSWORD })
  assert.equal(used.status, 200, used.text)
  assert.deepEqual(used.body.data, {
    status: 'signed_in',
    user: { id: user.id, name: 'Ada Lovelace', email: 'ada@example.com' },
    return_to: null,
  })
  assert.equal((await browser.get('/me')).body.data.user.email, 'ada@example.com')
  const again = await new Browser(service).post('/sign_in/link_use', { token, password: PASSWORD })
  assert.equal(again.status, 404)
  assert.equal(again.body.code, 'link_ended')
  await new Browser(service).signIn('ADA@example.com', PASSWORD)
})

test('a link ends after its lifetime or when a newer one is made, and works for one of two concurrent uses', async () => {
  const { id } = await somebody()
  const make = async () => tokenIn((await service.post(`/users/${id}/link`)).body.data.url)
  const [first, second] = [await make(), await make()]
  const use = (token: string) => new Browser(service).post('/sign_in/link_use', { token, password: 'another fine day' })
  assert.equal((await use(first)).status, 404)
  pass(25 * HOUR)
  assert.equal((await use(second)).status, 404)
  const third = await make()
  const both = await Promise.all([use(third), use(third)])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 404])
})

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

test('the audit names a user without an employee by their own name, not by an employee with the same id', async () => {
  const { browser, id } = await somebody()
  while ((await service.hire({ first_name: 'Other', last_name: 'One' })).id < id);
  await browser.put('/me', { name: 'Katherine Johnson' })
  const [entry] = (await service.get(`/audits?actor=person:${id}`)).body.data
  assert.deepEqual(entry.actor, { kind: 'person', id, name: 'Katherine Johnson', employee_id: null })
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

test('changing the password needs the old one or a recent sign-in, and ends all other sessions', async () => {
  const { browser, email } = await somebody()
  const other = await new Browser(service).signIn(email, PASSWORD)
  const thief = browser.stolen(service)
  pass(11 * MINUTE)
  const stale = await browser.put('/me/password', { password: 'a wholly new sentence' })
  assert.equal(stale.status, 403)
  assert.equal(stale.body.code, 'confirm_first')
  const wrong = await browser.put('/me/password', {
    password: 'a wholly new sentence',
    current_password: 'not it at all',
  })
  assert.equal(wrong.status, 422)
  assert.equal(wrong.body.errors[0].field, 'current_password')
  const weak = await browser.put('/me/password', { password: 'password123', current_password: PASSWORD })
  assert.equal(weak.body.errors[0].code, 'too_common')
  const done = await browser.put('/me/password', { password: 'a wholly new sentence', current_password: PASSWORD })
  assert.equal(done.status, 204, done.text)
  assert.equal((await browser.get('/me')).status, 200)
  assert.equal((await other.get('/me')).status, 401)
  assert.equal((await thief.get('/me')).status, 401)
  assert.equal((await new Browser(service).post('/sign_in', { email, password: PASSWORD })).status, 401)
  await new Browser(service).signIn(email, 'a wholly new sentence')
  // Within ten minutes of showing who one is, the old one is not asked for.
  pass(11 * MINUTE)
  assert.equal((await browser.post('/me/confirmation', { password: 'wrong, all wrong' })).status, 401)
  assert.equal((await browser.post('/me/confirmation', { password: 'a wholly new sentence' })).status, 204)
  assert.equal((await browser.put('/me/password', { password: PASSWORD })).status, 204)
})

test('authenticator codes work once, one step early or late; each recovery code replaces one', async () => {
  const { browser, email } = await somebody()
  const begun = (await browser.post('/me/totp')).body.data
  assert.match(
    begun.uri,
    /^otpauth:\/\/totp\/Test%20company:somebody\d+%40example\.com\?secret=[A-Z2-7]{32}&issuer=Test%20company$/,
  )
  const code = (steps = 0) => codeAt(begun.secret, Math.floor(now.getTime() / 30_000) + steps)
  // Nothing is asked for until a code has shown that the app has the secret.
  await new Browser(service).signIn(email, PASSWORD)
  assert.equal((await browser.put('/me/totp', { code: '000000' })).status, 422)
  const codes = (await browser.put('/me/totp', { code: code() })).body.data.recovery_codes as string[]
  assert.equal(new Set(codes).size, 10)
  assert.equal((await browser.get('/me')).body.data.sign_in.totp, true)

  const first = async (at = new Browser(service)) => {
    const answer = await at.post('/sign_in', { email, password: PASSWORD })
    assert.equal(answer.body.data.status, 'second_factor', answer.text)
    assert.deepEqual(answer.body.data.ways, ['totp', 'recovery_code'])
    assert.equal(at.cookies.size, 0)
    return { at, ticket: answer.body.data.ticket as string }
  }
  // The code that turned it on is used up.
  const early = await first()
  assert.equal((await early.at.post('/sign_in/code', { ticket: early.ticket, code: code() })).status, 401)
  pass(MINUTE)
  const step = await first()
  const wrong = await step.at.post('/sign_in/code', { ticket: step.ticket, code: '123456' })
  assert.equal(wrong.body.code, 'sign_in_failed')
  assert.equal(
    (await step.at.post('/sign_in/code', { ticket: step.ticket, code: code() })).body.data.status,
    'signed_in',
  )
  assert.equal((await step.at.get('/me')).status, 200)
  // Neither the ticket nor the code works twice, nor one from before it, nor one that is too old.
  assert.equal((await step.at.post('/sign_in/code', { ticket: step.ticket, code: code(1) })).status, 401)
  const again = await first()
  assert.equal((await again.at.post('/sign_in/code', { ticket: again.ticket, code: code() })).status, 401)
  assert.equal((await again.at.post('/sign_in/code', { ticket: again.ticket, code: code(-1) })).status, 401)
  assert.equal((await again.at.post('/sign_in/code', { ticket: again.ticket, code: code(-2) })).status, 401)
  pass(MINUTE)
  const twice = await Promise.all(
    [await first(), await first()].map(({ at, ticket }) => at.post('/sign_in/code', { ticket, code: code() })),
  )
  assert.deepEqual(twice.map(({ status }) => status).toSorted(), [200, 401])

  // A recovery code lets one of two in who send it at once, however it is spelled.
  pass(HOUR)
  const both = await Promise.all(
    [await first(), await first()].map(({ at, ticket }, index) =>
      at.post('/sign_in/code', { ticket, code: index ? codes[0]?.toUpperCase() : codes[0]?.replace('-', ' ') }),
    ),
  )
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 401])
  const used = await first()
  assert.equal((await used.at.post('/sign_in/code', { ticket: used.ticket, code: codes[0] })).status, 401)
  await browser.signIn(email, PASSWORD).catch(() => undefined)
  const last = await first()
  await last.at.post('/sign_in/code', { ticket: last.ticket, code: codes[1] })
  assert.equal((await last.at.get('/me')).body.data.sign_in.recovery_codes, 8)
  const fresh = (await last.at.post('/me/recovery_codes')).body.data.recovery_codes
  assert.equal(fresh.length, 10)
  const old = await first()
  assert.equal((await old.at.post('/sign_in/code', { ticket: old.ticket, code: codes[2] })).status, 401)
  // A ticket is over after five minutes, and when the password is another.
  const late = await first()
  pass(301 * SECOND)
  assert.equal((await late.at.post('/sign_in/code', { ticket: late.ticket, code: code() })).body.code, 'ticket_ended')
  const outdated = await first()
  await last.at.put('/me/password', { password: 'another good sentence', current_password: PASSWORD })
  const refused = await outdated.at.post('/sign_in/code', { ticket: outdated.ticket, code: code() })
  assert.equal(refused.body.code, 'ticket_ended')
  assert.equal((await last.at.delete('/me/totp')).status, 204)
  await new Browser(service).signIn(email, 'another good sentence')
})

test('access managers reset a lost second factor; a link alone does not bypass it', async () => {
  const { browser, email, id } = await somebody()
  const { secret } = (await browser.post('/me/totp')).body.data
  await browser.put('/me/totp', { code: codeAt(secret, Math.floor(now.getTime() / 30_000)) })
  const link = tokenIn((await service.post(`/users/${id}/link`)).body.data.url)
  const reset = await new Browser(service).post('/sign_in/link_use', { token: link, password: 'a new sentence again' })
  assert.equal(reset.body.data.status, 'second_factor')
  assert.equal((await browser.get('/me')).status, 401)
  assert.equal((await service.delete(`/users/${id}/second_factors`)).status, 204)
  await new Browser(service).signIn(email, 'a new sentence again')
})

test('a password reset request does not reveal whether the user exists, and notifies access managers', async () => {
  const { email, id } = await somebody()
  const ask = (address: string) => new Browser(service).send('POST', '/sign_in/reset', { email: address })
  const [known, unknown] = [await ask(email), await ask('nobody@example.com')]
  assert.equal(known.status, 200)
  assert.equal(known.text, unknown.text)
  let told = await service.get(`/users/${id}/sign_in`)
  for (let tries = 0; tries < 200 && !told.body.data.reset_asked_at; tries++)
    told = await service.get(`/users/${id}/sign_in`)
  assert.equal(told.body.data.reset_asked_at, now.toISOString())
  assert.equal(told.body.data.password, true)
  // They are told of it, find who it is in the list, and it is over with the link.
  const manager = await somebody({ role: 'owner' })
  const bell = async () => (await manager.browser.get('/me/notifications')).body.data
  assert.deepEqual(
    (await bell()).map(({ kind, record_id, what }: any) => [kind, record_id, what]),
    [['reset_asked', id, 'Some Body']],
  )
  assert.ok((await service.get(`/users/${id}`)).body.data.reset_asked_at)
  assert.deepEqual((await (await somebody()).browser.get('/me/notifications')).body.data, [])
  pass(SECOND)
  await service.post(`/users/${id}/link`)
  assert.deepEqual(await bell(), [])
  assert.equal((await service.get(`/users/${id}`)).body.data.reset_asked_at, null)
})

test('a failed sign-in looks and costs the same for unknown, disabled and passwordless users', async () => {
  const { email } = await somebody()
  const invited = await service.post('/users/invite', { email: 'never@example.com', name: 'Never There' })
  const disabled = await somebody()
  await service.post(`/users/${disabled.id}/disable`)
  assert.equal(invited.status, 201)
  const tried = async (address: string) => {
    const statements: string[] = []
    const before = asked.length
    service.onStatement = (statement) => void statements.push(statement.replace(/\d+/g, '#'))
    const answer = await new Browser(service).send('POST', '/sign_in', { email: address, password: 'wrong as can be' })
    service.onStatement = undefined
    // What is told in the audit is told behind the answer, at some numbers of failures.
    const own = statements.filter((one) => /^(select|insert into "sign_in_attempts")/.test(one))
    return { text: withoutRequestId(answer.text), statements: own.toSorted(), hashes: asked.slice(before) }
  }
  const expected = await tried('nobody@example.com')
  assert.match(expected.text, /sign_in_failed/)
  assert.ok(expected.hashes.length > 0)
  for (const address of [email, 'never@example.com', disabled.email])
    assert.deepEqual(await tried(address), expected, address)
})

test('passwords are hashed with argon2id at the OWASP minimum cost or more', async () => {
  await atRealCost(async () => {
    const { id, email } = await somebody()
    const { password_hash: kept } = await service.database.query((sql) =>
      sql.selectFrom('user_credentials').select('password_hash').where('user_id', '=', id).executeTakeFirstOrThrow(),
    )
    const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$/.exec(kept) ?? []
    assert.ok(Number(memory) >= 19_456 && Number(passes) >= 2, kept)
    await new Browser(service).signIn(email, PASSWORD)
    assert.equal((await new Browser(service).post('/sign_in', { email, password: 'not it at all' })).status, 401)
    for (const cost of asked.slice(-3)) assert.deepEqual(cost, { memory: Number(memory), passes: Number(passes) })
  })
})

test('managing access always needs a recent sign-in, and nobody can reset their own link or second factor', async () => {
  const owner = await somebody({ role: 'owner' })
  const other = await somebody()
  const mine = await owner.browser.post(`/users/${owner.id}/link`)
  assert.equal(mine.status, 409, mine.text)
  assert.equal((await owner.browser.delete(`/users/${owner.id}/second_factors`)).status, 409)
  assert.equal((await owner.browser.post(`/users/${other.id}/link`)).status, 200)
  pass(11 * MINUTE)
  const managing = operations.filter(
    ({ method, permission }) => method !== 'GET' && /^(users|keys):/.test(permission ?? ''),
  )
  assert.ok(managing.length > 15)
  for (const { method, path, id } of managing) {
    const answer = await owner.browser.send(method, path.replace(/\{\w+\}/g, String(other.id)), {})
    assert.equal(answer.body?.code, 'confirm_first', `${id}: ${answer.text}`)
  }
  assert.equal((await owner.browser.get('/users')).status, 200)
  // Who may not do it is not asked who they are, and a key has nobody to ask.
  const forbidden = await other.browser.post(`/users/${owner.id}/link`)
  assert.equal(forbidden.body.code, 'forbidden')
  assert.doesNotMatch(forbidden.body.detail, /key/)
  assert.equal((await service.post(`/users/${other.id}/link`)).status, 200)
  assert.equal((await owner.browser.post('/me/confirmation', { password: PASSWORD })).status, 204)
  assert.equal((await owner.browser.post(`/users/${other.id}/link`)).status, 200)
})

test('a link is created only for a user who can sign in, and ends when their e-mail address changes', async () => {
  const employee = await service.hire({ hired_on: '2030-01-01', email: 'gone@example.com' })
  const { id } = await somebody({ email: 'gone@example.com', employee_id: employee.id })
  await service.post(`/employees/${employee.id}/terminate`, { effective_from: now.toISOString().slice(0, 10) })
  const refused = await service.post(`/users/${id}/link`)
  assert.equal(refused.status, 409, refused.text)
  assert.match(refused.body.detail, /left/)
  const left = await service.hire({ hired_on: '2030-01-01', email: 'gone2@example.com' })
  await service.post(`/employees/${left.id}/terminate`, { effective_from: now.toISOString().slice(0, 10) })
  assert.equal((await service.post('/users/invite', { employee_id: left.id })).status, 409)
  assert.equal((await service.get(`/users?employee_id=${left.id}`)).body.data.length, 0)

  const { link, user } = (await service.post('/users/invite', { email: 'tpyo@example.com', name: 'Mis Spelt' })).body
    .data
  const look = () => new Browser(service).post('/sign_in/link', { token: tokenIn(link.url) })
  await service.put(`/users/${user.id}`, { name: 'Well Spelt' })
  assert.equal((await look()).status, 200)
  await service.put(`/users/${user.id}`, { email: 'typo@example.com' })
  assert.equal((await look()).body.code, 'link_ended')
})

test('passphrases in any script work, common ones are rejected, and trailing spaces count', async () => {
  const { id } = await somebody({ name: 'Олена Коваль' })
  const browser = new Browser(service)
  const make = async () => tokenIn((await service.post(`/users/${id}/link`)).body.data.url)
  const token = await make()
  for (const password of [
    '1q2w3e4r5t6y',
    'qazwsxedcrfv',
    'zaq12wsxcde3',
    '!QAZ2wsx#EDC',
    'P@ssw0rd2026',
    'Pa55word!!!!',
    'correcthorsebatterystaple',
    'йцукенгшщз',
    'пароль2026!',
    'Слава Україні!',
    '8305937152',
    'qwertzuiop',
  ]) {
    const answer = await browser.post('/sign_in/link_use', { token, password })
    assert.equal(answer.body.errors?.[0].code, 'too_common', `${password}: ${answer.text}`)
  }
  const own = await browser.post('/sign_in/link_use', { token, password: 'коваль2026' })
  assert.equal(own.body.errors?.[0].code, 'too_personal')
  const good = [
    'сім сірих чапель летять опівдні',
    '七羽の灰色の鷺が正午に飛ぶ',
    'επτά γκρίζοι ερωδιοί το μεσημέρι',
    'سبع طيور رمادية عند الظهر',
    'seven grey herons',
    'wald und wiese 7',
  ]
  for (const password of good) {
    const answer = await browser.post('/sign_in/link_use', { token: await make(), password })
    assert.equal(answer.status, 200, `${password}: ${answer.text}`)
  }
  await browser.post('/sign_in/link_use', { token: await make(), password: ' seven grey herons ' })
  const { email } = (await service.get(`/users/${id}`)).body.data
  await new Browser(service).signIn(email, ' seven grey herons ')
  assert.equal((await new Browser(service).post('/sign_in', { email, password: 'seven grey herons' })).status, 401)
})

test('the audit names who signed in or out, and the last sign-in is known after all sessions end', async () => {
  const employee = await service.hire({ first_name: 'Sig', last_name: 'Nedin', email: 'signed@example.com' })
  const { id, email, browser } = await somebody({ email: 'signed@example.com', employee_id: employee.id })
  await new Browser(service).signIn(email, PASSWORD)
  await browser.post('/sign_out')
  for (const operation of ['signIn', 'useLink', 'signOut']) {
    const { data } = (await service.get(`/audits?employee_id=${employee.id}&operation=${operation}`)).body
    assert.ok(data.length > 0, operation)
    for (const { actor } of data)
      assert.deepEqual(actor, { kind: 'person', id, name: 'Sig Nedin', employee_id: employee.id })
  }
  const at = now.toISOString()
  pass(HOUR)
  assert.equal((await service.delete(`/users/${id}/sessions`)).status, 204)
  assert.equal((await service.get(`/users/${id}/sign_in`)).body.data.last_signed_in_at, at)
})

test('erasing a user without an employee removes them from the ledger, deleted before or not', async () => {
  const marked = async (mark: string) => (await somebody({ email: `${mark}@example.com`, name: `Mark ${mark}` })).id
  const [first, second] = [await marked('zq9first'), await marked('zq9second')]
  const told = async () =>
    JSON.stringify(
      await service.database.query((sql) => sql.selectFrom('ledger').select(['before', 'after']).execute()),
    )
  const preview = (await service.get(`/users/${first}/erasure`)).body.data
  assert.ok(preview.goes.some((one: any) => one.what === 'sessions'))
  assert.equal((await service.delete(`/users/${first}?erase=true`)).status, 204)
  assert.equal((await service.get(`/users/${first}`)).status, 404)
  assert.ok(!/zq9first/.test(await told()))
  assert.equal((await service.delete(`/users/${second}`)).status, 204)
  assert.match(await told(), /zq9second/)
  assert.equal((await service.delete(`/users/${second}?erase=true`)).status, 204)
  assert.ok(!/zq9/.test(await told()))
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
