import type { Resource } from './declaration.ts'
import { conflict } from './problem.ts'
import type { UndoGuard } from './undo/guards.ts'

/** An account has at most one record of each of these resources: an undo must not restore a second one. */
export const onlyOne = (...kinds: readonly Resource[]): UndoGuard => ({
  tables: kinds.map(({ table }) => table),
  async check(db, changes) {
    for (const { table, one } of kinds) {
      if (!changes.some(({ resource, action }) => resource === table && action === 'create')) continue
      const rows = await db.from(table).select('id').limit(2).execute()
      if (rows.length > 1)
        throw conflict(`This cannot be undone: there are newer ${one} now. Change the newer ${one} instead.`)
    }
  },
})
