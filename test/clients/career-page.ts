/** A page of careers on a site of its own: what a browser may read and send there, without a key. */
const ORIGIN = 'https://www.example.org'

async function call(base: string, path: string, form: FormData | null = null): Promise<any> {
  const address = new URL(`/api/careers/v1${path}`, base)
  const answer = await fetch(address, { method: form ? 'POST' : 'GET', body: form, headers: { Origin: ORIGIN } })
  const allowed = answer.headers.get('Access-Control-Allow-Origin')
  if (allowed !== '*' && allowed !== ORIGIN) throw new Error(`${path}: a browser would not show the answer`)
  const result: any = await answer.json()
  if (!answer.ok) throw new Error(`${path}: ${result.message}`)
  return result
}

export async function openVacancies(base: string): Promise<any[]> {
  const vacancies: any[] = []
  for (let page = 1; ; page++) {
    const { data, metadata } = await call(base, `/vacancies?page=${page}`)
    vacancies.push(...data)
    if (page >= metadata.pages) return vacancies
  }
}

/** Sends the form as it was filled in, with its files. */
export const applyByPage = (base: string, vacancyId: number, form: FormData) =>
  call(base, `/vacancies/${vacancyId}/applications`, form)
