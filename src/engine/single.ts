import type { Resource } from './declaration.ts'
import { conflict } from './problem.ts'
import type { Guard } from './undo.ts'

/** Of these kinds an account has one record at most: what was taken back does not come back beside another. */
export const onlyOne = (...kinds: readonly Resource[]): Guard => ({
  of: kinds.map(({ table }) => table),
  async check(db, changes) {
    for (const { table, one } of kinds) {
      if (!changes.some(({ resource, action }) => resource === table && action === 'create')) continue
      const rows = await db.from(table).select('id').limit(2).execute()
      if (rows.length > 1)
        throw conflict(`This cannot be undone: there are newer ${one} now. Change the newer ${one} instead.`)
    }
  },
})
