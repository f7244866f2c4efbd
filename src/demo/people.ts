import { countDays, daysAfter } from '../engine/day.ts'
import type { DemoCompany } from './company.ts'
import {
  type CareerLevel,
  type DemoDepartment,
  PATTERNS,
  type PatternName,
  TERMINATIONS,
  UNITS,
} from './organisation.ts'
import { type DemoLocation, type Gender, HOME, mailOf, PLACES } from './places.ts'

/** Somebody of the company as the story knows them. The service gives them their id when they are put on file. */
export type DemoPerson = {
  id: number
  /** Their place in the plan: what is drawn for them follows from it. */
  n: number
  first: string
  last: string
  gender: Gender
  place: DemoLocation
  bornOn: string
  unit: DemoDepartment
  pattern: PatternName
  hiredOn: string
  /** What they do from each of these days on, in order. */
  jobs: { from: string; level: CareerLevel; position: string; isHead: boolean }[]
  /** Whom they report to from each of these days on, in order. */
  managers: { from: string; manager: DemoPerson }[]
  /** A vacancy is to find them: then it is recruitment that puts them on file. */
  isSought: boolean
  leaving: { on: string; type: string; reason: string } | null
  /** What is left to do when they go. */
  farewell: (() => Promise<unknown>)[]
  /** Days of leave, also of leave that was only asked for. */
  away: Set<string>
}

/** A person who is hired through a vacancy. */
export type PlannedHire = { unit: string; position: string; level: CareerLevel; place: DemoLocation; hiredOn: string }

const inForce = <T extends { from: string }>(entries: readonly T[], day: string) =>
  entries.findLast(({ from }) => from <= day) ?? entries[0]

export const jobOn = (person: DemoPerson, day: string) => inForce(person.jobs, day) as DemoPerson['jobs'][number]
export const managerOn = (person: DemoPerson, day: string) => inForce(person.managers, day)?.manager
export const nameOf = ({ first, last }: DemoPerson) => `${first} ${last}`
export const isHere = ({ hiredOn, leaving }: DemoPerson, day: string) =>
  hiredOn <= day && (!leaving || day < leaving.on)

/** The hours that somebody is to work on a day. */
export function hoursOn(company: DemoCompany, person: DemoPerson, day: string): number {
  if (!isHere(person, day) || !company.isWorkday(person.place, day)) return 0
  return PATTERNS[person.pattern].hours[new Date(`${day}T00:00:00Z`).getUTCDay() - 1] ?? 0
}

/** Draws each name once, for employees and candidates alike. */
export class NamePool {
  readonly #given = new Set<string>()

  draw({ chance }: DemoCompany, place: DemoLocation): { first: string; last: string; gender: Gender } {
    for (;;) {
      const gender = chance.of(['female', 'male'] as const)
      const [first, last] = [chance.of(place.first[gender]), chance.of(place.last)]
      const mail = mailOf(first, last, '')
      if (this.#given.has(mail)) continue
      this.#given.add(mail)
      return { first, last, gender }
    }
  }
}

/** The youngest age at which somebody comes to a level; others are up to nine years older. */
const AGES: Record<CareerLevel, number> = {
  Junior: 22,
  Professional: 26,
  Senior: 32,
  Lead: 34,
  Head: 38,
  Executive: 41,
}
const HEADS: Record<DemoDepartment['level'], CareerLevel> = {
  Company: 'Executive',
  Area: 'Executive',
  Department: 'Head',
  Team: 'Lead',
  Squad: 'Lead',
}

/** Nobody becomes an architect or leads customers through a change in their first job. */
function levelsFor(position: string): readonly CareerLevel[] {
  if (/architect|trainer/i.test(position)) return ['Senior']
  return /manager|partner/i.test(position)
    ? ['Professional', 'Senior']
    : ['Junior', 'Professional', 'Professional', 'Senior']
}

/** The unit whose head has left; the one who was there longest has taken over. */
const SUCCEEDED = 'Content'
const LEAVERS = 14
/** Nobody but those whom a vacancy finds has come later than this many days ago. */
const LATEST = 40

/** Who works at the company, and who has: from the top down, each after their manager. */
export class Staff {
  readonly people: DemoPerson[] = []
  readonly #heads = new Map<string, DemoPerson>()
  readonly #company: DemoCompany
  readonly #names: NamePool

  constructor(company: DemoCompany, names: NamePool, founded: string, sought: readonly PlannedHire[]) {
    this.#company = company
    this.#names = names
    for (const unit of UNITS) this.#appoint(unit, founded)
    for (const unit of UNITS) this.#fill(unit, sought)
    this.#succeed()
    this.#promote()
    this.#part()
  }

  /** The head of a unit today. */
  headOf(unit: string): DemoPerson {
    return this.people.find(
      (one) => one.unit.name === unit && jobOn(one, this.#company.today).isHead && !one.leaving,
    ) as DemoPerson
  }

  /** Those who are here today and stay. */
  get staying(): DemoPerson[] {
    return this.people.filter((one) => isHere(one, this.#company.today) && !one.leaving)
  }

  /** Somebody whose job is to recruit, as soon as there is one. */
  recruiterOn(day: string): DemoPerson {
    const recruiters = this.people.filter(
      (one) => one.jobs[0]?.position === 'Recruiter' && !one.leaving && isHere(one, day),
    )
    return recruiters.length > 0 ? this.#company.chance.of(recruiters) : this.headOf('People')
  }

  #add(
    unit: DemoDepartment,
    given: {
      hiredOn: string
      place: DemoLocation
      level: CareerLevel
      position: string
      isHead?: boolean
      isSought?: boolean
      pattern?: PatternName
    },
  ): DemoPerson {
    const { chance } = this.#company
    const { place, hiredOn, level, position, isHead = false, isSought = false, pattern = 'Five days' } = given
    const youngest = pattern === 'Half days' ? 20 : AGES[level]
    const head = isHead ? this.#heads.get(unit.under ?? '') : this.#heads.get(unit.name)
    const person: DemoPerson = {
      id: 0,
      n: this.people.length,
      ...this.#names.draw(this.#company, place),
      place,
      bornOn: daysAfter(hiredOn, -365 * youngest - chance.between(10, pattern === 'Half days' ? 1_500 : 3_300)),
      unit,
      pattern,
      hiredOn,
      jobs: [{ from: hiredOn, level, position, isHead }],
      managers: head ? [{ from: hiredOn, manager: head }] : [],
      isSought,
      leaving: null,
      farewell: [],
      away: new Set(),
    }
    this.people.push(person)
    return person
  }

  #appoint(unit: DemoDepartment, founded: string): void {
    const { chance } = this.#company
    const above = this.#heads.get(unit.under ?? '')
    const place = above ? this.#anyPlace() : HOME
    const from = above ? daysAfter(above.hiredOn, chance.between(20, 75)) : founded
    const hiredOn = this.#company.workday(place, from)
    this.#heads.set(
      unit.name,
      this.#add(unit, { hiredOn, place, level: HEADS[unit.level], position: unit.head, isHead: true }),
    )
  }

  #fill(unit: DemoDepartment, sought: readonly PlannedHire[]): void {
    const { chance } = this.#company
    const found = sought.filter((one) => one.unit === unit.name)
    let after = (this.#heads.get(unit.name) as DemoPerson).hiredOn
    for (let n = 0; n < unit.size - found.length; n++) {
      const place = this.#anyPlace()
      const position = chance.of(unit.positions)
      if (unit.name === SUCCEEDED && n === 0) {
        after = this.#company.workday(place, daysAfter(after, 15))
        this.#add(unit, { hiredOn: after, place, level: 'Senior', position })
        continue
      }
      const level = chance.of(levelsFor(position))
      const pattern = chance.percent(88) ? 'Five days' : level === 'Junior' ? 'Half days' : 'Four days'
      this.#add(unit, { hiredOn: this.#dayOfHiring(place, after), place, level, position, pattern })
    }
    for (const one of found) this.#add(unit, { ...one, isSought: true })
  }

  /** Two in five are in the first place. */
  #anyPlace(): DemoLocation {
    return this.#company.chance.of([HOME, ...PLACES])
  }

  /** Well after somebody, and mostly at the beginning of a month. */
  #dayOfHiring(place: DemoLocation, after: string): string {
    const { chance } = this.#company
    const some = daysAfter(after, chance.between(14, countDays(after, this.#company.ago(LATEST + 31))))
    const next = daysAfter(`${some.slice(0, 7)}-01`, 31)
    return this.#company.workday(place, chance.percent(70) ? `${next.slice(0, 7)}-01` : some)
  }

  #succeed(): void {
    const on = monthOf(this.#company.ago(120))
    const [head, successor, ...others] = this.people.filter((one) => one.unit.name === SUCCEEDED) as [
      DemoPerson,
      DemoPerson,
      ...DemoPerson[],
    ]
    head.leaving = { on, type: 'Voluntary', reason: 'Career change' }
    successor.jobs.push({ from: on, level: 'Lead', position: head.unit.head, isHead: true })
    successor.managers.push({ from: on, manager: managerOn(head, on) as DemoPerson })
    for (const other of others) {
      if (other.hiredOn >= on) other.managers = []
      other.managers.push({ from: other.hiredOn >= on ? other.hiredOn : on, manager: successor })
    }
  }

  #promote(): void {
    const { chance } = this.#company
    const next: Partial<Record<CareerLevel, CareerLevel>> = { Junior: 'Professional', Professional: 'Senior' }
    for (const person of this.people) {
      const [first] = person.jobs as [DemoPerson['jobs'][number]]
      const level = next[first.level]
      const earliest = daysAfter(person.hiredOn, 400)
      const days = countDays(earliest, this.#company.ago(30))
      if (!level || person.pattern === 'Half days' || days < 1 || !chance.percent(50)) continue
      const from = this.#company.workday(person.place, monthOf(daysAfter(earliest, chance.between(0, days - 1))))
      person.jobs.push({ ...first, from, level })
    }
  }

  /** Some go, of those who have been here for a while; two have only given notice. */
  #part(): void {
    const { chance } = this.#company
    const old = this.people.filter(
      (one) =>
        one.hiredOn < this.#company.ago(480) &&
        one.jobs.length === 1 &&
        !one.jobs[0]?.isHead &&
        one.unit.name !== SUCCEEDED,
    )
    for (const [n, person] of chance.some(old, LEAVERS).entries()) {
      const type = n % 3 === 2 ? 'Involuntary' : 'Voluntary'
      const on = monthOf(n < 2 ? daysAfter(this.#company.today, 50) : this.#company.ago(3 + n * 22))
      person.leaving = { on, type, reason: chance.of(TERMINATIONS[type] as string[]) }
    }
  }
}

/** The first day of the month. */
export const monthOf = (day: string) => `${day.slice(0, 7)}-01`
