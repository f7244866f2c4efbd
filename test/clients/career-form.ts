export type Sheet = { full_name: string; email: string; phone: string; skills: string[]; resume: File }

/** Sends what somebody wrote into the form of a career page: a candidate with a CV, who applies in the first stage. */
export async function applyFor(base: string, key: string, vacancyId: number, sheet: Sheet): Promise<any> {
  const call = async (method: string, path: string, body: FormData | string | null = null) => {
    const type = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}
    const answer = await fetch(`${base}${path}`, { method, body, headers: { 'X-API-KEY': key, ...type } })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json() as Promise<any>
  }
  // The board is read as it is described: not inside of `data`.
  const { stages } = await call('GET', `/recruitment/vacancies/${vacancyId}/pipeline`)
  const form = new FormData()
  form.append('full_name', sheet.full_name)
  form.append('email', sheet.email)
  form.append('phone_numbers[]', sheet.phone)
  for (const skill of sheet.skills) form.append('skills[]', skill)
  form.append('resume', sheet.resume)
  const { data: candidate } = await call('POST', '/recruitment/candidates', form)
  const application = { applicant_id: candidate.id, applicant_state_id: stages[0].id }
  const made = await call('POST', `/recruitment/vacancies/${vacancyId}/applications`, JSON.stringify(application))
  return made.data
}
