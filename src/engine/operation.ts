import type { Readable } from 'node:stream'
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { Caller } from '../records/caller.ts'
import type { Ledger } from '../records/ledger.ts'
import type { Reader } from '../records/reader.ts'
import type { Writer } from '../records/write.ts'
import { type FieldProblem, refuse } from './problem.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One operation of the service. Routes, the OpenAPI document and tests are generated from the list of all operations. */
export type Operation = {
  readonly id: string
  readonly method: Method
  /** `/books/{id}`, relative to the API prefix; `/api/…` for operations outside that prefix. */
  readonly path: string
  readonly summary: string
  /** Further explanation for the reference. */
  readonly note: string | null
  readonly area: string
  /** The permission that a caller needs; null: anybody may call. */
  readonly permission: string | null
  readonly params: TObject
  readonly query: TObject
  readonly body: TObject | null
  /** Body fields that clients often send in the query. The query may hold any body field; the reference lists these. */
  readonly inQuery?: readonly string[]
  /** The body may hold names beyond the schema. The handler marks those that it used. */
  readonly open: boolean
  readonly status: 200 | 201 | 204
  readonly answer: TObject | null
  /**
   * It returns a page of a feed: `data` after `since`, and `metadata` with `last`, the number up to which the page is
   * complete. Surfaces wait for more, for `wait` seconds or as long as the client listens. They continue from `last` and
   * drop a `hash` that the client sent with `since`.
   */
  readonly isFeed?: boolean
  /** It may read more than a page of records, always or with one of these parameters. It runs apart from other reads, so they do not wait. */
  readonly takesLong?: boolean | readonly string[]
  /** The media type, if the response is a file. */
  readonly attaches?: string
  /** It shows records of several resources. What it shows of each depends on the caller's permission to read that resource, not on this operation's. */
  readonly multiResource?: boolean
  /** Its handler checks the access scope itself, for the records that it names and those that it changes. */
  readonly checksScopeItself?: boolean
  /** The table of the records that it is about, if its path does not name one of them. */
  readonly kind?: string
  /** The field group that it is about. Callers who cannot see the group may not call it. */
  readonly group?: string
  /** Conflicts that this operation can cause, for the reference. */
  readonly conflicts: string | null
  /** The columns that its filters use. Each of them has an index: `books.author_id`. */
  readonly indexedColumns: readonly string[]
  /** Names that look like filters of this list, besides the fields that it shows. */
  readonly asksBy?: readonly string[]
  /** The columns that it can be sorted by. Each of them has an index. */
  readonly sortsBy: readonly string[]
  /** Its handler adds problems to those of the query and refuses all of them together. */
  readonly gathersQuery?: boolean
  /** Checks the records in the path before the body is read, and refuses requests that cannot succeed. */
  readonly precheck?: (call: Pick<Call<Reader>, 'db' | 'params' | 'query'>) => Promise<void>
  /** Runs before a write takes the account's write lock, for slow work. Its result is `preparation` of the call. */
  readonly prepare?: (call: PrepareCall) => Promise<any>
  /**
   * It handles secrets: no response is stored for retries, there is no dry run, and browsers may call it only from the
   * service's own pages.
   */
  readonly guarded?: boolean
  /** Anybody may call it. It runs in the account of the session in the browser's cookie. */
  readonly endsSession?: boolean
  readonly handle: (call: Call) => Promise<Answer>
  /** What a dry run shows besides the changes. */
  readonly effects?: Effects
  /** Copies a response without its secrets: to store it for retries, or to show it in a dry run. */
  readonly redact?: Redact
}

/** What follows from a write without being stored, such as balances. */
export type Effects = {
  readonly schema: TObject
  /**
   * Runs at the end of a dry run and reads what the write would leave. `written` is the response. What it returns runs after the
   * rollback, in a read with the caller's access scope. `isGone` tells whether nobody waits for the response any more.
   */
  readonly begin: (
    call: Omit<Call<Writer>, 'files'>,
    written: any,
  ) => Promise<(db: Reader, isGone: () => boolean) => Promise<object>>
}

type Redact = (body: any, why: 'stored' | 'dry-run') => unknown

/** The store of uploaded files. The key of a file is the hash of its content. */
export interface Files {
  /** A separate part of the store. */
  in(part: string): Files
  /** Saves the bytes; they are on disk when it resolves. */
  save(bytes: Buffer): Promise<string>
  /** Copies a file from another part; false if it is not there. */
  copy(hash: string, from: string): Promise<boolean>
  has(hash: string): Promise<boolean>
  read(hash: string): Promise<{ size: number; stream: Readable } | undefined>
}

/** Gives operations access to files. A file that a write saves is removed if the write fails. */
export interface FileKeeper {
  during(db: Writer): Files
  /** Access for reads. */
  forReading(): Files
  /** Access for dry runs: a saved file gets its hash but is not stored. */
  forDryRun(): Files
  /**
   * Uploads the files of a request before its write starts, if the store is remote. Call `cleanUp` in the end. After a failed
   * write, `shouldRetry` waits for a short disturbance to end and tells whether to try again.
   */
  upload(
    sent: readonly unknown[],
  ): Promise<FileKeeper & { cleanUp(): Promise<void>; shouldRetry(error: unknown): Promise<boolean> }>
}

/** A file as a response. Its content is read after the transaction. */
export type Attachment = { name: string; content: () => Readable }

/**
 * One call of an operation as its handler sees it. Everything is validated, but `problems` may hold problems of body fields,
 * or of query parameters if the operation gathers them. The types follow from the operation's schemas; in the list of all
 * operations they are any.
 */
export type Call<DB = any, P = any, Q = any, B = any> = {
  db: DB
  params: P
  query: Q
  body: B
  problems: FieldProblem[]
  /** Fields of an open body beyond its schema. */
  extra: Record<string, unknown>
  /** Names in the request that nothing has used so far. The handler of an open operation removes those that it used. */
  ignored: Set<string>
  files: Files
  /** The result of the operation's `prepare`. */
  preparation?: any
}

/** A call as `prepare` sees it. It has no transaction: `prepare` opens its own reads and writes. */
export type PrepareCall<P = any, Q = any, B = any> = {
  ledger: Ledger
  caller: Caller
  params: P
  query: Q
  body: B
}

/** Cookies to set, by name, with their lifetime; null deletes a cookie. */
export type Keeping = Readonly<Record<string, { value: string; seconds: number } | null>>

/** What a handler returns: a body or a file, and the path of a new record. */
export type Answer = { body?: unknown; file?: Attachment; location?: string; keep?: Keeping }

type Given<S> = S extends TSchema ? Static<S> : Record<string, never>
type Handle<M, P, Q, B, A> = (
  call: Call<M extends 'GET' ? Reader : Writer, Given<P>, Given<Q>, Given<B>> & { preparation: A },
) => Promise<Answer>

/** A handwritten operation. Its handler runs only if the body has no problems, unless the operation gathers them. */
export function operation<
  const M extends Method,
  P extends TObject,
  Q extends TObject,
  B extends TObject,
  A = undefined,
>(
  spec: {
    id: string
    method: M
    path: string
    summary: string
    note?: string
    area: string
    permission?: string | null
    params?: P
    query?: Q
    body?: B
    open?: boolean
    status?: 200 | 201 | 204
    answer?: TObject
    isFeed?: boolean
    takesLong?: boolean | readonly string[]
    attaches?: string
    multiResource?: boolean
    checksScopeItself?: boolean
    group?: string
    conflicts?: string
    indexedColumns?: readonly string[]
    precheck?: NonNullable<Operation['precheck']>
    prepare?: (call: PrepareCall<Given<P>, Given<Q>, Given<B>>) => Promise<A>
    guarded?: boolean
    endsSession?: boolean
    kind?: string
    redact?: Redact
    gathersQuery?: boolean
    /** The handler also runs if the body has problems. It adds its own and refuses all of them together. */
    gathers?: boolean
  },
  handle: Handle<M, P, Q, B, A>,
): Operation {
  const verb = spec.method === 'GET' ? 'read' : 'write'
  const nothing = () => Type.Object({}) as TObject
  return {
    id: spec.id,
    method: spec.method,
    path: spec.path,
    summary: spec.summary,
    note: spec.note ?? null,
    area: spec.area,
    permission: spec.permission === undefined ? `${spec.area}:${verb}` : spec.permission,
    params: spec.params ?? nothing(),
    query: spec.query ?? nothing(),
    body: spec.body ?? null,
    open: spec.open ?? false,
    status: spec.status ?? (spec.answer || spec.attaches ? 200 : 204),
    answer: spec.answer ?? null,
    conflicts: spec.conflicts ?? null,
    indexedColumns: spec.indexedColumns ?? [],
    sortsBy: [],
    ...(spec.isFeed ? { isFeed: true } : {}),
    ...(spec.takesLong ? { takesLong: spec.takesLong } : {}),
    ...(spec.attaches ? { attaches: spec.attaches } : {}),
    ...(spec.multiResource ? { multiResource: true } : {}),
    ...(spec.checksScopeItself ? { checksScopeItself: true } : {}),
    ...(spec.group ? { group: spec.group } : {}),
    ...(spec.precheck ? { precheck: spec.precheck } : {}),
    ...(spec.prepare ? { prepare: spec.prepare } : {}),
    ...(spec.guarded ? { guarded: true } : {}),
    ...(spec.endsSession ? { endsSession: true } : {}),
    ...(spec.kind ? { kind: spec.kind } : {}),
    ...(spec.redact ? { redact: spec.redact } : {}),
    ...(spec.gathersQuery ? { gathersQuery: true } : {}),
    async handle(call) {
      if (!spec.gathers && !spec.gathersQuery) refuse(call.problems)
      return handle(call as typeof call & { preparation: A })
    },
  }
}

/** The same operation with another permission. */
export const allowed = (permission: string, same: Operation): Operation => ({ ...same, permission })

/** An alias of an operation at another path, for existing clients. */
export const alsoAt = (same: Operation, path: string, suffix: string): Operation => ({
  ...same,
  id: `${same.id}${suffix}`,
  path,
  note: [`Alias of \`${same.method} ${same.path}\`, kept for existing clients.`, same.note].filter(Boolean).join(' '),
})
