import { createHmac } from 'node:crypto'
import Type from 'typebox'
import type { Resource } from '../../engine/declaration.ts'
import { TIME_BOUNDS, withinTimes } from '../../engine/filter.ts'
import { titlesOf } from '../../engine/names.ts'
import { type Operation, operation } from '../../engine/operation.ts'
import { metadata, PAGING, pageIn, sortParameter } from '../../engine/page.ts'
import { permits, requirePermission } from '../../engine/permission.ts'
import { type FieldProblem, malformed, wrong } from '../../engine/problem.ts'
import type { Kinds } from '../../engine/protection.ts'
import { knownAs } from '../../engine/resource.ts'
import { nullable, schemaOf } from '../../engine/schema.ts'
import { show } from '../../engine/shape.ts'
import { tracesOf } from '../../engine/trace.ts'
import type { Account } from '../../records/caller.ts'
import { readEntry } from '../../records/entries.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { employeeRow } from '../people/employees.ts'
import { ACTED_BY, actedBy, actorIn, kindIn, onlyTold, requireToldOf, toldAnswer } from './audit-filters.ts'
import { ACTOR, actingIn, actorNames, kindsByTable, recordKnownAs, shownActor } from './change-responses.ts'

/** The entries of the ledger as auditors list them: what happened to which record, when, and by whom. */

const AUDIT = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    number: Type.Integer({ description: 'Change number, as in `/changes`' }),
    event: Type.Unsafe<string>({
      type: 'string',
      enum: ['create', 'update', 'delete', 'erase'],
      description: 'What happened to the record',
    }),
    record_type: Type.String({
      description: 'Record type, such as `LeaveRequest`: the name of its schema in this reference',
      examples: ['Employee'],
    }),
    record_id: Type.Integer(),
    name: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'Name to show for the record; if the record has none, the name of its parent or of the first record it refers to. Null if you may not see it',
      examples: ['Ada Lovelace'],
    }),
    fields: Type.Array(Type.String(), { description: 'Names of the changed fields; `/changes` has the values' }),
    operation: Type.String({
      description: '`operationId` of the operation that made the change, as in this reference',
      examples: ['updateEmployee'],
    }),
    request_id: Type.String(),
    correlation_id: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    actor: ACTOR,
    // Whoever may not read employees is not told who it was.
    employee: nullable(schemaOf(employeeRow)),
  },
  { title: 'Audit', description: 'A change to one record' },
)

/** An entry's number in the form of a UUID of the version for makers' own (8): always the same one. */
function auditId({ signing_key }: Account, number: number): string {
  const hex = createHmac('sha256', signing_key).update(`audit ${number}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const FILTERS = {
  record_type: Type.Optional(
    Type.String({
      format: 'line',
      maxLength: 255,
      description:
        'Only changes to records of this type, such as `LeaveRequest` (the name of the schema) or `leave_requests` (the name in `/changes`)',
      examples: ['Employee'],
    }),
  ),
  record_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only changes to this record; requires `record_type`',
    }),
  ),
  actor: ACTED_BY,
  employee_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only changes made by this employee or by a key of this employee; requires `employees:read`',
    }),
  ),
  operation: Type.Optional(
    Type.String({
      format: 'line',
      maxLength: 255,
      description: '`operationId` of the operation that made the change, as in this reference',
      examples: ['updateEmployee'],
    }),
  ),
  request_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Only changes made by the request with this ID (`X-Request-ID` of its response)',
      examples: ['8a5c7c1e-6c1f-4a6c-9d2b-0f7f4c1d2e3f'],
    }),
  ),
}
type AuditQuery = {
  record_type?: string
  record_id?: number
  actor?: string
  employee_id?: number
  operation?: string
  request_id?: string
}

/** The entries that were asked for; what nobody knows is refused, as nothing would look like an answer. */
async function narrowed(
  db: Reader,
  all: Query,
  asked: AuditQuery,
  kinds: Kinds,
  { operations, problems }: { operations: readonly Operation[]; problems: readonly FieldProblem[] },
): Promise<{ matching: Query; omitted: string[] }> {
  const { record_type: name, record_id, employee_id, operation, request_id } = asked
  const wrongs = [...problems]
  if (record_id !== undefined && name === undefined && !wrongs.some(({ field }) => field === 'record_type'))
    wrongs.push(wrong('record_type', 'required', 'is required when record_id is sent'))
  const of = kindIn(db, kinds, { parameter: 'record_type', name, as: 'title' }, wrongs)
  const actor = actorIn(asked.actor, wrongs)
  if (operation !== undefined) {
    const done = db.from('ledger').select('no').where('operation', '=', operation).limit(1)
    const known = operations.filter(({ method }) => method !== 'GET').map(({ id }) => id)
    if (!known.includes(operation) && !(await done.executeTakeFirst()))
      wrongs.push(wrong('operation', 'not_allowed', `must be one of ${known.join(', ')}`))
  }
  if (wrongs.length > 0) throw malformed(wrongs)

  let query = all
  if (of) {
    requireToldOf(db, kinds, of, 'record_type')
    query = query.where('resource', '=', of.table)
    if (record_id !== undefined) query = query.where('record_id', '=', recordKnownAs(db, of, record_id))
  }
  if (actor) query = actedBy(db, query, actor)
  if (employee_id !== undefined) {
    requirePermission(db.caller, 'employees:read')
    query = query.where('person_id', '=', employee_id)
  }
  if (operation !== undefined) query = query.where('operation', '=', operation)
  if (request_id !== undefined) query = query.where('request_id', '=', request_id)
  return of ? { matching: query, omitted: [] } : onlyTold(db, kinds, query)
}

export const auditOperations = (kinds: () => readonly Resource[], operations: () => readonly Operation[]) => [
  operation(
    {
      id: 'listAudits',
      method: 'GET',
      path: '/audits',
      summary: 'List audit entries',
      note: 'Every change, newest first: what changed, when, and who changed it. Contains only record types of which you may see all records and fields; `metadata.omitted` lists the other types.',
      area: 'audits',
      multiResource: true,
      query: Type.Object({
        ...PAGING,
        sort: sortParameter(['created_at'], '-created_at'),
        created_at: Type.Optional(TIME_BOUNDS),
        ...FILTERS,
      }),
      answer: toldAnswer(AUDIT),
      gathersQuery: true,
      indexedColumns: [
        'ledger.at',
        'ledger.resource',
        'ledger.actor_kind',
        'ledger.person_id',
        'ledger.operation',
        'ledger.request_id',
      ],
    },
    async ({ db, query, problems }) => {
      const page = pageIn(query)
      const isNewestFirst = query.sort !== 'created_at'
      const all = db.from('ledger')
      const byTable = kindsByTable(kinds())
      const asked = await narrowed(db, all, query, byTable, { operations: operations(), problems })
      let [count, entries] = [0, all]
      if (query.created_at || asked.matching !== all) {
        const matching = withinTimes(asked.matching, 'ledger.at', query.created_at ?? {}, db)
        count = Number((await matching.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()).n)
        entries = matching.offset(page.skipped)
      } else {
        // Numbers have no gaps, so that how many there are and where a page begins are plain arithmetic.
        count = (await all.select('no').orderBy('no', 'desc').limit(1).executeTakeFirst())?.no ?? 0
        entries = isNewestFirst ? all.where('no', '<=', count - page.skipped) : all.where('no', '>', page.skipped)
      }
      const rows = await entries
        .selectAll()
        .orderBy('no', isNewestFirst ? 'desc' : 'asc')
        .limit(page.size)
        .execute()
      const people = await peopleOf(
        db,
        rows.map(({ person_id }) => person_id),
      )
      const names = await actorNames(db, rows.map(actingIn))
      const traces = await tracesOf(db, byTable, rows.map(readEntry))
      const fields = new Map(traces.map((trace) => [trace.number, trace.fields]))
      const titleOf = await titlesOf(db, byTable, rows)
      const data = rows.map((row) => ({
        id: auditId(db.account, row.no),
        number: row.no,
        event: row.action,
        record_type: byTable.get(row.resource)?.title ?? row.resource,
        record_id: knownAs(db, byTable.get(row.resource), row.record_id),
        name: titleOf(row),
        fields: fields.get(row.no) ?? [],
        operation: row.operation,
        request_id: row.request_id,
        correlation_id: row.correlation_id,
        created_at: row.at,
        actor: shownActor(actingIn(row), names),
        employee: people.get(row.person_id) ?? null,
      }))
      return { body: { data, metadata: { ...metadata(page, count, data.length), omitted: asked.omitted } } }
    },
  ),
]

/** Those who did it, as far as the caller may know them. */
async function peopleOf(db: Reader, whose: (number | null)[]): Promise<Map<number | null, unknown>> {
  if (!permits(db.caller.permissions, 'employees:read')) return new Map()
  const ids = [...new Set(whose.flatMap((id) => id ?? []))]
  const shown = await show(db, employeeRow, ids)
  return new Map(ids.map((id, index) => [id, shown[index]]))
}
