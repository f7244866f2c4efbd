import assert from 'node:assert/strict'
import { type Service, startService } from '../harness.ts'

/** A service with what recruiting needs, and short ways to vacancies, candidates and applications. */
export async function openOffice(options: Parameters<typeof startService>[0] = {}) {
  const service = await startService(options)
  const { make } = service
  const lead: number = (await service.hire()).id
  const named = async (path: string, name: string) => (await make(path, { name })).id as number
  const pipeline = await make('/recruitment/pipelines', { name: 'Standard', stages: ['Applied', 'Interview', 'Hired'] })
  const base = {
    description: '<p>Build</p>',
    department_id: await named('/departments', 'Engineering'),
    location_id: await named('/locations', 'Berlin'),
    employment_type_id: await named('/employment_types', 'Full-time'),
    recruitment_pipeline_id: pipeline.id,
    hiring_lead_user_id: lead,
  }
  let count = 0
  const applicationsOf = (vacancyId: number) => `/recruitment/vacancies/${vacancyId}/applications`
  return {
    service,
    lead,
    base,
    stages: pipeline.stages.map((stage: any) => stage.id) as number[],
    applicationsOf,
    vacancy: (values: Record<string, unknown> = {}) =>
      make('/recruitment/vacancies', { title: `Vacancy ${++count}`, state: 'opened', ...base, ...values }),
    candidate: (values: Record<string, unknown> = {}) =>
      make('/recruitment/candidates', { full_name: `Candidate ${++count}`, ...values }),
    /** Puts a candidate forward and returns the path of the application. */
    async apply(vacancyId: number, candidateId: number): Promise<string> {
      const { id } = await make(applicationsOf(vacancyId), { applicant_id: candidateId })
      return `${applicationsOf(vacancyId)}/${id}`
    },
    show: async (path: string) => {
      const answer = await service.get(path)
      assert.equal(answer.status, 200, answer.text)
      return answer.body.data
    },
  }
}

export type Office = Awaited<ReturnType<typeof openOffice>>

/** The same body as JSON, as a form and as multipart; an empty value stands for null where JSON has it. */
export function everyWay(service: Service, method: string, path: string, body: Record<string, string | null>) {
  const text = Object.entries(body).map(([name, value]) => [name, value ?? ''] as [string, string])
  const multipart = new FormData()
  for (const [name, value] of text) multipart.append(name, value)
  return Promise.all([
    service.send(method, path, { json: body }),
    service.send(method, path, { form: Object.fromEntries(text) }),
    service.send(method, path, { multipart }),
  ])
}
