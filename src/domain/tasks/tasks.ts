import Type from 'typebox'
import { get, list, post, put, remove } from '../../engine/derive.ts'
import {
  choice,
  date,
  derived,
  hidden,
  html,
  loaded,
  readOnly,
  reference,
  text,
  timestamp,
} from '../../engine/field.ts'
import { dateRange, type Filter, isRecord, isSet } from '../../engine/filter.ts'
import { givenByColumn, type HeldKind } from '../../engine/held.ts'
import { textOf } from '../../engine/html.ts'
import { operation } from '../../engine/operation.ts'
import type { FieldProblem } from '../../engine/problem.ts'
import { amend, attempt, checkAll, create, find, holdTo, insertAll } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { inOrder } from '../../engine/rule.ts'
import { recordId, schemaOf, wrapped } from '../../engine/schema.ts'
import { showOne } from '../../engine/shape.ts'
import type { Writer } from '../../records/write.ts'
import { stillHere } from '../organisation/staff.ts'
import { personCard } from '../people/person.ts'
import { ASSOCIATED, associatedInput, loadAssociated, readAssociated } from './associated.ts'

/** A task is for whoever is to do it and whoever gave it, not for whom it is about. */
const TASKS = {
  table: 'tasks',
  one: 'task',
  area: 'tasks',
  about: [{ column: 'employee_id' }, { column: 'created_by_id' }],
}

export const tasks = resource(TASKS, {
  type: choice(['general', 'onboarding', 'offboarding'], { default: 'general' }),
  // Sent as `name`, shown as `title`: both are what clients of this interface expect.
  name: { ...text({ required: true, searched: true, example: 'Order a laptop' }), output: null },
  title: derived(Type.String(), ['name'], (row) => row.name),
  starts_on: date({
    required: true,
    note: 'First day on which to work on the task; today by default',
    example: '2030-01-02',
  }),
  ends_on: date({ example: '2030-01-31' }),
  completed_at: readOnly(timestamp()),
  completed: derived(Type.Boolean(), ['completed_at'], (row) => row.completed_at !== null),
  description: html({ example: '<p>With <b>two</b> screens</p>' }),
  description_plain: derived(Type.String(), ['description'], (row) => textOf(row.description)),
  employee_id: reference('employees', { required: true, show: () => personCard, as: 'assigned_to' }),
  created_by_id: readOnly(reference('employees', { show: () => personCard })),
  associated_employee_id: hidden(reference('employees')),
  associated_candidate_id: hidden(reference('candidates')),
  associated_to: loaded(ASSOCIATED, loadAssociated, { sometimes: true }),
})

const rules = [inOrder('starts_on', 'ends_on'), stillHere('employee_id')]
holdTo(tasks, rules)

export const openTasks: HeldKind = {
  kind: 'tasks',
  of: tasks,
  note: 'Open tasks that are assigned to the employee',
  isAboutHolder: true,
  otherwise: 'stays',
  role: 'assignee',
  rows: (db, { id }) =>
    db
      .from('tasks')
      .select(['id', 'name', 'starts_on', 'ends_on'])
      .where('employee_id', '=', id)
      .where('completed_at', 'is', null)
      .orderBy('id'),
  giving: {
    permission: 'tasks:write',
    isDated: false,
    field: 'employee_id',
    give: givenByColumn(tasks, 'employee_id', rules),
  },
}

type OffboardingTask = { name: string; ends_on: string; employee_id: number; associated_employee_id: number }

/** Creates tasks about an employee who leaves. Stores none if something is wrong with one of them. */
export async function createOffboardingTasks(
  db: Writer,
  all: readonly OffboardingTask[],
  problems: FieldProblem[],
): Promise<number[]> {
  const common = { type: 'offboarding', starts_on: db.today, created_by_id: db.caller.personId } as const
  const attempts = all.map((one) => attempt(db, tasks, null, { ...common, ...one }, problems))
  await checkAll(db, tasks, attempts, rules)
  return problems.length > 0
    ? []
    : insertAll(
        db,
        tasks,
        attempts.map(({ after }) => after),
      )
}

/** Completing what is complete changes nothing, and so does its opposite. */
const completion = (id: string, action: string, summary: string, isDone: boolean) =>
  operation(
    {
      id,
      method: 'PUT',
      path: `/tasks/{id}/${action}`,
      summary,
      area: 'tasks',
      params: Type.Object({ id: recordId('tasks') }),
      answer: wrapped(schemaOf(tasks.whole)),
    },
    async ({ db, params }) => {
      const task = await find(db, tasks, params.id)
      const isChange = (task.completed_at !== null) !== isDone
      if (isChange) await amend(db, tasks, task, { completed_at: isDone ? db.now : null })
      return { body: await showOne(db, tasks.whole, params.id) }
    },
  )

/** The same tasks as those that one person has to do. */
const ofEmployee = resource({ ...TASKS, path: '/employees/{employee_id}/tasks' }, tasks.fields)

const byCompletion = isSet(tasks, 'completed_at', 'Whether the task is completed; `all` includes both')

/** Some programs ask by `status=completed`. */
const completed: Filter = {
  ...byCompletion,
  schema: {
    ...byCompletion.schema,
    'x-also': ['status', 'state'],
    'x-words': { completed: true, open: false },
  } as Filter['schema'],
}

export const taskOperations = [
  list(tasks, {
    order: '-created_at',
    sorts: ['starts_on', 'ends_on', 'completed_at'],
    standard: { completed: false },
    filters: {
      completed,
      employee_id: isRecord(tasks, 'employee_id'),
      // Whom a task is about is told to those alone who may read of them.
      candidate_id: { ...isRecord(tasks, 'associated_candidate_id'), permission: 'recruitment:read' },
      starts_on: dateRange(tasks, 'starts_on'),
    },
  }),
  list(ofEmployee, {
    shape: tasks.whole,
    order: '-created_at',
    sorts: ['starts_on', 'ends_on', 'completed_at'],
    filters: { completed },
    standard: { completed: false },
    as: {
      id: 'listEmployeeTasks',
      path: ofEmployee.path,
      summary: 'List the tasks of an employee',
      note: 'Returns the open tasks that are assigned to the employee. `completed=true` returns the completed ones instead.',
    },
  }),
  get(tasks),
  post(tasks, {
    optional: ['starts_on'],
    more: associatedInput,
    async store({ db, body, problems }) {
      const associated = await readAssociated(db, body, null, problems)
      const own = { ...body, ...associated, created_by_id: db.caller.personId }
      return create(db, tasks, { starts_on: db.today, ...own }, { rules, problems })
    },
  }),
  put(tasks, {
    more: associatedInput,
    async store({ db, body, problems }, before) {
      const associated = await readAssociated(db, body, before, problems)
      await amend(db, tasks, before, { ...body, ...associated }, { rules, problems })
    },
  }),
  remove(tasks),
  completion('completeTask', 'complete', 'Mark a task as completed', true),
  completion('reopenTask', 'incomplete', 'Mark a task as not completed', false),
]
