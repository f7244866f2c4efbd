import Type from 'typebox'
import { get, listAll, plain, remove } from '../../engine/derive.ts'
import { reference, text } from '../../engine/field.ts'
import { operation } from '../../engine/operation.ts'
import { find, insertAll, nameable } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { recordId } from '../../engine/schema.ts'
import { personCard } from '../people/person.ts'
import { bulkAnswer, bulkBody } from './bulk.ts'

export const projects = resource(
  { table: 'projects', one: 'project', area: 'time', path: '/time/projects' },
  {
    name: text({ required: true, unique: true, searched: true, example: 'Intranet' }),
    emoji: text({ max: 32, example: '🌍' }),
  },
)

export const projectUsers = resource(
  {
    table: 'project_users',
    one: 'project user',
    area: 'time',
    path: '/time/projects/{project_id}/project_users',
    about: [{ column: 'employee_id' }],
  },
  {
    project_id: reference('projects', { required: true, owner: true }),
    employee_id: reference('employees', { required: true, show: () => personCard }),
  },
)

const BULK = bulkAnswer(
  { employee_id: Type.Integer(), project_user_id: Type.Integer() },
  { employee_id: Type.Integer() },
)

export const projectOperations = [
  ...plain(projects),
  listAll(projectUsers),
  get(projectUsers),
  operation(
    {
      id: 'assignProjectUsers',
      method: 'POST',
      path: projectUsers.path,
      summary: 'Assign employees to a project',
      note: 'Each employee succeeds or fails on their own. Assigning an employee a second time changes nothing.',
      area: 'time',
      params: Type.Object({ project_id: recordId('projects') }),
      body: Type.Object(
        {
          employee_ids: Type.Array(
            Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, 'x-reference': 'employees' }),
            { maxItems: 500 },
          ),
        },
        { title: 'AssignProjectUsers' },
      ),
      answer: BULK,
    },
    async ({ db, params, body }) => {
      await find(db, projects, params.project_id)
      const wanted = [...new Set(body.employee_ids)]
      const known = await nameable(db, 'employees', wanted)
      const there = await db
        .from('project_users')
        .select(['id', 'employee_id'])
        .where('project_id', '=', params.project_id)
        .execute()
      const ids = new Map<number, number>(there.map((row) => [row.employee_id, row.id]))
      const fresh = wanted.filter((id) => known.has(id) && !ids.has(id))
      const made = await insertAll(
        db,
        projectUsers,
        fresh.map((employee_id) => ({ project_id: params.project_id, employee_id })),
      )
      for (const [index, id] of fresh.entries()) ids.set(id, made[index] as number)
      const data = wanted.filter((id) => known.has(id)).map((id) => ({ employee_id: id, project_user_id: ids.get(id) }))
      const errors = wanted
        .filter((id) => !known.has(id))
        .map((id) => ({ employee_id: id, messages: ['employee_id must be the id of an existing employee'] }))
      return { body: bulkBody(data, errors) }
    },
  ),
  remove(projectUsers),
]
