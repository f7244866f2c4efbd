import Type from 'typebox'
import type { Resource } from '../engine/declaration.ts'
import { MOST_OWNED } from '../engine/derive.ts'
import { date, derived, longText, reference } from '../engine/field.ts'
import type { FieldProblem } from '../engine/problem.ts'
import type { Rule } from '../engine/records.ts'
import { resource } from '../engine/resource.ts'
import { inOrder } from '../engine/rule.ts'
import type { Query } from '../ledger/reader.ts'
import { leaversAmong } from '../organisation/staff.ts'
import { personCard } from '../people/person.ts'

/**
 * Where an asset is, day by day: with somebody, lost, or at hand. A day belongs to how it ends: on the day of its
 * return an asset is at hand again, or already with the next one, and on the day it is lost nobody has it any more.
 */

const area = 'assets'

export const assetAssignments = resource(
  { table: 'asset_assignments', one: 'asset assignment', area },
  {
    asset_id: reference('assets', { required: true, part: true }),
    user_id: reference('employees', { required: true, fate: 'figure', show: () => personCard, as: 'user' }),
    user_id_shown: derived(Type.Integer(), ['user_id'], (row) => row.user_id, { as: 'user_id' }),
    issued_on: date({ required: true, note: 'The first day on which the person has it', example: '2024-02-01' }),
    returned_on: date({
      note: 'The day on which it came back, and may be issued again; null while it is out',
      example: '2024-12-20',
    }),
  },
)

export const assetLosses = resource(
  { table: 'asset_losses', one: 'asset loss', area, path: '/assets/{asset_id}/losses' },
  {
    asset_id: reference('assets', { required: true, owner: true, part: true }),
    lost_on: date({ required: true, note: 'The first day on which nobody knows where it is', example: '2023-05-02' }),
    found_on: date({ note: 'The day on which it is at hand again; null while it is lost', example: '2023-05-09' }),
    note: longText({ note: 'How it came about', example: 'Left on the train to Porto' }),
  },
)

/** The first day of a stretch, and the one on which it is over. */
type Days = readonly [first: string, over: string]
type Stretch = { from: string; to: string | null }

export const ISSUED = ['issued_on', 'returned_on'] as const
export const LOST = ['lost_on', 'found_on'] as const

/**
 * What holds on a day: it is not over, and not yet to begin. Said in this way, since nearly all have begun and few are
 * not over: it is by their end that they are found.
 */
export const holdingOn = (query: Query, [first, over]: Days, day: string): Query =>
  query.where((eb) => eb.or([eb(over, 'is', null), eb(over, '>', day)])).where((eb) => eb.not(eb(first, '>', day)))

/** What cannot be beside a stretch: neither is over when the other begins. */
export function colliding(query: Query, [first, over]: Days, { from, to }: Stretch): Query {
  const lasting = query.where((eb) => eb.or([eb(over, 'is', null), eb(over, '>', from)]))
  return to === null ? lasting : lasting.where(first, '<', to)
}

/** The first record of an asset that cannot be beside a stretch, in words. */
async function inTheWay(query: Query, of: Resource, days: Days, assetId: number, stretch: Stretch) {
  const [first, over] = days
  const found = await colliding(query.where('asset_id', '=', assetId), days, stretch)
    .select(['id', `${first} as from`, `${over} as to`])
    .orderBy(first)
    .limit(1)
    .executeTakeFirst()
  return found && `${of.one} ${found.id}, from ${found.from} ${found.to === null ? 'on' : `to ${found.to}`}`
}

/** Can a rule look at these fields, or is something wrong with them already? */
const areSound = (problems: readonly FieldProblem[], ...names: string[]) =>
  !problems.some(({ field }) => names.includes(field))

/** Whoever has left by the day of the issue cannot be given anything. */
const hereOnIssue: Rule<typeof assetAssignments> = async ({ db, before, after, fail }) => {
  const { user_id, issued_on } = after
  if (!user_id || !issued_on || (before?.user_id === user_id && before.issued_on === issued_on)) return
  if ((await leaversAmong(db, [user_id], issued_on)).length > 0)
    fail('user_id', 'terminated', `is somebody who has left by ${issued_on}`)
}

/** One has it at a time, and nobody what is lost or out of use. */
const oneAtATime: Rule<typeof assetAssignments> = async ({ db, before, after, problems, fail }) => {
  const { asset_id, issued_on: from, returned_on: to } = after
  if (!asset_id || !from || !areSound(problems, 'asset_id', ...ISSUED)) return
  const others = db.from('asset_assignments').where('id', '!=', before?.id ?? 0)
  const obstacle =
    (await inTheWay(others, assetAssignments, ISSUED, asset_id, { from, to })) ??
    (await inTheWay(db.from('asset_losses'), assetLosses, LOST, asset_id, { from, to }))
  if (obstacle) fail('issued_on', 'overlap', `to returned_on overlaps with ${obstacle}`)
  const asset = await db.from('assets').select('retired_on').where('id', '=', asset_id).executeTakeFirst()
  if (asset?.retired_on && (to === null || to > asset.retired_on))
    fail('returned_on', 'too_late', `must not be after ${asset.retired_on}, when the asset is out of use`)
}

/** The history of an asset comes whole, and must stay short enough for that. */
const notTooMany: Rule<typeof assetAssignments> = async ({ db, before, after, fail }) => {
  if (!after.asset_id || after.asset_id === before?.asset_id) return
  const own = db.from('asset_assignments').select('id').where('asset_id', '=', after.asset_id).limit(MOST_OWNED)
  if ((await own.execute()).length >= MOST_OWNED)
    fail('asset_id', 'too_many', `has ${MOST_OWNED} assignments already, which is the most there can be`)
}

export const assignmentRules = [inOrder(...ISSUED), hereOnIssue, oneAtATime, notTooMany]

const notInTheFuture: Rule<typeof assetLosses> = ({ db, changes, fail }) => {
  for (const name of LOST) if ((changes[name] ?? '') > db.today) fail(name, 'in_the_future', 'cannot be after today')
}

/** What is lost is with nobody: neither with somebody whose return is known, nor with somebody who got it since. */
const withNobody: Rule<typeof assetLosses> = async ({ db, before, after, problems, fail }) => {
  const { asset_id, lost_on: from, found_on: to } = after
  if (!from || !areSound(problems, ...LOST)) return
  const settled = db
    .from('asset_assignments')
    .where((eb) => eb.or([eb('returned_on', 'is not', null), eb('issued_on', '>', from)]))
  const others = db.from('asset_losses').where('id', '!=', before?.id ?? 0)
  const obstacle =
    (await inTheWay(settled, assetAssignments, ISSUED, asset_id, { from, to })) ??
    (await inTheWay(others, assetLosses, LOST, asset_id, { from, to }))
  if (obstacle) fail('lost_on', 'overlap', `to found_on overlaps with ${obstacle}`)
}

export const lossRules = [inOrder(...LOST), notInTheFuture, withNobody]
