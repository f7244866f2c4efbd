import Type, { type TObject } from 'typebox'
import type { Resource } from '../../engine/declaration.ts'
import { operation } from '../../engine/operation.ts'
import { permits } from '../../engine/permission.ts'
import { malformed, wrong } from '../../engine/problem.ts'
import type { Kinds } from '../../engine/protection.ts'
import { whereVisible } from '../../engine/records.ts'
import { knownAs } from '../../engine/resource.ts'
import { hiddenOf, isHeldBackFrom, maySee, traceOf } from '../../engine/trace.ts'
import { readEntry } from '../../records/entries.ts'
import type { Reader } from '../../records/reader.ts'

/**
 * That something has changed of what one sees, and nothing of what it was: pages ask again for what they show. Whoever
 * may read the ledger has `/changes`.
 */

const USUAL = 100

const OWN_CHANGE = Type.Object(
  {
    number: Type.Integer(),
    resource: Type.String({
      description: 'Record type of the changed record, as in `/changes`',
      examples: ['leave_requests'],
    }),
    record_id: Type.Integer(),
    action: Type.Unsafe<string>({
      type: 'string',
      enum: ['create', 'update', 'delete', 'erase'],
      description: 'What happened to the record',
    }),
    owner: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Record type of the parent record; null if the record has no parent',
    }),
    request_id: Type.String(),
    correlation_id: Type.String(),
  },
  { title: 'OwnChange', description: 'A record has changed' },
)

type OwnChange = {
  no: number
  resource: string
  record_id: number
  action: string
  owner: string | null
  request_id: string
  correlation_id: string
}

/** Those of the entries that are about records which the caller sees now. */
async function seenAmong(db: Reader, kinds: Kinds, entries: readonly OwnChange[]): Promise<OwnChange[]> {
  const told = new Set<OwnChange>()
  for (const [table, own] of Map.groupBy(entries, ({ resource }) => resource)) {
    const of = kinds.get(table)
    if (!of || !permits(db.caller.permissions, of.readWith) || (of.group && db.caller.withheld.has(of.group))) continue
    const ids = maySee(of, db) ? null : await idsSeen(db, of, own)
    const isTold = tellsMore(db, of)
    for (const entry of own) if ((!ids || ids.has(entry.record_id)) && isTold(entry)) told.add(entry)
  }
  return entries.filter((entry) => told.has(entry))
}

/** Is there more to an entry than what is held back from the caller? */
function tellsMore(db: Reader, of: Resource): (entry: OwnChange) => boolean {
  if (!isHeldBackFrom(of, db)) return () => true
  const hidden = hiddenOf(of, db)
  return (entry) => entry.action !== 'update' || traceOf(of, readEntry(entry), hidden).fields.length > 0
}

async function idsSeen(db: Reader, of: Resource, entries: readonly OwnChange[]): Promise<ReadonlySet<number>> {
  const ids = [...new Set(entries.map(({ record_id }) => record_id))]
  const rows = await whereVisible(of, db.from(of.table).where(`${of.table}.id`, 'in', ids), db)
    .select(`${of.table}.id`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export const ownChangeOperations = (kinds: () => Kinds) => [
  operation(
    {
      id: 'listOwnChanges',
      method: 'GET',
      path: '/me/changes',
      summary: 'List changes to records you can see',
      note: 'For pages that reload what has changed: lists which records have changed, without values and without who changed them. Deletions are missing for record types of which you can see only some records. With `Accept: text/event-stream`, the server streams each change as a `change` event.',
      area: 'me',
      multiResource: true,
      query: Type.Object({
        since: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description:
              'Change number after which to start: the `Cadre-Ledger` header of any response. If omitted, returns only the current change number',
          }),
        ),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 1000,
            default: USUAL,
            description: 'Maximum number of changes to return',
          }),
        ),
        wait: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 60,
            default: 0,
            description: 'Seconds for which the server waits for a change if there is none yet',
          }),
        ),
      }),
      answer: Type.Object(
        {
          data: Type.Array(OWN_CHANGE),
          metadata: Type.Object(
            {
              last: Type.Integer({
                description:
                  'The response is complete up to this change number. Send it as `since` in the next request',
              }),
              more: Type.Boolean({ description: 'Whether more changes are available now' }),
              omitted: Type.Array(Type.String(), { description: 'Always an empty list' }),
            },
            { title: 'OwnFeedPosition' },
          ),
        },
        { title: 'OwnChanges' },
      ) as TObject,
      isFeed: true,
      indexedColumns: ['ledger.no'],
    },
    async ({ db, query: { since, limit = USUAL } }) => {
      const last = await db.from('ledger').select('no').orderBy('no', 'desc').limit(1).executeTakeFirst()
      const end: number = last?.no ?? 0
      if ((since ?? 0) > end)
        throw malformed(
          wrong(
            'since',
            'too_large',
            `must be at most ${end}, the last change number. If you got a higher number from this account, the database has been restored to an earlier state: read all records again`,
          ),
        )
      const rows = (await db
        .from('ledger')
        .selectAll()
        .where('no', '>', since ?? end)
        .orderBy('no')
        .limit(limit + 1)
        .execute()) as OwnChange[]
      const isMore = rows.length > limit
      const shown = await seenAmong(db, kinds(), rows.slice(0, limit))
      const data = shown.map(({ no, resource, record_id, action, owner, request_id, correlation_id }) => ({
        number: no,
        resource,
        record_id: knownAs(db, kinds().get(resource), record_id),
        action,
        owner,
        request_id,
        correlation_id,
      }))
      const at = isMore ? rows[limit - 1]?.no : end
      return { body: { data, metadata: { last: at, more: isMore, omitted: [] } } }
    },
  ),
]
