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

test('the audit names a user without an employee by their own name, not by an employee with the same id', async () => {
  const { browser, id } = await somebody()
  while ((await service.hire({ first_name: 'Other', last_name: 'One' })).id < id);
  await browser.put('/me', { name: 'Katherine Johnson' })
  const [entry] = (await service.get(`/audits?actor=person:${id}`)).body.data
  assert.deepEqual(entry.actor, { kind: 'person', id, name: 'Katherine Johnson', employee_id: null })
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
