import assert from 'node:assert/strict'
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Browser, PASSWORD, person } from '../browser.ts'
import { cheapPasswords } from '../cheap-passwords.ts'
import { type Service, startService } from '../harness.ts'

cheapPasswords()
const ORIGIN = 'https://hr.example.com'
const HOST = 'hr.example.com'

let service: Service
before(async () => {
  service = await startService({ config: { PUBLIC_URL: ORIGIN } })
})
after(() => service.stop())

type Cbor = number | string | Buffer | Map<Cbor, Cbor>

/** As much of CBOR as authenticators write. */
function cbor(value: Cbor): Buffer {
  const head = (kind: number, size: number) =>
    size < 24
      ? Buffer.from([(kind << 5) | size])
      : size < 256
        ? Buffer.from([(kind << 5) | 24, size])
        : Buffer.from([(kind << 5) | 25, size >> 8, size & 255])
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([name, inner]) => [cbor(name), cbor(inner)])])
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url')

/** A device that keeps one passkey, made of software. */
class Device {
  readonly #key: KeyObject
  readonly #public: Buffer
  readonly id = randomBytes(16)
  counter = 0
  isVerifying = true
  host = HOST
  origin = ORIGIN

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const point = (text: string) => Buffer.from(text, 'base64url')
    this.#key = privateKey
    // COSE: kty EC2, alg ES256, crv P-256.
    this.#public = cbor(
      new Map<Cbor, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, point(x)],
        [-3, point(y)],
      ]),
    )
  }

  #data(more = Buffer.alloc(0)): Buffer {
    const flags = 1 | (this.isVerifying ? 4 : 0) | (more.length > 0 ? 64 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(++this.counter)
    return Buffer.concat([sha256(this.host), Buffer.from([flags]), count, more])
  }

  #client(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }))
  }

  #answer(response: Record<string, string>) {
    const id = base64url(this.id)
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
  }

  create({ challenge }: { challenge: string }) {
    const size = Buffer.from([0, this.id.length])
    const authData = this.#data(Buffer.concat([Buffer.alloc(16), size, this.id, this.#public]))
    const attestation = cbor(
      new Map<Cbor, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    )
    return this.#answer({
      clientDataJSON: base64url(this.#client('webauthn.create', challenge)),
      attestationObject: base64url(attestation),
    })
  }

  get({ challenge }: { challenge: string }) {
    const [data, client] = [this.#data(), this.#client('webauthn.get', challenge)]
    const signature = createSign('sha256')
      .update(Buffer.concat([data, sha256(client)]))
      .sign(this.#key)
    return this.#answer({
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(signature),
    })
  }
}

async function withPasskey(email: string) {
  const { browser, id } = await person(service, { email })
  const device = new Device()
  const offer = (await browser.post('/me/passkeys/options')).body.data
  assert.equal(offer.options.rp.id, HOST)
  const sent = { ticket: offer.ticket, name: 'Phone', response: device.create(offer.options) }
  const added = await browser.post('/me/passkeys', sent)
  assert.equal(added.status, 200, added.text)
  const { recovery_codes: codes, ...passkey } = added.body.data
  return { browser, id, email, device, passkey, sent, codes: codes as string[] }
}

/** What the device is asked, answered. */
async function shown(at: Browser, device: Device, ticket?: string) {
  const question = await at.post('/sign_in/passkey_options', ticket ? { ticket } : {})
  assert.equal(question.status, 200, question.text)
  return { ticket: question.body.data.ticket, response: device.get(question.body.data.options) }
}

test('a passkey alone signs in, without an e-mail address, and each response works once', async () => {
  const { id, device, sent, browser } = await withPasskey('alone@example.com')
  const at = new Browser(service)
  const answer = await shown(at, device)
  const [one, two] = await Promise.all([
    at.post('/sign_in/passkey', answer),
    new Browser(service).post('/sign_in/passkey', answer),
  ])
  assert.deepEqual([one?.status, two?.status].toSorted(), [200, 401])
  assert.equal((await new Browser(service).post('/sign_in/passkey', answer)).status, 401)
  const fresh = new Browser(service)
  assert.equal((await fresh.post('/sign_in/passkey', await shown(fresh, device))).body.data.user.id, id)
  assert.equal((await fresh.get('/me')).body.data.session.id > 0, true)
  const [listed] = (await fresh.get('/me/passkeys')).body.data
  assert.equal(listed.name, 'Phone')
  assert.ok(listed.last_used_at)
  // Nor does what made it make it again.
  assert.equal((await browser.post('/me/passkeys', sent)).status, 401)
})

test('after the password, only a passkey of the same user works as the second factor', async () => {
  const [own, other] = [await withPasskey('second@example.com'), await withPasskey('another@example.com')]
  const at = new Browser(service)
  const first = (await at.post('/sign_in', { email: own.email, password: PASSWORD })).body.data
  assert.equal(first.status, 'second_factor')
  assert.deepEqual(first.ways, ['passkey', 'recovery_code'])
  assert.equal((await at.post('/sign_in/passkey', await shown(at, other.device, first.ticket))).status, 401)
  // As the second step it need not ask for a finger or a number; alone it must.
  own.device.isVerifying = false
  assert.equal((await at.post('/sign_in/passkey', await shown(at, own.device))).status, 401)
  const done = await at.post('/sign_in/passkey', await shown(at, own.device, first.ticket))
  assert.equal(done.body.data?.status, 'signed_in', done.text)
  assert.equal((await at.get('/me')).body.data.user.id, own.id)
})

test('a passkey response with a wrong origin, key or counter, or from an unknown device, is rejected', async () => {
  const { device, id } = await withPasskey('strict@example.com')
  const at = new Browser(service)
  const refused = async (change: Partial<Pick<Device, 'origin' | 'host' | 'counter'>>) => {
    const { origin, host, counter } = device
    Object.assign(device, change)
    const answer = await at.post('/sign_in/passkey', await shown(at, device))
    Object.assign(device, { origin, host, counter })
    assert.equal(answer.body.code, 'passkey_refused', answer.text)
  }
  await refused({ origin: 'https://hr.example.com.evil.example' })
  await refused({ host: 'evil.example' })
  assert.equal((await at.post('/sign_in/passkey', await shown(at, device))).status, 200)
  await refused({ counter: 0 })
  // A copy of it is told of at once.
  let told: any
  for (let tries = 0; tries < 500 && !told; tries++)
    told = (await service.get('/failed_sign_ins')).body.data.find((one: any) => one.user_id === id)
  assert.ok(told)
  assert.equal((await at.post('/sign_in/passkey', await shown(at, new Device()))).body.code, 'passkey_refused')
  const twisted = await shown(at, device)
  const bytes = Buffer.from(twisted.response.response.signature as string, 'base64url')
  bytes[20] = (bytes[20] as number) ^ 1
  twisted.response.response.signature = base64url(bytes)
  assert.equal((await at.post('/sign_in/passkey', twisted)).body.code, 'passkey_refused')
  for (const response of [{}, { id: 7 }, { id: 'x', response: null }, { id: base64url(device.id), response: {} }]) {
    const { ticket } = (await at.post('/sign_in/passkey_options')).body.data
    assert.equal((await at.post('/sign_in/passkey', { ticket, response })).status, 401, JSON.stringify(response))
  }
  const other = await withPasskey('stranger@example.com')
  const offer = (await other.browser.post('/me/passkeys/options')).body.data
  const broken = await other.browser.post('/me/passkeys', { ticket: offer.ticket, name: 'Odd', response: {} })
  assert.equal(broken.status, 422, broken.text)
})

test('a passkey confirms its owner until it is removed, and then no longer signs in', async () => {
  const { browser, device, passkey } = await withPasskey('gone@example.com')
  assert.equal((await browser.post('/me/confirmation', await shown(browser, device))).status, 204)
  const stranger = await withPasskey('not-mine@example.com')
  assert.equal((await browser.post('/me/confirmation', await shown(browser, stranger.device))).status, 401)
  assert.equal((await stranger.browser.delete(`/me/passkeys/${passkey.id}`)).status, 404)
  assert.equal((await browser.put(`/me/passkeys/${passkey.id}`, { name: 'Old phone' })).body.data.name, 'Old phone')
  assert.equal((await browser.delete(`/me/passkeys/${passkey.id}`)).status, 204)
  const at = new Browser(service)
  assert.equal((await at.post('/sign_in/passkey', await shown(at, device))).body.code, 'passkey_refused')
})

test('the first passkey comes with recovery codes that replace a lost device; the next one brings none', async () => {
  const { browser, email, codes } = await withPasskey('lost@example.com')
  assert.equal(codes.length, 10)
  const at = new Browser(service)
  const { ticket } = (await at.post('/sign_in', { email, password: PASSWORD })).body.data
  assert.equal((await at.post('/sign_in/code', { ticket, code: codes[0] })).body.data.status, 'signed_in')
  const offer = (await browser.post('/me/passkeys/options')).body.data
  const sent = { ticket: offer.ticket, name: 'Other', response: new Device().create(offer.options) }
  assert.deepEqual((await browser.post('/me/passkeys', sent)).body.data.recovery_codes, [])
})
