import { FOREVER } from '../../engine/dated.ts'
import { daysAfter, monthsAfter } from '../../engine/day.ts'
import {
  allAssignments,
  earlier,
  inForceOn,
  type LeaveTimeline,
  later,
  overtimeCredits,
  type PolicyTerms,
  timelineOn,
} from './entitlement.ts'
import { creditsOf } from './year-of-credits.ts'

/** A balance of leave is the sum of its postings. They are not stored: they follow from terms, service, leave and adjustments. */

/** Leave that is taken, or an adjustment. `source` says which. */
export type BalanceChange = {
  readonly day: string
  readonly amount: number
  readonly source?: { readonly kind: 'leave' | 'adjustment' | 'overtime'; readonly id: number; readonly state?: string }
}

export const POSTING_REASONS = [
  'credit',
  'recalculation',
  'above_maximum',
  'not_carried_over',
  'carry_over_expired',
  'employment_ended',
  'paid_out',
  'overtime',
  'overtime_expired',
  'adjustment',
  'leave',
] as const

export type Posting = {
  readonly day: string
  readonly reason: (typeof POSTING_REASONS)[number]
  readonly amount: number
  /** Policy and terms of a credit. */
  readonly policyId?: number
  readonly source?: BalanceChange['source']
}

/** What is left of the leave of one year, or of overtime, and the first day on which it can no longer be taken. */
type YearsLeave = { readonly year: number; left: number; expires: string; readonly isOvertime: boolean }

/** The balance as the sum of what is left of each year, oldest first, and of what is taken in advance. */
class Account {
  readonly years: YearsLeave[] = []
  #overdrawn = 0

  get balance(): number {
    return this.years.reduce((sum, { left }) => sum + left, 0) - this.#overdrawn
  }

  /** Overtime that expires is kept apart. */
  add(amount: number, year: number, expires = FOREVER): void {
    const paid = Math.min(this.#overdrawn, amount)
    this.#overdrawn -= paid
    if (amount === paid) return
    const isOvertime = expires !== FOREVER
    const own = isOvertime ? undefined : this.years.find((one) => one.year === year && !one.isOvertime)
    if (own) own.left += amount - paid
    else this.years.push({ year, left: amount - paid, expires, isOvertime })
  }

  /** What expires first is taken first, and the oldest of what expires on the same day. */
  take(amount: number): void {
    this.#takeFrom(
      this.years.toSorted((a, b) => (a.expires < b.expires ? -1 : a.expires > b.expires ? 1 : 0)),
      amount,
    )
  }

  /** What was credited too much is taken back from the newest; from overtime only if nothing else is left. */
  takeBack(amount: number): void {
    const newest = this.years.toReversed()
    this.#takeFrom([...newest.filter((one) => !one.isOvertime), ...newest.filter((one) => one.isOvertime)], amount)
  }

  /** Takes back from overtime that was credited last. */
  takeBackOvertime(amount: number): void {
    const newest = this.years.toReversed()
    this.#takeFrom([...newest.filter((one) => one.isOvertime), ...newest.filter((one) => !one.isOvertime)], amount)
  }

  /** What is carried over at the end of a year: all but overtime, which expires on a day of its own. */
  get carriedOver(): number {
    return this.years.reduce((sum, one) => (one.isOvertime ? sum : sum + one.left), 0) - this.#overdrawn
  }

  loseCarriedOver(amount: number): void {
    this.#takeFrom(
      this.years.filter((one) => !one.isOvertime),
      amount,
    )
  }

  #takeFrom(years: readonly YearsLeave[], amount: number): void {
    let due = amount
    for (const one of years) {
      const taken = Math.min(one.left, due)
      one.left -= taken
      due -= taken
    }
    this.#overdrawn += due
  }
}

/** The first day on which leave of a year can no longer be taken. */
function expiryOf(year: number, terms: PolicyTerms | undefined): string {
  const { carry_over_until: lastDay = null, carry_over_months: months = null } = terms ?? {}
  return earlier(
    lastDay === null ? FOREVER : daysAfter(`${year + 1}-${lastDay}`, 1),
    months === null ? FOREVER : monthsAfter(`${year + 1}-01-01`, months),
  )
}

/** All postings until the end of a day, in order. Each employment starts at zero: what was left is no longer counted. */
export function postingsUntil(day: string, line: LeaveTimeline, movements: readonly BalanceChange[]): Posting[] {
  const { former, service } = line
  if (!former) return replay(day, line, movements).postings
  // If one employment follows the other at once, the day after the former one is the first day of the next.
  const last = former.service.until === service.from ? service.from : daysAfter(service.from, -1)
  const earlierOnes = movements.filter((one) => one.day < service.from)
  const before = postingsUntil(earlier(day, last), former, earlierOnes)
  if (day < service.from) return before
  const left = before.reduce((sum, { amount }) => sum + amount, 0)
  const ended: Posting[] = left === 0 ? [] : [{ day: service.from, reason: 'employment_ended', amount: -left }]
  return [...before, ...ended, ...replay(day, line, changesIn(line, service.from, movements)).postings]
}

/** Changes in the employment of a day. */
export function changesIn(
  line: LeaveTimeline,
  day: string,
  movements: readonly BalanceChange[],
): readonly BalanceChange[] {
  if (!line.former) return movements
  const own = timelineOn(line, day)
  return movements.filter((one) => timelineOn(line, one.day) === own)
}

/**
 * Goes through all days of an employment until the end of one. On a day, what is not carried over or expires goes first, then comes what is
 * credited, then leave and adjustments.
 */
function replay(day: string, line: LeaveTimeline, movements: readonly BalanceChange[]) {
  const begins = line.assignments[0]?.from
  const account = new Account()
  const postings: Posting[] = []
  if (begins === undefined || day < begins) return { account, postings }
  // What was stored before the first assignment began counts from its first day.
  const inOrder = movements
    .map((one) => ({ ...one, day: later(one.day, begins) }))
    .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
  const post = (posting: Posting) => {
    if (posting.amount !== 0) postings.push(posting)
  }
  const overtime = overtimeCredits(line)
  const overtimeOn = Map.groupBy(overtime, (one) => one.day)
  let at = 0
  for (let year = Number(begins.slice(0, 4)); year <= Number(day.slice(0, 4)); year++) {
    const firstDay = `${year}-01-01`
    if (begins < firstDay) closeYear(year - 1, line, account, post)
    const credits = creditsOf(line, year)
    const lastDay = earlier(day, `${year}-12-31`)
    const turns = new Set(credits.days())
    const days = new Set([
      ...turns,
      ...account.years.map(({ expires }) => expires),
      ...inOrder.slice(at).map((one) => one.day),
      ...overtime.flatMap((one) => [one.day, one.expires]),
    ])
    let credited = 0
    for (const today of [...days].filter((one) => one >= later(firstDay, begins) && one <= lastDay).sort()) {
      expire(today, line, account, post)
      if (turns.has(today)) {
        const now = credits.until(today)
        credit(now - credited, today, { line, account, post, isDue: credits.isDue(today, credited), year })
        credited = now
      }
      payOut(today, line, account, post)
      for (const { amount, expires, policyId, id } of overtimeOn.get(today) ?? []) {
        const source = { kind: 'overtime', id } as const
        account.add(amount, year, expires)
        post({ day: today, reason: 'overtime', amount, policyId, source })
        cap(amount, today, { line, account, post, source })
      }
      for (let next = inOrder[at]; next && next.day <= today; next = inOrder[++at]) {
        if (next.amount > 0) account.add(next.amount, year)
        else account.take(-next.amount)
        post({
          day: today,
          reason: next.source?.kind ?? 'adjustment',
          amount: next.amount,
          ...(next.source ? { source: next.source } : {}),
        })
      }
    }
  }
  return { account, postings }
}

type Post = (posting: Posting) => void

/** The terms of the last day of a year say what is carried over, and until when; where nothing is in force, all stays. */
function closeYear(year: number, line: LeaveTimeline, account: Account, post: Post): void {
  const terms = inForceOn(line, `${year}-12-31`)?.terms
  const limit = isPaidOut(`${year + 1}-01-01`, line) ? null : (terms?.carry_over_limit ?? null)
  const excess = limit === null ? 0 : Math.max(0, account.carriedOver - limit)
  account.loseCarriedOver(excess)
  post({ day: `${year + 1}-01-01`, reason: 'not_carried_over', amount: -excess })
  const own = account.years.find((one) => one.year === year && !one.isOvertime)
  if (own) own.expires = expiryOf(year, terms)
}

/** After the last day of employment, nothing expires. */
function expire(today: string, line: LeaveTimeline, account: Account, post: Post): void {
  for (const one of account.years) {
    if (one.expires !== today || !inForceOn(line, today)) continue
    post({ day: today, reason: one.isOvertime ? 'overtime_expired' : 'carry_over_expired', amount: -one.left })
    one.left = 0
  }
}

function credit(
  amount: number,
  today: string,
  {
    line,
    account,
    post,
    isDue,
    year,
  }: { line: LeaveTimeline; account: Account; post: Post; isDue: boolean; year: number },
): void {
  const now = inForceOn(line, today)
  const policyId = now ? { policyId: now.assignment.policyId } : {}
  if (amount > 0) account.add(amount, year)
  else account.takeBack(-amount)
  post({ day: today, reason: amount > 0 && isDue ? 'credit' : 'recalculation', amount, ...policyId })
  cap(amount, today, { line, account, post })
}

/** Is the rest paid out on a day? It is the day after the last day of employment, whose terms say so. */
const isPaidOut = (today: string, line: LeaveTimeline): boolean => {
  const now = today === line.service.until ? inForceOn(line, daysAfter(today, -1)) : undefined
  return now?.terms.on_leaving === 'paid_out' && now.assignment.type !== 'external'
}

function payOut(today: string, line: LeaveTimeline, account: Account, post: Post): void {
  if (!isPaidOut(today, line) || account.balance <= 0) return
  const rest = account.balance
  account.take(rest)
  const policyId = inForceOn(line, daysAfter(today, -1))?.assignment.policyId
  post({ day: today, reason: 'paid_out', amount: -rest, ...(policyId === undefined ? {} : { policyId }) })
}

/** What a credit adds above the maximum balance is lost. */
function cap(
  amount: number,
  today: string,
  { line, account, post, source }: { line: LeaveTimeline; account: Account; post: Post; source?: Posting['source'] },
): void {
  const now = inForceOn(line, today)
  const maximum = now?.terms.maximum_balance ?? null
  if (!now || maximum === null || amount <= 0) return
  const excess = Math.max(0, Math.min(amount, account.balance - maximum))
  if (source) account.takeBackOvertime(excess)
  else account.takeBack(excess)
  const ofOvertime = source ? { source } : {}
  post({ day: today, reason: 'above_maximum', amount: -excess, policyId: now.assignment.policyId, ...ofOvertime })
}

/** The balances at the end of some days, which come in order. */
export function balancesOn(
  days: readonly string[],
  line: LeaveTimeline,
  movements: readonly BalanceChange[],
): number[] {
  const last = days.at(-1)
  const postings = last === undefined ? [] : postingsUntil(last, line, movements)
  let at = 0
  let balance = 0
  return days.map((day) => {
    for (let next = postings[at]; next && next.day <= day; next = postings[++at]) balance += next.amount
    return balance
  })
}

export const balanceOn = (day: string, line: LeaveTimeline, movements: readonly BalanceChange[]): number =>
  balancesOn([day], line, movements)[0] as number

type FloorOnDay = { day: string; balance: number; floor: number }

/** The days from one on that matter for whether a balance falls below the floor, as far as anything is known to happen. */
function floorsFrom(line: LeaveTimeline, from: string, movements: readonly BalanceChange[]): FloorOnDay[] {
  const { former, service } = line
  if (former && from < service.from) {
    const before = floorsFrom(former, from, movements).filter(({ day }) => day < service.from)
    return [...before, ...floorsFrom(line, service.from, movements)]
  }
  const turns = line.assignments.flatMap(({ from, until, terms }) => [from, until, ...terms.map((one) => one.from)])
  const overtime = line.overtime.map(({ day }) => day)
  // Leave for hours worked comes at the end of their month.
  const worked = line.worked.slice(-1).map(({ day }) => daysAfter(monthsAfter(`${day.slice(0, 7)}-01`, 1), -1))
  const known = [from, ...movements.map(({ day }) => day), ...overtime, ...worked, ...turns, line.service.until]
  const until =
    known
      .filter((day) => day < FOREVER)
      .sort()
      .at(-1) ?? from
  const postings = postingsUntil(later(from, until), line, movements)
  const days = [...new Set([...known, ...postings.map(({ day }) => day)])].filter((day) => day >= from && day < FOREVER)
  let at = 0
  let balance = 0
  return days.sort().flatMap((day) => {
    for (let next = postings[at]; next && next.day <= day; next = postings[++at]) balance += next.amount
    // After the last day of an assignment its floor still holds: what was credited ahead is taken back there.
    const assignment = line.assignments.findLast((one) => one.from <= day)
    const terms = assignment?.terms.findLast((one) => one.from <= day)
    return assignment && terms && assignment.type !== 'external' ? { day, balance, floor: terms.floor } : []
  })
}

/** The first day from one on whose balance lies below the floor then in force, as far as anything is known to happen. */
export const firstShortfall = (
  line: LeaveTimeline,
  from: string,
  movements: readonly BalanceChange[],
): FloorOnDay | undefined => floorsFrom(line, from, movements).find(({ balance, floor }) => balance < floor)

/** Far more than any balance. */
const MOST_AVAILABLE = 1e12

/** How much more can be taken on a day without leading below the floor, then or on a later day; null if nothing limits it. */
export function availableOn(day: string, line: LeaveTimeline, movements: readonly BalanceChange[]): number | null {
  const floors = floorsFrom(line, day, movements)
  const [first] = floors
  if (!first) return null
  let possible = Math.max(0, Math.min(...floors.map(({ balance, floor }) => balance - floor)))
  let tooMuch = Math.max(possible, first.balance - first.floor) + 1
  const canBeLost = allAssignments(line).some(({ terms }) =>
    terms.some(
      (one) =>
        one.on_leaving === 'paid_out' ||
        [
          one.carry_over_limit,
          one.carry_over_until,
          one.carry_over_months,
          one.maximum_balance,
          one.overtime_months,
        ].some((rule) => rule !== null),
    ),
  )
  const isPossible = (amount: number) => !firstShortfall(line, day, [...movements, { day, amount: -amount }])
  // What is taken cannot be lost later, so more may be possible than what is left after that.
  while (canBeLost && tooMuch < MOST_AVAILABLE && isPossible(tooMuch)) [possible, tooMuch] = [tooMuch, tooMuch * 2]
  while (canBeLost && possible + 1 < tooMuch) {
    const amount = Math.floor((possible + tooMuch) / 2)
    if (isPossible(amount)) possible = amount
    else tooMuch = amount
  }
  return possible
}

/** Of overtime, too, a part can be above the maximum. */
const isOvertime = ({ source, reason }: Posting) =>
  reason === 'overtime' || (reason === 'above_maximum' && source?.kind === 'overtime')
const isCredit = (one: Posting) => ['credit', 'recalculation', 'above_maximum'].includes(one.reason) && !isOvertime(one)

/** For some years, in order: what is carried over, what the year gives, and the balance at its end. */
export function yearEnds(years: readonly number[], line: LeaveTimeline, movements: readonly BalanceChange[]) {
  const postings = postingsUntil(`${years.at(-1)}-12-31`, line, movements)
  return years.map((year) => {
    const [first, last] = [`${year}-01-01`, `${year}-12-31`]
    const sum = (counts: (one: Posting) => boolean) =>
      postings.reduce((total, one) => (one.day <= last && counts(one) ? total + one.amount : total), 0)
    return {
      carried_over: sum((one) => one.day < first || one.reason === 'not_carried_over'),
      entitled: sum((one) => one.day >= first && isCredit(one)),
      balance: sum(() => true),
    }
  })
}

/** Where a balance comes from: figures of the calendar year of a day. */
export type YearFigures = {
  readonly carried_over: number
  readonly carry_over_expires: readonly { readonly on: string; readonly amount: number }[]
  readonly expired: number
  readonly paid_out: number
  readonly entitled: number
  readonly accrued: number
  readonly overtime: number
  readonly adjusted: number
  readonly taken: number
  readonly planned: number
  readonly pending: number
  readonly available: number | null
}

/** The figures of the year of a day, in the employment of that day: until then, apart from what the whole year gives and what lies ahead. */
export function figuresOn(day: string, line: LeaveTimeline, movements: readonly BalanceChange[]): YearFigures {
  const [firstDay, lastDay] = [`${day.slice(0, 4)}-01-01`, `${day.slice(0, 4)}-12-31`]
  const own = timelineOn(line, day)
  const changes = changesIn(line, day, movements)
  const { postings } = replay(lastDay, own, changes)
  const sum = (counts: (one: Posting) => boolean) =>
    postings.reduce((total, one) => (counts(one) ? total + one.amount : total), 0)
  const inYear = ({ day }: Posting) => day >= firstDay
  const isPast = (one: Posting) => inYear(one) && one.day <= day
  const isLeave = (one: Posting, isPending: boolean) =>
    one.reason === 'leave' && (one.source?.state === 'pending') === isPending
  const { account } = replay(day, own, changes)
  return {
    carried_over: sum((one) => !inYear(one) || one.reason === 'not_carried_over'),
    carry_over_expires: account.years
      .filter(({ left, expires }) => left > 0 && expires > day && expires < FOREVER)
      .map(({ left, expires }) => ({ on: expires, amount: left })),
    expired: -sum((one) => isPast(one) && ['carry_over_expired', 'overtime_expired'].includes(one.reason)),
    paid_out: -sum((one) => isPast(one) && one.reason === 'paid_out'),
    entitled: sum((one) => inYear(one) && isCredit(one)),
    accrued: sum((one) => isPast(one) && isCredit(one)),
    overtime: sum((one) => isPast(one) && isOvertime(one)),
    adjusted: sum((one) => isPast(one) && one.reason === 'adjustment'),
    taken: -sum((one) => isPast(one) && isLeave(one, false)),
    planned: -sum((one) => inYear(one) && !isPast(one) && isLeave(one, false)),
    pending: -sum((one) => inYear(one) && isLeave(one, true)),
    available: availableOn(day, line, movements),
  }
}
