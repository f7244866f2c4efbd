import type { Readable } from 'node:stream'
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { Caller } from '../ledger/caller.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import { type FieldProblem, refuse } from './problem.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One operation of the service, whole: interpreters turn the list of them into routes, documents and tests. */
export type Operation = {
  readonly id: string
  readonly method: Method
  /** `/books/{id}`, below the interface's prefix; `/api/…` where it stands in an interface of its own. */
  readonly path: string
  readonly summary: string
  /** More about it, for those who read the reference. */
  readonly note: string | null
  readonly area: string
  /** What a caller must hold; null: anybody may call. */
  readonly permission: string | null
  readonly params: TObject
  readonly query: TObject
  readonly body: TObject | null
  /** Fields of the body that clients are known to send in the query: any may be, these are told of. */
  readonly inQuery?: readonly string[]
  /** Bodies may hold names beyond the schema, which the handler marks as used. */
  readonly open: boolean
  readonly status: 200 | 201 | 204
  readonly answer: TObject | null
  /**
   * Its answer is a stretch of something that goes on: `data` of what is after `since`, and `metadata` with the `last`
   * number up to which it is complete. Surfaces wait for more, for `wait` seconds or for as long as somebody listens;
   * they go on from `last`, with which a `hash` that came with `since` has nothing to do.
   */
  readonly goesOn?: boolean
  /** It may look at more than a page of records, always or with one of these parameters: it is read aside, so that others go on meanwhile. */
  readonly takesLong?: boolean | readonly string[]
  /** The media type of the file that it answers with, in place of an answer. */
  readonly attaches?: string
  /** It tells of kinds of records by what a caller may read of each, whatever its own permission. */
  readonly crosses?: boolean
  /** Its handler holds what it names and changes against the caller's reach by itself. */
  readonly reachesItself?: boolean
  /** The table of the records that it is about, where its path does not name one of them. */
  readonly kind?: string
  /** The group of data that it is about: a caller from whom that is withheld may not call it. */
  readonly group?: string
  /** Failures besides those that any operation can have. */
  readonly conflicts: string | null
  /** The columns that its filters look at, each of which has an index: `books.author_id`. */
  readonly looksAt: readonly string[]
  /** Names that look like filters of a list, besides those of what it shows. */
  readonly asksBy?: readonly string[]
  /** The columns that it can be sorted by, each of which has an index. */
  readonly sortsBy: readonly string[]
  /** Its handler adds problems of its own to those of the query, and refuses them all at once. */
  readonly gathersQuery?: boolean
  /** Looks at what the path names before the body is read, and refuses what cannot succeed. */
  readonly look?: (call: Pick<Call<Reader>, 'db' | 'params' | 'query'>) => Promise<void>
  /** Does what takes long and needs no turn, before a write takes one: its result is the call's `ahead`. */
  readonly ahead?: (call: Ahead) => Promise<any>
  /**
   * It takes or gives secrets: nothing of it is kept for retries, it is done or not but never tried, and a browser may
   * call it from the service's own pages only.
   */
  readonly guarded?: boolean
  /** Anybody may call it, and it is for the account of the session that their browser keeps. */
  readonly endsSession?: boolean
  readonly handle: (call: Call) => Promise<Answer>
  /** Makes a copy of an answer without secrets: to be kept for retries, and to be shown when a write was only tried. */
  readonly redact?: Redact
}

type Redact = (body: any, why: 'kept' | 'tried') => unknown

/** Where operations keep uploaded bytes, under the hash of their content. */
export interface Files {
  /** A part of the store that knows nothing of the others. */
  in(part: string): Files
  /** Keeps the bytes; when it resolves they are on disk. */
  save(bytes: Buffer): Promise<string>
  /** Keeps what another part has under a hash; false, if that is not there. */
  copy(hash: string, from: string): Promise<boolean>
  has(hash: string): Promise<boolean>
  read(hash: string): Promise<{ size: number; stream: Readable } | undefined>
}

/** Where files are kept: what a write saves there lasts only if the write does. */
export interface FileKeeper {
  during(db: Writer): Files
  /** The same for those who only read. */
  forReading(): Files
  /** The same for writes that are only tried: what they save gets its hash, and is not kept. */
  forTrying(): Files
  /**
   * Where bytes are long on their way, those of a request go there before its turn; `leave` ends that. When a write has failed,
   * `mended` waits for what is over in a moment, and says whether it should be tried once more.
   */
  bring(
    sent: readonly unknown[],
  ): Promise<FileKeeper & { leave(): Promise<void>; mended(error: unknown): Promise<boolean> }>
}

/** A file that an operation answers with; its content is read when nothing holds up others any more. */
export type Attachment = { name: string; content: () => Readable }

/**
 * One call of an operation as its handler sees it: everything checked, except that `problems` may name fields of the
 * body, or parameters of the query where the operation gathers them. What the parts hold follows from the operation's schemas; in the list of all operations they are any.
 */
export type Call<DB = any, P = any, Q = any, B = any> = {
  db: DB
  params: P
  query: Q
  body: B
  problems: FieldProblem[]
  /** What the body of an open operation holds beyond its schema. */
  extra: Record<string, unknown>
  /** Names in the request that nothing has made use of; a handler of an open operation takes out what it used. */
  ignored: Set<string>
  files: Files
  /** What was done before the turn was taken. */
  ahead?: any
}

/** A call before its turn: whoever works ahead opens reads and writes of their own. */
export type Ahead<P = any, Q = any, B = any> = {
  ledger: Ledger
  caller: Caller
  params: P
  query: Q
  body: B
}

/** What the caller's side is to keep and to send with what it calls from then on, and for how long; null: no more. */
export type Keeping = Readonly<Record<string, { value: string; seconds: number } | null>>

/** What a handler gives back: the body or a file, and where a new record is, as paths of operations are. */
export type Answer = { body?: unknown; file?: Attachment; location?: string; keep?: Keeping }

type Given<S> = S extends TSchema ? Static<S> : Record<string, never>
type Handle<M, P, Q, B, A> = (
  call: Call<M extends 'GET' ? Reader : Writer, Given<P>, Given<Q>, Given<B>> & { ahead: A },
) => Promise<Answer>

/** An operation written by hand. Its handler runs only when the body has no problems, unless it gathers them. */
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
    goesOn?: boolean
    takesLong?: boolean | readonly string[]
    attaches?: string
    crosses?: boolean
    reachesItself?: boolean
    group?: string
    conflicts?: string
    looksAt?: readonly string[]
    look?: NonNullable<Operation['look']>
    ahead?: (call: Ahead<Given<P>, Given<Q>, Given<B>>) => Promise<A>
    guarded?: boolean
    endsSession?: boolean
    kind?: string
    redact?: Redact
    gathersQuery?: boolean
    /** The handler runs although the body has problems, adds its own to them, and refuses them all at once. */
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
    looksAt: spec.looksAt ?? [],
    sortsBy: [],
    ...(spec.goesOn ? { goesOn: true } : {}),
    ...(spec.takesLong ? { takesLong: spec.takesLong } : {}),
    ...(spec.attaches ? { attaches: spec.attaches } : {}),
    ...(spec.crosses ? { crosses: true } : {}),
    ...(spec.reachesItself ? { reachesItself: true } : {}),
    ...(spec.group ? { group: spec.group } : {}),
    ...(spec.look ? { look: spec.look } : {}),
    ...(spec.ahead ? { ahead: spec.ahead } : {}),
    ...(spec.guarded ? { guarded: true } : {}),
    ...(spec.endsSession ? { endsSession: true } : {}),
    ...(spec.kind ? { kind: spec.kind } : {}),
    ...(spec.redact ? { redact: spec.redact } : {}),
    ...(spec.gathersQuery ? { gathersQuery: true } : {}),
    async handle(call) {
      if (!spec.gathers && !spec.gathersQuery) refuse(call.problems)
      return handle(call as typeof call & { ahead: A })
    },
  }
}

/** The same operation, for which something else must be held. */
export const allowed = (permission: string, same: Operation): Operation => ({ ...same, permission })

/** The same operation at another address, by which some clients know it: a spelling of old, say. */
export const alsoAt = (same: Operation, path: string, suffix: string): Operation => ({
  ...same,
  id: `${same.id}${suffix}`,
  path,
  note: [`Alias of \`${same.method} ${same.path}\`, kept for existing clients.`, same.note].filter(Boolean).join(' '),
})
