import type { Operation } from '../engine/operation.ts'

/** How a copy is kept. */
const FOLLOWING = `Every change of every record, in the order in which it was written, for those who keep a copy.

To copy employees with department, manager and pay, take the [recipe](#description/a-copy-of-employees) as it is. In general:

1. **Copy.** Read the lists that you need, each with \`sort=id\` and *from its last page to its first*: what is deleted
   meanwhile then moves nothing past you. Keep the header \`Cadre-Ledger\` of the very first answer: the number that it was
   made at. Or begin with nothing and \`since=0\`: such a copy is whole, and the only way to kinds that have no list of
   their own (\`resources\` names them all; most of them come as parts of what they belong to).
   If you need no copy, \`since=now\` starts at the end.
2. **Follow.** \`GET /changes?since=<that number>&wait=30\` answers as soon as something has changed, at the latest after
   30 seconds. Apply the changes in their order: \`after\` over what you have, also where you have nothing yet; \`delete\`
   takes the record away; at \`erase\` forget all that you knew of it: \`after\` is what stays, null when nothing does.
   Keep \`metadata.last\` *together with* your copy, and ask for what is after it. A change of which the copy had a part
   already does no harm.
3. **Or listen.** \`curl -N -H 'X-API-KEY: <key>' -H 'Accept: text/event-stream' …/changes?since=<number>\` sends an event
   \`change\` for each, with its number as \`id\`; after an interruption \`Last-Event-ID\` goes on from there. A comment comes
   every 15 seconds. When the key may not listen any more, an event \`problem\` says so and is the last.

Values stand under the names by which bodies send them, references by their ids. \`GET /changes/<number>\` shows one.
What the key may not read is cut out: \`metadata.omitted\` (the event \`omitted\`) names the kinds of records of which
something is or may be left out, \`omitted\` of a change the groups of data. When \`protection\` of a field, table, column or
folder changes, so does what a key with withheld groups sees: take a new copy of the records that name it.
When \`since\` is beyond the last change, an older database was put back: begin with a new copy.`

/** A copy of employees, whole: a program that runs as it stands here (`test/audits/recipe.test.ts`). */
const EMPLOYEE_COPY = `The change feed says *whose* record has changed; the list of employees says *how it is now*, with department, manager,
pay (with \`as_of\`) and custom fields. The program below keeps such a copy. It asks the feed for these \`resources\`:

| resources | what they change in an employee's record | who is read again |
|---|---|---|
| \`employees\` | the person; also what others show of their manager | \`record_id\`, and those who report to them |
| \`employee_positions\`, \`employment_statuses\`, \`salaries\`, \`employee_field_values\` | job, manager, employment type, pay, custom fields | \`owner.id\` |
| \`departments\`, \`locations\` and the other lists of names | what the record shows of them | those who have it |
| \`employee_fields\`, their groups and options | labels and values of custom fields | everybody |

Entries that were planned take effect on their day without a change: the program reads everybody again when a day
begins in the company's time zone. The key needs \`audits:read\`, \`employees:read\` and \`organisation:read\`; a key from which
\`compensation\` is withheld gets no pay, and may not ask for \`salaries\`.

~~~js
export function employeeCopy(url, key) {
  const copy = { people: new Map(), last: 0, day: '' }

  // Who shows a record of a list, by the name of the list.
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

  // With as_of, records have the pay of that day.
  const employees = () => '/employees?status=all&per_page=200&as_of=' + copy.day

  // Everybody, from the last page to the first: what is deleted meanwhile moves nobody past us.
  async function readAll() {
    copy.day = await today()
    copy.last = (await get('/changes?since=now')).metadata.last
    copy.people.clear()
    const page = (n) => get(employees() + '&sort=id&page=' + n)
    for (let n = (await page(1)).metadata.pages; n > 0; n--)
      for (const person of (await page(n)).data) copy.people.set(person.id, person)
  }

  // Some people as they are now; whoever does not come back is gone.
  async function readAgain(ids) {
    for (let at = 0; at < ids.length; at += 200) {
      const some = ids.slice(at, at + 200)
      const { data } = await get(employees() + '&ids=' + some.join())
      for (const id of some) copy.people.delete(id)
      for (const person of data) copy.people.set(person.id, person)
    }
  }

  // Waits for changes and applies them. Call it again and again; after a failure too.
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

Keep \`copy\` where you keep your data, people and \`last\` in one transaction. To hear of the past too, keep what the changes
themselves tell: \`before\` and \`after\`, by whom, and when.`

/** What everybody may look up. */
const DIRECTORY = `What everybody may look up, with the permission \`directory:read\` alone.

- **Cards.** \`GET /directory?q=ada\` lists those who are here: name, picture, e-mail and telephone at work, position,
  department, location, division, manager, time zone, the day on which they began, and \`away.until\` when they have leave
  today. What belongs to a group of data (pay, personal, notes) is never in it, nor the kind of leave.
- **Org chart.** \`GET /org_chart\` is everybody in one answer, ordered so that a tree is built in one pass: each comes
  after their manager, and the \`all\` people after somebody are those below. There may be several tops. With \`as_of\` it
  is another day's, which needs \`employees:read\` too.
- **Search.** \`GET /search?q=ada\` finds the first few of every kind that the caller may read, as somebody types. \`path\`
  says where each is read.`

/** What figures mean. */
const REPORTS = `Figures for dashboards. Each needs \`reports:read\` and the permission to read what it is made of; what is withheld from
a key (reasons of leaving, pay) is withheld here too. \`department_ids[]\` and \`location_ids[]\` ask for some people only, \`with_below=true\` for
departments with all that are below them.

**A figure is how many records a list has**, and names the list: \`{"count": 12, "list": "/employees?status=in_service&as_of=2026-01-31"}\`.
Whoever opens it, below the same prefix, finds those who were counted. The words mean the same everywhere:

| word | meaning |
|---|---|
| in service | from \`hired_on\` on, or always where that is not known, to the day before \`termination_effective_on\` |
| joined, left | on \`hired_on\`, on \`termination_effective_on\`; in a department, by the job of the first or the last day |
| month | a calendar month, cut to \`from\` and \`to\`; headcounts are those of its last day |
| turnover | those who left ÷ the mean of the headcounts before the first day and at the end of each month; of the range, not of a year |
| absence | days of approved leave ÷ (mean headcount of the month × its days from Monday to Friday); 8 hours are a day |
| time to hire | from the application to the hire; to fill: from the first opening of the vacancy |
| pay | salaries of the day for a year (2,080 hours, 260 days, 52 weeks, 12 months), by currency; nothing of fewer than 5 people |

People who were erased are in no figure, of no day: figures of the past fall when somebody is erased. A department
means the department itself, without those below it.`

/** How one signs in without pages. */
const SIGNING_IN = `People sign in with a password, a passkey, or an identity provider, and have a session: a cookie that scripts
cannot read, and that stands where a key would. It works on the service's own pages: what changes something needs
\`Sec-Fetch-Site: same-origin\` or the right \`Origin\`, which browsers send. It ends after 12 hours without use, and after a
week in any case. To try it without pages:

    curl -c jar -H 'Content-Type: application/json' http://127.0.0.1:3000/api/public/v3/sign_in -d '{"email": "ada@example.com", "password": "…"}'
    curl -b jar http://127.0.0.1:3000/api/public/v3/me

Who has an app for codes, or a passkey, gets \`second_factor\` with a ticket, and finishes with \`/sign_in/code\` or
\`/sign_in/passkey\`. What fails is counted by person and address: the wait grows to a quarter of an hour, and
\`Retry-After\` says how long it is. In a browser where somebody has signed in before, others cannot make them wait. None
of the answers tells who is here.`

/** How the reference is divided for those who read it: parts, chapters, and the places whose operations stand in each. */
const PARTS: Record<string, Record<string, { about: string; places: string[] }>> = {
  People: {
    Employees: { about: 'The people of the company, from hiring to leaving.', places: ['/employees'] },
    Directory: {
      about: DIRECTORY,
      places: ['/directory', '/org_chart', '/search'],
    },
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
      places: ['/employees/{}/tables', '/employee_tables/{}/rows', '/employee_table_values'],
    },
    Privacy: {
      about:
        'Everything that is kept of a person in their hands, and erasing them for good. How long the data of people is kept, `PUT /retention` says, as `{"candidate_months": 6, "employee_months": 120}`: until then, and with null, nobody is ever due. `GET /retention/due` tells who is due, since when and why; `POST /retention/erasures` with `{"kind": "candidates", "ids": [7]}` erases some of them, and `npm run -s cadre -- retention` all, from cron for example. Nobody is erased who is not due at that very moment.',
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
      about: 'People outside the company who take part in its work, such as recruiters of agencies.',
      places: ['/external_users'],
    },
    Teams: { about: 'Teams, who leads them and who is in them.', places: ['/teams'] },
  },
  Organisation: {
    Company: {
      about:
        'What the whole account has in common: its name, which also those see who apply, the time zone by which it is today, and the currency of new amounts. `PUT /company` with `{"time_zone": "Europe/Lisbon"}` holds from the next request on, for everybody; days, times and amounts that are kept stay as they are, and so does what the past is asked for (`known_at`).',
      places: ['/company', '/companies'],
    },
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
    Vacancies: {
      about: 'What the company is hiring for.',
      places: ['/recruitment/vacancies', '/vacancy_collaborators', '/vacancy_skills', '/vacancy_tags'],
    },
    Applications: {
      about: 'Who applies for a vacancy, and how far they have come.',
      places: [
        '/recruitment/vacancies/{}/applications',
        '/recruitment/applications',
        '/recruitment/movements',
        '/hires',
      ],
    },
    Pipelines: { about: 'The stages that applications go through.', places: ['/recruitment/pipelines'] },
    Candidates: {
      about: 'People who might be hired, and what they agreed to.',
      places: [
        '/recruitment/candidates',
        '/candidate_phones',
        '/candidate_skills',
        '/candidate_languages',
        '/candidate_tags',
      ],
    },
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
      places: ['/recruitment', '/recruitment_settings'],
    },
    'Recruitment fields': {
      about: 'Fields of your own on vacancies and candidates.',
      places: ['/recruitment/candidate_fields', '/recruitment/vacancy_fields'],
    },
    Careers: {
      about:
        'What a public careers page needs: no key, and from pages of every origin. The same stands at `/recruitment/careers/vacancies`, for pages of the origins that are named. Cadre has such a page itself at `/careers`, and at `/careers/embed` for a frame on any site (`?account=`, `lang=`, `scheme=light`; it tells its height as a message `{type: "cadre-careers-height", height}`); `PUT /recruitment/settings` gives it a heading, a colour and a logo.',
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
    'Clocking in and out': {
      about:
        'A clock that runs belongs to the person, not to a device. `POST /time/clocks` begins it, `POST /time/clocks/clock_out` turns it into timesheet entries; without `employee_id` both are about whoever calls. With `{"type": "break", "switch": true}` what runs ends and a break begins.',
      places: ['/time/clocks'],
    },
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
    'Leave requests': { about: 'Asking for leave, and deciding on it.', places: ['/leave_requests', '/leave_entries'] },
    Calendar: {
      about: 'Who is away, holidays, birthdays, anniversaries and first days.',
      places: ['/calendars', '/calendar_feeds'],
    },
  },
  Figures: {
    Reports: { about: REPORTS, places: ['/reports'] },
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
    Users: {
      about:
        'Who signs in, and with which roles. `POST /users/invite` makes a user and a link that lets them in once; `POST /users/{user_id}/link` makes another, for those who forgot their password. We send no mail: hand the link on.',
      places: ['/users', '/user_roles'],
    },
    'Signing in': {
      about: SIGNING_IN,
      places: ['/sign_in', '/sign_out'],
    },
    'One’s own': {
      about:
        'Who is signed in, what they may do, and how they sign in. It is for people in a session: no key holds `me:read` and `me:write`. What changes the ways of signing in needs a sign-in, or `POST /me/confirmation`, within the last ten minutes.',
      places: ['/me'],
    },
    'News of one’s own': {
      about:
        'What is new for whoever is signed in, that something has changed of what they see, and how they like to look at lists.',
      places: ['/me/notifications', '/me/changes', '/me/views'],
    },
    'Identity providers': {
      about:
        'Single sign-on by OpenID Connect, with any provider. Enter `redirect_uri` there, its `issuer`, `client_id` and `client_secret` here. People are linked by a verified e-mail address the first time, and known by the provider’s subject from then on.',
      places: ['/identity_providers', '/sign_in_links', '/failed_sign_ins'],
    },
    Roles: {
      about:
        'What somebody may do, of whom, and which field groups they see of those. A role has grants: permissions with a scope (`self`, `reports`: all below one on that day, `department` with the departments in it, `location`, `vacancies` that one leads or works on, `everybody`) and what is seen. Whoever is out of scope is as unknown as somebody of another account: in lists, counts, filters and errors. Nobody gives what they do not hold for everybody.',
      places: ['/roles'],
    },
    'API keys': { about: 'Who may call, and what they may do.', places: ['/api_keys', '/api_key_roles'] },
    Audits: {
      about:
        'What was changed, when, and by whom; and who has read what is watched over: pay, documents and exports. What became of one record is told at its own address: `GET /employees/1/history`, with `parts=true` also what became of its salaries, jobs and the like, in sentences such as *salary of Ada Lovelace: amount 4,200 → 4,500 EUR, by the key Payroll*. It is still there when the record is deleted.',
      places: ['/audits', '/reads'],
    },
    Changes: { about: FOLLOWING, places: ['/changes'] },
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

/** What is read before any operation, because it holds for all of them. */
export const GUIDES: Record<string, string> = {
  'Try before you write': `With \`Prefer: dry-run\` a write is only tried. It waits for its turn and runs as it always does, by the same rules and with all
that follows from it; then everything is taken back. No record, no number, no file is kept, no \`Idempotency-Key\` is looked
at or used up, and nobody is told.

~~~http
POST /api/public/v3/divisions
Prefer: dry-run
Content-Type: application/json

{"name": "Aviation"}
~~~

The answer has the status 200 and \`Preference-Applied: dry-run\`. It is the whole answer that the request would get,
and beside it \`changes\`: what would change, as the ledger would tell it, without what the key may not read. Where there would be
no body, it is \`{"changes": […]}\`. What is refused is refused as ever. If nobody writes in between, the same request without the
header then makes these very changes, with these ids. Keys and secret addresses are left empty, and the addresses of new files
lead nowhere. Reads take no notice of it.`,
  'Two clocks': `Records know two times: the day on which something holds, and the moment at which it became known. \`as_of\` asks for a
day, \`known_at\` for a moment, and both together for what was believed at that moment about that day. A salary of 4,200
from 1 January was entered in January and corrected in March to 4,500, from 1 January as well:

    GET /employees/1?as_of=2026-02-01                        shows 4500.0
    GET /employees/1?as_of=2026-02-01&known_at=2026-02-28    shows 4200.0

\`known_at\` is on employees, their salaries, additional compensations, positions and employment statuses. It is a number
of the ledger, as \`Cadre-Ledger\` tells it with every answer (what \`known_at\` answers for a number it answers ever after, but
for people who were erased and data that was protected since; an answer without \`known_at\` has all up to its number, and perhaps
what was just being written; a number amid the changes of one request means all of them), a time like \`2026-02-28T17:00:00Z\`, or a date, which means the end of that day in the
account's time zone. Without \`as_of\` the day is that of the moment. It needs the permission \`audits:read\` too. Whoever was erased
is at no moment known. A moment that lies more than 200,000 changes of the records in question back is refused.`,
  'A copy of employees': EMPLOYEE_COPY,
  Compatibility: `Programs written for other versions of this interface run unchanged:

- **Prefixes.** \`/api/v3\` is the same as \`/api/public/v3\`. Under \`/api/public/v2\` and \`/api/public/v1\`, every read and
  \`POST /recruitment/candidates\` answer as they do under \`/api/public/v3\`, with the same permissions. Other writes need \`v3\`.
- **Lists of values.** A filter that takes one value takes several: \`state[]=pending&state[]=approved\`, or
  \`state=pending,approved\`, finds what has either.
- **Other names.** \`status\` and \`state\` are the same filter. \`manager_id\` is \`reporting_to_id\` in bodies. Where the
  reference says *also accepted as*, a field may be sent under that name. Under two names it must have the same value.
- **Built-in fields.** \`fields\` of an employee also holds \`employee_number\`, \`mobile_number\` and \`work_phone_number\`;
  \`custom_fields\` holds the custom fields alone.`,
}
