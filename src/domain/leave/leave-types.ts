import { get, list, post, put, remove } from '../../engine/derive.ts'
import { choice, text } from '../../engine/field.ts'
import { conflict } from '../../engine/problem.ts'
import { amend } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import type { Reader } from '../../records/reader.ts'

/** Kinds of leave. */

export const leaveTypes = resource(
  { table: 'leave_types', one: 'leave type', area: 'leave' },
  {
    name: text({ required: true, unique: true, searched: true, example: 'Volunteering' }),
    unit: choice(['days', 'hours'], { default: 'days' }),
    hex_color: text({ max: 9, example: '#2e7d32' }),
    fa_class: text({ max: 64, example: 'fas fa-hand-holding-heart' }),
  },
)

/** Is a record named in one of these columns? */
export async function isNamedIn(db: Reader, places: readonly [table: string, column: string][], id: number) {
  for (const [table, column] of places)
    if (await db.from(table).select('id').where(column, '=', id).limit(1).executeTakeFirst()) return true
  return false
}

export const TYPE_USES = ['employee_leave_types', 'leave_requests', 'leave_adjustments'].map(
  (table) => [table, 'leave_type_id'] as [string, string],
)

export const leaveTypeOperations = [
  list(leaveTypes),
  get(leaveTypes),
  post(leaveTypes),
  put(leaveTypes, {
    conflicts: 'The leave type is in use, so its unit cannot change',
    async store({ db, body, problems }, before) {
      const isOther = body.unit !== undefined && (body.unit ?? leaveTypes.fields.unit.initial) !== before.unit
      if (isOther && (await isNamedIn(db, TYPE_USES, before.id)))
        throw conflict(
          `This leave type is in use, so its unit must stay ${before.unit}. Create a new leave type instead.`,
          'in_use',
        )
      await amend(db, leaveTypes, before, body, { problems })
    },
  }),
  remove(leaveTypes),
]
