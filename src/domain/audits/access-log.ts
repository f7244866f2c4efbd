import Type from 'typebox'
import type { Resource } from '../../engine/declaration.ts'
import { TIME_BOUNDS, withinTimes } from '../../engine/filter.ts'
import { titlesOf } from '../../engine/names.ts'
import { type Operation, operation } from '../../engine/operation.ts'
import { metadata, PAGING, pageIn, sortParameter } from '../../engine/page.ts'
import { type FieldProblem, malformed, wrong } from '../../engine/problem.ts'
import type { Kinds } from '../../engine/protection.ts'
import { hiddenOf } from '../../engine/trace.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { ACTED_BY, actedBy, actorIn, kindIn, onlyTold, requireToldOf, toldAnswer } from './audit-filters.ts'
import { ACTOR, actingIn, actorNames, kindsByTable, shownActor } from './change-responses.ts'
import { DOWNLOAD, WHATS } from './logged-reads.ts'

/** Who has read what is watched over. */

const READ = Type.Object(
  {
    id: Type.Integer(),
    what: Type.Unsafe<string>({ type: 'string', enum: WHATS, description: 'What was read' }),
    resource: Type.String({
      description: 'Record type of what was read, such as `salaries`: one of the values of `resources` in `/changes`',
      examples: ['salaries'],
    }),
    record_id: Type.Integer(),
    name: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Name of the record, as in `/audits`',
      examples: ['Ada Lovelace'],
    }),
    owner: Type.Unsafe<{ resource: string; id: number } | null>({
      type: ['object', 'null'],
      properties: { resource: { type: 'string' }, id: { type: 'integer' } },
      description: 'The record that this one belongs to, such as the employee of a salary; null if there is none',
    }),
    actor: ACTOR,
    operation: Type.String({
      description: '`operationId` of the operation that returned the data',
      examples: ['listSalaryHistory'],
    }),
    request_id: Type.String({
      description: 'ID of the request that read the data; of the first one, if there were several within the hour',
    }),
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Read', description: 'A read of protected data: pay, documents or an export' },
)

type AccessLogQuery = { resource?: string; record_id?: number; parts?: boolean; actor?: string; operation?: string }

function narrowed(
  db: Reader,
  all: Query,
  asked: AccessLogQuery,
  kinds: Kinds,
  { operations, problems }: { operations: readonly Operation[]; problems: readonly FieldProblem[] },
): { matching: Query; omitted: string[] } {
  const { resource: name, record_id, parts, operation } = asked
  const wrongs = [...problems]
  const isWrong = (parameter: string) => wrongs.some(({ field }) => field === parameter)
  for (const [parameter, sent] of [
    ['record_id', record_id !== undefined],
    ['parts', parts],
  ] as const)
    if (sent && name === undefined && !isWrong('resource'))
      wrongs.push(wrong('resource', 'required', `is required when ${parameter} is sent`))
  if (parts && record_id === undefined && !isWrong('record_id'))
    wrongs.push(wrong('record_id', 'required', 'is required when parts is sent'))
  const of = kindIn(db, kinds, { parameter: 'resource', name, as: 'table' }, wrongs)
  const actor = actorIn(asked.actor, wrongs)
  if (operation !== undefined && operation !== DOWNLOAD && !operations.some(({ id }) => id === operation))
    wrongs.push(
      wrong('operation', 'not_allowed', `must be ${DOWNLOAD} or an operationId of openapi.json, like listEmployees`),
    )
  if (wrongs.length > 0) throw malformed(wrongs)

  let query = all
  if (of) {
    requireToldOf(db, kinds, of, 'resource')
    const own = (reads: Query) => {
      const kind = reads.where('resource', '=', of.table)
      return record_id === undefined ? kind : kind.where('record_id', '=', record_id)
    }
    const ids = (reads: Query) => reads.select('id')
    query = parts
      ? query.where(
          'id',
          'in',
          ids(own(db.from('reads'))).unionAll(
            ids(db.from('reads').where('owner', '=', of.table).where('owner_id', '=', record_id)),
          ),
        )
      : own(query)
  }
  if (actor) query = actedBy(db, query, actor)
  if (operation !== undefined) query = query.where('operation', '=', operation)
  const groups = WHATS.filter((what) => [...kinds.values()].some((one) => hiddenOf(one, db).has(what)))
  for (const group of groups) db.omitted.add(group)
  if (groups.length > 0) query = query.where('what', 'not in', groups)
  return of && !parts ? { matching: query, omitted: [] } : onlyTold(db, kinds, query)
}

export const readOperations = (kinds: () => readonly Resource[], operations: () => readonly Operation[]) => [
  operation(
    {
      id: 'listReads',
      method: 'GET',
      path: '/reads',
      summary: 'List reads of pay, documents and exports',
      note: 'Who has read protected data, newest first. Contains only record types of which you may see all records and fields; `metadata.omitted` lists the other types. If the same caller reads the same data with the same operation several times within an hour, this is one entry. Entries appear shortly after the read.',
      area: 'audits',
      multiResource: true,
      query: Type.Object({
        ...PAGING,
        sort: sortParameter(['created_at'], '-created_at'),
        resource: Type.Optional(
          Type.String({
            format: 'line',
            maxLength: 255,
            description:
              'Record type of what was read, such as `salaries`: one of the values of `resources` in `/changes`',
            examples: ['salaries'],
          }),
        ),
        record_id: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'Only reads of this record; requires `resource`',
          }),
        ),
        parts: Type.Optional(
          Type.Boolean({
            default: false,
            description:
              'Whether to include reads of the child records, such as the salaries of an employee; requires `record_id`',
          }),
        ),
        actor: ACTED_BY,
        operation: Type.Optional(
          Type.String({
            format: 'line',
            maxLength: 255,
            description: '`operationId` of the operation that returned the data',
            examples: ['listSalaryHistory'],
          }),
        ),
        created_at: Type.Optional(TIME_BOUNDS),
      }),
      answer: toldAnswer(READ),
      gathersQuery: true,
      indexedColumns: ['reads.resource', 'reads.owner', 'reads.actor_kind', 'reads.operation', 'reads.at'],
    },
    async ({ db, query, problems }) => {
      const page = pageIn(query)
      const all = db.from('reads')
      const byTable = kindsByTable(kinds())
      const asked = narrowed(db, all, query, byTable, { operations: operations(), problems })
      const matching = query.created_at ? withinTimes(asked.matching, 'reads.at', query.created_at, db) : asked.matching
      const count =
        matching === all
          ? ((await db.from('counters').select('live').where('resource', '=', 'reads').executeTakeFirst())?.live ?? 0)
          : Number((await matching.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()).n)
      const way = query.sort === 'created_at' ? 'asc' : 'desc'
      const rows = await matching.selectAll().orderBy('id', way).limit(page.size).offset(page.skipped).execute()
      const names = await actorNames(db, rows.map(actingIn))
      const titleOf = await titlesOf(db, byTable, rows)
      const data = rows.map((row) => ({
        id: row.id,
        what: row.what,
        resource: row.resource,
        record_id: row.record_id,
        name: titleOf(row),
        owner: row.owner === null ? null : { resource: row.owner, id: row.owner_id },
        actor: shownActor(actingIn(row), names),
        operation: row.operation,
        request_id: row.request_id,
        created_at: row.at,
      }))
      return { body: { data, metadata: { ...metadata(page, count, data.length), omitted: asked.omitted } } }
    },
  ),
]
