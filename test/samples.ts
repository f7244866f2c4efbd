import type { TObject } from 'typebox'
import { commandLine } from '../src/domain/access/accounts.ts'
import { findKey } from '../src/domain/access/keys.ts'
import type { Operation } from '../src/engine/operation.ts'
import { insertAll } from '../src/engine/records.ts'
import { operations, resources } from '../src/operations.ts'
import { writeAs } from '../src/records/ledger.ts'
import { openService } from '../src/service.ts'
import type { Answer, Sending, Service } from './harness.ts'

/** The smallest picture there is. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const PICTURE = `data:image/png;name=dot.png;base64,${PNG}`

/** A consent in two ways, that fit together. */
const CONSENT_TOLD = {
  gender: 'female',
  consent: { status: 'consented' },
  consented_at: '2024-01-31T09:00:00Z',
  rejected_at: undefined,
  expired_at: undefined,
}

/** The same whenever it is asked for. */
const LOADED = Date.now()
const minutesAgo = (minutes: number) => new Date(LOADED - minutes * 60_000).toISOString()

/** Leave policies under which any of the requests here is possible. */
const WITHOUT_CONDITIONS = Object.fromEntries(
  [
    ...['waiting_period', 'notice_days', 'day_amounts', 'allowed_in_probation', 'attachment_from_day'],
    ...['minimum_amount', 'maximum_amount', 'monthly_maximum', 'yearly_maximum'],
  ].map((name) => [name, undefined]),
)

/** What an operation needs beyond what its schema says. */
const SPECIAL: Record<string, (samples: Samples) => Promise<Record<string, unknown>>> = {
  bulkUpdateEmployees: async () => ({ unchanged_since: undefined }),
  createUser: async () => ({ employee_id: undefined }),
  updateUser: async () => ({ employee_id: undefined }),
  inviteUser: async () => ({ employee_id: undefined }),
  createIdentityProvider: async () => ({ compulsory: false, issuer: 'https://login.example.com' }),
  updateIdentityProvider: async () => ({ compulsory: false, issuer: 'https://login.example.com' }),
  createEmployeeField: async () => ({ type: 'single_select' }),
  updateEmployeeField: async () => ({ type: 'single_select' }),
  createCandidateField: async () => ({ type: 'single_select' }),
  updateCandidateField: async () => ({ type: 'single_select' }),
  createVacancyField: async () => ({ type: 'single_select' }),
  updateVacancyField: async () => ({ type: 'single_select' }),
  createEmployeeTable: async (samples) => ({ internal_name: `equipment_${samples.next()}` }),
  createEmployeeTableColumn: async () => ({ type: 'single_select' }),
  updateEmployeeTableColumn: async () => ({ type: 'single_select' }),
  applyForPosting: async () => ({ resume: undefined, contact_me_by_fax_only: undefined }),
  applyThroughCareers: async () => ({ resume: undefined, contact_me_by_fax_only: undefined }),
  updateRecruitmentSettings: async () => ({ careers_logo: `data:image/png;base64,${PNG}` }),
  createCandidate: async () => ({ ...CONSENT_TOLD, vacancy_id: undefined, source: undefined }),
  updateCandidate: async () => ({ ...CONSENT_TOLD, source: undefined }),
  createVacancy: async () => ({ state: 'opened' }),
  updateVacancy: async () => ({ state: 'opened' }),
  hireApplicant: async () => ({ salary: undefined, employee_id: undefined }),
  createTask: async (samples) => samples.aboutEmployee(),
  updateTask: async (samples) => samples.aboutEmployee(),
  createEmployeeDocument: async () => ({ document: undefined }),
  createTimesheetEntry: async (samples) => ({ employee_id: (await samples.make('employees')).id }),
  updateTimesheetEntry: async (samples) => ({ employee_id: (await samples.make('employees')).id }),
  createEmployeeLeaveType: async (samples) => samples.leavePolicy(),
  createLeaveRequest: async (samples) => ({
    ...(await samples.assignedLeave()),
    skip_approval: false,
    on_demand: false,
    override_reason: undefined,
  }),
  updateLeaveRequest: async () => ({
    ...{ employee_id: undefined, leave_type_id: undefined, override_reason: undefined },
    on_demand: false,
  }),
  submitTimesheetEntries: async (samples) => ({ timesheet_entry_ids: [(await samples.make('timesheet_entries')).id] }),
  approveTimesheetEntries: async (samples) => ({
    timesheet_entry_ids: [(await samples.make('timesheet_entries', { status: 'pending' })).id],
  }),
  rejectTimesheetEntries: async (samples) => ({
    timesheet_entry_ids: [(await samples.make('timesheet_entries', { status: 'pending' })).id],
  }),
  clockIn: async (samples) => ({
    employee_id: (await samples.make('employees')).id,
    starts_at: undefined,
    switch: undefined,
  }),
  clockOut: async (samples) => {
    const employee_id = (await samples.make('employees')).id
    await samples.make('clocks', { employee_id, starts_at: minutesAgo(60) })
    return { employee_id, ends_at: minutesAgo(10) }
  },
  updateClock: async () => ({ employee_id: undefined, starts_at: minutesAgo(30) }),
  createOvertimeRequest: async (samples) => ({ employee_id: (await samples.make('employees')).id }),
  updateOvertimeRequest: async (samples) => ({ employee_id: (await samples.make('employees')).id }),
  updateLeaveBalance: async (samples) => ({
    leave_type_id: (samples.lastAssigned ?? (await samples.assignedLeave())).leave_type_id,
    employee_leave_type_id: undefined,
  }),
  createEmployeeFieldHistory: async (samples) => {
    const name = `Remark ${samples.next()}`
    await samples.make('employee_fields', { name, type: 'text', historical: true, options: [] })
    return { employee_field_internal_name: name.toLowerCase().replace(' ', '_') }
  },
  createApplication: async (samples) => ({
    applicant_id: (await samples.make('candidates')).id,
    candidate_id: undefined,
    applicant_state_id: undefined,
    pipeline_stage_id: undefined,
    disqualify_reason_id: undefined,
    disqualified_at: undefined,
  }),
  updateApplication: async () => ({ from_pipeline_stage_id: undefined }),
  moveApplication: async () => ({ from_pipeline_stage_id: undefined }),
  moveApplications: async (samples) => ({
    application_ids: [samples.lastApplication],
    from_pipeline_stage_ids: undefined,
  }),
  disqualifyApplications: async (samples) => ({ application_ids: [samples.lastApplication] }),
  mergeCandidates: async (samples) => ({
    duplicate_id: (await samples.make('candidates')).id,
    keep_application_ids: undefined,
  }),
  createAsset: async () => ({ retired_on: undefined }),
  updateAsset: async () => ({ retired_on: undefined }),
  createAssetAssignment: async (samples) => ({ asset_id: (await samples.make('assets')).id }),
  updateAssetAssignment: async (samples) => ({ asset_id: (await samples.make('assets')).id }),
  createReviewQuestion: async () => ({ type: 'scale', options: undefined }),
  updateReviewQuestion: async () => ({ type: 'scale', options: undefined }),
  createReview: async (samples) => ({ employee_id: (await samples.make('employees')).id }),
  createReviewParticipant: async (samples) => ({
    employee_id: (await samples.make('employees')).id,
    type: 'peer',
    state: 'approved',
  }),
  createReviewAnswer: async (samples) => samples.reviewAnswer(),
  updateReviewAnswer: async () => ({ comment: undefined, rating: undefined, option: undefined }),
  updateReviewAnswers: async (samples) => {
    const { review_participant_id, review_question_id } = await samples.reviewAnswer()
    return { review_participant_id, answers: [{ review_question_id, text: 'So it is' }] }
  },
  handOver: async (samples) => {
    const to_employee_id = (await samples.shared('employees')).id
    return { on: undefined, assignments: [{ kind: 'tasks', all: true, to_employee_id }] }
  },
  rehireEmployee: async () => ({ salary: undefined }),
  createLeavePolicy: async () => WITHOUT_CONDITIONS,
  updateLeavePolicy: async () => WITHOUT_CONDITIONS,
  createLeavePolicyTerm: async () => WITHOUT_CONDITIONS,
  updateLeavePolicyTerm: async () => WITHOUT_CONDITIONS,
  addTeamMember: async (samples) => ({ user_id: (await samples.make('employees')).id }),
  assignProjectUsers: async (samples) => ({ employee_ids: [(await samples.make('employees')).id] }),
}

/**
 * What people do themselves: it needs somebody who is signed in, or several steps to become so. The tests in
 * `access/sign-in*.test.ts` do it, and `browser.ts` holds every answer to its declared shape.
 */
export const isForPeople = ({ permission, guarded }: Operation) => Boolean(permission?.startsWith('me:') || guarded)

/** Records that come about when people sign in, as they would be stored. */
const PLANTED: Record<string, (user_id: number, number: number) => Record<string, unknown>> = {
  user_credentials: (user_id) => ({ user_id, password_hash: 'x', totp_secret: '', totp_pending: '' }),
  recovery_codes: (user_id, number) => ({ user_id, code_hash: `code ${number}` }),
  passkeys: (user_id, number) => ({
    user_id,
    name: 'Phone',
    credential_id: `${number}`,
    public_key: 'x',
    transports: [],
  }),
  sessions: (user_id, number) => ({
    user_id,
    hash: `session ${number} ${crypto.randomUUID()}`,
    way: 'password',
    confirmed_at: new Date().toISOString(),
    expires_at: '2100-01-01T00:00:00.000Z',
  }),
  sign_in_links: (user_id, number) => ({
    user_id,
    hash: `link ${number} ${crypto.randomUUID()}`,
    purpose: 'reset',
    expires_at: '2100-01-01T00:00:00.000Z',
  }),
  failed_sign_ins: (user_id) => ({ user_id, attempts: 5 }),
}

type ParentIds = Record<string, number>

/** A value of a custom field of a vacancy or a candidate. */
const customValueOf = (one: string, owner: string) => async (samples: Samples) => {
  const name = `Remark ${samples.next()}`
  await samples.make(`${one}_fields`, { name, type: 'text', options: [] })
  await samples.make(owner, { fields: { [name.toLowerCase().replace(' ', '_')]: 'Blue' } })
  return {}
}

/** Does something to a new record. */
const doing = (id: string) => async (samples: Samples) => {
  const operation = operationOf(id)
  const params = await samples.params(operation)
  await samples.call(operation, params, await samples.body(operation))
  return params
}

/** Makes a record that has others as its parts. */
const making = (table: string, as?: string) => async (samples: Samples) => {
  const { id } = await samples.make(table)
  return as ? { [as]: id } : ({} as ParentIds)
}

/** Records that nothing creates by themselves: how they come about, and what stands above them. */
const COMES_WITH: Record<string, (samples: Samples) => Promise<ParentIds>> = {
  employee_table_values: async (samples) => {
    const column = await samples.make('employee_table_columns', { type: 'text', options: undefined })
    const table = { employee_table_id: column.params.employee_table_id as number }
    const employee_id = (await samples.shared('employees')).id
    const cells = await samples.call(operationOf('getEmployeeTableColumn'), column.params)
    const row = { columns: { [cells.body.data.internal_name]: 'Blue' } }
    await samples.call(operationOf('createEmployeeTableRow'), { employee_id, ...table }, row)
    return {}
  },
  vacancy_collaborators: making('vacancies'),
  vacancy_skills: making('vacancies'),
  vacancy_tags: making('vacancies'),
  vacancy_field_values: customValueOf('vacancy', 'vacancies'),
  candidate_phones: making('candidates'),
  candidate_skills: making('candidates'),
  candidate_languages: making('candidates'),
  candidate_tags: making('candidates'),
  candidate_field_values: customValueOf('candidate', 'candidates'),
  hires: doing('hireApplicant'),
  movements: doing('hireApplicant'),
  candidate_merges: doing('mergeCandidates'),
  companies: doing('updateCompany'),
  retention_rules: doing('updateRetention'),
  recruitment_settings: doing('updateRecruitmentSettings'),
  key_results: making('objectives', 'objective_id'),
  competency_levels: making('competencies', 'competency_id'),
  leave_entries: making('leave_requests'),
  calendar_feeds: doing('resetCalendarFeed'),
  role_grants: making('roles', 'role_id'),
  user_roles: making('users'),
  api_key_roles: making('api_keys'),
}

/** What must have happened before an operation can be called. */
const BEFORE: Record<string, string> = {
  activateEmployee: 'terminateEmployee',
  rehireEmployee: 'terminateEmployee',
  requalifyApplication: 'disqualifyApplication',
  undoHire: 'hireApplicant',
  reviseReview: 'submitReview',
}

/** What that operation is sent besides. */
const EARLIER: Record<string, Record<string, unknown>> = {
  activateEmployee: { effective_from: '2025-06-01', announced_on: undefined },
  rehireEmployee: { effective_from: '2025-06-01', announced_on: undefined },
}

/** What must have become of a review cycle before it can be moved. */
const CYCLE_MOVES: Record<string, string[]> = {
  openReviewCycle: [],
  closeReviewCycle: ['openReviewCycle'],
  reopenReviewCycle: ['openReviewCycle', 'closeReviewCycle'],
  finishReviewCycle: ['openReviewCycle', 'closeReviewCycle'],
}

const operationOf = (id: string) => operations.find((one) => one.id === id) as Operation

/** Records of which a parent has one at most, as the samples make them: theirs is always new. */
const ALONE = [
  'former_employments',
  'employee_positions',
  'employment_statuses',
  'salaries',
  'employee_skills',
  'employee_leave_types',
  'leave_policy_terms',
  'time_rules',
  'applications',
  'asset_losses',
]

export type RecordPath = { id: number; params: Record<string, number> }

/** What requests are sent to: a service in this process, or in another one. */
export type Target = Pick<Service, 'key' | 'database' | 'send' | 'get'>

/**
 * Makes valid requests for any operation out of its own schemas, creating the records it needs on the way. Records
 * that are only referred to are made once and shared; what an operation is about is always new.
 */
export class Samples {
  readonly #service: Target
  readonly #key: string
  readonly #making: string[] = []
  readonly #shared = new Map<string, Promise<RecordPath>>()
  readonly #unchanged = new Map<string, Promise<Record<string, number>>>()
  #count = 0
  #lastReview: { review_participant_id: number; review_question_id: number } | undefined
  lastApplication = 0
  lastAssigned: { employee_id: number; leave_type_id: number } | undefined

  constructor(service: Target, key = service.key) {
    this.#service = service
    this.#key = key
  }

  /** A number that was not used before, for what must be unique. */
  next(): number {
    return ++this.#count
  }

  /** The one record of a table that others refer to. */
  shared(table: string): Promise<RecordPath> {
    const known = this.#shared.get(table) ?? this.make(table)
    this.#shared.set(table, known)
    return known
  }

  /** A new record of a table: its id, and the parameters of its path. */
  async make(table: string, values: Record<string, unknown> = {}): Promise<RecordPath> {
    const resource = resources.find((one) => one.table === table)
    if (PLANTED[table] || table === 'user_identities') return this.#plant(table)
    const operation = operations.find((one) => one.method === 'POST' && one.path === resource?.path)
    if (!operation) throw new Error(`Nothing creates ${table}`)
    const params = await this.parents(operation)
    const answer = await this.call(operation, params, { ...(await this.body(operation)), ...values })
    if (table === 'project_users') {
      const id = answer.body.records.data[0].project_user_id
      return { id, params: { ...params, id } }
    }
    if (answer.status !== operation.status) throw new Error(`${operation.id}: ${answer.text}`)
    return { id: answer.body.data.id, params: { ...params, id: answer.body.data.id } }
  }

  async #plant(table: string): Promise<RecordPath> {
    const { database } = this.#service
    const user_id = (await this.make('users')).id
    const values = PLANTED[table]?.(user_id, this.next()) ?? {
      user_id,
      identity_provider_id: (await this.shared('identity_providers')).id,
      subject: String(this.next()),
    }
    const of = resources.find((one) => one.table === table) as (typeof resources)[number]
    const { ledger } = openService({ database, filesAt: '' })
    const account = (await findKey(database, this.#key, new Date()))?.account as Service['account']
    const [id] = await writeAs(ledger, commandLine(account), 'plant', (db) => insertAll(db, of, [values]))
    return { id: id as number, params: { user_id, id: id as number } }
  }

  /** The one record of any kind that has a past to look at: made, or come about with another. */
  past(table: string): Promise<RecordPath> {
    const comeAbout = COMES_WITH[table]
    if (!comeAbout) return this.shared(table)
    const known = this.#shared.get(table) ?? comeAbout(this).then((above) => this.#last(table, above))
    this.#shared.set(table, known)
    return known
  }

  /** The last record of a kind that something happened to. */
  async #last(table: string, above: ParentIds): Promise<RecordPath> {
    const audits = await this.#service.get(`/audits?record_type=${table}&per_page=1`, { key: this.#key })
    const id = audits.body.data[0]?.record_id
    if (id === undefined) throw new Error(`No ${table} came about`)
    return { id, params: { ...above, id } }
  }

  /** What a task says of whom it is about. */
  async aboutEmployee(): Promise<Record<string, unknown>> {
    const { id } = await this.shared('employees')
    return { associated_to: undefined, associated_to_id: id, associated_to_type: 'Employee' }
  }

  /** A leave type and a policy of it. */
  async leavePolicy(): Promise<Record<string, number>> {
    const { id } = await this.make('leave_types')
    return { leave_type_id: id, leave_type_policy_id: (await this.make('leave_policies', { leave_type_id: id })).id }
  }

  /** A new employee who has a leave type. */
  async assignedLeave(): Promise<{ employee_id: number; leave_type_id: number }> {
    const policy = await this.leavePolicy()
    const place = await this.make('employee_leave_types', policy)
    this.lastAssigned = {
      employee_id: place.params.employee_id as number,
      leave_type_id: policy.leave_type_id as number,
    }
    return this.lastAssigned
  }

  /** A review cycle with a question that need not be answered, as far as these moves lead. */
  async reviewCycle(moves: readonly string[]): Promise<{ review_cycle_id: number; review_question_id: number }> {
    const { id } = await this.make('review_cycles')
    const question = { type: 'text', title: 'What is next?', required: false }
    const made = await this.call(operationOf('createReviewQuestion'), { review_cycle_id: id }, question)
    for (const move of moves) await this.call(operationOf(move), { id })
    return { review_cycle_id: id, review_question_id: made.body.data.id }
  }

  /** A review that can be answered. */
  async openReview(): Promise<Record<string, number>> {
    const { review_cycle_id, review_question_id } = await this.reviewCycle(['openReviewCycle'])
    const employee_id = (await this.make('employees')).id
    const made = await this.call(operationOf('createReview'), { review_cycle_id }, { employee_id })
    const params = { review_cycle_id, review_id: made.body.data.id }
    const listed = await this.call(operationOf('listReviewParticipants'), params)
    this.#lastReview = { review_participant_id: listed.body.data[0].id, review_question_id }
    return params
  }

  async openParticipant(): Promise<RecordPath> {
    const params = await this.openReview()
    const id = this.#lastReview?.review_participant_id as number
    return { id, params: { ...params, id } }
  }

  /** An answer to the one question of the review that was opened last. */
  async reviewAnswer(): Promise<Record<string, unknown>> {
    if (!this.#lastReview) await this.openReview()
    return { ...this.#lastReview, text: 'So it is', comment: undefined, rating: undefined, option: undefined }
  }

  /** The parameters of a place where new records are made: those above it are shared. */
  async parents(operation: Operation): Promise<Record<string, number>> {
    if (operation.id === 'createReviewAnswer') return this.openReview()
    const wanted = Object.entries(operation.params.properties as Record<string, any>)
    const last = wanted.at(-1)
    if (!last) return {}
    const isAlone = ALONE.some((table) => resources.find((one) => one.table === table)?.path === operation.path)
    const place = await (isAlone ? this.make(last[1]['x-reference']) : this.shared(last[1]['x-reference']))
    return { ...(await this.besides(wanted, place)), ...place.params, [last[0]]: place.id }
  }

  /** What a path goes through besides the owners of the record that it ends in. */
  async besides(wanted: [string, any][], { params }: RecordPath): Promise<Record<string, number>> {
    const others: Record<string, number> = {}
    for (const [name, schema] of wanted.slice(0, -1))
      if (params[name] === undefined) others[name] = (await this.shared(schema['x-reference'])).id
    return others
  }

  /** Parameters that lead to records that exist; the last of them to a new one. */
  async params(operation: Operation): Promise<Record<string, number>> {
    const wanted = Object.entries(operation.params.properties as Record<string, any>)
    if (['getChange', 'undoChange', 'undoRequest'].includes(operation.id)) {
      const made = await this.call(operationOf('createDivision'), {}, await this.body(operationOf('createDivision')))
      const [number, request_id] = [made.headers.get('cadre-ledger'), made.headers.get('x-request-id')]
      return (operation.id === 'undoRequest' ? { request_id } : { number: Number(number) }) as Record<string, number>
    }
    if (['moveApplications', 'disqualifyApplications'].includes(operation.id)) {
      const { id, params } = await this.make('applications')
      this.lastApplication = id
      return { vacancy_id: params.vacancy_id as number }
    }
    if (operation.id === 'updateLeaveBalance') return { employee_id: (await this.assignedLeave()).employee_id }
    const last = wanted.at(-1)
    if (!last) return {}
    if (operation.path.endsWith('/history')) {
      const place = await this.past(last[1]['x-reference'])
      return { ...(await this.besides(wanted, place)), ...place.params }
    }
    const moves = CYCLE_MOVES[operation.id]
    if (moves) return { id: (await this.reviewCycle(moves)).review_cycle_id }
    const isAboutReviews = operation.area === 'review_answers'
    if (isAboutReviews && last[0] === 'review_id') return this.openReview()
    const place =
      isAboutReviews && last[1]['x-reference'] === 'review_participants'
        ? await this.openParticipant()
        : await this.make(last[1]['x-reference'])
    if (operation.id === 'handOver') await this.make('tasks', { employee_id: place.id })
    const params: Record<string, number> = { [last[0]]: place.id }
    Object.assign(params, await this.besides(wanted, place))
    for (const [name] of wanted.slice(0, -1)) params[name] ??= place.params[name] as number
    const earlier = operations.find((one) => one.id === BEFORE[operation.id])
    if (earlier) await this.call(earlier, params, { ...(await this.body(earlier)), ...EARLIER[operation.id] })
    return params
  }

  /**
   * Parameters that lead to records that exist, for a request that changes nothing: operations on the same kind of
   * record get the same one, which saves making it for each.
   */
  unchanged(operation: Operation): Promise<Record<string, number>> {
    const { area, path } = operation
    const place = `${area} ${path.endsWith('/history') ? path : path.slice(0, path.lastIndexOf('}') + 1)}`
    const known = this.#unchanged.get(place) ?? this.params(operation)
    this.#unchanged.set(place, known)
    return known
  }

  /** A body with every field that can be sent, but for optional references to kinds that are just being made. */
  async body(operation: Operation): Promise<Record<string, unknown>> {
    const body: Record<string, unknown> = {}
    this.#making.push(operation.path)
    for (const [name, schema] of Object.entries((operation.body?.properties ?? {}) as Record<string, any>)) {
      const target = resources.find((one) => one.table === (schema['x-reference'] ?? schema.items?.['x-reference']))
      const isRound = target && this.#making.some((path) => path.startsWith(target.path))
      if (!isRound || operation.body?.required?.includes(name)) body[name] = await this.value(schema)
    }
    this.#making.pop()
    const all = { ...body, ...(await SPECIAL[operation.id]?.(this)) }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  }

  async value(schema: any): Promise<unknown> {
    const types = [schema.type].flat()
    if (schema['x-file']) return PICTURE
    if (types.includes('object')) return {}
    if (schema['x-reference']) return (await this.shared(schema['x-reference'])).id
    if (types.includes('array')) return schema.examples?.[0] ?? [await this.value(schema.items)]
    if (schema.enum && !schema.examples) return schema.enum[0]
    if (schema.format === 'email') return `person${this.next()}@example.com`
    if (schema.format === 'line') return `${schema.examples?.[0] ?? 'Text'} ${this.next()}`.slice(0, schema.maxLength)
    if (schema.examples) return schema.examples[0]
    if (types.includes('integer')) return Math.max(1, schema.minimum ?? 1)
    if (types.includes('boolean')) return true
    return `text ${this.next()}`
  }

  call(operation: Operation, params: Record<string, unknown>, json?: unknown, sending: Sending = {}): Promise<Answer> {
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
    const body = operation.body && json !== undefined ? { json } : {}
    return this.#service.send(operation.method, path, { key: this.#key, ...body, ...sending })
  }
}

/** The schema with nothing allowed that it does not name. */
export function strictly(schema: any): TObject {
  const walk = (one: any): any => {
    if (Array.isArray(one)) return one.map(walk)
    if (one === null || typeof one !== 'object') return one
    const copy: any = Object.fromEntries(Object.entries(one).map(([name, value]) => [name, walk(value)]))
    if (
      copy.properties &&
      copy.additionalProperties === undefined &&
      [copy.type].flat().includes('object') &&
      !copy['x-open']
    )
      copy.additionalProperties = false
    return copy
  }
  return walk(schema)
}
