import type { TObject } from 'typebox'
import type { Operation } from '../engine/operation.ts'

/** The smallest picture there is: a file that every operation takes. */
const PICTURE =
  'data:image/png;name=dot.png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Values that are right by their format alone. */
const OF_FORMAT: Record<string, string> = {
  date: '2024-01-31',
  'date-time': '2024-01-31T09:00:00Z',
  moment: '2024-01-31T09:00:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com',
  decimal: '8.0',
  year: '2020',
}

/** A value that a schema allows: its own example, or one that is right by its type. */
function exampleOf(schema: any): unknown {
  const [type] = [schema.type].flat()
  if (schema.examples) return schema.examples[0]
  if (schema['x-file']) return PICTURE
  if (schema.enum) return schema.enum[0]
  if (type === 'object') return objectExample(schema)
  if (type === 'array') return [exampleOf(schema.items)]
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (type === 'boolean') return true
  return OF_FORMAT[schema.format] ?? 'Example'
}

/**
 * The fields that are required, and those that have an example of their own; other records only where they must be
 * named, since nobody knows which there are.
 */
function objectExample(schema: any): Record<string, unknown> {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, any>)
  const wanted = fields.filter(
    ([name, one]) => schema.required?.includes(name) || (one.examples && !one['x-reference']),
  )
  return Object.fromEntries(wanted.map(([name, one]) => [name, exampleOf(one)]))
}

/** What makes an example whole, where the examples of single fields do not: of both create and update, or of one. */
const ALSO: Record<string, Record<string, unknown>> = {
  Asset: { retired_on: null },
  AssetAssignment: { returned_on: null },
  Candidate: { date_of_birth: '1986-12-09', skills: ['Compilers'], tags: ['Remote'] },
  EmployeePosition: { position_id: 1, department_id: 1, location_id: 1 },
  Vacancy: { starts_on: '2030-01-01', ends_on: '2030-03-31', max_salary: 65_000, tags: ['Remote'] },
  Holiday: { compensated_on: null },
  addReviews: { department_id: 1 },
  createReviewAnswer: { review_participant_id: 1 },
  updateReviewAnswers: { review_participant_id: 1 },
  applyForPosting: { consent: true },
  applyThroughCareers: { consent: true },
  createApplication: { applicant_id: 1 },
  WorkingPattern: { friday_hours: '0.0', saturday_hours: '0.0', sunday_hours: '0.0' },
  createCandidateDocument: { attachment: PICTURE },
  createLeaveAttachment: { attachment: PICTURE },
  createEmployeeField: { historical: true },
  createEmployeeFieldHistory: { value: 'B-4711' },
  createCandidate: { vacancy_id: null },
  inviteUser: { name: 'Grace Hopper' },
  mergeCandidates: { duplicate_id: 2 },
  moveApplication: { pipeline_stage_id: 1 },
  clockIn: { employee_id: 1 },
  clockOut: { employee_id: 1 },
  updateApplication: { applicant_state_id: 1 },
  updateEmployeePosition: { effective_from: '2024-03-01' },
  updateEmploymentStatus: { effective_from: '2024-03-01' },
  updateLeaveBalance: { leave_type_id: 1 },
  updateTerminationReasonMisspelt: { name: 'Retirement' },
  updateTimesheetEntry: { starts_at: '2030-01-03T08:00:00.000Z', ends_at: '2030-01-03T12:00:00.000Z' },
}

/** Examples that must do no harm to whoever tries them on the first record there is, or that hold whenever they are sent. */
const HARMLESS: Record<string, Record<string, unknown>> = {
  updateApiKey: { name: 'Payroll integration' },
  updateClock: { comment: 'Planning' },
}

/** What a first try can send, also after the example of the create was sent. */
export function bodyExample({ id, method }: Operation, body: TObject): Record<string, unknown> {
  if (HARMLESS[id]) return HARMLESS[id]
  const example = { ...objectExample(body), ...ALSO[id.replace(/^(create|update)/, '')], ...ALSO[id] }
  return method === 'PUT' ? changing(example, body) : example
}

/** What the examples of names become by an update: another record may already have the first one. */
const RENAMED: Record<string, string> = {
  '24 days a year': '28 days a year',
  'Ada Lovelace': 'Ada King',
  Acme: 'Acme Europe',
  Alumni: 'Former employee',
  'Backend engineer': 'Senior backend engineer',
  'Badge number': 'Access badge number',
  'Career change': 'New career',
  'Clear writing': 'Clear communication',
  'Cost centre': 'Cost centre code',
  Distinguished: 'Distinguished engineer',
  'Division head': 'Head of division',
  'End of season': 'End of fixed term',
  Engineering: 'Product engineering',
  'Engineering, individual contributor': 'Engineering, senior contributor',
  Engineers: 'Engineering roles',
  Equipment: 'Work equipment',
  'Equipment sizes': 'Clothing sizes',
  'Every four weeks': 'Four-weekly',
  'Example GmbH': 'Example Deutschland GmbH',
  'Example SSO': 'Company SSO',
  'Field service': 'Customer field service',
  'First aid': 'First aid at work',
  'Founders’ Day': 'Company anniversary',
  'Four-day week': 'Four-day week, Monday to Thursday',
  Germany: 'Germany, Berlin',
  'Grow in Northern Europe': 'Grow in Scandinavia',
  Headsets: 'Wireless headsets',
  'How to request leave': 'How to request and change leave',
  Interview: 'Technical interview',
  Intranet: 'Intranet relaunch',
  'Job fair': 'University job fair',
  'Laptop, 14 inches': 'Laptop, 14 inches, 64 GB',
  Large: 'Extra large',
  Lisbon: 'Lisbon office',
  Mathematics: 'Applied mathematics',
  'Moved abroad': 'Relocated abroad',
  'New customers': 'New business customers',
  'New in Berlin': 'New hires in Berlin',
  'Night shifts': 'Night shift allowance',
  'non-binary': 'diverse',
  'Notice period': 'Notice period in weeks',
  'Office manager': 'Regional office manager',
  'Online retail': 'E-commerce',
  'Order a laptop': 'Order a laptop and a monitor',
  Phone: 'Work phone',
  Platform: 'Platform engineering',
  Programmer: 'Senior programmer',
  Retirement: 'Early retirement',
  Seasonal: 'Seasonal worker',
  'Shoe size': 'Boot size',
  'Software engineer': 'Senior software engineer',
  'Spring reviews': 'Spring reviews 2030',
  'Twelve weeks': 'Three months',
  Volunteering: 'Volunteering day',
  Welding: 'Arc welding',
  'How clearly does this person communicate?': 'How well does this person work with others?',
  'William King': 'William Lovelace',
  'Work permits': 'Work and residence permits',
  'Working here': 'Working at Acme',
}

/** A change is smaller than what was made: under another name, and what may not be free or allowed is left as it is. */
function changing(example: Record<string, unknown>, body: TObject): Record<string, unknown> {
  const schemas = body.properties as Record<string, any>
  const isName = (name: string) => /^(name|title|value)$/.test(name) && schemas[name].format === 'line'
  const isFree = (name: string) =>
    body.required?.includes(name) || isName(name) || !(schemas[name].enum || schemas[name]['x-unique'])
  return Object.fromEntries(
    Object.entries(example)
      .filter(([name]) => isFree(name))
      .map(([name, value]) => [name, isName(name) ? (RENAMED[value as string] ?? `${value} (new)`) : value]),
  )
}

/** What to ask a list for: found in most companies, and after the examples of the bodies were sent in all of them. */
const ASKED: Record<string, unknown> = {
  completed: false,
  disqualified: false,
  'emails[]': ['ada@example.com'],
  'employee_numbers[]': ['1024'],
  'fields[]': ['badge_number'],
  email: 'grace@example.com',
  employee_field_internal_name: 'badge_number',
  month: 1,
  'priority[]': ['high'],
  'skills[]': ['Compilers'],
  'tags[]': ['Remote'],
  year: 2026,
  'listCalendar starts_on': '2026-01-01',
  'listCalendar ends_on': '2026-12-31',
  'listEmployeeHolidays starts_on': '2026-01-01',
  'listEmployeeHolidays ends_on': '2026-12-31',
  'listAssets code': 'XP-9042',
  'listAssets q': 'laptop',
  'listAssets serial_number': 'PF-2X7K9',
  'listCandidates q': 'grace',
  'listEmployees email': 'ada@example.com',
  'listCareersVacancies q': 'backend',
  'listPostings q': 'backend',
  'listVacancies q': 'backend',
  'listApplications q': 'grace',
  'listArticlesOfCategory q': 'leave',
  'listUsers q': 'ada',
  'listDirectory q': 'ada',
  'listEmployees q': 'ada',
  'listEmployees status': 'active',
  'listKnowledgeBaseArticles q': 'leave',
  'listExternalUsers email': 'mary@agency.example',
  'listKeyPerformanceIndicators kpi_type': 'company',
  'listVacancies status[]': ['opened'],
}

export function queryExample(operationId: string, name: string, schema: any): unknown {
  const known = schema.examples?.[0] ?? schema.default ?? ASKED[`${operationId} ${name}`] ?? ASKED[name]
  if (known !== undefined) return known
  const day = /lte?\]|ends_on/.test(name) ? '2035-12-31' : '2020-01-01'
  if (schema.format === 'date') return day
  if (schema.format === 'date-time' || schema.format === 'moment') return `${day}T00:00:00Z`
  return exampleOf(schema)
}
