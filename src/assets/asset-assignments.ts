import Type from 'typebox'
import { get, list, post, put, remove } from '../engine/derive.ts'
import { anyRecordOf, dateRange, type Filter, isRecord, isSet } from '../engine/filter.ts'
import { operation } from '../engine/operation.ts'
import { conflict } from '../engine/problem.ts'
import { amend, find } from '../engine/records.ts'
import { recordId, schemaOf, wrapped } from '../engine/schema.ts'
import { showOne } from '../engine/shape.ts'
import { assetAssignments, holdingOn, ISSUED, assignmentRules as rules } from './custody.ts'

const heldOn: Filter = {
  schema: Type.String({ format: 'date', description: 'Only those who have their asset on this day' }),
  looksAt: ['asset_assignments.returned_on'],
  narrow: (query, day) => holdingOn(query, ISSUED, day),
}

export const assetAssignmentOperations = [
  list(assetAssignments, {
    filters: {
      asset_id: isRecord(assetAssignments, 'asset_id'),
      asset_ids: anyRecordOf(assetAssignments, 'asset_id'),
      user_id: isRecord(assetAssignments, 'user_id'),
      user_ids: anyRecordOf(assetAssignments, 'user_id'),
      issued_on: dateRange(assetAssignments, 'issued_on'),
      returned_on: dateRange(assetAssignments, 'returned_on'),
      returned: isSet(assetAssignments, 'returned_on', 'Only those with a day of return, or only those without'),
      held_on: heldOn,
    },
  }),
  get(assetAssignments),
  post(assetAssignments, {
    rules,
    note: 'One has an asset at a time; it may come back and be issued again on the same day.',
  }),
  put(assetAssignments, { rules }),
  remove(assetAssignments, { note: 'For what was entered by mistake: a return keeps the history.' }),
  operation(
    {
      id: 'returnAsset',
      method: 'POST',
      path: '/asset_assignments/{id}/return',
      summary: 'Take an asset back',
      note: 'Today, or on the day that is sent. Another may have it from that day on.',
      area: 'assets',
      params: Type.Object({ id: recordId('asset_assignments') }),
      body: Type.Object(
        {
          returned_on: Type.Optional(
            Type.String({ format: 'date', description: 'Today when not sent', examples: ['2024-06-28'] }),
          ),
        },
        { title: 'ReturnAsset' },
      ),
      answer: wrapped(schemaOf(assetAssignments.whole)),
      conflicts: 'The asset came back by then already',
    },
    async ({ db, params, body }) => {
      const before = await find(db, assetAssignments, params.id)
      const returned_on = body.returned_on ?? db.today
      if (before.returned_on !== null && before.returned_on <= returned_on)
        throw conflict(`The asset came back on ${before.returned_on}`)
      await amend(db, assetAssignments, before, { returned_on }, { rules })
      return { body: await showOne(db, assetAssignments.whole, params.id) }
    },
  ),
]
