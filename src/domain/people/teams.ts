import Type from 'typebox'
import { get, list, post, put, remove } from '../../engine/derive.ts'
import { longText, reference, text } from '../../engine/field.ts'
import { givenByColumn, type HeldKind } from '../../engine/held.ts'
import { operation } from '../../engine/operation.ts'
import { invalid, wrong } from '../../engine/problem.ts'
import { amend, create, erase, find, holdTo, replaceOwned, rowsOf } from '../../engine/records.ts'
import { card, resource } from '../../engine/resource.ts'
import { recordId, schemaOf, wrapped } from '../../engine/schema.ts'
import { many, showOne } from '../../engine/shape.ts'
import type { Writer } from '../../records/write.ts'
import { checkEmployees, stillHere } from '../organisation/staff.ts'
import { personCard } from './person.ts'

export const teams = resource(
  { table: 'teams', one: 'team', area: 'teams' },
  {
    name: text({ required: true, unique: true, searched: true, example: 'Platform' }),
    description: longText({ example: 'Runs the infrastructure of all products' }),
    team_lead_id: reference('employees', { required: true, fate: 'stays', show: () => personCard }),
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
    team_id: reference('teams', { required: true, owner: true, part: true }),
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
  description: 'IDs of all members (employees) of the team. Members that you do not send are removed',
})

/** Makes the members of a team exactly these people, or leaves them; the lead is never among the members. */
async function setMembers(db: Writer, teamId: number, leadId: number, userIds?: number[]): Promise<void> {
  const ofTeam = db.from('team_members').where('team_id', '=', teamId)
  const wanted = new Set(userIds ?? (await rowsOf(teamMembers, ofTeam)).map((member) => member.user_id))
  wanted.delete(leadId)
  await replaceOwned(
    db,
    teamMembers,
    { team_id: teamId },
    [...wanted].map((user_id) => ({ user_id })),
    'user_id',
  )
}

const rules = [stillHere('team_lead_id')]
holdTo(teams, rules)

export const ledTeams: HeldKind = {
  kind: 'teams',
  of: teams,
  note: 'Teams that the employee leads',
  otherwise: 'stays',
  role: 'team_lead',
  rows: (db, { id }) => db.from('teams').select(['id', 'name']).where('team_lead_id', '=', id).orderBy('id'),
  giving: {
    permission: 'teams:write',
    isDated: false,
    field: 'team_lead_id',
    give: givenByColumn(teams, 'team_lead_id', rules, setMembers),
  },
}

export const teamOperations = [
  list(teams),
  get(teams),
  post(teams, {
    more: { user_ids: userIds },
    async store({ db, body, problems }) {
      await checkEmployees(db, 'user_ids', body.user_ids, problems)
      const id = await create(db, teams, body, { rules, problems })
      await setMembers(db, id, body.team_lead_id as number, body.user_ids)
      return id
    },
  }),
  put(teams, {
    more: { user_ids: userIds },
    async store({ db, body, problems }, before) {
      await checkEmployees(db, 'user_ids', body.user_ids, problems)
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
        throw invalid(wrong('user_id', 'is_lead', 'is the lead of this team and cannot also be a member'))
      const there = await db
        .from('team_members')
        .select('id')
        .where('team_id', '=', team.id)
        .where('user_id', '=', body.user_id)
        .executeTakeFirst()
      const id = there?.id ?? (await create(db, teamMembers, { team_id: team.id, user_id: body.user_id }))
      const { data } = await showOne(db, memberCard, id)
      return {
        body: { data: { ...(await find(db, teamMembers, id)), user: data.user } },
        location: `/teams/${team.id}`,
      }
    },
  ),
  operation(
    {
      id: 'removeTeamMember',
      method: 'DELETE',
      path: `${teamMembers.path}/{id}`,
      summary: 'Remove a member from a team',
      area: 'teams',
      params: Type.Object({ team_id: recordId('teams'), id: recordId('team_members') }),
    },
    async ({ db, params }) => {
      await erase(db, teamMembers, await find(db, teamMembers, params.id, { team_id: params.team_id }))
      return {}
    },
  ),
]
