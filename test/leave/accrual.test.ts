import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type BalanceChange,
  balanceOn,
  balancesOn,
  firstShortfall,
  type LeaveTimeline,
  type PolicyTerms,
} from '../../src/domain/leave/accrual.ts'
import { fc } from '../chance.ts'
import { rounds } from '../thorough.ts'

const date = (n: number) => new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10)
const LAST = 1300
/** Any day, and often one of the same few weeks, so that much happens within a month. */
const day = fc.oneof(fc.integer({ min: 0, max: LAST }), fc.integer({ min: 520, max: 560 }))

const someTerms = fc.record({
  counted_as: fc.constant('working_days'),
  yearly_amount: fc.integer({ min: 0, max: 400_000 }),
  credit: fc.constantFrom('monthly', 'yearly'),
  carry_over_limit: fc.option(fc.integer({ min: 0, max: 100_000 })),
  floor: fc.integer({ min: -60_000, max: 0 }),
})

/** Terms that follow each other from the beginning of time. */
const termsInOrder = fc
  .tuple(someTerms, fc.uniqueArray(fc.tuple(day, someTerms), { maxLength: 2, selector: ([n]) => n }))
  .map(([first, further]): PolicyTerms[] => {
    const all = [
      { from: '1900-01-01', ...first },
      ...further.sort(([a], [b]) => a - b).map(([n, terms]) => ({ from: date(n), ...terms })),
    ]
    return all.map((one, n) => ({ ...one, until: all[n + 1]?.from ?? '9999-12-31' }))
  })

const line = fc
  .record({
    begins: fc.uniqueArray(day, { minLength: 1, maxLength: 3 }),
    ends: fc.array(fc.option(fc.integer({ min: 1, max: 600 })), { minLength: 3, maxLength: 3 }),
    types: fc.array(fc.constantFrom('accrual', 'accrual', 'manual', 'external'), { minLength: 3, maxLength: 3 }),
    terms: fc.array(termsInOrder, { minLength: 3, maxLength: 3 }),
    hired: fc.option(day),
    stays: fc.option(fc.integer({ min: 1, max: 900 })),
  })
  .map(({ begins, ends, types, terms, hired, stays }): LeaveTimeline => {
    const inOrder = begins.sort((a, b) => a - b)
    return {
      holdings: inOrder.map((n, index) => {
        const length = ends[index] ?? null
        const next = inOrder[index + 1]
        const until = length === null ? 100_000 : n + length
        const last = next === undefined ? until : Math.min(until, next)
        return {
          id: index,
          policyId: index,
          type: types[index] as string,
          from: date(n),
          until: last === 100_000 ? '9999-12-31' : date(last),
          terms: terms[index] as PolicyTerms[],
        }
      }),
      service: {
        from: hired === null ? '1900-01-01' : date(hired),
        until: stays === null ? '9999-12-31' : date((hired ?? 0) + stays),
      },
    }
  })

const movements = fc.array(fc.record({ n: day, amount: fc.integer({ min: -50_000, max: 50_000 }) }), { maxLength: 5 })

/** The naive model: every day by itself, in the order in which things happen. */
function naive(line: LeaveTimeline, moves: BalanceChange[]): Map<string, number> {
  const balances = new Map<string, number>()
  const holdingOn = (today: string) =>
    today >= line.service.from && today < line.service.until
      ? line.holdings.find(({ from, until }) => from <= today && today < until)
      : undefined
  const termsOn = (terms: readonly PolicyTerms[], today: string) =>
    terms.find(({ from, until }) => from <= today && today < until) as PolicyTerms
  const begins = line.holdings[0]?.from as string
  let carried = 0
  let year = ''
  /** What each month so far gave a twelfth of, or null. */
  let months: (number | null)[] = []
  let moved = 0
  let yesterday = ''
  for (let n = 0; n <= LAST; n++) {
    const today = date(n)
    if (today < begins) continue
    if (today.slice(0, 4) !== year) {
      if (year) {
        const held = holdingOn(yesterday)
        const limit = held ? termsOn(held.terms, yesterday).carry_over_limit : null
        carried = balances.get(yesterday) as number
        if (limit !== null) carried = Math.min(carried, limit)
      }
      year = today.slice(0, 4)
      months = Array.from({ length: Number(today.slice(5, 7)) - 1 }, () => null)
      moved = 0
    }
    const month = Number(today.slice(5, 7))
    if (months.length < month) months.push(null)
    const held = holdingOn(today)
    if (held && months[month - 1] === null) {
      const { yearly_amount } = termsOn(held.terms, `${today.slice(0, 8)}01`)
      months[month - 1] = held.type === 'accrual' ? (yearly_amount as number) : 0
    }
    for (const move of moves) if (move.day === today || (today === begins && move.day < today)) moved += move.amount
    // The months of the year so far, and those to come that are credited already.
    const given = [...months]
    const terms = held && termsOn(held.terms, today)
    if (held?.type === 'accrual' && terms?.credit === 'yearly')
      for (let next = month + 1; next <= 12; next++)
        if (`${year}-${String(next).padStart(2, '0')}-01` < line.service.until)
          given.push(terms.yearly_amount as number)
    const first = given.find((amount) => amount !== null) ?? 0
    let [sum, last, credited] = [0, first, 0]
    for (const amount of given) {
      const own = amount ?? last
      if (amount !== null) credited += Math.round((sum + own) / 12) - Math.round(sum / 12)
      sum += own
      last = own
    }
    balances.set(today, carried + credited + moved)
    yesterday = today
  }
  return balances
}

const NOTHING = { counted_as: 'working_days', carry_over_limit: null, floor: 0 }
const always = { from: '1900-01-01', until: '9999-12-31' }

test('balances equal a naive day-by-day replay for random terms, assignments and employments', () => {
  fc.assert(
    fc.property(line, movements, (one, moves) => {
      const moved = moves.map(({ n, amount }) => ({ day: date(n), amount }))
      const expected = naive(one, moved)
      const days = [...expected.keys()]
      assert.deepEqual(balancesOn(days, one, moved), [...expected.values()])
      const last = days.at(-1) as string
      assert.equal(balanceOn(last, one, moved), expected.get(last), 'also when nothing before it is asked for')
    }),
    { numRuns: rounds(40, 200) },
  )
})

test('the first day below the floor is the one a naive search finds', () => {
  fc.assert(
    fc.property(line, movements, day, (one, moves, from) => {
      const moved = moves.map(({ n, amount }) => ({ day: date(n), amount }))
      const naively = [...naive(one, moved)].find(([today, balance]) => {
        const holding = one.holdings.findLast((held) => held.from <= today)
        const terms = holding?.terms.findLast((some) => some.from <= today)
        return today >= date(from) && holding?.type !== 'external' && terms && balance < terms.floor
      })
      const found = firstShortfall(one, date(from), moved)
      assert.equal(found && found.day <= date(LAST) ? found.day : undefined, naively?.[0])
      if (naively) assert.equal(found?.balance, naively[1])
    }),
    { numRuns: rounds(50, 300) },
  )
})

test('rounding errors do not add up: ten years of 10 days in monthly parts are 100 days', () => {
  const terms = [{ ...always, ...NOTHING, yearly_amount: 100_000, credit: 'monthly' }]
  const holding = { id: 1, policyId: 1, type: 'accrual', from: '2024-01-01', until: '9999-12-31', terms }
  assert.equal(balanceOn('2033-12-31', { holdings: [holding], service: always }, []), 1_000_000)
})
