import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import Type, { type Static, type TObject } from 'typebox'
import { sqliteFileOf } from './database/connect.ts'
import { postgresHosts } from './database/postgres-address.ts'
import type { Pooler } from './database/postgres-driver.ts'
import { nearest } from './engine/nearest.ts'
import { check } from './engine/validate.ts'

const SCHEMA = Type.Object({
  HOST: Type.String({ minLength: 1, default: '127.0.0.1' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 3000 }),
  DATABASE_URL: Type.String({ minLength: 1, default: 'sqlite:./data/cadre.db' }),
  DATABASE_CONNECTIONS: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
  DATABASE_POOLER: Type.Unsafe<Pooler>({ type: 'string', enum: ['none', 'transaction'], default: 'none' }),
  DATABASE_REPLICAS: Type.Optional(Type.String({ maxLength: 8192 })),
  WORKERS: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
  DATABASE_WAIT: Type.Integer({ minimum: 0, maximum: 86_400, default: 60 }),
  CADRE_API_KEY: Type.Optional(Type.String({ minLength: 32, maxLength: 512 })),
  CACHE_MB: Type.Integer({ minimum: 0, maximum: 65_536, default: 64 }),
  PUBLIC_URL: Type.Optional(Type.String({ format: 'uri', maxLength: 2048 })),
  CADRE_FILES: Type.String({ minLength: 1, default: './data/files' }),
  FAILED_KEYS_PER_MINUTE: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 30 }),
  PUBLIC_REQUESTS_PER_MINUTE: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 60 }),
  PUBLIC_UPLOADS_PER_HOUR: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 20 }),
  CORS_ORIGINS: Type.Optional(Type.String({ maxLength: 8192 })),
  TRUST_PROXY: Type.String({ minLength: 1, maxLength: 2048, default: 'false' }),
  METRICS_HOST: Type.String({ minLength: 1, default: '127.0.0.1' }),
  METRICS_PORT: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  LOG_LEVEL: Type.Unsafe<'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'>({
    type: 'string',
    enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
  }),
})

export type Config = Static<typeof SCHEMA>

/** The environment as the service understands it. An empty variable counts as unset; a wrong one stops the start. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.entries(SCHEMA.properties).map(([name, schema]) => [
    name,
    environment[name] || (schema as { default?: unknown }).default,
  ])
  const { values, problems } = check(SCHEMA as unknown as TObject, Object.fromEntries(given))
  if (problems.length > 0) throw new Error(`Configuration: ${problems.map((problem) => problem.message).join('; ')}`)
  trustOf(values.TRUST_PROXY)
  originsOf(values.CORS_ORIGINS)
  replicasOf(values as Config)
  if (values.CADRE_API_KEY && !/^[!-~]([ -~]*[!-~])?$/.test(values.CADRE_API_KEY))
    throw new Error(
      'Configuration: CADRE_API_KEY must consist of printable ASCII characters, because it is sent in a header',
    )
  if (values.PUBLIC_URL) values.PUBLIC_URL = baseOf(values.PUBLIC_URL)
  return values as Config
}

/** Variables that begin like ours and are none, with what was probably meant. */
export function unknownSettings(environment: Record<string, string | undefined>): string[] {
  const known = [...Object.keys(SCHEMA.properties), WORKER]
  const unknown = Object.keys(environment).filter((name) => name.startsWith('CADRE_') && !known.includes(name))
  return unknown.map((name) => {
    const bare = name.replace('CADRE_', '')
    const meant = known.includes(bare) ? bare : (nearest(name, known) ?? nearest(bare, known))
    return `${name} is not a known setting and has no effect${meant ? `. Did you mean ${meant}?` : ''}`
  })
}

/** Set by a parent in the environment of its workers. */
export const WORKER = 'CADRE_WORKER'

/** With fewer, a worker could not leave some for keys and writes, and one for other accounts (database/read-limiter.ts). */
const ENOUGH = 4
const USUAL_CONNECTIONS = 10
/** So many workers at most unless more are asked for: with four connections each, they fit into the 100 that PostgreSQL gives unasked. */
const USUAL_WORKERS = 16

/**
 * How many processes answer requests. SQLite has one writer at a time, whoever it is, and is fastest alone. Whoever has said how
 * many connections there may be has no more workers by that than can share them.
 */
export function workersOf(config: Config, cores = availableParallelism()): number {
  const { WORKERS, DATABASE_URL, DATABASE_CONNECTIONS } = config
  if (WORKERS !== undefined) return WORKERS
  if (sqliteFileOf(DATABASE_URL) !== undefined) return 1
  const most = DATABASE_CONNECTIONS === undefined ? USUAL_WORKERS : Math.floor(DATABASE_CONNECTIONS / ENOUGH)
  return Math.max(1, Math.min(cores, most))
}

/** How the database is reached. */
export const connectingTo = (config: Config) => ({
  connections: config.DATABASE_CONNECTIONS ?? USUAL_CONNECTIONS,
  pooler: config.DATABASE_POOLER,
  replicas: replicasOf(config),
})

/** Addresses of servers that follow the database: each may name several hosts with commas between. */
function replicasOf({ DATABASE_URL, DATABASE_REPLICAS }: Config): string[] {
  const all = (DATABASE_REPLICAS ?? '')
    .replace(/[\s,]+$/, '')
    .split(/\s*,\s*(?=\w+:\/\/)/)
    .filter((one) => one !== '')
  if (all.length > 0 && sqliteFileOf(DATABASE_URL) !== undefined)
    throw new Error('Configuration: DATABASE_REPLICAS needs PostgreSQL, but DATABASE_URL is SQLite')
  // A comma in the name of a database is one that was meant to part two addresses.
  for (const one of all)
    if (
      !/^postgres(ql)?:\/\//.test(one) ||
      /^[^/]*\/\/[^/]*\/[^?]*,/.test(one) ||
      !postgresHosts(one, 'DATABASE_REPLICAS')
    )
      throw new Error(
        'Configuration: DATABASE_REPLICAS must be URLs like postgres://user:password@host:5432/name, separated by commas',
      )
  return all
}

/**
 * What one of so many workers gets of what is there for the service as a whole. Where somebody has asked for many workers and few
 * connections, each has two at least: one that reads, and one for all else.
 */
export const shareOf = ({ DATABASE_CONNECTIONS, CACHE_MB }: Config, workers: number) => ({
  DATABASE_CONNECTIONS:
    DATABASE_CONNECTIONS === undefined
      ? Math.max(ENOUGH, Math.floor(USUAL_CONNECTIONS / workers))
      : Math.max(2, Math.floor(DATABASE_CONNECTIONS / workers)),
  CACHE_MB: Math.ceil(CACHE_MB / workers),
})

/** What an operator should know who has asked for more workers than can share the connections; undefined if they can. */
export function scarcityOf(config: Config, workers = workersOf(config)): string | undefined {
  const each = workers === 1 ? connectionsOf(config, 1) : shareOf(config, workers).DATABASE_CONNECTIONS
  if (each >= ENOUGH) return undefined
  const whose =
    workers === 1
      ? `There are only ${each} database connections`
      : `Each of the ${workers} workers has only ${each} database connections`
  const instead = workers === 1 ? 'or higher' : 'or lower WORKERS'
  return `${whose}, so slow reads of one account can block other accounts. Set DATABASE_CONNECTIONS to ${workers * ENOUGH}, ${instead}`
}

/** How many connections to the database there can be: those of all workers, and of their parent. */
export const connectionsOf = (config: Config, workers = workersOf(config)): number =>
  workers === 1
    ? connectingTo(config).connections
    : workers * shareOf(config, workers).DATABASE_CONNECTIONS + PARENTS_CONNECTIONS

/** A parent looks after accounts and what else is done once; little of it at a time. */
export const PARENTS_CONNECTIONS = 2

/** Addresses go on behind it: it ends without a slash, and holds nothing that would have to come last. */
function baseOf(text: string): string {
  if (/[?#]/.test(text))
    throw new Error('Configuration: PUBLIC_URL must be a URL like https://hr.example.com, without ? and #')
  return text.replace(/\/+$/, '')
}

/** The path below which people and programs reach the service: empty, or like `/hr`. */
export const basePathOf = (publicUrl: string | undefined): string =>
  publicUrl ? new URL(publicUrl).pathname.replace(/\/+$/, '') : ''

/**
 * Whose word is taken for where a request came from: nobody's, that of the nearest so many proxies, or that of proxies
 * in these networks. Never simply anybody's: then everybody could say where they are.
 */
export function trustOf(text: string): false | number | string[] {
  if (text === 'false') return false
  if (text === 'true') return 1
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  const networks = text.split(',').map((one) => one.trim())
  const isNetwork = (one: string) => {
    const [address = '', bits] = one.split('/')
    const version = isIP(address)
    return version > 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  }
  if (networks.every((one) => isNetwork(one) || ['loopback', 'linklocal', 'uniquelocal'].includes(one))) return networks
  throw new Error('Configuration: TRUST_PROXY must be false, a number of proxies, or networks like 10.0.0.0/8')
}

/** The origins whose pages may call the service from a browser: none, these, or all. */
export function originsOf(text = ''): '*' | string[] {
  if (text.trim() === '*') return '*'
  const origins = text.split(/[\s,]+/).filter(Boolean)
  const isOrigin = (one: string) => /^https?:/.test(one) && URL.canParse(one) && new URL(one).origin === one
  if (origins.every(isOrigin)) return origins
  throw new Error('Configuration: CORS_ORIGINS must be * or origins like https://hr.example.com, separated by commas')
}

/** How traces are sent: by the variables that OpenTelemetry has for everybody. Where, as whom and how long its packages read. */
export type Tracing = {
  readonly sampler: (typeof SAMPLERS)[number]
  readonly ratio: number
  readonly batch: {
    readonly scheduledDelayMillis: number
    readonly exportTimeoutMillis: number
    readonly maxQueueSize: number
    readonly maxExportBatchSize: number
  }
}

const SAMPLERS = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
]

/** Undefined unless somebody has said where traces go, or that they go. */
export function tracingOf(environment: Record<string, string | undefined>): Tracing | undefined {
  const { OTEL_TRACES_EXPORTER, OTEL_TRACES_SAMPLER_ARG } = environment
  const isAsked =
    OTEL_TRACES_EXPORTER || environment.OTEL_EXPORTER_OTLP_ENDPOINT || environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  if (!isAsked || OTEL_TRACES_EXPORTER === 'none' || environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true')
    return undefined
  const one = <T extends string>(names: readonly string[], allowed: readonly T[], usual: T): T => {
    const name = names.find((each) => environment[each]) as string
    const found = allowed.find((each) => each === (environment[name] || usual))
    if (!found) throw new Error(`Configuration: ${name} must be ${allowed.join(' or ')}`)
    return found
  }
  const whole = (name: string, usual: number) => {
    const text = environment[name] || String(usual)
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`Configuration: ${name} must be a whole number`)
    return Number(text)
  }
  for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'])
    if (environment[name] && !/^https?:$/.test(URL.parse(environment[name])?.protocol ?? ''))
      throw new Error(`Configuration: ${name} must be a URL like http://collector:4318`)
  one(['OTEL_TRACES_EXPORTER'], ['otlp', 'none'], 'otlp')
  const sampler = one(['OTEL_TRACES_SAMPLER'], SAMPLERS, 'parentbased_always_on')
  const ratio = sampler.endsWith('traceidratio') ? Number(OTEL_TRACES_SAMPLER_ARG || 1) : 1
  if (!(ratio >= 0 && ratio <= 1)) throw new Error('Configuration: OTEL_TRACES_SAMPLER_ARG must be between 0 and 1')
  const protocol = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'].find(
    (name) => environment[name],
  )
  if (protocol && environment[protocol] !== 'http/protobuf')
    throw new Error(`Configuration: ${protocol} must be http/protobuf or unset: Cadre sends traces in no other format`)
  return {
    sampler,
    ratio,
    batch: {
      scheduledDelayMillis: whole('OTEL_BSP_SCHEDULE_DELAY', 5000),
      exportTimeoutMillis: whole('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
      maxQueueSize: whole('OTEL_BSP_MAX_QUEUE_SIZE', 2048),
      maxExportBatchSize: whole('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512),
    },
  }
}
