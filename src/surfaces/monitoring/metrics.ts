import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { Database, DatabaseObserver, ReplicaLoad } from '../../database/database.ts'
import type { Cache } from '../../records/cache.ts'
import { type Exchange, observeExchanges } from '../http/exchanges.ts'
import {
  Counter,
  counter,
  counters,
  type Family,
  gauge,
  gauges,
  Histogram,
  histograms,
  type Labels,
} from './registry.ts'

/** From what memory answers to what a caller gives up on. */
const OF_REQUESTS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const OF_STATEMENTS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const STATEMENTS = new Set([
  'select',
  'insert',
  'update',
  'delete',
  'begin',
  'commit',
  'rollback',
  'savepoint',
  'release',
])

/** What a process does, in figures: nothing of what was asked or answered, and nobody. Gives what they are when asked. */
export function measure(
  app: FastifyInstance,
  { database, cache, version }: { database: Database; cache: Cache; version: string },
): () => Family[] {
  const requests = new RequestMetrics()
  observeExchanges(app, { ended: (exchange) => requests.add(exchange) })
  const statements = new StatementMetrics()
  database.observers.add(statements)
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  app.addHook('onClose', async () => {
    delay.disable()
    database.observers.delete(statements)
  })
  const started = (Date.now() - performance.now()) / 1000
  const about = { version, engine: database.engine, node: process.version }

  return () => [
    gauges('cadre_info', 'Version, engine and runtime of the service.', [[about, 1]], 'max'),
    ...requests.families(),
    ...statements.families(),
    ...loadOf(database),
    ...cacheMetrics(cache),
    ...loopOf(delay),
    ...processSince(started),
  ]
}

/** What a map has under a name, made when it is first asked for. */
function within<K, V>(map: Map<K, V>, name: K, make: () => V): V {
  const known = map.get(name)
  if (known !== undefined) return known
  const made = make()
  map.set(name, made)
  return made
}

type RouteMetrics = { labels: Labels; durations: Histogram; byStatus: Map<number, Counter> }

class RequestMetrics {
  readonly #routes = new Map<string, Map<string, RouteMetrics>>()

  add({ request, route = 'none', status, milliseconds }: Exchange): void {
    const method = METHODS.has(request.method as string) ? (request.method as string) : 'other'
    const methods = within(this.#routes, route, () => new Map())
    const one = within(methods, method, () => ({
      labels: { route, method },
      durations: new Histogram(OF_REQUESTS),
      byStatus: new Map(),
    }))
    one.durations.add(milliseconds / 1000)
    within(one.byStatus, status, () => new Counter()).value++
  }

  families(): Family[] {
    const all = [...this.#routes.values()].flatMap((methods) => [...methods.values()])
    return [
      counters(
        'cadre_http_requests_total',
        'HTTP requests by route, method and status; 499 means that the client disconnected.',
        all.flatMap(({ labels, byStatus }) =>
          [...byStatus].map(([status, one]) => [{ ...labels, status }, one] as const),
        ),
      ),
      histograms(
        'cadre_http_request_duration_seconds',
        'HTTP request duration, from the request line to the last byte of the response.',
        all.map(({ labels, durations }) => [labels, durations]),
      ),
    ]
  }
}

class StatementMetrics implements DatabaseObserver {
  readonly #durations = new Map<string, Histogram>()
  readonly #waits = new Map<string, Histogram>()

  readonly ran = (statement: string, milliseconds: number): void => {
    const end = statement.indexOf(' ')
    const word = end < 0 ? statement : statement.slice(0, end)
    this.#add(this.#durations, STATEMENTS.has(word) ? word : 'other', milliseconds)
  }

  readonly waited = (work: string, milliseconds: number): void => this.#add(this.#waits, work, milliseconds)

  #add(to: Map<string, Histogram>, name: string, milliseconds: number): void {
    within(to, name, () => new Histogram(OF_STATEMENTS)).add(milliseconds / 1000)
  }

  families(): Family[] {
    const by = (label: string, all: Map<string, Histogram>) =>
      [...all].map(([name, one]) => [{ [label]: name }, one] as const)
    return [
      histograms(
        'cadre_statement_duration_seconds',
        'Duration of database statements, by their first keyword.',
        by('statement', this.#durations),
      ),
      histograms(
        'cadre_database_wait_seconds',
        'Time that reads and writes waited for a connection or for the write lock.',
        by('work', this.#waits),
      ),
    ]
  }
}

function loadOf(database: Database): Family[] {
  const { max, busy, idle, waiting, replicas = [] } = database.load()
  return [
    ...(replicas.length > 0 ? readsOf(replicas) : []),
    gauges('cadre_database_connections', 'Open database connections (SQLite: read connections).', [
      [{ state: 'busy' }, busy],
      [{ state: 'idle' }, idle],
    ]),
    gauge('cadre_database_connections_max', 'Maximum number of database connections.', max),
    gauges(
      'cadre_database_waiting',
      'Reads and writes that are waiting for a connection or for the write lock.',
      Object.entries(waiting).map(([what, count]) => [{ for: what }, count]),
    ),
  ]
}

/** By their places among those that were named: addresses are nobody's business. */
function readsOf(replicas: readonly ReplicaLoad[]): Family[] {
  const each = replicas.map((one, at) => ({ replica: String(at + 1), ...one }))
  return [
    counters(
      'cadre_replica_reads_total',
      'Reads that a replica was chosen for: served by it, or by the primary, with the reason.',
      each.flatMap(({ replica, reads }) =>
        Object.entries(reads).map(([result, value]) => [{ replica, result }, { value }] as const),
      ),
    ),
    gauges(
      'cadre_replica_connections',
      'Open connections to read replicas.',
      each.flatMap(({ replica, busy, idle }) => [
        [{ replica, state: 'busy' }, busy] as const,
        [{ replica, state: 'idle' }, idle] as const,
      ]),
    ),
  ]
}

function cacheMetrics({ counts, size }: Cache): Family[] {
  return [
    counters(
      'cadre_cache_lookups_total',
      'Cache lookups by what was looked up, with the result: hit or miss.',
      Object.entries(counts).flatMap(([use, { hits, misses }]) => [
        [{ use, result: 'hit' }, { value: hits }] as const,
        [{ use, result: 'miss' }, { value: misses }] as const,
      ]),
    ),
    gauge('cadre_cache_entries', 'Entries in the cache.', size.entries),
    gauge('cadre_cache_bytes', 'Size of the cache in bytes.', size.bytes),
  ]
}

/** As dashboards of Node expect them; busy seconds are a counter, whose rate is the utilisation. */
function loopOf(delay: ReturnType<typeof monitorEventLoopDelay>): Family[] {
  const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0)
  const families = [
    gauge(
      'nodejs_eventloop_lag_p50_seconds',
      'Event loop lag since the last scrape, median.',
      seconds(delay.percentile(50)),
      'max',
    ),
    gauge(
      'nodejs_eventloop_lag_p99_seconds',
      'Event loop lag since the last scrape, 99th percentile.',
      seconds(delay.percentile(99)),
      'max',
    ),
    gauge(
      'nodejs_eventloop_lag_max_seconds',
      'Event loop lag since the last scrape, maximum.',
      delay.count === 0 ? 0 : seconds(delay.max),
      'max',
    ),
    counter(
      'cadre_eventloop_busy_seconds_total',
      'Time that the event loop was busy.',
      performance.eventLoopUtilization().active / 1000,
    ),
  ]
  delay.reset()
  return families
}

function processSince(started: number): Family[] {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return [
    gauge('cadre_processes', 'Running processes of the service.', 1),
    gauge('process_start_time_seconds', 'Start time of the process.', started, 'max'),
    counter('process_cpu_seconds_total', 'CPU time used.', (user + system) / 1e6),
    gauge('process_resident_memory_bytes', 'Resident memory of the process.', rss),
    gauge('nodejs_heap_size_used_bytes', 'Used size of the JavaScript heap.', heapUsed),
    gauge('nodejs_heap_size_total_bytes', 'Total size of the JavaScript heap.', heapTotal),
    gauge('nodejs_external_memory_bytes', 'Memory of buffers outside the JavaScript heap.', external),
    ...openFiles(),
  ]
}

function openFiles(): Family[] {
  try {
    return [gauge('process_open_fds', 'Open file descriptors.', readdirSync('/proc/self/fd').length)]
  } catch {
    return []
  }
}
