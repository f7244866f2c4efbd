import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../harness.ts'
import { rounds } from '../thorough.ts'

/** Those who are found by a job are those who are shown with it. */

let service: Service
before(async () => {
  service = await startService({ clock: () => new Date('2036-06-15T12:00:00Z') })
})
after(() => service.stop())

/** Enough, in the long run, for a database without figures to choose a plan that looks at everybody for each of them. */
const PEOPLE = rounds(100, 260)
const HIRED = [null, '2030-01-01', '2036-06-15', '2036-06-16', '2036-09-01']
/** Long enough for a machine that is busy, and less than it takes to go through all people for each pair of them. */
const SOON = 4_000

async function everybody(where: string): Promise<any[]> {
  const pages = [1, 2].map((page) => service.get(`/employees?status=all&sort=id&per_page=200&page=${page}&${where}`))
  return (await Promise.all(pages)).flatMap(({ body }) => body.data)
}

test('filters by job are correct and fast in a new company without database statistics', async () => {
  const places: number[] = []
  for (const name of ['A', 'B', 'C']) places.push((await service.make('/departments', { name })).id)
  const at = (index: number) => places[index % 3] as number
  const ids: number[] = []
  for (let done = 0; done < PEOPLE; done += 20) {
    const some = Array.from({ length: 20 }, (_, index) => done + index)
    const made = some.map((one) => service.hire({ hired_on: HIRED[one % 5], department_id: at(one) }))
    ids.push(...(await Promise.all(made)).map(({ id }) => id))
  }
  const [boss, ...others] = ids as [number, ...number[]]
  const bulk = async (body: object) => {
    const answer = await service.send('PATCH', '/employees/bulk', { json: body })
    assert.deepEqual([answer.status, answer.body.errors.count], [200, 0], answer.text)
  }
  await bulk({ data: others.filter((id) => id % 7 !== 0).map((id) => ({ id, reporting_to_id: boss })) })
  // Some go on before they have begun, some after.
  const next = others.filter((id) => id % 2 === 0)
  await bulk({
    effective_from: '2036-07-20',
    data: next.map((id) => ({ id, department_id: at(id + 1), reporting_to_id: id % 3 === 0 ? null : boss })),
  })
  for (const view of ['', 'as_of=2036-06-15&', 'as_of=2036-08-01&']) {
    const shown = await everybody(view)
    assert.equal(shown.length, PEOPLE)
    const own = (test: (person: any) => boolean) => shown.filter(test).map(({ id }) => id)
    for (const [where, expected] of [
      [`manager_id=${boss}`, own(({ reporting_to }) => reporting_to?.id === boss)],
      ...places.map((place) => [`department_id=${place}`, own(({ department }) => department?.id === place)] as const),
      [
        `department_ids[]=${at(0)}&department_ids[]=${at(1)}`,
        own(({ department }) => [at(0), at(1)].includes(department?.id)),
      ],
      ['without[]=department_id', own(({ department }) => !department)],
    ] as const) {
      const asked = performance.now()
      const found = (await everybody(`${view}${where}`)).map(({ id }) => id)
      const took = performance.now() - asked
      assert.deepEqual(found, expected, view + where)
      assert.ok(took < SOON, `${view}${where} took ${took} ms`)
    }
  }
})
