import type { CompiledQuery, Kysely, RawBuilder } from 'kysely'
import type { Narrowing, Overlay } from './overlay.ts'

/** Tables are declared above this floor, so the types of statements cannot know them; tests hold them to the schema. */
export type Sql = Kysely<any>

/** A database, whichever engine it is. Everything that differs between the engines is behind this. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres'
  /** Runs reads that all see one state of the data. */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Runs a single statement that reads. */
  glance<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /**
   * A number that is another one as soon as anything was committed since, by whichever process; undefined where only a
   * statement could tell.
   */
  mark(): number | undefined
  /** Runs writes as one transaction; resolves once they are on disk. Work that is abandoned before it began is not done. */
  write<T>(work: (sql: Sql) => Promise<T>, isAbandoned?: () => boolean): Promise<T>
  /** Runs work while no other process runs work this way: for migrations. */
  exclusively<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** The same statement, in which rows of tables are others than they are. */
  overlaid<R>(
    statement: CompiledQuery<R>,
    overlays: readonly Overlay[],
    narrowings?: readonly Narrowing[],
  ): CompiledQuery<R>
  /** The text under a name in a column that holds a JSON object. */
  textIn(column: string, name: string): RawBuilder<string | null>
  /** Turns portable DDL into this engine's. */
  ddl(statement: string): string
  /** Lets the planner look at the data: after a bulk load it would otherwise guess. */
  analyse(): Promise<void>
  /** Leaves nothing behind of what was deleted from these tables, as far as the engine allows. */
  scrub(tables: readonly string[]): Promise<void>
  backup(file: string): Promise<void>
  close(): Promise<void>
  /** Called with every statement that is run. */
  onStatement: ((statement: string, parameters: readonly unknown[]) => void) | undefined
}

/** The database cannot be reached, or gave up on the work: nothing the caller did, and worth another try. */
export class DatabaseUnavailable extends Error {
  /** There is no space left: the work can be done when somebody has made some. */
  readonly isFull: boolean

  constructor(message: string, { cause, isFull = false }: { cause?: unknown; isFull?: boolean } = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.isFull = isFull
  }
}

/** Does a constraint of the schema stand against what was to be stored? SQLite says 19, PostgreSQL a class of codes. */
export function isAgainstSchema(error: unknown): boolean {
  const { errcode, code } = (error ?? {}) as { errcode?: number; code?: unknown }
  return (Number(errcode) & 0xff) === 19 || /^23\d{3}$/.test(String(code))
}
