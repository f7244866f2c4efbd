import { type LogEvent, sql } from 'kysely'
import {
  Abandoned,
  type Database,
  DatabaseUnavailable,
  noteRun,
  Space,
  TOO_LONG,
  textOf,
  timed,
  Unsupported,
} from './database.ts'
import { type OverlayDialect, overlaid } from './overlay.ts'
import {
  beginning,
  begun,
  Follows,
  glance,
  type Line,
  look,
  NoneOfThem,
  type Patience,
  type Pooler,
  postgresAt,
  Servers,
  store,
} from './postgres-servers.ts'
import { FOLLOWING, Replicas } from './replicas.ts'
import { Slots } from './slots.ts'
import { listedIn, POSTGRES } from './statements.ts'
import { Together } from './together.ts'

/** An arbitrary constant that all processes of this service agree on. */
const MIGRATION_LOCK = 70_237_001

const DISK_FULL = '53100'
const CANCELLED = '57014'
const TAKES_NO_WRITES = '25006'
const NOT_SUPPORTED = '0A000'

/** Tables are others than a connection knows: it says so with the code for what is not supported. */
const isOfOtherTables = ({ code, routine }: ServerError) =>
  code === NOT_SUPPORTED && routine === 'RevalidateCachedQuery'

type ServerError = { code?: string; routine?: string; message?: string; severity?: string }

/** An expression does not see itself: in it, the name is the table's. */
const OVERLAYS: OverlayDialect = {
  table: (name) => name,
  day: (parameter) => `cast(${parameter} as date)`,
  column: (name) => name,
  numbers: (parameter) => `select value::bigint from json_array_elements_text(cast(${parameter} as json))`,
  rows: (table, parameter) => `json_populate_recordset(null::${table}, cast(${parameter} as json))`,
  field: (name) => `"${name}"`,
  numbered: true,
}

export type PostgresOptions = {
  readonly connections: number
  /** What stands between us and the server. */
  readonly pooler?: Pooler
  /** Addresses of servers that follow this one. */
  readonly replicas?: readonly string[]
}

export function openPostgres(
  address: string,
  { connections, pooler = 'none', replicas: followers = [] }: PostgresOptions,
): Database {
  let generation = 0
  const log = (event: LogEvent) => noteRun(self, event)
  const servers = new Servers(address, { connections, pooler, log, onLoss: () => void generation++ })
  const identity = async () => (await self.glance((on) => FOLLOWING.execute(on))).rows[0]?.system ?? ''
  const replicas = new Replicas(followers, { connections, pooler, log }, identity)
  const slots = new Slots(connections)
  const reading = beginning(pooler, 'isolation level repeatable read read only')
  const writing = beginning(pooler, '')
  const migrating = beginning(pooler, '', { lock_timeout: 0, statement_timeout: 0 })

  const space = new Space()
  let hasBeenThere = false
  const line = async (patience?: Patience) => {
    try {
      const line = await servers.line(patience)
      hasBeenThere = true
      return line
    } catch (error) {
      // Who was let in before, and is refused now, waits until that is mended.
      if (hasBeenThere) throw new DatabaseUnavailable(String(error), { cause: error })
      throw error
    }
  }

  /** Work with a connection to the server that takes writes. */
  async function there<T>(work: (line: Line) => Promise<T>, patience?: Patience): Promise<T> {
    try {
      return await work(await line(patience))
    } catch (error) {
      throw outage(error)
    }
  }

  /** What the server is to blame for, and what is to be done about it. */
  function outage(error: unknown): unknown {
    if (error instanceof DatabaseUnavailable) return error
    const said = (error ?? {}) as ServerError
    const { code } = said
    // Another one took over, and this one follows it now; or tables are others than its connections know.
    if (code === TAKES_NO_WRITES || isOfOtherTables(said)) {
      servers.hasChanged()
      generation++
    }
    if (code === NOT_SUPPORTED && !isOfOtherTables(said)) return new Unsupported(said)
    const isFull = code === DISK_FULL
    const words = code === TAKES_NO_WRITES ? `${postgresAt(address)} is a read-only standby` : String(error)
    const told = code === CANCELLED ? TOO_LONG : undefined
    return isOutage(error) ? new DatabaseUnavailable(words, { cause: error, isFull, told }) : error
  }

  /** Those who write in the same turn, while there are any. */
  const queues = new Map<number, Together>()

  function queueOf(turn: number): Together {
    const known = queues.get(turn)
    if (known) return known
    const begin = async () => begun(await line(), writing)
    const queue = new Together({ begin, outage, whenIdle: () => queues.delete(turn) })
    queues.set(turn, queue)
    return queue
  }

  const self: Database = {
    engine: 'postgres',
    onRun: undefined,
    onStatement: undefined,
    watchers: new Set(),
    load() {
      const { waiting, ...load } = servers.load()
      const write = [...queues.values()].reduce((sum, queue) => sum + queue.waiting, 0)
      return { ...load, waiting: { ...waiting, read: slots.waiting, write }, replicas: replicas.load() }
    },
    read: (work, { isRecent, isLong, of, isAbandoned } = {}) =>
      timed(self, 'read', work, async (begun) => {
        const elsewhere = isRecent && (await replicas.read(reading, isRecent, begun, isOutage))
        if (elsewhere) return elsewhere.value
        return slots.use({ of, isLong }, async () => {
          if (isAbandoned?.()) throw new Abandoned()
          return there((line) => look(line, reading, begun))
        })
      }),
    isFull: () => space.isLacking,
    mark: () => undefined,
    generation: () => generation,
    here: sql`pg_postmaster_start_time()::text`,
    glance: (work) => there((line) => glance(line, work), 'short'),
    write: (work, { isAbandoned, inTurn } = {}) =>
      timed(self, 'write', work, (begun) => {
        if (inTurn !== undefined) return space.noting(queueOf(inTurn).add(begun, isAbandoned))
        return there((line) => {
          if (!isAbandoned?.()) return store(line, writing, begun)
          line.done()
          throw new Abandoned()
        })
      }),
    exclusively: (work) =>
      there(
        (line) =>
          store(line, migrating, async (on) => {
            // Another process may be migrating a large table: wait for as long as it takes.
            await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(on)
            return work(on)
          }),
        'endless',
      ),
    laidOut: async (_on, overlay) => overlay,
    overlaid: (statement, overlays, filters) => overlaid(OVERLAYS, statement, overlays, filters),
    textIn: (column, name) => sql`(${sql.ref(column)}::json ->> ${sql.lit(name)})`,
    numbers: (all) => listedIn(POSTGRES, true, JSON.stringify(all)),
    daysBetween: (from, to) => sql`(cast(${to} as date) - cast(${from} as date))`,
    idsIn: (on, statement) => textOf(on, "select string_agg(id::text, ',') as text", statement),
    ddl: (statement) => statement,
    analyse: () => there((line) => glance(line, async (on) => void (await sql`analyze`.execute(on)))),
    // Frees the places of dead rows for the next ones; what the log and its copies keep, only time takes away.
    async scrub(tables) {
      for (const table of tables)
        await there((line) => glance(line, (on) => sql`vacuum ${sql.table(table)}`.execute(on)))
    },
    backup: () =>
      Promise.reject(
        new Error('"backup" is for SQLite only. Back up PostgreSQL with its own tools, for example pg_dump'),
      ),
    async close() {
      for (const queue of queues.values()) await queue.drained()
      await Promise.all([servers.close(), replicas.close()])
    },
  }
  return self
}

/** Lost or refused connections, a server that is starting or stopping, time-outs, and orders to try again. */
function isOutage(error: unknown): boolean {
  if (error instanceof Follows) return true
  // Waiting does not mend a wrong password, whatever the others say.
  if (error instanceof NoneOfThem) return error.problems.every(isOutage)
  const said = (error ?? {}) as ServerError
  const { code = '', message = '', severity } = said
  if (/^(08|53|57|40|55P03|25P0[23]|25006)/.test(code) || isOfOtherTables(said)) return true
  if (/^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOENT)/.test(code)) return true
  // What the server says has a code; its words may repeat what somebody sent, as those of our own errors do.
  if (severity !== undefined || (error as Error | null)?.constructor !== Error) return false
  return WORDS_OF_DRIVER.test(message)
}

const WORDS_OF_DRIVER =
  /^(Connection terminated( unexpectedly| due to connection timeout)?|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable)$/
