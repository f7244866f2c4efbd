import { countDays, daysAfter } from '../engine/day.ts'
import type { DemoCompany } from './company.ts'
import { type PayStep, payBody, payOf, personBody, planPay } from './employment.ts'
import { areaOf, type DemoDepartment, DIVISIONS, UNITS } from './organisation.ts'
import type { DemoPerson, NamePool, PlannedHire, Staff } from './people.ts'
import { ascii, type DemoLocation, type Gender, HOME, mailOf, PLACES } from './places.ts'
import { type DemoVacancy, LETTERS, NOTES, REASONS, SOURCES, STAGES, VACANCIES } from './vacancies.ts'

const CANDIDATES = 210
const placeIn = (city: string) => PLACES.find((one) => one.city === city) as DemoLocation
const unitOf = (name: string) => UNITS.find((one) => one.name === name) as DemoDepartment

/** Those whom the vacancies find: they are among the 200. */
export const soughtPeople = (company: DemoCompany): PlannedHire[] =>
  VACANCIES.flatMap(({ unit, position, level, city, begins }) => {
    const place = placeIn(city)
    return begins.map((days) => ({
      unit,
      position,
      level,
      place,
      hiredOn: company.workday(place, daysAfter(company.today, days)),
    }))
  })

type DemoStage = { id: number; name: string }
type Opening = DemoVacancy & {
  id: number
  place: DemoLocation
  readonly stages: DemoStage[]
  openedOn: string
  until: string
  found: DemoPerson[]
}

export function planRecruitment(company: DemoCompany, staff: Staff, names: NamePool): void {
  let stages: DemoStage[] = []
  company.on(company.ago(170), 9, async () => {
    stages = await prepare(company)
  })
  const openings = VACANCIES.map((vacancy) => {
    const found = staff.people.filter(
      (one) => one.isSought && one.unit.name === vacancy.unit && one.jobs[0]?.position === vacancy.position,
    )
    return planVacancy(company, staff, vacancy, found, () => stages)
  })
  const open = openings.filter(({ opened }) => opened !== null)
  const seekers = new DemoCandidates(company, staff)
  for (const opening of open) for (const person of opening.found) seekers.planHire(opening, person)
  const hired = open.reduce((sum, { found }) => sum + found.length, 0)
  for (let n = hired; n < CANDIDATES; n++) {
    const opening = open[n % open.length] as Opening
    const place = company.chance.percent(80) ? opening.place : company.chance.of(PLACES)
    seekers.planApplication(opening, { ...names.draw(company, place), place })
  }
  seekers.planDuplicate()
}

/** Those who recruit for the company without being of it. */
const AGENTS = [
  { first_name: 'Nora', last_name: 'Feldt', email: 'nora.feldt@talents.example', access: true },
  { first_name: 'Marc', last_name: 'Aubry', email: 'marc.aubry@recrut.example', access: true },
  { first_name: 'Ruth', last_name: 'Okafor', email: 'ruth@okafor.example', role: 'external_interviewer', access: true },
  { first_name: 'Sam', last_name: 'Doyle', email: 'sam.doyle@talents.example', active: false },
]

async function prepare(company: DemoCompany): Promise<DemoStage[]> {
  for (const agent of AGENTS) await company.add('/external_users', agent)
  for (const name of SOURCES) await company.add('/recruitment/sources', { name })
  const reasons = Object.values(REASONS).flatMap((list) => list.map(([name]) => name))
  for (const name of new Set([...reasons, 'Position filled']))
    await company.add('/recruitment/disqualify_reasons', { name })
  const field = (owner: string, name: string, more: object) =>
    company.add(`/recruitment/${owner}_fields`, { name, ...more })
  await field('candidate', 'Notice period', { type: 'single_select', options: ['None', '1 month', '3 months'] })
  await field('vacancy', 'Budget code', { type: 'text' })
  await field('vacancy', 'Seniority', { type: 'single_select', options: ['Junior', 'Professional', 'Senior'] })
  const pipeline = { name: 'Standard', stages: STAGES }
  return (await company.add<{ id: number; stages: DemoStage[] }>('/recruitment/pipelines', pipeline)).stages
}

function planVacancy(
  company: DemoCompany,
  staff: Staff,
  vacancy: DemoVacancy,
  found: DemoPerson[],
  stages: () => DemoStage[],
): Opening {
  const { title, unit, position, level, city, positions, opened, heldSince, priority, work, skills } = vacancy
  const place = placeIn(city)
  const lead = staff.headOf(unit)
  const openedOn = company.workday(place, company.ago(opened ?? 4), -1)
  const filledOn =
    found.length === positions
      ? found
          .map((one) => hiringDay(company, one))
          .sort()
          .at(-1)
      : undefined
  const heldOn = heldSince === undefined ? undefined : company.workday(place, company.ago(heldSince), -1)
  const opening: Opening = {
    ...vacancy,
    id: 0,
    place,
    get stages() {
      return stages()
    },
    openedOn,
    until: filledOn ?? heldOn ?? company.today,
    found,
  }
  const recruiter = staff.recruiterOn(openedOn)
  company.on(openedOn, 10, async () => {
    const { id } = await company.add(
      '/recruitment/vacancies',
      {
        title,
        description: `<p>${work}</p><p>You bring ${skills.slice(0, -1).join(', ')} and ${skills.at(-1)}.</p>`,
        state: opened === null ? 'drafting' : 'opened',
        priority,
        positions,
        post_on_careers: opened !== null && heldSince === undefined,
        salary_on_careers: priority === 'high',
        department_id: company.id('/departments', unit),
        division_id: company.id('/divisions', DIVISIONS[areaOf(unitOf(unit))]),
        location_id: company.id('/locations', city),
        legal_entity_id: company.id('/legal_entities', place.entity),
        employment_type_id: company.id('/employment_types', opened === null ? 'Working student' : 'Full-time'),
        position_id: company.id('/positions', position),
        job_level_id: company.id('/job_levels', level),
        recruitment_pipeline_id: company.id('/recruitment/pipelines', 'Standard'),
        hiring_lead_user_id: lead.id,
        collaborator_ids: [recruiter.id],
        currency_code: place.currency,
        min_salary: payOf(place, level, 0),
        max_salary: payOf(place, level, 1),
        tags: [priority === 'high' ? 'Urgent' : areaOf(unitOf(unit))],
        skills,
        budget_code: `${openedOn.slice(0, 4)}-${unit.slice(0, 3).toUpperCase()}`,
        seniority: level,
      },
      recruiter,
    )
    opening.id = id
  })
  if (heldOn)
    company.on(heldOn, 11, () => company.send('PUT', `/recruitment/vacancies/${opening.id}`, { state: 'held' }))
  return opening
}

/** Somebody is hired some weeks before they begin. */
const hiringDay = (company: DemoCompany, { place, hiredOn }: DemoPerson) =>
  company.workday(place, daysAfter(hiredOn, -40), -1)

type DemoCandidate = { first: string; last: string; gender: Gender; place: DemoLocation; person?: DemoPerson }

const CODES: Record<string, string> = { German: 'de', French: 'fr', English: 'en' }
const LEVELS = ['b1', 'b2', 'b2', 'c1', 'c2']

/** What people speak at home, and a language that they have learnt. */
const languagesOf = ({ language }: DemoLocation, n: number) => [
  { code: CODES[language], level: 'native' },
  { code: language === 'English' ? ['fr', 'es', 'de'][n % 3] : 'en', level: LEVELS[n % LEVELS.length] },
]

/** Those who apply, and how far they come. */
class DemoCandidates {
  readonly #company: DemoCompany
  readonly #staff: Staff
  #count = 0
  #first: { full_name: string; phone_numbers: string[] } | undefined

  constructor(company: DemoCompany, staff: Staff) {
    this.#company = company
    this.#staff = staff
  }

  planHire(opening: Opening, person: DemoPerson): void {
    const company = this.#company
    const hiredOn = hiringDay(company, person)
    const day = (before: number) => company.workday(person.place, daysAfter(hiredOn, -before), -1)
    const recruiter = this.#staff.recruiterOn(hiredOn)
    const application = this.#planEntry(opening, { ...person, person }, day(32), recruiter)
    for (const [n, before] of [24, 13, 5].entries()) application.move(day(before), n + 1)
    const [pay] = planPay(company, person) as [PayStep]
    company.on(hiredOn, 15, async () => {
      const { amount, currency_code, per } = payBody(company, person, pay)
      const hiring = { hired_on: person.hiredOn, salary: { amount, currency_code, per } }
      const { data } = await company.send('POST', `${application.path()}/hire`, hiring, recruiter)
      person.id = data.employee.id
      await company.send('PUT', `/employees/${person.id}`, personBody(company, person), recruiter)
    })
    if (person.hiredOn < company.today)
      company.on(person.hiredOn, 7, () => company.send('PUT', `/employees/${person.id}`, { access: true }))
  }

  planApplication(opening: Opening, seeker: DemoCandidate): void {
    const company = this.#company
    const { chance } = company
    const { openedOn, until } = opening
    const span = countDays(openedOn, until) - 3
    const appliedOn = company.workday(seeker.place, daysAfter(openedOn, chance.between(0, span)), -1)
    const recruiter = this.#staff.recruiterOn(appliedOn)
    const application = this.#planEntry(opening, seeker, appliedOn < openedOn ? openedOn : appliedOn, recruiter)
    const depth = chance.of([0, 0, 0, 1, 1, 1, 2, 2, 3])
    let [stage, last] = [0, application.day]
    for (let next = 1; next <= depth; next++) {
      const day = company.workday(opening.place, daysAfter(last, chance.between(3, 9)))
      if (day >= until) break
      application.move(day, next)
      ;[stage, last] = [next, day]
    }
    const name = STAGES[stage] as string
    if (this.#count % 14 === 0) application.call(last)
    if (chance.percent(35)) application.note(last, chance.of(NOTES[name] as string[]))
    const [reason, comment] = chance.of(REASONS[name] as (readonly [string, string])[])
    const decided = company.workday(opening.place, daysAfter(last, chance.between(5, 18)))
    if (decided < until && chance.percent(75)) application.end(decided, 9, reason, comment)
    else if (until < company.today && opening.heldSince === undefined)
      application.end(until, 9, 'Position filled', 'Somebody else has accepted; thanked, and asked to stay in touch.')
  }

  /** Somebody who was entered by hand a second time. */
  planDuplicate(): void {
    const day = this.#company.workday(HOME, this.#company.ago(12), -1)
    const by = this.#staff.headOf('People')
    const duplicate = () => this.#company.add('/recruitment/candidates', this.#first ?? {}, by)
    this.#company.on(day, 17, duplicate)
    // One of them was found out already.
    const earlier = this.#company.workday(HOME, this.#company.ago(20), -1)
    this.#company.on(earlier, 17, async () =>
      this.#company.send('POST', '/recruitment/candidates/1/merge', { duplicate_id: (await duplicate()).id }, by),
    )
  }

  /** Puts somebody on file with an application, and returns what can happen to it. */
  #planEntry(opening: Opening, { first, last, gender, place, person }: DemoCandidate, day: string, by: DemoPerson) {
    const company = this.#company
    const { chance } = company
    const n = this.#count++
    const contact = {
      full_name: `${first} ${last}`,
      phone_numbers: [person ? place.mobile(person.n) : place.phone(400 + n)],
    }
    const body = {
      ...contact,
      email: mailOf(first, last, person ? 'example.net' : 'example.org'),
      ...(person ? { date_of_birth: person.bornOn } : {}),
      location: place.city,
      position: chance.percent(70) ? opening.position : 'Consultant',
      level: opening.level,
      desired_salary: Math.round(payOf(opening.place, opening.level, chance.between(10, 110) / 100) / 1000) * 1000,
      currency_code: opening.place.currency,
      skills: chance.some(opening.skills, 2),
      gender,
      languages: languagesOf(place, n),
      ...(n % 5 === 0 ? { telegram_username: ascii(`${first}${last}`) } : {}),
      ...(n % 4 === 0 ? {} : { consent: { status: 'consented' } }),
      ...(n % 3 === 0 ? { future_recruitment_consent: { status: n % 2 ? 'consented' : 'pending' } } : {}),
      tags: n % 12 === 0 ? ['Talent'] : [],
      cover_letter: n % 3 === 0 ? LETTERS[n % LETTERS.length] : '',
      notice_period: chance.of(['None', '1 month', '3 months']),
    }
    const source = chance.of(SOURCES)
    const [candidate, application] = [{ id: 0 }, { id: 0 }]
    const path = () => `/recruitment/vacancies/${opening.id}/applications/${application.id}`
    company.on(day, 11, async () => {
      const source_id = company.id('/recruitment/sources', source)
      candidate.id = (await company.add('/recruitment/candidates', { ...body, source_id }, by)).id
      this.#first ??= contact
      const applied = { applicant_id: candidate.id }
      application.id = (await company.add(`/recruitment/vacancies/${opening.id}/applications`, applied, by)).id
      if (n % 8 === 0 || candidate.id === 1) await this.#addPast(candidate.id, contact.full_name, place, opening, by)
    })
    return {
      day,
      path,
      move: (on: string, stage: number) =>
        company.on(on, 14, () => company.send('PUT', path(), { applicant_state_id: opening.stages[stage]?.id }, by)),
      /** Somebody is to be called, and was a day later. */
      call: (on: string) => {
        let id = 0
        const done = company.workday(place, daysAfter(on, 1))
        company.on(on, 15, async () => {
          const task = {
            name: `Call ${contact.full_name}`,
            description: '<p>Ask for two people who know the work, and when they can be called.</p>',
            employee_id: by.id,
            starts_on: on,
            ends_on: company.workday(place, daysAfter(on, 5)),
            associated_to: { id: candidate.id, type: 'Candidate' },
          }
          id = (await company.add('/tasks', task, by)).id
        })
        if (done < company.today) company.on(done, 15, () => company.send('PUT', `/tasks/${id}/complete`, {}, by))
      },
      note: (on: string, comment: string) =>
        company.on(on, 16, async () => {
          await company.add(`/recruitment/candidates/${candidate.id}/notes`, { comment }, by)
          const last_contacted_at = `${on}T09:30:00Z`
          await company.send('PUT', `/recruitment/candidates/${candidate.id}`, { last_contacted_at }, by)
        }),
      end: (on: string, hour: number, reason: string, comment: string) =>
        company.on(on, hour, () =>
          company.send(
            'POST',
            `${path()}/disqualify`,
            { disqualify_reason_id: company.id('/recruitment/disqualify_reasons', reason), comment },
            by,
          ),
        ),
    }
  }

  async #addPast(id: number, name: string, place: DemoLocation, { position }: Opening, by: DemoPerson): Promise<void> {
    const company = this.#company
    const path = `/recruitment/candidates/${id}`
    await company.add(`${path}/notes`, { comment: NOTES.Applied?.[id % 2] }, by)
    const left = Number(company.today.slice(0, 4)) - 5 - (id % 4)
    await company.add(`${path}/educations`, {
      school: place.university[id % place.university.length],
      name: 'Bachelor',
      from_year: left - 3,
      to_year: left,
    })
    await company.add(`${path}/experiences`, {
      title: position,
      company: ['Northwind', 'Contoso', 'Fabrikam'][id % 3],
      location: place.city,
      starts_on: `${left}-09-01`,
    })
    const text = `${name}\n\n${left}–today ${position}\n${left - 3}–${left} ${place.university[id % place.university.length]}\n`
    if (id % 3 === 1)
      await company.add(`${path}/documents`, {
        attachment: `data:text/plain;name=cv-${ascii(name)}.txt;base64,${Buffer.from(text).toString('base64')}`,
      })
  }
}
