import Type, { type Static } from 'typebox'
import { AccessScope } from '../../engine/access-scope/access-scope.ts'
import { subjectPathsOf } from '../../engine/access-scope/subjects.ts'
import { daysAfter } from '../../engine/day.ts'
import type { Row } from '../../engine/declaration.ts'
import {
  type Gift,
  type Giving,
  type HeldKind,
  type HeldRecord,
  type Holder,
  listHeld,
  readerOf,
} from '../../engine/held.ts'
import type { Operation } from '../../engine/operation.ts'
import { requirePermission } from '../../engine/permission.ts'
import { type FieldProblem, refuse, wrong } from '../../engine/problem.ts'
import { nameable } from '../../engine/records.ts'
import { recordId } from '../../engine/schema.ts'
import { like } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { knownLeaving, leaversAmong } from '../organisation/staff.ts'
import type { employees } from '../people/employees.ts'
import { createOffboardingTasks } from '../tasks/tasks.ts'

/** Who takes over which records: checked first, then given kind by kind, each with the rights that changing such a record needs. */

/** So many records of a kind are given in one request. */
export const MOST_IDS = 500
const MOST_ASSIGNMENTS = 100
/** Among so many records of a person those are found that are named. */
const MOST_HELD = 100_000
const LONGEST_NAME = 255

export const assignmentBody = (held: readonly HeldKind[]) =>
  Type.Object(
    {
      on: Type.Optional(
        Type.String({
          format: 'date',
          description: 'First day on which the others have the records; today by default',
          examples: ['2030-07-01'],
        }),
      ),
      assignments: Type.Array(
        Type.Object({
          kind: Type.Unsafe<string>({
            type: 'string',
            enum: held.flatMap(({ kind, giving }) => (giving ? kind : [])),
            description: 'What to give, as in `kind` of `GET /employees/{id}/handover`',
            examples: ['tasks'],
          }),
          ids: Type.Optional(
            Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
              minItems: 1,
              maxItems: MOST_IDS,
              description: 'IDs of the records to give. Send either `ids` or `all`',
            }),
          ),
          all: Type.Optional(
            Type.Boolean({
              description: 'True: all records of this kind that no other assignment names',
              examples: [true],
            }),
          ),
          to_employee_id: Type.Optional({
            ...recordId('employees'),
            description: 'ID of the employee who gets the records. Send either this field or `return_to`',
          }),
          return_to: Type.Optional({
            ...recordId('employees'),
            description:
              'For assets: ID of the employee who collects them. Creates one task per asset, due on the last day',
          }),
          task_name: Type.Optional(
            Type.String({
              format: 'line',
              minLength: 1,
              maxLength: LONGEST_NAME,
              description:
                'With `return_to`: name of the tasks, in which `{asset}` is replaced by name and code of the asset; by default `Collect {asset}`',
              examples: ['Collect {asset}'],
            }),
          ),
          at_once: Type.Optional(
            Type.Boolean({
              description:
                'Whether the records change today, whatever `on` says. Required for records without dates if `on` is in the future',
              examples: [true],
            }),
          ),
        }),
        {
          minItems: 1,
          maxItems: MOST_ASSIGNMENTS,
          description: 'Who gets what',
          examples: [[{ kind: 'direct_reports', all: true, to_employee_id: 2 }]],
        },
      ),
    },
    { title: 'HandOver' },
  )

type Body = Static<ReturnType<typeof assignmentBody>>
type Assignment = Body['assignments'][number] & {
  /** `assignments[3]` */
  place: string
  one: HeldKind & { giving: Giving }
  /** The day from which it applies. */
  day: string
  /** Who gets or collects the records. */
  to: number
  records: HeldRecord[]
}

type Given = {
  kind: string
  ids: number[]
  to_employee_id: number | null
  return_to: number | null
  applies_from: string
  task_ids: number[]
}

export async function giveAll(
  db: Writer,
  held: readonly HeldKind[],
  person: Row<typeof employees>,
  body: Body,
  problems: FieldProblem[],
): Promise<Given[]> {
  refuse(problems)
  const on = body.on ?? db.today
  const assignments = readAssignments(db, held, person.id, { ...body, on }, problems)
  refuse(problems)
  await checkSuccessors(db, assignments, on, problems)
  for (const own of Map.groupBy(assignments, ({ one }) => one.kind).values())
    await chooseRecords(db, own, person.id, problems)
  refuse(problems)
  for (const own of Map.groupBy(
    assignments.filter((assignment) => assignment.to_employee_id !== undefined),
    ({ one, day }) => `${one.kind} ${day}`,
  ).values())
    await giveKind(db, own, person.id, problems)
  refuse(problems)
  const given = []
  for (const assignment of assignments) {
    const task_ids = assignment.return_to === undefined ? [] : await collect(db, assignment, person, on, problems)
    given.push({
      kind: assignment.one.kind,
      ids: assignment.records.map(({ id }) => id),
      to_employee_id: assignment.to_employee_id ?? null,
      return_to: assignment.return_to ?? null,
      applies_from: assignment.day,
      task_ids,
    })
  }
  refuse(problems)
  return given
}

/** What the body says, without the records themselves. */
function readAssignments(
  db: Writer,
  held: readonly HeldKind[],
  personId: number,
  { on, assignments }: Body & { on: string },
  problems: FieldProblem[],
): Assignment[] {
  const kinds = new Map(held.map((one) => [one.kind, one]))
  return assignments.flatMap((sent, index) => {
    const place = `assignments[${index}]`
    const fail = (field: string, code: string, message: string) =>
      void problems.push(wrong(`${place}.${field}`, code, message))
    const one = kinds.get(sent.kind)
    if (!one?.giving) return []
    const { giving } = one
    const to = sent.to_employee_id ?? sent.return_to
    if (to === undefined) {
      fail('to_employee_id', 'required', one.isCollected ? 'is required, unless return_to is sent' : 'is required')
      return []
    }
    if (sent.return_to !== undefined && !one.isCollected)
      fail('return_to', 'not_allowed', `cannot be sent for ${sent.kind}: only assets can be collected`)
    if (sent.return_to !== undefined && sent.to_employee_id !== undefined)
      fail('return_to', 'not_allowed', 'cannot be sent together with to_employee_id')
    if (sent.task_name !== undefined && sent.return_to === undefined)
      fail('task_name', 'not_allowed', 'can be sent only with return_to')
    if (Boolean(sent.ids) === Boolean(sent.all))
      fail(
        'ids',
        sent.ids ? 'not_allowed' : 'required',
        sent.ids ? 'cannot be sent together with all' : 'is required, unless all is true',
      )
    if (to === personId)
      fail(
        sent.to_employee_id === undefined ? 'return_to' : 'to_employee_id',
        'not_allowed',
        'cannot be the employee who hands over',
      )
    const isTask = sent.return_to !== undefined
    if (on > db.today && !giving.isDated && !sent.at_once)
      fail(
        'at_once',
        'required',
        `must be true: ${sent.kind} have no dates and would change today. Send at_once=true, or hand them over on ${on}`,
      )
    requirePermission(db.caller, isTask ? 'tasks:write' : giving.permission)
    if (isTask) requirePermission(db.caller, one.of.readWith)
    const day = (sent.at_once || !giving.isDated) && !isTask ? db.today : on
    return { ...sent, place, one: { ...one, giving }, day, to, records: [] }
  })
}

const successorField = ({ place, to_employee_id }: Assignment) =>
  `${place}.${to_employee_id === undefined ? 'return_to' : 'to_employee_id'}`

/** The new holders must exist, must not be the placeholder of erased people, and must not have left by that day. */
async function checkSuccessors(
  db: Writer,
  assignments: readonly Assignment[],
  on: string,
  problems: FieldProblem[],
): Promise<void> {
  const ids = [...new Set(assignments.map(({ to }) => to))]
  const known = await nameable(db, 'employees', ids)
  const day = on > db.today ? on : db.today
  const gone = new Set(await leaversAmong(db, [...known], day))
  for (const assignment of assignments) {
    const field = successorField(assignment)
    if (!known.has(assignment.to)) problems.push(wrong(field, 'not_found', 'must be the id of an existing employee'))
    else if (gone.has(assignment.to)) problems.push(wrong(field, 'terminated', `is an employee who has left by ${day}`))
  }
}

/** The records of all assignments of a kind: those that are named are held by the person, and named once. */
async function chooseRecords(
  db: Writer,
  assignments: readonly Assignment[],
  personId: number,
  problems: FieldProblem[],
): Promise<void> {
  const taken = new Set<number>()
  const lists = new Map<string, ReturnType<typeof listHeld>>()
  for (const [isRest, own] of [
    [false, assignments.filter(({ ids }) => ids)],
    [true, assignments.filter(({ ids }) => !ids)],
  ] as const)
    for (const assignment of own) {
      const { one, place, day, ids = [], return_to } = assignment
      const fail = (field: string, code: string, message: string) =>
        void problems.push(wrong(`${place}.${field}`, code, message))
      const reader = readerOf(db, return_to === undefined ? one.giving.permission : one.of.readWith)
      const list = `${day} ${return_to === undefined}`
      const holder: Holder = { table: 'employees', id: personId, day }
      if (!lists.has(list)) lists.set(list, listHeld(reader, one, holder, MOST_HELD))
      const { records: held } = await (lists.get(list) as ReturnType<typeof listHeld>)
      const records = return_to === undefined ? await writableOf(db, one, held) : held
      if (isRest && assignments.some((other) => !other.ids && other !== assignment && other.place < place))
        fail('all', 'repeated', `is sent more than once for ${one.kind}`)
      const repeated = ids.filter((id, index) => taken.has(id) || ids.indexOf(id) < index)
      if (repeated.length > 0)
        fail('ids', 'repeated', `contains records that the request names more than once: ${listOf(repeated)}`)
      const unknown = ids.filter((id) => !records.some((record) => record.id === id))
      if (unknown.length > 0)
        fail('ids', 'not_found', `contains ${one.kind} that are not with the employee on ${day}: ${listOf(unknown)}`)
      assignment.records = records.filter(({ id }) => (isRest ? !taken.has(id) : ids.includes(id)))
      for (const { id } of assignment.records) taken.add(id)
      if (assignment.records.length > MOST_IDS)
        fail('all', 'too_many', `would give ${assignment.records.length} records; the maximum is ${MOST_IDS}. Send ids`)
    }
}

/** Those that the caller may change: what they can only read, they cannot give. */
async function writableOf(db: Writer, { of, giving }: Assignment['one'], records: HeldRecord[]): Promise<HeldRecord[]> {
  const { visibility } = db.responseReader ?? {}
  // Records about nobody need the permission for everybody, which is checked when they are given.
  if (!(visibility instanceof AccessScope) || !subjectPathsOf(of)?.length) return records
  const part = { permission: giving.permission, area: of.area } as Operation
  const ids = records.map(({ id }) => id)
  const writable = await visibility.forOperation(part).writable(db, of, giving.permission, ids)
  return records.filter(({ id }) => writable.has(id))
}

const listOf = (ids: readonly number[]) => [...new Set(ids)].join(', ')

/** Gives the records of a kind from a day on, and checks that the caller's role covers what has changed. */
async function giveKind(
  db: Writer,
  assignments: readonly Assignment[],
  personId: number,
  problems: FieldProblem[],
): Promise<void> {
  const [{ one, day }] = assignments as [Assignment]
  const { giving, of } = one
  const gifts = assignments.flatMap((assignment) =>
    assignment.records.map(({ id }) => ({ id, to: assignment.to, problems: [] as FieldProblem[], assignment })),
  )
  if (gifts.length === 0) return
  const holder: Holder = { table: 'employees', id: personId, day }
  await withRights(db, giving.permission, of.area, (own) => giving.give(own, gifts, holder))
  for (const gift of gifts) problems.push(...problemsOf(giving, gift))
}

/** What is wrong with a record, under the names of the request: each message names the record that it is about. */
function problemsOf({ field }: Giving, { id, problems, assignment }: Gift & { assignment: Assignment }) {
  const { one, place } = assignment
  return problems.map((problem) => {
    const says = problem.message.startsWith(problem.field)
      ? problem.message.slice(problem.field.length + 1)
      : problem.message
    return problem.field === field
      ? wrong(successorField(assignment), problem.code, `${says} (${one.kind} ${id})`)
      : wrong(`${place}.ids`, problem.code, `contains ${id}, which cannot be given: ${problem.message}`)
  })
}

/** Creates one task for each asset, for the person who collects it, about the employee who has it, due on their last day. */
async function collect(
  db: Writer,
  { records, to, task_name = 'Collect {asset}', place }: Assignment,
  person: Row<typeof employees>,
  on: string,
  problems: FieldProblem[],
): Promise<number[]> {
  const last = daysAfter(knownLeaving(db, person) ?? on, -1)
  const ends_on = last > db.today ? last : db.today
  const tasks = records.map(({ name }) => ({
    name: taskName(task_name, name),
    ends_on,
    employee_id: to,
    associated_employee_id: person.id,
  }))
  const wrongs: FieldProblem[] = []
  let ids: number[] = []
  await withRights(db, 'tasks:write', 'tasks', async (own) => {
    ids = await createOffboardingTasks(own, tasks, wrongs)
  })
  problems.push(
    ...wrongs.map(({ code, message }) => wrong(`${place}.return_to`, code, `cannot get a task: ${message}`)),
  )
  return ids
}

const taskName = (pattern: string, asset: string) =>
  [...pattern.replaceAll('{asset}', asset)].slice(0, LONGEST_NAME).join('')

/** Runs a part of the write with the rights of another permission: the caller's role must cover what it changes. */
async function withRights(
  db: Writer,
  permission: string,
  area: string,
  work: (own: Writer) => Promise<unknown>,
): Promise<void> {
  const { responseReader } = db
  const earlier = db.changeCount()
  await work(responseReader ? like(db, { responseReader: readerOf(db, permission) }) : db)
  const { visibility } = responseReader ?? {}
  if (!(visibility instanceof AccessScope)) return
  const part = { permission, area } as Operation
  await visibility.forOperation(part).checkChanges(db, part, db.changes().slice(earlier))
}
