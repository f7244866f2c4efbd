import Type from 'typebox'
import { endKeysOf } from '../access/api-keys.ts'
import { forgetReferences } from '../custom/named.ts'
import type { Resource } from '../engine/declaration.ts'
import { eraseForGood, type Holding, holdingsOf } from '../engine/erasure.ts'
import { operation } from '../engine/operation.ts'
import { requirePermission } from '../engine/permission.ts'
import { conflict, forbidden, Problem, wrong } from '../engine/problem.ts'
import { erase, find, insertAll, mayKnow } from '../engine/records.ts'
import { resourceOf } from '../engine/resource.ts'
import { recordId, wrapped } from '../engine/schema.ts'
import type { Caller } from '../ledger/caller.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Fate, Table } from '../ledger/tables.ts'
import type { Writer } from '../ledger/write.ts'
import { employees } from '../people/employees.ts'
import { candidates } from '../recruitment/candidates.ts'

/** Erasing people for good, and what that would mean, told before. */

/** Who stands where somebody must be named, and was erased. */
const STAND_IN = { employee_number: 'ERASED', first_name: 'Erased', last_name: 'person' }

const WHY: Record<Exclude<Fate, 'goes'>, string> = {
  figure: 'The figure counts for others: it stays without its texts, in the name of “Erased person”',
  stays: 'Somebody must be named there: “Erased person” takes the place',
  cleared: 'It belongs to others, and names nobody from then on',
}

const WHAT = Type.Object(
  {
    what: Type.String({ description: 'A kind of record' }),
    as: Type.String({ description: 'The column by which the records name the person' }),
    count: Type.Integer(),
    why: Type.Optional(Type.String({ description: 'Why it stays, and as what' })),
  },
  { title: 'ErasurePart' },
)
const PREVIEW = wrapped(
  Type.Object(
    {
      goes: Type.Array(WHAT, { description: 'What would be gone for good' }),
      stays: Type.Array(WHAT, { description: 'What would stay, without the person' }),
    },
    { title: 'ErasurePreview' },
  ),
)

const tell = ({ by, ids, fate }: Holding) => ({
  what: by.from.table,
  as: by.column,
  count: ids.length,
  ...(fate === 'goes' ? {} : { why: WHY[fate] }),
})

async function preview(db: Reader, of: Resource, id: number) {
  const holdings = await holdingsOf(db, of, id)
  requireSightOf(
    db,
    holdings.map(({ by }) => by.from),
  )
  const past = await db
    .from('ledger')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('resource', '=', of.table)
    .where('record_id', '=', id)
    .executeTakeFirstOrThrow()
  const why = 'That something was done stays, by whom and when; what it said goes'
  return {
    goes: [{ what: of.table, as: 'id', count: 1 }, ...holdings.filter(({ fate }) => fate === 'goes').map(tell)],
    stays: [
      ...holdings.filter(({ fate }) => fate !== 'goes').map(tell),
      { what: 'ledger', as: 'record_id', count: Number(past.n), why },
    ],
  }
}

/** What is seen in part only can be neither judged nor taken whole. */
export function requireWholeSight({ withheld }: Caller): void {
  if (withheld.size > 0) throw forbidden(`This key may not do that: ${[...withheld].join(', ')} is withheld from it`)
}

/** The job and the custom values are parts of the record; anything else is a reason to think twice. */
const PARTS = ['employee_positions', 'employment_statuses', 'employee_field_values']

/** What is told of other areas is told to those who may read them. */
export function requireSightOf({ caller }: Reader, tables: Iterable<Table>): void {
  for (const { area, group } of new Set([...tables].map(resourceOf))) {
    requirePermission(caller, `${area}:read`)
    if (group && caller.withheld.has(group)) throw forbidden(`This key may not do that: ${group} is withheld from it`)
  }
}

async function refuseWhileHeld(db: Reader, id: number): Promise<void> {
  const held = (await holdingsOf(db, employees, id)).filter(
    ({ by }) => !(PARTS.includes(by.from.table) && by.column === 'employee_id'),
  )
  if (held.length === 0) return
  const words = (table: string) => table.replaceAll('_', ' ')
  const { known = [], unknown = [] } = Object.groupBy(held, ({ by }) =>
    mayKnow(db, by.from, by.column) ? 'known' : 'unknown',
  )
  const told = known.map(({ by, ids }) => `${ids.length} ${words(by.from.table)} (${by.column})`)
  const list = [...told, ...(unknown.length > 0 ? ['records that this key does not see'] : [])].join(', ')
  throw new Problem(409, 'in_use', `This employee is held by ${list}. With erase=true they are erased all the same`, {
    errors: known.map(({ by, ids }) => wrong(by.from.table, 'in_use', `${by.column}: ${ids.length}`)),
  })
}

async function standIn(db: Writer): Promise<number> {
  const known = await db
    .from('employees')
    .select('id')
    .where('employee_number_key', '=', STAND_IN.employee_number.toLowerCase())
    .executeTakeFirst()
  if (known) return known.id
  const [id] = await insertAll(db, employees, [{ ...STAND_IN, termination_effective_on: db.today }])
  return id as number
}

const employee = { area: 'employees', params: Type.Object({ id: recordId('employees') }) }
const candidate = { area: 'recruitment', params: Type.Object({ id: recordId('candidates') }) }

export const erasingOperations = [
  operation(
    {
      ...employee,
      id: 'deleteEmployee',
      method: 'DELETE',
      path: '/employees/{id}',
      summary: 'Delete or erase an employee',
      note: 'Who is held by other records is deleted only with `erase=true`: then the person goes for good with everything about them, and figures that must stay do so without them. `GET /employees/{id}/erasure` tells what would happen.',
      query: Type.Object({
        erase: Type.Optional(Type.Boolean({ description: 'Erase for good, whatever holds them' })),
      }),
      conflicts: 'Other records hold the employee, and erase=true is not given',
    },
    async ({ db, params, query }) => {
      const before = await find(db, employees, params.id)
      if (!query.erase) {
        await refuseWhileHeld(db, before.id)
        await erase(db, employees, before)
        return {}
      }
      requireWholeSight(db.caller)
      if (before.employee_number === STAND_IN.employee_number)
        throw conflict('This one stands in for those who were erased')
      await endKeysOf(db, before.id)
      await forgetReferences(db, employees.table, before.id)
      await eraseForGood(db, employees, before.id, () => standIn(db))
      return {}
    },
  ),
  operation(
    {
      ...employee,
      id: 'previewEmployeeErasure',
      method: 'GET',
      path: '/employees/{id}/erasure',
      summary: 'Tell what erasing an employee would take away, what would stay, and why',
      answer: PREVIEW,
    },
    async ({ db, params }) => {
      requireWholeSight(db.caller)
      await find(db, employees, params.id)
      return { body: { data: await preview(db, employees, params.id) } }
    },
  ),
  operation(
    {
      ...candidate,
      id: 'previewCandidateErasure',
      method: 'GET',
      path: '/recruitment/candidates/{id}/erasure',
      summary: 'Tell what erasing a candidate would take away, what would stay, and why',
      answer: PREVIEW,
    },
    async ({ db, params }) => {
      requireWholeSight(db.caller)
      await find(db, candidates, params.id)
      return { body: { data: await preview(db, candidates, params.id) } }
    },
  ),
]
