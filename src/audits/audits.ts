import { createHmac } from 'node:crypto'
import Type from 'typebox'
import type { Resource } from '../engine/declaration.ts'
import { TIME_BOUNDS, withinTimes } from '../engine/filter.ts'
import { operation } from '../engine/operation.ts'
import { metadata, PAGING, pagedAnswer, pageIn, sortParameter } from '../engine/page.ts'
import { permits } from '../engine/permission.ts'
import { nullable, schemaOf } from '../engine/schema.ts'
import { show } from '../engine/shape.ts'
import { maySee } from '../engine/trace.ts'
import type { Account } from '../ledger/caller.ts'
import type { Reader } from '../ledger/reader.ts'
import { employeeRow } from '../people/employees.ts'

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

export const auditOperations = (kinds: () => readonly Resource[]) => [
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
      }),
      answer: pagedAnswer(AUDIT),
      looksAt: ['ledger.at'],
    },
    async ({ db, query }) => {
      const page = pageIn(query)
      const isNewestFirst = query.sort !== 'created_at'
      const all = db.from('ledger')
      let [count, entries] = [0, all]
      // Of what the caller may not read, or sees in part only, nobody's doings are told.
      const hidden = kinds().filter((of) => !maySee(of, db))
      if (query.created_at || hidden.length > 0) {
        const inTime = withinTimes(all, 'ledger.at', query.created_at ?? {}, db)
        const matching = inTime.where('resource', 'not in', ['', ...hidden.map(({ table }) => table)])
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
      const titles = new Map(kinds().map(({ table, title }) => [table, title]))
      const data = rows.map((row) => ({
        id: auditId(db.account, row.no),
        event: row.action,
        record_type: titles.get(row.resource) ?? row.resource,
        record_id: row.record_id,
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
