import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { type Config, shareOf, workersOf } from '../config.ts'
import type { Database } from '../database/database.ts'
import { startPeriodicJobs } from '../periodic-jobs.ts'
import { openService, reportTo } from '../service.ts'
import { canHaveWorkers, Workers } from '../workers.ts'
import { failToListen, type ServiceHandle } from './service-process.ts'

/** The longest time in which the parent ends, in milliseconds, whatever its database does: longer than its workers take. */
const LONGEST_STOP = 9_500

/** Workers, if the configuration says more than one process. The first begins at once to load what it needs. */
export async function createWorkers(config: Config, environmentFile: string | undefined): Promise<Workers | undefined> {
  const count = workersOf(config)
  if (count === 1 || !canHaveWorkers()) return undefined
  const { openLog } = await import('../surfaces/http/log.ts')
  const { HOST, PORT, DATABASE_URL, CADRE_FILES } = config
  const own = Object.entries({ HOST, PORT, DATABASE_URL, CADRE_FILES, WORKERS: count, ...shareOf(config, count) })
  const environment = {
    ...variablesToReadAgain(environmentFile),
    ...Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
  }
  return new Workers({ count, environment, log: openLog(config.LOG_LEVEL) })
}

/** Variables from environment files. Workers do not inherit them, because each reads the files again when it starts. */
function variablesToReadAgain(environmentFile = ''): Record<string, undefined> {
  const given = process.execArgv.flatMap((word) => /^--env-file(?:-if-exists)?=(.+)$/.exec(word)?.[1] ?? [])
  const files = [...given, environmentFile]
  const read = files.filter((file) => existsSync(file)).map((file) => parseEnv(readFileSync(file, 'utf8')))
  const isFromFile = ([name, value]: [string, string | undefined]) => process.env[name] === value
  return Object.fromEntries(
    read.flatMap((one) => Object.entries(one).filter(isFromFile)).map(([name]) => [name, undefined]),
  )
}

/** The service in workers. They answer requests; this process does what is done once for all of them. */
export function inWorkers(config: Config, database: Database, workers: Workers): ServiceHandle {
  const { log } = workers
  const service = openService({ database, filesAt: config.CADRE_FILES, ...reportTo(log) })
  let endJobs = () => {}
  let endMetrics: (() => Promise<void>) | undefined
  return {
    log,
    async listen() {
      endJobs = await startPeriodicJobs(service, log)
      const metrics = config.METRICS_PORT ? await import('../surfaces/monitoring/worker-metrics.ts') : undefined
      const figures = metrics && new metrics.WorkerMetrics()
      const address = await workers
        .listen({ host: config.HOST, port: config.PORT })
        .catch((error) => failToListen(config, error))
      if (figures) {
        const { serveMetrics } = await import('../surfaces/monitoring/metrics-server.ts')
        endMetrics = await serveMetrics(config, figures.gather)
      }
      return address
    },
    async close() {
      const late = pause(LONGEST_STOP, 'late' as const, { ref: false })
      endJobs()
      await workers.close()
      await endMetrics?.()
      if ((await Promise.race([database.close(), late])) === 'late')
        log.warn('the database connections did not close in time, exiting without waiting for them')
    },
    restart: () => workers.restart(),
  }
}
