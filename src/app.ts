import type { FastifyInstance } from 'fastify'
import { basePathOf, type Config, originsOf, type Tracing, trustOf } from './config.ts'
import type { Database } from './database/database.ts'
import { readinessCheck } from './database/readiness.ts'
import { WATCHED } from './domain/audits/logged-reads.ts'
import { fileSources, resources } from './operations.ts'
import { startPeriodicJobs } from './periodic-jobs.ts'
import type { CacheOptions } from './records/ledger.ts'
import { ReadLog } from './records/reads.ts'
import { openService, reportTo } from './service.ts'
import { serveCalendarFeed } from './surfaces/calendar-feed.ts'
import { serveCareersPages } from './surfaces/careers-pages.ts'
import { serveConsole } from './surfaces/console.ts'
import { serveFiles } from './surfaces/file-addresses.ts'
import type { ResponseTimeouts } from './surfaces/http/deadline.ts'
import { addFastPath } from './surfaces/http/fast-path.ts'
import { gatekeeper } from './surfaces/http/gatekeeper.ts'
import { Identities } from './surfaces/http/identities.ts'
import { ProcessQuota, type Quota } from './surfaces/http/quota.ts'
import { mount } from './surfaces/http/routes.ts'
import { httpServer } from './surfaces/http/server.ts'
import { measure } from './surfaces/monitoring/metrics.ts'
import { serveMetrics } from './surfaces/monitoring/metrics-server.ts'
import { answerParent } from './surfaces/monitoring/worker-metrics.ts'
import { pages } from './surfaces/pages.ts'
import { VERSION } from './version.ts'

/** The whole service, wired: everything it needs comes in here. */
export async function buildApp(needs: {
  config: Config
  database: Database
  clock?: () => Date
  caching?: CacheOptions
  /** Where is counted what somebody may do only so often. */
  quota?: Quota
  /** Does another process see to what the service does by itself? */
  isKeptUp?: boolean
  tracing?: Tracing
  /** One of several at one port, whose parent tells of all. */
  isWorker?: boolean
  patience?: ResponseTimeouts
}): Promise<FastifyInstance> {
  const { config, database, clock, caching, quota = new ProcessQuota(), isKeptUp = false } = needs
  const app = await httpServer({
    logLevel: config.LOG_LEVEL,
    trustProxy: trustOf(config.TRUST_PROXY),
    corsOrigins: originsOf(config.CORS_ORIGINS),
    basePath: basePathOf(config.PUBLIC_URL),
    isHttps: config.PUBLIC_URL?.startsWith('https:') ?? false,
    ...(needs.patience ? { patience: needs.patience } : {}),
  })
  const service = openService({
    database,
    filesAt: config.CADRE_FILES,
    cacheBytes: config.CACHE_MB * 2 ** 20,
    ...(clock ? { clock } : {}),
    ...(caching ? { caching } : {}),
    ...reportTo(app.log),
  })
  const { ledger, files, operations } = service
  const reads = new ReadLog({
    database,
    watched: WATCHED,
    clock: ledger.clock,
    onLoss: (lost) => app.log.warn({ lost }, 'access log entries could not be stored and are lost: check the database'),
  })
  serveFiles(app, service, files, { sources: fileSources, kinds: resources, reads })
  serveCalendarFeed(app, ledger)
  const limits = {
    publicUrl: config.PUBLIC_URL,
    host: config.HOST,
    publicRequestsPerMinute: config.PUBLIC_REQUESTS_PER_MINUTE,
    publicUploadsPerHour: config.PUBLIC_UPLOADS_PER_HOUR,
    failedKeysPerMinute: config.FAILED_KEYS_PER_MINUTE,
  }
  const identities = new Identities(ledger)
  const admit = gatekeeper(ledger, identities, limits, quota)
  const { responses: responseCounts } = ledger.cache.counts
  addFastPath(app, { identities, clock: ledger.clock, onHit: () => void responseCounts.hits++ })
  mount(app, { ...service, reads }, admit, quota)
  const base = basePathOf(config.PUBLIC_URL)
  const ready = readinessCheck(database, { also: () => files.check() })
  await pages(app, ready, { operations, kinds: resources, version: VERSION, base })
  serveCareersPages(app, { base, publicUrl: config.PUBLIC_URL })
  serveConsole(app, { base })
  if (needs.tracing) {
    // Only here: nobody else waits for these packages to be loaded.
    const { traceRequests } = await import('./surfaces/monitoring/traces.ts')
    traceRequests(app, { database, tracing: needs.tracing, version: VERSION })
  }
  if (config.METRICS_PORT) {
    const collect = measure(app, { database, cache: ledger.cache, version: VERSION })
    if (needs.isWorker) answerParent(app, collect)
    else {
      let end: (() => Promise<void>) | undefined
      app.addHook('onReady', async () => {
        end = await serveMetrics(config, async () => [collect()])
      })
      app.addHook('onClose', async () => end?.())
    }
  }

  let endUpkeep = () => {}
  if (!isKeptUp)
    app.addHook('onReady', async () => {
      endUpkeep = await startPeriodicJobs(service, app.log)
    })
  app.addHook('onClose', async () => {
    endUpkeep()
    await reads.close()
    await database.close()
  })
  return app
}
