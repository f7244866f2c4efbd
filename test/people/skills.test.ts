import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../harness.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

let count = 0
const skill = (name = `Skill ${++count}`) => service.make('/skills', { name })
const LEVELS = ['interested', 'basic', 'proficient', 'expert'] as const

test('a skill has a unique name and cannot be deleted while in use', async () => {
  const welding = await skill('Welding')
  assert.deepEqual(Object.keys(welding), ['id', 'name', 'created_at', 'updated_at'])
  assert.equal((await service.post('/skills', { name: 'WELDING' })).body.errors[0].code, 'taken')
  assert.equal((await service.put(`/skills/${welding.id}`, { name: 'Brazing' })).body.data.name, 'Brazing')
  const { id } = await service.hire()
  const had = await service.make(`/employees/${id}/skills`, { skill_id: welding.id, level: 'basic' })
  const refused = await service.delete(`/skills/${welding.id}`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'in_use'])
  assert.equal((await service.delete(`/employees/${id}/skills/${had.id}`)).status, 204)
  assert.equal((await service.delete(`/skills/${welding.id}`)).status, 204)
})

test('a person has each skill once, at one of four levels', async () => {
  const [one, other] = [await skill(), await skill()]
  const { id } = await service.hire()
  const path = `/employees/${id}/skills`
  const made = await service.make(path, { skill_id: one.id, level: 'interested' })
  const { created_at, updated_at, ...rest } = made
  assert.deepEqual(rest, { id: made.id, level: 'interested', skill: { id: one.id, name: one.name } })
  const again = await service.post(path, { skill_id: one.id, level: 'expert' })
  assert.deepEqual([again.status, again.body.errors[0].field, again.body.errors[0].code], [422, 'skill_id', 'taken'])
  const second = await service.make(path, { skill_id: other.id, level: 'basic' })
  assert.equal((await service.put(`${path}/${second.id}`, { skill_id: one.id })).body.errors[0].code, 'taken')
  assert.equal((await service.put(`${path}/${made.id}`, { level: 'expert' })).body.data.level, 'expert')
  assert.equal((await service.put(`${path}/${made.id}`, { skill_id: one.id, level: 'basic' })).status, 200)
  for (const bad of [{ level: 'master' }, { level: null }, { level: '' }])
    assert.equal((await service.put(`${path}/${made.id}`, bad)).status, 422, JSON.stringify(bad))
  const wrong = await service.post(path, { skill_id: 987_654, level: 'godlike' })
  assert.deepEqual(wrong.body.errors.map((error: any) => error.field).sort(), ['level', 'skill_id'])
  const list = (await service.get(path)).body.data
  assert.deepEqual(
    list.map((each: any) => each.skill.id),
    [one.id, other.id],
  )
  const stranger = await service.hire()
  assert.equal((await service.get(`/employees/${stranger.id}/skills/${made.id}`)).status, 404)
})

test('of concurrent entries of one skill one succeeds', async () => {
  const { id: skill_id } = await skill()
  const { id } = await service.hire()
  const both = await Promise.all(
    [1, 2, 3].map(() => service.post(`/employees/${id}/skills`, { skill_id, level: 'basic' })),
  )
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 422, 422])
})

test('filters by skill and level find the same people as a naive search', async () => {
  const skills = [await skill(), await skill(), await skill()]
  const people: { id: number; has: Map<number, number> }[] = []
  for (let n = 0; n < 12; n++) {
    const { id } = await service.hire()
    const has = new Map<number, number>()
    for (const [at, one] of skills.entries()) {
      const level = (n * (at + 2) + at) % 6
      if (level >= LEVELS.length) continue
      has.set(one.id, level)
      await service.make(`/employees/${id}/skills`, { skill_id: one.id, level: LEVELS[level] })
    }
    people.push({ id, has })
  }
  const ids = people.map(({ id }) => id).join()
  const found = async (query: string) =>
    (await service.get(`/employees?ids=${ids}&${query}`)).body.data.map((one: any) => one.id)
  const wanted = (test: (skill: number, level: number) => boolean) =>
    people.filter(({ has }) => [...has].some(([id, level]) => test(id, level))).map(({ id }) => id)
  const [first, second] = skills
  for (const [least, name] of LEVELS.entries()) {
    assert.deepEqual(
      await found(`skill_level=${name}`),
      wanted((_, level) => level >= least),
      name,
    )
    assert.deepEqual(
      await found(`skill_ids[]=${first.id}&skill_level=${name}`),
      wanted((id, level) => id === first.id && level >= least),
    )
  }
  assert.deepEqual(
    await found(`skill_ids=${first.id},${second.id}`),
    wanted((id) => id !== skills[2].id),
  )
  assert.deepEqual(await found('skill_ids=987654'), [])
  assert.equal((await service.get('/employees?skill_level=master')).status, 400)
})

test('reading or filtering by skills needs the skills permission', async () => {
  const { id: skill_id } = await skill()
  const { id } = await service.hire()
  await service.make(`/employees/${id}/skills`, { skill_id, level: 'expert' })
  const key = await service.keyWith({ permissions: ['employees:read'] })
  assert.equal((await service.get('/employees', { key })).status, 200)
  for (const path of [
    `/employees/${id}/skills`,
    `/employees?skill_ids[]=${skill_id}`,
    '/employees?skill_level=expert',
    `/employees?skill_ids[]=${skill_id}&skill_level=expert`,
  ])
    assert.equal((await service.get(path, { key })).status, 403, path)
  const both = await service.keyWith({ permissions: ['employees:read', 'skills:read'] })
  assert.equal((await service.get(`/employees?skill_ids[]=${skill_id}`, { key: both })).body.data.length, 1)
  assert.equal((await service.post('/skills', { name: 'No' }, { key: both })).status, 403)
})
