import { CompiledQuery, type Kysely, type LogEvent, type RawBuilder } from 'kysely'
import type { Compiled } from './compile.ts'
import type { Overlay, TableFilter } from './overlay.ts'

/** Tables are declared above this floor, so the types of statements cannot know them; tests hold them to the schema. */
export type Sql = Kysely<any>

/** A database, whichever engine it is. Everything that differs between the engines is behind this. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres'
  /** Runs reads that all see one state of the data. They may be begun anew elsewhere. */
  read<T>(work: (sql: Sql, isFollowing?: boolean) => Promise<T>, how?: Reading): Promise<T>
  /** Runs a single statement that reads. */
  glance<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /**
   * A number that is another one as soon as anything was committed since, by whichever process; undefined where only a
   * statement could tell.
   */
  mark(): number | undefined
  /**
   * Another number after the database could not be reached: it may be another one since, which lacks the last writes. What
   * was read before is not believed any more.
   */
  generation(): number
  /** In a statement: which server answers it, since when. Behind a pooler that may be another one from one to the next. */
  readonly here: RawBuilder<string>
  /** Runs writes, all or nothing; resolves once they are on disk. */
  write<T>(work: (sql: Sql) => Promise<T>, how?: Writing): Promise<T>
  /** Runs work while no other process runs work this way: for migrations. */
  exclusively<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Rows to stand in for others, where the engine finds them best: for what is read on this connection by now. */
  laidOut(on: Sql, overlay: Overlay): Promise<Overlay>
  /** The same statement, in which rows of tables are others than they are. */
  overlaid<R>(statement: Compiled<R>, overlays: readonly Overlay[], filters?: readonly TableFilter[]): Compiled<R>
  /** The text under a name in a column that holds a JSON object. */
  textIn(column: string, name: string): RawBuilder<string | null>
  /** Numbers, however many, to be looked for with `in`: one parameter. */
  numbers(all: readonly number[]): RawBuilder<number>
  /** How many days there are from one day to another, each a part of a statement. */
  daysBetween(from: RawBuilder<string>, to: RawBuilder<string>): RawBuilder<number>
  /** The ids that a statement selects, with commas between. */
  idsIn(on: Sql, statement: CompiledQuery<any>): Promise<string>
  /** Turns portable DDL into this engine's. */
  ddl(statement: string): string
  /** Lets the planner look at the data: after a bulk load it would otherwise guess. */
  analyse(): Promise<void>
  /** Leaves nothing behind of what was deleted from these tables, as far as the engine allows. */
  scrub(tables: readonly string[]): Promise<void>
  backup(file: string): Promise<void>
  close(): Promise<void>
  /** How busy it is at this moment. */
  load(): Load
  /** Was a write refused a moment ago, as there was no space, and none of its kind stored since? */
  isFull(): boolean
  /** Those who look on while the service runs, for as long as they like. */
  readonly watchers: Set<Watcher>
  /** Told of every statement that was run, how many milliseconds it took, and the tables that a reader's query declares. */
  onRun: ((statement: string, milliseconds: number, tables?: ReadonlySet<string>) => void) | undefined
  /** The same with its parameters, for whoever wants to see all that there is: meanwhile nothing is answered from memory. */
  onStatement: ((statement: string, parameters: readonly unknown[]) => void) | undefined
}

export type Reading = {
  /** Where there are copies that follow the database, they are read if this says that one has all that is asked for. */
  readonly isRecent?: ((sql: Sql) => Promise<boolean>) | undefined
  /** It may take long, and others go on meanwhile. */
  readonly isLong?: boolean | undefined
  /** The account whose records are read: no single one takes all connections. */
  readonly of?: number | undefined
  /** Work that is abandoned before it began is not done. */
  readonly isAbandoned?: (() => boolean) | undefined
}

export type Writing = {
  /** Work that is abandoned before it began is not done. */
  readonly isAbandoned?: (() => boolean) | undefined
  /** Work that would wait for other work of the same number anyway: what waits together shares a commit. */
  readonly inTurn?: number
  /** Work that looks at what is on disk only: nobody else's that is still to be committed. */
  readonly isOwn?: boolean
}

/** What looks at single rows: the database, or a transaction of it. */
export type Glancing = Pick<Database, 'glance' | 'generation' | 'here'>

/** Connections of a process, and how many pieces of work wait for which thing. */
export type Load = {
  most: number
  busy: number
  idle: number
  waiting: Readonly<Record<string, number>>
  /** Copies that follow the database, in the order in which they were named. */
  replicas?: readonly ReplicaLoad[]
}

/** Connections to a copy, and what became of the reads whose turn was there. */
export type ReplicaLoad = { busy: number; idle: number; reads: Readonly<Record<'answered' | Uselessness, number>> }

/** Why a copy is not read: it lacks what is asked for, or is none of this database; it cannot be reached; or has to do. */
export type Uselessness = 'behind' | 'other_history' | 'away' | 'busy'

/** Told within the work that it is about, so that it can be known whose that is. */
export type Watcher = {
  /** A statement was run, in so many milliseconds; what it was run with is nobody's business. */
  readonly ran: (statement: string, milliseconds: number) => void
  /** Work has waited for so many milliseconds until it could begin. */
  readonly waited: (work: 'read' | 'write', milliseconds: number) => void
}

/** Tells whoever wants to know of statements. */
export function noteRun({ onRun, onStatement, watchers }: Database, { query, queryDurationMillis }: LogEvent): void {
  onStatement?.(query.sql, query.parameters)
  const { tables, undeclared } = query as Partial<Compiled>
  onRun?.(query.sql, queryDurationMillis, undeclared === undefined ? tables : undefined)
  for (const { ran } of watchers) ran(query.sql, queryDurationMillis)
}

/** Runs work, and tells those who look on how long it waited: until it began, or in vain. */
export function timed<T, Work extends (sql: Sql, isFollowing?: boolean) => Promise<T>>(
  { watchers }: Database,
  kind: 'read' | 'write',
  work: Work,
  run: (work: Work) => Promise<T>,
): Promise<T> {
  if (watchers.size === 0) return run(work)
  const asked = performance.now()
  let isWaiting = true
  const end = () => {
    if (isWaiting) for (const { waited } of watchers) waited(kind, performance.now() - asked)
    isWaiting = false
  }
  const begun = (sql: Sql, isFollowing?: boolean) => {
    end()
    return work(sql, isFollowing)
  }
  return run(begun as Work).finally(end)
}

/** The one text that is selected from what a statement selects; empty when there is none. */
export async function textOf(on: Sql, select: string, { sql, parameters }: CompiledQuery<any>): Promise<string> {
  const whole = CompiledQuery.raw(`${select} from (${sql}) as found`, [...parameters])
  const { rows } = await on.executeQuery<{ text: string | null }>(whole)
  return rows[0]?.text ?? ''
}

/** The database cannot be reached, or gave up on the work: nothing the caller did, and worth another try. */
export class DatabaseUnavailable extends Error {
  /** There is no space left: the work can be done when somebody has made some. */
  readonly isFull: boolean
  /** What callers are told, where it is not that the database is away. */
  readonly told: string | undefined

  constructor(
    message: string,
    { cause, isFull = false, told }: { cause?: unknown; isFull?: boolean; told?: string | undefined } = {},
  ) {
    super(message, cause === undefined ? {} : { cause })
    this.isFull = isFull
    this.told = told
  }
}

/** The database does not support a statement, whatever it is tried on and however often: what it says of that. */
export class Unsupported extends Error {
  constructor(cause: { message?: string; detail?: string; hint?: string }) {
    const said = [cause.message, cause.detail, cause.hint].filter(Boolean).join('. ')
    super(`The database does not support this statement: ${said}`, { cause })
  }
}

export const TOO_LONG = 'The database took too long. Request less data at once, or try again later.'

/** How long it is remembered that there was no space. */
const REMEMBERED = 15_000

/** Remembers writes that were refused as there was no space: smaller ones may still find some. */
export class Space {
  #lackedAt = Number.NEGATIVE_INFINITY

  get isLacking(): boolean {
    return performance.now() - this.#lackedAt < REMEMBERED
  }

  async noting<T>(write: Promise<T>): Promise<T> {
    try {
      const result = await write
      this.#lackedAt = Number.NEGATIVE_INFINITY
      return result
    } catch (error) {
      if (error instanceof DatabaseUnavailable && error.isFull) this.#lackedAt = performance.now()
      throw error
    }
  }
}

/** What is to be read cannot be read from a copy: it is read from the database itself. */
export class NotHere extends Error {}

/** Does a constraint of the schema stand against what was to be stored? SQLite says 19, PostgreSQL a class of codes. */
export function isAgainstSchema(error: unknown): boolean {
  const { errcode, code } = (error ?? {}) as { errcode?: number; code?: unknown }
  return (Number(errcode) & 0xff) === 19 || /^23\d{3}$/.test(String(code))
}

/** Nobody waits for it any more, so it was not begun. */
export class Abandoned extends DatabaseUnavailable {
  constructor() {
    super('The caller has disconnected, or the request has timed out')
  }
}
