import { withoutHeldBack } from '../../engine/access-scope/held-back.ts'
import { byId } from '../../engine/join.ts'
import { permits } from '../../engine/permission.ts'
import { rowsOf } from '../../engine/records.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { roleGrants } from '../access/roles.ts'
import { holdingOn } from '../people/job-entries.ts'

/**
 * Who is to decide about what somebody asks for: their manager of today, otherwise the manager above, otherwise HR; never
 * they themselves.
 */
export async function approversOf(
  reader: Reader,
  area: string,
  employeeIds: readonly number[],
): Promise<Map<number, number[]>> {
  const people = [...new Set(employeeIds)]
  // Whoever asks need not see the job of their manager, nor who is in HR.
  const db = reader.visibility ? withoutHeldBack(reader) : reader
  const first = await managersOf(db, people)
  const above = await managersOf(
    db,
    [...first.values()].flatMap(({ id, isHere }) => (isHere ? [] : [id])),
  )
  const approvers = new Map<number, number[]>()
  for (const id of people) {
    const manager = first.get(id)
    const next = manager?.isHere ? manager : manager && above.get(manager.id)
    if (next?.isHere && next.id !== id) approvers.set(id, [next.id])
  }
  if (approvers.size === people.length) return approvers
  const { hr, others } = await ofAll(db, area)
  for (const id of people) {
    if (approvers.has(id)) continue
    const [first, second] = [hr, others].map((some) => some.filter((one) => one !== id)) as [number[], number[]]
    approvers.set(id, first.length > 0 ? first : second)
  }
  return approvers
}

type Manager = { id: number; isHere: boolean }

/** To whom each of these people reports today, and whether that manager is in service. */
async function managersOf(db: Reader, employeeIds: readonly number[]): Promise<Map<number, Manager>> {
  if (employeeIds.length === 0) return new Map()
  const lines = holdingOn(db.from('employee_positions'), 'employee_positions', { day: db.today })
  const rows = await lines
    .innerJoin('employees as m', byId('m', 'employee_positions.reporting_to_id'))
    .select(['employee_positions.employee_id', 'm.id', 'm.hired_on', 'm.termination_effective_on'])
    .where('employee_positions.employee_id', 'in', [...new Set(employeeIds)])
    .execute()
  return new Map(
    rows.map(({ employee_id, id, hired_on, termination_effective_on: left }) => [
      employee_id,
      { id, isHere: (hired_on === null || hired_on <= db.today) && (left === null || left > db.today) },
    ]),
  )
}

/** Those in service who may decide about everybody: the people of HR, and all others, by their roles. */
async function ofAll(db: Reader, area: string): Promise<{ hr: number[]; others: number[] }> {
  const isHere = (query: Query) =>
    query
      .where((eb) => eb.or([eb('e.hired_on', 'is', null), eb('e.hired_on', '<=', db.today)]))
      .where((eb) =>
        eb.or([eb('e.termination_effective_on', 'is', null), eb('e.termination_effective_on', '>', db.today)]),
      )
  const held = await isHere(
    db
      .from('users as u')
      .innerJoin('employees as e', byId('e', 'u.employee_id'))
      .innerJoin('user_roles as h', (on) =>
        on.onRef('h.account_id', '=', 'u.account_id').onRef('h.user_id', '=', 'u.id'),
      )
      .innerJoin('roles as r', byId('r', 'h.role_id')),
  )
    .select(['e.id', 'h.role_id', 'r.standard'])
    .where('u.disabled_at', 'is', null)
    .orderBy('e.id')
    .execute()
  const grants = await rowsOf(roleGrants, db.from('role_grants').where('scope', '=', 'everybody'))
  const able = new Set(
    grants.flatMap(({ role_id, permissions }) => (permits(permissions, `${area}:approve`) ? role_id : [])),
  )
  const people = held.filter(({ role_id }) => able.has(role_id))
  const idsOf = (some: typeof people) => [...new Set(some.map(({ id }) => id as number))]
  return { hr: idsOf(people.filter(({ standard }) => standard === 'hr')), others: idsOf(people) }
}
