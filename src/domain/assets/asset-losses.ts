import { get, listAll, MOST_OWNED, post, put, remove } from '../../engine/derive.ts'
import { refuse } from '../../engine/problem.ts'
import { amend, attempt, checkAll, erase, find, holdTo, insertAll } from '../../engine/records.ts'
import type { UndoGuard } from '../../engine/undo/guards.ts'
import {
  assetAssignments,
  assetLosses,
  endedBy,
  extend,
  heldWhenLost,
  isEndedBy,
  lossRules as rules,
} from './custody.ts'

holdTo(assetLosses, rules)

/** A loss and the end that it gave to an assignment: whoever had the asset has it again when both are undone. */
export const lossesEndAssignments: UndoGuard = {
  tables: [assetLosses.table, assetAssignments.table],
  undoneTogether: true,
}

export const assetLossOperations = [
  listAll(assetLosses),
  get(assetLosses),
  post(assetLosses, {
    most: MOST_OWNED,
    note: 'Ends the assignment of the asset on the date `lost_on`. A lost asset cannot be assigned. Planned assignments that start after that date are kept, and begin when the asset is found.',
    async store({ db, body, problems }) {
      const one = attempt(db, assetLosses, null, body, problems)
      await checkAll(db, assetLosses, [one], rules)
      refuse(one.problems)
      const held = await heldWhenLost(db, one.after)
      const link = held ? { asset_assignment_id: held.id, planned_return_on: held.returned_on } : {}
      const [id] = await insertAll(db, assetLosses, [{ ...one.after, ...link }])
      if (held) await amend(db, assetAssignments, held, { returned_on: one.after.lost_on })
      return id as number
    },
  }),
  put(assetLosses, {
    note: 'Omitted fields keep their values. Set `found_on` to make the asset available again from that date. If you change `lost_on`, the assignment that ended with the loss ends on the new date.',
    async store({ db, body, problems }, before) {
      const ended = await endedBy(db, before)
      await amend(db, assetLosses, before, body, { rules, problems })
      const loss = await find(db, assetLosses, before.id)
      if (loss.lost_on === before.lost_on && loss.found_on === before.found_on) return
      const planned = before.planned_return_on
      const other = await heldWhenLost(db, loss)
      const isOther = other !== undefined && other.id !== ended?.id
      const endsAgain = ended !== undefined && !isOther && isEndedBy(loss, ended, planned)
      if (ended) await extend(db, ended, endsAgain ? loss.lost_on : planned)
      if (isOther) await amend(db, assetAssignments, other, { returned_on: loss.lost_on })
      if (!endsAgain)
        await amend(db, assetLosses, loss, {
          asset_assignment_id: isOther ? other.id : null,
          planned_return_on: isOther ? other.returned_on : null,
        })
    },
  }),
  remove(assetLosses, {
    note: 'Use this only for losses entered by mistake; if the asset was found, set `found_on` instead. The assignment that ended with the loss continues, unless the asset has been assigned to somebody else since.',
    async store({ db }, before) {
      const ended = await endedBy(db, before)
      await erase(db, assetLosses, before)
      if (ended) await extend(db, ended, before.planned_return_on)
    },
  }),
]
