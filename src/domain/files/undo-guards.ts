import type { FileSource } from '../../engine/file-source.ts'
import { conflict } from '../../engine/problem.ts'
import type { UndoGuard } from '../../engine/undo/guards.ts'

/** What deleting something with a file says of undoing. */
export const FILE_GOES = 'Deletes the file for good: undo cannot restore it.'

/** A record whose bytes went with it, or with the file that took their place, does not come back without them. */
export const keepsFiles = (sources: readonly FileSource[]): UndoGuard => ({
  tables: sources.map(({ table }) => table),
  async check(db, changes, { files }) {
    for (const { table, columns, fileOf } of sources) {
      const changed = changes.filter(
        ({ resource, after }) => resource === table && columns.some((name) => name in (after ?? {})),
      )
      const ids = [...new Set(changed.map(({ record_id }) => record_id))]
      const query = db.from(table).select(['account_id', 'id', ...columns])
      for (const row of ids.length ? await query.where('id', 'in', ids).execute() : []) {
        const file = fileOf(row)
        if (file && !(await files.in(file.part).has(file.hash)))
          throw conflict(
            'This change cannot be undone: a file of the record has been permanently deleted. Upload the file again instead.',
          )
      }
    }
  },
})
