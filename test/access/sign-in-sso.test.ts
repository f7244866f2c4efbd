import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { codeAt } from '../../src/domain/sign-in/totp.ts'
import { Browser, PASSWORD, person } from '../browser.ts'
import { cheapPasswords } from '../cheap-passwords.ts'
import { type Service, startService, withoutRequestId } from '../harness.ts'
import { CLIENT, type Claims, Provider } from '../identity-provider.ts'

cheapPasswords()
const provider = new Provider()
let service: Service
let providerId: number

before(async () => {
  await provider.start()
  service = await startService()
  const made = await service.post('/identity_providers', {
    name: 'Example SSO',
    issuer: provider.issuer,
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
  })
  assert.equal(made.status, 201, made.text)
  providerId = made.body.data.id
  assert.equal(made.body.data.redirect_uri, `${service.url}/sign-in/sso`)
  assert.equal(made.body.data.has_client_secret, true)
})
after(async () => {
  provider.stop()
  await service.stop()
})
beforeEach(() => {
  provider.twist = (claims) => claims
  provider.isAway = false
  provider.isForger = false
})

async function leave(at: Browser, return_to?: string): Promise<string> {
  const answer = await at.post('/sign_in/sso', { provider_id: providerId, ...(return_to ? { return_to } : {}) })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.url
}

/** There and back again. */
async function journey(who: Claims, at = new Browser(service)) {
  const query = provider.visit(await leave(at), who)
  return { at, query, answer: await at.post('/sign_in/sso_answer', { query }) }
}

const settings = (values: Record<string, unknown>) => service.put(`/identity_providers/${providerId}`, values)

test('SSO matches a user by verified e-mail at first, and by subject from then on', async () => {
  const { id } = await person(service, { email: 'ada@example.com' })
  const at = new Browser(service)
  const query = provider.visit(await leave(at, '/people?page=2'), {
    sub: 's-1',
    email: 'Ada@Example.com',
    email_verified: true,
  })
  const first = await at.post('/sign_in/sso_answer', { query })
  assert.equal(first.status, 200, first.text)
  assert.equal(first.body.data.return_to, '/people?page=2')
  assert.equal((await at.get('/me')).body.data.user.id, id)
  assert.equal((await at.get('/me/sessions')).body.data.find((one: any) => one.current).way, 'sso')
  // The address may change at the provider.
  const moved = await journey({ sub: 's-1', email: 'ada.king@example.com', email_verified: false })
  assert.equal(moved.answer.body.data.user.id, id)
  const [identity] = (await at.get('/me/identities')).body.data
  assert.equal(identity.provider.name, 'Example SSO')
  assert.equal(identity.email, 'ada.king@example.com')
  // An address that is somebody else's there by now is not enough.
  const recycled = await journey({ sub: 's-2', email: 'ada@example.com', email_verified: true })
  assert.equal(recycled.answer.body.code, 'sso_taken')
  assert.equal((await service.get('/sign_in', { key: null })).body.data.providers[0].name, 'Example SSO')
})

test('SSO rejects an unverified or unknown e-mail address and a disabled user', async () => {
  const { id } = await person(service, { email: 'careful@example.com' })
  for (const who of [
    { sub: 'c-1', email: 'careful@example.com' },
    { sub: 'c-1', email: 'careful@example.com', email_verified: false },
    { sub: 'c-1', email: 'careful@example.com', email_verified: 'true' },
    { sub: 'c-1' },
    { sub: 'c-1', email: 'nobody@example.com', email_verified: true },
  ]) {
    const { answer, at } = await journey(who)
    assert.equal(answer.body.code, who.email?.startsWith('nobody') ? 'sso_unknown' : 'sso_unverified')
    assert.equal(at.cookies.has('cadre_session'), false)
  }
  assert.equal((await journey({ sub: 'c-1', email: 'careful@example.com', email_verified: true })).answer.status, 200)
  await service.post(`/users/${id}/disable`)
  assert.equal((await journey({ sub: 'c-1', email: 'careful@example.com', email_verified: true })).answer.status, 403)
})

test('an SSO response works once, in the browser that started it, and only for that request', async () => {
  await person(service, { email: 'exact@example.com' })
  const who = { sub: 'e-1', email: 'exact@example.com', email_verified: true }
  const { at, query, answer } = await journey(who)
  assert.equal(answer.status, 200, answer.text)
  assert.equal((await at.post('/sign_in/sso_answer', { query })).status, 401)
  // Somebody else's answer, planted here: signed in as another is how one is made to talk.
  const [victim, attacker] = [new Browser(service), new Browser(service)]
  await leave(victim)
  const planted = provider.visit(await leave(attacker), who)
  assert.equal((await victim.post('/sign_in/sso_answer', { query: planted })).status, 403)
  assert.equal((await new Browser(service).post('/sign_in/sso_answer', { query: planted })).status, 401)
  const twists: [string, (claims: Claims) => Claims][] = [
    ['nonce', (claims) => ({ ...claims, nonce: 'another' })],
    ['audience', (claims) => ({ ...claims, aud: 'somebody-else' })],
    ['issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['end', (claims) => ({ ...claims, exp: 1000 })],
    ['no nonce', ({ nonce: _, ...claims }) => claims],
  ]
  for (const [name, twist] of twists) {
    provider.twist = twist
    assert.equal((await journey(who)).answer.body.code, 'sso_refused', name)
  }
  provider.twist = (claims) => claims
  const denied = new Browser(service)
  const state = new URL(await leave(denied)).searchParams.get('state') as string
  const no = await denied.post('/sign_in/sso_answer', {
    query: `?${new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer })}`,
  })
  assert.equal(no.body.code, 'sso_cancelled')
})

test('SSO rejects return URLs to other sites and reports an unreachable provider', async () => {
  for (const return_to of ['https://evil.example', '//evil.example', '/\\evil.example', 'people', '/\t/evil.example']) {
    const answer = await new Browser(service).post('/sign_in/sso', { provider_id: providerId, return_to })
    assert.equal(answer.status, 422, return_to)
  }
  const gone = await service.post('/identity_providers', { name: 'Gone', issuer: 'http://127.0.0.1:9', client_id: 'x' })
  const answer = await new Browser(service).post('/sign_in/sso', { provider_id: gone.body.data.id })
  assert.equal(answer.status, 502, answer.text)
  assert.equal(answer.body.code, 'provider_unreachable')
  await service.delete(`/identity_providers/${gone.body.data.id}`)
  const plain = await service.post('/identity_providers', {
    name: 'Plain',
    issuer: 'http://login.example.com',
    client_id: 'x',
  })
  assert.equal(plain.status, 422)
  assert.equal(plain.body.errors[0].field, 'issuer')
})

test('SSO creates users for current employees when the provider is set to, and not for leavers', async () => {
  const employee = await service.hire({ first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com' })
  const who = { sub: 'g-1', email: 'grace@example.com', email_verified: true }
  assert.equal((await journey(who)).answer.status, 403)
  await settings({ makes_users: true })
  const { at, answer } = await journey(who)
  assert.equal(answer.status, 200, answer.text)
  const me = (await at.get('/me')).body.data
  assert.equal(me.employee.id, employee.id)
  assert.deepEqual(
    me.roles.map((role: any) => role.standard),
    ['employee'],
  )
  const leaver = await service.hire({ hired_on: '2020-01-01', email: 'gone@example.com' })
  await service.post(`/employees/${leaver.id}/terminate`, { effective_from: '2024-01-01' })
  assert.equal((await journey({ sub: 'x-1', email: 'gone@example.com', email_verified: true })).answer.status, 403)
  await settings({ makes_users: false })
})

test('required SSO blocks other sign-ins, except for owners with a second factor or a link', async () => {
  const plain = await person(service, { email: 'plain@example.com' })
  const owner = await person(service, { email: 'owner@example.com', role: 'owner' })
  const { secret } = (await owner.browser.post('/me/totp')).body.data
  const step = Math.floor(Date.now() / 30_000)
  await owner.browser.put('/me/totp', { code: codeAt(secret, step) })
  await settings({ compulsory: true })
  try {
    // Who came in otherwise is out.
    assert.equal((await plain.browser.get('/me')).status, 401)
    const page = (await service.get('/sign_in', { key: null })).body.data
    assert.equal(page.compulsory, true)
    const tried = (email: string, password: string) => new Browser(service).post('/sign_in', { email, password })
    const right = await tried(plain.email, PASSWORD)
    assert.equal(right.body.code, 'sso_compulsory')
    for (const [email, password] of [
      [plain.email, 'wrong as can be'],
      ['nobody@example.com', PASSWORD],
      [owner.email, 'wrong as can be'],
    ] as const)
      assert.equal(withoutRequestId((await tried(email, password)).text), withoutRequestId(right.text))
    // Nor does the wait tell: a right one that lets nobody in counts like any other.
    const waits = []
    for (let attempt = 0; attempt < 8; attempt++) waits.push((await tried(plain.email, PASSWORD)).status)
    assert.ok(waits.includes(429), waits.join())
    const at = new Browser(service)
    const first = (await at.post('/sign_in', { email: owner.email, password: PASSWORD })).body.data
    assert.equal(first.status, 'second_factor')
    const done = await at.post('/sign_in/code', { ticket: first.ticket, code: codeAt(secret, step + 1) })
    assert.equal(done.status, 200, done.text)
    assert.equal((await at.get('/me')).body.data.sign_in.sso_compulsory, true)
    const refused = await service.post(`/users/${plain.id}/link`)
    assert.equal(refused.status, 409, refused.text)
    const invited = await service.post('/users/invite', { email: 'late@example.com', name: 'Too Late' })
    assert.equal(invited.status, 409, invited.text)
    const byLink = async (id: number) => {
      const { url } = (await service.post(`/users/${id}/link`)).body.data
      return new Browser(service).post('/sign_in/link_use', { token: new URL(url).hash.slice(1), password: PASSWORD })
    }
    assert.equal((await byLink(owner.id)).body.data.status, 'second_factor')
    assert.equal((await journey({ sub: 'p-1', email: plain.email, email_verified: true })).answer.status, 200)
  } finally {
    await settings({ compulsory: false })
  }
})

test('the SSO client secret is in no response, history or ledger entry', async () => {
  const texts = await Promise.all(
    [
      '/identity_providers',
      `/identity_providers/${providerId}`,
      `/identity_providers/${providerId}/history`,
      '/audits?per_page=200',
    ].map(async (path) => (await service.get(path)).text),
  )
  const ledger = await service.database.query((sql) => sql.selectFrom('ledger').select(['before', 'after']).execute())
  assert.ok(![...texts, JSON.stringify(ledger)].some((text) => text.includes(CLIENT.secret)))
})

test('SSO accepts an ID token only if it is signed with a published key of the provider', async () => {
  await person(service, { email: 'signed@example.com' })
  const who = { sub: 'sig-1', email: 'signed@example.com', email_verified: true }
  provider.isForger = true
  assert.equal((await journey(who)).answer.body.code, 'sso_refused')
  provider.isForger = false
  assert.equal((await journey(who)).answer.status, 200)
})

test('SSO validates claims from the provider: no control characters and nothing too long is stored', async () => {
  await service.hire({ first_name: 'Odd', last_name: 'Claims', email: 'odd@example.com' })
  await settings({ makes_users: true })
  try {
    const good = { sub: 'odd-1', email: 'odd@example.com', email_verified: true }
    for (const odd of [
      { sub: 'od\0d' },
      { sub: `s${'x'.repeat(400)}` },
      { email: 'odd\0@example.com' },
      { email: `${'x'.repeat(270)}@example.com` },
    ]) {
      const { answer } = await journey({ ...good, ...odd })
      assert.equal(answer.status, 403, `${JSON.stringify(odd)}: ${answer.text}`)
    }
    // A name is no reason to keep somebody out: the employee has one.
    const { at, answer } = await journey({ ...good, name: `N\0\n${'x'.repeat(400)}` })
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await at.get('/me')).body.data.user.name, 'Odd Claims')
  } finally {
    await settings({ makes_users: false })
  }
})

test('access managers see and remove the SSO identity of a user, so that another subject can be linked', async () => {
  const { id, email } = await person(service, { email: 'moved@example.com' })
  const other = await person(service, { email: 'unmoved@example.com' })
  await journey({ sub: 'old-1', email, email_verified: true })
  assert.equal((await journey({ sub: 'new-1', email, email_verified: true })).answer.body.code, 'sso_taken')
  const [identity] = (await service.get(`/users/${id}/identities`)).body.data
  assert.equal(identity.email, email)
  assert.equal(identity.provider.name, 'Example SSO')
  assert.equal((await service.delete(`/users/${other.id}/identities/${identity.id}`)).status, 404)
  assert.equal((await service.delete(`/users/${id}/identities/${identity.id}`)).status, 204)
  assert.equal((await journey({ sub: 'new-1', email, email_verified: true })).answer.body.data.user.id, id)
  assert.equal((await journey({ sub: 'old-1', email, email_verified: true })).answer.status, 403)
  const own = await person(service, { email: 'own.hand@example.com', role: 'owner' })
  await journey({ sub: 'hand-1', email: own.email, email_verified: true })
  const [mine] = (await service.get(`/users/${own.id}/identities`)).body.data
  assert.equal((await own.browser.delete(`/users/${own.id}/identities/${mine.id}`)).status, 409)
})

test('every account can use its own SSO provider, and the state tells which account a response is for', async () => {
  const { account, key } = await service.otherAccount()
  const as = { key }
  const made = await service.post(
    '/identity_providers',
    { name: 'Theirs', issuer: provider.issuer, client_id: CLIENT.id, client_secret: CLIENT.secret },
    as,
  )
  assert.equal((await service.post('/users', { email: 'theirs@example.com', name: 'The Irs' }, as)).status, 201)
  const at = new Browser(service)
  const left = await at.post(`/sign_in/sso?account=${account.id}`, { provider_id: made.body.data.id, again: true })
  const asked = new URL(left.body.data.url).searchParams
  assert.equal(asked.get('prompt'), 'login')
  const auth_time = Math.floor(Date.now() / 1000)
  const who = { sub: 't-1', email: 'theirs@example.com', email_verified: true, auth_time }
  const query = provider.visit(left.body.data.url, who)
  // All that comes back is the query: the page reads the account from it.
  const [, told] = /^(\d+)\./.exec(new URLSearchParams(query).get('state') as string) ?? []
  assert.equal(Number(told), account.id)
  const back = await at.post(`/sign_in/sso_answer?account=${told}`, { query })
  assert.equal(back.status, 200, back.text)
  assert.equal((await at.get('/me')).body.data.account.id, account.id)
})

test('confirming identity by SSO needs a fresh sign-in at the provider', async () => {
  const { id } = await person(service, { email: 'again@example.com' })
  const who = { sub: 's-again', email: 'again@example.com', email_verified: true }
  const at = new Browser(service)
  const confirmedAt = async () => Date.parse((await at.get('/me')).body.data.session.confirmed_at)
  const come = async (again: boolean, auth_time?: number) => {
    const left = await at.post('/sign_in/sso', { provider_id: providerId, again })
    const asked = new URL(left.body.data.url).searchParams
    assert.deepEqual([asked.get('prompt'), asked.get('max_age')], again ? ['login', '0'] : [null, null])
    return at.post('/sign_in/sso_answer', {
      query: provider.visit(left.body.data.url, { ...who, ...(auth_time ? { auth_time } : {}) }),
    })
  }
  const now = Math.floor(Date.now() / 1000)
  assert.equal((await come(false, now - 86_400)).status, 200)
  assert.ok((await confirmedAt()) < Date.now() - 86_000_000)
  for (const told of [undefined, now - 86_400]) assert.equal((await come(true, told)).status, 403)
  assert.ok((await confirmedAt()) < Date.now() - 86_000_000)
  assert.equal((await come(true, now)).status, 200)
  assert.ok((await confirmedAt()) > Date.now() - 300_000)

  // Whom a provider has let in is out when it is believed no more.
  assert.equal((await settings({ enabled: false })).status, 200)
  assert.equal((await at.get('/me')).status, 401)
  assert.equal((await settings({ enabled: true })).status, 200)
  assert.ok(id)
})

test('an SSO provider with an oversized, insecure or endless discovery document gives 502', async () => {
  const sent = { name: 'Odd', client_id: CLIENT.id, client_secret: CLIENT.secret }
  const odd = new Provider()
  await odd.start()
  const { id } = (await service.post('/identity_providers', { ...sent, issuer: odd.issuer })).body.data
  const leaveFor = () => new Browser(service).post('/sign_in/sso', { provider_id: id })
  const documents: [string, (document: Claims) => Claims, RegExp][] = [
    ['size', (document) => ({ ...document, padding: 'x'.repeat(2 ** 20) }), /1048576 bytes/],
    ...['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'].flatMap((name) =>
      ['http://login.example.com/x', 'ftp://127.0.0.1/x', 'nowhere'].map(
        (address): [string, (document: Claims) => Claims, RegExp] => [
          `${name} ${address}`,
          (document) => ({ ...document, [name]: address }),
          new RegExp(`${name} must be an https URL`),
        ],
      ),
    ),
  ]
  try {
    for (const [name, describe, detail] of documents) {
      odd.describe = describe
      const answer = await leaveFor()
      assert.equal(answer.status, 502, `${name}: ${answer.text}`)
      assert.equal(answer.body.code, 'provider_unreachable')
      assert.match(answer.body.detail, detail)
    }
    odd.describe = (document) => document
    assert.equal((await leaveFor()).status, 200)
  } finally {
    odd.stop()
    await service.delete(`/identity_providers/${id}`)
  }
  // Without a length, and without an end: what is over the limit is not waited for.
  const endless = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', pour)
    }
    pour()
  })
  await new Promise<void>((go) => endless.listen(0, '127.0.0.1', go))
  const issuer = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`
  const made = await service.post('/identity_providers', { ...sent, issuer })
  const answer = await new Browser(service).post('/sign_in/sso', { provider_id: made.body.data.id })
  assert.equal(answer.status, 502, answer.text)
  assert.match(answer.body.detail, /1048576 bytes/)
  endless.close()
  await service.delete(`/identity_providers/${made.body.data.id}`)
})
