import { daysAfter } from '../engine/day.ts'
import type { DemoCompany } from './company.ts'
import { areaOf, type CareerLevel, DIVISIONS, LEVELS, PATTERNS } from './organisation.ts'
import { type DemoPerson, isHere, jobOn, managerOn, type Staff } from './people.ts'
import { ascii, type DemoLocation, mailOf } from './places.ts'

/** How people come, rise and go. */

/** What a level is paid a year in Berlin, in thousands: no level reaches into the next. */
const BANDS: Record<CareerLevel, readonly [number, number]> = {
  Junior: [40, 48],
  Professional: [50, 62],
  Senior: [65, 80],
  Lead: [84, 98],
  Head: [104, 124],
  Executive: [135, 180],
}

/** The pay of a whole year somewhere in the band of a level: from 0, where it begins, to 1. */
export function payOf({ payFactor }: DemoLocation, level: CareerLevel, inBand: number): number {
  const [least, most] = BANDS[level]
  return Math.round((least + (most - least) * inBand) * payFactor * 10) * 100
}

const bandOf = (level: CareerLevel) => `B${1 + LEVELS.indexOf(level)}`

/** The part of a full week that somebody works. */
const shareOf = ({ pattern }: DemoPerson) => PATTERNS[pattern].hours.reduce<number>((sum, hours) => sum + hours, 0) / 40

export type PayStep = { from: string; amount: number; comment: string }

/** What somebody has earned from which day on: more with every promotion, a little more with every review in April. */
export function planPay({ chance, today }: DemoCompany, person: DemoPerson): PayStep[] {
  const { place, jobs } = person
  const years = Array.from({ length: 6 }, (_, n) => Number(today.slice(0, 4)) - 5 + n)
  const reviews = years.map((year) => `${year}-04-01`).filter((day) => day < today && isHere(person, day))
  const pays = jobs.flatMap(({ from, level }, n) => {
    let inBand = chance.between(5, n === 0 ? 40 : 25) / 100
    const pay = (day: string, comment: string) => ({
      from: day,
      amount: payOf(place, level, inBand) * shareOf(person),
      comment,
    })
    const first = pay(from, n === 0 ? 'Starting salary' : `Promotion to ${level}`)
    const until = jobs[n + 1]?.from ?? today
    // Nobody is reviewed who has just come or just been promoted.
    const due = reviews.filter((day) => daysAfter(from, 180) <= day && day < until)
    return [
      first,
      ...due.map((day) => {
        inBand = Math.min(1, inBand + chance.between(4, 11) / 100)
        return pay(day, 'Yearly review')
      }),
    ]
  })
  return pays.filter((pay, n) => pay.amount !== pays[n - 1]?.amount)
}

/** What is said about a job: where somebody is and what they do there. */
function jobBody(company: DemoCompany, person: DemoPerson, day: string) {
  const { level, position, isHead } = jobOn(person, day)
  const manager = managerOn(person, day)
  return {
    position_id: company.id('/positions', position),
    job_level_id: company.id('/job_levels', level),
    job_profile_id: company.id('/job_profiles', isHead ? 'Manager' : 'Individual contributor'),
    reporting_to_id: manager?.id ?? null,
    pay_band: bandOf(level),
  }
}

const handleOf = (first: string, last: string) => ascii(`${first}.${last}`)

/** Everything that is on file about somebody from their first day on. */
export function personBody(company: DemoCompany, person: DemoPerson) {
  const { first, last, place, n, pattern, unit, hiredOn } = person
  const speaks = [...new Set(['English', place.language])]
  return {
    first_name: first,
    last_name: last,
    gender: person.gender,
    date_of_birth: person.bornOn,
    email: mailOf(first, last, 'example.com'),
    personal_email: mailOf(first, last, 'example.net'),
    mobile_number: place.mobile(n),
    work_phone_number: place.phone(n),
    slack_username: handleOf(first, last),
    ...(n % 3 === 0 ? { linkedin_url: `https://linkedin.example/in/${handleOf(first, last)}` } : {}),
    hired_on: hiredOn,
    probation_policy_id: company.id('/probation_policies', 'Half a year'),
    location_id: company.id('/locations', place.city),
    legal_entity_id: company.id('/legal_entities', place.entity),
    department_id: company.id('/departments', unit.name),
    division_id: company.id('/divisions', DIVISIONS[areaOf(unit)]),
    working_pattern_id: company.id('/working_patterns', pattern),
    employment_type_id: company.id('/employment_types', PATTERNS[pattern].employment),
    ...jobBody(company, person, hiredOn),
    tax_number: place.taxNumber(n),
    home_address: place.address(place.streets[n % place.streets.length] as string, n * 7 + 3),
    shirt_size: ['S', 'M', 'L', 'XL'][n % 4],
    languages: n % 5 ? speaks : [...speaks, 'Spanish'],
  }
}

export const payBody = (company: DemoCompany, { place }: DemoPerson, { from, amount, comment }: PayStep) => ({
  effective_on: from,
  amount,
  currency_code: place.currency,
  per: 'year',
  comment,
  pay_schedule_id: company.id('/pay_schedules', 'Monthly'),
})

/** Plans the working lives of all, but for the first day of those whom a vacancy finds. */
export function planEmployment(company: DemoCompany, staff: Staff): void {
  for (const person of staff.people) {
    const pays = planPay(company, person)
    if (!person.isSought) {
      company.on(person.hiredOn, 7, async () => {
        const { id } = await company.add('/employees', { ...personBody(company, person), access: true })
        person.id = id
        await company.add(`/employees/${id}/salaries`, payBody(company, person, pays[0] as PayStep))
        if (jobOn(person, person.hiredOn).isHead) await leadUnit(company, person)
      })
      planPays(company, person, pays.slice(1))
    }
    for (const job of person.jobs.slice(1))
      company.on(job.from, 7.5, async () => {
        await company.send('PUT', `/employees/${person.id}`, jobBody(company, person, job.from))
        if (job.isHead) await leadUnit(company, person)
      })
    if (person.leaving) planLeaving(company, staff, person)
  }
}

const leadUnit = (company: DemoCompany, { id, unit }: DemoPerson) =>
  company.send('PUT', `/departments/${company.id('/departments', unit.name)}`, { manager_id: id })

function planPays(company: DemoCompany, person: DemoPerson, pays: PayStep[]): void {
  for (const pay of pays)
    company.on(pay.from, 7.6, () => company.add(`/employees/${person.id}/salaries`, payBody(company, person, pay)))
}

const COMMENTS: Record<string, string> = {
  'Better offer': 'Leaves for a larger company; we could not match the offer.',
  'Moved away': 'Follows the family abroad, and would have liked to stay.',
  'Career change': 'Wants to work in another field.',
  'Further studies': 'Goes back to university.',
  Performance: 'The goals that were agreed in two reviews were not reached.',
  'Position eliminated': 'The work was taken over by a service provider.',
}

function planLeaving(company: DemoCompany, staff: Staff, person: DemoPerson): void {
  const { on, type, reason } = person.leaving as NonNullable<DemoPerson['leaving']>
  const isOver = on < company.today
  const notice = company.workday(person.place, isOver ? daysAfter(on, -45) : company.ago(8), -1)
  const termination = () => ({
    effective_from: on,
    termination_type_id: company.id('/termination_types', type),
    termination_reason_id: company.id('/termination_reasons', reason),
    eligible_for_rehire: reason !== 'Performance',
    comment: COMMENTS[reason],
  })
  company.on(notice, 14, () =>
    company.send('POST', `/employees/${person.id}/terminate`, termination(), staff.headOf('People')),
  )
  if (!isOver) return
  const reports = staff.people.filter(
    (one) => one.hiredOn < on && isHere(one, on) && managerOn(one, daysAfter(on, -1)) === person,
  )
  company.on(on, 6, async () => {
    await company.send('PUT', `/employees/${person.id}`, { access: false })
    for (const act of person.farewell) await act()
    const data = reports.map((one) => ({ id: one.id, reporting_to_id: managerOn(one, on)?.id }))
    if (data.length > 0) await company.send('PATCH', '/employees/bulk', { data })
  })
}
