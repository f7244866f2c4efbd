import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

let service: Service
before(async () => {
  service = await startService({ clock: () => new Date('2036-06-15T12:00:00Z') })
})
after(() => service.stop())

let count = 0
const profile = (values: object = {}) => service.make('/job_profiles', { name: `Profile ${++count}`, ...values })

describe('job groups', () => {
  test('have a unique name and are shown on their profiles', async () => {
    const group = await service.make('/job_groups', { name: 'Engineering' })
    assert.equal(group.description, '')
    assert.equal((await service.post('/job_groups', { name: 'engineering' })).body.errors[0].code, 'taken')
    const own = { id: group.id, name: 'Engineering' }
    const one = await profile({ job_group_id: group.id })
    assert.deepEqual([one.job_group, (await profile()).job_group], [own, null])
    assert.deepEqual(
      (await service.get(`/job_profiles?job_group_id=${group.id}`)).body.data.map((each: any) => each.id),
      [one.id],
    )
    const person = await service.hire({ job_profile_id: one.id })
    assert.deepEqual(person.job_profile.job_group, own)
    assert.equal((await service.delete(`/job_groups/${group.id}`)).status, 409)
    assert.equal((await service.put(`/job_profiles/${one.id}`, { job_group_id: null })).body.data.job_group, null)
    assert.equal((await service.delete(`/job_groups/${group.id}`)).status, 204)
    assert.equal((await service.post('/job_profiles', { name: 'X', job_group_id: 987_654 })).status, 422)
  })
})

describe('the job profiles of an employee', () => {
  const stretches = async (id: number) =>
    (await service.get(`/employees/${id}/job_profiles`)).body.data.map((one: any) => [
      one.job_profile.id,
      one.effective_from,
      one.effective_to,
    ])

  test('are the periods of the job history, with adjacent equal ones merged', async () => {
    const [first, second] = [await profile(), await profile()]
    const { id } = await service.hire({ hired_on: '2030-01-01', job_profile_id: first.id })
    const department = await service.make('/departments', { name: 'Moved to' })
    const enter = (effective_from: string, values: object) =>
      service.make(`/employees/${id}/positions`, { effective_from, ...values })
    assert.deepEqual(await stretches(id), [[first.id, '2030-01-01', null]])
    await enter('2031-01-01', { department_id: department.id })
    await enter('2032-01-01', { job_profile_id: second.id })
    await enter('2033-01-01', { job_profile_id: null })
    await enter('2034-03-01', { job_profile_id: second.id })
    await enter('2040-01-01', { job_profile_id: first.id })
    assert.deepEqual(await stretches(id), [
      [first.id, '2030-01-01', '2031-12-31'],
      [second.id, '2032-01-01', '2032-12-31'],
      [second.id, '2034-03-01', '2039-12-31'],
      [first.id, '2040-01-01', null],
    ])
    assert.equal((await service.get('/employees/987654/job_profiles')).status, 404)
    assert.deepEqual(await stretches((await service.hire()).id), [])
  })

  test('are assigned from a date, in the entry of that date or in a new one that keeps the rest', async () => {
    const [first, second] = [await profile(), await profile()]
    const department = await service.make('/departments', { name: 'Stays' })
    const boss = await service.hire()
    const { id } = await service.hire({
      hired_on: '2030-01-01',
      job_profile_id: first.id,
      department_id: department.id,
      reporting_to_id: boss.id,
    })
    const give = (effective_from: string, job_profile_id: number) =>
      service.post(`/employees/${id}/job_profiles`, { effective_from, job_profile_id })
    const made = await give('2035-01-01', second.id)
    assert.deepEqual([made.status, made.body.data.job_profile.id, made.body.data.effective_to], [201, second.id, null])
    assert.equal((await service.get(made.headers.get('location') as string)).body.data.job_profile.id, second.id)
    const now = (await service.get(`/employees/${id}`)).body.data
    assert.deepEqual([now.job_profile.id, now.department.id, now.reporting_to.id], [second.id, department.id, boss.id])
    assert.equal((await give('2030-01-01', second.id)).status, 201)
    assert.deepEqual(await stretches(id), [[second.id, '2030-01-01', null]])
    assert.equal((await service.get(`/employees/${id}/positions`)).body.data.length, 2)
    assert.equal((await give('2032-01-01', first.id)).body.data.effective_to, '2034-12-31')
    const wrong = await service.post(`/employees/${id}/job_profiles`, { job_profile_id: 987_654 })
    assert.deepEqual(wrong.body.errors.map((error: any) => error.field).sort(), ['effective_from', 'job_profile_id'])
    assert.equal((await give('2032-01-01', 987_654)).body.errors[0].field, 'job_profile_id')
    assert.equal((await service.get(`/employees/${id}/positions`)).body.data.length, 3)
  })
})
