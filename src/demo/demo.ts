import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { daysAfter } from '../engine/day.ts'
import { PREFIX } from '../surfaces/http/routes.ts'

/** A believable company of 200 people, told to the service through its own interface. The same every time. */

const FIRST =
  'Ada Alan Amara Anna Ben Bruno Chen Clara David Elena Emil Eva Farid Fatima Felix Grace Hana Hugo Ines Ivan Jana Jonas Julia Kofi Lars Lea Leon Lina Luca Maja Marie Mateo Mia Milan Nadia Nils Noah Nora Olga Omar Paul Priya Rosa Sami Sara Sofia Tom Uma Viktor Yara Zoe'.split(
    ' ',
  )
const LAST =
  'Adler Bauer Becker Brandt Costa Dumont Eriksen Ferrari Fischer Garcia Hansen Hoffmann Ivanov Jansen Keller Klein Kowalski Lang Larsen Lehmann Lopez Maier Martin Moreau Nowak Olsen Park Peters Petit Rossi Roux Sato Schmidt Schulz Silva Simon Sommer Torres Urban Vogel Wagner Weber Weiss Werner Winter Wolf Yilmaz Ziegler'.split(
    ' ',
  )
const COUNTRIES = [
  { code: 'DE', city: 'Berlin', zone: 'Europe/Berlin', address: 'Torstraße 1, 10119 Berlin' },
  { code: 'FR', city: 'Paris', zone: 'Europe/Paris', address: '12 rue de Rivoli, 75004 Paris' },
  { code: 'GB', city: 'London', zone: 'Europe/London', address: '1 Old Street, London EC1V' },
  { code: 'US', city: 'New York', zone: 'America/New_York', address: '5 Broadway, New York, NY' },
]
const PEOPLE = 200
const CANDIDATES = 300

/** A small generator of numbers that begins anew from the same seed. */
function chance(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
  return {
    below: (n: number) => Math.floor(next() * n),
    of: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
  }
}

/** The demo is for an empty database only. */
export async function refusePeople(database: Database): Promise<void> {
  const people = await database.glance((sql) => sql.selectFrom('employees').select('id').limit(1).execute())
  if (people.length > 0) throw new Error('This database already holds people; the demo is only for an empty one')
}

export async function fillWithDemo(
  app: FastifyInstance,
  database: Database,
  key: string,
  today: string,
): Promise<void> {
  await refusePeople(database)
  const company = new Company(app, key, today)
  await company.organise()
  await company.hirePeople()
  await company.giveThemRecords()
  await company.recruit()
  await company.work()
  await company.takeLeave()
  await database.analyse()
}

class Company {
  readonly #app: FastifyInstance
  readonly #key: string
  readonly #today: string
  readonly #chance = chance(42)
  readonly #ids: Record<string, number[]> = {}
  readonly #present: number[] = []

  constructor(app: FastifyInstance, key: string, today: string) {
    this.#app = app
    this.#key = key
    this.#today = today
  }

  async #send(method: 'POST' | 'PUT' | 'PATCH', path: string, body: unknown): Promise<any> {
    const answer = await this.#app.inject({
      method,
      url: PREFIX + path,
      headers: { 'x-api-key': this.#key, 'content-type': 'application/json' },
      payload: JSON.stringify(body ?? {}),
    })
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.body}`)
    return answer.json()
  }

  /** Creates a record, remembers its id under the path, and returns it. */
  async #add(path: string, body: Record<string, unknown>): Promise<any> {
    const { data } = await this.#send('POST', path, body)
    this.#ids[path] = [...(this.#ids[path] ?? []), data.id]
    return data
  }

  #all = (path: string) => this.#ids[path] as number[]
  #any = (path: string) => this.#chance.of(this.#all(path))
  #ago = (days: number) => daysAfter(this.#today, -days)

  async organise(): Promise<void> {
    for (const { code, city, zone, address } of COUNTRIES) {
      const policy = await this.#add('/holiday_policies', { name: city, country_code: code })
      await this.#add('/locations', { name: city, address, time_zone: zone, holiday_policy_id: policy.id })
      await this.#add('/legal_entities', { name: `Example ${city}` })
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
    for (const [path, names] of Object.entries(lists)) for (const name of names) await this.#add(path, { name })
    const week = (hours: number, days: number) =>
      Object.fromEntries(
        ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].slice(0, days).map((day) => [`${day}_hours`, hours]),
      )
    await this.#add('/working_patterns', { name: 'Five days', ...week(8, 5) })
    await this.#add('/working_patterns', { name: 'Four days', ...week(8, 4) })
    await this.#add('/probation_policies', { name: 'Half a year', length: 182 })
    const [payroll, office] = this.#all('/employee_field_groups')
    await this.#add('/employee_fields', { name: 'Tax number', type: 'text', group_id: payroll })
    await this.#add('/employee_fields', {
      name: 'Shirt size',
      type: 'single_select',
      group_id: office,
      options: ['S', 'M', 'L', 'XL'],
    })
    await this.#add('/employee_fields', {
      name: 'Languages',
      type: 'multi_select',
      group_id: office,
      options: ['English', 'French', 'German', 'Spanish'],
    })
    await this.#add('/employee_fields', { name: 'Pay band', type: 'text', group_id: payroll, historical: true })
    // Five levels: the company, areas, departments, teams, squads.
    const levels = this.#all('/department_levels')
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
            await this.#add('/departments', {
              name,
              parent_id: above[n % Math.max(1, above.length)] ?? null,
              department_level_id: levels[depth],
            })
          ).id,
        )
      above = made
    }
  }

  async hirePeople(): Promise<void> {
    for (let n = 0; n < PEOPLE; n++) {
      const [first_name, last_name] = [
        FIRST[(n * 7) % FIRST.length] as string,
        LAST[(n * 11 + Math.floor(n / LAST.length)) % LAST.length] as string,
      ]
      const hired = n === 0 ? 1500 : 30 + this.#chance.below(1300)
      const place = n % COUNTRIES.length
      const { id } = await this.#add('/employees', {
        first_name,
        last_name,
        email: `${first_name}.${last_name}.${n + 1}@example.com`.toLowerCase(),
        personal_email: `${first_name}${n}@example.net`.toLowerCase(),
        mobile_number: `+49 30 ${100_000 + n * 37}`,
        date_of_birth: daysAfter('1962-01-01', this.#chance.below(14_000)),
        hired_on: this.#ago(hired),
        ...(hired < 180 ? { probation_policy_id: this.#all('/probation_policies')[0] } : {}),
        gender: this.#chance.of(['male', 'female', 'other', 'female', 'male']),
        access: true,
        position_id:
          n === 0
            ? this.#all('/positions').at(-1)
            : n < 12
              ? this.#all('/positions').at(-2)
              : this.#all('/positions')[this.#chance.below(8)],
        job_level_id: n < 12 ? this.#all('/job_levels').at(-1) : this.#all('/job_levels')[this.#chance.below(4)],
        location_id: this.#all('/locations')[place],
        legal_entity_id: this.#all('/legal_entities')[place],
        division_id: this.#any('/divisions'),
        job_profile_id: this.#all('/job_profiles')[n < 30 ? 1 : 0],
        department_id: n === 0 ? this.#all('/departments')[0] : this.#any('/departments'),
        employment_type_id: this.#all('/employment_types')[n % 17 === 0 ? 1 : 0],
        working_pattern_id: this.#all('/working_patterns')[n % 17 === 0 ? 1 : 0],
        reporting_to_id: n === 0 ? null : this.#all('/employees')[Math.floor((n - 1) / 6)],
        tax_number: String(10_000_000 + n * 7919),
        shirt_size: this.#chance.of(['S', 'M', 'L', 'XL']),
        languages: ['English', this.#chance.of(['French', 'German', 'Spanish'])],
      })
      const salary = 36_000 + this.#chance.below(50) * 1000
      for (let years = Math.floor(hired / 365); years >= 0; years--) {
        const effective_on = this.#ago(years * 365 + (years === Math.floor(hired / 365) ? hired % 365 : 0))
        await this.#add(`/employees/${id}/salaries`, {
          effective_on,
          amount: Math.round(salary * 1.04 ** -years),
          currency_code: ['EUR', 'EUR', 'GBP', 'USD'][place],
          per: 'year',
          comment: years ? '' : 'Yearly review',
          pay_schedule_id: this.#all('/pay_schedules')[0],
        })
      }
      await this.#send('POST', `/employees/${id}/field_histories`, {
        employee_field_internal_name: 'pay_band',
        effective_on: this.#ago(hired),
        value: `B${1 + (n % 5)}`,
      })
      if (hired > 700 && n > 30)
        await this.#send('POST', `/employees/${id}/positions`, {
          effective_from: this.#ago(200 + (n % 300)),
          job_level_id: this.#any('/job_levels'),
        })
      if (n > 100 && n % 13 === 0 && hired > 120)
        await this.#send('POST', `/employees/${id}/terminate`, {
          effective_from: this.#ago(n % 90),
          termination_type_id: this.#any('/termination_types'),
          termination_reason_id: this.#any('/termination_reasons'),
          eligible_for_rehire: n % 2 === 0,
        })
      else this.#present.push(id)
    }
    for (const [n, id] of this.#all('/departments').entries())
      await this.#send('PUT', `/departments/${id}`, { manager_id: this.#present[n] })
    const teams = ['Onboarding', 'Green office', 'Security champions', 'Book club', 'Data guild', 'Accessibility']
    for (const [n, name] of teams.entries())
      await this.#add('/teams', {
        name,
        description: `${name} across departments`,
        team_lead_id: this.#present[20 + n],
        user_ids: this.#present.slice(30 + n * 8, 38 + n * 8),
      })
  }

  async giveThemRecords(): Promise<void> {
    const letter = `data:text/plain;name=contract.txt;base64,${Buffer.from('The contract of an example.').toString('base64')}`
    for (const id of this.#present.slice(0, 60)) {
      await this.#add(`/employees/${id}/documents`, {
        name: 'Employment contract',
        document_folder_id: this.#all('/document_folders')[0],
        document: letter,
      })
      await this.#add(`/employees/${id}/additional_compensations`, {
        compensation_type_id: this.#any('/compensation_types'),
        type: 'reoccurring',
        frequency: 'monthly',
        starts_on: this.#ago(300),
        amount: '150',
        currency_code: 'EUR',
      })
      await this.#add(`/employees/${id}/educations`, {
        school: 'Example University',
        degree: this.#chance.of(['Mathematics', 'Design', 'Economics']),
        from_year: '2004',
        to_year: '2009',
      })
      await this.#add(`/employees/${id}/certifications`, {
        name: 'First aid',
        issuer: 'Red Cross',
        issued_on: this.#ago(400),
        expires: true,
        expires_on: daysAfter(this.#today, 300),
      })
      await this.#add(`/employees/${id}/dependents`, {
        first_name: this.#chance.of(FIRST),
        last_name: this.#chance.of(LAST),
        relationship: 'Child',
      })
      await this.#add(`/employees/${id}/emergency_contacts`, {
        name: `${this.#chance.of(FIRST)} ${this.#chance.of(LAST)}`,
        mobile_phone_number: '+49 30 555',
      })
      await this.#add(`/employees/${id}/notes`, { body: 'Talked about the next step.' })
    }
    await this.#add('/api_keys', { name: 'Payroll export', permissions: ['employees:read'], withheld: ['personal'] })
  }

  async recruit(): Promise<void> {
    const pipeline = await this.#add('/recruitment/pipelines', {
      name: 'Standard',
      stages: ['Applied', 'Screening', 'Interview', 'Offer', { name: 'Hired', type: 'hired' }],
    })
    await this.#add('/recruitment/candidate_fields', {
      name: 'Notice period',
      type: 'single_select',
      options: ['None', '1 month', '3 months'],
    })
    await this.#add('/recruitment/vacancy_fields', { name: 'Budget code', type: 'text' })
    await this.#add('/recruitment/vacancy_fields', {
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
      await this.#add('/recruitment/vacancies', {
        title,
        description: `<p>We look for a <b>${title.toLowerCase()}</b>.</p>`,
        department_id: this.#any('/departments'),
        location_id: this.#all('/locations')[n % 4],
        employment_type_id: this.#all('/employment_types')[0],
        recruitment_pipeline_id: pipeline.id,
        hiring_lead_user_id: this.#present[n],
        position_id: this.#any('/positions'),
        priority: ['low', 'medium', 'high'][n % 3],
        state: n === 11 ? 'drafting' : 'opened',
        post_on_careers: n % 2 === 0,
        positions: 1 + (n % 3),
        tags: [n % 3 ? 'Remote' : 'Urgent'],
        skills: ['Communication'],
        collaborator_ids: [this.#present[n + 12]],
        budget_code: `B-${100 + n}`,
      })
    const open = this.#all('/recruitment/vacancies').slice(0, 11)
    for (let n = 0; n < CANDIDATES; n++) {
      const name = `${FIRST[(n * 5 + 3) % FIRST.length]} ${LAST[(n * 3 + Math.floor(n / 48)) % LAST.length]}`
      const person = await this.#add('/recruitment/candidates', {
        full_name: name,
        email: `candidate.${n + 1}@example.org`,
        phone_numbers: [`+44 20 ${700_000 + n}`],
        skills: [
          this.#chance.of(['TypeScript', 'SQL', 'Figma', 'Sales', 'Writing']),
          this.#chance.of(['Python', 'Excel', 'Go']),
        ],
        source_id: this.#any('/recruitment/sources'),
        location: this.#chance.of(COUNTRIES).city,
        desired_salary: 40_000 + this.#chance.below(40) * 1000,
        currency_code: 'EUR',
        tags: n % 10 ? [] : ['Talent'],
        notice_period: '1 month',
      })
      const vacancy = this.#chance.of(open)
      const path = `/recruitment/vacancies/${vacancy}/applications`
      const application = await this.#add(path, { applicant_id: person.id })
      const steps = this.#chance.below(4)
      for (let step = 1; step <= steps; step++)
        await this.#send('PUT', `${path}/${application.id}`, { applicant_state_id: pipeline.stages[step].id })
      if (n % 6 === 5)
        await this.#send('POST', `${path}/${application.id}/disqualify`, {
          disqualify_reason_id: this.#any('/recruitment/disqualify_reasons'),
        })
      if (n % 8 === 0) {
        await this.#add(`/recruitment/candidates/${person.id}/notes`, { comment: 'Good first talk.' })
        await this.#add(`/recruitment/candidates/${person.id}/educations`, {
          school: 'Example College',
          name: 'Informatics',
          from_year: 2010,
          to_year: 2014,
        })
        await this.#add(`/recruitment/candidates/${person.id}/experiences`, {
          title: 'Specialist',
          company: 'Elsewhere Ltd',
          starts_on: '2019-01-01',
        })
        await this.#add(`/recruitment/candidates/${person.id}/documents`, {
          attachment: `data:text/plain;name=references.txt;base64,${Buffer.from('References').toString('base64')}`,
        })
      }
    }
    // Two who may be the same person.
    await this.#add('/recruitment/candidates', { full_name: 'Ada Adler', phone_numbers: ['+44 20 700000'] })
  }

  async work(): Promise<void> {
    const jobs = [
      'Prepare the laptop',
      'Plan the first week',
      'Collect the badge',
      'Close the accounts',
      'Book the training',
    ]
    for (let n = 0; n < 80; n++) {
      const task = await this.#add('/tasks', {
        name: jobs[n % 5],
        description: `<p>${jobs[n % 5]}</p>`,
        employee_id: this.#chance.of(this.#present),
        starts_on: this.#ago(n),
        type: ['general', 'onboarding', 'offboarding'][n % 3],
      })
      if (n % 2) await this.#send('PUT', `/tasks/${task.id}/complete`, {})
    }
    for (let n = 0; n < 20; n++) {
      const kpi = await this.#add('/performance/key_performance_indicators', {
        title: this.#chance.of(['New customers', 'Response time', 'Features shipped', 'Revenue']),
        kpi_type: 'individual',
        metric: 'number',
        user_id: this.#present[n],
        start_value: 0,
        target_value: 100,
        starts_on: this.#ago(120),
        ends_on: daysAfter(this.#today, 60),
        weight: 25,
      })
      for (let month = 3; month >= 0; month--)
        await this.#add(`/performance/key_performance_indicators/${kpi.id}/key_performance_indicator_results`, {
          value: (4 - month) * (8 + this.#chance.below(16)),
          occurred_on: this.#ago(month * 30),
        })
    }
    for (let n = 0; n < 8; n++)
      await this.#add('/performance/objectives', {
        title: `Objective ${n + 1}`,
        starts_on: this.#ago(60),
        ends_on: daysAfter(this.#today, 30),
        owner_id: this.#present[n],
        key_results: [
          { title: 'First step', target: 10, current: this.#chance.below(11), weight: 2 },
          { title: 'Second step', target: 100, current: this.#chance.below(101) },
        ],
      })
    for (const name of ['Website', 'Mobile app', 'Internal tools']) {
      const project = await this.#add('/time/projects', { name, emoji: '📁' })
      await this.#send('POST', `/time/projects/${project.id}/project_users`, {
        employee_ids: this.#present.slice(0, 40),
      })
    }
    // Two months of working days, four hours in the morning and four after noon, by local time as UTC allows.
    const days = Array.from({ length: 60 }, (_, n) => this.#ago(60 - n)).filter(
      (day) => new Date(`${day}T00:00:00Z`).getUTCDay() % 6 !== 0,
    )
    for (let from = 0; from < this.#present.length; from += 50) {
      const some = this.#present.slice(from, from + 50)
      for (const shift of [
        { from: 13, to: 17 },
        { from: 17, to: 20 },
      ])
        await this.#send('POST', '/time/timesheet_entries/bulk', {
          data: some.map((employee_id) => ({
            employee_id,
            entries: days.map((day) => ({
              starts_at: `${day}T${shift.from}:00:00Z`,
              ends_at: `${day}T${shift.to}:00:00Z`,
              project_id: this.#all('/time/projects')[employee_id % 3],
            })),
          })),
        })
    }
  }

  async takeLeave(): Promise<void> {
    const vacation = await this.#add('/leave_types', { name: 'Vacation', hex_color: '#2e7d32' })
    const sick = await this.#add('/leave_types', { name: 'Sick leave', hex_color: '#c62828' })
    const policy = await this.#add('/leave_policies', {
      name: '30 days a year',
      leave_type_id: vacation.id,
      type: 'accrual',
      yearly_amount: 30,
      credit: 'yearly',
      carry_over_limit: 10,
    })
    const illness = await this.#add('/leave_policies', {
      name: 'As it happens',
      leave_type_id: sick.id,
      type: 'external',
      visibility: false,
    })
    for (const [n, id] of this.#present.entries()) {
      const effective_on = `${Number(this.#today.slice(0, 4)) - 1}-01-01`
      await this.#add(`/employees/${id}/leave_types`, {
        leave_type_id: vacation.id,
        leave_type_policy_id: policy.id,
        effective_on,
      })
      if (n % 3 === 0)
        await this.#add(`/employees/${id}/leave_types`, {
          leave_type_id: sick.id,
          leave_type_policy_id: illness.id,
          effective_on,
        })
      if (n % 2 === 0) await this.#take(id, vacation.id, -200 + (n % 150), 10, true)
      if (n % 9 === 0) await this.#take(id, vacation.id, 5 + (n % 60), 6, false)
      if (n % 3 === 0 && n % 4 === 0) await this.#take(id, sick.id, -20 + (n % 10), 2, true)
    }
    await this.#add('/leave_adjustments', {
      employee_id: this.#present[0],
      leave_type_id: vacation.id,
      occurred_on: this.#today,
      amount: 1,
      description: 'For the move',
    })
  }

  async #take(
    employee_id: number,
    leave_type_id: number,
    from: number,
    days: number,
    skip_approval: boolean,
  ): Promise<void> {
    const starts_on = daysAfter(this.#today, from)
    const body = { employee_id, leave_type_id, starts_on, ends_on: daysAfter(starts_on, days), skip_approval }
    // Some were not hired yet on those days; the service says so, and they just do not go.
    await this.#app.inject({
      method: 'POST',
      url: `${PREFIX}/leave_requests`,
      headers: { 'x-api-key': this.#key, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })
  }
}
