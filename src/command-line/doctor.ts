import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { sql } from 'kysely'
import { type Config, connectingTo, readConfig, tracingOf, unknownSettings } from '../config.ts'
import { connect, describeDatabase, sqliteFileOf, waitForDatabase } from '../database/connect.ts'
import type { Database } from '../database/database.ts'
import { schemaOf } from '../database/migrate.ts'
import { readinessCheck } from '../database/readiness.ts'
import { reachAccounts } from '../domain/access/stored-accounts.ts'
import { folderOf } from '../domain/files/address.ts'
import { filesOfRecords } from '../domain/files/check.ts'
import { fileSources } from '../operations.ts'
import { MAX_SKEW } from '../records/clock.ts'
import { writtenAhead } from '../records/ledger.ts'
import { openService } from '../service.ts'
import { unreachable } from './accounts.ts'
import { say } from './output.ts'

/** Checks the parts of an installation one after the other. It creates nothing, and writes no more than `/readyz` does. */

export type Finding = { about: string; problem?: string; todo?: string; detail?: string }

/** Less than this is too little for a service that writes all day. */
const LEAST_SPACE = 2 ** 30

/** Prints for each part of the installation whether it is in order. */
export async function printFindings(environmentFile: string | undefined): Promise<void> {
  const findings = await examine(process.env, { environmentFile })
  for (const finding of findings) say(lineOf(finding))
  if (findings.some(({ problem }) => problem !== undefined)) process.exitCode = 1
}

/** Looks at everything; what cannot be looked at because of something before it is left out. */
export async function examine(
  environment: NodeJS.ProcessEnv,
  { environmentFile, leastSpace = LEAST_SPACE }: { environmentFile?: string | undefined; leastSpace?: number } = {},
): Promise<Finding[]> {
  const configuration = readSettings(environment, environmentFile)
  const { config } = configuration
  if (!config) return [configuration.finding]
  const space = await spaceFor(config, leastSpace)
  const file = sqliteFileOf(config.DATABASE_URL)
  if (file !== undefined && !existsSync(file))
    return [configuration.finding, { about: 'database', ...missing(file) }, space]
  let database: Database | undefined
  try {
    database = connect(config.DATABASE_URL, { ...connectingTo(config), connections: 2 })
    await waitForDatabase(database, config.DATABASE_URL, { seconds: 0, say: () => undefined })
    const schema = await schemaOf(database)
    return [
      configuration.finding,
      await databaseFinding(config, database, schema),
      schemaFinding(schema),
      ...(schema === 'same' ? [await filesFinding(config, database), await clockFinding(config, database)] : []),
      space,
    ]
  } catch (error) {
    const todo = 'Check that the database is running and that DATABASE_URL is correct'
    return [configuration.finding, { about: 'database', problem: wordsOf(error), todo }, space]
  } finally {
    await database?.close()
  }
}

/** A line of the report. */
export const lineOf = ({ about, problem, todo, detail = '' }: Finding): string =>
  `${(problem ? 'problem' : 'ok').padEnd(8)} ${about.padEnd(14)} ${problem ? `${problem.replace(/\.$/, '')}. ${todo}` : detail}`.trimEnd()

const missing = (file: string) => ({
  problem: `There is no database at ${resolve(file)}`,
  todo: 'Set DATABASE_URL, or pass the environment file of the service with --env-file. If this is a new installation, start the service: it creates the database',
})

function readSettings(environment: NodeJS.ProcessEnv, file?: string): { config?: Config; finding: Finding } {
  const about = 'configuration'
  try {
    const config = readConfig(environment)
    tracingOf(environment)
    folderOf(config.CADRE_FILES)
    const unknown = unknownSettings(environment)
    const source = file ? `${file} and the environment` : 'the environment'
    if (unknown.length === 0) return { config, finding: { about, detail: `from ${source}` } }
    return { config, finding: { about, problem: unknown.join('; '), todo: 'Correct or remove the setting' } }
  } catch (error) {
    const problem = wordsOf(error).replace(/^Configuration: /, '')
    return { finding: { about, problem, todo: 'See docs/configuration.md for all settings' } }
  }
}

async function databaseFinding(config: Config, database: Database, schema: string): Promise<Finding> {
  const place = describeDatabase(config.DATABASE_URL)
  const about = 'database'
  if (schema !== 'same') return { about, detail: place }
  try {
    await readinessCheck(database)()
    const { unreachable: away } = await reachAccounts(database)
    if (away.length === 0) return { about, detail: `${place}, readable and writable` }
    return { about, problem: `${place}: ${unreachable(away)}`, todo: 'Start the database node again' }
  } catch (error) {
    const todo = 'Give this user write access, or free disk space'
    return { about, problem: `Cannot write to ${place}: ${wordsOf(error)}`, todo }
  }
}

function schemaFinding(schema: Awaited<ReturnType<typeof schemaOf>>): Finding {
  const about = 'schema'
  if (schema === 'none')
    return { about, problem: 'The database is empty', todo: 'Start the service, or check DATABASE_URL' }
  if (schema === 'older')
    return {
      about,
      problem: 'The database schema is from an older version of Cadre',
      todo: 'Make a backup, then start the service or run "migrate"',
    }
  if (schema === 'newer')
    return {
      about,
      problem: 'The database schema is from a newer version of Cadre',
      todo: 'Install the Cadre version that migrated the database, or a later one',
    }
  return { about, detail: 'up to date' }
}

async function filesFinding({ CADRE_FILES }: Config, database: Database): Promise<Finding> {
  const about = 'files'
  const { files } = openService({ database, filesAt: CADRE_FILES })
  try {
    const notes = await files.open()
    const keys = async () => (await filesOfRecords(database, fileSources)).keys()
    if (await files.recognise(keys, { isTrial: true })) return { about, detail: [CADRE_FILES, ...notes].join('. ') }
    const [problem = '', todo = ''] = files.advice.split(/(?<=uploaded files\.) /)
    return { about, problem, todo }
  } catch (error) {
    return {
      about,
      problem: wordsOf(error),
      todo: 'Check that CADRE_FILES is correct and that this user can write to it',
    }
  }
}

async function clockFinding(config: Config, database: Database): Promise<Finding> {
  const about = 'clock'
  const todo = 'Synchronise the clock of this machine, for example with NTP'
  const ahead = await writtenAhead(openService({ database, filesAt: config.CADRE_FILES }).ledger)
  if (ahead > 0)
    return {
      about,
      problem: `The last change in the database is ${inWords(ahead)} ahead of the clock of this machine`,
      todo,
    }
  if (database.engine === 'sqlite') return { about, detail: new Date().toISOString() }
  const asked = Date.now()
  const { rows } = await database.query((on) => sql<{ now: string }>`select clock_timestamp() as now`.execute(on))
  const apart = Math.abs(new Date(rows[0]?.now ?? 0).getTime() - (asked + Date.now()) / 2)
  if (apart > MAX_SKEW)
    return {
      about,
      problem: `The clocks of this machine and of the database server differ by ${inWords(apart)}`,
      todo: `${todo}, and that of the database server`,
    }
  return { about, detail: `${new Date().toISOString()}, in sync with the database` }
}

/** Space where this machine keeps something: a database as large again must fit, for its copy or its repair. */
async function spaceFor({ DATABASE_URL, CADRE_FILES }: Config, least: number): Promise<Finding> {
  const about = 'disk space'
  const [file, folder] = [sqliteFileOf(DATABASE_URL), folderOf(CADRE_FILES)]
  const size = file === undefined ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0)
  const places = [file && dirname(file), folder].flatMap((path) => (path === undefined ? [] : [nearest(resolve(path))]))
  // Of two folders on one disk, one is enough.
  const disks = new Map(places.map((path) => [statSync(path).dev, path]))
  const found = await Promise.all(
    [...disks.values()].map(async (path) => {
      const { bavail, bsize } = await statfs(path)
      return { path, free: bavail * bsize }
    }),
  )
  const wanted = Math.max(least, size)
  const lacking = found.filter(({ free }) => free < wanted)
  const told = (some: typeof found) => some.map(({ path, free }) => `${megabytes(free)} free at ${path}`).join(', ')
  if (lacking.length > 0)
    return { about, problem: told(lacking), todo: `Free some space: at least ${megabytes(wanted)} should be available` }
  return { about, detail: told(found) || 'nothing is stored on this machine' }
}

function nearest(path: string): string {
  return existsSync(path) ? path : nearest(dirname(path))
}

const megabytes = (bytes: number) => `${Math.floor(bytes / 2 ** 20).toLocaleString('en')} MB`

const inWords = (milliseconds: number) =>
  milliseconds < 120_000 ? `${Math.round(milliseconds / 1000)} s` : `${Math.round(milliseconds / 60_000)} minutes`

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
