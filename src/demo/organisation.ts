import { type PublicHoliday, publicHolidays } from '../domain/organisation/public-holidays.ts'
import { daysAfter, daysFrom } from '../engine/day.ts'
import type { DemoCompany } from './company.ts'
import { type DemoLocation, HOME, PLACES } from './places.ts'

/** How many days ago the company began. */
const FOUNDED = 1300

export const LEVELS = ['Junior', 'Professional', 'Senior', 'Lead', 'Head', 'Executive'] as const
export type CareerLevel = (typeof LEVELS)[number]

/** A department: how many people it has besides its head, and their positions. */
export type DemoDepartment = {
  name: string
  under: string | null
  level: 'Company' | 'Area' | 'Department' | 'Team' | 'Squad'
  head: string
  positions: string[]
  size: number
}

const unit = (
  level: DemoDepartment['level'],
  name: string,
  under: string | null,
  size: number,
  head: string,
  ...positions: string[]
): DemoDepartment => ({ level, name, under, size, head, positions })

/** From the top down: those who are above come first. */
export const UNITS: readonly DemoDepartment[] = [
  unit('Company', 'Example', null, 1, 'Chief executive', 'Executive assistant'),
  unit('Area', 'Technology', 'Example', 2, 'Chief technology officer', 'Enterprise architect'),
  unit('Area', 'Commerce', 'Example', 1, 'Chief commercial officer', 'Business analyst'),
  unit('Area', 'Company services', 'Example', 1, 'Chief operating officer', 'Business analyst'),
  unit('Department', 'Engineering', 'Technology', 4, 'Head of Engineering', 'Software architect'),
  unit('Department', 'Design', 'Technology', 9, 'Head of Design', 'Product designer', 'UX researcher'),
  unit('Department', 'Product', 'Technology', 7, 'Head of Product', 'Product manager'),
  unit('Department', 'Sales', 'Commerce', 5, 'Head of Sales', 'Sales operations manager'),
  unit('Department', 'Marketing', 'Commerce', 7, 'Head of Marketing', 'Marketing manager'),
  unit('Department', 'Support', 'Commerce', 4, 'Head of Support', 'Support trainer'),
  unit('Department', 'Finance', 'Company services', 10, 'Head of Finance', 'Accountant', 'Financial analyst'),
  unit('Department', 'People', 'Company services', 9, 'Head of People', 'Recruiter', 'HR business partner'),
  unit('Department', 'Workplace', 'Company services', 6, 'Head of Workplace', 'Office manager', 'IT administrator'),
  unit('Team', 'Platform', 'Engineering', 6, 'Engineering manager', 'Site reliability engineer'),
  unit('Team', 'Apps', 'Engineering', 7, 'Engineering manager', 'Software engineer'),
  unit('Team', 'Data', 'Engineering', 9, 'Engineering manager', 'Data engineer', 'Data analyst'),
  unit('Team', 'Field sales', 'Sales', 11, 'Sales team lead', 'Sales representative'),
  unit('Team', 'Inside sales', 'Sales', 11, 'Sales team lead', 'Account manager'),
  unit('Team', 'Content', 'Marketing', 8, 'Content team lead', 'Content writer', 'Video producer'),
  unit('Team', 'First line', 'Support', 11, 'Support team lead', 'Support agent'),
  unit('Team', 'Second line', 'Support', 10, 'Support team lead', 'Support engineer'),
  unit('Squad', 'Payments', 'Platform', 9, 'Engineering manager', 'Software engineer'),
  unit('Squad', 'Search', 'Platform', 9, 'Engineering manager', 'Software engineer'),
  unit('Squad', 'Mobile', 'Apps', 9, 'Engineering manager', 'Software engineer'),
  unit('Squad', 'Web', 'Apps', 9, 'Engineering manager', 'Software engineer'),
]

export const AREAS = ['Technology', 'Commerce', 'Company services'] as const
export type Area = (typeof AREAS)[number]

/** The area that a department belongs to; the top is counted among the services. */
export function areaOf({ name, level, under }: DemoDepartment): Area {
  if (level === 'Area') return name as Area
  const above = UNITS.find((one) => one.name === under)
  return above ? areaOf(above) : 'Company services'
}

export const DIVISIONS: Record<Area, string> = {
  Technology: 'Product',
  Commerce: 'Business',
  'Company services': 'Operations',
}

/** Why people go, by the type of their going. */
export const TERMINATIONS: Record<string, string[]> = {
  Voluntary: ['Better offer', 'Moved away', 'Career change', 'Further studies'],
  Involuntary: ['Performance', 'Position eliminated'],
}

export const PATTERNS = {
  'Five days': { hours: [8, 8, 8, 8, 8], employment: 'Full-time' },
  'Four days': { hours: [8, 8, 8, 8, 0], employment: 'Part-time' },
  'Half days': { hours: [4, 4, 4, 4, 4], employment: 'Working student' },
} as const

export type PatternName = keyof typeof PATTERNS

const WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']

/** What people can do, by where they do it; the last is for all. */
export const SKILLS: Record<Area, readonly string[]> = {
  Technology: ['TypeScript', 'Databases', 'Usability tests', 'Incident response', 'Public speaking'],
  Commerce: ['Negotiation', 'Copywriting', 'Customer research', 'Public speaking'],
  'Company services': ['Payroll', 'Labour law', 'Budgeting', 'Public speaking'],
}

const JOB_PROFILES = [
  ['Individual contributor', 'Specialists', 'Those whose work is their own'],
  ['Manager', 'Leadership', 'Those who lead others, and answer for their work'],
] as const

const NAMES: Record<string, readonly string[]> = {
  '/divisions': Object.values(DIVISIONS),
  '/positions': [...new Set(UNITS.flatMap(({ head, positions }) => [head, ...positions]))],
  '/job_levels': LEVELS,
  '/employment_types': Object.values(PATTERNS).map(({ employment }) => employment),
  '/department_levels': ['Company', 'Area', 'Department', 'Team', 'Squad'],
  '/termination_types': Object.keys(TERMINATIONS),
  '/termination_reasons': Object.values(TERMINATIONS).flat(),
  '/compensation_types': ['Bonus', 'Car allowance', 'On-call allowance'],
  '/pay_schedules': ['Monthly'],
  '/document_folders': ['Contracts', 'Certificates'],
  '/employee_field_groups': ['Payroll', 'Private', 'Office'],
  '/skills': [...new Set(Object.values(SKILLS).flat())],
}

/** What is there before the first person comes, who comes on the day that is returned. */
export function planOrganisation(company: DemoCompany): string {
  const begin = company.ago(FOUNDED)
  const [first, last] = [Number(begin.slice(0, 4)), Number(company.today.slice(0, 4)) + 1]
  const years = Array.from({ length: last - first + 1 }, (_, n) => first + n)
  const holidays = new Map(PLACES.map((place) => [place, years.flatMap((year) => publicHolidays(place.code, year))]))
  for (const [place, days] of holidays)
    company.setHolidays(
      place,
      days.flatMap(({ occurs_on, ends_on }) => daysFrom(occurs_on, ends_on)),
    )
  company.on(begin, 8, async () => {
    for (const [place, days] of holidays) await openOffice(company, place, days)
    await addReferenceData(company)
    await company.send('PUT', '/retention', { candidate_months: 3, employee_months: 120 })
  })
  return company.workday(HOME, daysAfter(begin, 1))
}

async function openOffice(company: DemoCompany, place: DemoLocation, holidays: PublicHoliday[]) {
  const { city, office, zone, code, entity } = place
  const policy = await company.add('/holiday_policies', { name: city, country_code: code })
  // The policy starts with the holidays of its first two years; those of the years after are added.
  const { metadata } = await company.send('GET', `/holidays?holiday_policy_ids=${policy.id}`)
  for (const day of holidays.slice(metadata.count))
    await company.add('/holidays', { ...day, holiday_policy_id: policy.id })
  await company.add('/locations', {
    name: city,
    address: office,
    country_code: code,
    time_zone: zone,
    holiday_policy_id: policy.id,
  })
  await company.add('/legal_entities', { name: entity })
}

async function addReferenceData(company: DemoCompany): Promise<void> {
  for (const [path, names] of Object.entries(NAMES)) for (const name of names) await company.add(path, { name })
  for (const [name, group, description] of JOB_PROFILES) {
    const { id } = await company.add('/job_groups', { name: group, description })
    await company.add('/job_profiles', { name, job_group_id: id })
  }
  for (const [name, { hours }] of Object.entries(PATTERNS))
    await company.add('/working_patterns', {
      name,
      ...Object.fromEntries(WEEK.map((day, n) => [`${day}_hours`, hours[n]])),
    })
  for (const name of Object.keys(PATTERNS))
    await company.add(`/working_patterns/${company.id('/working_patterns', name)}/time_rules`, {
      effective_from: '2000-01-01',
      break_deductions: [
        { after_minutes: 360, break_minutes: 30 },
        { after_minutes: 540, break_minutes: 45 },
      ],
      overtime_per: 'week',
      overtime_after_minutes: 60,
      base_factor: 1.25,
      sunday_factor: 1.5,
    })
  await company.add('/probation_policies', { name: 'Half a year', length: 182 })
  const field = (name: string, group: string, more: object) =>
    company.add('/employee_fields', { name, group_id: company.id('/employee_field_groups', group), ...more })
  await field('Tax number', 'Payroll', { type: 'text', protection: 'personal' })
  await field('Pay band', 'Payroll', { type: 'text', historical: true, protection: 'compensation' })
  await field('Home address', 'Private', { type: 'text', protection: 'personal' })
  await field('Shirt size', 'Office', { type: 'single_select', options: ['S', 'M', 'L', 'XL'] })
  await field('Languages', 'Office', { type: 'multi_select', options: ['English', 'French', 'German', 'Spanish'] })
  for (const { name, under, level } of UNITS)
    await company.add('/departments', {
      name,
      parent_id: under && company.id('/departments', under),
      department_level_id: company.id('/department_levels', level),
    })
  await company.add('/api_keys', { name: 'Payroll export', permissions: ['employees:read'], withheld: ['personal'] })
}
