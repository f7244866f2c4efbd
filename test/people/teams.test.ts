import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

const person = async (first_name: string) =>
  (await service.post('/employees', { first_name, last_name: 'Person' })).body.data.id

describe('teams', () => {
  test('have a lead who is not a member, and members that can be set, added and removed', async () => {
    const [lead, ada, bob] = [await person('Lead'), await person('Ada'), await person('Bob')]
    const made = await service.send('POST', '/teams', {
      form: { name: 'Core', description: 'D', team_lead_id: lead, user_ids: [ada, lead] },
    })
    assert.equal(made.status, 201, made.text)
    const { id, team_lead, team_members } = made.body.data
    assert.deepEqual(team_lead, { id: lead, full_name: 'Lead Person', email: null })
    assert.deepEqual(
      team_members.map((member: any) => member.user),
      [{ id: ada, full_name: 'Ada Person', email: null }],
    )

    const added = await service.post(`/teams/${id}/team_members`, { user_id: bob })
    assert.equal(added.status, 201)
    assert.deepEqual([added.body.data.team_id, added.body.data.user_id], [id, bob])
    assert.equal((await service.post(`/teams/${id}/team_members`, { user_id: bob })).body.data.id, added.body.data.id)
    assert.equal((await service.post(`/teams/${id}/team_members`, { user_id: lead })).body.errors[0].code, 'is_lead')
    assert.equal(
      (await service.post(`/teams/${id}/team_members`, { user_id: 999_999 })).body.errors[0].code,
      'not_found',
    )

    const led = await service.put(`/teams/${id}`, { team_lead_id: bob })
    assert.deepEqual(
      led.body.data.team_members.map((member: any) => member.user.id),
      [ada],
    )
    const set = await service.put(`/teams/${id}`, { user_ids: [lead] })
    assert.deepEqual(
      set.body.data.team_members.map((member: any) => member.user.id),
      [lead],
    )
    const wrong = await service.put(`/teams/${id}`, { user_ids: [lead, 888_888] })
    assert.equal(wrong.body.errors[0].field, 'user_ids')

    assert.equal((await service.delete(`/teams/${id}/team_members/${set.body.data.team_members[0].id}`)).status, 204)
    assert.deepEqual((await service.get(`/teams/${id}`)).body.data.team_members, [])
    assert.equal((await service.delete(`/teams/${id}`)).status, 204)
  })

  test('a list of teams reads all members in one statement', async () => {
    const lead = await person('Leader')
    for (let n = 0; n < 5; n++)
      await service.post('/teams', { name: `Team ${n}`, team_lead_id: lead, user_ids: [await person('M')] })
    const statements: string[] = []
    service.onStatement = (statement) => statements.push(statement)
    const { body } = await service.get('/teams')
    service.onStatement = undefined
    assert.equal(body.data.length, 5)
    assert.equal(statements.filter((one) => /^(select|with)/.test(one)).length, 4, statements.join('\n'))
  })
})
