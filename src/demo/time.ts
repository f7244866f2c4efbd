import { countDays, daysAfter, daysFrom } from '../engine/day.ts'
import { type DemoCompany, momentAt } from './company.ts'
import { type DemoPerson, hoursOn, isHere, managerOn, monthOf, type Staff } from './people.ts'

/** Who books on which project, by their unit, and what they write. */
const PROJECTS = [
  {
    name: 'Website',
    emoji: '🌍',
    units: ['Web', 'Content', 'Marketing'],
    work: ['Checkout page', 'New landing page', 'Article about returns', 'Fixes after the release'],
  },
  {
    name: 'Mobile app',
    emoji: '📱',
    units: ['Mobile', 'Design'],
    work: ['Offline mode', 'Push notifications', 'Review of the store texts', 'Crash on old devices'],
  },
  {
    name: 'Internal tools',
    emoji: '🛠️',
    units: ['Platform', 'Data', 'Workplace'],
    work: ['Reports for Finance', 'Access requests', 'Backup test', 'Migration of the wiki'],
  },
]

const projectOf = ({ unit }: DemoPerson) => PROJECTS.find(({ units }) => units.includes(unit.name))

type CreatedProject = { records: { data: { employee_id: number; project_user_id: number }[] } }

/** The month in which everybody began to note their time: this one, or the one before while this one is young. */
export const monthOfTime = (today: string) => monthOf(daysAfter(today, -12))

/** Everybody notes their days; each week is entered on the next one's Monday, and the last days yesterday. */
export function planTime(company: DemoCompany, staff: Staff): void {
  const first = monthOfTime(company.today)
  planProjects(company, staff, first)
  const diary = new WorkDiary(company)
  const days = daysFrom(first, company.ago(1))
  const weeks = Map.groupBy(days, (day) => daysAfter(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7)))
  for (const [monday, week] of weeks) {
    const all = staff.people.map((person) => ({ person, entries: week.flatMap((day) => diary.dayOf(person, day)) }))
    const busy = all.filter(({ entries }) => entries.length > 0)
    const next = daysAfter(monday, 7)
    const [day, hour] = next < company.today ? [next, 5] : [company.ago(1), 23.95]
    for (let from = 0; from < busy.length; from += 50)
      company.on(day, hour, () => enter(company, busy.slice(from, from + 50)))
  }
  for (const person of staff.people) planOvertime(company, staff, person, first)
  planClocks(company, staff)
}

const HOUR = 3_600_000

/** Some of those who are at work now have a running clock. Where nearly nobody works, at night and on free days, people on call do. */
function planClocks(company: DemoCompany, staff: Staff): void {
  const { today, midnight } = company
  const now = company.now.getTime()
  const around = staff.people.filter((one) => isHere(one, company.ago(1)) && isHere(one, today) && !one.away.has(today))
  const atWork = around
    .map((person) => ({ person, from: momentAt(person.place.zone, today, 480 + (person.n % 7) * 10), comment: '' }))
    .filter(({ person, from }) => from <= now && now - from < 9 * HOUR && hoursOn(company, person, today) > 0)
    .filter((_, index) => index % 10 === 0)
  const onCall = around
    .filter((one) => one.unit.name === 'Platform' && atWork.every(({ person }) => person !== one))
    .map((person) => ({ person, from: Math.max(midnight, now - 8 * HOUR), comment: 'On call' }))
  const running = atWork.length >= 2 ? atWork : [...atWork, ...onCall].slice(0, 2)
  for (const { person, from, comment } of running) {
    const project = projectOf(person)
    company.atLast(() =>
      company.send(
        'POST',
        '/time/clocks',
        {
          employee_id: person.id,
          starts_at: new Date(from).toISOString(),
          project_id: project ? company.id('/time/projects', project.name) : null,
          comment,
        },
        person,
      ),
    )
  }
}

const OVERTIME = ['Release of the shop', 'Stocktaking', 'Fair in the evening', 'Call with another time zone']

/** Asked for on the day, and decided on one of the next by the manager; what was asked for last may still be open. */
function planOvertime(company: DemoCompany, staff: Staff, person: DemoPerson, first: string): void {
  const { chance } = company
  const isWanted = chance.percent(30)
  const date = company.ago(chance.between(1, countDays(first, company.ago(1))))
  const minutes = chance.between(2, 8) * 15
  const comment = chance.of(OVERTIME)
  const decision = company.workday(person.place, daysAfter(date, chance.between(1, 3)))
  const outcome = chance.percent(85) ? 'approve' : 'reject'
  if (!isWanted || date < first || hoursOn(company, person, date) === 0 || person.away.has(date)) return
  const decider = managerOn(person, decision) ?? staff.headOf('Company services')
  let path = ''
  company.on(date, 15, async () => {
    const made = await company.add(
      '/time/overtime_requests',
      { employee_id: person.id, date, minutes, comment },
      person,
    )
    path = `/time/overtime_requests/${made.id}`
  })
  if (decision >= company.today || !isHere(decider, decision)) return
  company.on(decision, 14, () => company.send('POST', `${path}/${outcome}`, {}, decider))
}

type TimeEntry = { starts_at: string; ends_at: string; type: string; comment: string; project: string | null }

async function enter(company: DemoCompany, some: { person: DemoPerson; entries: TimeEntry[] }[]): Promise<void> {
  const data = some.map(({ person, entries }) => ({
    employee_id: person.id,
    entries: entries.map(({ project, ...entry }) => ({
      ...entry,
      project_id: project && company.id('/time/projects', project),
    })),
  }))
  await company.send('POST', '/time/timesheet_entries/bulk', { data })
}

/** How people's days went: each has habits, and no day is like the one before. */
class WorkDiary {
  readonly #company: DemoCompany
  readonly #before = new Map<DemoPerson, string>()

  constructor(company: DemoCompany) {
    this.#company = company
  }

  /** Work, a break, work again; those who stay for half a day take none. */
  dayOf(person: DemoPerson, day: string): TimeEntry[] {
    const hours = hoursOn(this.#company, person, day)
    if (hours === 0 || person.away.has(day)) return []
    const { chance } = this.#company
    let times: number[]
    do {
      const start = 450 + (person.n % 7) * 15 + chance.between(-3, 4) * 5
      const noon = 700 + (person.n % 5) * 10 + chance.between(-2, 3) * 5
      const pause = hours > 6 ? 30 + (person.n % 3) * 10 + chance.between(0, 3) * 5 : 0
      const end = start + hours * 60 + pause + chance.between(-6, 6) * 5
      times = pause > 0 ? [start, noon, noon + pause, end] : [start, end]
    } while (times.join() === this.#before.get(person))
    this.#before.set(person, times.join())
    const project = projectOf(person)
    const comment = project && chance.percent(60) ? chance.of(project.work) : ''
    const at = (minutes: number) => new Date(momentAt(person.place.zone, day, minutes)).toISOString()
    const work = (from: number, to: number) => ({
      starts_at: at(from),
      ends_at: at(to),
      type: 'working',
      comment,
      project: project?.name ?? null,
    })
    // Far in the west of the account, yesterday may not be over.
    if (!this.#company.isOver(at(times.at(-1) as number))) return []
    const [start = 0, second = 0, third, end] = times
    if (third === undefined || end === undefined) return [work(start, second)]
    const pause = { starts_at: at(second), ends_at: at(third), type: 'break', comment: '', project: null }
    return [work(start, second), pause, work(third, end)]
  }
}

function planProjects(company: DemoCompany, staff: Staff, first: string): void {
  for (const project of PROJECTS) {
    const { name, emoji } = project
    const join = async (some: DemoPerson[]) => {
      const path = `/time/projects/${company.id('/time/projects', name)}/project_users`
      const { records } = await company.send<CreatedProject>('POST', path, { employee_ids: some.map(({ id }) => id) })
      for (const { employee_id, project_user_id } of records.data)
        some
          .find(({ id }) => id === employee_id)
          ?.farewell.push(() => company.send('DELETE', `${path}/${project_user_id}`))
    }
    const all = staff.people.filter((one) => projectOf(one) === project)
    company.on(daysAfter(first, -3), 9, async () => {
      await company.add('/time/projects', { name, emoji })
      await join(all.filter((one) => isHere(one, daysAfter(first, -3))))
    })
    for (const one of all)
      if (one.hiredOn > daysAfter(first, -3) && one.hiredOn < company.today)
        company.on(one.hiredOn, 10, () => join([one]))
  }
}
