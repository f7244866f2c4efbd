import type { Rule } from '../engine/records.ts'

/** Who has left cannot become anybody's lead, manager or assignee. */
export const stillHere =
  (field: string): Rule<any> =>
  async ({ db, changes, fail }) => {
    const id = (changes as Record<string, unknown>)[field]
    if (typeof id !== 'number') return
    const gone = await db
      .from('employees')
      .select('id')
      .where('id', '=', id)
      .where('termination_effective_on', '<=', db.today)
      .executeTakeFirst()
    if (gone) fail(field, 'terminated', 'is somebody who has left')
  }
