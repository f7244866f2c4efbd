import Type from 'typebox'
import type { Writer } from '../database/write.ts'
import { type Filter, get, list, post, put, remove } from '../engine/derive.ts'
import { choice, date, derived, html, readOnly, reference, text, timestamp } from '../engine/field.ts'
import { dateRange, isRecord } from '../engine/filter.ts'
import { textOf } from '../engine/html.ts'
import { operation, recordId, wrapped } from '../engine/operation.ts'
import { amend, create, find, type Rule } from '../engine/records.ts'
import { resource, schemaOf, show } from '../engine/resource.ts'
import { personCard } from '../people/employees.ts'
import { stillHere } from '../people/still-here.ts'

export const tasks = resource(
  { table: 'tasks', one: 'task', area: 'tasks' },
  {
    type: choice(['general', 'onboarding', 'offboarding'], { default: 'general' }),
    // Sent as `name`, shown as `title`: both are what clients of this interface expect.
    name: { ...text({ required: true, example: 'Order a laptop' }), output: null },
    title: derived(Type.String(), ['name'], (row) => row.name),
    starts_on: date({ required: true, note: 'Today when not sent', example: '2030-01-02' }),
    ends_on: date({ example: '2030-01-31' }),
    completed_at: readOnly(timestamp()),
    completed: derived(Type.Boolean(), ['completed_at'], (row) => row.completed_at !== null),
    description: html({ example: '<p>With <b>two</b> screens</p>' }),
    description_plain: derived(Type.String(), ['description'], (row) => textOf(row.description)),
    employee_id: reference('employees', { required: true, show: () => personCard, as: 'assigned_to' }),
    created_by_id: readOnly(reference('employees', { show: () => personCard })),
  },
)

const endsAfterItStarts: Rule<typeof tasks> = ({ after, fail }) => {
  if (after.ends_on && after.starts_on && after.ends_on < after.starts_on)
    fail('ends_on', 'too_early', 'cannot be before starts_on')
}

const rules = [endsAfterItStarts, stillHere('employee_id')]

const byCompletion: Filter = {
  schema: Type.Boolean({ description: 'Only the completed ones, or only the open ones' }),
  narrow: (query, isDone) => query.where('tasks.completed_at', isDone ? 'is not' : 'is', null),
}

/** Completing what is complete changes nothing, and so does its opposite. */
async function setCompleted(db: Writer, id: number, isDone: boolean) {
  const task = await find(db, tasks, id)
  if ((task.completed_at !== null) !== isDone) await amend(db, tasks, task, { completed_at: isDone ? db.now : null })
  return { body: { data: (await show(db, tasks.whole, [id]))[0] } }
}

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
    ({ db, params }) => setCompleted(db, params.id, isDone),
  )

export const taskOperations = [
  list(tasks, {
    filters: {
      completed: byCompletion,
      employee_id: isRecord('tasks.employee_id'),
      starts_on: dateRange('tasks.starts_on'),
    },
  }),
  get(tasks),
  post(tasks, {
    optional: ['starts_on'],
    store: ({ db, body, problems }) =>
      create(db, tasks, { starts_on: db.today, ...body, created_by_id: db.employeeId }, { rules, problems }),
  }),
  put(tasks, { rules }),
  remove(tasks),
  completion('completeTask', 'complete', 'Mark a task as completed', true),
  completion('reopenTask', 'incomplete', 'Mark a task as not completed', false),
]
