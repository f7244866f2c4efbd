import Type, { type TObject } from 'typebox'
import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import { operation } from '../../engine/operation.ts'
import { invalid, wrong } from '../../engine/problem.ts'
import { rowsOf } from '../../engine/records.ts'
import { bodySchema, recordId, schemaOf } from '../../engine/schema.ts'
import { show } from '../../engine/shape.ts'
import { type Checked, check } from '../../engine/validate.ts'
import type { Reader } from '../../records/reader.ts'
import { type ChangeBody, changeEmployees, type EmployeeChange, moreInput } from './employee-changes.ts'
import { employees } from './employees.ts'
import { isPlaceholder } from './placeholder.ts'

/** Changing many employees at once, each its own success or failure. */

const LIMIT = 500
const updateBody = bodySchema(employees, 'update', moreInput)
const itemSchema = {
  ...updateBody,
  properties: { ...updateBody.properties, id: recordId('employees') },
  required: ['id'],
} as TObject

const BULK_ANSWER = Type.Object({
  records: Type.Object({ count: Type.Integer(), data: Type.Array(schemaOf(employees.whole)) }),
  errors: Type.Object({
    count: Type.Integer(),
    data: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ description: 'Position of the item in the request, starting at 0' }),
          id: Type.Unsafe<unknown>({}),
          messages: Type.Array(Type.String()),
          errors: Type.Array(Type.Object({ field: Type.String(), code: Type.String(), message: Type.String() })),
        },
        { title: 'BulkError' },
      ),
    ),
  }),
}) as TObject

type BulkItem = Checked & { sent: Record<string, unknown>; index: number }

function readItem(sent: unknown, index: number): BulkItem {
  if (typeof sent === 'object' && sent !== null && !Array.isArray(sent))
    return { sent: sent as Record<string, unknown>, index, ...check(itemSchema, sent) }
  const problems = [wrong(`data[${index}]`, 'wrong_type', 'must be an object with an id')]
  return { sent: {}, index, values: {}, problems, ignored: [] }
}

/** What a key may not see it may not set either, item by item. */
function refuseWithheld(withheld: ReadonlySet<string>, { values, problems }: BulkItem): void {
  const properties = updateBody.properties as Record<string, Record<string, any>>
  for (const name of Object.keys(values))
    if (withheld.has(properties[name]?.['x-group']))
      problems.push(
        wrong(name, 'forbidden', 'cannot be set with your role or API key, because its field group is hidden from you'),
      )
}

function refuseRepeats(items: BulkItem[]): void {
  const seen = new Set<unknown>()
  for (const { values, problems } of items) {
    if (seen.has(values.id)) problems.push(wrong('id', 'repeated', 'occurs more than once in the request'))
    if (values.id !== undefined) seen.add(values.id)
  }
}

/** What was looked at before is not written over what somebody has done since, to the person or to a part of them. */
async function refuseChanged(db: Reader, items: BulkItem[], ids: number[], since: number): Promise<void> {
  const last = (await db.from('ledger').select('no').orderBy('no', 'desc').limit(1).executeTakeFirst())?.no ?? 0
  if (since > last)
    throw invalid(wrong('unchanged_since', 'too_large', `must be at most ${last}, the last change number`))
  if (ids.length === 0) return
  const later = () => db.from('ledger').where('no', '>', since)
  const own = await later()
    .select('record_id as id')
    .where('resource', '=', employees.table)
    .where('record_id', 'in', ids)
    .execute()
  const ofParts = await later()
    .select('owner_id as id')
    .where('owner', '=', employees.table)
    .where('owner_id', 'in', ids)
    .execute()
  const changed = new Set([...own, ...ofParts].map(({ id }) => id))
  for (const { values, problems } of items)
    if (changed.has(values.id))
      problems.push(
        wrong(
          'id',
          'changed',
          `belongs to an employee who has been changed since change ${since}, your unchanged_since. Read the employee again`,
        ),
      )
}

export const bulkUpdateEmployees = operation(
  {
    id: 'bulkUpdateEmployees',
    method: 'PATCH',
    path: '/employees/bulk',
    summary: 'Update many employees',
    note: `Up to ${LIMIT} items. Each item succeeds or fails on its own.`,
    area: 'employees',
    body: Type.Object(
      {
        data: Type.Array(
          // Whatever stands here: what is no object is that item's error.
          Type.Unsafe<unknown>({ examples: [{ id: 1, hired_on: '2024-02-01' }] }),
          {
            maxItems: LIMIT,
            description: 'List of objects, each with the `id` of an employee and the fields to change',
            examples: [[{ id: 1, hired_on: '2024-02-01' }]],
          },
        ),
        effective_from: Type.Optional(
          Type.String({
            format: 'date',
            description:
              'First day on which changes to jobs, employment statuses and historical fields apply; can be in the past or future. By default today; for employees who have not started, their first day',
            examples: ['2027-01-01'],
          }),
        ),
        announced_on: Type.Optional(
          Type.String({
            format: 'date',
            description:
              'Date from which the employees can see their planned changes; by default `effective_from`. If an entry already begins on that day, its own announcement date stays',
            examples: ['2026-12-01'],
          }),
        ),
        unchanged_since: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description:
              'Protects against overwriting changes of others: send the `Cadre-Ledger` header of your last read. Employees that were changed since then are rejected',
          }),
        ),
      },
      { title: 'BulkUpdateEmployees' },
    ),
    open: true,
    answer: BULK_ANSWER,
  },
  async ({ db, body, ignored }) => {
    const { announced_on: announced, effective_from: from = db.today } = body
    if (announced && announced > from)
      throw invalid(
        wrong('announced_on', 'too_late', `cannot be after ${from}, when the change takes effect and becomes visible`),
      )
    const items = body.data.map(readItem)
    refuseRepeats(items)
    const ids = [...new Set(items.map(({ values }) => values.id))].filter((id) => id !== undefined)
    const rows = ids.length ? await rowsOf(employees, db.from('employees').where('id', 'in', ids)) : []
    // Those whom the caller does not reach are as unknown as those who are not there.
    const reached = rows.filter(({ id }) => holdsFor(db, 'employees:write', employees.table, id))
    const known = new Map(reached.map((row) => [row.id, row]))
    for (const { values, problems } of items)
      if (values.id !== undefined && !known.has(values.id))
        problems.push(wrong('id', 'not_found', 'must be the id of an existing employee'))

    if (body.unchanged_since !== undefined) await refuseChanged(db, items, [...known.keys()], body.unchanged_since)

    const possible = items.filter(
      ({ values, problems }) => known.has(values.id) && !problems.some(({ code }) => code === 'repeated'),
    )
    for (const item of possible) refuseWithheld(db.caller.withheld, item)
    const changes: EmployeeChange[] = possible.map((item) => {
      const { id, ...values } = item.values
      const extra = Object.fromEntries(item.ignored.map((name) => [name, item.sent[name]]))
      const before = known.get(id) ?? null
      return {
        before,
        body: values as ChangeBody,
        extra,
        ignored: new Set(item.ignored),
        problems: item.problems,
        effectiveFrom: body.effective_from,
        announcedOn: announced,
      }
    })
    for (const { before, problems } of changes)
      if (before && isPlaceholder(before))
        problems.push(wrong('id', 'not_allowed', 'is the placeholder for erased people and cannot be changed'))
    await changeEmployees(db, changes)
    for (const [n, { index }] of possible.entries())
      for (const name of changes[n]?.ignored ?? []) ignored.add(`data[${index}].${name}`)

    const changed = possible.filter(({ problems }) => problems.length === 0).map(({ values }) => values.id)
    const data = await show(db, employees.whole, changed)
    const errors = items.flatMap(({ sent, index, problems }) =>
      problems.length > 0
        ? [{ index, id: sent.id ?? null, messages: problems.map(({ message }) => message), errors: problems }]
        : [],
    )
    return { body: { records: { count: data.length, data }, errors: { count: errors.length, data: errors } } }
  },
)
