import type { Operation } from '../engine/operation.ts'

/** How the reference is divided for those who read it: parts, chapters, and the places whose operations stand in each. */
const PARTS: Record<string, Record<string, { about: string; places: string[] }>> = {
  People: {
    Employees: { about: 'The people of the company, from hiring to leaving.', places: ['/employees'] },
    'Jobs of employees': {
      about: 'Which position somebody has from which day on, and on which terms. Entries may lie in the future.',
      places: ['/employees/{}/positions', '/employees/{}/employment_statuses'],
    },
    Pay: {
      about: 'Salaries, what is paid besides them, and the lists that they are chosen from.',
      places: [
        '/employees/{}/salaries',
        '/employees/{}/additional_compensations',
        '/compensation_types',
        '/pay_schedules',
      ],
    },
    'Employee documents': {
      about: 'Links and files of employees, and the folders that they lie in.',
      places: ['/employees/{}/documents', '/document_folders'],
    },
    Qualifications: {
      about: 'What employees have learnt.',
      places: ['/employees/{}/educations', '/employees/{}/certifications'],
    },
    Skills: { about: 'What employees can do, and how well.', places: ['/skills', '/employees/{}/skills'] },
    'Family and notes': {
      about: 'Dependents, whom to call in an emergency, and notes about employees.',
      places: ['/employees/{}/dependents', '/employees/{}/emergency_contacts', '/employees/{}/notes'],
    },
    'Custom fields': {
      about: 'Fields of your own on employees, their options, and their values over time.',
      places: ['/employee_field_groups', '/employee_fields', '/employees/{}/field_histories'],
    },
    'Employee tables': {
      about: 'Tables of your own with typed columns, in which employees have rows.',
      places: ['/employee_tables'],
    },
    'Rows of employee tables': {
      about: 'What employees have in your tables.',
      places: ['/employees/{}/tables', '/employee_tables/{}/rows'],
    },
    Privacy: {
      about: 'Everything that is kept of a person in their hands, and erasing them for good.',
      places: [
        '/employees/{}/erasure',
        '/employees/{}/export',
        '/recruitment/candidates/{}/erasure',
        '/recruitment/candidates/{}/export',
      ],
    },
    'External users': {
      about: 'People outside the company who take part in its work, such as recruiters of agencies.',
      places: ['/external_users'],
    },
    Teams: { about: 'Teams, who leads them and who is in them.', places: ['/teams'] },
  },
  Organisation: {
    Structure: {
      about: 'Departments, which form a tree, their levels, and divisions.',
      places: ['/departments', '/department_levels', '/divisions'],
    },
    'Locations and legal entities': {
      about: 'Where people work, and for which company.',
      places: ['/locations', '/legal_entities'],
    },
    'Positions and levels': {
      about: 'The lists that jobs and vacancies are chosen from.',
      places: ['/positions', '/job_levels', '/employment_types'],
    },
    'Job profiles': {
      about: 'Kinds of jobs, the groups that they belong to, and who has had which.',
      places: ['/job_profiles', '/job_groups', '/employees/{}/job_profiles'],
    },
    'Lists for people': {
      about: 'The lists that genders, and types and reasons of leaving, are chosen from.',
      places: ['/genders', '/termination_types', '/termination_reasons', '/termintation_reasons'],
    },
    'Working time': {
      about: 'How many hours are worked on which weekday, and how long probation lasts.',
      places: ['/working_patterns', '/probation_policies'],
    },
    Holidays: {
      about: 'Public holidays, and the policies that say where they apply.',
      places: ['/holiday_policies', '/holidays', '/employees/{}/holidays'],
    },
  },
  Recruitment: {
    Vacancies: { about: 'What the company is hiring for.', places: ['/recruitment/vacancies'] },
    Applications: {
      about: 'Who applies for a vacancy, and how far they have come.',
      places: ['/recruitment/vacancies/{}/applications', '/recruitment/applications', '/recruitment/movements'],
    },
    Pipelines: { about: 'The stages that applications go through.', places: ['/recruitment/pipelines'] },
    Candidates: { about: 'People who might be hired, and what they agreed to.', places: ['/recruitment/candidates'] },
    'Candidate notes and documents': {
      about: 'What was noted about candidates, and their files.',
      places: ['/recruitment/candidates/{}/notes', '/recruitment/candidates/{}/documents'],
    },
    'Candidate background': {
      about: 'What candidates have learnt and done.',
      places: ['/recruitment/candidates/{}/educations', '/recruitment/candidates/{}/experiences'],
    },
    'Recruitment lists': {
      about: 'Sources of candidates, reasons to disqualify, and tags.',
      places: ['/recruitment'],
    },
    'Recruitment fields': {
      about: 'Fields of your own on vacancies and candidates.',
      places: ['/recruitment/candidate_fields', '/recruitment/vacancy_fields'],
    },
    Careers: {
      about:
        'What a public careers page needs: no key, and from pages of every origin. The same stands at `/recruitment/careers/vacancies`, for pages of the origins that are named.',
      places: ['/api/careers', '/recruitment/careers'],
    },
  },
  Work: {
    Tasks: {
      about: 'What somebody has to do, among others when people come and go.',
      places: ['/tasks', '/employees/{}/tasks'],
    },
    Performance: { about: 'Key performance indicators and objectives.', places: ['/performance'] },
    'Review cycles': {
      about: 'Reviews of people at certain times, what is asked in them, and the competencies that it is about.',
      places: ['/performance/review_cycles', '/competencies'],
    },
    Reviews: {
      about: 'Who is reviewed and by whom, and what they answered. What somebody sees depends on who they are.',
      places: ['/performance/review_cycles/{}/reviews'],
    },
    Projects: { about: 'What time is spent on, and by whom.', places: ['/time/projects'] },
    Timesheets: { about: 'When people worked, and how that compares with what they were to work.', places: ['/time'] },
    Overtime: { about: 'Asking for overtime, and deciding on it.', places: ['/time/overtime_requests'] },
  },
  'Leave and calendar': {
    'Leave types and policies': {
      about: 'Which kinds of leave there are, and how much of each people get.',
      places: ['/leave_types', '/leave_policies'],
    },
    'Leave of employees': {
      about: 'Which leave somebody has, how much is left, and corrections of it.',
      places: [
        '/employees/{}/leave_types',
        '/employees/{}/leave_balances',
        '/employees/{}/update_leave_balance',
        '/leave_adjustments',
      ],
    },
    'Leave requests': { about: 'Asking for leave, and deciding on it.', places: ['/leave_requests'] },
    Calendar: { about: 'Who is away, holidays, birthdays and anniversaries.', places: ['/calendars'] },
  },
  'Assets and knowledge': {
    Assets: {
      about: 'What the company lends to people, where it is on which day, and what is lost.',
      places: ['/assets', '/asset_categories', '/employees/{}/assets'],
    },
    'Asset assignments': { about: 'Who has had what, from when to when.', places: ['/asset_assignments'] },
    'Knowledge base': {
      about: 'What everybody should be able to look up. Drafts are for those who may write.',
      places: ['/knowledge_base'],
    },
  },
  Access: {
    'API keys': { about: 'Who may call, and what they may do.', places: ['/api_keys'] },
    Audits: { about: 'What was changed, when, and by whom.', places: ['/audits'] },
    Undoing: {
      about:
        'Taking back one change, or all that a request did: fields are put back, what was created goes, what was deleted comes back with its id. It is refused as a whole (409) when something was changed since, and names the fields and the changes. An undo is a change like any other, and can be undone. Never undone are what was done to keys, erasures, and what takes a file along.',
      places: ['/changes/{}/undo', '/requests'],
    },
  },
}

export type Chapter = { name: string; about: string; part: string }

const PLACES = Object.entries(PARTS).flatMap(([part, chapters]) =>
  Object.entries(chapters).flatMap(([name, { about, places }]) =>
    places.map((place) => ({ place, chapter: { name, about, part } })),
  ),
)

/** Where nothing should be. */
export const OTHER: Chapter = { name: 'Other', about: 'What has no chapter yet.', part: 'Other' }

/** All chapters, in the order in which they are read. */
export const CHAPTERS: Chapter[] = [...new Map(PLACES.map(({ chapter }) => [chapter.name, chapter])).values()]

/** The chapter of an operation: that of the longest place that its path begins with. */
export function chapterOf(operation: Pick<Operation, 'path'>): Chapter {
  const path = `${operation.path.replace(/\{\w+\}/g, '{}')}/`
  const fitting = PLACES.filter(({ place }) => path.startsWith(`${place}/`))
  const [best] = fitting.sort((a, b) => b.place.length - a.place.length)
  return best?.chapter ?? OTHER
}
