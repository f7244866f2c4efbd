import type { FastifyInstance } from 'fastify'
import { WATCHED } from './audits/watched.ts'
import { basePathOf, type Config, originsOf, trustOf } from './config.ts'
import type { Database } from './database/database.ts'
import { writtenAhead } from './ledger/ledger.ts'
import { ReadLog } from './ledger/reads.ts'
import { fileSources, resources } from './operations.ts'
import { fillNextYear } from './organisation/holiday-years.ts'
import { openService } from './service.ts'
import { serveCalendarFeed } from './surfaces/calendar-feed.ts'
import { serveCareersPages } from './surfaces/careers-pages.ts'
import { serveConsole } from './surfaces/console.ts'
import { serveFiles } from './surfaces/file-addresses.ts'
import { gatekeeper } from './surfaces/http/gatekeeper.ts'
import { mount } from './surfaces/http/routes.ts'
import { httpServer } from './surfaces/http/server.ts'
import { pages } from './surfaces/pages.ts'
import { VERSION } from './version.ts'

/** How often what failed after a commit is tried again. */
const TAKE_UP_EVERY = 60_000

/** How often it is looked whether a new year has come. */
const LOOK_AT_YEAR_EVERY = 3_600_000

/** The whole service, wired: everything it needs comes in here. */
export async function buildApp(needs: {
  config: Config
  database: Database
  clock?: () => Date
}): Promise<FastifyInstance> {
  const { config, database, clock } = needs
  const app = await httpServer({
    logLevel: config.LOG_LEVEL,
    trustProxy: trustOf(config.TRUST_PROXY),
    corsOrigins: originsOf(config.CORS_ORIGINS),
    basePath: basePathOf(config.PUBLIC_URL),
  })
  const service = openService({
    database,
    filesFolder: config.CADRE_FILES,
    answersKept: config.CACHE_MB * 2 ** 20,
    ...(clock ? { clock } : {}),
    onFailure: (error, duty) => app.log.error({ err: error, duty: duty.kind }, 'what follows a commit has failed'),
    onJump: (ms) => app.log.error({ seconds: ms / 1000 }, 'THE CLOCK HAS JUMPED: records bear its time'),
  })
  const { ledger, files, operations } = service
  const reads = new ReadLog({
    database,
    watched: WATCHED,
    clock: ledger.clock,
    onLoss: (lost) => app.log.warn({ lost }, 'entries about reads could not be kept'),
  })
  serveFiles(app, service, files, { sources: fileSources, kinds: resources, reads })
  serveCalendarFeed(app, ledger)
  const admit = await gatekeeper(app, ledger, {
    publicUrl: config.PUBLIC_URL,
    publicRequestsPerMinute: config.PUBLIC_REQUESTS_PER_MINUTE,
    publicUploadsPerHour: config.PUBLIC_UPLOADS_PER_HOUR,
    failedKeysPerMinute: config.FAILED_KEYS_PER_MINUTE,
  })
  mount(app, { ...service, reads }, admit)
  const base = basePathOf(config.PUBLIC_URL)
  await pages(app, database, { operations, kinds: resources, version: VERSION, base })
  serveCareersPages(app, { base, publicUrl: config.PUBLIC_URL })
  serveConsole(app, { base })

  const takeUp = () => ledger.afterCommit.takeUp().catch((error) => app.log.error(error, 'cannot look after commits'))
  const timer = setInterval(takeUp, TAKE_UP_EVERY).unref()
  const greet = () => fillNextYear(ledger).catch((error) => app.log.error(error, 'cannot fill in the next year'))
  const newYear = setInterval(greet, LOOK_AT_YEAR_EVERY).unref()
  app.addHook('onReady', async () => {
    await files.mark()
    await files.clearDrafts(new Date(Date.now() - 3_600_000))
    await takeUp()
    await greet()
  })
  app.addHook('onReady', async () => {
    const ahead = await writtenAhead(ledger)
    if (ahead > 0)
      app.log.error({ seconds: ahead / 1000 }, 'THE CLOCK IS BEHIND the last write: it was, or is, set wrongly')
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    clearInterval(newYear)
    await reads.close()
    await database.close()
  })
  return app
}
