import Type from 'typebox'
import { hasOtherRightsSince } from '../access/undo-guards.ts'
import { AccessScope } from '../engine/access-scope/access-scope.ts'
import type { Resource } from '../engine/declaration.ts'
import { type Operation, operation } from '../engine/operation.ts'
import { requireForAll, requirePermission } from '../engine/permission.ts'
import { conflict, forbidden, notFound } from '../engine/problem.ts'
import { groupsOf, isGuarded, type Kinds } from '../engine/protection.ts'
import { columnsOf } from '../engine/resource.ts'
import { hiddenOf, tracesOf } from '../engine/trace.ts'
import { type Guard, isTouch, isUndoing, UNDOING, undo } from '../engine/undo.ts'
import { type Change, type Entry, readEntry } from '../ledger/entries.ts'
import type { Writer } from '../ledger/write.ts'
import { CHANGE, kindsByTable, showChanges } from './change-responses.ts'

/** Taking back what the ledger tells: one change, or all that a request did. */

/** More than any one request can do. */
const MOST = 100_000

const UNDONE = Type.Object(
  { data: Type.Object({ changes: Type.Array(CHANGE, { description: 'The changes that the undo itself made' }) }) },
  { title: 'Undone' },
)

const CONFLICTS = 'A record was changed since, is in use, or cannot be restored'

export const undoOperations = (
  all: () => readonly Resource[],
  guards: () => readonly Guard[],
  operations: () => readonly Operation[],
) => [
  operation(
    {
      id: UNDOING.change,
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
      return undone(db, kindsByTable(all()), entries, { guards: guards(), files, isWhole: query.request ?? false })
    },
  ),
  operation(
    {
      id: UNDOING.request,
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
      return undone(db, kinds, entries, { guards: guards(), files, isWhole: true })
    },
  ),
  operation(
    {
      id: UNDOING.own,
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
      // It is about those only about whom the same may still be done.
      const { visibility } = db.responseReader ?? {}
      if (visibility instanceof AccessScope && !done.checksScopeItself)
        await visibility.forOperation(done).checkChanges(db, done, db.changes())
      return {}
    },
  ),
]

const OWN_MINUTES = 15

/** What the caller did by a request, and by which operation. What somebody else did is not there. */
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
  if (isUndoing(done.id))
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

/** So many of one's last changes are looked through. */
const MOST_OWN = 1000

/** The id of the last request of the caller's own that came with an id of theirs: of an answer that was lost, they know no other. */
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

/** What belongs by now to a group of data that is withheld from the caller is neither taken back nor brought back. */
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

type UndoOptions = Omit<Parameters<typeof undo>[2], 'kinds'>

async function undone(db: Writer, kinds: Kinds, entries: readonly Entry[], undoing: UndoOptions) {
  await requireRights(db, kinds, entries)
  await undo(db, entries, { ...undoing, kinds })
  return { body: { data: { changes: await showChanges(db, kinds, db.entries()) } } }
}

/** What a caller does not see at all is not there; what it sees in part, or may not write, it may not put back. */
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

/** Whoever is not to see a group of data neither puts records into it nor takes them out. */
async function protectsWithheld(db: Writer, kinds: Kinds, entries: readonly Entry[]): Promise<boolean> {
  for (const [table, own] of Map.groupBy(entries, ({ resource }) => resource)) {
    const withheld = hiddenOf(kinds.get(table) as Resource, db)
    if (withheld.size === 0) continue
    const protector = columnsOf(kinds.get(table) as Resource).find(([, { protects }]) => protects)?.[0]
    if (!protector) continue
    const ids = [...new Set(own.map(({ record_id }) => record_id))]
    const rows = await db.from(table).select(`${protector} as group`).where('id', 'in', ids).execute()
    const told = own.flatMap(({ before, after }) => [before?.[protector], after?.[protector]])
    if ([...told, ...rows.map(({ group }) => group)].some((group) => withheld.has(group))) return true
  }
  return false
}

/** All that requests with an id did, each by itself: callers may give several the same. */
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

/** All that the request did of which an entry tells. */
async function entriesBeside(db: Writer, { number, request_id }: Entry): Promise<Entry[]> {
  const requests = await requestsBearing(db, request_id)
  const own = requests.find((entries) => entries.some((entry) => entry.number === number))
  if (!own || own.length > MOST) throw conflict(TOO_MUCH)
  return own
}

const TOO_MUCH = `This request made more than ${MOST.toLocaleString('en')} changes, too many to undo at once. Undo its changes one by one.`

/** If the caller sees more than one request with the id, nobody can tell which of them is meant. */
async function entriesOfRequest(db: Writer, kinds: Kinds, id: string): Promise<Entry[]> {
  const requests = await requestsBearing(db, id)
  const entries = requests.flat()
  if (requests.length <= 1) {
    if (entries.length > MOST) throw conflict(TOO_MUCH)
    return entries
  }
  const told = new Set((await tracesOf(db, kinds, entries)).map(({ number }) => number))
  const seen = requests.filter((own) => own.some(({ number }) => told.has(number)))
  if (seen.length <= 1) return seen[0] ?? []
  const firsts = seen.slice(0, 20).map(([first]) => first?.number)
  const rest = seen.length - firsts.length
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
