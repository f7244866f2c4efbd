import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { codeAt } from '../../src/domain/sign-in/totp.ts'
import { Browser, PASSWORD, person } from '../browser.ts'
import { cheapPasswords } from '../cheap-passwords.ts'
import { type Service, startService } from '../harness.ts'
import { CLIENT, type Claims, Provider } from '../identity-provider.ts'

cheapPasswords()
const provider = new Provider()
let service: Service

before(() => provider.start())
after(() => provider.stop())
beforeEach(async () => {
  provider.twist = (claims) => claims
  provider.describe = (document) => document
  provider.isAway = false
  provider.isForger = false
  service = await startService()
})

/** A service of its own for each test: whether single sign-on is required concerns everybody in it. */
const alone = (name: string, work: () => Promise<void>) =>
  test(name, async () => {
    try {
      await work()
    } finally {
      await service.stop()
    }
  })

const OWN = { name: 'Example SSO', client_id: CLIENT.id, client_secret: CLIENT.secret }

async function addProvider(more: object = {}): Promise<number> {
  const made = await service.post('/identity_providers', { ...OWN, issuer: provider.issuer, ...more })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.data.confirmed_at, null)
  return made.body.data.id
}

const settings = (id: number, values: object) => service.put(`/identity_providers/${id}`, values)
const confirmedAt = async (id: number) => (await service.get(`/identity_providers/${id}`)).body.data.confirmed_at

async function owner(email = 'owner@example.com') {
  const one = await person(service, { email, role: 'owner' })
  return {
    ...one,
    async addApp() {
      const { secret } = (await one.browser.post('/me/totp')).body.data
      const set = await one.browser.put('/me/totp', { code: codeAt(secret, Math.floor(Date.now() / 30_000)) })
      assert.equal(set.status, 200, set.text)
    },
  }
}

async function signInBy(id: number, who: Claims) {
  const at = new Browser(service)
  const left = await at.post('/sign_in/sso', { provider_id: id })
  assert.equal(left.status, 200, left.text)
  return at.post('/sign_in/sso_answer', { query: provider.visit(left.body.data.url, who) })
}

/** Runs the test of a provider as somebody, who is this person there. */
async function tryAs(at: Browser, id: number, who: Claims) {
  const begun = await at.post(`/identity_providers/${id}/test`)
  assert.equal(begun.status, 200, begun.text)
  const { url } = begun.body.data
  if (url === null) return begun.body.data
  const query = provider.visit(url, who)
  assert.match(new URLSearchParams(query).get('state') as string, new RegExp(`^1\\.test-${id}\\.`))
  const ended = await at.post(`/identity_providers/${id}/test_result`, { query })
  assert.equal(ended.status, 200, ended.text)
  return ended.body.data
}

const outcomes = ({ steps }: any) =>
  steps.map(({ result, code }: any) => (result === 'failed' ? code : result === 'passed' ? 'ok' : '-')).join(' ')

function assertRefused(answer: { status: number; text: string; body: any }, ...words: RegExp[]): void {
  assert.equal(answer.status, 422, answer.text)
  assert.deepEqual(
    answer.body.errors.map((one: any) => one.field),
    ['compulsory'],
  )
  for (const word of words) assert.match(answer.body.errors[0].message, word)
}

alone(
  'SSO can be required only after a successful sign-in through it and with an owner who has a second factor',
  async () => {
    const boss = await owner()
    const made = await service.post('/identity_providers', { ...OWN, issuer: provider.issuer, compulsory: true })
    assertRefused(made, /sign-in through the provider/, /second factor/)
    const id = await addProvider()
    assertRefused(await settings(id, { compulsory: true }), /sign-in through the provider/, /second factor/)
    const dry = await service.put(`/identity_providers/${id}`, { compulsory: true }, { headers: { prefer: 'dry-run' } })
    assertRefused(dry, /sign-in through the provider/)
    await boss.addApp()
    const refused = await settings(id, { compulsory: true })
    assertRefused(refused, /sign-in through the provider/)
    assert.doesNotMatch(refused.text, /second factor/)
    // Somebody whom the provider knows, and we do not, has not signed in.
    assert.equal((await signInBy(id, { sub: 'x', email: 'x@example.com', email_verified: true })).status, 403)
    assert.equal(await confirmedAt(id), null)
    await person(service, { email: 'ada@example.com' })
    const ada = { sub: 'a', email: 'ada@example.com', email_verified: true }
    assert.equal((await signInBy(id, ada)).status, 200)
    assert.notEqual(await confirmedAt(id), null)
    assert.equal((await settings(id, { compulsory: true })).status, 200)
  },
)

alone('an authenticator app without a password is no second factor, and a disabled owner does not count', async () => {
  const boss = await owner()
  const other = await owner('other@example.com')
  await boss.addApp()
  const id = await addProvider()
  assert.equal((await signInBy(id, { sub: 'o', email: other.email, email_verified: true })).status, 200)
  assert.equal((await service.post(`/users/${boss.id}/disable`)).status, 200)
  assertRefused(await settings(id, { compulsory: true }), /second factor/)
  assert.equal((await service.post(`/users/${boss.id}/enable`)).status, 200)
  await service.database.write((sql) => sql.updateTable('user_credentials').set({ password_set_at: null }).execute())
  assertRefused(await settings(id, { compulsory: true }), /second factor/)
})

alone('changed provider settings have to be confirmed again; unchanged ones do not', async () => {
  const boss = await owner()
  await boss.addApp()
  const id = await addProvider()
  const who = { sub: 'o', email: boss.email, email_verified: true }
  for (const change of [
    { issuer: provider.issuer.replace('127.0.0.1', 'localhost') },
    { client_id: 'another' },
    { client_secret: 'another' },
    { scopes: 'openid email' },
    { trusts_email: true },
  ]) {
    const [name] = Object.keys(change) as [string]
    assert.equal((await signInBy(id, who)).status, 200)
    const confirmed = await confirmedAt(id)
    assert.notEqual(confirmed, null)
    const shown = (await service.get(`/identity_providers/${id}`)).body.data
    const same = name === 'client_secret' ? CLIENT.secret : shown[name]
    await settings(id, { [name]: same, name: `Example ${name}`, makes_users: true })
    assert.equal(await confirmedAt(id), confirmed, name)
    assertRefused(await settings(id, { ...change, compulsory: true }), /current settings/)
    assert.equal((await settings(id, change)).status, 200)
    assert.equal(await confirmedAt(id), null, name)
    assertRefused(await settings(id, { compulsory: true }), /sign-in through the provider/)
    assert.equal((await settings(id, { [name]: same })).status, 200)
  }
})

alone('settings of a required provider can be changed only when the requirement ends in the same request', async () => {
  const boss = await owner()
  await boss.addApp()
  const id = await addProvider()
  await signInBy(id, { sub: 'o', email: boss.email, email_verified: true })
  assert.equal((await settings(id, { compulsory: true })).status, 200)
  for (const change of [
    { client_secret: 'x' },
    { issuer: 'https://login.example.com' },
    { compulsory: true, scopes: 'openid' },
  ])
    assertRefused(await settings(id, change), /must be false when issuer/)
  assert.equal((await settings(id, { name: 'Renamed', client_id: CLIENT.id, compulsory: true })).status, 200)
  // While it is off nobody is locked out; switching it on again is as the first time.
  assert.equal((await settings(id, { enabled: false })).status, 200)
  assert.equal((await settings(id, { client_secret: 'x' })).status, 200)
  assertRefused(await settings(id, { enabled: true }), /sign-in through the provider/)
  assert.equal((await settings(id, { client_secret: CLIENT.secret, enabled: true, compulsory: false })).status, 200)
  assertRefused(await settings(id, { compulsory: true }), /sign-in through the provider/)
})

alone('undo restores neither an SSO requirement nor provider settings', async () => {
  const boss = await owner()
  await boss.addApp()
  const id = await addProvider()
  await signInBy(id, { sub: 'o', email: boss.email, email_verified: true })
  await settings(id, { compulsory: true })
  await settings(id, { compulsory: false, client_secret: 'other' })
  const entries = (await service.get('/audits?record_type=identity_providers&per_page=50')).body.data
  assert.ok(entries.length >= 3)
  for (const { request_id } of entries) assert.equal((await service.post(`/requests/${request_id}/undo`)).status, 409)
})

alone(
  'while SSO is required, the last second factor of an owner cannot be removed, whichever operation is used',
  async () => {
    const boss = await owner()
    await boss.addApp()
    const employee = await service.hire({ hired_on: '2020-01-01' })
    assert.equal((await service.put(`/users/${boss.id}`, { employee_id: employee.id })).status, 200)
    const id = await addProvider()
    await signInBy(id, { sub: 'o', email: boss.email, email_verified: true })
    const other = await owner('other@example.com')
    // It ends what others have signed in to, but for who asks.
    assert.equal((await boss.browser.put(`/identity_providers/${id}`, { compulsory: true })).status, 200)
    const [role] = (await service.get('/roles')).body.data.filter((one: any) => one.standard === 'employee')
    const ways: [string, () => Promise<{ status: number; text: string }>][] = [
      ['turning the app off', () => boss.browser.delete('/me/totp')],
      ['taking it away', () => service.delete(`/users/${boss.id}/second_factors`)],
      ['disabling them', () => service.post(`/users/${boss.id}/disable`)],
      ['deleting them', () => service.delete(`/users/${boss.id}`)],
      ['another role', () => service.put(`/users/${boss.id}`, { role_ids: [role.id] })],
      ['their leaving', () => service.post(`/employees/${employee.id}/terminate`, { effective_from: '2024-01-01' })],
    ]
    for (const [name, way] of ways) {
      const answer = await way()
      assert.equal(answer.status, 409, `${name}: ${answer.text}`)
      assert.match(answer.text, /second factor/, name)
    }
    assert.ok(other.id)
    assert.equal((await settings(id, { compulsory: false })).status, 200)
    assert.equal((await boss.browser.delete('/me/totp')).status < 300, true)
  },
)

alone('SSO can be required only with a second factor of an owner who is not about to leave', async () => {
  const leaver = await owner()
  await leaver.addApp()
  const stays = await owner('other@example.com')
  const employee = await service.hire({ hired_on: '2020-01-01' })
  assert.equal((await service.put(`/users/${leaver.id}`, { employee_id: employee.id })).status, 200)
  const id = await addProvider()
  await signInBy(id, { sub: 'o', email: leaver.email, email_verified: true })
  const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  const plan = () => service.post(`/employees/${employee.id}/terminate`, { effective_from: soon })
  // In either order, one of the two is refused.
  assert.equal((await plan()).status, 200)
  assertRefused(await settings(id, { compulsory: true }), /second factor/, /no planned end of employment/)
  assert.equal((await service.post(`/employees/${employee.id}/activate`)).status, 200)
  assert.equal((await settings(id, { compulsory: true })).status, 200)
  assert.equal((await plan()).status, 409)
  // While it is disabled nobody is locked out; it is not enabled again with a leaver alone.
  assert.equal((await settings(id, { enabled: false })).status, 200)
  assert.equal((await plan()).status, 200)
  assertRefused(await settings(id, { enabled: true }), /second factor/, /no planned end of employment/)
  await stays.browser.signIn(stays.email, PASSWORD)
  await stays.addApp()
  assert.equal((await settings(id, { enabled: true })).status, 200)
})

alone('a provider test runs every step of a sign-in, signs nobody in and confirms the provider', async () => {
  const boss = await owner()
  await boss.addApp()
  const id = await addProvider({ enabled: false })
  const sessions = (await boss.browser.get('/me/sessions')).body.data.length
  const who = { sub: 'o', email: boss.email, email_verified: true }
  const report = await tryAs(boss.browser, id, who)
  assert.equal(outcomes(report), 'ok ok ok ok ok')
  assert.equal(report.passed, true)
  assert.deepEqual(report.person, { name: 'Some Body', email: boss.email })
  assert.equal((await boss.browser.get('/me/sessions')).body.data.length, sessions)
  assert.deepEqual((await boss.browser.get('/me/identities')).body.data, [])
  assert.notEqual(await confirmedAt(id), null)
  assert.equal((await settings(id, { enabled: true, compulsory: true })).status, 200)
})

alone('a provider test names the step that failed and confirms nothing', async () => {
  const boss = await owner()
  const id = await addProvider()
  const who = { sub: 'o', email: boss.email, email_verified: true }
  const failing = async (expected: string, claims: Claims, detail: RegExp) => {
    const report = await tryAs(boss.browser, id, claims)
    assert.equal(outcomes(report), expected, JSON.stringify(report))
    assert.match(report.steps.find((one: any) => one.result === 'failed').detail, detail)
    assert.notEqual(report.passed, true)
    assert.equal(await confirmedAt(id), null)
  }
  provider.isAway = true
  await failing('unreachable - - - -', who, /./)
  provider.isAway = false
  provider.describe = (document) => ({ ...document, issuer: 'https://other.example' })
  await failing('wrong_answer - - - -', who, /issuer/)
  provider.describe = (document) => ({ ...document, token_endpoint: 'http://login.example.com/token' })
  await failing('insecure_address - - - -', who, /token_endpoint must be an https URL/)
  provider.describe = (document) => ({ ...document, padding: 'x'.repeat(2 ** 20) })
  await failing('too_large - - - -', who, /1048576/)
  provider.describe = (document) => document
  await settings(id, { client_secret: 'wrong' })
  await failing('ok ok refused - -', who, /invalid_grant/)
  await settings(id, { client_secret: CLIENT.secret })
  provider.isForger = true
  await failing('ok ok ok wrong_answer -', who, /signature/i)
  provider.isForger = false
  provider.twist = (claims) => ({ ...claims, nonce: 'another' })
  await failing('ok ok ok wrong_answer -', who, /nonce/)
  provider.twist = (claims) => claims
  await failing('ok ok ok ok no_email', { sub: 'o' }, /e-mail/)
  await failing('ok ok ok ok unverified', { sub: 'o', email: boss.email }, /e-mail/)
  await failing('ok ok ok ok unknown', { ...who, email: 'nobody@example.com' }, /e-mail/)
  // The provider broke it off.
  const { url } = (await boss.browser.post(`/identity_providers/${id}/test`)).body.data
  const state = new URL(url).searchParams.get('state') as string
  const query = `?${new URLSearchParams({ error: 'access_denied', error_description: 'Not\nassigned', state, iss: provider.issuer })}`
  const denied = (await boss.browser.post(`/identity_providers/${id}/test_result`, { query })).body.data
  assert.equal(outcomes(denied), 'ok refused - - -')
  assert.equal(denied.steps[1].detail, 'access_denied: Not assigned')
  // An answer counts once.
  const again = (await boss.browser.post(`/identity_providers/${id}/test_result`, { query })).body.data
  assert.equal(outcomes(again), 'ok ended - - -')
})

alone(
  'a test never signs in, a sign-in never counts as a test, and settings changed meanwhile are not confirmed',
  async () => {
    const boss = await owner()
    const id = await addProvider()
    const who = { sub: 'o', email: boss.email, email_verified: true }
    const begin = async () => (await boss.browser.post(`/identity_providers/${id}/test`)).body.data.url
    const asSignIn = await boss.browser.post('/sign_in/sso_answer', { query: provider.visit(await begin(), who) })
    assert.equal(asSignIn.status, 401, asSignIn.text)
    const left = (await boss.browser.post('/sign_in/sso', { provider_id: id })).body.data.url
    const asTest = await boss.browser.post(`/identity_providers/${id}/test_result`, {
      query: provider.visit(left, who),
    })
    assert.equal(outcomes(asTest.body.data), 'ok ended - - -')
    const query = provider.visit(await begin(), who)
    await settings(id, { scopes: 'openid email' })
    const changed = await boss.browser.post(`/identity_providers/${id}/test_result`, { query })
    assert.equal(outcomes(changed.body.data), 'ok ok ok ok changed')
    const at = new Browser(service)
    const gone = (await at.post('/sign_in/sso', { provider_id: id })).body.data.url
    await settings(id, { scopes: 'openid' })
    assert.equal((await at.post('/sign_in/sso_answer', { query: provider.visit(gone, who) })).status, 200)
    assert.equal(await confirmedAt(id), null)
  },
)

alone('only owners can test a provider', async () => {
  const id = await addProvider()
  const { browser } = await person(service, { email: 'hr@example.com', role: 'hr' })
  for (const path of ['test', 'test_result'])
    assert.equal((await browser.post(`/identity_providers/${id}/${path}`, { query: '?code=1' })).status, 403)
})
