import Type from 'typebox'
import type { Resource } from '../engine/declaration.ts'
import { TIME_BOUNDS, withinTimes } from '../engine/filter.ts'
import { type Operation, operation } from '../engine/operation.ts'
import { metadata, PAGING, pagedAnswer, pageIn, sortParameter } from '../engine/page.ts'
import { malformed, wrong } from '../engine/problem.ts'
import { isGuarded } from '../engine/protection.ts'
import { maySee } from '../engine/trace.ts'
import type { Actor } from '../ledger/caller.ts'
import type { Query, Reader } from '../ledger/reader.ts'
import { ACTED_BY, actedBy, kindAsked } from './asked.ts'
import { ACTOR, actorNames, kindsByTable, shownActor } from './shown.ts'
import { DOWNLOAD, WHATS } from './watched.ts'

/** Who has read what is watched over. */

const READ = Type.Object(
  {
    id: Type.Integer(),
    what: Type.Unsafe<string>({ type: 'string', enum: WHATS, description: 'What of the record was read' }),
    resource: Type.String({ description: 'The kind of record', examples: ['salaries'] }),
    record_id: Type.Integer(),
    owner: Type.Unsafe<{ resource: string; id: number } | null>({
      type: ['object', 'null'],
      properties: { resource: { type: 'string' }, id: { type: 'integer' } },
      description: 'The record that it is a part of',
    }),
    actor: ACTOR,
    operation: Type.String({ description: 'The operation that showed it', examples: ['listSalaryHistory'] }),
    request_id: Type.String({ description: 'The first request of that hour that did' }),
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Read', description: 'Something that is watched over was shown to somebody' },
)

type Asked = { resource?: string; record_id?: number; parts?: boolean; actor?: string; operation?: string }

function narrowed(db: Reader, all: Query, asked: Asked, kinds: readonly Resource[], operations: readonly Operation[]) {
  let query = all
  for (const name of ['record_id', 'parts'] as const)
    if (asked[name] !== undefined && asked[name] !== false && asked.resource === undefined)
      throw malformed(wrong('resource', 'required', `is required with ${name}`))
  if (asked.parts && asked.record_id === undefined)
    throw malformed(wrong('record_id', 'required', 'is required with parts'))
  if (asked.resource !== undefined) {
    const { table } = kindAsked(db, kinds, 'resource', asked.resource)
    const { record_id } = asked
    const own = (of: Query) => {
      const kind = of.where('resource', '=', table)
      return record_id === undefined ? kind : kind.where('record_id', '=', record_id)
    }
    const ids = (of: Query) => of.select('id')
    query = asked.parts
      ? query.where(
          'id',
          'in',
          ids(own(db.from('reads'))).unionAll(
            ids(db.from('reads').where('owner', '=', table).where('owner_id', '=', record_id)),
          ),
        )
      : own(query)
  }
  if (asked.actor !== undefined) query = actedBy(db, query, asked.actor)
  if (asked.operation !== undefined) {
    if (asked.operation !== DOWNLOAD && !operations.some(({ id }) => id === asked.operation))
      throw malformed(wrong('operation', 'not_allowed', `must be ${DOWNLOAD}, or an operation of the reference`))
    query = query.where('operation', '=', asked.operation)
  }
  return query
}

/** Kinds of records whose reads are not told: whoever is kept from anything is not told of what may belong to it. */
const hiddenKinds = (db: Reader, kinds: readonly Resource[]) =>
  kinds.filter((of) => !maySee(of, db) || (db.caller.withheld.size > 0 && isGuarded(kindsByTable(kinds), of)))

export const readOperations = (kinds: () => readonly Resource[], operations: () => readonly Operation[]) => [
  operation(
    {
      id: 'listReads',
      method: 'GET',
      path: '/reads',
      summary: 'List who has read pay, documents and exports',
      note: 'The newest first; of the kinds of records that the caller may read. What is read again by the same caller in the same way within an hour leaves one entry. They are written a moment after the read.',
      area: 'audits',
      query: Type.Object({
        ...PAGING,
        sort: sortParameter(['created_at'], '-created_at'),
        resource: Type.Optional(
          Type.String({ format: 'line', maxLength: 255, description: 'The kind of record', examples: ['salaries'] }),
        ),
        record_id: Type.Optional(
          Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'One record; needs resource' }),
        ),
        parts: Type.Optional(
          Type.Boolean({ default: false, description: 'Also of the records that are parts of it; needs record_id' }),
        ),
        actor: ACTED_BY,
        operation: Type.Optional(
          Type.String({
            format: 'line',
            maxLength: 255,
            description: 'The operation that showed it',
            examples: ['listSalaryHistory'],
          }),
        ),
        created_at: Type.Optional(TIME_BOUNDS),
      }),
      answer: pagedAnswer(READ),
      looksAt: ['reads.resource', 'reads.owner', 'reads.actor_kind', 'reads.operation', 'reads.at'],
    },
    async ({ db, query }) => {
      const page = pageIn(query)
      const all = db.from('reads')
      let matching = narrowed(db, all, query, kinds(), operations())
      if (query.created_at) matching = withinTimes(matching, 'reads.at', query.created_at, db)
      const hidden = hiddenKinds(db, kinds()).map(({ table }) => table)
      const { withheld } = db.caller
      if (hidden.length > 0) matching = matching.where('resource', 'not in', hidden)
      if (withheld.size > 0) matching = matching.where('what', 'not in', [...withheld])
      const count =
        matching === all
          ? ((await db.from('counters').select('live').where('resource', '=', 'reads').executeTakeFirst())?.live ?? 0)
          : Number((await matching.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()).n)
      const way = query.sort === 'created_at' ? 'asc' : 'desc'
      const rows = await matching.selectAll().orderBy('id', way).limit(page.size).offset(page.skipped).execute()
      const readings = rows.map((row) => ({ ...row, actor: actorOf(row), person_id: row.person_id as number | null }))
      const names = await actorNames(db, readings)
      const data = rows.map((row, at) => ({
        id: row.id,
        what: row.what,
        resource: row.resource,
        record_id: row.record_id,
        owner: row.owner === null ? null : { resource: row.owner, id: row.owner_id },
        actor: shownActor(readings[at] as (typeof readings)[number], names),
        operation: row.operation,
        request_id: row.request_id,
        created_at: row.at,
      }))
      return { body: { data, metadata: metadata(page, count, data.length) } }
    },
  ),
]

const actorOf = ({ actor_kind: kind, actor_id: id }: Record<string, any>): Actor =>
  id === null ? { kind } : { kind, id }
