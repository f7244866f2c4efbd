import type { FastifyBaseLogger } from 'fastify'
import { type Config, connectingTo, connectionsOf, PARENTS_CONNECTIONS, tracingOf, workersOf } from '../config.ts'
import { connect } from '../database/connect.ts'
import { ensureFirstAccount, ensureNewRoles } from '../domain/access/accounts.ts'
import { FIRST, reachAccounts } from '../domain/access/stored-accounts.ts'
import { createDefaultRecords } from '../domain/organisation/default-records.ts'
import { setUpLink } from '../domain/sign-in/command-line.ts'
import { linkAddress } from '../domain/sign-in/links.ts'
import type { Ledger } from '../records/ledger.ts'
import { finishOnSignals } from '../signals.ts'
import { VERSION } from '../version.ts'
import { isWorker } from '../workers.ts'
import { unreachable } from './accounts.ts'
import { open } from './open.ts'
import type { Command } from './options.ts'
import { say } from './output.ts'
import { publicAddress } from './public-address.ts'
import { logUncaughtErrors, type ServiceHandle } from './service-process.ts'
import { inThisProcess } from './single-process.ts'
import { warnAtStart } from './start-warnings.ts'
import { createWorkers, inWorkers } from './with-workers.ts'
import { runWorker } from './worker.ts'

/** Starts the service, in this process or in workers; or one worker, if this process is one. */
export async function serve(config: Config, command: Command, environmentFile: string | undefined): Promise<void> {
  if (isWorker()) return runWorker(config)
  tracingOf(process.env)
  const workers = await createWorkers(config, environmentFile)
  const limit = workers ? { connections: PARENTS_CONNECTIONS } : {}
  const database = connect(config.DATABASE_URL, { ...connectingTo(config), ...limit })
  try {
    const { ledger } = await open(config, database, command)
    await start(config, ledger, workers ? inWorkers(config, database, workers) : await inThisProcess(config, database))
  } catch (error) {
    await workers?.close()
    await database.close()
    throw error
  }
}

/** Starts to answer requests. When a signal tells to stop, it finishes requests in progress and ends the process. */
async function start(config: Config, ledger: Ledger, service: ServiceHandle): Promise<void> {
  const { database } = ledger
  const { log } = service
  await ensureNewRoles(ledger)
  // With CADRE_API_KEY, requests may come at once. A key that Cadre creates comes later, when it can be printed.
  const first = config.CADRE_API_KEY
    ? await ensureFirstAccount(ledger, config.CADRE_API_KEY, createDefaultRecords)
    : undefined
  await warnAtStart(config, database, log)
  const address = await service.listen()
  try {
    const { firstKey, notice } = first ?? (await ensureFirstAccount(ledger, undefined, createDefaultRecords))
    if (notice) log.warn(notice)
    const key = firstKey ? [`API key (copy it now, it is not shown again): ${firstKey}`] : []
    const setUp = await setUpLines(config, ledger, { log, address })
    // Before the address is printed: its reader may send a signal at once.
    stopOnSignals(service)
    say([`Cadre ${VERSION} is running at ${address}`, ...setUp, ...key, `API reference: ${address}/docs`].join('\n'))
  } catch (error) {
    await service.close()
    throw error
  }
  const connections = database.engine === 'postgres' ? { connections: connectionsOf(config) } : {}
  log.info({ version: VERSION, engine: database.engine, workers: workersOf(config), ...connections }, 'started')
  logUncaughtErrors(log)
  process.on('SIGUSR2', service.restart)
}

/** The set-up link of the first account, unless it has an owner. */
async function setUpLines(
  config: Config,
  ledger: Ledger,
  { log, address }: { log: FastifyBaseLogger; address: string },
): Promise<string[]> {
  const { rows: accounts, unreachable: away } = await reachAccounts(ledger.database)
  if (away.length > 0) log.warn(`${unreachable(away)} Requests for them return 503 until the node is back.`)
  const account = accounts.find(({ id }) => id === FIRST)
  const token = account && (await setUpLink(ledger, account))
  if (!token) return []
  const port = Number(new URL(address).port) || config.PORT
  return [`Set-up link for the first owner: ${linkAddress(publicAddress(config, port), token, account.id)}`]
}

function stopOnSignals({ log, close }: ServiceHandle): void {
  let isEnding = false
  const end = () => {
    if (!isEnding)
      void close().finally(() => {
        log.info('stopped')
        process.exit()
      })
    isEnding = true
  }
  finishOnSignals(end, { isHurried: true })
}
