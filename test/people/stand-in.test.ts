import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

let service: Service
let nobody: number
let team: any
before(async () => {
  service = await startService({ clock: () => new Date('2036-06-15T12:00:00Z') })
  const lead = await service.hire()
  team = await service.make('/teams', { name: 'Crew', team_lead_id: lead.id })
  assert.equal((await service.delete(`/employees/${lead.id}?erase=true`)).status, 204)
  nobody = (await service.get(`/teams/${team.id}`)).body.data.team_lead.id
})
after(() => service.stop())

test('no write can refer to the placeholder of erased people', async () => {
  const somebody = await service.hire()
  const location_id = (await service.make('/locations', { name: 'Porto' })).id
  const category = await service.make('/asset_categories', { name: 'Laptops', icon: 'fas fa-laptop' })
  const asset = await service.make('/assets', { name: 'X', code: 'X', asset_category_id: category.id, location_id })
  const issue = { asset_id: asset.id, issued_on: '2030-01-01', returned_on: '2031-01-01' }
  const assignment = await service.make('/asset_assignments', { ...issue, user_id: somebody.id })
  const other = await service.make('/teams', { name: 'Others', team_lead_id: somebody.id })
  await service.make('/employee_fields', { name: 'Mentor', type: 'employee' })
  const skill = await service.make('/skills', { name: 'Welding' })
  const project = await service.make('/time/projects', { name: 'Bridge' })
  const about = { associated_to: { id: nobody, type: 'Employee' } }
  for (const [method, path, json, field] of [
    [
      'POST',
      '/asset_assignments',
      { ...issue, issued_on: '2029-01-01', returned_on: null, user_id: nobody },
      'user_id',
    ],
    ['PUT', `/asset_assignments/${assignment.id}`, { user_id: nobody }, 'user_id'],
    ['PUT', `/teams/${other.id}`, { team_lead_id: nobody }, 'team_lead_id'],
    ['POST', '/teams', { name: 'More', team_lead_id: somebody.id, user_ids: [nobody] }, 'user_ids'],
    ['POST', `/teams/${other.id}/team_members`, { user_id: nobody }, 'user_id'],
    ['POST', '/tasks', { name: 'T', employee_id: somebody.id, ...about }, 'associated_to'],
    ['PUT', `/employees/${somebody.id}`, { mentor: nobody }, 'mentor'],
  ] as const) {
    const answer = await service.send(method, path, { json })
    const found = answer.body.errors?.filter((one: any) => one.field === field && one.code === 'not_found')
    assert.deepEqual([answer.status, found?.length], [422, 1], `${method} ${path}: ${answer.text}`)
  }
  const skills = `/employees/${nobody}/skills`
  assert.equal((await service.post(skills, { skill_id: skill.id, level: 'expert' })).status, 404)
  assert.equal((await service.get(skills)).status, 200, 'what is there can be read')
  const added = await service.post(`/time/projects/${project.id}/project_users`, {
    employee_ids: [nobody, somebody.id],
  })
  assert.deepEqual([added.body.records?.count, added.body.errors?.count], [1, 1], added.text)
})

test('a record that refers to the placeholder can still be changed and sent back unchanged', async () => {
  const answer = await service.put(`/teams/${team.id}`, { name: 'Old crew', team_lead_id: nobody })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.data.team_lead.id, nobody)
})
