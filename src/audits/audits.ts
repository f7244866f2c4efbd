import { createHmac } from 'node:crypto'
import Type from 'typebox'
import type { Resource } from '../engine/declaration.ts'
import { TIME_BOUNDS, withinTimes } from '../engine/filter.ts'
import { type Operation, operation } from '../engine/operation.ts'
import { metadata, PAGING, pagedAnswer, pageIn, sortParameter } from '../engine/page.ts'
import { permits, requirePermission } from '../engine/permission.ts'
import { malformed, wrong } from '../engine/problem.ts'
import { nullable, schemaOf } from '../engine/schema.ts'
import { show } from '../engine/shape.ts'
import { maySee } from '../engine/trace.ts'
import type { Account } from '../ledger/caller.ts'
import type { Query, Reader } from '../ledger/reader.ts'
import { employeeRow } from '../people/employees.ts'
import { ACTED_BY, actedBy, kindAsked } from './asked.ts'
import { kindsByTable, knownAs, recordKnownAs } from './shown.ts'

/** The entries of the ledger as auditors list them: what happened to which record, when, and by whom. */

const AUDIT = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    event: Type.Unsafe<string>({
      type: 'string',
      enum: ['create', 'update', 'delete', 'erase'],
      description: 'What happened to the record',
    }),
    record_type: Type.String({ description: 'The kind of record', examples: ['Employee'] }),
    record_id: Type.Integer(),
    operation: Type.String({ description: 'The operation that did it', examples: ['updateEmployee'] }),
    request_id: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    // Whoever may not read employees is not told who it was.
    employee: nullable(schemaOf(employeeRow)),
  },
  { title: 'Audit', description: 'One change of one record' },
)

/**
 * An entry's number in the form of a UUID of the version for makers' own (8): always the same one, and it does not tell
 * how many entries there are between two that are shown.
 */
function auditId({ signing_key }: Account, number: number): string {
  const hex = createHmac('sha256', signing_key).update(`audit ${number}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const FILTERS = {
  record_type: Type.Optional(
    Type.String({
      format: 'line',
      maxLength: 255,
      description: 'The kind of record, or its table',
      examples: ['Employee'],
    }),
  ),
  record_id: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'One record; needs record_type' }),
  ),
  actor: ACTED_BY,
  employee_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The employee who acted, or to whom the key belonged; needs `employees:read`',
    }),
  ),
  operation: Type.Optional(
    Type.String({
      format: 'line',
      maxLength: 255,
      description: 'The operation that did it',
      examples: ['updateEmployee'],
    }),
  ),
  request_id: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'What one request did',
      examples: ['8a5c7c1e-6c1f-4a6c-9d2b-0f7f4c1d2e3f'],
    }),
  ),
}
type Asked = {
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
  asked: Asked,
  kinds: readonly Resource[],
  operations: readonly Operation[],
) {
  let query = all
  if (asked.record_id !== undefined && asked.record_type === undefined)
    throw malformed(wrong('record_type', 'required', 'is required with record_id'))
  if (asked.record_type !== undefined) {
    const of = kindAsked(db, kinds, 'record_type', asked.record_type)
    query = query.where('resource', '=', of.table)
    if (asked.record_id !== undefined) query = query.where('record_id', '=', recordKnownAs(db, of, asked.record_id))
  }
  if (asked.actor !== undefined) query = actedBy(db, query, asked.actor)
  if (asked.employee_id !== undefined) {
    requirePermission(db.caller, 'employees:read')
    query = query.where('person_id', '=', asked.employee_id)
  }
  if (asked.operation !== undefined) {
    const { operation } = asked
    const done = db.from('ledger').select('no').where('operation', '=', operation).limit(1)
    const known = operations.filter(({ method }) => method !== 'GET').map(({ id }) => id)
    if (!known.includes(operation) && !(await done.executeTakeFirst()))
      throw malformed(wrong('operation', 'not_allowed', `must be one of ${known.join(', ')}`))
    query = query.where('operation', '=', operation)
  }
  return asked.request_id === undefined ? query : query.where('request_id', '=', asked.request_id)
}

export const auditOperations = (kinds: () => readonly Resource[], operations: () => readonly Operation[]) => [
  operation(
    {
      id: 'listAudits',
      method: 'GET',
      path: '/audits',
      summary: 'List what was changed, when, and by whom',
      note: 'The newest first; of the kinds of records that the caller may read.',
      area: 'audits',
      query: Type.Object({
        ...PAGING,
        sort: sortParameter(['created_at'], '-created_at'),
        created_at: Type.Optional(TIME_BOUNDS),
        ...FILTERS,
      }),
      answer: pagedAnswer(AUDIT),
      looksAt: [
        'ledger.at',
        'ledger.resource',
        'ledger.actor_kind',
        'ledger.person_id',
        'ledger.operation',
        'ledger.request_id',
      ],
    },
    async ({ db, query }) => {
      const page = pageIn(query)
      const isNewestFirst = query.sort !== 'created_at'
      const all = db.from('ledger')
      const asked = await narrowed(db, all, query, kinds(), operations())
      let [count, entries] = [0, all]
      // Of what the caller may not read, or sees in part only, nobody's doings are told.
      const hidden = kinds().filter((of) => !maySee(of, db))
      if (query.created_at || asked !== all || hidden.length > 0) {
        const inTime = withinTimes(asked, 'ledger.at', query.created_at ?? {}, db)
        const matching =
          hidden.length > 0
            ? inTime.where(
                'resource',
                'not in',
                hidden.map(({ table }) => table),
              )
            : inTime
        count = Number((await matching.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()).n)
        entries = matching.offset(page.skipped)
      } else {
        // Numbers have no gaps, so that how many there are and where a page begins are plain arithmetic.
        count = (await all.select('no').orderBy('no', 'desc').limit(1).executeTakeFirst())?.no ?? 0
        entries = isNewestFirst ? all.where('no', '<=', count - page.skipped) : all.where('no', '>', page.skipped)
      }
      const rows = await entries
        .select(['no', 'at', 'action', 'resource', 'record_id', 'operation', 'request_id', 'person_id'])
        .orderBy('no', isNewestFirst ? 'desc' : 'asc')
        .limit(page.size)
        .execute()
      const people = await peopleOf(
        db,
        rows.map(({ person_id }) => person_id),
      )
      const byTable = kindsByTable(kinds())
      const data = rows.map((row) => ({
        id: auditId(db.account, row.no),
        event: row.action,
        record_type: byTable.get(row.resource)?.title ?? row.resource,
        record_id: knownAs(db, byTable.get(row.resource), row.record_id),
        operation: row.operation,
        request_id: row.request_id,
        created_at: row.at,
        employee: people.get(row.person_id) ?? null,
      }))
      return { body: { data, metadata: metadata(page, count, data.length) } }
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
