import type { Operation } from '../engine/operation.ts'

/** How to keep a copy of the data up to date. */
const FOLLOWING = `The change feed: every change to every record, in the order of writing. Use it to keep a copy of the data in another system.

To copy employees with department, manager and pay, use the program in [Sync employees](#description/sync-employees). In general:

1. **Copy.** Read the lists you need with \`sort=id\`, *from the last page to the first*, so that deletions meanwhile do not make
   you skip records. Store the \`Cadre-Ledger\` header of the very first response: the change number that it is complete up to.
   Or start with an empty copy and \`since=0\`. This is the only way to copy record types without a list of their own
   (\`resources\` names them all; most of them are also part of their parent records).
   If you need no copy, start at the end with \`since=now\`.
2. **Follow.** \`GET /changes?since=<number>&wait=30\` responds as soon as something changes, at the latest after 30 seconds.
   Apply the changes in order. Merge \`after\` into your record, and create the record if you do not have it yet. \`delete\`:
   delete the record. \`erase\`: forget everything about the record and keep only \`after\`, which is null if nothing is left.
   Store \`metadata.last\` *together with* your copy, and send it as \`since\` in the next request. Applying a change
   that your copy already contains does no harm.
3. **Or stream.** \`curl -N -H 'X-API-KEY: <key>' -H 'Accept: text/event-stream' …/changes?since=<number>\` sends a
   \`change\` event for each change, with its number as \`id\`. Reconnect with \`Last-Event-ID\`. The server sends a comment every
   15 seconds. If the key loses its permission, the last event is \`problem\`.

Field names are those of request bodies; references are IDs. \`GET /changes/<number>\` returns one change.
Data that the key may not read is left out: \`metadata.omitted\` (in a stream, the \`omitted\` event) lists record types that are
or may be incomplete, and \`omitted\` of a change lists the hidden field groups. If the \`protection\` of a field, table, column or
folder changes, keys with hidden field groups see more or less than before: read the records with that field again.
If \`since\` is beyond the last change, an older backup was restored: start with a new copy.`

/** A program that keeps a copy of employees. It is run as printed here (`test/audits/recipe.test.ts`). */
const EMPLOYEE_COPY = `The change feed says *whose* record has changed; the list of employees returns the *current* record, with department, manager,
salary (with \`as_of\`) and custom fields. The program below combines both. It asks the feed for these \`resources\`:

| resources | what they change in the record of an employee | who is read again |
|---|---|---|
| \`employees\` | the person, and the manager shown for others | \`record_id\`, and the people who report to them |
| \`employee_positions\`, \`employment_statuses\`, \`salaries\`, \`employee_field_values\` | job, manager, employment type, pay, custom fields | \`owner.id\` |
| \`departments\`, \`locations\` and other reference data | their names in the record | employees who refer to them |
| \`employee_fields\`, their groups and options | names and values of custom fields | everybody |

Planned entries take effect on their date without a change, so the program reads everybody again when a new day
begins in the time zone of the company. The key needs \`audits:read\`, \`employees:read\` and \`organisation:read\`. A key for which
\`compensation\` is hidden gets no pay: remove \`salaries\` from \`parts\`. Run it with
\`const { copy, follow } = employeeCopy(url, key)\` and then \`follow()\` in a loop; after an error, wait a second and call it again.

~~~js
export function employeeCopy(url, key) {
  const copy = { people: new Map(), last: 0, day: '' }

  // The field of an employee that shows a record of each list.
  const shown = {
    employees: 'reporting_to', departments: 'department', locations: 'location', divisions: 'division',
    positions: 'position', job_levels: 'job_level', job_profiles: 'job_profile', legal_entities: 'legal_entity',
    employment_types: 'employment_type', working_patterns: 'working_pattern', genders: 'gender',
    termination_types: 'termination_type', termination_reasons: 'termination_reason',
  }
  const parts = ['employee_positions', 'employment_statuses', 'salaries', 'employee_field_values']
  const forAll = [
    'employee_fields', 'employee_field_groups', 'employee_field_options', 'department_levels', 'pay_schedules', 'companies',
  ]
  const resources = [...Object.keys(shown), ...parts, ...forAll].map((one) => 'resources[]=' + one).join('&')

  async function get(path) {
    const answer = await fetch(url + path, { headers: { 'X-API-KEY': key } })
    const body = await answer.json()
    if (!answer.ok) throw new Error(body.detail)
    return body
  }

  async function today() {
    const { time_zone } = (await get('/company')).data
    return new Date().toLocaleDateString('en-CA', { timeZone: time_zone })
  }

  // With as_of, records include the salary on that date.
  const employees = () => '/employees?status=all&per_page=200&as_of=' + copy.day

  // Everybody, from the last page to the first, so that deletions meanwhile do not make us skip anybody.
  async function readAll() {
    copy.day = await today()
    copy.last = (await get('/changes?since=now')).metadata.last
    copy.people.clear()
    const page = (n) => get(employees() + '&sort=id&page=' + n)
    for (let n = (await page(1)).metadata.pages; n > 0; n--)
      for (const person of (await page(n)).data) copy.people.set(person.id, person)
  }

  // Reads some people again; those who are not returned no longer exist.
  async function readAgain(ids) {
    for (let at = 0; at < ids.length; at += 200) {
      const some = ids.slice(at, at + 200)
      const { data } = await get(employees() + '&ids=' + some.join())
      for (const id of some) copy.people.delete(id)
      for (const person of data) copy.people.set(person.id, person)
    }
  }

  // Waits for changes and applies them. Call it in a loop, also after an error.
  async function follow(seconds = 30) {
    if (copy.day !== (await today())) return readAll()
    const asked = '/changes?' + resources + '&limit=1000&since=' + copy.last
    const { data, metadata } = await get(asked + '&wait=' + seconds)
    if (data.some(({ resource }) => forAll.includes(resource))) return readAll()
    const ids = new Set()
    for (const { resource, record_id, owner } of data) {
      if (resource === 'employees') ids.add(record_id)
      if (owner?.resource === 'employees') ids.add(owner.id)
      for (const person of copy.people.values()) if (person[shown[resource]]?.id === record_id) ids.add(person.id)
    }
    await readAgain([...ids])
    copy.last = metadata.last
  }

  return { copy, follow }
}
~~~

Store \`copy\` with your data; write people and \`last\` in one transaction. To keep the history too, store the changes
themselves: \`before\` and \`after\`, who made them, and when.`

/** What every employee can look up. */
const DIRECTORY = `What every employee can look up, with the permission \`directory:read\` alone.

- **Directory.** \`GET /directory?q=ada\` lists current employees: name, picture, work email and phone, position,
  department, location, division, manager, time zone, start date, and \`away.until\` if they are on leave
  today. It never contains protected fields (pay, personal data, notes) or the leave type.
- **Org chart.** \`GET /org_chart\` returns everybody in one response, in an order that lets you build the tree in one pass: each
  person comes after their manager, and the next \`all\` people are everybody below them. There can be several roots. \`as_of\`
  shows another date; dates in the past also require \`employees:read\`.
- **Search.** \`GET /search?q=ada\` finds the first few records of each type you may read, as you type. \`path\`
  is the address of the record.`

/** What the figures of reports mean. */
const REPORTS = `Figures for dashboards. Each report requires \`reports:read\` and the permission to read the underlying records; hidden field
groups (termination reasons, pay) are hidden here too. Limit a report with \`department_ids[]\` and \`location_ids[]\`;
\`with_below=true\` includes the departments below.

**Every figure names the list it counts**: \`{"count": 12, "list": "/employees?status=in_service&as_of=2026-01-31"}\`.
Open the list, relative to the API prefix, to see the records. The terms mean the same in all reports:

| term | meaning |
|---|---|
| in service | from \`hired_on\` (always, if it is not set) to the day before \`termination_effective_on\` |
| joined, left | on \`hired_on\`, on \`termination_effective_on\`; in a department, by the job on the first or last day of employment |
| month | a calendar month, cut to \`from\` and \`to\`; its headcount is that of its last day |
| turnover | leavers ÷ average of the headcounts before the first day and at the end of each month; for the range, not annualised |
| absence | days of approved leave ÷ (average headcount of the month × its days from Monday to Friday); 8 hours are a day |
| time to hire, time to fill | from the application to the hire; from the first opening of the vacancy to the hire |
| pay | salaries in force on the date, converted to a year (2,080 hours, 260 days, 52 weeks, 12 months), by currency; no amounts for fewer than 5 people |

Erased people are not counted on any date, so figures of the past fall when somebody is erased. A department
means the department itself, without those below it, unless you send \`with_below=true\`.`

/** How to sign in without the console. */
const SIGNING_IN = `People sign in with a password, a passkey or an identity provider. They get a session: a cookie that scripts cannot read and
that replaces the API key. It works only on the pages of this service: writes need \`Sec-Fetch-Site: same-origin\` or the right
\`Origin\`, which browsers send. A session ends after 12 hours without use, and after a week at the latest. To try it with curl:

    curl -c jar -H 'Content-Type: application/json' http://127.0.0.1:3000/api/public/v3/sign_in -d '{"email": "ada@example.com", "password": "…"}'
    curl -b jar http://127.0.0.1:3000/api/public/v3/me

Users with an authenticator app or a passkey get \`second_factor\` and a ticket, and finish with \`/sign_in/code\` or
\`/sign_in/passkey\`. Failed attempts are counted by user and address: the wait grows up to 15 minutes, and
\`Retry-After\` says how long it is. Attempts by others do not delay users in a browser in which they have signed in before.
No response reveals whether a user exists.`

/** The parts and chapters (tags) of the reference, and the paths whose operations belong to each chapter. */
const PARTS: Record<string, Record<string, { about: string; places: string[] }>> = {
  People: {
    Employees: { about: 'The people of the company, from hire to termination.', places: ['/employees'] },
    Employments: {
      about:
        'Employments of people who left and came back. The employee record shows the current employment; the former ones are listed here.',
      places: ['/employees/{}/employments', '/employees/{}/rehire'],
    },
    Directory: {
      about: DIRECTORY,
      places: ['/directory', '/org_chart', '/search'],
    },
    Jobs: {
      about:
        'Job entries (position, department, location, manager and more) and employment statuses of an employee. Entries are effective-dated and can be planned for the future.',
      places: ['/employees/{}/positions', '/employees/{}/employment_statuses'],
    },
    Pay: {
      about:
        'Salaries, additional compensation (such as bonuses) and its types, and pay schedules (how often salaries are paid out).',
      places: [
        '/employees/{}/salaries',
        '/employees/{}/additional_compensations',
        '/compensation_types',
        '/pay_schedules',
      ],
    },
    'Employee documents': {
      about: 'Links and files of employees, and the folders that contain them.',
      places: ['/employees/{}/documents', '/document_folders'],
    },
    Qualifications: {
      about: 'Education and certifications of employees.',
      places: ['/employees/{}/educations', '/employees/{}/certifications'],
    },
    Skills: { about: 'Skills, and the skill levels of employees.', places: ['/skills', '/employees/{}/skills'] },
    'Dependents, contacts and notes': {
      about: 'Dependents, emergency contacts, and notes about employees.',
      places: ['/employees/{}/dependents', '/employees/{}/emergency_contacts', '/employees/{}/notes'],
    },
    'Custom fields': {
      about:
        'Custom fields of employees, their groups and options, and the dated values of historical fields, which keep a value for every date.',
      places: ['/employee_field_groups', '/employee_fields', '/employees/{}/field_histories'],
    },
    'Employee tables': {
      about: 'Custom tables with typed columns. Employees have rows in them.',
      places: ['/employee_tables'],
    },
    'Employee table rows': {
      about: 'Rows of employees in custom tables.',
      places: ['/employees/{}/tables', '/employee_tables/{}/rows', '/employee_table_values'],
    },
    Privacy: {
      about:
        'Export all data of a person, erase a person for good, and set retention rules. `PUT /retention` with `{"candidate_months": 6, "employee_months": 120}` sets after how many months people are due for erasure; null, the default, means never. `GET /retention/due` lists who is due, since when and why. `POST /retention/erasures` with `{"kind": "candidates", "ids": [7]}` erases some of them; the command `npm run -s cadre -- retention` erases all of them, for example from cron. Both erase only people who are due at that moment.',
      places: [
        '/employees/{}/erasure',
        '/employees/{}/export',
        '/recruitment/candidates/{}/erasure',
        '/retention',
        '/retention_rules',
        '/recruitment/candidates/{}/export',
      ],
    },
    'External users': {
      about: 'People outside the company who work with it, such as agency recruiters.',
      places: ['/external_users'],
    },
    Teams: { about: 'Teams, their leads and their members.', places: ['/teams'] },
  },
  Organisation: {
    Company: {
      about:
        'Settings of the account: the company name, which applicants see too, the time zone that decides what date today is, and the currency of new amounts. `PUT /company` with `{"time_zone": "Europe/Lisbon"}` takes effect for everybody with the next request. Stored dates, times and amounts do not change, nor do point-in-time reads (`known_at`).',
      places: ['/company', '/companies'],
    },
    'Departments and divisions': {
      about:
        'Departments, which form a tree; department levels, which are names for levels of this tree; and divisions, which are business areas across departments.',
      places: ['/departments', '/department_levels', '/divisions'],
    },
    'Locations and legal entities': {
      about: 'Where people work, and which company employs them.',
      places: ['/locations', '/legal_entities'],
    },
    'Positions and levels': {
      about:
        'Positions (job titles), job levels (seniority) and employment types (such as full-time), used by jobs and vacancies.',
      places: ['/positions', '/job_levels', '/employment_types'],
    },
    'Job profiles': {
      about:
        'Job profiles (typical career roles), job groups (groups of such profiles), and the job profiles of employees over time.',
      places: ['/job_profiles', '/job_groups', '/employees/{}/job_profiles'],
    },
    'Reference data': {
      about: 'Genders, termination types and termination reasons.',
      places: ['/genders', '/termination_types', '/termination_reasons', '/termintation_reasons'],
    },
    'Working patterns and probation': {
      about:
        'Working patterns (planned working hours for each weekday) with their time rules (missing breaks that are deducted, and how overtime is calculated), and probation policies (how long probation lasts).',
      places: ['/working_patterns', '/working_patterns/{}/time_rules', '/probation_policies'],
    },
    Holidays: {
      about:
        'Public holidays and other days off, and the holiday policies (calendars) that decide who gets them by location and region. To give everybody a day off of your own, such as a bridge day, create a holiday in each holiday policy; with `region_code` only people in that region get it, and with `half_day` half of the day is free.',
      places: ['/holiday_policies', '/holiday_regions', '/holidays', '/employees/{}/holidays'],
    },
  },
  Recruitment: {
    Vacancies: {
      about: 'Open positions that the company wants to fill.',
      places: ['/recruitment/vacancies', '/vacancy_collaborators', '/vacancy_skills', '/vacancy_tags'],
    },
    Applications: {
      about:
        'Applications of candidates for vacancies, their movements through the stages of the hiring pipeline, and hires.',
      places: [
        '/recruitment/vacancies/{}/applications',
        '/recruitment/applications',
        '/recruitment/movements',
        '/hires',
      ],
    },
    Pipelines: { about: 'Hiring pipelines and their stages.', places: ['/recruitment/pipelines'] },
    Candidates: {
      about: 'Candidates, their consents, and merging of duplicates.',
      places: [
        '/recruitment/candidates',
        '/candidate_phones',
        '/candidate_skills',
        '/candidate_languages',
        '/candidate_tags',
      ],
    },
    'Candidate notes and documents': {
      about: 'Notes about candidates, and their documents.',
      places: ['/recruitment/candidates/{}/notes', '/recruitment/candidates/{}/documents'],
    },
    'Candidate background': {
      about: 'Education and work experience of candidates.',
      places: ['/recruitment/candidates/{}/educations', '/recruitment/candidates/{}/experiences'],
    },
    'Recruitment reference data': {
      about:
        'Sources (where candidates come from), reasons for disqualifying applications, tags, and recruitment settings.',
      places: ['/recruitment', '/recruitment_settings'],
    },
    'Recruitment custom fields': {
      about: 'Custom fields of vacancies and candidates.',
      places: ['/recruitment/candidate_fields', '/recruitment/vacancy_fields'],
    },
    'Careers page': {
      about:
        'Public operations for a careers page: no API key, and open to every origin (CORS). The same operations are at `/recruitment/careers/vacancies` for the origins in `CORS_ORIGINS`. Cadre has a careers page of its own at `/careers`, and at `/careers/embed` for an iframe on any site (`?account=`, `lang=`, `scheme=light`; it posts its height as a message `{type: "cadre-careers-height", height}`). Set its heading, colour and logo with `PUT /recruitment/settings`.',
      places: ['/api/careers', '/recruitment/careers'],
    },
  },
  Work: {
    Tasks: {
      about: 'Tasks of employees, including onboarding and offboarding.',
      places: ['/tasks', '/employees/{}/tasks'],
    },
    Performance: {
      about: 'Key performance indicators (KPIs) with measured results, and objectives with key results (OKRs).',
      places: ['/performance'],
    },
    'Review cycles': {
      about: 'Review cycles, their questions, and competencies.',
      places: ['/performance/review_cycles', '/competencies'],
    },
    Reviews: {
      about: 'Reviews, participants and answers. What you see depends on your role in the review.',
      places: ['/performance/review_cycles/{}/reviews'],
    },
    Projects: { about: 'Projects for time tracking, and the employees assigned to them.', places: ['/time/projects'] },
    Timesheets: {
      about: 'Timesheet entries and their approval, and worked and expected time by employee.',
      places: ['/time'],
    },
    'Time clock': {
      about:
        'A running clock belongs to the employee, not to a device. `POST /time/clocks` starts it; `POST /time/clocks/clock_out` stops it and creates timesheet entries. Without `employee_id`, both act for the caller. `{"type": "break", "switch": true}` stops the running clock and starts a break.',
      places: ['/time/clocks'],
    },
    Overtime: {
      about:
        'Overtime requests and their approval, and overtime that Cadre calculates from time entries and time rules.',
      places: ['/time/overtime_requests', '/time/calculated_overtime'],
    },
  },
  'Leave and calendar': {
    'Leave types and policies': {
      about:
        'Leave types, and the leave policies that decide how much leave people get and under which conditions they can take it.',
      places: ['/leave_types', '/leave_policies'],
    },
    'Who can take leave when': {
      about:
        'Groups of people who can get a leave policy, and periods in which nobody can take leave. Other conditions are fields of the leave policy.',
      places: ['/leave_policies/{}/eligible_groups', '/blocked_periods'],
    },
    'Leave balances': {
      about: 'Leave types assigned to employees, their balances, and adjustments (amounts added or deducted by hand).',
      places: [
        '/employees/{}/leave_types',
        '/employees/{}/leave_balances',
        '/employees/{}/update_leave_balance',
        '/leave_adjustments',
        '/leave_payouts',
      ],
    },
    'Leave requests': {
      about: 'Leave requests, their attachments, and their approval.',
      places: ['/leave_requests', '/leave_entries'],
    },
    Calendar: {
      about: 'Leave, holidays, birthdays, work anniversaries and first days, also as an iCalendar feed.',
      places: ['/calendars', '/calendar_feeds'],
    },
  },
  Reporting: {
    Reports: { about: REPORTS, places: ['/reports'] },
  },
  'Assets and knowledge': {
    Assets: {
      about: 'Equipment of the company, its categories, holders on any date, and losses.',
      places: ['/assets', '/asset_categories', '/employees/{}/assets'],
    },
    'Asset assignments': { about: 'Who has or had which asset, and when.', places: ['/asset_assignments'] },
    'Knowledge base': {
      about: 'Articles and categories. Drafts are visible only to people who can edit articles.',
      places: ['/knowledge_base'],
    },
  },
  Access: {
    Users: {
      about:
        'People who can sign in, and their roles. `POST /users/invite` creates a user and a link that works once. `POST /users/{user_id}/link` creates another link, for users who forgot their password. Cadre sends no email: send the link to the user yourself.',
      places: ['/users', '/user_roles'],
    },
    'Sign-in': {
      about: SIGNING_IN,
      places: ['/sign_in', '/sign_out'],
    },
    'My account': {
      about:
        'The signed-in user: permissions, sign-in methods and sessions. Available only with a session, because no API key has `me:read` and `me:write`. Changing sign-in methods requires a sign-in, or `POST /me/confirmation`, within the last ten minutes.',
      places: ['/me'],
    },
    'My notifications and views': {
      about: 'Notifications of the signed-in user, changes to records they can see, and their saved views.',
      places: ['/me/notifications', '/me/changes', '/me/views'],
    },
    'Single sign-on': {
      about:
        'Single sign-on with any OpenID Connect provider. Register `redirect_uri` at the provider, and enter its `issuer`, `client_id` and `client_secret` here. The first sign-in links a person by verified email address; later ones use the subject that the provider assigns.',
      places: ['/identity_providers', '/sign_in_links', '/failed_sign_ins'],
    },
    Roles: {
      about:
        'Roles of users and API keys. A role consists of grants: permissions, the people they cover (`scope`), and the field groups they show. Scopes: `self`; `reports`, everybody below the user on that date; `department`, with the departments below it; `location`; `vacancies` that the user leads or works on; `everybody`. People outside the scope do not appear anywhere: not in lists, counts, filters or errors. You can only grant permissions that you have for everybody.',
      places: ['/roles'],
    },
    'API keys': {
      about: 'API keys, their permissions and hidden field groups.',
      places: ['/api_keys', '/api_key_roles'],
    },
    'Audit log': {
      about:
        'Who changed what and when, and who has read pay, documents and exports. Every record has a history, also after it was deleted: `GET /employees/1/history`. With `parts=true` it includes salaries, jobs and other child records, with sentences such as *salary of Ada Lovelace: amount 4,200 → 4,500 EUR, by the key Payroll*.',
      places: ['/audits', '/reads'],
    },
    'Change feed': { about: FOLLOWING, places: ['/changes'] },
    Undo: {
      about:
        'Undo one change, or all changes of a request: fields get their previous values, created records are deleted, and deleted records are restored with their ID. If anything was changed since, nothing is undone, and the error (409) names the fields and the changes. An undo is a change too, and can be undone. Changes to API keys, erasures and deleted files cannot be undone.',
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

/** For operations that are not in `PARTS`: a test fails if there are any. */
export const OTHER: Chapter = { name: 'Other', about: 'Operations without a chapter.', part: 'Other' }

/** All chapters, in the order of the reference. */
export const CHAPTERS: Chapter[] = [...new Map(PLACES.map(({ chapter }) => [chapter.name, chapter])).values()]

/** The chapter of an operation: that of the longest path prefix. */
export function chapterOf(operation: Pick<Operation, 'path'>): Chapter {
  const path = `${operation.path.replace(/\{\w+\}/g, '{}')}/`
  const fitting = PLACES.filter(({ place }) => path.startsWith(`${place}/`))
  const [best] = fitting.sort((a, b) => b.place.length - a.place.length)
  return best?.chapter ?? OTHER
}

/** Guides in the introduction, because they apply to many operations. */
export const GUIDES: Record<string, string> = {
  'Dry run': `Send \`Prefer: dry-run\` with any write to see what it would do. The request runs with all its rules and consequences, and is
then rolled back. No record, number or file is stored, \`Idempotency-Key\` is ignored, and nobody is notified.

~~~http
POST /api/public/v3/divisions
Prefer: dry-run
Content-Type: application/json

{"name": "Aviation"}
~~~

The response has the status 200 and the header \`Preference-Applied: dry-run\`. Its body is the body that the request would return,
plus \`changes\`: the changes it would make, without data that the key may not read. Without a body, it is
\`{"changes": […]}\`. Errors are the same as without the header. If nobody else writes in between, the same request without the
header makes exactly these changes, with these IDs. API keys and secret addresses are empty, and addresses of new files do not
work. Reads ignore the header.`,
  'Point-in-time reads': `Effective-dated records have two times: the date on which a value is valid, and the time at which it was recorded. \`as_of\` selects
the date, \`known_at\` the time of recording, and both together show what was recorded at that time for that date. For example, a
salary of 4,200 from 1 January was entered in January and corrected in March to 4,500, also from 1 January:

    GET /employees/1?as_of=2026-02-01                        shows 4500.0
    GET /employees/1?as_of=2026-02-01&known_at=2026-02-28    shows 4200.0

\`known_at\` works for employees, their salaries, additional compensation, job entries and employment statuses, and also requires
the \`audits:read\` permission. It is one of:

- a change number, as in the \`Cadre-Ledger\` header of any response. A number in the middle of the changes of one request includes
  them all. The same number always returns the same result, except for people who have been erased and data that has been
  protected since. A response without \`known_at\` is complete up to its number, and may contain changes that were
  just being written.
- a time, such as \`2026-02-28T17:00:00Z\`
- a date, meaning the end of that day in the time zone of the account

Without \`as_of\`, the date is that of \`known_at\`. Erased people do not appear at any time. A request fails if it would have to go
back more than 200,000 changes to the records in question.`,
  'Sync employees': EMPLOYEE_COPY,
  Compatibility: `Clients written for other versions of this API work unchanged:

- **Prefixes.** \`/api/v3\` is the same as \`/api/public/v3\`. Under \`/api/public/v2\` and \`/api/public/v1\`, all reads and
  \`POST /recruitment/candidates\` work as under \`/api/public/v3\`, with the same permissions. Other writes need \`v3\`.
- **Lists of values.** A filter that takes one value also takes several: \`state[]=pending&state[]=approved\` or
  \`state=pending,approved\` finds records with either.
- **Other names.** \`status\` and \`state\` are the same filter. In bodies, \`manager_id\` is \`reporting_to_id\`. Where the
  reference says *also accepted as*, you can send a field under that name. If you send both names, the values must be the same.
- **Built-in fields.** \`fields\` of an employee also contains \`employee_number\`, \`mobile_number\` and \`work_phone_number\`;
  \`custom_fields\` contains only the custom fields.`,
}
