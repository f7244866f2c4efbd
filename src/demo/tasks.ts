import { daysAfter } from '../engine/day.ts'
import type { DemoCompany } from './company.ts'
import { AREAS, type Area, areaOf } from './organisation.ts'
import { type DemoPerson, isHere, managerOn, nameOf, type Staff } from './people.ts'

/** What is to be done when somebody comes: how many days before the first day it begins and is due. */
const ONBOARDING = [
  ['Order a laptop for', 'With two screens; ask which keyboard layout is wanted.', 14, 3],
  ['Plan the first week of', 'Who introduces what, lunch with the team on the first day, first small task.', 10, 1],
  ['Prepare badge and keys for', 'They are handed out at the reception on the first morning.', 6, 1],
] as const

const OFFBOARDING = [
  ['Hand over the work of', 'List what is open, who takes it over, and where it is written down.', 20, 4],
  ['Talk about the leaving of', 'What was good, what should change, would they come back?', 10, 2],
  ['Collect the equipment of', 'Laptop, phone, badge and keys; note what is missing.', 5, 1],
] as const

type TaskText = readonly [name: string, description: string]

const GENERAL: Record<Area, readonly TaskText[]> = {
  Technology: [
    ['Review the on-call handbook', 'The part about escalation is from before the reorganisation.'],
    ['Book the load test', 'Two hours outside office hours; tell Support beforehand.'],
    ['Update the diagram of services', 'Search has a service of its own now.'],
    ['Renew the design licences', 'Three people have left, five have come.'],
    ['Try the restore of a backup', 'On the spare machine, and note how long it took.'],
    ['Invite five customers to a usability test', 'Two of them should use a screen reader.'],
  ],
  Commerce: [
    ['Prepare the customer day', 'Room, speakers, name badges; about forty guests.'],
    ['Update the price list', 'With the new yearly plans; Finance has the figures.'],
    ['Collect three customer stories', 'One for each industry, with a picture that we may use.'],
    ['Check the answers in the help centre', 'Those about invoices are asked for most often.'],
    ['Write the newsletter', 'Three topics, one picture, and a date for the next customer day.'],
    ['Call customers who have not ordered this quarter', 'Ask first, offer later; note what they say.'],
  ],
  'Company services': [
    ['Prepare the yearly audit', 'The list of the auditors is in the shared folder.'],
    ['Compare offers for the cleaning', 'The contract ends with the year; three offers are enough.'],
    ['Plan the safety training', 'Everybody who has come this year, in two groups.'],
    ['Close the books of the month', 'Travel expenses are due on the fifth.'],
    ['Check the fire extinguishers', 'In all four offices; the label says when they are due.'],
    ['Send the survey about working from home', 'Ten questions, without names, open for two weeks.'],
  ],
}

export function planTasks(company: DemoCompany, staff: Staff): void {
  for (const person of staff.people) {
    if (person.hiredOn > company.ago(150))
      for (const task of ONBOARDING) planStep(company, staff, person, 'onboarding', task, person.hiredOn)
    if (person.leaving && person.leaving.on > company.ago(200))
      for (const task of OFFBOARDING) planStep(company, staff, person, 'offboarding', task, person.leaving.on)
  }
  // What comes up in an area was done by somebody some weeks ago, and has now come up again.
  for (const area of AREAS)
    for (const text of GENERAL[area])
      for (const [from, to] of [
        [25, 55],
        [2, 20],
      ] as const)
        planGeneral(company, staff, area, text, company.ago(company.chance.between(from, to)))
  const [top] = staff.people as [DemoPerson]
  plan(company, {
    type: 'general',
    name: 'Prepare the meeting of the board',
    description: 'Figures of the quarter, the plan for the next, and who presents which part.',
    person: top,
    day: company.workday(top.place, company.ago(6), -1),
    endsOn: company.workday(top.place, daysAfter(company.today, 7)),
    doneOn: null,
    by: top,
  })
}

function planGeneral(
  company: DemoCompany,
  staff: Staff,
  area: Area,
  [name, description]: TaskText,
  around: string,
): void {
  const { chance } = company
  const person = chance.of(
    staff.staying.filter((one) => areaOf(one.unit) === area && isHere(one, daysAfter(around, -7))),
  )
  const day = company.workday(person.place, around, -1)
  const endsOn = company.workday(person.place, daysAfter(day, chance.between(7, 14)))
  const isDone = around < company.ago(21) || chance.percent(45)
  const doneOn = isDone ? company.workday(person.place, daysAfter(day, chance.between(1, 6))) : null
  plan(company, {
    type: 'general',
    name,
    description,
    person,
    day,
    endsOn,
    doneOn,
    by: managerOn(person, day) ?? person,
  })
}

/** A step of somebody's coming or going, which their manager takes. */
function planStep(
  company: DemoCompany,
  staff: Staff,
  person: DemoPerson,
  type: 'onboarding' | 'offboarding',
  [name, description, begin, due]: readonly [string, string, number, number],
  on: string,
): void {
  const day = company.workday(person.place, daysAfter(on, -begin), -1)
  const manager = managerOn(person, on)
  if (day >= company.today || !manager) return
  const endsOn = company.workday(person.place, daysAfter(on, -due), -1)
  const by = staff.headOf('People')
  plan(company, {
    type,
    name: `${name} ${nameOf(person)}`,
    description,
    person: manager,
    day,
    endsOn,
    doneOn: endsOn,
    by,
    about: person,
  })
}

type TaskPlan = {
  type: string
  name: string
  description: string
  person: DemoPerson
  day: string
  endsOn: string
  doneOn: string | null
  by: DemoPerson
  /** Whose coming or going it is. */
  about?: DemoPerson
}

function plan(
  company: DemoCompany,
  { type, name, description, person, day, endsOn, doneOn, by, about }: TaskPlan,
): void {
  let id = 0
  const associated = () => ({ associated_to: { id: about?.id, type: 'Employee' } })
  company.on(day, 11, async () => {
    const body = {
      type,
      name,
      description: `<p>${description}</p>`,
      starts_on: day,
      ends_on: endsOn,
      employee_id: person.id,
      ...(about?.id ? associated() : {}),
    }
    id = (await company.add('/tasks', body, by)).id
  })
  // Who is to come may be on file only from their first day on.
  if (about && about.hiredOn < company.today && day < about.hiredOn)
    company.on(about.hiredOn, 12, () => company.send('PUT', `/tasks/${id}`, associated(), by))
  if (doneOn && doneOn < company.today)
    company.on(doneOn, 16, () => company.send('PUT', `/tasks/${id}/complete`, {}, person))
}
