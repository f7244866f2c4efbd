import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Office, openOffice } from '../recruitment/office.ts'

let office: Office
let now = new Date('2036-01-10T08:00:00Z')
before(async () => {
  office = await openOffice({ clock: () => now })
})
after(() => office.service.stop())

const at = (moment: string) => {
  now = new Date(moment)
}

const ask = async (query = '') => {
  const answer = await office.service.get(`/reports/time_to_hire${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

test('time to hire runs from application to hire, by vacancy, department and stage, and links to candidates', async () => {
  const { service, stages, base } = office
  const [, interview, hired] = stages
  const other = (await service.make('/departments', { name: 'Sales' })).id
  at('2036-01-10T08:00:00Z')
  const first = await office.vacancy({ positions: 3 })
  const second = await office.vacancy({ department_id: other })
  const hire = async (vacancyId: number, days: [interview: number, hire: number]) => {
    at('2036-02-01T08:00:00Z')
    const candidate = await office.candidate()
    const path = await office.apply(vacancyId, candidate.id)
    at(new Date(Date.UTC(2036, 1, 1 + days[0], 8)).toISOString())
    assert.ok((await service.put(path, { applicant_state_id: interview })).status < 300)
    at(new Date(Date.UTC(2036, 1, 1 + days[1], 8)).toISOString())
    const answer = await service.post(`${path}/hire`, { hired_on: '2036-06-01' })
    assert.ok(answer.status < 300, answer.text)
    return candidate.id as number
  }
  const people = [await hire(first.id, [2, 10]), await hire(first.id, [4, 20]), await hire(second.id, [1, 40])]
  at('2036-02-01T08:00:00Z')
  await office.apply(first.id, (await office.candidate()).id)
  at('2036-06-15T08:00:00Z')

  const report = await ask()
  assert.deepEqual(
    [report.hires, report.timed, report.average_days, report.median_days],
    [3, 3, Math.round((70 / 3) * 10) / 10, 20],
  )
  assert.deepEqual(report.to_fill, { average_days: Math.round((70 / 3 + 22) * 10) / 10, median_days: 42 })
  const figures = (groups: any[]) => groups.map((one) => [one.id, one.name, one.hires, one.median_days])
  assert.deepEqual(figures(report.by_vacancy), [
    [first.id, first.title, 2, 15],
    [second.id, second.title, 1, 40],
  ])
  assert.deepEqual(figures(report.by_department), [
    [base.department_id, 'Engineering', 2, 15],
    [other, 'Sales', 1, 40],
  ])
  const stays = report.stages.map((one: any) => [one.id, one.applications, one.median_days])
  assert.deepEqual(
    stays.filter(([id]: number[]) => id !== hired),
    [
      [stages[0], 3, 2],
      [interview, 3, 16],
    ],
  )
  const opened = async (list: string) => {
    const answer = await service.get(list)
    assert.equal(answer.status, 200, `${list}: ${answer.text}`)
    return answer.body.data.map((one: any) => one.id)
  }
  assert.deepEqual(await opened(report.list), people)
  for (const groups of [report.by_vacancy, report.by_department])
    assert.deepEqual(await Promise.all(groups.map((one: any) => opened(one.list))), [
      people.slice(0, 2),
      people.slice(2),
    ])

  // Only what was asked for: by vacancy, department, and the days of the account, both ends included.
  assert.equal((await ask(`?department_ids[]=${other}`)).hires, 1)
  assert.equal((await ask(`?vacancy_ids[]=${first.id}`)).hires, 2)
  assert.equal((await ask('?from=2036-02-11&to=2036-02-21')).hires, 2)
  const none = await ask('?from=2036-02-12&to=2036-02-20')
  assert.deepEqual([none.hires, none.average_days, none.median_days, none.stages], [0, null, null, []])
  assert.deepEqual(await opened(none.list), [])

  // Who is erased still was a hire, but how long it took is not known any more.
  assert.equal((await service.delete(`/recruitment/candidates/${people[0]}`)).status, 204)
  const later = await ask()
  assert.deepEqual([later.hires, later.timed, later.median_days], [3, 2, 30])
  assert.deepEqual(await opened(later.list), people.slice(1))
})
