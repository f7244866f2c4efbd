import { get, listAll, MOST_OWNED, post, put, remove } from '../engine/derive.ts'
import { amend, create, find, rowsOf } from '../engine/records.ts'
import type { Writer } from '../ledger/write.ts'
import { assetAssignments, assetLosses, colliding, ISSUED, lossRules as rules } from './custody.ts'

/** Whoever had it when it was lost has it no longer: the rules leave nobody else in the way. */
async function endAssignment(db: Writer, lossId: number): Promise<void> {
  const { asset_id, lost_on: from, found_on: to } = await find(db, assetLosses, lossId)
  const ofAsset = db.from('asset_assignments').where('asset_id', '=', asset_id)
  for (const held of await rowsOf(assetAssignments, colliding(ofAsset, ISSUED, { from, to })))
    await amend(db, assetAssignments, held, { returned_on: from })
}

export const assetLossOperations = [
  listAll(assetLosses),
  get(assetLosses),
  post(assetLosses, {
    most: MOST_OWNED,
    note: 'Ends the assignment of whoever has it, on that day. While it is lost it cannot be issued.',
    async store({ db, body, problems }) {
      const id = await create(db, assetLosses, body, { rules, problems })
      await endAssignment(db, id)
      return id
    },
  }),
  put(assetLosses, {
    note: 'What is not sent stays. With `found_on` it is at hand again from that day on.',
    async store({ db, body, problems }, before) {
      await amend(db, assetLosses, before, body, { rules, problems })
      await endAssignment(db, before.id)
    },
  }),
  remove(assetLosses, { note: 'For what was entered by mistake; an assignment that it ended stays ended.' }),
]
