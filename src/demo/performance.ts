import { daysAfter } from '../engine/day.ts'
import type { DemoCompany } from './company.ts'
import { type DemoPerson, isHere, jobOn, monthOf, type Staff } from './people.ts'

/** What is measured in a position: from where, to where. */
type Measure = { title: string; metric: 'number' | 'percentage' | 'currency'; from: number; to: number }

const measure = (title: string, metric: Measure['metric'], from: number, to: number): Measure => ({
  title,
  metric,
  from,
  to,
})

const OF_POSITIONS: Record<string, Measure[]> = {
  'Account manager': [
    measure('Contracts renewed', 'percentage', 70, 92),
    measure('Revenue from existing customers', 'currency', 0, 240_000),
  ],
  'Sales representative': [
    measure('New customers won', 'number', 0, 24),
    measure('Orders signed', 'currency', 0, 180_000),
  ],
  'Support agent': [measure('First replies within an hour', 'percentage', 55, 80)],
  'Support engineer': [measure('Cases solved without escalation', 'percentage', 60, 75)],
  'Software engineer': [measure('Changes released without rollback', 'percentage', 88, 97)],
  'Site reliability engineer': [measure('Services with an alert that was tested', 'number', 4, 30)],
  Recruiter: [measure('Days until an offer', 'number', 48, 30)],
  'Content writer': [measure('Articles published', 'number', 0, 18)],
}

const OF_UNITS: readonly (readonly [string, Measure])[] = [
  ['Support', measure('Customers who would recommend us', 'percentage', 61, 72)],
  ['Sales', measure('Revenue of the half-year', 'currency', 0, 4_200_000)],
  ['People', measure('Positions filled', 'number', 0, 20)],
]

type ObjectiveDates = { starts_on: string; ends_on: string }
type KeyResult = readonly [title: string, metric: Measure['metric'], start: number, target: number, weight?: number]
type Objective = { unit: string; title: string; description: string; results: KeyResult[] }

/** What the units have set themselves; every key result names the figure that is to be reached. */
const OBJECTIVES: readonly Objective[] = [
  {
    unit: 'Example',
    title: 'Become the first choice of mid-sized retailers',
    description: 'We are known to large customers. Retailers with 50 to 500 people should think of us first.',
    results: [
      ['Win 40 retailers with more than 50 people', 'number', 0, 40, 3],
      ['Raise the share of recommended deals from 18 % to 30 %', 'percentage', 18, 30, 2],
      ['Be named in 6 comparisons of trade journals', 'number', 0, 6],
    ],
  },
  {
    unit: 'Engineering',
    title: 'Release every day without fear',
    description: 'Fewer and larger releases cost us evenings. Small ones, tested by machines, shall be the rule.',
    results: [
      ['Raise the share of releases without rollback from 91 % to 98 %', 'percentage', 91, 98, 2],
      ['Bring the test run down from 26 to 10 minutes', 'number', 26, 10],
      ['Move 12 services to the new pipeline', 'number', 0, 12],
    ],
  },
  {
    unit: 'Payments',
    title: 'Make paying the fastest part of an order',
    description: 'Every second at the checkout costs orders.',
    results: [
      ['Raise completed checkouts from 74 % to 82 %', 'percentage', 74, 82, 2],
      ['Add 4 ways to pay that customers ask for', 'number', 0, 4],
    ],
  },
  {
    unit: 'Design',
    title: 'One look in all our products',
    description: 'Web and mobile have grown apart; the design system brings them together.',
    results: [
      ['Rebuild 30 screens with the design system', 'number', 0, 30, 2],
      ['Pass the accessibility check on 95 % of all screens', 'percentage', 70, 95],
    ],
  },
  {
    unit: 'Sales',
    title: 'Sell in the north as well as in the south',
    description: 'Two thirds of our orders come from three regions.',
    results: [
      ['Sign orders worth 900000 in the northern regions', 'currency', 0, 900_000, 2],
      ['Hold 60 first meetings in the northern regions', 'number', 0, 60],
    ],
  },
  {
    unit: 'Support',
    title: 'Answer so that nobody has to ask twice',
    description: 'A good first answer saves the customer a day and us a second ticket.',
    results: [
      ['Solve 75 % of all cases with the first answer', 'percentage', 58, 75, 2],
      ['Write 50 new articles for the help centre', 'number', 0, 50],
    ],
  },
  {
    unit: 'People',
    title: 'Fill positions before teams feel the gap',
    description: 'From the vacancy to the first day it takes us too long.',
    results: [
      ['Bring the time until an offer down from 48 to 30 days', 'number', 48, 30, 2],
      ['Fill 20 positions', 'number', 0, 20],
      ['Win 25 % of new colleagues through referrals', 'percentage', 14, 25],
    ],
  },
  {
    unit: 'Finance',
    title: 'Close the month in a week',
    description: 'Decisions wait for figures that we have, but not yet in one place.',
    results: [
      ['Bring the monthly closing down from 11 to 6 working days', 'number', 11, 6, 2],
      ['Process 90 % of the invoices without paper', 'percentage', 64, 90],
    ],
  },
]

/** Some way from one figure to another, in whole steps. */
const along = (from: number, to: number, part: number) => Math.round(from + (to - from) * Math.min(1, part))

export function planGoals(company: DemoCompany, staff: Staff): void {
  const starts_on = monthOf(company.ago(110))
  const ends_on = daysAfter(monthOf(daysAfter(company.today, 90)), -1)
  const measured = staff.staying.filter((one) => isHere(one, starts_on) && OF_POSITIONS[jobOn(one, starts_on).position])
  for (const person of company.chance.some(measured, 24)) {
    const own = OF_POSITIONS[jobOn(person, starts_on).position] as Measure[]
    for (const one of own) planIndicator(company, one, person, { starts_on, ends_on, weight: 100 / own.length })
  }
  for (const [unit, one] of OF_UNITS)
    planIndicator(company, one, staff.headOf(unit), { starts_on, ends_on, weight: 50 }, unit)
  for (const objective of OBJECTIVES) planObjective(company, staff, objective, { starts_on, ends_on })
}

/** An indicator of a person or of their unit, and what was measured every three weeks. */
function planIndicator(
  company: DemoCompany,
  one: Measure,
  person: DemoPerson,
  more: ObjectiveDates & { weight: number },
  unit?: string,
): void {
  const { chance } = company
  const days = [21, 42, 63, 84].map((days) => company.workday(person.place, daysAfter(more.starts_on, days)))
  const pace = chance.between(70, 110) / 100
  const values = days.map((day, n) => ({
    day,
    value: along(one.from, one.to, ((n + 1) / 8) * pace + chance.between(0, 8) / 100),
  }))
  let path = ''
  company.on(company.workday(person.place, more.starts_on), 9, async () => {
    const { id } = await company.add('/performance/key_performance_indicators', {
      ...more,
      title: one.title,
      metric: one.metric,
      ...(one.metric === 'currency' ? { currency_code: person.place.currency } : {}),
      ...(unit
        ? { kpi_type: 'department', department_id: company.id('/departments', unit) }
        : { kpi_type: 'individual' }),
      user_id: person.id,
      start_value: one.from,
      target_value: one.to,
    })
    path = `/performance/key_performance_indicators/${id}/key_performance_indicator_results`
  })
  for (const { day, value } of values)
    if (day < company.today) company.on(day, 16, () => company.add(path, { value, occurred_on: day }, person))
}

/** An objective is set with nothing reached, and brought up to date since. */
function planObjective(company: DemoCompany, staff: Staff, objective: Objective, dates: ObjectiveDates): void {
  const { unit, title, description, results } = objective
  const owner = staff.headOf(unit)
  const [begin, recently] = [dates.starts_on, company.ago(6)].map((day) => company.workday(owner.place, day, -1)) as [
    string,
    string,
  ]
  const reached = results.map(() => company.chance.between(25, 95) / 100)
  let path = ''
  const keyResults = (part: (n: number) => number) =>
    results.map(([title, metric, start, target, weight = 1], n) => ({
      title,
      metric,
      ...(metric === 'currency' ? { currency_code: owner.place.currency } : {}),
      start,
      target,
      current: along(start, target, part(n)),
      weight,
    }))
  company.on(begin, 10, async () => {
    const key_results = keyResults(() => 0)
    const { id } = await company.add('/performance/objectives', {
      title,
      description,
      ...dates,
      owner_id: owner.id,
      key_results,
    })
    path = `/performance/objectives/${id}`
  })
  company.on(recently, 10, () =>
    company.send('PUT', path, { key_results: keyResults((n) => reached[n] as number) }, owner),
  )
}
