import Type from 'typebox'
import type { Writer } from '../database/write.ts'
import { get, list, post, put, remove } from '../engine/derive.ts'
import { longText, reference, text } from '../engine/field.ts'
import { operation, recordId, wrapped } from '../engine/operation.ts'
import { type FieldProblem, invalid } from '../engine/problem.ts'
import { amend, create, erase, find, insertAll } from '../engine/records.ts'
import { card, decode, many, resource, schemaOf, show } from '../engine/resource.ts'
import { personCard } from '../people/employees.ts'
import { stillHere } from '../people/still-here.ts'

export const teams = resource(
  { table: 'teams', one: 'team', area: 'teams' },
  {
    name: text({ required: true, unique: true, example: 'Platform' }),
    description: longText({ example: 'Keeps the lights on' }),
    team_lead_id: reference('employees', { required: true, show: () => personCard }),
    team_members: many(
      () => teamMembers,
      'team_id',
      () => memberCard,
    ),
  },
)

export const teamMembers = resource(
  { table: 'team_members', one: 'team member', area: 'teams', path: '/teams/{team_id}/team_members' },
  {
    team_id: reference('teams', { required: true, owner: true }),
    user_id: reference('employees', { required: true, show: () => personCard, as: 'user' }),
  },
)

const memberCard = card(teamMembers, 'TeamMember', ['id', 'user_id'])

/** The answer to adding a member: the membership itself. */
const membership = Type.Object(
  {
    id: Type.Integer(),
    team_id: Type.Integer(),
    user_id: Type.Integer(),
    user: schemaOf(personCard),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'TeamMembership' },
)

const userIds = Type.Array(recordId('employees'), {
  maxItems: 500,
  description: 'The employees who are to be the members',
})

/** Makes the members of a team exactly these people, or leaves them; the lead is never among the members. */
async function setMembers(db: Writer, teamId: number, leadId: number, userIds?: number[]): Promise<void> {
  const present = await db.from('team_members').selectAll().where('team_id', '=', teamId).orderBy('id').execute()
  const wanted = new Set(userIds ?? present.map((member) => member.user_id))
  wanted.delete(leadId)
  for (const member of present)
    if (!wanted.delete(member.user_id)) await erase(db, teamMembers, decode(teamMembers, member))
  await insertAll(
    db,
    teamMembers,
    [...wanted].map((user_id) => ({ team_id: teamId, user_id })),
  )
}

async function checkUsers(db: Writer, ids: number[] | undefined, problems: FieldProblem[]): Promise<void> {
  if (!ids?.length) return
  const known = new Set((await db.from('employees').select('id').where('id', 'in', ids).execute()).map((row) => row.id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length === 0) return
  const message = `user_ids must be ids of existing employees, which ${unknown.join(', ')} ${unknown.length > 1 ? 'are' : 'is'} not`
  problems.push({ field: 'user_ids', code: 'not_found', message })
}

const rules = [stillHere('team_lead_id')]

export const teamOperations = [
  list(teams),
  get(teams),
  post(teams, {
    more: { user_ids: userIds },
    async store({ db, body, problems }) {
      await checkUsers(db, body.user_ids, problems)
      const id = await create(db, teams, body, { rules, problems })
      await setMembers(db, id, body.team_lead_id, body.user_ids)
      return id
    },
  }),
  put(teams, {
    more: { user_ids: userIds },
    async store({ db, body, problems }, before) {
      await checkUsers(db, body.user_ids, problems)
      await amend(db, teams, before, body, { rules, problems })
      await setMembers(db, before.id, body.team_lead_id ?? before.team_lead_id, body.user_ids)
    },
  }),
  remove(teams),
  operation(
    {
      id: 'addTeamMember',
      method: 'POST',
      path: teamMembers.path,
      summary: 'Add an employee to a team',
      note: 'Adding a member again changes nothing.',
      area: 'teams',
      params: Type.Object({ team_id: recordId('teams') }),
      body: Type.Object({ user_id: recordId('employees') }, { title: 'AddTeamMember' }),
      status: 201,
      answer: wrapped(membership),
    },
    async ({ db, params, body }) => {
      const team = await find(db, teams, params.team_id)
      if (body.user_id === team.team_lead_id)
        throw invalid([
          { field: 'user_id', code: 'is_lead', message: 'user_id leads this team and so cannot be one of its members' },
        ])
      const there = await db
        .from('team_members')
        .select('id')
        .where('team_id', '=', team.id)
        .where('user_id', '=', body.user_id)
        .executeTakeFirst()
      const id = there?.id ?? (await create(db, teamMembers, { team_id: team.id, user_id: body.user_id }))
      const [{ user }] = (await show(db, memberCard, [id])) as [{ user: unknown }]
      return {
        body: { data: { ...(await find(db, teamMembers, id)), user } },
        location: `/teams/${team.id}/team_members/${id}`,
      }
    },
  ),
  operation(
    {
      id: 'removeTeamMember',
      method: 'DELETE',
      path: `${teamMembers.path}/{id}`,
      summary: 'Take a member out of a team',
      area: 'teams',
      params: Type.Object({ team_id: recordId('teams'), id: recordId('team_members') }),
    },
    async ({ db, params }) => {
      await erase(db, teamMembers, await find(db, teamMembers, params.id, { team_id: params.team_id }))
      return {}
    },
  ),
]
