import Type from 'typebox'
import type { Resource, Row } from '../../engine/declaration.ts'
import { MOST_OWNED } from '../../engine/derive.ts'
import { date, derived, hidden, longText, reference, told } from '../../engine/field.ts'
import type { FieldProblem } from '../../engine/problem.ts'
import { attempt, type Rule, rowsOf, storeChanges } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { inOrder } from '../../engine/rule.ts'
import type { Query, Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { employmentsOf, leaversAmong, leftAlready, whyNotEmployed } from '../organisation/staff.ts'
import { personCard } from '../people/person.ts'

/**
 * Where an asset is, day by day: with somebody, lost, or at hand. A day belongs to how it ends: on the day of its
 * return an asset is at hand again, or already with the next one, and on the day it is lost nobody has it any more.
 * What was booked for later stands while it is lost, and begins when it is found.
 */

const area = 'assets'

export const assetAssignments = resource(
  { table: 'asset_assignments', one: 'asset assignment', area, about: [{ column: 'user_id' }] },
  {
    asset_id: reference('assets', { required: true, part: true }),
    user_id: reference('employees', { required: true, fate: 'figure', show: () => personCard, as: 'user' }),
    user_id_shown: derived(Type.Integer(), ['user_id'], (row) => row.user_id, { as: 'user_id' }),
    issued_on: date({ required: true, note: 'First day of the assignment', example: '2024-02-01' }),
    returned_on: date({
      note: 'Date on which the asset is returned; it can be assigned again on the same day. Null: not returned yet',
      example: '2024-12-20',
    }),
  },
)

export const assetLosses = resource(
  { table: 'asset_losses', one: 'asset loss', area, path: '/assets/{asset_id}/losses' },
  {
    asset_id: reference('assets', { required: true, owner: true, part: true }),
    lost_on: date({ required: true, note: 'First day on which the asset is missing', example: '2023-05-02' }),
    found_on: date({
      note: 'Date on which the asset was found, and from which it can be assigned again; null while it is lost',
      example: '2023-05-09',
    }),
    note: longText({ group: 'notes', note: 'What happened', example: 'Left on the train to Porto' }),
    /** The assignment that it ended, and the end that this had before. */
    asset_assignment_id: hidden(reference('asset_assignments')),
    planned_return_on: hidden(date(), told('planned_return_on')),
  },
)

/** A range of days: the first day and the first day after it. */
type DayRange = readonly [first: string, over: string]
type CustodyPeriod = { from: string; to: string | null }

export const ISSUED = ['issued_on', 'returned_on'] as const
export const LOST = ['lost_on', 'found_on'] as const

/**
 * What holds on a day: it is not over, and not yet to begin. Said in this way, since nearly all have begun and few are
 * not over: it is by their end that they are found.
 */
export const holdingOn = (query: Query, [first, over]: DayRange, day: string): Query =>
  query.where((eb) => eb.or([eb(over, 'is', null), eb(over, '>', day)])).where((eb) => eb.not(eb(first, '>', day)))

/** Assignments by which somebody has an asset on a day: nobody has what is lost. */
export const heldOn = (query: Query, db: Reader, day: string): Query =>
  holdingOn(query, ISSUED, day).where('asset_id', 'not in', lostOn(db, day))

/** The assets that are lost on a day. */
export const lostOn = (db: Reader, day: string): Query =>
  holdingOn(db.from('asset_losses').select('asset_id'), LOST, day)

/** What cannot be beside a stretch: neither is over when the other begins. */
export function colliding(query: Query, [first, over]: DayRange, { from, to }: CustodyPeriod): Query {
  const lasting = query.where((eb) => eb.or([eb(over, 'is', null), eb(over, '>', from)]))
  return to === null ? lasting : lasting.where(first, '<', to)
}

/** The first record of an asset that cannot be beside a stretch, in words. */
async function inTheWay(query: Query, of: Resource, days: DayRange, assetId: number, stretch: CustodyPeriod) {
  const [first, over] = days
  const found = await colliding(query.where('asset_id', '=', assetId), days, stretch)
    .select(['id', `${first} as from`, `${over} as to`])
    .orderBy(first)
    .limit(1)
    .executeTakeFirst()
  return found && `${of.one} ${found.id}, from ${found.from}${found.to === null ? ' (no end date)' : ` to ${found.to}`}`
}

/** Can a rule look at these fields, or is something wrong with them already? */
const areSound = (problems: readonly FieldProblem[], ...names: string[]) =>
  !problems.some(({ field }) => names.includes(field))

/** Whoever has left by the day of the issue, or is not here yet, cannot be given anything. */
const hereOnIssue: Rule<typeof assetAssignments> = async ({ db, before, after, undone, fail }) => {
  const { user_id, issued_on } = after
  if (!user_id || !issued_on || (before?.user_id === user_id && before.issued_on === issued_on)) return
  const isGone = (await leaversAmong(db, [user_id], issued_on)).length > 0
  if (isGone && !(undone && (await leftAlready(db, user_id, undone, issued_on))))
    fail('user_id', 'terminated', `is an employee who has left by ${issued_on}`)
  const outside = whyNotEmployed((await employmentsOf(db, [user_id])).get(user_id), issued_on)
  if (outside && outside.code !== 'after_service' && !undone) fail('issued_on', 'too_early', outside.message)
}

/** One has it at a time, and nobody what is lost or out of use. What was booked before the loss may be moved in it. */
const oneAtATime: Rule<typeof assetAssignments> = async ({ db, before, after, problems, fail }) => {
  const { asset_id, issued_on: from, returned_on: to } = after
  if (!asset_id || !from || !areSound(problems, 'asset_id', ...ISSUED)) return
  const others = db.from('asset_assignments').where('id', '!=', after.id ?? 0)
  const known =
    before?.asset_id === asset_id ? await idsOf(colliding(lossesOf(db, asset_id), LOST, issueOf(before))) : []
  const losses = db
    .from('asset_losses')
    .where((eb) => eb.or([eb('id', 'not in', [0, ...known]), eb('lost_on', '>=', from)]))
  const obstacle =
    (await inTheWay(others, assetAssignments, ISSUED, asset_id, { from, to })) ??
    (await inTheWay(losses, assetLosses, LOST, asset_id, { from, to }))
  if (obstacle)
    fail(
      'issued_on',
      'overlap',
      `is not possible: the asset is not available then, because of ${obstacle}. Choose other dates`,
    )
  const asset = await db.from('assets').select('retired_on').where('id', '=', asset_id).executeTakeFirst()
  if (asset?.retired_on && (to === null || to > asset.retired_on))
    fail('returned_on', 'too_late', `must not be after ${asset.retired_on}, when the asset is retired`)
}

/** The history of an asset comes whole, and must stay short enough for that. */
const notTooMany: Rule<typeof assetAssignments> = async ({ db, before, after, fail }) => {
  if (!after.asset_id || after.asset_id === before?.asset_id) return
  const others = db
    .from('asset_assignments')
    .select('id')
    .where('id', '!=', after.id ?? 0)
  const own = others.where('asset_id', '=', after.asset_id).limit(MOST_OWNED)
  if ((await own.execute()).length >= MOST_OWNED)
    fail('asset_id', 'too_many', `already has ${MOST_OWNED} assignments, the maximum`)
}

export const assignmentRules = [inOrder(...ISSUED), hereOnIssue, oneAtATime, notTooMany]

const notInTheFuture: Rule<typeof assetLosses> = ({ db, changes, fail }) => {
  for (const name of LOST) if ((changes[name] ?? '') > db.today) fail(name, 'in_the_future', 'cannot be in the future')
}

/**
 * What is lost is with nobody: neither with somebody who brought it back since, nor with somebody who got it since. A
 * return or an issue that is only planned is not in the way, and what stood in the loss before may go on to.
 */
const withNobody: Rule<typeof assetLosses> = async ({ db, before, after, problems, fail }) => {
  const { asset_id, lost_on } = after
  if (!lost_on || !areSound(problems, ...LOST)) return
  const ended = await endedBy(db, before)
  const standing = before ? await idsOf(colliding(issuesOf(db, asset_id), ISSUED, lossOf(before))) : []
  const settled = db
    .from('asset_assignments')
    .where('id', 'not in', [0, ...standing])
    .where('issued_on', '<=', db.today)
    .where((eb) =>
      eb.or([
        eb('issued_on', '>', lost_on),
        eb.and([eb('returned_on', '<=', db.today), eb('id', '!=', ended?.id ?? 0)]),
      ]),
    )
  const others = db.from('asset_losses').where('id', '!=', after.id ?? 0)
  const obstacle =
    (await inTheWay(settled, assetAssignments, ISSUED, asset_id, lossOf(after))) ??
    (await inTheWay(others, assetLosses, LOST, asset_id, lossOf(after)))
  if (obstacle)
    fail(
      'lost_on',
      'overlap',
      `is not possible: until found_on, a lost asset cannot be with anybody, but there is ${obstacle}. Choose a later lost_on, send found_on, or change that record first`,
    )
}

/** What is out of use is neither lost nor found any more. */
const beforeRetirement: Rule<typeof assetLosses> = async ({ db, after, fail }) => {
  const { asset_id, lost_on, found_on } = after
  const asset = await db.from('assets').select('retired_on').where('id', '=', asset_id).executeTakeFirst()
  if (!asset?.retired_on) return
  const why = `${asset.retired_on}, when the asset is retired`
  if (lost_on && lost_on >= asset.retired_on) fail('lost_on', 'too_late', `must be before ${why}`)
  if (found_on && found_on > asset.retired_on) fail('found_on', 'too_late', `must not be after ${why}`)
}

export const lossRules = [inOrder(...LOST), notInTheFuture, withNobody, beforeRetirement]

type Assignment = Row<typeof assetAssignments>
type Loss = Row<typeof assetLosses>

const issueOf = ({ issued_on, returned_on }: Assignment): CustodyPeriod => ({ from: issued_on, to: returned_on })
const lossOf = ({ lost_on, found_on }: Loss): CustodyPeriod => ({ from: lost_on, to: found_on })
const issuesOf = (db: Reader, assetId: number) => db.from('asset_assignments').where('asset_id', '=', assetId)
const lossesOf = (db: Reader, assetId: number) => db.from('asset_losses').where('asset_id', '=', assetId)
const idsOf = async (query: Query): Promise<number[]> => (await query.select('id').execute()).map(({ id }) => id)

/** The assignment that a loss has ended, while its end is still the one that the loss gave it. */
export async function endedBy(db: Reader, loss: Loss | null): Promise<Assignment | undefined> {
  if (!loss?.asset_assignment_id) return
  const ended = issuesOf(db, loss.asset_id).where('id', '=', loss.asset_assignment_id)
  return (await rowsOf(assetAssignments, ended.where('returned_on', '=', loss.lost_on)))[0]
}

/** The assignment that a loss ends: that of whoever has the asset when it is lost. */
export async function heldWhenLost(db: Reader, loss: Loss): Promise<Assignment | undefined> {
  const held = colliding(issuesOf(db, loss.asset_id), ISSUED, lossOf(loss)).where('issued_on', '<=', loss.lost_on)
  return (await rowsOf(assetAssignments, held))[0]
}

/** Gives an assignment another end, unless somebody else has had the asset since, or it is out of use. */
export async function extend(db: Writer, held: Assignment, returned_on: string | null): Promise<void> {
  const one = attempt(db, assetAssignments, held, { returned_on })
  await oneAtATime(one)
  if (one.problems.length === 0) await storeChanges(db, assetAssignments, [one])
}

/** Would a loss end an assignment that had this end? */
export const isEndedBy = (loss: Loss, { issued_on }: Assignment, returned_on: string | null) =>
  issued_on <= loss.lost_on &&
  (returned_on === null || returned_on > loss.lost_on) &&
  (loss.found_on === null || issued_on < loss.found_on)
