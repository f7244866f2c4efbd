import Type from 'typebox'
import { get, list, post, put, remove } from '../../engine/derive.ts'
import { anyRecordOf, dateRange, type Filter, isRecord, isSet } from '../../engine/filter.ts'
import { operation } from '../../engine/operation.ts'
import { conflict } from '../../engine/problem.ts'
import { amend, erase, find, rowsOf } from '../../engine/records.ts'
import { recordId, schemaOf, wrapped } from '../../engine/schema.ts'
import { showOne } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import { assetAssignments, assetLosses, heldOn as heldOnDay, assignmentRules as rules } from './custody.ts'

const heldOn: Filter = {
  schema: Type.String({
    format: 'date',
    description: 'Only assignments in which the employee has the asset on this date',
  }),
  indexedColumns: ['asset_assignments.returned_on', 'asset_losses.found_on'],
  narrow: (query, day, db) => heldOnDay(query, db, day),
}

/** The losses that have ended an assignment. */
const endingLosses = (db: Reader, id: number) =>
  rowsOf(assetLosses, db.from('asset_losses').where('asset_assignment_id', '=', id))

export const assetAssignmentOperations = [
  list(assetAssignments, {
    filters: {
      asset_id: isRecord(assetAssignments, 'asset_id'),
      asset_ids: anyRecordOf(assetAssignments, 'asset_id'),
      user_id: isRecord(assetAssignments, 'user_id'),
      user_ids: anyRecordOf(assetAssignments, 'user_id'),
      issued_on: dateRange(assetAssignments, 'issued_on'),
      returned_on: dateRange(assetAssignments, 'returned_on'),
      returned: isSet(
        assetAssignments,
        'returned_on',
        '`true`: only assignments with a return date; `false`: only those without',
      ),
      held_on: heldOn,
    },
  }),
  get(assetAssignments),
  post(assetAssignments, {
    rules,
    note: 'An asset can be assigned to one person at a time. It can be returned and assigned again on the same day.',
  }),
  put(assetAssignments, { rules }),
  remove(assetAssignments, {
    note: 'Use this only for assignments entered by mistake. Returning the asset keeps the history.',
    conflicts: null,
    async store({ db }, before) {
      for (const loss of await endingLosses(db, before.id))
        await amend(db, assetLosses, loss, { asset_assignment_id: null, planned_return_on: null })
      await erase(db, assetAssignments, before)
    },
  }),
  operation(
    {
      id: 'returnAsset',
      method: 'POST',
      path: '/asset_assignments/{id}/return',
      summary: 'Return an asset',
      note: 'Ends the assignment today or on the date you send. The asset can be assigned again from that date on.',
      area: 'assets',
      params: Type.Object({ id: recordId('asset_assignments') }),
      body: Type.Object(
        {
          returned_on: Type.Optional(
            Type.String({
              format: 'date',
              description: 'Date of the return; today by default',
              examples: ['2024-06-28'],
            }),
          ),
        },
        { title: 'ReturnAsset' },
      ),
      answer: wrapped(schemaOf(assetAssignments.whole)),
      conflicts: 'The asset has already been returned or lost on that date',
    },
    async ({ db, params, body }) => {
      const before = await find(db, assetAssignments, params.id)
      const returned_on = body.returned_on ?? db.today
      if (before.returned_on !== null && before.returned_on <= returned_on) {
        const losses = await endingLosses(db, before.id)
        const wasLost = losses.some((one) => one.asset_id === before.asset_id && one.lost_on === before.returned_on)
        throw conflict(`The asset was already ${wasLost ? 'lost' : 'returned'} on ${before.returned_on}.`)
      }
      await amend(db, assetAssignments, before, { returned_on }, { rules })
      return { body: await showOne(db, assetAssignments.whole, params.id) }
    },
  ),
]
