import type { Gift, HeldKind, Holder } from '../../engine/held.ts'
import { byId } from '../../engine/join.ts'
import { attempt, checkAll, insertAll, rowsOf, storeChanges } from '../../engine/records.ts'
import type { Writer } from '../../records/write.ts'
import { assetAssignments, heldOn, assignmentRules as rules } from './custody.ts'

/** Ends the assignments on the day, and assigns the assets to the next ones from that day on, for as long as it was planned. */
async function give(db: Writer, gifts: readonly Gift[], { id, day }: Holder): Promise<void> {
  const byAsset = new Map(gifts.map((gift) => [gift.id, gift]))
  const held = heldOn(db.from('asset_assignments'), db, day).where('user_id', '=', id)
  const assignments = await rowsOf(assetAssignments, held.where('asset_id', 'in', [...byAsset.keys()]))
  const giftOf = ({ asset_id }: { asset_id: number }) => byAsset.get(asset_id) as Gift
  const ended = assignments.map((one) => attempt(db, assetAssignments, one, { returned_on: day }, giftOf(one).problems))
  await checkAll(db, assetAssignments, ended, rules)
  await storeChanges(db, assetAssignments, ended)
  const next = assignments.map((one) => {
    const { asset_id, returned_on } = one
    const { to, problems } = giftOf(one)
    return attempt(db, assetAssignments, null, { asset_id, user_id: to, issued_on: day, returned_on }, problems)
  })
  await checkAll(db, assetAssignments, next, rules)
  await insertAll(
    db,
    assetAssignments,
    next.flatMap(({ after, problems }) => (problems.length > 0 ? [] : after)),
  )
}

export const heldAssets: HeldKind = {
  kind: 'assets',
  of: assetAssignments,
  note: 'Assets that the employee has on that date; the ID is that of the asset. Give them to somebody else, or let somebody collect them (`return_to`)',
  isAboutHolder: true,
  otherwise: 'stays',
  role: 'holder',
  rows: (db, { id, day }) =>
    heldOn(db.from('asset_assignments'), db, day)
      .innerJoin('assets', byId('assets', 'asset_assignments.asset_id'))
      .select(['assets.id', 'assets.name', 'assets.code'])
      .select(['asset_assignments.issued_on as starts_on', 'asset_assignments.returned_on as ends_on'])
      .where('user_id', '=', id)
      .orderBy('assets.id'),
  nameOf: ({ name, code }) => `${name} (${code})`,
  isCollected: true,
  giving: { permission: 'assets:write', isDated: true, field: 'user_id', give },
}
