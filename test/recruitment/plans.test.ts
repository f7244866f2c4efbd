import { after, before, test } from 'node:test'
import { type Service, startService } from '../harness.ts'
import { readsByIndex } from '../plans.ts'
import { Samples } from '../samples.ts'

let service: Service
before(async () => {
  service = await startService()
  const samples = new Samples(service)
  for (let n = 0; n < 5; n++) await samples.make('applications')
})
after(() => service.stop())

for (const list of [
  'candidates?skills[]=sql&skills[]=go&vacancy_ids[]=1&pipeline_stage_id=1',
  'candidates?email=a@b.co',
  'candidates?tags[]=x',
  'candidates?q=grace',
  'candidates?updated_at[gte]=1700000000',
  'candidates?source_id=1',
  'candidates?page=1',
  'candidates/1/duplicates',
  'vacancies?status[]=opened&priority[]=high',
  'vacancies?tag_ids[]=1&department_id=1',
  'vacancies/1/applications?disqualified=false',
  'vacancies/1/pipeline',
  'movements?vacancy_ids[]=1',
  'careers/vacancies',
])
  test(`GET /recruitment/${list} reads no table from end to end`, () => readsByIndex(service, `/recruitment/${list}`))
