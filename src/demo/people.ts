import { daysAfter } from '../engine/day.ts'
import { COUNTRIES, type Company, FIRST, LAST } from './company.ts'

const PEOPLE = 200

export async function hirePeople(company: Company): Promise<void> {
  for (let n = 0; n < PEOPLE; n++) {
    const [first_name, last_name] = [
      FIRST[(n * 7) % FIRST.length] as string,
      LAST[(n * 11 + Math.floor(n / LAST.length)) % LAST.length] as string,
    ]
    const hired = n === 0 ? 1500 : 30 + company.chance.below(1300)
    const place = n % COUNTRIES.length
    const { id } = await company.add('/employees', {
      first_name,
      last_name,
      email: `${first_name}.${last_name}.${n + 1}@example.com`.toLowerCase(),
      personal_email: `${first_name}${n}@example.net`.toLowerCase(),
      mobile_number: `+49 30 ${100_000 + n * 37}`,
      date_of_birth: daysAfter('1962-01-01', company.chance.below(14_000)),
      hired_on: company.ago(hired),
      ...(hired < 180 ? { probation_policy_id: company.all('/probation_policies')[0] } : {}),
      gender: company.chance.of(['male', 'female', 'other', 'female', 'male']),
      access: true,
      position_id:
        n === 0
          ? company.all('/positions').at(-1)
          : n < 12
            ? company.all('/positions').at(-2)
            : company.all('/positions')[company.chance.below(8)],
      job_level_id: n < 12 ? company.all('/job_levels').at(-1) : company.all('/job_levels')[company.chance.below(4)],
      location_id: company.all('/locations')[place],
      legal_entity_id: company.all('/legal_entities')[place],
      division_id: company.any('/divisions'),
      job_profile_id: company.all('/job_profiles')[n < 30 ? 1 : 0],
      department_id: n === 0 ? company.all('/departments')[0] : company.any('/departments'),
      employment_type_id: company.all('/employment_types')[n % 17 === 0 ? 1 : 0],
      working_pattern_id: company.all('/working_patterns')[n % 17 === 0 ? 1 : 0],
      reporting_to_id: n === 0 ? null : company.all('/employees')[Math.floor((n - 1) / 6)],
      tax_number: String(10_000_000 + n * 7919),
      shirt_size: company.chance.of(['S', 'M', 'L', 'XL']),
      languages: ['English', company.chance.of(['French', 'German', 'Spanish'])],
    })
    const salary = 36_000 + company.chance.below(50) * 1000
    for (let years = Math.floor(hired / 365); years >= 0; years--) {
      const effective_on = company.ago(years * 365 + (years === Math.floor(hired / 365) ? hired % 365 : 0))
      await company.add(`/employees/${id}/salaries`, {
        effective_on,
        amount: Math.round(salary * 1.04 ** -years),
        currency_code: ['EUR', 'EUR', 'GBP', 'USD'][place],
        per: 'year',
        comment: years ? '' : 'Yearly review',
        pay_schedule_id: company.all('/pay_schedules')[0],
      })
    }
    await company.send('POST', `/employees/${id}/field_histories`, {
      employee_field_internal_name: 'pay_band',
      effective_on: company.ago(hired),
      value: `B${1 + (n % 5)}`,
    })
    if (hired > 700 && n > 30)
      await company.send('POST', `/employees/${id}/positions`, {
        effective_from: company.ago(200 + (n % 300)),
        job_level_id: company.any('/job_levels'),
      })
    if (n > 100 && n % 13 === 0 && hired > 120)
      await company.send('POST', `/employees/${id}/terminate`, {
        effective_from: company.ago(n % 90),
        termination_type_id: company.any('/termination_types'),
        termination_reason_id: company.any('/termination_reasons'),
        eligible_for_rehire: n % 2 === 0,
      })
    else company.present.push(id)
  }
  for (const [n, id] of company.all('/departments').entries())
    await company.send('PUT', `/departments/${id}`, { manager_id: company.present[n] })
  const teams = ['Onboarding', 'Green office', 'Security champions', 'Book club', 'Data guild', 'Accessibility']
  for (const [n, name] of teams.entries())
    await company.add('/teams', {
      name,
      description: `${name} across departments`,
      team_lead_id: company.present[20 + n],
      user_ids: company.present.slice(30 + n * 8, 38 + n * 8),
    })
}

export async function giveThemRecords(company: Company): Promise<void> {
  const letter = `data:text/plain;name=contract.txt;base64,${Buffer.from('The contract of an example.').toString('base64')}`
  for (const id of company.present.slice(0, 60)) {
    await company.add(`/employees/${id}/documents`, {
      name: 'Employment contract',
      document_folder_id: company.all('/document_folders')[0],
      document: letter,
    })
    await company.add(`/employees/${id}/additional_compensations`, {
      compensation_type_id: company.any('/compensation_types'),
      type: 'reoccurring',
      frequency: 'monthly',
      starts_on: company.ago(300),
      amount: '150',
      currency_code: 'EUR',
    })
    await company.add(`/employees/${id}/educations`, {
      school: 'Example University',
      degree: company.chance.of(['Mathematics', 'Design', 'Economics']),
      from_year: '2004',
      to_year: '2009',
    })
    await company.add(`/employees/${id}/certifications`, {
      name: 'First aid',
      issuer: 'Red Cross',
      issued_on: company.ago(400),
      expires: true,
      expires_on: daysAfter(company.today, 300),
    })
    await company.add(`/employees/${id}/dependents`, {
      first_name: company.chance.of(FIRST),
      last_name: company.chance.of(LAST),
      relationship: 'Child',
    })
    await company.add(`/employees/${id}/emergency_contacts`, {
      name: `${company.chance.of(FIRST)} ${company.chance.of(LAST)}`,
      mobile_phone_number: '+49 30 555',
    })
    await company.add(`/employees/${id}/notes`, { body: 'Talked about the next step.' })
  }
  await company.add('/api_keys', { name: 'Payroll export', permissions: ['employees:read'], withheld: ['personal'] })
}
