import Type from 'typebox'
import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import { cardTableFor } from '../../engine/access-scope/subjects.ts'
import type { Resource } from '../../engine/declaration.ts'
import { remove } from '../../engine/derive.ts'
import { choice, LONGEST_TEXT, loaded, longText, readOnly, reference, timestamp } from '../../engine/field.ts'
import type { HeldKind } from '../../engine/held.ts'
import { byId } from '../../engine/join.ts'
import { operation } from '../../engine/operation.ts'
import { forbidden, wrongState } from '../../engine/problem.ts'
import { amend, erase, find } from '../../engine/records.ts'
import { card } from '../../engine/resource.ts'
import { nullable, recordId, schemaOf, wrapped } from '../../engine/schema.ts'
import { listsFor, show, showOne } from '../../engine/shape.ts'
import { changedRecords } from '../../engine/undo/guard-queries.ts'
import type { UndoGuard } from '../../engine/undo/guards.ts'
import { isSelf } from '../../records/caller.ts'
import type { Reader } from '../../records/reader.ts'
import { fullName, personCard, personShort } from '../people/person.ts'
import { approversOf } from './approvers.ts'

/** What somebody asks for and somebody else decides: the states of it, who is to decide or did, and the decisions. */

const STATES = ['pending', 'approved', 'rejected', 'withdrawn'] as const
type ApprovalState = (typeof STATES)[number]

/** The states in which what is asked for counts. */
export const OPEN = ['pending', 'approved'] as const

/** `{id, full_name}` */
const personName = card(personCard.resource, 'PersonName', ['id', 'full_name'])

const APPROVAL = Type.Object(
  {
    state: Type.Unsafe<ApprovalState>({ type: 'string', enum: [...STATES] }),
    assigned_to: nullable(schemaOf(personName)),
  },
  { title: 'Approval' },
)

/** Why it was rejected, for the person who asked for it. */
export const rejectionReason = () =>
  readOnly(
    longText({ nullable: true, note: 'Reason for the rejection; null if nobody gave one, or if nothing was rejected' }),
  )

/** The same in the body of a rejection. */
export const rejecting = {
  reason: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'text',
      maxLength: LONGEST_TEXT,
      description: 'Reason, shown to the employee as `rejection_reason`',
      examples: ['The dates differ from what we agreed'],
    }),
  ),
}

export const approvalFields = (table: string, area: string) => ({
  state: readOnly(choice(STATES, { default: 'pending' })),
  approvals: loaded(
    () =>
      Type.Array(APPROVAL, {
        description:
          'Who decides. While the request is pending: the manager of the employee; if the manager is not employed at that time, the manager of the manager; if there is none, everybody in HR. After the decision: the person who decided. `assigned_to` is null if there is nobody, or if an API key without an employee decided. An empty list if the request was withdrawn',
      }),
    (db, ids) => loadApprovals(db, table, area, ids),
  ),
  decided_by_id: readOnly(reference('employees', { show: () => personShort })),
  decided_at: readOnly(timestamp()),
  rejection_reason: rejectionReason(),
})

type ApprovableResource = Resource<ReturnType<typeof approvalFields>>
type ApprovalRequest = { id: number; employee_id: number; state: ApprovalState; decided_by_id: number | null }

/** One statement for what was asked, one for the managers of those who wait, and one for the names. */
async function loadApprovals(db: Reader, table: string, area: string, ids: number[]): Promise<Map<number, unknown[]>> {
  const rows = (await db
    .from(table)
    .select(['id', 'employee_id', 'state', 'decided_by_id'])
    .where('id', 'in', ids)
    .execute()) as ApprovalRequest[]
  const waiting = rows.flatMap(({ state, employee_id }) => (state === 'pending' ? [employee_id] : []))
  const approvers = await approversOf(db, area, waiting)
  const assigned = rows.flatMap(({ id, employee_id, state, decided_by_id }) => {
    if (state === 'withdrawn') return []
    const people = state === 'pending' ? (approvers.get(employee_id) ?? []) : [decided_by_id]
    return (people.length > 0 ? people : [null]).map((person) => ({ id, state, person }))
  })
  const named = [...new Set(assigned.flatMap(({ person }) => person ?? []))]
  const people = new Map((await show(db, personName, named)).map((one) => [one.id, one]))
  return listsFor(
    ids,
    assigned.map(({ id, state, person }) => [id, { state, assigned_to: person === null ? null : people.get(person) }]),
  )
}

/** What waits today for the decision of somebody. It follows the reporting lines: nobody gives it to anybody. */
export const waitingFor = (
  kind: string,
  of: Resource,
  { note, from, until = from, state = 'state' }: { note: string; from: string; until?: string; state?: string },
): HeldKind => ({
  kind,
  of,
  note,
  otherwise: 'moves',
  role: 'approver',
  async rows(db, { id }) {
    const pending = () => db.from(of.table).where(`${of.table}.${state}`, '=', 'pending')
    const asking = await pending().select('employee_id').distinct().execute()
    const approvers = await approversOf(
      db,
      of.area,
      asking.map((row) => row.employee_id),
    )
    const own = [...approvers].flatMap(([employeeId, ids]) => (ids.includes(id) ? employeeId : []))
    return pending()
      .innerJoin(`${cardTableFor(db, 'employees')} as e`, byId('e', `${of.table}.employee_id`))
      .select([`${of.table}.id`, `${of.table}.${state} as state`])
      .select([`${of.table}.${from} as starts_on`, `${of.table}.${until} as ends_on`])
      .select(['e.first_name', 'e.middle_name', 'e.last_name'])
      .where(`${of.table}.employee_id`, 'in', [0, ...own])
      .orderBy(`${of.table}.id`)
  },
  nameOf: fullName,
})

/** May the caller decide about what somebody has asked for? Nobody decides about their own. */
export const mayDecide = (db: Reader, area: string, employeeId: number): boolean =>
  !isSelf(db, employeeId) && holdsFor(db, `${area}:approve`, 'employees', employeeId)

export function requireDecider(db: Reader, area: string, employeeId: number): void {
  if (isSelf(db, employeeId)) throw forbidden('You cannot decide about your own request. Somebody else has to do it.')
  if (!mayDecide(db, area, employeeId))
    throw forbidden(`You cannot decide about this request: you need the permission ${area}:approve for this person.`)
}

/** Takes away what was asked for. Whoever asked withdraws it: a decision about one's own is not deleted with it. */
export const removeAsked = <R extends ApprovableResource>(of: R) =>
  remove(of as Resource, {
    async store({ db }, before) {
      const { state, employee_id } = before as unknown as ApprovalRequest
      if (isSelf(db, employee_id) && (state === 'approved' || state === 'rejected'))
        throw forbidden(
          `You cannot delete your own request after it was ${state}. ${state === 'approved' ? 'Withdraw it instead.' : 'Somebody else has to do it.'}`,
        )
      await erase(db, of as Resource, before)
    },
  })

/**
 * Which states somebody does not leave or come to by themselves. An entry of time that was rejected is theirs again: they
 * hand it in once more, change or delete it, and may take that back.
 */
const DECISIONS: Readonly<Record<string, { column: string; states: readonly unknown[] }>> = {
  leave_requests: { column: 'state', states: ['approved', 'rejected'] },
  overtime_requests: { column: 'state', states: ['approved', 'rejected'] },
  timesheet_entries: { column: 'status', states: ['approved'] },
}

/**
 * Nor does anybody come to a decision about their own by undoing what took it back, or away from one by undoing it, or
 * all that was asked for with it.
 */
export const nobodyDecidesByUndoing: UndoGuard = {
  tables: Object.keys(DECISIONS),
  async check(db, changes) {
    for (const [table, { column, states }] of Object.entries(DECISIONS)) {
      const decided = changes.filter(
        ({ resource, before, after }) =>
          resource === table &&
          before?.[column] !== after?.[column] &&
          [before, after].some((side) => states.includes(side?.[column])),
      )
      const sides = [
        ...(await changedRecords(db, table, decided)).values(),
        ...decided.map(({ before }) => before ?? {}),
      ]
      const people = sides.flatMap(({ employee_id: id }) => (typeof id === 'number' ? id : []))
      if (people.some((id) => isSelf(db, id)))
        throw forbidden('You cannot decide about your own request. Somebody else has to do it.')
    }
  },
}

type DecisionCheck = (db: Reader, asked: any) => Promise<void>

function decision<R extends ApprovableResource>(
  of: R,
  verb: 'approve' | 'reject' | 'withdraw',
  permission: string,
  state: ApprovalState,
  froms: ApprovalState[],
  check?: DecisionCheck,
) {
  const a = /^[aeio]/.test(of.one) ? 'an' : 'a'
  const summary = `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${a} ${of.one}`
  return operation(
    {
      id: `${verb}${of.title}`,
      method: 'POST',
      path: `${of.path}/{id}/${verb}`,
      summary,
      area: of.area,
      permission,
      params: Type.Object({ id: recordId(of.table) }),
      ...(verb === 'reject' ? { body: Type.Object(rejecting, { title: `Reject${of.title}` }) } : {}),
      answer: wrapped(schemaOf(of.whole)),
      conflicts: `Only a request that is ${froms.join(' or ')} can become ${state}`,
    },
    async ({ db, params, body }) => {
      const before = await find<ApprovableResource>(db, of, params.id)
      if (!froms.includes(before.state))
        throw wrongState({ one: of.one, id: params.id, state: before.state }, state, froms)
      if (verb !== 'withdraw') requireDecider(db, of.area, (before as unknown as ApprovalRequest).employee_id)
      await check?.(db, before)
      const rejection_reason = (body as { reason?: string | null } | undefined)?.reason || null
      const decided = { state, decided_by_id: db.caller.personId, decided_at: db.now, rejection_reason }
      await amend<ApprovableResource>(db, of, before, decided)
      return { body: await showOne(db, of.whole, params.id) }
    },
  )
}

/** What can be done with what was asked for; what cannot be any more is not approved. */
export const decisionsOn = <R extends ApprovableResource>(
  of: R,
  ask: string,
  checks: { approve?: DecisionCheck; withdraw?: DecisionCheck } = {},
) => [
  decision(of, 'approve', `${of.area}:approve`, 'approved', ['pending'], checks.approve),
  decision(of, 'reject', `${of.area}:approve`, 'rejected', ['pending']),
  decision(of, 'withdraw', ask, 'withdrawn', ['pending', 'approved'], checks.withdraw),
]
