import { countDays, daysAfter } from '../engine/day.ts'
import type { DemoCompany } from './company.ts'
import { payOf } from './employment.ts'
import { type Area, areaOf, type CareerLevel, SKILLS } from './organisation.ts'
import { type DemoPerson, jobOn, managerOn, type Staff } from './people.ts'
import { type DemoLocation, mailOf } from './places.ts'

/** What is in somebody's file besides their job. */

const SUBJECTS: Record<Area, string[]> = {
  Technology: ['Computer science', 'Mathematics', 'Electrical engineering', 'Interaction design'],
  Commerce: ['Business administration', 'Communication', 'Languages'],
  'Company services': ['Economics', 'Law', 'Psychology'],
}

const NOTES = [
  'Talked about the first months. Feels welcome, and would like clearer priorities in the second quarter.',
  'Would like to learn more about data; we agreed on two days of training in autumn.',
  'Took over the weekly report while a colleague was away. Reliable, asks early.',
  'Asked about working from abroad for four weeks. Answered: possible within the country’s rules, after the summer.',
  'Mid-year talk: goals are on track, wants more contact with customers.',
  'Would like to mentor the next working student. Good idea, we try it in the coming term.',
  'Return from parental leave went well; keeps the later start until the school year ends.',
  'Gave a talk about the release process at the all-hands. Very good feedback from other teams.',
  'Has a lot on the desk since the migration. We moved two topics to the next quarter.',
  'Interested in a lead position within two years; next step is to run a project alone.',
]

const CERTIFICATES: Record<Area, readonly [string, string]> = {
  Technology: ['Cloud practitioner', 'Example Cloud Academy'],
  Commerce: ['Negotiation', 'Example Sales School'],
  'Company services': ['Data protection', 'Example Institute'],
}

/** The same for everybody at a place, so that it is one file. */
const termsOf = ({ entity, office, city, vacationDays }: DemoLocation) => {
  const text = [
    `Terms of employment at ${entity}, ${office}`,
    '',
    `1. The place of work is ${city}; two days a week may be worked from home.`,
    '2. The first half-year is a probation period.',
    `3. ${vacationDays} days of vacation a year, and the public holidays of the place.`,
    '4. The salary is paid at the end of each month.',
  ]
  return `data:text/plain;name=terms.txt;base64,${Buffer.from(text.join('\n')).toString('base64')}`
}

/** What the course was about, the same for all who took it. */
const certificateOf = (name: string, issuer: string) => {
  const text = [`${name}, a course of ${issuer}`, '', 'Nine hours, with exercises. To be repeated after two years.']
  return `data:text/plain;name=certificate.txt;base64,${Buffer.from(text.join('\n')).toString('base64')}`
}

export function planRecords(company: DemoCompany, staff: Staff): void {
  for (const person of staff.people) {
    const { hiredOn, leaving } = person
    if (hiredOn >= company.today) continue
    const isTop = person.managers.length === 0
    planFile(company, person, isTop)
    planExtras(company, person, isTop)
    const until = leaving && leaving.on < company.today ? leaving.on : company.today
    const days = countDays(hiredOn, until)
    if (days < 60 || (!isTop && !company.chance.percent(30))) continue
    const day = company.workday(person.place, daysAfter(hiredOn, company.chance.between(30, days - 10)), -1)
    const body = NOTES[person.n % NOTES.length] as string
    company.on(day, 15, () => company.add(`/employees/${person.id}/notes`, { body }, managerOn(person, day) ?? person))
  }
}

/** How well people of a level can do what they do. */
const ABILITY: Record<CareerLevel, string> = {
  Junior: 'basic',
  Professional: 'proficient',
  Senior: 'expert',
  Lead: 'expert',
  Head: 'expert',
  Executive: 'proficient',
}

/** What somebody can do: one thing as well as their level asks, another a little, and some would like to learn a third. */
async function addSkills(company: DemoCompany, person: DemoPerson): Promise<void> {
  const { n, hiredOn, unit } = person
  const known = SKILLS[areaOf(unit)]
  const levels = [ABILITY[jobOn(person, hiredOn).level], 'basic', ...(n % 3 === 0 ? ['interested'] : [])]
  for (const [place, level] of levels.entries())
    await company.add(`/employees/${person.id}/skills`, {
      skill_id: company.id('/skills', known[(n + place) % known.length] as string),
      level,
    })
}

/** What everybody brings on the first day. */
function planFile(company: DemoCompany, person: DemoPerson, isTop: boolean): void {
  const { chance } = company
  const { first, last, place, bornOn, hiredOn, unit, n } = person
  const area = areaOf(unit)
  const hasFamily = isTop || (Number(hiredOn.slice(0, 4)) - Number(bornOn.slice(0, 4)) > 30 && chance.percent(40))
  const kin = chance.of([...place.first.female, ...place.first.male].filter((name) => name !== first))
  const child = chance.of(['female', 'male'] as const)
  const childName = chance.of(place.first[child])
  const childBorn = daysAfter(hiredOn, -chance.between(400, 3_000))
  const degree = chance.of(SUBJECTS[area])
  const school = chance.of(place.university)
  // Papers from before are in a cupboard.
  const isDigital = hiredOn > company.ago(730)
  const begun = Number(bornOn.slice(0, 4)) + 19
  company.on(hiredOn, 9, async () => {
    const path = `/employees/${person.id}`
    if (isTop || isDigital)
      await company.add(`${path}/documents`, {
        name: 'Terms of employment',
        document_folder_id: company.id('/document_folders', 'Contracts'),
        document: termsOf(place),
      })
    await company.add(`${path}/emergency_contacts`, {
      name: `${kin} ${last}`,
      relationship: hasFamily ? 'Spouse' : ['Parent', 'Sibling', 'Partner'][n % 3],
      email: mailOf(kin, last, 'example.net'),
      mobile_phone_number: place.phone(n + 200),
    })
    await addSkills(company, person)
    if (isTop || n % 2 === 0)
      await company.add(`${path}/educations`, {
        school,
        degree,
        from_year: String(begun),
        ...(person.pattern === 'Half days' ? {} : { to_year: String(begun + 3) }),
      })
    if (hasFamily)
      await company.add(`${path}/dependents`, {
        first_name: childName,
        last_name: last,
        relationship: 'Child',
        date_of_birth: childBorn,
        gender: child,
      })
  })
}

/** What some get or earn besides: certificates, and money beyond the salary. */
function planExtras(company: DemoCompany, person: DemoPerson, isTop: boolean): void {
  const { chance, today } = company
  const { place, hiredOn, unit, n } = person
  const { level, position } = jobOn(person, hiredOn)
  const path = () => `/employees/${person.id}`
  const certified = company.workday(place, daysAfter(hiredOn, 60 + (n % 30)))
  if ((isTop || chance.percent(20)) && certified < today) {
    const isAid = n % 2 === 0
    const [name, issuer] = isAid ? ['First aid', place.redCross] : CERTIFICATES[areaOf(unit)]
    const expiry = isAid ? { expires: true, expires_on: daysAfter(certified, 730) } : { expires: false }
    company.on(certified, 13, () =>
      company.add(`${path()}/certifications`, {
        name,
        issuer,
        issued_on: certified,
        ...expiry,
        ...(isAid ? { attachment: certificateOf(name, issuer) } : {}),
      }),
    )
  }
  const extra = (type: string, amount: number, frequency: string) =>
    company.on(hiredOn, 10, () =>
      company.add(`${path()}/additional_compensations`, {
        compensation_type_id: company.id('/compensation_types', type),
        type: 'reoccurring',
        frequency,
        description: type,
        starts_on: hiredOn,
        amount,
        currency_code: place.currency,
      }),
    )
  if (level === 'Executive' || level === 'Head') extra('Bonus', payOf(place, level, 0) / 10, 'yearly')
  if (position === 'Sales representative') extra('Car allowance', 400, 'monthly')
  if (position === 'Site reliability engineer') extra('On-call allowance', 250, 'monthly')
}
