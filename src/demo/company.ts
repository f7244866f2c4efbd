import type { Database } from '../database/database.ts'
import { commandLine } from '../domain/access/accounts.ts'
import { call } from '../engine/call/call.ts'
import type { Service } from '../engine/call/service.ts'
import { daysAfter } from '../engine/day.ts'
import type { Method, Operation } from '../engine/operation.ts'
import type { Account } from '../records/caller.ts'
import { dateIn } from '../records/reader.ts'
import type { DemoLocation } from './places.ts'
import { SeededRandom } from './seeded-random.ts'

/** Opens the service on a database, with a clock of the demo's own. */
export type Open = (needs: { database: Database; clock: () => Date }) => Service

/** A person who can act in the demo. They get an id when their record is created. */
export type DemoActor = { id: number }

/** An operation's place, whatever its parameters are called and hold. */
const placeOf = (method: Method, path: string) => `${method} ${path.replaceAll(/\{\w+\}|(?<=\/)\d+/g, '*')}`

const formatters = new Map<string, Intl.DateTimeFormat>()
const offsets = new Map<string, number>()

/** Minutes after midnight somewhere, as a moment. Clocks change at night, so that the offset of noon is that of the day. */
export function momentAt(zone: string, day: string, minutes: number): number {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const key = `${zone} ${day}`
  const offset = offsets.get(key) ?? offsetAt(zone, midnight + 12 * 3_600_000)
  offsets.set(key, offset)
  return midnight + (minutes - offset) * 60_000
}

/** By how many minutes clocks somewhere are ahead of UTC at a moment. */
function offsetAt(timeZone: string, at: number): number {
  const known = formatters.get(timeZone)
  const formatter = known ?? new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  formatters.set(timeZone, formatter)
  return (Date.parse(`${formatter.format(at).replace(' ', 'T')}Z`) - at) / 60_000
}

type ScheduledEvent = { at: number; act: () => Promise<unknown> }

/**
 * The story of a company, told to the service by its own operations in the order in which it happened, while the
 * service's clock shows the time at which it did.
 */
export class DemoCompany {
  readonly today: string
  /** The moment at which the story is told. */
  readonly now: Date
  /** One generator for all areas: what is planned in the same order is the same every time. */
  readonly chance = new SeededRandom(42)
  readonly #service: Service
  readonly #operations: Map<string, Operation>
  readonly #account: Account
  readonly #events: ScheduledEvent[] = []
  readonly #ids = new Map<string, number>()
  readonly #free = new Map<string, Set<string>>()
  #time: Date
  #calls = 0

  constructor(open: Open, database: Database, account: Account, now: Date) {
    this.#account = account
    this.#time = now
    this.now = now
    this.#service = open({ database, clock: () => this.#time })
    this.#operations = new Map(this.#service.operations.map((one) => [placeOf(one.method, one.path), one]))
    this.today = dateIn(account.time_zone, now)
  }

  ago(days: number): string {
    return daysAfter(this.today, -days)
  }

  /** Plans something for a day that is over, at an hour where the account is. What is at the same time keeps its order. */
  on(day: string, hour: number, act: ScheduledEvent['act']): void {
    if (day >= this.today) throw new Error(`${day} is not in the past`)
    this.#events.push({ at: momentAt(this.#account.time_zone, day, hour * 60), act })
  }

  /** Plans what is the last of all. */
  atLast(act: ScheduledEvent['act']): void {
    this.#events.push({ at: this.now.getTime(), act })
  }

  /** When today began where the account is. */
  get midnight(): number {
    return momentAt(this.#account.time_zone, this.today, 0)
  }

  /** Whether a moment was before today. */
  isOver(at: string): boolean {
    return Date.parse(at) < this.midnight
  }

  /** Lets everything happen that is planned, and says which year it is in. */
  async live(onYear: (year: number) => void): Promise<void> {
    let year = 0
    for (const { at, act } of this.#events.sort((a, b) => a.at - b.at)) {
      this.#time = new Date(at)
      const now = this.#time.getUTCFullYear()
      if (year !== now) onYear(now)
      year = now
      await act()
    }
  }

  /** Calls an operation, on somebody's behalf. Nothing that the demo does may be refused, nor ignored in part. */
  async send<Answer = any>(method: Method, path: string, body: object = {}, by?: DemoActor): Promise<Answer> {
    const [place = '', search] = path.split('?')
    const { operation, params } = this.#find(method, place)
    const query = search ? Object.fromEntries(new URLSearchParams(search)) : {}
    const own = `demo-${++this.#calls}`
    const caller = {
      ...commandLine(this.#account),
      ...(by ? { actor: { kind: 'person', id: by.id } as const, personId: by.id } : {}),
      requestId: own,
      correlationId: own,
    }
    try {
      const { payload } = await call(this.#service, operation, caller, { params, query, body, isStrict: true })
      const answer = JSON.parse(payload ?? 'null')
      if (answer?.errors?.count > 0) throw new Error(JSON.stringify(answer.errors.data[0]))
      return answer
    } catch (error) {
      throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${(error as Error).message}`, { cause: error })
    }
  }

  /** Creates a record; one that has a name is known by it from then on. */
  async add<Made extends { id: number }>(path: string, body: object, by?: DemoActor): Promise<Made> {
    const { data } = await this.send<{ data: Made }>('POST', path, body, by)
    if ('name' in body) this.#ids.set(`${path} ${body.name}`, data.id)
    return data
  }

  /** The id of a record that was created under a path by this name. */
  id(path: string, name: string): number {
    const id = this.#ids.get(`${path} ${name}`)
    if (id === undefined) throw new Error(`There is no ${name} in ${path}`)
    return id
  }

  #find(method: Method, path: string) {
    const operation = this.#operations.get(placeOf(method, path))
    if (!operation) throw new Error(`There is no operation ${method} ${path}`)
    const values = path.match(/(?<=\/)\d+/g) ?? []
    const names = operation.path.match(/(?<=\{)\w+/g) ?? []
    return { operation, params: Object.fromEntries(names.map((name, n) => [name, values[n]])) }
  }

  /** Days on which nobody works at a place, besides weekends. */
  setHolidays({ code }: DemoLocation, days: Iterable<string>): void {
    this.#free.set(code, new Set(days))
  }

  isWorkday({ code }: DemoLocation, day: string): boolean {
    return new Date(`${day}T00:00:00Z`).getUTCDay() % 6 !== 0 && !this.#free.get(code)?.has(day)
  }

  /** The day itself if it is worked at the place, else the next one that is, or the one before. */
  workday(place: DemoLocation, day: string, step: 1 | -1 = 1): string {
    let found = day
    while (!this.isWorkday(place, found)) found = daysAfter(found, step)
    return found
  }
}
