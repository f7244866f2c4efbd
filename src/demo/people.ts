import { countDays, daysAfter } from '../engine/day.ts'
import type { Company } from './company.ts'
import { type Level, PATTERNS, type Pattern, TERMINATIONS, UNITS, type Unit } from './organisation.ts'
import { type Gender, HOME, mailOf, PLACES, type Place } from './places.ts'

/** Somebody of the company as the story knows them. The service gives them their id when they are put on file. */
export type Person = {
  id: number
  /** Their place in the plan: what is drawn for them follows from it. */
  n: number
  first: string
  last: string
  gender: Gender
  place: Place
  bornOn: string
  unit: Unit
  pattern: Pattern
  hiredOn: string
  /** What they do from each of these days on, in order. */
  jobs: { from: string; level: Level; position: string; isHead: boolean }[]
  /** Whom they report to from each of these days on, in order. */
  managers: { from: string; manager: Person }[]
  /** A vacancy is to find them: then it is recruitment that puts them on file. */
  isSought: boolean
  leaving: { on: string; type: string; reason: string } | null
  /** What is left to do when they go. */
  farewell: (() => Promise<unknown>)[]
  /** Days of leave, also of leave that was only asked for. */
  away: Set<string>
}

/** Somebody whom a vacancy finds. */
export type Sought = { unit: string; position: string; level: Level; place: Place; hiredOn: string }

const inForce = <T extends { from: string }>(entries: readonly T[], day: string) =>
  entries.findLast(({ from }) => from <= day) ?? entries[0]

export const jobOn = (person: Person, day: string) => inForce(person.jobs, day) as Person['jobs'][number]
export const managerOn = (person: Person, day: string) => inForce(person.managers, day)?.manager
export const nameOf = ({ first, last }: Person) => `${first} ${last}`
export const isHere = ({ hiredOn, leaving }: Person, day: string) => hiredOn <= day && (!leaving || day < leaving.on)

/** The hours that somebody is to work on a day. */
export function hoursOn(company: Company, person: Person, day: string): number {
  if (!isHere(person, day) || !company.isWorkday(person.place, day)) return 0
  return PATTERNS[person.pattern].hours[new Date(`${day}T00:00:00Z`).getUTCDay() - 1] ?? 0
}

/** Names that are given once, to employees and candidates alike. */
export class Names {
  readonly #given = new Set<string>()

  draw({ chance }: Company, place: Place): { first: string; last: string; gender: Gender } {
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
const AGES: Record<Level, number> = { Junior: 22, Professional: 26, Senior: 32, Lead: 34, Head: 38, Executive: 41 }
const HEADS: Record<Unit['level'], Level> = {
  Company: 'Executive',
  Area: 'Executive',
  Department: 'Head',
  Team: 'Lead',
  Squad: 'Lead',
}

/** Nobody becomes an architect or leads customers through a change in their first job. */
function levelsFor(position: string): readonly Level[] {
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
  readonly people: Person[] = []
  readonly #heads = new Map<string, Person>()
  readonly #company: Company
  readonly #names: Names

  constructor(company: Company, names: Names, founded: string, sought: readonly Sought[]) {
    this.#company = company
    this.#names = names
    for (const unit of UNITS) this.#appoint(unit, founded)
    for (const unit of UNITS) this.#fill(unit, sought)
    this.#succeed()
    this.#promote()
    this.#part()
  }

  /** The head of a unit today. */
  headOf(unit: string): Person {
    return this.people.find(
      (one) => one.unit.name === unit && jobOn(one, this.#company.today).isHead && !one.leaving,
    ) as Person
  }

  /** Those who are here today and stay. */
  get staying(): Person[] {
    return this.people.filter((one) => isHere(one, this.#company.today) && !one.leaving)
  }

  /** Somebody whose job is to recruit, as soon as there is one. */
  recruiterOn(day: string): Person {
    const recruiters = this.people.filter(
      (one) => one.jobs[0]?.position === 'Recruiter' && !one.leaving && isHere(one, day),
    )
    return recruiters.length > 0 ? this.#company.chance.of(recruiters) : this.headOf('People')
  }

  #add(
    unit: Unit,
    given: {
      hiredOn: string
      place: Place
      level: Level
      position: string
      isHead?: boolean
      isSought?: boolean
      pattern?: Pattern
    },
  ): Person {
    const { chance } = this.#company
    const { place, hiredOn, level, position, isHead = false, isSought = false, pattern = 'Five days' } = given
    const youngest = pattern === 'Half days' ? 20 : AGES[level]
    const head = isHead ? this.#heads.get(unit.under ?? '') : this.#heads.get(unit.name)
    const person: Person = {
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

  #appoint(unit: Unit, founded: string): void {
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

  #fill(unit: Unit, sought: readonly Sought[]): void {
    const { chance } = this.#company
    const found = sought.filter((one) => one.unit === unit.name)
    let after = (this.#heads.get(unit.name) as Person).hiredOn
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
  #anyPlace(): Place {
    return this.#company.chance.of([HOME, ...PLACES])
  }

  /** Well after somebody, and mostly at the beginning of a month. */
  #dayOfHiring(place: Place, after: string): string {
    const { chance } = this.#company
    const some = daysAfter(after, chance.between(14, countDays(after, this.#company.ago(LATEST + 31))))
    const next = daysAfter(`${some.slice(0, 7)}-01`, 31)
    return this.#company.workday(place, chance.percent(70) ? `${next.slice(0, 7)}-01` : some)
  }

  #succeed(): void {
    const on = monthOf(this.#company.ago(120))
    const [head, successor, ...others] = this.people.filter((one) => one.unit.name === SUCCEEDED) as [
      Person,
      Person,
      ...Person[],
    ]
    head.leaving = { on, type: 'Voluntary', reason: 'Career change' }
    successor.jobs.push({ from: on, level: 'Lead', position: head.unit.head, isHead: true })
    successor.managers.push({ from: on, manager: managerOn(head, on) as Person })
    for (const other of others) {
      if (other.hiredOn >= on) other.managers = []
      other.managers.push({ from: other.hiredOn >= on ? other.hiredOn : on, manager: successor })
    }
  }

  #promote(): void {
    const { chance } = this.#company
    const next: Partial<Record<Level, Level>> = { Junior: 'Professional', Professional: 'Senior' }
    for (const person of this.people) {
      const [first] = person.jobs as [Person['jobs'][number]]
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
