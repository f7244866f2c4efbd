import { COUNTRIES, type Company } from './company.ts'

export async function organise(company: Company): Promise<void> {
  for (const { code, city, zone, address } of COUNTRIES) {
    const policy = await company.add('/holiday_policies', { name: city, country_code: code })
    await company.add('/locations', { name: city, address, time_zone: zone, holiday_policy_id: policy.id })
    await company.add('/legal_entities', { name: `Example ${city}` })
  }
  const lists: Record<string, string[]> = {
    '/divisions': ['Product', 'Business', 'Operations'],
    '/positions': [
      'Engineer',
      'Designer',
      'Product manager',
      'Account manager',
      'Analyst',
      'Recruiter',
      'Accountant',
      'Support agent',
      'Head of department',
      'Chief executive',
    ],
    '/job_levels': ['Junior', 'Professional', 'Senior', 'Lead', 'Executive'],
    '/job_profiles': ['Individual contributor', 'Manager'],
    '/employment_types': ['Full-time', 'Part-time', 'Working student'],
    '/department_levels': ['Company', 'Area', 'Department', 'Team', 'Squad'],
    '/termination_types': ['Voluntary', 'Involuntary'],
    '/termination_reasons': ['Better offer', 'Moved away', 'Performance'],
    '/compensation_types': ['Bonus', 'Car allowance'],
    '/pay_schedules': ['Monthly'],
    '/document_folders': ['Contracts', 'Certificates'],
    '/employee_field_groups': ['Payroll', 'Office'],
    '/recruitment/sources': ['Careers site', 'Referral', 'Agency'],
    '/recruitment/disqualify_reasons': ['Not enough experience', 'Salary', 'Withdrew'],
  }
  for (const [path, names] of Object.entries(lists)) for (const name of names) await company.add(path, { name })
  const week = (hours: number, days: number) =>
    Object.fromEntries(
      ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].slice(0, days).map((day) => [`${day}_hours`, hours]),
    )
  await company.add('/working_patterns', { name: 'Five days', ...week(8, 5) })
  await company.add('/working_patterns', { name: 'Four days', ...week(8, 4) })
  await company.add('/probation_policies', { name: 'Half a year', length: 182 })
  const [payroll, office] = company.all('/employee_field_groups')
  await company.add('/employee_fields', { name: 'Tax number', type: 'text', group_id: payroll })
  await company.add('/employee_fields', {
    name: 'Shirt size',
    type: 'single_select',
    group_id: office,
    options: ['S', 'M', 'L', 'XL'],
  })
  await company.add('/employee_fields', {
    name: 'Languages',
    type: 'multi_select',
    group_id: office,
    options: ['English', 'French', 'German', 'Spanish'],
  })
  await company.add('/employee_fields', { name: 'Pay band', type: 'text', group_id: payroll, historical: true })
  // Five levels: the company, areas, departments, teams, squads.
  const levels = company.all('/department_levels')
  const tree = [
    ['Example'],
    ['Technology', 'Commerce', 'Company services'],
    ['Engineering', 'Design', 'Sales', 'Marketing', 'Finance', 'People'],
    ['Platform', 'Apps', 'Field sales', 'Content'],
    ['Payments', 'Search'],
  ]
  let above: number[] = []
  for (const [depth, names] of tree.entries()) {
    const made: number[] = []
    for (const [n, name] of names.entries())
      made.push(
        (
          await company.add('/departments', {
            name,
            parent_id: above[n % Math.max(1, above.length)] ?? null,
            department_level_id: levels[depth],
          })
        ).id,
      )
    above = made
  }
}
