import { createHash } from 'node:crypto'
import type { TObject } from 'typebox'
import { type Caller, grantsInWords, nameOf } from '../ledger/caller.ts'
import { type Entry, entriesOf } from '../ledger/entries.ts'
import type { Footing } from '../ledger/footing.ts'
import { type Ledger, readAs, rehearseAs, writeAs } from '../ledger/ledger.ts'
import { like, type Reader } from '../ledger/reader.ts'
import type { ReadLog } from '../ledger/reads.ts'
import { recall, remember, standsSince } from '../ledger/retries.ts'
import { lastOf, type Turn } from '../ledger/turn.ts'
import type { Writer } from '../ledger/write.ts'
import { AccessScope } from './access-scope/access-scope.ts'
import { isGroupOpenedTo } from './access-scope/coverage.ts'
import type { Scopes } from './access-scope/scopes.ts'
import { isText } from './format.ts'
import type { KeptAnswers } from './kept-answers.ts'
import { didYouMean, nearest } from './nearest.ts'
import type { Call, FileKeeper, Operation } from './operation.ts'
import { hasTag, type Outcome, tagOf } from './outcome.ts'
import { permits, requirePermission } from './permission.ts'
import {
  conflict,
  type FieldProblem,
  forbidden,
  invalid,
  malformed,
  notFound,
  Problem,
  refuse,
  wrong,
} from './problem.ts'
import type { Kinds } from './protection.ts'
import { sightFollowsFrom } from './retold.ts'
import { type Checked, check, renamed } from './validate.ts'
import { isPartlyWritten, objectWriterOf, writerOf } from './written.ts'

/** The service without any way in: its operations, on a ledger. Surfaces turn what reaches them into calls of it. */
export type Service = {
  readonly operations: readonly Operation[]
  readonly ledger: Ledger
  readonly files: FileKeeper
  /** Entries of the ledger, or what would become some, as a caller may see them. */
  readonly showChanges: (db: Reader, entries: readonly Entry[]) => Promise<DryRunChanges>
  /** Of whom a grant can hold, and all kinds of records. */
  readonly scopes: Scopes
  readonly kinds: Kinds
  /** Writes with a retry key that are under way in this process. */
  readonly running: Set<string>
  /** Answers that are given again while what they were made from stands. */
  readonly answers?: KeptAnswers
  /** Where it is noted who reads what is watched over. */
  readonly reads?: Pick<ReadLog, 'note'>
}

/** Changes, and the kinds of records of which the caller may not be told all. */
type DryRunChanges = { changes: readonly object[]; omitted?: readonly string[] }

/** What a surface hands on of a request, as it was sent. */
export type Input = {
  params: unknown
  query: unknown
  /** The names of the query's parameters as they were spelled: `ids[]`. */
  spelled?: () => string[]
  body: unknown
  /** Names that nothing makes use of are refused. */
  isStrict?: boolean
  /** Tags of the record as the caller last saw it; the record must still have one of them. */
  ifMatch?: string | undefined
  /** Makes a repeated request get the first one's answer. */
  retryKey?: string | undefined
  /** A write is only tried: everything happens as it would, is told, and is taken back. */
  isTrial?: boolean
  /** Says whether nobody waits for the answer any more: then a read that has not begun is not done. */
  isGone?: () => boolean
  /** The same of a write, which is about to begin unless it is so. */
  isAbandoned?: () => boolean
  /** Takes the names that nothing made use of, also when the call fails. */
  ignored?: Set<string>
}

/** What an operation refuses by its parameters alone: a surface asks before it reads the body. */
export async function look(
  service: Service,
  operation: Operation,
  caller: Caller,
  sent: Pick<Input, 'params' | 'query' | 'spelled'>,
): Promise<void> {
  const { precheck } = operation
  if (!precheck) return
  const { params, query } = readParameters(operation, sent)
  await readAs(service.ledger, caller, async (db) =>
    precheck({ db: await narrowed(service, operation, db), params: params.values, query: query.values }),
  )
}

function readParameters(operation: Operation, sent: Pick<Input, 'params' | 'query' | 'spelled'>) {
  const params = check(operation.params, sent.params)
  const query = check(operation.query, sent.query)
  const given = Object.entries((sent.params ?? {}) as Record<string, unknown>)
  const isNumber = (name: string) => (operation.params.properties as Record<string, any>)[name]?.type !== 'string'
  // What no record can be called is not there, as anything else that is not there.
  if (
    given.some(([name, one]) => typeof one === 'string' && ((isNumber(name) && /^\d{16,}$/.test(one)) || !isText(one)))
  )
    throw notFound()
  const unreadable = onceEach(
    [...query.problems, ...notText(query.values)].map((problem) => asSent(problem, sent.spelled)),
  )
  if (params.problems.length > 0) throw malformed(params.problems)
  if (unreadable.length > 0 && !operation.gathersQuery) throw malformed(unreadable)
  return { params, query, unreadable }
}

/** A problem under the name that its parameter was sent by: `made_on[gte]` and `ids[]`, not `made_on.gte` and `ids[0]`. */
function asSent(problem: FieldProblem, spelled: Input['spelled']): FieldProblem {
  const { field, message } = problem
  const inBrackets = field.replace(/\.(\w+)/g, '[$1]')
  const stem = stemOf(inBrackets)
  const names = spelled?.().filter((name) => stemOf(name) === stem) ?? []
  // `made_on=x` stands for bounds that were not sent.
  const [name = inBrackets] = names.includes(inBrackets) ? [inBrackets] : names
  return name === field ? problem : { ...problem, field: name, message: name + message.slice(field.length) }
}

/** One value may stand for both bounds of a range: that it is wrong is said once. */
const onceEach = (problems: FieldProblem[]) => [...new Map(problems.map((one) => [one.message, one])).values()]

/** Parameters with text that no engine could look for. */
const notText = (values: Record<string, unknown>) =>
  Object.entries(values).flatMap(([name, value]) =>
    [value].flat().every((one) => typeof one !== 'string' || isText(one))
      ? []
      : [wrong(name, 'invalid', 'must be valid Unicode text without NUL characters')],
  )

/** Calls an operation on somebody's behalf: reads in one snapshot, writes in one turn, all or nothing. */
export async function call(service: Service, operation: Operation, by: Caller, input: Input): Promise<Outcome> {
  requirePermission(by, operation.permission)
  const caller = callerIn(by, operation)
  if (operation.group && caller.withheld.has(operation.group) && !isOpen(service, operation, caller))
    throw forbidden(
      `This operation needs the field group ${operation.group}, which is hidden from you. Use a role or API key that can see it.`,
    )
  const { params, query, unreadable } = readParameters(operation, input)
  refuseMisspelt(operation, input.query as Record<string, unknown>, query.ignored)
  const inQuery = bodyInQuery(operation, input, query.ignored)
  const body = operation.body
    ? check(operation.body, { ...inQuery, ...bodyOf(input.body) })
    : { values: {}, problems: unreadable, ignored: [], aliases: undefined }
  refuseWithheld(caller, operation, body.values)

  const unused = query.ignored.filter((name) => !Object.hasOwn(inQuery, name))
  const ignored = input.ignored ?? new Set<string>()
  for (const name of [...unused, ...body.ignored]) ignored.add(name)
  if (operation.method === 'DELETE' && operation.body) refuseIgnored(operation, ignored)
  refuseLostFiles(operation, input.body, body.ignored)
  // Which names of an open body mean something is known only when its handler is done.
  if (input.isStrict) refuseIgnored(operation, operation.open ? unused : ignored)
  const request: Request = {
    params: params.values,
    query: query.values,
    body: body.values,
    problems: withMisspelt(body.problems, body.ignored),
    extra: operation.open ? beyond(input.body, body.ignored) : {},
    ignored,
    settle: () => input.isStrict && refuseIgnored(operation, ignored),
  }
  const read = (footing?: Footing) =>
    readAs(
      service.ledger,
      caller,
      async (whole) => {
        const db = await narrowed(service, operation, whole)
        return answerOf(operation, { db, ...request, files: service.files.forReading() }, request)
      },
      { footing, isLong: takesLong(operation, query.values), isAbandoned: input.isGone },
    )
  const outcome =
    operation.method === 'GET'
      ? await (service.answers?.again(by, operation, request, service.ledger.clock(), read) ?? read())
      : await write(service, operation, caller, input, request).catch((error) => {
          throw withNamesAsSent(error, body.aliases)
        })
  service.reads?.note(caller, operation.id, request.params, outcome.shown)
  return outcome
}

/** What rules find wrong is told under the names by which the fields were sent. */
function withNamesAsSent(error: unknown, aliases: Checked['aliases']): unknown {
  if (!aliases?.size || !(error instanceof Problem) || error.code !== 'validation_failed') return error
  return invalid(error.errors.map((problem) => renamed(problem, aliases)))
}

/** Some records of a group that is withheld are shown to those whom they are about. */
function isOpen({ kinds }: Service, { method, kind, group, permission }: Operation, { grants = [] }: Caller): boolean {
  const of = kinds.get(kind ?? '')
  return method === 'GET' && Boolean(of && group && permission && isGroupOpenedTo(grants, of, [permission], group))
}

const takesLong = ({ takesLong = false }: Operation, asked: Record<string, unknown>): boolean =>
  typeof takesLong === 'boolean' ? takesLong : takesLong.some((name) => asked[name] !== undefined)

/** What of a caller's rights counts in an operation: groups of data that no grant shows which lets them call it are withheld. */
function callerIn(caller: Caller, { permission }: Operation): Caller {
  if (!caller.grants || permission === null) return caller
  const held = caller.grants.filter(({ permissions }) => permits(permissions, permission))
  // What is one's own needs no grant.
  if (held.length === 0) return caller
  const groups = new Set(caller.grants.flatMap((grant) => [...grant.withheld]))
  const withheld = [...groups].filter((group) => held.every((grant) => grant.withheld.has(group)))
  return { ...caller, withheld: new Set([...caller.withheld, ...withheld]) }
}

/** How far a caller reaches by an operation; nothing for those who reach everybody, and see all that is not withheld as a whole. */
async function reachOf(service: Service, operation: Operation, db: Reader): Promise<AccessScope | undefined> {
  const { grants, withheld } = db.caller
  // Whoever is kept from what is held back sees some of the records, and not all of them.
  const isHeldBack = () => [...service.kinds.values()].some(({ heldBack }) => heldBack && withheld.has(heldBack.group))
  if (!grants && (operation.permission === null || !isHeldBack())) return undefined
  return AccessScope.of(db, service.scopes, service.kinds, operation)
}

/** The records as far as the caller reaches by an operation. */
async function narrowed(service: Service, operation: Operation, db: Reader): Promise<Reader> {
  const reach = await reachOf(service, operation, db)
  return reach ? db.withVisibility(reach) : db
}

type Request = Omit<Call, 'db' | 'files'> & {
  /** Called when the handler is done, inside its transaction: what was ignored then can still stop the write. */
  settle: () => void
}

async function answerOf(operation: Operation, call: Call<Reader | Writer>, { settle }: Request): Promise<Outcome> {
  const answer = await operation.handle(call)
  settle()
  return {
    status: operation.status,
    payload: answer.body === undefined || !operation.answer ? null : serialise(operation.answer, answer.body),
    file: answer.file && operation.attaches ? { ...answer.file, type: operation.attaches } : null,
    location: answer.location ?? null,
    isReplayed: false,
    isTrial: false,
    omitted: [...call.db.omitted],
    ledgerNumber: call.db.caller.ledgerNumber ?? null,
    shown: call.db.shown,
    keep: answer.keep ?? {},
  }
}

async function write(
  service: Service,
  operation: Operation,
  caller: Caller,
  input: Input,
  request: Request,
): Promise<Outcome> {
  const { retryKey } = input
  if (retryKey !== undefined && (retryKey.length === 0 || retryKey.length > 255))
    throw malformed(wrong('Idempotency-Key', 'too_long', 'must have 1 to 255 characters'))
  if (operation.guarded && input.isTrial)
    throw malformed(
      wrong(
        'Prefer',
        'invalid',
        'cannot be dry-run: this operation handles secrets, so a dry run is not available. To carry it out, leave the header out',
      ),
    )
  if (operation.prepare) refuse(request.problems)
  const { params, query, body } = request
  const preparation = await operation.prepare?.({ ledger: service.ledger, caller, params, query, body })
  let keeper: FileKeeper = service.files
  const attempt = async (whole: Writer) => {
    const reach = await reachOf(service, operation, whole)
    const db = reach ? like(whole, { responseReader: whole.withVisibility(reach) }) : whole
    if (!operation.checksScopeItself) await reach?.checkPath(whole, operation, request.params)
    if (input.ifMatch !== undefined) await checkTag(service, operation, db, request, input.ifMatch, reach)
    const files = input.isTrial ? service.files.forTrying() : keeper.during(db)
    const held = async () => {
      if (!operation.checksScopeItself) await reach?.checkChanges(db, operation, db.changes())
    }
    const outcome = await answerOf(operation, { db, ...request, files, preparation }, request).catch(async (error) => {
      // What was made out of reach cannot be shown: that it is out of reach says more.
      if (error instanceof Problem && error.status === 404 && db.changes().length > 0) await held()
      throw error
    })
    await held()
    return outcome
  }
  if (input.isTrial) return rehearse(service, operation, caller, attempt, input.isAbandoned)
  const run = async (work: (db: Writer, turn: Turn) => Promise<Outcome>) => {
    let turn: Turn | undefined
    const brought = await service.files.bring(request.problems.length > 0 ? [] : filesIn(operation, body))
    keeper = brought
    const write = () =>
      writeAs(
        service.ledger,
        caller,
        operation.id,
        (db, own) => {
          turn = own
          return work(db, own)
        },
        input.isAbandoned,
      )
    const outcome = await write()
      .catch(async (error) => {
        if (await brought.mended(error)) return write()
        throw error
      })
      .finally(brought.leave)
    // What follows from the changes is a part of them, and known only now.
    return turn && caller.ledgerNumber !== undefined ? { ...outcome, ledgerNumber: lastOf(turn) } : outcome
  }
  if (retryKey === undefined || operation.guarded) return run(attempt)

  const slot = JSON.stringify([caller.account.id, nameOf(caller.actor), operation.id, retryKey])
  if (service.running.has(slot))
    throw conflict(
      'The first request with this Idempotency-Key is still running. Send it again in a moment to get its response.',
      'idempotency_in_progress',
    )
  service.running.add(slot)
  try {
    // An answer that was made for other eyes is not given again.
    const withheld = [...caller.withheld].sort()
    const scoped = caller.grants ? [grantsInWords(caller.grants)] : []
    const hash = fingerprint(request, [caller.personId, ...withheld, ...[...caller.permissions].sort(), ...scoped])
    // Answers that versions before 0.4 kept have a fingerprint without the person and the permissions.
    const hashes = [hash, fingerprint(request, withheld)] as const
    // Nor is one of which it is not certain that the caller still sees all that it tells.
    const tables = [...sightFollowsFrom(service, operation, caller)]
    return await run((db, turn) => onlyOnce(turn, operation, retryKey, hashes, { attempt: () => attempt(db), tables }))
  } finally {
    service.running.delete(slot)
  }
}

/** The answer that a write would get, beside the changes that it would make. Keys for retries are for what is done. */
const rehearse = (
  service: Service,
  operation: Operation,
  caller: Caller,
  attempt: (db: Writer) => Promise<Outcome>,
  isAbandoned?: () => boolean,
): Promise<Outcome> =>
  rehearseAs(
    service.ledger,
    caller,
    operation.id,
    attempt,
    async (db, turn, outcome) => {
      const by = { caller, operation: operation.id, at: turn.at.toISOString() }
      const reach = await reachOf(service, operation, db)
      const entries = entriesOf(by, turn.first, turn.changes)
      const told = await service.showChanges(db, reach ? await reach.withoutHeldBack(db, entries) : entries)
      const body = outcome.payload === null ? {} : JSON.parse(outcome.payload)
      return {
        ...outcome,
        status: 200,
        payload: JSON.stringify({ ...(operation.redact?.(body, 'tried') ?? body), ...told }),
        // There is nothing yet.
        location: null,
        isTrial: true,
        omitted: [...db.omitted],
        ledgerNumber: caller.ledgerNumber === undefined ? null : turn.first - 1,
      }
    },
    isAbandoned,
  )

const withheldSince = (location: string | null) =>
  new Problem(
    409,
    'answer_withheld',
    'The request with this Idempotency-Key was already carried out, so it was not repeated. Its response is not sent again, because your access may have changed after it. Read the record instead.',
    { location },
  )

/** The stored answer if there is one; otherwise the answer is stored in the transaction of the write itself. */
async function onlyOnce(
  turn: Turn,
  operation: Operation,
  retryKey: string,
  hashes: readonly [string, ...string[]],
  { attempt, tables }: { attempt: () => Promise<Outcome>; tables: readonly string[] },
): Promise<Outcome> {
  const known = await recall(turn, retryKey)
  if (known && !hashes.includes(known.request_hash))
    throw new Problem(
      422,
      'idempotency_mismatch',
      'This Idempotency-Key was already used for a different request, or by a caller with different access. Use a new Idempotency-Key.',
    )
  if (known && known.body === null && operation.answer)
    throw new Problem(
      410,
      'erased',
      'The request with this Idempotency-Key was already carried out. Its response contained data of a person who was erased later, so it is no longer available. Do not repeat the request.',
    )
  if (known && known.body !== null && tables.length > 0 && !standsSince(turn, known, tables))
    throw withheldSince(known.location)
  if (known)
    return {
      status: known.status,
      payload: known.body,
      file: null,
      location: known.location,
      isReplayed: true,
      replayOf: known.request_id,
      isTrial: false,
      omitted: [],
      ledgerNumber: null,
      // It was noted when it was made.
      shown: [],
      keep: {},
    }
  const answer = await attempt()
  const { status, location, payload } = answer
  const body = payload && operation.redact ? redacted(operation, payload) : payload
  await remember(turn, retryKey, hashes[0], { status, location, body })
  return answer
}

const redacted = ({ redact, answer }: Operation, payload: string) =>
  serialise(answer as TObject, redact?.(JSON.parse(payload), 'kept'))

/**
 * What a caller has read must still look as they last saw it: what stands at the address itself, or, where that is an
 * action or a list of parts, the record that it belongs to.
 */
async function checkTag(
  { operations, files }: Service,
  operation: Operation,
  db: Writer,
  request: Request,
  ifMatch: string,
  reach: AccessScope | undefined,
): Promise<void> {
  if (ifMatch.trim() === '*') return
  const sent = Object.values(paramsIn(operation.path, request.params))
  for (const path of placesAbove(operation.path)) {
    const get = operations.find((one) => one.method === 'GET' && placeOf(one.path) === placeOf(path))
    if (!get) continue
    const { values: params, problems } = check(get.params, paramsIn(get.path, sent))
    if (problems.length > 0) continue
    const reading = { ...request, params, query: {}, body: {}, problems: [], settle: () => undefined }
    // It is looked at, and shown to nobody.
    const seen: Reader = reach ? db.withVisibility(reach.forOperation(get)) : db
    const looking = { db: like(seen, { shown: [] }), ...reading, files: files.forReading() }
    const { payload } = await answerOf(get, looking, reading)
    if (hasTag(ifMatch, tagOf(payload ?? ''))) return
  }
  throw new Problem(
    412,
    'precondition_failed',
    'The record has changed since you read it: If-Match no longer matches its ETag. Read it again, then repeat the change with the new ETag.',
  )
}

/** Two paths that differ only in the names of their parameters are one place. */
const placeOf = (path: string) => path.replace(/\{\w+\}/g, '{}')

/** A path, and that of the record it ends in or belongs to: `/books/{id}/lend` is about `/books/{id}`. */
function placesAbove(path: string): string[] {
  const record = path.slice(0, path.lastIndexOf('}') + 1)
  return record && record !== path ? [path, record] : [path]
}

/** Values for the parameters of a path: by their names, or in their order. */
const paramsIn = (path: string, values: Record<string, unknown> | unknown[]) =>
  Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name], index) => [
      name,
      Array.isArray(values) ? values[index] : values[name as string],
    ]),
  )

/** Bodies come back in the order of the schema, so the same request has the same fingerprint in any form. */
function fingerprint({ params, query, body, problems, extra }: Request, rights: unknown[]): string {
  const asked = Object.keys(query).length > 0 ? [query] : []
  const all = [params, body, problems, extra, ...asked, ...rights]
  return createHash('sha256').update(JSON.stringify(all, hashBytes)).digest('hex')
}

/** A file counts by its content. */
const hashBytes = (_name: string, value: unknown) =>
  Buffer.isBuffer(value) ? createHash('sha256').update(value).digest('hex') : value

function bodyOf(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body))
    throw new Problem(400, 'malformed', 'The body must be a JSON object or a form.')
  return body as Record<string, unknown>
}

/** Fields of the body that stand in the query of a write, where some clients put them; those in the body itself count. */
function bodyInQuery({ method, body, guarded }: Operation, input: Input, unknown: string[]): Record<string, unknown> {
  // An address is written down in many places, and no place for secrets.
  if (method === 'GET' || !body || guarded || unknown.length === 0) return {}
  const given = bodyOf(input.body)
  const names = unknown.filter((name) => Object.hasOwn(body.properties, name) && !Object.hasOwn(given, name))
  return Object.fromEntries(names.map((name) => [name, (input.query as Record<string, unknown>)[name]]))
}

/**
 * A list is not shown to somebody who asked for a part of it in words that it does not know: everybody's data is the
 * worst answer to a misspelt question.
 */
function refuseMisspelt(operation: Operation, sent: Record<string, unknown>, unknown: string[]): void {
  if (operation.method !== 'GET' || unknown.length === 0) return
  refuseOtherTimes(unknown)
  const { data } = (operation.answer?.properties ?? {}) as Record<string, any>
  if (data?.type !== 'array') return
  const filters = Object.keys(operation.query.properties).filter((name) => !/^(page|per_page|sort)$/.test(name))
  const looksLikeFilter = (name: string) => {
    const stem = stemOf(name)
    const isField = stem in (data.items?.properties ?? {}) || operation.asksBy?.includes(stem)
    return isField || isRange(sent[name]) || NARROWING.test(stem) || nearest(stem, filters) !== undefined
  }
  const misspelt = unknown.slice(0, MOST_NAMED).filter(looksLikeFilter)
  if (misspelt.length === 0) return
  const errors = misspelt.map((name) =>
    wrong(name, 'unknown', `is not a parameter of this list${didYouMean(name, spellings(operation, name))}`),
  )
  // All names are listed once, and only where no name is near.
  const isUnclear = errors.some(({ message }) => !message.endsWith('?'))
  const known = `This list can be filtered by ${filters.join(', ')}.`
  const words = !isUnclear ? [] : [filters.length > 0 ? known : 'This list has no filters.']
  const detail = [errors.map(({ message }) => message).join('; '), ...words].join('. ')
  throw new Problem(400, 'malformed', detail, { errors })
}

/** Names by which lists are narrowed in other interfaces: ids, states and dates. */
const NARROWING =
  /_ids?$|^stat(e|us)(es|s)?$|(^|_)(date|month|year|week|day|from|to|since|until|before|after|start|end)s?(_|$)|_(on|at)$/

/** For names that nothing uses, suggestions are looked for so many times. */
const MOST_NAMED = 50

/** The parameters of an operation as they are sent; those with bounds by the bound that was sent, if any. */
const spellings = ({ query }: Operation, sent: string): string[] =>
  Object.entries(query.properties as Record<string, any>).flatMap(([name, schema]) => {
    if (schema.type !== 'object' || !sent.includes('[')) return name
    return Object.keys(schema.properties).map((part) => `${name}[${part}]`)
  })

/** Whoever asks for another time is not shown today. */
function refuseOtherTimes(unknown: string[]): void {
  const clocks = unknown.filter((name) => /^(as_?of|known_?at)$/i.test(stemOf(name).replaceAll('-', '_')))
  if (clocks.length > 0)
    throw malformed(
      clocks.map((name) => wrong(name, 'unknown', 'is not supported here: only the current state is available')),
    )
}

const isRange = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).some((part) => /^[gl]te?$/.test(part))

/** `made_on[gte]` and `ids[]` → the name itself. */
const stemOf = (name: string) => name.replace(/\[.*$/, '')

const beyond = (body: unknown, names: string[]) => {
  const given = bodyOf(body)
  return Object.fromEntries(names.map((name) => [name, given[name]]))
}

/** What a caller may not see it may not set either. */
function refuseWithheld({ withheld }: Caller, operation: Operation, body: Record<string, unknown>): void {
  if (withheld.size === 0 || !operation.body) return
  const { properties } = operation.body as { properties: Record<string, Record<string, any>> }
  const hidden = Object.keys(body).filter((name) => withheld.has(properties[name]?.['x-group']))
  const groups = [...new Set(hidden.map((name) => properties[name]?.['x-group']))]
  const what = groups.length === 1 ? `the field group ${groups[0]} is` : `the field groups ${groups.join(', ')} are`
  if (hidden.length > 0) throw forbidden(`You cannot set ${hidden.join(', ')}: ${what} hidden from you.`)
}

function refuseIgnored(operation: Operation, ignored: Iterable<string>): void {
  const problems = [...ignored].map((field, index) => {
    const known = index < MOST_NAMED ? namesIn(operation, field) : []
    return wrong(field, 'unknown', `is not a known field or parameter${didYouMean(field, known)}`)
  })
  if (problems.length > 0) throw malformed(problems)
}

/** All names that a request may hold, spelled as one that was sent: those inside of a value where that was. */
function namesIn(operation: Operation, sent: string): string[] {
  const own = [...spellings(operation, sent), ...Object.keys(operation.body?.properties ?? {})]
  const [, place = '', name] = /^(.*)\[([^\]]*)\]$/.exec(sent) ?? []
  if (!name) return own
  const parts = (operation.body?.properties as Record<string, any> | undefined)?.[stemOf(place)]
  const inner = Object.keys(parts?.items?.properties ?? parts?.properties ?? {})
  return [...own, ...inner.map((one) => `${place}[${one}]`)]
}

/** What is missing may have been sent under a misspelt name. */
const withMisspelt = (problems: FieldProblem[], unknown: string[]): FieldProblem[] =>
  unknown.length === 0
    ? problems
    : problems.map((problem) => {
        const sent = problem.code === 'required' ? nearest(problem.field, unknown.slice(0, MOST_NAMED)) : undefined
        return sent === undefined ? problem : { ...problem, message: `${problem.message}. Did you send it as ${sent}?` }
      })

/** A file that nothing takes would be lost, and whoever sent it would not know. */
function refuseLostFiles(operation: Operation, sent: unknown, unknown: string[]): void {
  if (unknown.length === 0) return
  const given = bodyOf(sent)
  const lost = unknown.filter((name) => [given[name]].flat().some(isFile))
  if (lost.length === 0) return
  const taken = fileFields(operation)
  const words = taken.length
    ? `is not a file field of this operation: send the file as ${taken.join(' or ')}`
    : 'is a file, but this operation does not accept files'
  throw invalid(lost.map((name) => wrong(name, 'unknown', words)))
}

const fileFields = ({ body }: Operation) =>
  Object.entries((body?.properties ?? {}) as Record<string, any>).flatMap(([name, schema]) =>
    schema['x-file'] || schema.items?.['x-file'] ? name : [],
  )

/** What was sent as files, whether it is one or not. */
const filesIn = (operation: Operation, body: Record<string, unknown>) =>
  fileFields(operation).flatMap((name) => body[name] ?? [])

const isFile = (value: unknown) => Buffer.isBuffer((value as { bytes?: unknown } | null)?.bytes)

/** Answers are written from their declared schema: what is not declared is not sent. */
const serialise = (schema: TObject, value: unknown): string =>
  (isPartlyWritten(value) ? objectWriterOf(schema) : writerOf(schema))(value)
