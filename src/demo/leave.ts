import { daysAfter, daysFrom } from '../engine/day.ts'
import type { DemoCompany } from './company.ts'
import { type DemoPerson, hoursOn, isHere, managerOn, type Staff } from './people.ts'
import { type DemoLocation, PLACES } from './places.ts'

const FEW_DAYS = ['Long weekend', 'Moving house', 'Visiting family', 'A wedding', '', '']
const MANY_DAYS = ['At the sea', 'Hiking in the mountains', 'Visiting family', 'School holidays', '', '']

/** Types and policies of leave are there from the beginning; people get them on their first day. */
export function planLeave(company: DemoCompany, staff: Staff, founded: string): void {
  company.on(daysAfter(founded, -1), 9, () => makePolicies(company))
  company.on(company.ago(30), 9, () => limitLeave(company))
  for (const person of staff.people) planEntitlement(company, person)
  for (const person of staff.people) {
    const taken = planVacations(company, staff, person)
    planIllness(company, staff, person)
    planOnDemand(company, staff, person, taken)
  }
  const someone = staff.headOf('People')
  const day = company.workday(someone.place, company.ago(20), -1)
  company.on(day, 12, () =>
    company.add('/leave_adjustments', {
      employee_id: someone.id,
      leave_type_id: company.id('/leave_types', 'Vacation'),
      occurred_on: day,
      amount: 1,
      description: 'A day for the move to the new flat',
    }),
  )
}

const policyName = (days: number) => `${days} days a year`

async function makePolicies(company: DemoCompany): Promise<void> {
  const vacation = await company.add('/leave_types', { name: 'Vacation', hex_color: '#2e7d32' })
  const illness = await company.add('/leave_types', { name: 'Sick leave', hex_color: '#c62828' })
  const sabbatical = await company.add('/leave_types', { name: 'Sabbatical', hex_color: '#6741d9' })
  await company.add('/leave_policies', {
    name: 'Sabbatical after three years',
    leave_type_id: sabbatical.id,
    type: 'external',
    activity_type: 'not_working_unpaid',
    waiting_period: 36,
    notice_days: 90,
    minimum_amount: 20,
  })
  for (const days of new Set(PLACES.map(({ vacationDays }) => vacationDays)))
    await company.add('/leave_policies', {
      name: policyName(days),
      leave_type_id: vacation.id,
      type: 'accrual',
      yearly_amount: days,
      credit: 'yearly',
      carry_over_limit: 5,
    })
  await company.add('/leave_policies', {
    name: 'As it happens',
    leave_type_id: illness.id,
    type: 'external',
    visibility: false,
  })
}

/** Who gets a sabbatical, and when nobody is away. */
async function limitLeave(company: DemoCompany): Promise<void> {
  const policy = company.id('/leave_policies', 'Sabbatical after three years')
  const city = PLACES[0]?.city as string
  await company.add(`/leave_policies/${policy}/eligible_groups`, { location_id: company.id('/locations', city) })
  const year = Number(company.today.slice(0, 4)) + 1
  await company.add('/blocked_periods', {
    name: 'Year-end closing',
    starts_on: `${year}-12-27`,
    ends_on: `${year}-12-31`,
    department_id: company.id('/departments', 'Finance'),
  })
}

/** Also those who have not begun yet know what they are entitled to. */
function planEntitlement(company: DemoCompany, person: DemoPerson): void {
  const { hiredOn, place } = person
  const entitle = async () => {
    for (const [type, policy] of [
      ['Vacation', policyName(place.vacationDays)],
      ['Sick leave', 'As it happens'],
    ] as const)
      await company.add(`/employees/${person.id}/leave_types`, {
        leave_type_id: company.id('/leave_types', type),
        leave_type_policy_id: company.id('/leave_policies', policy),
        effective_on: hiredOn,
      })
  }
  company.on(hiredOn < company.today ? hiredOn : company.ago(1), 8, entitle)
}

/** What may be taken in a year: in the first one a part, and what was saved is left out of account. */
function entitledIn({ hiredOn, place }: DemoPerson, year: string): number {
  if (year < hiredOn.slice(0, 4)) return 0
  const months = year === hiredOn.slice(0, 4) ? 13 - Number(hiredOn.slice(5, 7)) : 12
  return Math.floor((place.vacationDays * months) / 12)
}

/** Says how many days are asked for in each year. */
function planVacations(company: DemoCompany, staff: Staff, person: DemoPerson): Map<string, number> {
  const { chance } = company
  const taken = new Map<string, number>()
  for (const [percent, from, to, most] of [
    [65, -340, -150, 10],
    [50, -130, -8, 5],
    [12, -3, 0, 8],
    [40, 8, 80, 10],
  ] as const) {
    const isWanted = chance.percent(percent)
    const starts = company.workday(person.place, daysAfter(company.today, chance.between(from, to)))
    const days = workingDays(company, person, starts, chance.between(3, most))
    const asked = company.workday(person.place, daysAfter(starts, -chance.between(20, 45)), -1)
    const fate = chance.between(1, 100)
    const comment = chance.of(days.length > 5 ? MANY_DAYS : FEW_DAYS)
    const year = starts.slice(0, 4)
    const sum = (taken.get(year) ?? 0) + days.length
    if (!isWanted || days.length === 0 || !isFree(person, days) || asked < person.hiredOn) continue
    if (days.at(-1)?.slice(0, 4) !== year || sum > entitledIn(person, year)) continue
    taken.set(year, sum)
    planRequest(company, staff, person, { days, asked, fate, comment })
  }
  return taken
}

/** The next days on which somebody would work. */
function workingDays(company: DemoCompany, person: DemoPerson, from: string, count: number): string[] {
  const near = daysFrom(from, daysAfter(from, count * 2 + 6))
  return near.filter((day) => hoursOn(company, person, day) > 0).slice(0, count)
}

/** Nothing else is asked for on these days, nor between them. */
const isFree = ({ away }: DemoPerson, days: string[]) =>
  daysFrom(daysAfter(days[0] as string, -1), daysAfter(days.at(-1) as string, 1)).every((day) => !away.has(day))

type PlannedLeave = { days: string[]; asked: string; fate: number; comment: string }

/** Asked for in good time, and decided within days; what was asked for this week may still be open. */
function planRequest(
  company: DemoCompany,
  staff: Staff,
  person: DemoPerson,
  { days, asked, fate, comment }: PlannedLeave,
): void {
  const [starts_on, ends_on] = [days[0] as string, days.at(-1) as string]
  const isOpen = starts_on > company.today && fate > 45
  const request = isOpen ? company.workday(person.place, company.ago(1 + (fate % 6)), -1) : asked
  if (request >= company.today || !isHere(person, request)) return
  const decision = company.workday(person.place, daysAfter(request, 1 + (fate % 4)))
  const decider = managerOn(person, decision) ?? staff.headOf('Company services')
  if (!isOpen && (decision >= starts_on || decision >= company.today || !isHere(decider, decision))) return
  let path = ''
  company.on(request, 12, async () => {
    const leave_type_id = company.id('/leave_types', 'Vacation')
    const body = { employee_id: person.id, leave_type_id, starts_on, ends_on, description: comment }
    path = `/leave_requests/${(await company.add('/leave_requests', body, person)).id}`
  })
  const outcome = isOpen || fate > 4 ? 'approve' : fate > 2 ? 'reject' : 'withdraw'
  if (outcome === 'approve') for (const day of days) person.away.add(day)
  if (isOpen) return
  const by = outcome === 'withdraw' ? person : decider
  company.on(decision, 13, () => company.send('POST', `${path}/${outcome}`, {}, by))
}

/** Reported on the first morning, and noted by the manager at once. */
function planIllness(company: DemoCompany, staff: Staff, person: DemoPerson): void {
  const { chance } = company
  for (const [percent, from, to] of [
    [35, -170, -40],
    [25, -35, -4],
  ] as const) {
    const isWanted = chance.percent(percent)
    const starts = company.workday(person.place, daysAfter(company.today, chance.between(from, to)))
    const days = workingDays(company, person, starts, chance.between(1, 4)).filter((day) => day < company.today)
    const [starts_on, ends_on] = [days[0], days.at(-1)]
    const hasSettled = isHere(person, daysAfter(starts, -14))
    if (!isWanted || !hasSettled || starts_on !== starts || !isFree(person, days)) continue
    const by = managerOn(person, starts) ?? staff.headOf('Company services')
    if (!isHere(by, daysAfter(starts, -1)) || !isHere(by, starts) || by.away.has(starts)) continue
    for (const day of days) person.away.add(day)
    company.on(starts, person.place.morning, () =>
      company.add(
        '/leave_requests',
        {
          employee_id: person.id,
          leave_type_id: company.id('/leave_types', 'Sick leave'),
          starts_on,
          ends_on,
          skip_approval: true,
          ...(days.length > 2 ? { attachment: noteOf(person.place) } : {}),
        },
        by,
      ),
    )
  }
}

/** What a doctor gives who says no more than is needed; the same everywhere, so that it is one file at a place. */
const noteOf = ({ city }: DemoLocation) => {
  const text = `Certificate for the employer\n\nUnfit for work for the days reported.\n\nA practice in ${city}\n`
  return `data:text/plain;name=certificate.txt;base64,${Buffer.from(text).toString('base64')}`
}

/** Where it is the custom, some days of the vacation may be taken without asking in time; a few people have done so. */
function planOnDemand(company: DemoCompany, staff: Staff, person: DemoPerson, taken: Map<string, number>): void {
  const { chance } = company
  const isWanted = chance.percent(20)
  const day = company.workday(person.place, daysAfter(company.today, -chance.between(4, 50)), -1)
  const granted = person.hiredOn > company.ago(70) ? person.hiredOn : company.ago(70)
  if (person.place.code !== 'DE' || granted >= company.today || !isHere(person, granted)) return
  const leave = () => ({ employee_id: person.id, leave_type_id: company.id('/leave_types', 'Vacation') })
  const description = 'May be taken on demand'
  company.on(granted, 9, () =>
    company.add('/leave_adjustments', { ...leave(), occurred_on: granted, amount: 4, on_demand: true, description }),
  )
  const year = day.slice(0, 4)
  const by = managerOn(person, day) ?? staff.headOf('Company services')
  const isPossible = isHere(person, daysAfter(day, -14)) && isHere(by, day) && !by.away.has(day)
  if (!isWanted || day <= granted || !isPossible || !isFree(person, [day])) return
  if (workingDays(company, person, day, 1)[0] !== day) return
  if ((taken.get(year) ?? 0) + 1 > entitledIn(person, year)) return
  person.away.add(day)
  const request = { starts_on: day, ends_on: day, on_demand: true, skip_approval: true, description: 'Water damage' }
  company.on(day, person.place.morning, () => company.add('/leave_requests', { ...leave(), ...request }, by))
}
