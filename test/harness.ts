import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { buildApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import { connect } from '../src/database/connect.ts'
import type { Database } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import { createAccount, createKey, type NewKey } from '../src/domain/access/accounts.ts'
import { createDefaultRecords } from '../src/domain/organisation/default-records.ts'
import type { Account } from '../src/records/caller.ts'
import { openService } from '../src/service.ts'
import type { ResponseTimeouts } from '../src/surfaces/http/deadline.ts'
import { watchStatements } from './gate/statements.ts'
import { exchangeBytes } from './http-client.ts'

export type Engine = 'sqlite' | 'postgres'
export const ENGINE = (process.env.TEST_ENGINE ?? 'sqlite') as Engine

export type Answer = { status: number; headers: Headers; body: any; text: string }

/** An answer without the id of its request, which each has of its own. */
export const withoutRequestId = (text: string) => text.replace(/"request_id":"[^"]*"/g, '"request_id":""')

export type Sending = {
  key?: string | null
  json?: unknown
  form?: Record<string, unknown>
  multipart?: FormData
  headers?: Record<string, string>
}

type StatementListener = NonNullable<Database['onStatement']>

/** A running service on a database of its own, spoken to over HTTP. */
export type Service = {
  app: FastifyInstance
  database: Database
  databaseUrl: string
  url: string
  account: Account
  /** A key of the first account that may do everything. */
  key: string
  /** Sends a request to a path below the interface's prefix, or to a whole address. */
  send: (method: string, path: string, sending?: Sending) => Promise<Answer>
  get: (path: string, sending?: Sending) => Promise<Answer>
  post: (path: string, json?: unknown, sending?: Sending) => Promise<Answer>
  put: (path: string, json?: unknown, sending?: Sending) => Promise<Answer>
  delete: (path: string, sending?: Sending) => Promise<Answer>
  /** Creates a record, which must succeed, and returns it. */
  make: (path: string, values?: Record<string, unknown>) => Promise<any>
  /** A new employee. */
  hire: (values?: Record<string, unknown>) => Promise<any>
  /** Another key of the first account. */
  keyWith: (rights: Omit<NewKey, 'name'>) => Promise<string>
  /** A second account, and a key of it that may do everything. */
  otherAccount: () => Promise<{ account: Account; key: string }>
  /**
   * Told of the statements of requests that begin from now on, until they are answered: not of what the service does by
   * itself meanwhile.
   */
  onStatement: Database['onStatement']
  stop: () => Promise<void>
}

export async function startService(
  options: {
    config?: Partial<Config>
    clock?: () => Date
    engine?: Engine
    timeZone?: string
    /** Does something to the database before there is anything in its tables. */
    prepare?: (databaseUrl: string) => Promise<void>
    patience?: ResponseTimeouts
    /** Does something to the service before it listens. */
    onApp?: (app: FastifyInstance) => void
  } = {},
): Promise<Service> {
  const { url: databaseUrl, remove } = await freshDatabase(options.engine)
  const connections = options.config?.DATABASE_CONNECTIONS
  const database = connect(databaseUrl, connections === undefined ? {} : { connections })
  await migrate(database)
  watchStatements(database)
  await options.prepare?.(databaseUrl)
  const { ledger } = openService({ database, filesAt: '' })
  const account = await createAccount(
    ledger,
    { name: 'Test company', time_zone: options.timeZone },
    createDefaultRecords,
  )
  const key = await createKey(ledger, account, { name: 'All' })
  const config = {
    ...readConfig({}),
    LOG_LEVEL: 'silent' as const,
    FAILED_KEYS_PER_MINUTE: 1_000_000,
    PUBLIC_REQUESTS_PER_MINUTE: 1_000_000,
    PUBLIC_UPLOADS_PER_HOUR: 1_000_000,
    ...options.config,
  }
  const { clock, patience } = options
  const app = await buildApp({ config, database, ...(clock ? { clock } : {}), ...(patience ? { patience } : {}) })
  options.onApp?.(app)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })

  const listening = listenTo(app)
  const send = sender(url, key)
  const make = async (path: string, json: Record<string, unknown> = {}) => {
    const answer = await send('POST', path, { json })
    // Of all that is made, only a candidate's note is answered with 200.
    assert.equal(answer.status, /\/candidates\/\d+\/notes$/.test(path) ? 200 : 201, answer.text)
    return answer.body.data
  }
  let hired = 0
  return {
    app,
    database,
    databaseUrl,
    url,
    account,
    key,
    send,
    get: (path, sending) => send('GET', path, sending),
    post: (path, json = {}, sending) => send('POST', path, { json, ...sending }),
    put: (path, json = {}, sending) => send('PUT', path, { json, ...sending }),
    delete: (path, sending) => send('DELETE', path, sending),
    make,
    hire: (values) => make('/employees', { first_name: 'Person', last_name: `N${++hired}`, ...values }),
    keyWith: (rights) => createKey(ledger, account, { name: 'Some', ...rights }),
    async otherAccount() {
      const other = await createAccount(ledger, { name: 'Another company' }, createDefaultRecords)
      return { account: other, key: await createKey(ledger, other, { name: 'All' }) }
    },
    get onStatement() {
      return database.onStatement
    },
    set onStatement(told) {
      database.onStatement = told && listening(told)
    },
    async stop() {
      await app.close()
      await remove()
    },
  }
}

/** What makes a listener deaf to all but the statements of requests that begin after it. */
function listenTo(app: FastifyInstance): (told: StatementListener) => StatementListener {
  const answering = new AsyncLocalStorage<{ begun: number; response: ServerResponse }>()
  let requests = 0
  const emit = app.server.emit.bind(app.server) as (event: string, ...given: unknown[]) => boolean
  app.server.emit = (event: string, ...given: unknown[]) =>
    event === 'request'
      ? answering.run({ begun: ++requests, response: given[1] as ServerResponse }, () => emit(event, ...given))
      : emit(event, ...given)
  return (told) => {
    const before = requests
    return (statement, parameters) => {
      const request = answering.getStore()
      if (request && request.begun > before && !request.response.writableEnded) told(statement, parameters)
    }
  }
}

/** Sends requests to a service wherever it runs. */
export function sender(url: string, key: string) {
  return async (method: string, path: string, sending: Sending = {}): Promise<Answer> => {
    const { json, form, multipart } = sending
    const headers: Record<string, string> = { ...sending.headers }
    const sentKey = sending.key === undefined ? key : sending.key
    if (sentKey !== null) headers['x-api-key'] ??= sentKey
    if (json !== undefined) headers['content-type'] ??= 'application/json'
    const body =
      json !== undefined
        ? typeof json === 'string'
          ? json
          : JSON.stringify(json)
        : form
          ? new URLSearchParams(spell(form))
          : multipart
    const address = path.startsWith('/api/') || path.startsWith('http') ? path : `/api/public/v3${path}`
    const answer = await exchange(new URL(address, url), method, headers, body)
    const isJson = Boolean(answer.text) && answer.headers.get('content-type')?.includes('json')
    let read: { value: unknown } | undefined
    return {
      ...answer,
      // Read when it is looked at: of most refusals, and of many long lists, nobody does.
      get body() {
        read ??= { value: isJson ? JSON.parse(answer.text) : undefined }
        return read.value
      },
    }
  }
}

const UNPACK: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

/** One request and its answer, as `fetch` would do it. */
async function exchange(
  address: URL,
  method: string,
  headers: Record<string, string>,
  body?: string | URLSearchParams | FormData,
): Promise<Omit<Answer, 'body'>> {
  const { bytes, type } = await encode(body)
  const sent: Record<string, string> = { accept: '*/*', ...headers }
  if (type) sent['content-type'] ??= type
  if (bytes || !['GET', 'HEAD'].includes(method)) sent['content-length'] = String(bytes?.length ?? 0)
  const answer = await exchangeBytes(address, method, sent, bytes)
  const unpack = UNPACK[answer.headers.get('content-encoding') ?? '']
  const text = (unpack && answer.bytes.length > 0 ? unpack(answer.bytes) : answer.bytes).toString()
  return { status: answer.status, headers: answer.headers, text }
}

async function encode(body?: string | URLSearchParams | FormData): Promise<{ bytes?: Buffer; type?: string | null }> {
  if (body === undefined) return {}
  if (typeof body === 'string') return { bytes: Buffer.from(body), type: 'text/plain;charset=UTF-8' }
  const encoded = new Response(body)
  return { bytes: Buffer.from(await encoded.arrayBuffer()), type: encoded.headers.get('content-type') }
}

/** `{a: [1, 2], b: {c: 3}}` as form pairs: `a[]=1&a[]=2&b[c]=3`. */
export function spell(values: Record<string, unknown>): [string, string][] {
  const walk = (name: string, value: unknown): [string, string][] => {
    if (Array.isArray(value)) return value.flatMap((item) => walk(`${name}[]`, item))
    if (value !== null && typeof value === 'object')
      return Object.entries(value).flatMap(([part, inner]) => walk(`${name}[${part}]`, inner))
    return [[name, value === null ? '' : String(value)]]
  }
  return Object.entries(values).flatMap(([name, value]) => walk(name, value))
}

/** A database without a schema: migrating it takes half a second, so only tests of that begin with one. */
export const emptyDatabase = (engine: Engine = ENGINE) => freshDatabase(engine, null)

/** A database of the engine under test with the schema and nothing in its tables. */
export async function freshDatabase(
  engine: Engine = ENGINE,
  /** A database to begin as a copy of: a file, or the name of one on the server. */
  template: string | null = (engine === ENGINE && process.env.TEST_TEMPLATE) || null,
): Promise<{ url: string; remove: () => Promise<void> }> {
  if (engine === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'cadre-test-'))
    if (template) copyFileSync(template, join(folder, 'cadre.db'))
    return {
      url: `sqlite:${join(folder, 'cadre.db')}`,
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    }
  }
  const server = process.env.TEST_POSTGRES_URL
  if (!server) throw new Error('TEST_POSTGRES_URL must be the address of a PostgreSQL server')
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  // Copied as files: through the log, each page would be written twice, at ten times the cost.
  await administer(server, `create database ${name}${template ? ` template ${template} strategy file_copy` : ''}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, remove: () => administer(server, `drop database ${name} with (force)`) }
}

/** A database that has its schema already, for services to begin with a copy of: migrating each anew costs minutes. */
export async function makeTemplate(engine: Engine): Promise<string> {
  const { url } = await emptyDatabase(engine)
  const database = connect(url)
  await migrate(database)
  await database.close()
  return engine === 'sqlite' ? url.replace('sqlite:', '') : new URL(url).pathname.slice(1)
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}
