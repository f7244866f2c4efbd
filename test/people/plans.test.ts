import { after, before, test } from 'node:test'
import { type Service, startService } from '../harness.ts'
import { readsByIndex } from '../plans.ts'

let service: Service
before(async () => {
  service = await startService()
  for (let n = 0; n < 60; n++)
    await service.post('/employees', { first_name: 'A', last_name: `B${n}`, hired_on: '2020-01-01' })
})
after(() => service.stop())

const LISTS = [
  '?status=terminated',
  '?status=hired',
  '?status=probation',
  '?status=employed',
  '?status=active',
  '?emails[]=a@b.co',
  '?employee_numbers[]=7',
  '?hired_on[gte]=2020-01-01',
  '?updated_at[gte]=1700000000',
  '?created_at[lte]=1700000000',
  '?department_id=1',
  '?location_id=1&as_of=2030-01-01',
  '?manager_id=1',
  '?q=ada',
  '/terminated?terminated_on[gte]=2020-01-01',
  '/birthdays',
  '/anniversaries',
  '?page=2',
]

for (const list of LISTS)
  test(`GET /employees${list} reads no table from end to end`, () => readsByIndex(service, `/employees${list}`))
