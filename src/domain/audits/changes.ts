import { expressionBuilder } from 'kysely'
import Type, { type TObject } from 'typebox'
import type { Resource } from '../../engine/declaration.ts'
import { operation } from '../../engine/operation.ts'
import { requirePermission } from '../../engine/permission.ts'
import { forbidden, malformed, notFound, wrong } from '../../engine/problem.ts'
import type { Kinds } from '../../engine/protection.ts'
import { kindsCut, kindsSeen, maySee, seesWhole } from '../../engine/trace.ts'
import { readEntry } from '../../records/entries.ts'
import { selectFromSource, Wrapper } from '../../records/prepared.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { CHANGE, kindsByTable, OMITTED_KINDS, recordKnownAs, showChanges } from './change-responses.ts'

/** The ledger as those follow it who keep a copy of what is here: every change once, in order, from any number on. */

const USUAL = 100
const MOST = 1000

const LONGEST_WAIT = 60

/** What `since=now` stands for: no number that can be sent is as large. */
const NOW = Number.MAX_SAFE_INTEGER

const CHANGES = Type.Object(
  {
    data: Type.Array(CHANGE),
    metadata: Type.Object(
      {
        last: Type.Integer({
          description: 'The response is complete up to this change number. Send it as `since` in the next request',
        }),
        hash: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description:
            'Hash of the change with the number `last`. Send it as `hash` together with `since`; null before the first change',
        }),
        more: Type.Boolean({ description: 'Whether more changes are available now' }),
        omitted: Type.Array(Type.String(), { description: OMITTED_KINDS }),
      },
      { title: 'FeedPosition' },
    ),
  },
  { title: 'Changes' },
) as TObject

export function changeOperations(resources: readonly Resource[]) {
  const kinds = kindsByTable(resources)
  return [
    operation(
      {
        id: 'listChanges',
        method: 'GET',
        path: '/changes',
        summary: 'List changes after a change number',
        note: 'The change feed: oldest first, without gaps. Store `metadata.last` and send it as `since` in the next request; no change is missed or repeated. With `Accept: text/event-stream`, the server streams each change as a `change` event whose `id` is the change number; reconnect with `Last-Event-ID`. A key can have 20 waiting or streaming requests at a time.',
        area: 'audits',
        multiResource: true,
        query: Type.Object({
          since: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: Number.MAX_SAFE_INTEGER,
              default: 0,
              description:
                'Change number after which to start: `metadata.last` of the previous response, or the `Cadre-Ledger` header of any response; 0 starts at the first change. `now` starts at the end of the feed',
              examples: [0],
              'x-words': { now: NOW },
            }),
          ),
          hash: Type.Optional(
            Type.String({
              maxLength: 100,
              description:
                'Optional check that the history up to `since` (a change number) is still the same: send the `metadata.hash` that you received together with that number. The request fails if the change with that number is a different one now, for example after an older backup was restored',
              examples: ['5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9'],
            }),
          ),
          resources: Type.Optional(
            Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...kinds.keys()] }), {
              minItems: 1,
              maxItems: 500,
              description: 'Only changes to these record types',
              examples: [['employees', 'departments']],
            }),
          ),
          record_id: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: Number.MAX_SAFE_INTEGER,
              description: 'Only changes to the record with this ID; name its type in `resources`',
            }),
          ),
          limit: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: MOST,
              default: USUAL,
              description: 'Maximum number of changes to return',
            }),
          ),
          wait: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: LONGEST_WAIT,
              default: 0,
              description:
                'Seconds for which the server waits for a change if there is none yet; by default it responds at once',
            }),
          ),
        }),
        answer: CHANGES,
        isFeed: true,
        indexedColumns: ['ledger.no', 'ledger.resource'],
      },
      async ({ db, query }) => {
        const { limit = USUAL, record_id } = query
        const { asked, omitted } = kindsAsked(db, kinds, query.resources)
        if (record_id !== undefined && !query.resources)
          throw malformed(
            wrong(
              'resources',
              'required',
              'is required when record_id is sent, because different resources can have the same ids',
            ),
          )
        const { end, tip } = await lastOf(db)
        const since = query.since === NOW ? end : (query.since ?? 0)
        if (since > end)
          throw malformed(
            wrong(
              'since',
              'too_large',
              `must be at most ${end}, the last change number. If you got a higher number from this account, the database has been restored to an earlier state: read all records again`,
            ),
          )
        if (since > 0 && query.hash !== undefined) await refuseOtherPast(db, since, query.hash)
        const all = db.from('ledger').where('no', '>', since).orderBy('no')
        const rows =
          asked === undefined
            ? await all
                .selectAll()
                .limit(limit + 1)
                .execute()
            : await rowsOf(db, await numbersAmong(db, asked, all, limit + 1, record_id))
        const isMore = rows.length > limit
        const shown = await showChanges(db, kinds, rows.slice(0, limit).map(readEntry))
        const { no: last, hash } = isMore ? rows[limit - 1] : { no: end, hash: tip }
        return { body: { data: shown, metadata: { last, hash, more: isMore, omitted } } }
      },
    ),
    operation(
      {
        id: 'getChange',
        method: 'GET',
        path: '/changes/{number}',
        summary: 'Get a change',
        note: 'The same format as in the change feed. Fields you may not see are left out.',
        area: 'audits',
        multiResource: true,
        params: Type.Object({
          number: Type.Integer({
            minimum: 1,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'Change number, as in `/changes` and `/audits`',
          }),
        }),
        answer: Type.Object({ data: CHANGE }),
      },
      async ({ db, params }) => {
        const row = await db.from('ledger').selectAll().where('no', '=', params.number).executeTakeFirst()
        const [change] = row ? await showChanges(db, kinds, [readEntry(row)]) : []
        if (!change) throw notFound()
        return { body: { data: change } }
      },
    ),
  ]
}

/** The kinds that are looked for, undefined where that is all there are, and those of which something may be cut out. */
function kindsAsked(db: Reader, kinds: Kinds, named: string[] | undefined): { asked?: Resource[]; omitted: string[] } {
  if (named) {
    const asked = [...new Set(named)].map((name) => kinds.get(name) as Resource)
    for (const of of asked) requireSight(db, of)
    return { asked, omitted: asked.filter((of) => !seesWhole(of, db, kinds)).map(({ table }) => table) }
  }
  const { seen, hidden } = kindsSeen(db, kinds)
  for (const { group } of hidden) if (group && db.caller.withheld.has(group)) db.omitted.add(group)
  const omitted = kindsCut(db, kinds).map(({ table }) => table)
  return hidden.length > 0 ? { asked: seen, omitted } : { omitted }
}

function requireSight(db: Reader, of: Resource): void {
  if (maySee(of, db)) return
  requirePermission(db.caller, `${of.area}:read`)
  const { group } = of
  throw forbidden(
    group && db.caller.withheld.has(group)
      ? `You cannot read the change history of ${of.table}, because the field group ${group} is hidden from you. Ask an administrator for access.`
      : `You cannot read the change history of ${of.table}, because you can see only some of these records. Ask an administrator for access.`,
  )
}

async function lastOf(db: Reader): Promise<{ end: number; tip: string | null }> {
  const last = await db.from('ledger').select(['no', 'hash']).orderBy('no', 'desc').limit(1).executeTakeFirst()
  return { end: last?.no ?? 0, tip: last?.hash ?? null }
}

/** An earlier state of the database that was put back may have gone on to the same numbers. */
async function refuseOtherPast(db: Reader, since: number, hash: string): Promise<void> {
  const entry = await db.from('ledger').select('hash').where('no', '=', since).executeTakeFirst()
  if (entry?.hash !== hash)
    throw malformed(
      wrong(
        'hash',
        'mismatch',
        `is not the hash of change ${since}. If you got it from this account together with this number, the database has been restored to an earlier state: read all records again`,
      ),
    )
}

/** The first numbers of entries of these kinds: a range of the index for each kind, so that what is skipped costs nothing. */
const inOrderOfNumbers = new Wrapper('found', (source) => selectFromSource(source).select('no').orderBy('no'))

async function numbersAmong(
  db: Reader,
  asked: readonly Resource[],
  all: Query,
  limit: number,
  known: number | undefined,
): Promise<number[]> {
  const within = expressionBuilder<any, any>()
  const [first, ...more] = asked.map((of) => {
    const kind = all.select('no').where('resource', '=', of.table).limit(limit)
    const own = known === undefined ? kind : kind.where('record_id', '=', recordKnownAs(db, of, known))
    return within.selectFrom(own.as('own')).select('own.no')
  })
  if (!first) return []
  const together = more.reduce((sum, one) => sum.unionAll(one), first)
  const numbers = within.selectFrom(together.as('numbers')).select('numbers.no').orderBy('numbers.no').limit(limit)
  const found = await db.wrap(inOrderOfNumbers, numbers as Query)
  return found.map(({ no }) => no)
}

const rowsOf = async (db: Reader, numbers: number[]): Promise<any[]> =>
  numbers.length === 0 ? [] : await db.from('ledger').selectAll().where('no', 'in', numbers).orderBy('no').execute()
