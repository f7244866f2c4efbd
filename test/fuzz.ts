import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { connect } from '../src/database/connect.ts'
import { createKey } from '../src/domain/access/accounts.ts'
import { findKey } from '../src/domain/access/keys.ts'
import { FORMATS } from '../src/engine/format.ts'
import type { Operation } from '../src/engine/operation.ts'
import { operations, resources } from '../src/operations.ts'
import type { Account } from '../src/records/caller.ts'
import { openService } from '../src/service.ts'
import { type Chances, chances } from './chance.ts'
import { type Engine, freshDatabase, type Service, sender, spell } from './harness.ts'
import { postgresServer } from './postgres-server.ts'
import { startProcess } from './process.ts'
import { PICTURE, Samples, strictly, type Target } from './samples.ts'

/**
 * `npm run fuzz -- --requests 100000 --seed 1 --engine sqlite`: requests that are right, nearly right and hostile, driven
 * by the list of operations. It tells each distinct failure of ours with its request, answers that do not fit their
 * schema, and answers that took more than five seconds, on however busy a machine. `--most-memory 400` fails if the service, a process of its own, has
 * more MiB resident after any thousand requests.
 */

type FuzzTarget = Target & Pick<Service, 'url' | 'keyWith'>

export type Finding = { what: string; request: string; answer: string }

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '💥'.repeat(50),
  '‮abc',
  '\r\n',
  'null',
  'undefined',
  'NaN',
  '__proto__',
  'constructor',
  "'; drop table employees; --",
  '%00',
  '%ff',
  '../../etc/passwd',
  '<script>x()</script>',
  '0',
  '-0',
  '-1',
  '1e300',
  '1e-300',
  '9'.repeat(20),
  '0x10',
  '1.00000',
  '99999999999.9999',
  '-99999999999.9999',
  '2024-02-30',
  '0000-01-01',
  '1900-01-01',
  '2200-12-31',
  '9999-12-31',
  '2026-02-30T10:00:00Z',
  '2026-03-29T02:30:00+02:00',
  '1900-01-01T00:00:00+14:00',
  '1683557122',
  'data:;base64,',
  'data:image/png;base64,****',
  'x'.repeat(300),
  'x'.repeat(70_000),
  ',1,2,',
  '1,2',
  '[]',
  '{}',
]
const HOSTILE_VALUES: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  -1e300,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 2,
  [],
  {},
  [null],
  [[]],
  [{}],
  { a: 1 },
  { __proto__: null, toString: 1 },
  { id: 1 },
  [1, 'two', null, {}],
  Array.from({ length: 600 }, (_, n) => n),
]
const HOSTILE_IDS = [
  '0',
  '-1',
  '1.5',
  'seven',
  '9'.repeat(20),
  '%00',
  '%ff',
  '%2e%2e',
  'null',
  '1e3',
  ' 1',
  '+1',
  'a'.repeat(300),
]
const HOSTILE_QUERIES = [
  '[]=1',
  '[a]=1',
  '[a][b][c]=1',
  '[gte]=',
  '[gte]=x',
  '[gte][]=1',
  '=',
  '=1&%s=2',
  '[0]=1',
  '[][a]=1',
]

class Fuzzer {
  readonly #service: FuzzTarget
  readonly #chances: Chances
  /** Ids that exist, by table. */
  readonly #pool = new Map<string, number[]>()
  readonly #validators = new Map<string, ValidateFunction>()
  readonly #keys: string[]
  #key: string
  readonly findings = new Map<string, Finding>()
  /** How many answers there were of each status. */
  readonly statuses = new Map<number, number>()

  constructor(service: FuzzTarget, seed: number, keys: string[]) {
    this.#service = service
    this.#chances = chances(seed)
    this.#keys = keys
    this.#key = service.key
  }

  /** Makes some records of every kind that can be made. They stand in for earlier ones, most of which are deleted by then. */
  async prepare(): Promise<void> {
    const samples = new Samples(this.#service, this.#key)
    for (const { table, path } of resources) {
      if (!operations.some((one) => one.method === 'POST' && one.path === path)) continue
      const made: number[] = []
      for (let n = 0; n < 3; n++) {
        const one = await samples.make(table).catch(() => undefined)
        if (one) made.push(one.id)
      }
      if (made.length > 0) this.#pool.set(table, made)
    }
  }

  async one(): Promise<void> {
    const { of, is } = this.#chances
    const operation = of(operations)
    const path = this.#path(operation) + this.#query(operation)
    const { headers, body } = this.#body(operation)
    if (is(0.05)) headers['if-match'] = of(['*', '"x"', 'W/"x"', '', ','])
    if (is(0.1)) headers['idempotency-key'] = of(['a', 'b', 'c', 'x'.repeat(256), '~'])
    if (is(0.1)) headers.prefer = of(['handling=strict', 'handling=lenient', ';;;', 'return=minimal', 'dry-run'])
    if (is(0.05)) headers['x-request-id'] = of(['a b', 'é', 'x'.repeat(200), '1'])
    if (is(0.05)) headers['x-correlation-id'] = of(['a b', 'é', 'x'.repeat(200), '1'])
    if (is(0.05)) headers['if-none-match'] = of(['*', '"x"', ''])
    if (operation.permission !== null && !is(0.02)) headers['x-api-key'] = is(0.9) ? this.#key : of(this.#keys)
    const shown = `${operation.method} ${path} ${JSON.stringify(headers)} ${body?.toString().slice(0, 2000) ?? ''}`
    const begun = performance.now()
    const answer = await this.#send(operation.method, path, headers, body)
    // It may have revoked the key that it uses.
    if (answer.status === 401 && headers['x-api-key'] === this.#key) this.#key = await this.#service.keyWith({})
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1)
    const note = (what: string) => {
      const key = `${what} ${operation.id}`
      if (!this.findings.has(key))
        this.findings.set(key, { what: key, request: shown, answer: answer.text.slice(0, 500) })
    }
    // Identity providers that chance makes up do not answer: that is theirs.
    const isTheirs = answer.status === 502 && answer.text.includes('"provider_unreachable"')
    if ((answer.status >= 500 && !isTheirs) || answer.status === 0) note(`status ${answer.status}`)
    else if (answer.status < 300 && operation.answer && answer.text && !this.#fits(operation, answer.text))
      note('schema')
    if (performance.now() - begun > SLOW) note(`more than ${SLOW / 1000} seconds`)
  }

  #fits(operation: Operation, text: string): boolean {
    let validate = this.#validators.get(operation.id)
    if (!validate) {
      validate = ajv.compile(strictly(operation.answer))
      this.#validators.set(operation.id, validate)
    }
    // A dry run says besides what would change, and what of that is cut.
    const { changes: _, omitted: __, effects: ___, ...answer } = JSON.parse(text)
    return validate(answer)
  }

  #id(table: string | undefined): string {
    const { of, is, below } = this.#chances
    const known = this.#pool.get(table ?? '') ?? []
    if (is(0.12)) return of(HOSTILE_IDS)
    return String(known.length > 0 && is(0.9) ? of(known) : 1 + below(20))
  }

  #path(operation: Operation): string {
    const params = operation.params.properties as Record<string, { 'x-reference'?: string }>
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => this.#id(params[name]?.['x-reference']))
    return `${this.#chances.is(0.1) ? '/api/v3' : '/api/public/v3'}${path}`
  }

  #query(operation: Operation): string {
    const { of, is } = this.#chances
    const parts: string[] = []
    for (const [name, schema] of Object.entries(operation.query.properties as Record<string, any>)) {
      if (!is(0.25)) continue
      if (is(0.25)) parts.push(`${name}${of(HOSTILE_QUERIES).replace('%s', name)}`)
      else
        for (const [spelled, value] of spell({ [name]: this.#value(schema) }).slice(0, 20))
          parts.push(`${encodeURIComponent(spelled)}=${encodeURIComponent(value.toWellFormed())}`)
    }
    if (is(0.05)) parts.push(of(['nonsense=1', '%00=1', '=1', '&&', '__proto__[a]=1', '%ed%a0%80=1', 'a=%00']))
    return parts.length > 0 ? `?${parts.join('&')}` : ''
  }

  /** A value that fits the schema, or nearly does, or does not at all. */
  #value(schema: any, depth = 0): unknown {
    const { of, is, below } = this.#chances
    if (is(0.12)) return of(HOSTILE_VALUES)
    if (is(0.12)) return of(HOSTILE_TEXTS)
    const types = [schema.type].flat()
    if (types.includes('null') && is(0.1)) return null
    if (schema['x-file']) return is(0.5) ? PICTURE : of(HOSTILE_TEXTS)
    if (schema['x-reference'])
      return is(0.5) ? Number(this.#id(schema['x-reference'])) : this.#id(schema['x-reference'])
    if (schema.examples && is(0.3)) return of(schema.examples)
    if (schema.enum) return of(schema.enum)
    if (types.includes('array'))
      return Array.from({ length: below(4) }, () => (depth > 3 ? 1 : this.#value(schema.items ?? {}, depth + 1)))
    if (types.includes('object'))
      return Object.fromEntries(
        Object.entries(schema.properties ?? { shirt: {}, x: {} }).map(([name, inner]) => [
          name,
          this.#value(inner, depth + 1),
        ]),
      )
    if (types.includes('integer')) return is(0.8) ? 1 + below(30) : of([schema.minimum, schema.maximum, 2_147_483_648])
    if (types.includes('boolean')) return is(0.5)
    switch (schema.format) {
      case 'date':
        return `20${10 + below(30)}-${String(1 + below(12)).padStart(2, '0')}-${String(1 + below(31)).padStart(2, '0')}`
      case 'date-time':
        return is(0.5) ? 1_600_000_000 + below(400_000_000) : `20${10 + below(30)}-06-15T${10 + below(14)}:30:00Z`
      case 'decimal':
        return is(0.5) ? below(100_000) / 100 : String(below(1000))
      case 'email':
        return `p${below(50)}@example.com`
      case 'currency':
        return of(['EUR', 'USD', 'QQQ', 'eur'])
      case 'time-zone':
        return of(['Europe/Berlin', 'UTC', 'Asia/Kolkata', 'Nowhere/Land'])
      case 'country':
        return of(['DE', 'TR', 'ZZ', 'de'])
      case 'region':
        return of(['DE-BY', 'DE-BE', 'AT-9', 'ZZ-1', 'de-by'])
      default:
        return `text ${below(1000)}`
    }
  }

  #body(operation: Operation): { headers: Record<string, string>; body: Buffer | undefined } {
    const { of, is } = this.#chances
    if (operation.method === 'GET' && !is(0.02)) return { headers: {}, body: undefined }
    const values: Record<string, unknown> = {}
    for (const [name, schema] of Object.entries((operation.body?.properties ?? {}) as Record<string, any>))
      if (operation.body?.required?.includes(name) ? !is(0.08) : is(0.4)) values[name] = this.#value(schema)
    if (is(0.08)) values[of(HOSTILE_TEXTS).slice(0, 500)] = of([...HOSTILE_VALUES, ...HOSTILE_TEXTS])
    if (is(0.03)) values.fields = { [of(HOSTILE_TEXTS).slice(0, 100)]: of(HOSTILE_VALUES) }
    const kind = is(0.5) ? 'json' : is(0.5) ? 'form' : 'multipart'
    if (is(0.02))
      return {
        headers: {
          'content-type': of([
            'application/json',
            'text/csv',
            'multipart/form-data',
            'application/json; charset=x',
            '',
          ]),
        },
        body: Buffer.from(of(['{', '[1]', 'null', '"x"', '\0', '', '{"a":1}{"b":2}', '['.repeat(2000)])),
      }
    if (kind === 'json')
      return { headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(values)) }
    const pairs = spell(values).slice(0, 700)
    if (kind === 'form')
      return {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.from(new URLSearchParams(pairs.map(([name, value]) => [name, value.toWellFormed()])).toString()),
      }
    const parts = pairs.map(([name, value]) => {
      const quoted = name.replace(/["\r\n]/g, '_')
      return `--B\r\ncontent-disposition: form-data; name="${quoted}"\r\n\r\n${value}\r\n`
    })
    return {
      headers: { 'content-type': 'multipart/form-data; boundary=B' },
      body: Buffer.from(`${parts.join('')}--B--\r\n`),
    }
  }

  #send(method: string, path: string, headers: Record<string, string>, body: Buffer | undefined) {
    return new Promise<{ status: number; text: string }>((resolve) => {
      const { hostname, port } = new URL(this.#service.url)
      const length = body ? { 'content-length': String(body.length) } : {}
      const safe = Object.fromEntries(
        Object.entries({ ...headers, ...length }).map(([n, v]) => [n, Buffer.from(v).toString('latin1')]),
      )
      const out = request(
        {
          hostname,
          port,
          method,
          path: Buffer.from(path)
            .toString('latin1')
            .replace(/[^\x21-\x7e]/g, '%20'),
          headers: safe,
        },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk) => chunks.push(chunk))
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
        },
      )
      out.on('error', (error) => resolve({ status: 0, text: String(error) }))
      out.end(body)
    })
  }
}

// Most are used a few times: making the code faster costs more than it saves.
const ajv = new Ajv2020({ strict: false, code: { optimize: false } })
ajv.addFormat('uuid', true)
for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format.test)

const REQUESTS_PER_SAMPLES = 2000

/** Sends so many requests to a service and tells what was found. */
export async function fuzz(
  service: FuzzTarget,
  {
    requests,
    seed,
    onProgress,
  }: {
    requests: number
    seed: number
    onProgress?: (done: number, statuses: ReadonlyMap<number, number>) => void | Promise<void>
  },
): Promise<{ findings: Finding[]; statuses: Map<number, number> }> {
  const withheld = await service.keyWith({ permissions: ['*'], withheld: ['compensation', 'personal'] })
  const fuzzer = new Fuzzer(service, seed, [withheld, 'x'.repeat(40), ''])
  for (let n = 0; n < requests; n++) {
    // Otherwise nearly all later requests would name records that are gone, and do nothing but answer 404.
    if (n % REQUESTS_PER_SAMPLES === 0) await fuzzer.prepare()
    await fuzzer.one()
    if (n % 1000 === 999) await onProgress?.(n + 1, fuzzer.statuses)
  }
  return { findings: [...fuzzer.findings.values()], statuses: fuzzer.statuses }
}

const KEY = 'a-key-for-the-fuzzer-0123456789-abcdefgh'
const SLOW = 5_000
const ANY_NUMBER = '1000000'

/** A service as an operator starts it, and what it takes to send requests to it. */
async function startTarget(engine: Engine) {
  const { url: databaseUrl, remove } = await freshDatabase(engine)
  const files = await mkdtemp(join(tmpdir(), 'cadre-fuzz-'))
  const service = await startProcess({
    DATABASE_URL: databaseUrl,
    CADRE_FILES: files,
    CADRE_API_KEY: KEY,
    FAILED_KEYS_PER_MINUTE: ANY_NUMBER,
    PUBLIC_REQUESTS_PER_MINUTE: ANY_NUMBER,
    PUBLIC_UPLOADS_PER_HOUR: ANY_NUMBER,
  })
  const database = connect(databaseUrl)
  const { ledger } = openService({ database, filesAt: '' })
  const account = (await findKey(database, KEY, new Date()))?.account as Account
  const send = sender(service.url, KEY)
  const target: FuzzTarget = {
    url: service.url,
    key: KEY,
    database,
    send,
    get: (path, sending) => send('GET', path, sending),
    keyWith: (rights) => createKey(ledger, account, { name: 'Some', ...rights }),
  }
  return {
    target,
    residentMiB: () => residentMiB(service.child.pid as number),
    async stop() {
      await service.stop()
      await database.close()
      await remove()
      rmSync(files, { recursive: true, force: true })
    },
  }
}

/** Undefined where the system does not tell. */
function residentMiB(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kibibytes) / 1024)
}

async function main(): Promise<never> {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      engine: { type: 'string', default: 'sqlite' },
      'most-memory': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    console.log('Usage: npm run fuzz -- [--requests 100000] [--seed 1] [--engine sqlite|postgres] [--most-memory MiB]')
    process.exit(0)
  }
  process.env.TEST_ENGINE = values.engine
  // Not bundled as for other tests: that takes less memory than what operators run.
  process.env.TEST_SERVICE = join(import.meta.dirname, '..', 'src', 'main.ts')
  const server = values.engine === 'postgres' ? await postgresServer() : undefined
  if (server) process.env.TEST_POSTGRES_URL = server.url()
  const { target, residentMiB: resident, stop } = await startTarget(values.engine as Engine)
  const memory: number[] = []
  const { findings: found, statuses } = await fuzz(target, {
    requests: Number(values.requests),
    seed: Number(values.seed),
    onProgress: (done) => {
      const now = resident()
      if (now !== undefined) memory.push(now)
      process.stderr.write(`\r${done} requests, ${now ?? '?'} MiB`)
    },
  })
  process.stderr.write('\n')
  for (const { what, request: sent, answer } of found) console.log(`${what}\n  ${sent}\n  ${answer}\n`)
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
  console.log(counts.join(', '))
  console.log(`MiB resident after each thousand requests: ${memory.join(' ')}`)
  const most = Number(values['most-memory'] ?? Number.POSITIVE_INFINITY)
  const isTooMuch = memory.some((one) => one > most)
  if (isTooMuch) console.log(`FAILED: more than ${most} MiB resident`)
  console.log(
    `${values.requests} requests on ${values.engine} with seed ${values.seed}: ${found.length} findings, ${Math.max(0, ...memory)} MiB at most`,
  )
  await stop()
  await server?.remove()
  process.exit(found.length > 0 || isTooMuch ? 1 : 0)
}

// Not awaited: what is loaded by `require`, as test files are, cannot wait.
if (import.meta.main) void main()
