import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { createAccount, createKey, ensureFirstAccount, ensureNewRoles, listKeys, revokeKey } from './access/accounts.ts'
import { FIRST, findAccount, listAccounts, reachAccounts } from './access/stored-accounts.ts'
import type { Command, SchemaUse } from './command.ts'
import {
  type Config,
  connectingTo,
  connectionsOf,
  PARENTS_CONNECTIONS,
  readConfig,
  scarcityOf,
  shareOf,
  tracingOf,
  unknownSettings,
  workersOf,
} from './config.ts'
import { connect, describeDatabase, sqliteFileOf, waitForDatabase } from './database/connect.ts'
import type { Database } from './database/database.ts'
import { distribute, undistribute } from './database/distribute.ts'
import { exposedPaths, restrictDatabase, restrictFolder } from './database/file-modes.ts'
import { schemaOf } from './database/migrate.ts'
import type { Open } from './demo/company.ts'
import { examine, lineOf, noDatabaseAt, unreached } from './doctor.ts'
import type { Problem } from './engine/problem.ts'
import { readEnvironment } from './environment.ts'
import { folderOf, storageAt } from './files/address.ts'
import { backUp, copyTo, restore } from './files/backup.ts'
import { checkFiles, filesOfRecords } from './files/check.ts'
import { awaitFiles } from './files/copy.ts'
import { isFileFolder } from './files/folder.ts'
import { FileStore } from './files/store.ts'
import type { Account } from './ledger/caller.ts'
import type { Ledger } from './ledger/ledger.ts'
import { dateIn } from './ledger/reader.ts'
import { verifyLedger } from './ledger/verify.ts'
import { fileSources } from './operations.ts'
import { createDefaultRecords } from './organisation/default-records.ts'
import { startPeriodicJobs } from './periodic-jobs.ts'
import { eraseAllDue } from './privacy/command-line.ts'
import { bringUpToDate, openService, reportTo } from './service.ts'
import { invitePerson, resetPerson, setUpLink } from './sign-in/command-line.ts'
import { linkAddress } from './sign-in/links.ts'
import { divideDerivations } from './sign-in/passwords.ts'
import { finishOnSignals } from './signals.ts'
import { VERSION } from './version.ts'
import { canHaveWorkers, isWorker, ParentProcess, Workers } from './workers.ts'

/** Commands that cannot do without the files. */
const WITH_FILES = ['serve', 'demo', 'retention', 'files check']

const say = (line: string) => void process.stdout.write(`${line}\n`)

/** Does what a command says. */
export async function run({ command, need, words, options }: Command): Promise<void> {
  const [, second = '', third] = words
  const environmentFile = readEnvironment({ given: options['env-file'], isService: command === 'serve' })
  if (command === 'doctor') return doctor(environmentFile)
  const config = readConfig(process.env)
  if (command === 'restore') {
    const copy = second || fail('name the backup file: restore <file>')
    if (!(await restore(config, fileSources, { copy, folder: options.files, say }))) process.exitCode = 1
    return
  }
  if (command === 'files copy')
    return copyAll(config, third || fail('name the destination: files copy <folder or s3://bucket/prefix>'))
  if (need === 'needs' || command === 'backup') refuseNothing(config.DATABASE_URL)
  if (command === 'serve' && isWorker()) return work(config)
  if (command === 'serve') tracingOf(process.env)
  const workers = command === 'serve' ? await workersFor(config, environmentFile) : undefined
  // A command that asks whether others are connected is not to meet itself.
  const few = workers ? { connections: PARENTS_CONNECTIONS } : command === 'distribute' ? { connections: 1 } : {}
  const database = connect(config.DATABASE_URL, { ...connectingTo(config), ...few })
  const { ledger, files } = openService({ database, filesAt: config.CADRE_FILES })
  let isServing = false
  try {
    const seconds = need === 'brings' || need === 'begins' ? config.DATABASE_WAIT : 0
    await waitForDatabase(database, config.DATABASE_URL, { seconds, say })
    // Whoever only looks may do so where nothing can be written.
    const isTrial = command === 'files check' && !options.remove
    if (WITH_FILES.includes(command) && !isTrial) await awaitFiles(files, { seconds, say })
    await prepareSchema(config, database, need)
    const keysOfRecords = async () => (await filesOfRecords(database, fileSources)).keys()
    const elsewhere = WITH_FILES.includes(command) && !(await files.recognise(keysOfRecords, { isTrial }))
    if (elsewhere) say(`${files.advice} Uploads are rejected until then.`)
    if (command === 'serve') {
      await serve(config, ledger, workers ? byWorkers(config, database, workers) : await alone(config, database))
      isServing = true
      return
    }
    const named = () => options.name ?? fail('--name is required: give a name with --name <name>')
    switch (command) {
      case 'migrate':
        return say('The schema is up to date.')
      case 'account create': {
        const given = { name: named(), time_zone: options['time-zone'], currency_code: options.currency }
        const account = await createAccount(ledger, given, createDefaultRecords).catch(failByOptions)
        const token = await setUpLink(ledger, account)
        say(`Created account ${account.id}, ${account.name}. Set-up link for its first owner (valid for a week):`)
        say(linkAddress(addressOf(config), token as string, account.id))
        say('API key (copy it now, it is not shown again):')
        return say(await createKey(ledger, account, { name: 'First key' }))
      }
      case 'account list':
        for (const { id, name } of await accountsOf(database)) say(`${id}\t${name}`)
        return
      case 'key create': {
        if (options.expires === '')
          fail('--expires is empty: give a time like 2030-01-01T00:00:00Z, or leave the option out')
        const rights = {
          name: named(),
          permissions: split(options.permissions),
          withheld: split(options.withheld),
          expires_at: options.expires,
        }
        const key = await createKey(ledger, await accountOf(database, options.account), rights).catch(failByOptions)
        say('API key (copy it now, it is not shown again):')
        return say(key)
      }
      case 'key list':
        for (const key of await listKeys(ledger, await accountOf(database, options.account))) {
          const validity = key.revoked_at ? 'revoked' : (key.expires_at ?? 'no expiry')
          const columns = [key.id, key.hint, key.name, key.permissions.join(','), validity]
          say([...columns, `last used ${key.last_used_at ?? 'never'}`].join('\t'))
        }
        return
      case 'key revoke': {
        const id = Number(
          /^\d{1,15}$/.exec(third ?? '')?.[0] ??
            fail('give the id of the key: key revoke <id> ("key list" shows the ids)'),
        )
        const account = await accountOf(database, options.account)
        const [, ...others] = await revokeKey(ledger, account, id).catch((error) => {
          throw (error as Problem).code === 'not_found'
            ? new Error(`account ${account.id} has no key ${id}. "key list" shows its keys`)
            : error
        })
        const more = others.length > 0 ? `, together with the keys created with it: ${others.join(', ')}` : ''
        return say(`Key ${id} is revoked${more}.`)
      }
      case 'person invite':
      case 'person reset': {
        const email = third ?? fail(`give the e-mail address of the person: ${command} <e-mail>`)
        const account = await accountOf(database, options.account)
        const { name, role } = options
        const token = await (command === 'person invite'
          ? invitePerson(ledger, account, { email, name, role })
          : resetPerson(ledger, account, email))
        say('Sign-in link (works once; copy it now, it is not shown again):')
        return say(linkAddress(addressOf(config), token, account.id))
      }
      case 'demo':
        return await demo(config, ledger)
      case 'retention':
        return await retain(ledger, options.account, options['dry-run'])
      case 'distribute':
        return await (options.undo ? bringBack : spread)(database, options['dry-run'])
      case 'files check': {
        const remove = options.remove ?? false
        const found = await checkFiles(database, files, fileSources, { remove })
        for (const name of found.orphans) say(`${remove ? 'removed' : 'file without a record:'} ${name}`)
        for (const record of found.missing) say(`file missing: the file of ${record}`)
        for (const name of found.drafts) say(`${remove ? 'removed' : 'left over from an unfinished upload:'} ${name}`)
        const orphans = found.away.length > 0 ? 'an unknown number' : found.orphans.length
        say(
          `${found.files} files in the file storage, ${orphans} of them without a record. ${found.missing.length} files of records are missing.`,
        )
        sayUnreached(found.away)
        if (elsewhere || found.missing.length > 0) process.exitCode = 1
        return
      }
      case 'audit verify':
        if (third !== undefined)
          fail(`unexpected argument ${third}. Pass the ledger head that an earlier "audit verify" printed with --head`)
        return await verify(database, options.account, options.head ?? [])
      case 'backup': {
        const target = second || fail('name the file to write: backup <file>')
        const { files: folder, force } = options
        const of = { database, files, sources: fileSources }
        if (!(await backUp(config, of, { target, folder, force, say }))) process.exitCode = 1
        return
      }
    }
  } finally {
    // The service closes it itself when it is told to stop.
    if (!isServing) {
      await workers?.close()
      await database.close()
    }
  }
}

/** Says of each part of the installation whether it is as it should be. */
async function doctor(environmentFile: string | undefined): Promise<void> {
  const findings = await examine(process.env, { environmentFile })
  for (const finding of findings) say(lineOf(finding))
  if (findings.some(({ problem }) => problem !== undefined)) process.exitCode = 1
}

async function prepareSchema({ DATABASE_URL }: Config, database: Database, need: SchemaUse): Promise<void> {
  if (need === 'any') return
  const found = await schemaOf(database)
  // A migration that this version does not know is named by the refusal to migrate.
  if (need === 'brings' || found === 'newer' || (need === 'begins' && found === 'none'))
    for (const line of await bringUpToDate(database, describeDatabase(DATABASE_URL))) say(line)
  else if (found === 'none')
    fail('the database is empty. Start the service first, which creates the schema, or check DATABASE_URL')
  else if (found === 'older')
    fail('the database schema is from an older version of Cadre. Start the service or run "migrate" first')
}

/** Serves requests: in this process, or in workers that it started. */
type ServiceHandle = {
  log: FastifyBaseLogger
  listen: () => Promise<string>
  close: () => Promise<void>
  restart: () => void
}

/** Answers requests until it is told to stop, then finishes what is in flight. */
async function serve(config: Config, ledger: Ledger, front: ServiceHandle): Promise<void> {
  const { database } = ledger
  const { log } = front
  await ensureNewRoles(ledger)
  // With CADRE_API_KEY requests may come at once; a key of our own is made when it can be shown.
  const given = config.CADRE_API_KEY
    ? await ensureFirstAccount(ledger, config.CADRE_API_KEY, createDefaultRecords)
    : undefined
  const tooMany = await refusedConnections(config, database)
  if (tooMany) log.warn(tooMany)
  const tooFew = database.engine === 'postgres' ? scarcityOf(config) : undefined
  if (tooFew) log.warn(tooFew)
  for (const line of unknownSettings(process.env)) log.warn(line)
  for (const path of keepPrivate(config))
    log.warn(
      `Other users of this machine can read ${path}. Make the user that runs Cadre its owner (chown), or run chmod go= on it`,
    )
  const address = await front.listen()
  try {
    const { firstKey, notice } = given ?? (await ensureFirstAccount(ledger, undefined, createDefaultRecords))
    if (notice) log.warn(notice)
    const key = firstKey ? [`API key (copy it now, it is not shown again): ${firstKey}`] : []
    const { rows, unreachable } = await reachAccounts(database)
    if (unreachable.length > 0)
      log.warn(`${unreached(unreachable)} Requests for them return 503 until the node is back.`)
    const account = rows.find(({ id }) => id === FIRST)
    const token = account && (await setUpLink(ledger, account))
    const setUp = token
      ? [
          `Set-up link for the first owner: ${linkAddress(addressOf(config, Number(new URL(address).port) || config.PORT), token, account.id)}`,
        ]
      : []
    // Before it is said: whoever reads it may say stop at once.
    let isEnding = false
    const end = () => {
      if (!isEnding)
        void front.close().finally(() => {
          log.info('stopped')
          process.exit()
        })
      isEnding = true
    }
    finishOnSignals(end, { isHurried: true })
    say([`Cadre ${VERSION} is running at ${address}`, ...setUp, ...key, `API reference: ${address}/docs`].join('\n'))
  } catch (error) {
    await front.close()
    throw error
  }
  const connections = database.engine === 'postgres' ? { connections: connectionsOf(config) } : {}
  log.info({ version: VERSION, engine: database.engine, workers: workersOf(config), ...connections }, 'started')
  endOnErrors(log)
  process.on('SIGUSR2', front.restart)
}

/** Whether the server gives fewer connections than there may be asked for. A pooler has more than the server. */
async function refusedConnections(config: Config, database: Database): Promise<string | undefined> {
  if (database.engine !== 'postgres' || config.DATABASE_POOLER !== 'none') return undefined
  const { rows } = await database.query((on) =>
    sql<{ name: string; value: string }>`
      select name, setting as value from pg_settings
      where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections')`.execute(on),
  )
  const { max_connections = 0, ...reserved } = Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)]))
  const room = Object.values(reserved).reduce((left, some) => left - some, max_connections)
  const needed = connectionsOf(config)
  if (needed <= room) return undefined
  return `Cadre may open up to ${needed} database connections, but the server allows only ${room}. Lower DATABASE_CONNECTIONS or WORKERS, or raise max_connections of the server`
}

/** Left to itself, the runtime would print the error with all that it holds. */
function endOnErrors(log: FastifyBaseLogger): void {
  process.on('uncaughtException', (error) => {
    log.fatal(error, 'uncaught exception, exiting')
    process.exit(1)
  })
}

/** This process answers requests itself. */
async function alone(config: Config, database: Database): Promise<ServiceHandle> {
  // Only here: other commands need no server, and are done before it would be loaded.
  const [{ buildApp }, { stop }] = await Promise.all([import('./app.ts'), import('./surfaces/http/server.ts')])
  const app = await buildApp({ config, database, ...tracedBy(process.env) })
  return {
    log: app.log,
    listen: () => listenAt(app, config),
    close: () => stop(app),
    restart: () =>
      app.log.warn(
        'SIGUSR2 ignored: a single process cannot be replaced without downtime. Restart the service instead',
      ),
  }
}

const tracedBy = (environment: NodeJS.ProcessEnv) => {
  const tracing = tracingOf(environment)
  return tracing ? { tracing } : {}
}

const listenAt = (app: FastifyInstance, config: Config) =>
  app.listen({ host: config.HOST, port: config.PORT }).catch((error) => refusePort(config, error))

/** Workers, where there are to be several. The first begins at once to load what it needs. */
async function workersFor(config: Config, environmentFile: string | undefined): Promise<Workers | undefined> {
  const count = workersOf(config)
  if (count === 1 || !canHaveWorkers()) return undefined
  const { openLog } = await import('./surfaces/http/log.ts')
  const { HOST, PORT, DATABASE_URL, CADRE_FILES } = config
  const own = Object.entries({ HOST, PORT, DATABASE_URL, CADRE_FILES, WORKERS: count, ...shareOf(config, count) })
  const environment = {
    ...readAnew(environmentFile),
    ...Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
  }
  return new Workers({ count, environment, log: openLog(config.LOG_LEVEL) })
}

/** Variables that were read from files: workers do not inherit them, and read the files as they are when they start. */
function readAnew(environmentFile = ''): Record<string, undefined> {
  const given = process.execArgv.flatMap((word) => /^--env-file(?:-if-exists)?=(.+)$/.exec(word)?.[1] ?? [])
  const files = [...given, environmentFile]
  const read = files.filter((file) => existsSync(file)).map((file) => parseEnv(readFileSync(file, 'utf8')))
  const isOfFile = ([name, value]: [string, string | undefined]) => process.env[name] === value
  return Object.fromEntries(
    read.flatMap((one) => Object.entries(one).filter(isOfFile)).map(([name]) => [name, undefined]),
  )
}

/** How long the parent takes to end, in milliseconds, whatever its database does: longer than its workers. */
const LONGEST_STOP = 9_500

/** Workers answer requests; this process sees to what is done once for all of them. */
function byWorkers(config: Config, database: Database, workers: Workers): ServiceHandle {
  const { log } = workers
  const service = openService({ database, filesAt: config.CADRE_FILES, ...reportTo(log) })
  let endUpkeep = () => {}
  let endMetrics: (() => Promise<void>) | undefined
  return {
    log,
    async listen() {
      endUpkeep = await startPeriodicJobs(service, log)
      const metrics = config.METRICS_PORT ? await import('./surfaces/monitoring/worker-metrics.ts') : undefined
      const figures = metrics && new metrics.WorkerMetrics()
      const address = await workers
        .listen({ host: config.HOST, port: config.PORT })
        .catch((error) => refusePort(config, error))
      if (figures) {
        const { serveMetrics } = await import('./surfaces/monitoring/metrics-server.ts')
        endMetrics = await serveMetrics(config, figures.gather)
      }
      return address
    },
    async close() {
      const late = pause(LONGEST_STOP, 'late' as const, { ref: false })
      endUpkeep()
      await workers.close()
      await endMetrics?.()
      if ((await Promise.race([database.close(), late])) === 'late')
        log.warn('the database connections did not close in time, exiting without waiting for them')
    },
    restart: () => workers.restart(),
  }
}

/** One of several workers: answers requests from when its parent says so until that, or a signal, says stop. */
async function work(config: Config): Promise<void> {
  const parent = new ParentProcess()
  divideDerivations(workersOf(config))
  try {
    const database = connect(config.DATABASE_URL, connectingTo(config))
    const [{ buildApp }, { leave, stop, takeConnections }] = await Promise.all([
      import('./app.ts'),
      import('./surfaces/http/server.ts'),
    ])
    const app = await buildApp({
      config,
      database,
      quota: parent,
      isKeptUp: true,
      isWorker: true,
      ...tracedBy(process.env),
    })
    const take = takeConnections(app)
    await parent.begun
    await waitForDatabase(database, config.DATABASE_URL, { seconds: config.DATABASE_WAIT, say })
    await prepareSchema(config, database, 'needs')
    await app.ready()
    parent.handTo(take)
    endOnErrors(app.log)
    // Once, though supervisors signal to all processes, and the parent to its workers.
    let isEnding = false
    const end = (how: (app: FastifyInstance, told?: number) => Promise<void>) => {
      if (isEnding) return
      isEnding = true
      void parent.tell({ leaves: true })
      void how(app, parent.told).finally(() => process.exit())
    }
    finishOnSignals(() => end(stop), { isHurried: false })
    parent.replaced.then(() => end(leave))
    app.log.info('worker ready')
    await parent.tell({ ready: true })
  } catch (error) {
    await parent.tell({ failure: error instanceof Error ? error.message : String(error) })
    process.exit(1)
  }
}

/** Where people reach the service, as far as the command line can know. Passkeys need a name, not a number. */
const addressOf = ({ PUBLIC_URL, HOST, PORT }: Config, port = PORT) =>
  PUBLIC_URL ?? `http://${['0.0.0.0', '::', '127.0.0.1'].includes(HOST) ? 'localhost' : HOST}:${port}`

function refusePort({ HOST, PORT }: Config, error: NodeJS.ErrnoException): never {
  if (error.code === 'EADDRINUSE')
    fail(`port ${PORT} on ${HOST} is already in use. Stop the other program, or set PORT`)
  if (error.code === 'EACCES') fail(`this user may not listen on port ${PORT}. Set PORT to 1024 or higher`)
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(error.code ?? ''))
    fail(`this machine has no address ${HOST}. Set HOST, for example to 0.0.0.0`)
  throw error
}

/** Takes what is kept from the eyes of others, and says what it could not take. */
function keepPrivate({ DATABASE_URL, CADRE_FILES }: Config): string[] {
  const [file, folder] = [sqliteFileOf(DATABASE_URL), folderOf(CADRE_FILES)]
  const folders = folder === undefined ? [] : [folder]
  for (const one of folders) restrictFolder(one, isFileFolder)
  if (file !== undefined) restrictDatabase(file, folders)
  return exposedPaths([...folders, ...(file === undefined ? [] : [file])])
}

/** Copies all files to another place, and says what it did. */
async function copyAll({ CADRE_FILES }: Config, to: string): Promise<void> {
  if (await new FileStore(storageAt(CADRE_FILES)).isEmpty())
    fail(`${CADRE_FILES} contains no files to copy. Check CADRE_FILES`)
  const { copied, there, more, damaged } = await copyTo(CADRE_FILES, to, say)
  if (damaged.length > 0) process.exitCode = 1
  say(`${copied} files copied, ${there} already there.`)
  if (more > 0)
    say(
      `The destination has ${more} more files that are not in ${CADRE_FILES}. Run "files check" on it to see which are still in use.`,
    )
}

/** Fills an empty database, and says what to look at. */
async function demo(config: Config, ledger: Ledger): Promise<void> {
  const { database } = ledger
  const { fillWithDemo, refusePeople, worthTrying } = await import('./demo/demo.ts')
  const { DEMO_PASSWORD, makeDemoSignIns } = await import('./demo/sign-ins.ts')
  await refusePeople(database)
  const { firstKey, notice } = await ensureFirstAccount(ledger, config.CADRE_API_KEY, createDefaultRecords)
  if (notice) say(notice)
  const [account] = (await listAccounts(database)) as [Account]
  const open: Open = (needs) => openService({ ...needs, filesAt: config.CADRE_FILES })
  const now = new Date()
  await fillWithDemo({ database, account, now, open, say })
  const signIns = await makeDemoSignIns(ledger, account)
  const key = firstKey ?? config.CADRE_API_KEY ?? (await createKey(ledger, account, { name: 'Demo' }))
  const request = (path: string) =>
    `  curl -H 'X-API-KEY: ${key}' 'http://${config.HOST}:${config.PORT}/api/public/v3${path}'`
  say('The demo company with 200 people is ready. Start the service with npm start, then try:')
  say(worthTrying(dateIn(account.time_zone, now)).map(request).join('\n'))
  say(`Or sign in at ${addressOf(config)} with the password ${DEMO_PASSWORD}:`)
  for (const { as, name, email } of signIns) say(`  ${as.padEnd(10)} ${email.padEnd(36)} ${name}`)
}

/** Spreads the accounts over several machines, and says what lies where. */
async function spread(database: Database, isDryRun: boolean): Promise<void> {
  const { distributed: tables, skipped } = await distribute(database, { isDryRun, report: say })
  const how =
    tables.length === 0 ? 'are already distributed' : isDryRun ? 'would be distributed' : 'are now distributed'
  say(
    `${tables.length || 'All'} tables ${how}. Tables that stay on the coordinator, because their rows belong to no account: ${skipped.join(', ')}.`,
  )
}

/** Brings all accounts back to one machine. */
async function bringBack(database: Database, isDryRun: boolean): Promise<void> {
  const tables = await undistribute(database, { isDryRun, report: say })
  say(
    tables.length === 0
      ? 'No tables are distributed.'
      : `${tables.length} tables ${isDryRun ? 'would be moved' : 'moved'} back to one machine.`,
  )
}

/** Erases who is due, in one account or in all, and says how many there were. */
async function retain(ledger: Ledger, id: string | undefined, isTrial: boolean): Promise<void> {
  const { database } = ledger
  for (const account of await accountsOf(database, id)) {
    const all = await eraseAllDue(ledger, account, { isTrial, tell: say })
    const counts = all.map(({ kind, count }) => `${count} ${kind}`).join(' and ')
    const refused = all.reduce((sum, one) => sum + one.refused.length, 0)
    const rest = refused > 0 ? `, ${refused} could not be erased` : ''
    say(`Account ${account.id}, ${account.name}: ${counts} ${isTrial ? 'would be erased' : 'erased'}${rest}.`)
    if (refused > 0) process.exitCode = 1
  }
}

/** Says of each account whether its ledger is as it was written, and by which head that can be told later. */
async function verify(database: Database, id: string | undefined, given: readonly string[]): Promise<void> {
  const kept = given.map(headIn)
  const accounts = await accountsOf(database, id)
  for (const { accountId } of kept)
    if (!accounts.some((one) => one.id === accountId))
      fail(`--head names account ${accountId}, which does not exist or is not the account of --account`)
  for (const account of accounts) {
    const heads = kept.filter(({ accountId }) => accountId === account.id)
    const { head, broken } = await verifyLedger(database, account.id, heads)
    const whose = `Account ${account.id}, ${account.name}`
    if (broken) {
      process.exitCode = 1
      say(
        `${whose}: BROKEN at ledger entry ${broken.number}: ${broken.reason}. The ${head.number} entries before it are intact.`,
      )
    } else {
      say(`${whose}: ${head.number} ledger entries, all intact. Ledger head (store it outside this database):`)
      say(`${account.id}:${head.number}:${head.hash}`)
    }
  }
}

function headIn(text: string) {
  const [, account, number, hash] = /^(\d{1,15}):(\d{1,15}):([\w-]{43})$/.exec(text) ?? []
  if (!account || !Number(number) || !hash)
    fail(`--head must be <account>:<number>:<hash>, as "audit verify" prints it`)
  return { accountId: Number(account), number: Number(number), hash }
}

/** A command that needs a database never makes one: it would be an empty one, and not the one that is meant. */
function refuseNothing(address: string): void {
  const file = sqliteFileOf(address)
  if (file !== undefined && !existsSync(file)) fail(noDatabaseAt(file))
}

async function accountOf(database: Database, id = String(FIRST)): Promise<Account> {
  const account = /^[1-9]\d{0,14}$/.test(id) ? await findAccount(database, Number(id)) : undefined
  return account ?? fail(`there is no account ${id}. "account list" shows all accounts`)
}

/** The account that is meant, or all. What cannot be done for some of them is said, and is a failure. */
async function accountsOf(database: Database, id?: string): Promise<Account[]> {
  if (id !== undefined) return [await accountOf(database, id)]
  const { rows, unreachable } = await reachAccounts(database)
  sayUnreached(unreachable)
  return rows
}

function sayUnreached(away: readonly number[]): void {
  if (away.length === 0) return
  process.stderr.write(`cadre: ${unreached(away)}\n`)
  process.exitCode = 1
}

/** Which option gave the value of a field. */
const OPTION_OF: Record<string, string> = {
  name: '--name',
  time_zone: '--time-zone',
  currency_code: '--currency',
  permissions: '--permissions',
  withheld: '--withheld',
  expires_at: '--expires',
}

/** Names wrong values by the options that they came from. */
const failByOptions = (error: Error) =>
  fail(error.message.replace(/(?<=^|; )\w+/g, (field) => OPTION_OF[field] ?? field))

const split = (list: string | undefined) => list?.split(',').map((one) => one.trim()) ?? []

function fail(reason: string): never {
  throw new Error(reason)
}
