import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { daysAfter } from '../../src/engine/day.ts'
import { fc } from '../chance.ts'
import { type Answer, type Service, startService } from '../harness.ts'
import { rounds } from '../thorough.ts'

const LAST = 14
const TODAY = 8
const day = (n: number) => daysAfter('2036-01-01', n)
let service: Service
before(async () => {
  service = await startService({ clock: () => new Date(`${day(TODAY)}T12:00:00Z`) })
  await service.make('/locations', { name: 'Porto' })
})
after(() => service.stop())

type Issue = { id: number; asset: number; user: number; from: number; to: number | null }
type Loss = Omit<Issue, 'user'> & { ended?: number | undefined; planned?: number | null | undefined }
type World = { issues: Issue[]; losses: Loss[]; retired: Map<number, number | null> }

/**
 * The naive model: days have an evening, and whoever has the asset then has it on that day. Between two evenings it can
 * change hands, so that what begins and ends on one day is with nobody in the evening, but still between two others.
 */
const endOf = (to: number | null) => to ?? LAST + 1
const isOn = ({ from, to }: { from: number; to: number | null }, n: number) => from <= n && n < endOf(to)

/** Would two hold the asset on an evening, or one begin and end while the other has it? */
function isTorn(one: { from: number; to: number | null }, other: { from: number; to: number | null }): boolean {
  for (let n = 0; n <= LAST; n++) if (isOn(one, n) && isOn(other, n)) return true
  const isInside = (a: typeof one, b: typeof one) => a.from === a.to && b.from < a.from && a.from < endOf(b.to)
  return isInside(one, other) || isInside(other, one)
}

/** Is there no evening on which an asset is in two places, but for what was booked before it was lost? */
function isSound({ issues, losses, retired }: World, past: World): boolean {
  const endOfUse = (asset: number) => endOf(retired.get(asset) ?? null)
  const stood = (issue: Issue, loss: Loss) =>
    loss.from < issue.from &&
    past.issues.some((one) => one.id === issue.id && one.asset === issue.asset && isTorn(one, loss))
  return (
    [...issues, ...losses].every(({ from, to }) => to === null || from <= to) &&
    issues.every(({ asset, to }) => endOf(to) <= endOfUse(asset)) &&
    losses.every(({ asset, from, to }) => from < endOfUse(asset) && (to ?? 0) <= endOfUse(asset)) &&
    issues.every((one, at) =>
      issues.slice(at + 1).every((other) => one.asset !== other.asset || !isTorn(one, other)),
    ) &&
    issues.every((one) => losses.every((loss) => one.asset !== loss.asset || !isTorn(one, loss) || stood(one, loss)))
  )
}

/** What becomes of the world when a loss is entered, changed or deleted; null when that is refused. */
function withLoss(world: World, before: Loss | null, after: Loss | null): World | null {
  const { asset } = (before ?? after) as Loss
  const retired = endOf(world.retired.get(asset) ?? null)
  const others = world.losses.filter((one) => one !== before)
  const own = world.issues.find((one) => one.id === before?.ended && one.asset === asset && one.to === before.from)
  const there = world.issues.filter((one) => one.asset === asset && one !== own)
  const unlost = own && { ...own, to: before?.planned ?? null }
  if (after) {
    const { from, to } = after
    const isPast = (one: Issue) => (one.from > from ? one.from : endOf(one.to)) <= TODAY
    const stood = (one: Issue) => before !== null && isTorn(one, before)
    if (from > TODAY || (to !== null && (to > TODAY || to < from))) return null
    if (from >= retired || (to ?? 0) > retired) return null
    if (others.some((one) => one.asset === asset && isTorn(one, after))) return null
    if (unlost && unlost.from > from && isTorn(unlost, after)) return null
    if (there.some((one) => isTorn(one, after) && isPast(one) && !stood(one))) return null
    if (before?.from === from && before.to === to) return world
  }
  const holder = after ? there.find((one) => one.from <= after.from && isTorn(one, after)) : undefined
  const isOwn = Boolean(after && unlost && !holder && isTorn(unlost, after))
  const given = unlost && (isOwn ? { ...unlost, to: (after as Loss).from } : unlost)
  const link = holder
    ? { ended: holder.id, planned: holder.to }
    : isOwn
      ? { ended: own?.id, planned: unlost?.to }
      : { ended: undefined, planned: undefined }
  const losses = after ? [...others, { ...after, ...link }] : others
  const isFree =
    own &&
    given &&
    endOf(given.to) <= retired &&
    there.every((one) => !isTorn(one, given)) &&
    losses.every((one) => one.asset !== asset || !isTorn(one, given) || (one.from < own.from && isTorn(one, own)))
  const issues = world.issues.map((one) => {
    if (one === own && isFree) return given
    return one === holder ? { ...one, to: (after as Loss).from } : one
  })
  return { ...world, issues, losses }
}

const kinds = [
  'issue',
  'issue',
  'issue',
  'redate',
  'return',
  'give',
  'move',
  'drop',
  'lose',
  'lose',
  'find',
  'relose',
  'unlose',
  'retire',
] as const
const action = fc.record({
  kind: fc.constantFrom(...kinds),
  pick: fc.nat(20),
  asset: fc.nat(1),
  user: fc.nat(2),
  from: fc.integer({ min: 0, max: LAST - 2 }),
  length: fc.option(fc.nat(6)),
})

/** Often somebody has an asset and it is lost at first: by chance alone a loss would seldom end anything. */
const at = { pick: 0, asset: 0, user: 0 }
const opening = fc.oneof(
  fc.constant([]),
  fc
    .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 3, max: TODAY }), fc.constantFrom(null, LAST - 3))
    .map(([from, lost, end]) => [
      { ...at, kind: 'issue' as const, from, length: end && end - from },
      { ...at, kind: 'lose' as const, from: lost, length: null },
    ]),
)

let count = 0

test('the holder on every day equals a naive model after random issues, returns, moves and losses', async () => {
  await fc.assert(
    fc.asyncProperty(opening, fc.array(action, { minLength: 1, maxLength: 12 }), async (first, more) => {
      const category = await service.make('/asset_categories', { name: `Kind ${++count}`, icon: 'fas fa-laptop' })
      const assets: number[] = []
      for (const code of [`A${count}`, `B${count}`]) {
        const made = { name: 'Laptop', code, asset_category_id: category.id, location_id: 1 }
        assets.push((await service.make('/assets', made)).id)
      }
      const people: number[] = []
      while (people.length < 3) people.push((await service.hire()).id)
      let world: World = { issues: [], losses: [], retired: new Map() }
      for (const { kind, pick, asset: which, user, from, length } of [...first, ...more]) {
        const asset = assets[which] as number
        const to = length === null ? null : Math.min(LAST - 1, from + length)
        const issue = world.issues[pick % Math.max(1, world.issues.length)]
        const loss = world.losses[pick % Math.max(1, world.losses.length)]
        const spell = (n: number | null) => (n === null ? null : day(n))
        const change = (id: number, json: object) => service.put(`/asset_assignments/${id}`, json)
        const withIssue = (next: Issue) => ({
          ...world,
          issues: world.issues.map((one) => (one.id === next.id ? next : one)),
        })
        let next: World | null
        let answer: Answer
        if (kind === 'issue') {
          const body = { asset_id: asset, user_id: people[user], issued_on: day(from), returned_on: spell(to) }
          answer = await service.post('/asset_assignments', body)
          const id = answer.body?.data?.id ?? 0
          next = { ...world, issues: [...world.issues, { id, asset, user: people[user] as number, from, to }] }
        } else if (kind === 'lose') {
          answer = await service.post(`/assets/${asset}/losses`, { lost_on: day(from), found_on: spell(to) })
          const made = { id: answer.body?.data?.id ?? 0, asset, from, to }
          next = withLoss(world, null, made)
        } else if (kind === 'retire') {
          answer = await service.put(`/assets/${asset}`, { retired_on: spell(to) })
          next = { ...world, retired: new Map(world.retired).set(asset, to) }
        } else if ((kind === 'find' || kind === 'relose' || kind === 'unlose') && loss) {
          const path = `/assets/${loss.asset}/losses/${loss.id}`
          if (kind === 'unlose') {
            answer = await service.delete(path)
            next = withLoss(world, loss, null)
          } else {
            const moved = kind === 'find' ? { ...loss, to } : { ...loss, from, to }
            const found_on = spell(to)
            answer = await service.put(path, kind === 'find' ? { found_on } : { lost_on: day(from), found_on })
            next = withLoss(world, loss, moved)
          }
        } else if (issue && kind === 'redate') {
          answer = await change(issue.id, { issued_on: day(from), returned_on: spell(to) })
          next = withIssue({ ...issue, from, to })
        } else if (issue && kind === 'return') {
          answer = await service.post(`/asset_assignments/${issue.id}/return`, { returned_on: day(from) })
          const isBack = issue.to !== null && issue.to <= from
          next = withIssue({ ...issue, to: from })
          if (isBack) {
            const { id, asset, to } = issue
            const wasLost = world.losses.some((one) => one.ended === id && one.asset === asset && one.from === to)
            assert.equal(answer.status, 409, answer.text)
            assert.match(answer.text, wasLost ? /was already lost on/ : /was already returned on/)
            continue
          }
        } else if (issue && kind === 'give') {
          answer = await change(issue.id, { user_id: people[user] })
          next = withIssue({ ...issue, user: people[user] as number })
        } else if (issue && kind === 'move') {
          answer = await change(issue.id, { asset_id: asset })
          next = withIssue({ ...issue, asset })
        } else if (issue && kind === 'drop') {
          answer = await service.delete(`/asset_assignments/${issue.id}`)
          next = { ...world, issues: world.issues.filter((one) => one !== issue) }
        } else continue
        const isRefused = next === null || !(kind.endsWith('lose') || kind === 'find' || isSound(next, world))
        assert.equal(answer.status >= 300, isRefused, `${kind} ${from} ${to}: ${answer.text}`)
        if (next && !isRefused) {
          assert.ok(isSound(next, next), 'the model is sound itself')
          world = next
        } else assert.equal(answer.status, 422, answer.text)
      }

      const isLostOn = (asset: number, n: number) => world.losses.some((one) => one.asset === asset && isOn(one, n))
      for (let n = 0; n <= LAST; n++) {
        const list = (await service.get(`/assets?asset_category_id=${category.id}&on=${day(n)}`)).body.data
        assert.deepEqual(
          list.map((one: any) => one.id),
          assets,
        )
        for (const shown of list) {
          const isLost = isLostOn(shown.id, n)
          const holders = world.issues.filter((one) => one.asset === shown.id && isOn(one, n) && !isLost)
          const retired = world.retired.get(shown.id) ?? null
          const state =
            retired !== null && retired <= n ? 'retired' : isLost ? 'lost' : holders.length ? 'assigned' : 'available'
          assert.ok(holders.length <= 1)
          assert.deepEqual([shown.holder?.id ?? null, shown.state], [holders[0]?.user ?? null, state], day(n))
        }
      }
      const some = TODAY + 2
      for (const person of people) {
        const theirs = (await service.get(`/employees/${person}/assets?on=${day(some)}`)).body.data
        const held = world.issues
          .filter((one) => one.user === person && isOn(one, some) && !isLostOn(one.asset, some))
          .map(({ asset }) => asset)
        assert.deepEqual(
          theirs.map((one: any) => one.id),
          held.sort((a, b) => a - b),
        )
      }
    }),
    { numRuns: rounds(12, 100) },
  )
})
