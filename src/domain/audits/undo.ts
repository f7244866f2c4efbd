import Type from 'typebox'
import { AccessScope } from '../../engine/access-scope/access-scope.ts'
import type { Resource } from '../../engine/declaration.ts'
import { type Operation, operation } from '../../engine/operation.ts'
import { requireForAll, requirePermission } from '../../engine/permission.ts'
import { conflict, forbidden, notFound } from '../../engine/problem.ts'
import { groupsOf, isGuarded, type Kinds } from '../../engine/protection.ts'
import { columnsOf } from '../../engine/resource.ts'
import { hiddenOf, tracesOf } from '../../engine/trace.ts'
import type { UndoGuard, UndoOptions } from '../../engine/undo/guards.ts'
import { undo } from '../../engine/undo/undo.ts'
import { isTouch, isUndoOperation, UNDO_OPERATIONS } from '../../engine/undo/undoable.ts'
import { type Change, type Entry, readEntry } from '../../records/entries.ts'
import type { Writer } from '../../records/write.ts'
import { hasOtherRightsSince } from '../access/undo-guards.ts'
import { CHANGE, kindsByTable, showChanges } from './change-responses.ts'

/** Operations that undo one change, all changes of a request, or the caller's own request. */

/** Largest number of changes that one undo accepts. */
const MOST = 100_000

const UNDONE = Type.Object(
  { data: Type.Object({ changes: Type.Array(CHANGE, { description: 'The changes that the undo itself made' }) }) },
  { title: 'Undone' },
)

const CONFLICTS = 'A record was changed since, is in use, or cannot be restored'

export const undoOperations = (
  all: () => readonly Resource[],
  guards: () => readonly UndoGuard[],
  operations: () => readonly Operation[],
) => [
  operation(
    {
      id: UNDO_OPERATIONS.change,
      method: 'POST',
      path: '/changes/{number}/undo',
      summary: 'Undo a change',
      note: 'Restores the previous field values of one record, deletes a record that the change created, or restores a deleted record with its ID. Requires `audits:write` and permission to read and write everything that is restored. Some changes cannot be undone (409): deleted employees, candidates and external users, because they are erased; records deleted together with a file (documents, attachments, certifications, pictures, résumés); changes to API keys and calendar feed addresses; and timesheet entries that were created as approved. If a request made several changes that belong together, such as a hire or a merge, undo the whole request with `request=true` or `undoRequest`.',
      area: 'audits',
      multiResource: true,
      params: Type.Object({
        number: Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Change number, as in `/changes` and `/audits`',
        }),
      }),
      query: Type.Object({
        request: Type.Optional(
          Type.Boolean({
            default: false,
            description: 'Whether to undo all changes of the request that made this change; false by default',
          }),
        ),
      }),
      answer: UNDONE,
      conflicts: CONFLICTS,
    },
    async ({ db, params, query, files }) => {
      const row = await db.from('ledger').selectAll().where('no', '=', params.number).executeTakeFirst()
      if (!row) throw notFound()
      const entries = query.request ? await entriesBeside(db, readEntry(row)) : [readEntry(row)]
      return undoWithRights(db, kindsByTable(all()), entries, {
        guards: guards(),
        files,
        isWhole: query.request ?? false,
      })
    },
  ),
  operation(
    {
      id: UNDO_OPERATIONS.request,
      method: 'POST',
      path: '/requests/{request_id}/undo',
      summary: 'Undo a request',
      note: 'Undoes all changes that the request made; if one of them cannot be undone, none is. The ID is the `X-Request-ID` of the response to the request. The same rules apply as for `POST /changes/{number}/undo`.',
      area: 'audits',
      multiResource: true,
      params: Type.Object({ request_id: Type.String({ maxLength: 100, description: 'ID of the request' }) }),
      answer: UNDONE,
      conflicts: CONFLICTS,
    },
    async ({ db, params, files }) => {
      const kinds = kindsByTable(all())
      const entries = await entriesOfRequest(db, kinds, params.request_id)
      return undoWithRights(db, kinds, entries, { guards: guards(), files, isWhole: true })
    },
  ),
  operation(
    {
      id: UNDO_OPERATIONS.own,
      method: 'POST',
      path: '/me/requests/{request_id}/undo',
      summary: 'Undo your own recent request',
      note: `Undoes one of your own requests within ${OWN_MINUTES} minutes. You do not need \`audits:write\`, but must still have the permission for what you did. What cannot be undone is the same as for \`POST /changes/{number}/undo\`.`,
      area: 'me',
      multiResource: true,
      checksScopeItself: true,
      params: Type.Object({
        request_id: Type.String({
          maxLength: 100,
          description:
            'The `X-Request-ID` of the response to your request. If you did not receive the response, the `X-Request-ID` that you sent',
        }),
      }),
      conflicts: CONFLICTS,
    },
    async ({ db, params, files }) => {
      const { entries, done } = await ownRequest(db, params.request_id, operations())
      const kinds = kindsByTable(all())
      await refuseHidden(db, kinds, entries)
      await undo(db, entries, { kinds, guards: guards(), files, isWhole: true })
      await refuseHidden(db, kinds, db.changes())
      // The caller's scope must still cover what the request changed.
      const { visibility } = db.responseReader ?? {}
      if (visibility instanceof AccessScope && !done.checksScopeItself)
        await visibility.forOperation(done).checkChanges(db, done, db.changes())
      return {}
    },
  ),
]

const OWN_MINUTES = 15

/** The entries of the caller's own request, and its operation. Requests of others are not found. */
async function ownRequest(db: Writer, id: string, operations: readonly Operation[]) {
  const { actor } = db.caller
  const isOwn = ([first]: readonly Entry[]) =>
    first && first.actor.kind === actor.kind && idOf(first.actor) === idOf(actor)
  const named = (await requestsBearing(db, id)).filter(isOwn)
  const sent = named.length > 0 ? null : await ownRequestSentAs(db, id)
  const requests = sent === null ? named : (await requestsBearing(db, sent)).filter(isOwn)
  const [entries] = requests
  const first = entries?.[0]
  const done = operations.find((one) => one.id === first?.operation)
  if (!entries || !first || !done) throw notFound()
  if (requests.length > 1)
    throw conflict(
      'You sent several requests with this id, so it is not clear which one to undo. Ask somebody with the permission audits:write to undo it.',
    )
  if (entries.length > MOST) throw conflict(TOO_MUCH)
  if (isUndoOperation(done.id))
    throw conflict('This request was itself an undo. To undo it, ask somebody with the permission audits:write.')
  if (Date.parse(first.at) < Date.parse(db.now) - OWN_MINUTES * 60_000)
    throw conflict(
      `You can undo your own requests for ${OWN_MINUTES} minutes only; this one is older. Ask somebody with the permission audits:write to undo it.`,
    )
  requirePermission(db.caller, done.permission)
  if (await hasOtherRightsSince(db, first.number))
    throw forbidden(
      'Your access has changed since this request, so you cannot undo it yourself. Ask somebody with the permission audits:write to undo it.',
    )
  return { entries, done }
}

/** How many of the caller's last changes are searched for a request. */
const MOST_OWN = 1000

/** The id of the caller's last request that was sent with this id. If the response was lost, the caller knows no other id. */
async function ownRequestSentAs(db: Writer, id: string): Promise<string | null> {
  const { actor } = db.caller
  const own = await db
    .from('ledger')
    .select(['request_id', 'correlation_id'])
    .where('actor_kind', '=', actor.kind)
    .where('actor_id', '=', idOf(actor))
    .orderBy('no', 'desc')
    .limit(MOST_OWN)
    .execute()
  return own.find(({ correlation_id }) => correlation_id === id)?.request_id ?? null
}

/** Refuses records that are by now in a field group that is hidden from the caller. */
async function refuseHidden(db: Writer, kinds: Kinds, changes: readonly Change[]): Promise<void> {
  const { withheld } = db.caller
  if (withheld.size === 0) return
  for (const [table, own] of Map.groupBy(changes, ({ resource }) => resource)) {
    const of = kinds.get(table)
    if (!of || !isGuarded(kinds, of)) continue
    const ids = own.map(({ record_id }) => record_id)
    for (const groups of (await groupsOf(db, kinds, of, ids)).values())
      if (!groups?.isDisjointFrom(withheld))
        throw forbidden('You cannot undo this change: the record now belongs to a field group that is hidden from you.')
  }
}

type RequestOptions = Omit<UndoOptions, 'kinds'>

async function undoWithRights(db: Writer, kinds: Kinds, entries: readonly Entry[], options: RequestOptions) {
  await requireRights(db, kinds, entries)
  await undo(db, entries, { ...options, kinds })
  return { body: { data: { changes: await showChanges(db, kinds, db.entries()) } } }
}

/** 404 if the caller sees none of the changes; 403 if some of them are hidden, or the caller may not write these records. */
async function requireRights(db: Writer, kinds: Kinds, all: readonly Entry[]): Promise<void> {
  const entries = all.length > 1 ? all.filter((entry) => !isTouch(entry)) : all
  const traces = await tracesOf(db, kinds, entries)
  if (traces.length === 0) throw notFound()
  for (const { resource } of traces) requireForAll(db.caller, `${kinds.get(resource)?.area}:write`)
  if (
    traces.length < entries.length ||
    traces.some(({ omitted }) => omitted.length > 0) ||
    (await protectsWithheld(db, kinds, entries))
  )
    throw forbidden(
      'You cannot undo this change: some of the changed records or fields are hidden from you. Ask somebody who can see all of them.',
    )
}

/** Would the undo move records into or out of a field group that is hidden from the caller? */
async function protectsWithheld(db: Writer, kinds: Kinds, entries: readonly Entry[]): Promise<boolean> {
  for (const [table, own] of Map.groupBy(entries, ({ resource }) => resource)) {
    const withheld = hiddenOf(kinds.get(table) as Resource, db)
    if (withheld.size === 0) continue
    const protector = columnsOf(kinds.get(table) as Resource).find(([, { protects }]) => protects)?.[0]
    if (!protector) continue
    const ids = [...new Set(own.map(({ record_id }) => record_id))]
    const rows = await db.from(table).select(`${protector} as group`).where('id', 'in', ids).execute()
    const inEntries = own.flatMap(({ before, after }) => [before?.[protector], after?.[protector]])
    if ([...inEntries, ...rows.map(({ group }) => group)].some((group) => withheld.has(group))) return true
  }
  return false
}

/** The entries of each request with an id. Several requests can have the same id, because callers choose it. */
async function requestsBearing(db: Writer, id: string): Promise<Entry[][]> {
  const rows = db.from('ledger').selectAll().where('request_id', '=', id).orderBy('no')
  const requests: Entry[][] = []
  for (const entry of (await rows.limit(MOST + 1).execute()).map(readEntry)) {
    const last = requests.at(-1)
    if (last && isNext(last.at(-1) as Entry, entry)) last.push(entry)
    else requests.push([entry])
  }
  return requests
}

/** All entries of the request that made an entry. */
async function entriesBeside(db: Writer, { number, request_id }: Entry): Promise<Entry[]> {
  const requests = await requestsBearing(db, request_id)
  const own = requests.find((entries) => entries.some((entry) => entry.number === number))
  if (!own || own.length > MOST) throw conflict(TOO_MUCH)
  return own
}

const TOO_MUCH = `This request made more than ${MOST.toLocaleString('en')} changes, too many to undo at once. Undo its changes one by one.`

/** The entries of the request with an id. If the caller sees several such requests, it is not clear which one to undo. */
async function entriesOfRequest(db: Writer, kinds: Kinds, id: string): Promise<Entry[]> {
  const requests = await requestsBearing(db, id)
  const entries = requests.flat()
  if (requests.length <= 1) {
    if (entries.length > MOST) throw conflict(TOO_MUCH)
    return entries
  }
  const visibleNumbers = new Set((await tracesOf(db, kinds, entries)).map(({ number }) => number))
  const visible = requests.filter((own) => own.some(({ number }) => visibleNumbers.has(number)))
  if (visible.length <= 1) return visible[0] ?? []
  const firsts = visible.slice(0, 20).map(([first]) => first?.number)
  const rest = visible.length - firsts.length
  const numbers = `${firsts.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
  throw conflict(
    `Several requests have this id. Undo each of them with POST /changes/{number}/undo and request=true. The numbers of their first changes are ${numbers}.`,
  )
}

const isNext = (last: Entry, entry: Entry) =>
  last.number === entry.number - 1 &&
  last.at === entry.at &&
  last.operation === entry.operation &&
  last.actor.kind === entry.actor.kind &&
  idOf(last.actor) === idOf(entry.actor)

const idOf = (actor: Entry['actor']) => ('id' in actor ? actor.id : null)
