import { COUNTRIES, type Company, FIRST, LAST } from './company.ts'

const CANDIDATES = 300

export async function recruit(company: Company): Promise<void> {
  const pipeline = await company.add<{ id: number; stages: { id: number }[] }>('/recruitment/pipelines', {
    name: 'Standard',
    stages: ['Applied', 'Screening', 'Interview', 'Offer', { name: 'Hired', type: 'hired' }],
  })
  await company.add('/recruitment/candidate_fields', {
    name: 'Notice period',
    type: 'single_select',
    options: ['None', '1 month', '3 months'],
  })
  await company.add('/recruitment/vacancy_fields', { name: 'Budget code', type: 'text' })
  await company.add('/recruitment/vacancy_fields', {
    name: 'Seniority',
    type: 'single_select',
    options: ['Junior', 'Senior'],
  })
  const titles = [
    'Backend engineer',
    'Frontend engineer',
    'Data analyst',
    'Product designer',
    'Account manager',
    'Recruiter',
    'Accountant',
    'Support agent',
    'Site reliability engineer',
    'Content writer',
    'Product manager',
    'Working student',
  ]
  for (const [n, title] of titles.entries())
    await company.add('/recruitment/vacancies', {
      title,
      description: `<p>We look for a <b>${title.toLowerCase()}</b>.</p>`,
      department_id: company.any('/departments'),
      location_id: company.all('/locations')[n % 4],
      employment_type_id: company.all('/employment_types')[0],
      recruitment_pipeline_id: pipeline.id,
      hiring_lead_user_id: company.present[n],
      position_id: company.any('/positions'),
      priority: ['low', 'medium', 'high'][n % 3],
      state: n === 11 ? 'drafting' : 'opened',
      post_on_careers: n % 2 === 0,
      positions: 1 + (n % 3),
      tags: [n % 3 ? 'Remote' : 'Urgent'],
      skills: ['Communication'],
      collaborator_ids: [company.present[n + 12]],
      budget_code: `B-${100 + n}`,
    })
  const open = company.all('/recruitment/vacancies').slice(0, 11)
  for (let n = 0; n < CANDIDATES; n++) {
    const name = `${FIRST[(n * 5 + 3) % FIRST.length]} ${LAST[(n * 3 + Math.floor(n / 48)) % LAST.length]}`
    const person = await company.add('/recruitment/candidates', {
      full_name: name,
      email: `candidate.${n + 1}@example.org`,
      phone_numbers: [`+44 20 ${700_000 + n}`],
      skills: [
        company.chance.of(['TypeScript', 'SQL', 'Figma', 'Sales', 'Writing']),
        company.chance.of(['Python', 'Excel', 'Go']),
      ],
      source_id: company.any('/recruitment/sources'),
      location: company.chance.of(COUNTRIES).city,
      desired_salary: 40_000 + company.chance.below(40) * 1000,
      currency_code: 'EUR',
      tags: n % 10 ? [] : ['Talent'],
      notice_period: '1 month',
    })
    const vacancy = company.chance.of(open)
    const path = `/recruitment/vacancies/${vacancy}/applications`
    const application = await company.add(path, { applicant_id: person.id })
    const steps = company.chance.below(4)
    for (const stage of pipeline.stages.slice(1, 1 + steps))
      await company.send('PUT', `${path}/${application.id}`, { applicant_state_id: stage.id })
    if (n % 6 === 5)
      await company.send('POST', `${path}/${application.id}/disqualify`, {
        disqualify_reason_id: company.any('/recruitment/disqualify_reasons'),
      })
    if (n % 8 === 0) {
      await company.add(`/recruitment/candidates/${person.id}/notes`, { comment: 'Good first talk.' })
      await company.add(`/recruitment/candidates/${person.id}/educations`, {
        school: 'Example College',
        name: 'Informatics',
        from_year: 2010,
        to_year: 2014,
      })
      await company.add(`/recruitment/candidates/${person.id}/experiences`, {
        title: 'Specialist',
        company: 'Elsewhere Ltd',
        starts_on: '2019-01-01',
      })
      await company.add(`/recruitment/candidates/${person.id}/documents`, {
        attachment: `data:text/plain;name=references.txt;base64,${Buffer.from('References').toString('base64')}`,
      })
    }
  }
  // Two who were the same person, and one who may be, too.
  const same = await company.add('/recruitment/candidates', { full_name: 'A. Adler', email: 'adler@example.org' })
  await company.send('POST', '/recruitment/candidates/1/merge', { duplicate_id: same.id })
  await company.add('/recruitment/candidates', { full_name: 'Ada Adler', phone_numbers: ['+44 20 700000'] })
}
