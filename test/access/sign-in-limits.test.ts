import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import autocannon from 'autocannon'
import { Browser, PASSWORD, person } from '../browser.ts'
import { cheapPasswords } from '../cheap-passwords.ts'
import { type Service, startService } from '../harness.ts'
import { rounds } from '../thorough.ts'

cheapPasswords()
let service: Service
let now = new Date('2036-03-03T09:00:00Z')
const pass = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

before(async () => {
  // Callers say where they are, as behind a proxy.
  service = await startService({ clock: () => now, config: { TRUST_PROXY: '1' } })
})
after(() => service.stop())

type Stats = Record<string, { count: number }>

/** A stranger at an address. */
function stranger(address: string): Browser {
  const browser = new Browser(service)
  browser.headers['x-forwarded-for'] = address
  return browser
}

const guess = (from: Browser, email: string, password = 'not the password') =>
  from.post('/sign_in', { email, password })

test('a flood of sign-in attempts is rejected before most passwords are hashed', async () => {
  const { email } = await person(service, { email: 'target@example.com' })
  const from = '203.0.113.9'
  const amount = rounds(1000, 10_000)
  const result = await autocannon({
    url: `${service.url}/api/public/v3/sign_in`,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ email, password: 'not the password' }),
    amount,
    connections: 100,
    // In seconds: an attempt that is given up would be missing from the count.
    timeout: 300,
  })
  // Five are free, also when a hundred come at once, and each that fails after them makes all others wait.
  const { 401: looked = { count: 0 }, 429: refused = { count: 0 } } = result.statusCodeStats as Stats
  assert.equal(looked.count + refused.count, amount, JSON.stringify(result.statusCodeStats))
  assert.ok(looked.count <= 6, `${looked.count} were looked at`)
  const rows = await service.database.query((sql) => sql.selectFrom('sign_in_attempts').select('place').execute())
  assert.ok(rows.length <= 3, `${rows.length} rows`)
  const waiting = await guess(stranger(from), email, PASSWORD)
  assert.equal(waiting.body.code, 'too_many_attempts')
  assert.ok(Number(waiting.headers.get('retry-after')) >= 1)
})

test('waits grow with each failed attempt up to 15 minutes, survive a restart and end with a success', async () => {
  const { email } = await person(service, { email: 'slow@example.com' })
  const waits: number[] = []
  for (let attempt = 0; attempt < 18; attempt++) {
    // Another address each time: it is the person who is counted.
    let answer = await guess(stranger(`198.51.100.${attempt}`), email)
    if (answer.status === 429) {
      waits.push(Number(answer.headers.get('retry-after')))
      pass(waits.at(-1) as number)
      answer = await guess(stranger(`198.51.100.${attempt}`), email)
    }
    assert.equal(answer.status, 401, `${attempt}: ${answer.text}`)
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  pass(900)
  // What is counted is kept in the database, so that a new process knows it.
  const kept = await service.database.query((sql) =>
    sql.selectFrom('sign_in_attempts').select('failures').orderBy('failures', 'desc').executeTakeFirst(),
  )
  assert.equal(kept?.failures, 18)
  await stranger('198.51.100.201').signIn(email, PASSWORD)
  assert.equal((await guess(stranger('198.51.100.202'), email)).status, 401)
  assert.equal((await guess(stranger('198.51.100.203'), email)).status, 401)
})

test('failed attempts by others never lock a user out of a browser they have signed in with before', async () => {
  const { email, browser } = await person(service, { email: 'besieged@example.com' })
  await browser.post('/sign_out')
  for (let day = 0; day < 3; day++) {
    for (let attempt = 0; attempt < 12; attempt++) await guess(stranger(`192.0.2.${attempt}`), email)
    assert.equal((await guess(stranger('192.0.2.99'), email, PASSWORD)).status, 429)
    await browser.signIn(email, PASSWORD)
    pass(3600)
  }
  // Whoever stole that mark alone has no more attempts than others.
  const thief = stranger('192.0.2.77')
  thief.cookies.set('cadre_device', browser.cookies.get('cadre_device') as string)
  const answers = []
  for (let attempt = 0; attempt < 8; attempt++) answers.push((await guess(thief, email)).status)
  assert.ok(answers.includes(429), answers.join())
  // Somebody else's mark is none.
  const other = await person(service, { email: 'other@example.com' })
  const stray = stranger('192.0.2.78')
  stray.cookies.set('cadre_device', other.browser.cookies.get('cadre_device') as string)
  await guess(stranger('192.0.2.79'), email)
  assert.equal((await guess(stray, email)).status, 429)
})

test('an address that tries many names has to wait, others do not, and an IPv6 /64 counts as one', async () => {
  const statuses: number[] = []
  for (let attempt = 0; attempt < 24; attempt++)
    statuses.push((await guess(stranger(`2001:db8:1:2::${attempt}`), `name${attempt}@example.com`)).status)
  assert.equal(statuses.filter((status) => status === 401).length, 21)
  assert.equal(statuses.at(-1), 429)
  assert.equal((await guess(stranger('2001:db8:1:3::1'), 'name@example.com')).status, 401)
  pass(1)
  assert.equal((await guess(stranger('2001:db8:1:2::99'), 'name99@example.com')).status, 401)
})

test('a series of failed sign-ins is logged with address and user, and no secret is stored', async () => {
  const { email, id } = await person(service, { email: 'watched@example.com' })
  for (let attempt = 0; attempt < 5; attempt++) await guess(stranger(`192.0.2.1${attempt}`), email, 'Zq9secretguess')
  let found: any
  for (let tries = 0; tries < 500 && !found; tries++) {
    const { data } = (await service.get('/failed_sign_ins')).body
    found = data.find((one: any) => one.user_id === id)
  }
  assert.equal(found.attempts, 5)
  assert.equal(found.address, '192.0.2.14')
  const audits = (await service.get('/audits?per_page=200')).text
  assert.ok(!audits.includes('Zq9secretguess') && !audits.includes(PASSWORD) && !audits.includes('argon2id'))
  const ledger = await service.database.query((sql) => sql.selectFrom('ledger').select(['before', 'after']).execute())
  const sessions = await service.database.query((sql) => sql.selectFrom('sessions').select('hash').execute())
  const text = JSON.stringify(ledger)
  assert.ok(!text.includes('argon2id') && sessions.every(({ hash }) => !text.includes(hash)))
})

test('many correct sign-ins at the same time from one address all succeed', async () => {
  const people = []
  for (let one = 0; one < 32; one++) people.push(await person(service, { email: `crowd${one}@example.com` }))
  const entered = await Promise.all(
    people.map(({ email }) => stranger('203.0.113.77').post('/sign_in', { email, password: PASSWORD })),
  )
  assert.deepEqual([...new Set(entered.map(({ status }) => status))], [200])
  const [one] = people
  const twice = await Promise.all(
    [1, 2, 3, 4].map(() =>
      stranger('203.0.113.78').post('/sign_in', { email: one?.email as string, password: PASSWORD }),
    ),
  )
  assert.deepEqual([...new Set(twice.map(({ status }) => status))], [200])
})

test('concurrent guesses from a throttled address are mostly rejected unchecked', async () => {
  const from = '203.0.113.80'
  for (let attempt = 0; attempt < 21; attempt++) await guess(stranger(from), `herd${attempt}@example.com`)
  pass(2)
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async (_, one) => (await guess(stranger(from), `flock${one}@example.com`)).status),
  )
  const looked = statuses.filter((status) => status === 401).length
  assert.ok(looked >= 1 && looked <= 14, `${looked} were looked at`)
  pass(3600)
})

test('failures of an address fade over time, and a known browser does not wait for them', async () => {
  const from = '203.0.113.90'
  const { email, browser } = await person(service, { email: 'office@example.com' })
  browser.headers['x-forwarded-for'] = from
  await browser.post('/sign_out')
  for (let attempt = 0; attempt < 24; attempt++) {
    await guess(stranger(from), `typo${attempt}@example.com`)
    pass(10)
  }
  await guess(stranger(from), 'typo@example.com')
  assert.equal((await guess(stranger(from), 'typo99@example.com')).status, 429)
  // The mark of the browser counts, not that there is one.
  const pretender = stranger(from)
  pretender.cookies.set('cadre_device', '1.made-up.mark')
  assert.equal((await guess(pretender, email)).status, 429)
  await browser.signIn(email, PASSWORD)
  // A failure a minute is forgotten: what remains is not what was there an hour ago.
  pass(30 * 60)
  const later = []
  for (let attempt = 0; attempt < 10; attempt++)
    later.push((await guess(stranger(from), `later${attempt}@example.com`)).status)
  assert.deepEqual([...new Set(later)], [401])
})

test('an IPv6 network counts once in any spelling, and an IPv4 address counts once in both forms', async () => {
  const statuses = []
  for (let attempt = 1; attempt <= 26; attempt++)
    statuses.push((await guess(stranger(`2001:db8::${attempt.toString(16)}`), `six${attempt}@example.com`)).status)
  assert.equal(statuses.filter((status) => status === 401).length, 21)
  assert.equal((await guess(stranger('2001:0db8:0:0:ffff::1'), 'six@example.com')).status, 429)
  assert.equal((await guess(stranger('2001:db8:0:1::1'), 'six@example.com')).status, 401)
  for (let attempt = 0; attempt < 21; attempt++) await guess(stranger('198.51.100.55'), `four${attempt}@example.com`)
  assert.equal((await guess(stranger('::ffff:198.51.100.55'), 'four@example.com')).status, 429)
  assert.equal((await guess(stranger('::ffff:198.51.100.56'), 'four@example.com')).status, 401)
})
