import Type from 'typebox'
import type { Resource, Row } from '../../engine/declaration.ts'
import { eraseForGood, forgetGone, holdingsOf, isGone, type ReferencingRecords } from '../../engine/erasure.ts'
import { operation } from '../../engine/operation.ts'
import { requirePermission, requireWholeSight } from '../../engine/permission.ts'
import { conflict, forbidden, Problem, wrong } from '../../engine/problem.ts'
import { erase, existing, find, mayKnow, seesAll } from '../../engine/records.ts'
import { resourceOf } from '../../engine/resource.ts'
import { recordId, wrapped } from '../../engine/schema.ts'
import type { Reader } from '../../records/reader.ts'
import type { Fate, Table } from '../../records/tables.ts'
import type { Writer } from '../../records/write.ts'
import { endKeysOf } from '../access/api-keys.ts'
import { refuseStronger, users } from '../access/users.ts'
import { countReferences, forgetReferences } from '../custom/record-references.ts'
import { employees } from '../people/employees.ts'
import { findOrCreatePlaceholder, refusePlaceholder } from '../people/placeholder.ts'
import { candidates } from '../recruitment/candidates.ts'

/** Erasing people for good, and what that would mean, told before. */

const WHY: Record<Exclude<Fate, 'goes'>, string> = {
  figure: 'Statistics need the record. It stays without its texts, assigned to “Erased person”',
  stays: 'The field cannot be empty. “Erased person” takes the place',
  cleared: 'The record belongs to somebody else. The reference is cleared, the rest stays',
}

/** The same for programs. */
const REASON = { figure: 'statistics', stays: 'required', cleared: 'cleared' } as const

const WHAT = Type.Object(
  {
    what: Type.String({ description: 'Record type of these records' }),
    as: Type.String({ description: 'Field of these records that refers to the person' }),
    count: Type.Integer(),
    why: Type.Optional(Type.String({ description: 'Why the records stay, and in what form' })),
    reason: Type.Optional(
      Type.Unsafe<'statistics' | 'required' | 'cleared' | 'ledger'>({
        type: 'string',
        enum: ['statistics', 'required', 'cleared', 'ledger'],
        description:
          'Why the records stay, as a code. `statistics`: statistics need them. `required`: the field that refers to the person must not be empty. `cleared`: they belong to somebody else, and only the reference is removed. `ledger`: entries of the change history, without values',
      }),
    ),
  },
  { title: 'ErasurePart' },
)
const PREVIEW = wrapped(
  Type.Object(
    {
      goes: Type.Array(WHAT, { description: 'Records that would be deleted' }),
      stays: Type.Array(WHAT, { description: 'Records that would stay, but no longer name the person' }),
    },
    { title: 'ErasurePreview' },
  ),
)

/** What becomes of the records of each kind: each of them once, by however many columns it names somebody. */
function tell(holdings: readonly ReferencingRecords[], isGoing: boolean) {
  const told = holdings.filter(({ fate }) => (fate === 'goes') === isGoing)
  const kinds = Map.groupBy(told, ({ by, fate }) => `${by.from.table} ${fate}`)
  return [...kinds.values()].map((own) => {
    const { by, fate } = own[0] as ReferencingRecords
    return {
      what: by.from.table,
      as: [...new Set(own.map((one) => one.by.column))].join(', '),
      count: new Set(own.flatMap(({ ids }) => ids)).size,
      ...(fate === 'goes' ? {} : { why: WHY[fate], reason: REASON[fate] }),
    }
  })
}

/** Whoever takes something away, or tells what would go, sees all of it. */
async function requireSightOfAll(db: Reader, of: Resource, id: number): Promise<ReferencingRecords[]> {
  const holdings = await holdingsOf(db, of, id)
  // Where sight depends on who looks, not even that there is something may be told: it is asked of everybody, but for
  // what only ceases to name somebody.
  const seenInPart = db
    .referrersOf(of.table)
    .filter(({ from, fate }) => fate !== 'cleared' && resourceOf(from).rowPolicy)
  requireSightOf(
    db,
    [...holdings.map(({ by }) => by), ...seenInPart].map(({ from }) => from),
  )
  return holdings
}

async function preview(db: Reader, of: Resource, id: number) {
  const holdings = await requireSightOfAll(db, of, id)
  const named = await countReferences(db, of.table, id)
  const there = await existing(db, of.table, [id])
  const past = await db
    .from('ledger')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('resource', '=', of.table)
    .where('record_id', '=', id)
    .executeTakeFirstOrThrow()
  const why = 'The ledger keeps what was done, when, and who did it. The values are deleted'
  return {
    goes: [{ what: of.table, as: 'id', count: there.size }, ...tell(holdings, true)],
    stays: [
      ...tell(holdings, false),
      ...named.map(({ table, count }) => ({
        what: table,
        as: 'value',
        count,
        why: WHY.cleared,
        reason: REASON.cleared,
      })),
      { what: 'ledger', as: 'record_id', count: Number(past.n), why, reason: 'ledger' as const },
    ],
  }
}

/** What is told of other areas is told to those who may read them. */
export function requireSightOf(db: Reader, tables: Iterable<Table>): void {
  const { caller } = db
  for (const of of new Set([...tables].map(resourceOf))) {
    const { area, group, one } = of
    requirePermission(caller, `${area}:read`)
    if (!seesAll(of, db))
      throw forbidden(
        `This operation needs all records of the type ${one}, but your role shows you only some of them. Use a role or API key that covers everybody.`,
      )
    if (group && caller.withheld.has(group))
      throw forbidden(
        `This operation needs the field group ${group}, which is hidden from you. Use a role or API key that can see it.`,
      )
  }
}

/** A first job is a part of the record; anything else is a reason to think twice. */
const FIRST_JOB = ['employee_positions', 'employment_statuses']

async function refuseWhileHeld(db: Reader, id: number): Promise<void> {
  const holdings = (await holdingsOf(db, employees, id)).filter(
    ({ by, ids }) => !(FIRST_JOB.includes(by.from.table) && by.column === 'employee_id' && ids.length === 1),
  )
  const isKnown = ({ by }: ReferencingRecords) => mayKnow(db, by.from, by.column)
  const held = [
    ...holdings.filter(isKnown).map(({ by, ids }) => ({ table: by.from.table, column: by.column, count: ids.length })),
    ...(await countReferences(db, employees.table, id)).map((one) => ({ ...one, column: 'value' })),
  ]
  if (held.length === 0 && holdings.length > 0)
    throw conflict(
      'This employee cannot be deleted: records that you cannot see refer to this employee. Ask somebody with more access.',
      'in_use',
    )
  if (held.length === 0) return
  const list = held.map(({ table, column, count }) => `${count} ${table.replaceAll('_', ' ')} (${column})`).join(', ')
  throw new Problem(
    409,
    'in_use',
    `This employee cannot be deleted, because other records refer to this employee: ${list}. Delete or change them, or send erase=true to erase the employee for good. GET /employees/${id}/erasure shows what that does to each record.`,
    {
      errors: held.map(({ table, column, count }) => wrong(table, 'in_use', `${column}: ${count}`)),
    },
  )
}

/** Takes an employee away for good, unless what `look` sees of them stands against it. */
export async function eraseEmployee(
  db: Writer,
  employee: Row<typeof employees>,
  look: (id: number) => Promise<unknown> = (id) => requireSightOfAll(db, employees, id),
): Promise<void> {
  requireWholeSight(db.caller)
  refusePlaceholder(employee)
  await look(employee.id)
  const user = await db.from('users').select('id').where('employee_id', '=', employee.id).executeTakeFirst()
  if (user) await refuseStronger(db, user.id)
  await endKeysOf(db, employee.id)
  await forgetReferences(db, employees.table, employee.id)
  await eraseForGood(db, employees, employee.id, () => findOrCreatePlaceholder(db))
}

const employee = { area: 'employees', params: Type.Object({ id: recordId('employees') }) }
const user = { area: 'users', params: Type.Object({ id: recordId('users') }) }
const candidate = { area: 'recruitment', params: Type.Object({ id: recordId('candidates') }) }

export const erasingOperations = [
  operation(
    {
      ...employee,
      id: 'deleteEmployee',
      method: 'DELETE',
      path: '/employees/{id}',
      summary: 'Delete or erase an employee',
      note: 'Deletes the person for good, with all their data and its history; undo cannot restore them. Send `erase=true` if other records refer to the employee, or if the creation of the employee was undone and only the history is left. Records that statistics need stay, but without the person: preview what is deleted and what stays with `GET /employees/{id}/erasure`.',
      query: Type.Object({
        erase: Type.Optional(
          Type.Boolean({
            description: 'Whether to erase the person even if other records refer to them; false by default',
          }),
        ),
      }),
      conflicts: 'Other records refer to the employee and `erase=true` was not sent',
    },
    async ({ db, params, query }) => {
      if (query.erase && (await isGone(db, employees, params.id))) {
        await forgetGone(db, employees, params.id, (tables) => requireSightOf(db, tables))
        return {}
      }
      await eraseEmployee(db, await find(db, employees, params.id), (id) =>
        query.erase ? requireSightOfAll(db, employees, id) : refuseWhileHeld(db, id),
      )
      return {}
    },
  ),
  operation(
    {
      ...employee,
      id: 'previewEmployeeErasure',
      method: 'GET',
      path: '/employees/{id}/erasure',
      summary: 'Preview the erasure of an employee',
      note: 'Erases nothing. Lists which records would be deleted, and which would stay without the person.',
      answer: PREVIEW,
    },
    async ({ db, params }) => {
      requireWholeSight(db.caller)
      if (!(await isGone(db, employees, params.id))) await find(db, employees, params.id)
      return { body: { data: await preview(db, employees, params.id) } }
    },
  ),
  operation(
    {
      ...candidate,
      id: 'previewCandidateErasure',
      method: 'GET',
      path: '/recruitment/candidates/{id}/erasure',
      summary: 'Preview the erasure of a candidate',
      note: 'Erases nothing. Lists which records would be deleted, and which would stay without the person.',
      answer: PREVIEW,
    },
    async ({ db, params }) => {
      requireWholeSight(db.caller)
      if (!(await isGone(db, candidates, params.id))) await find(db, candidates, params.id)
      return { body: { data: await preview(db, candidates, params.id) } }
    },
  ),
  operation(
    {
      ...user,
      id: 'deleteUser',
      method: 'DELETE',
      path: '/users/{id}',
      summary: 'Delete or erase a user',
      note: 'The user can no longer sign in, and their sessions end. Undo cannot restore the user. With `erase=true`, the name and email address are also erased from the history; this works for deleted users too. To erase a user who is an employee, erase the employee.',
      query: Type.Object({
        erase: Type.Optional(
          Type.Boolean({
            description:
              'Whether to erase the name and email address of the user from the change history too; false by default',
          }),
        ),
      }),
    },
    async ({ db, params, query }) => {
      if (query.erase && (await isGone(db, users, params.id))) {
        await forgetGone(db, users, params.id, (tables) => requireSightOf(db, tables))
        return {}
      }
      const before = await find(db, users, params.id)
      await refuseStronger(db, before.id)
      if (!query.erase) await erase(db, users, before)
      else {
        requireWholeSight(db.caller)
        await requireSightOfAll(db, users, before.id)
        await eraseForGood(db, users, before.id)
      }
      return {}
    },
  ),
  operation(
    {
      ...user,
      id: 'previewUserErasure',
      method: 'GET',
      path: '/users/{id}/erasure',
      summary: 'Preview the erasure of a user',
      note: 'Erases nothing. Lists which records would be deleted, and which would stay without the person.',
      answer: PREVIEW,
    },
    async ({ db, params }) => {
      requireWholeSight(db.caller)
      if (!(await isGone(db, users, params.id))) await find(db, users, params.id)
      return { body: { data: await preview(db, users, params.id) } }
    },
  ),
]
