import { conflict } from '../engine/problem.ts'
import type { Guard } from '../engine/undo.ts'
import type { FileSource } from './source.ts'

/** A record whose bytes went with it, or with the file that took their place, does not come back without them. */
export const keepsFiles = (sources: readonly FileSource[]): Guard => ({
  of: sources.map(({ table }) => table),
  async check(db, changes, files) {
    for (const { resource, record_id, after } of changes)
      for (const { table, named, fileOf } of sources) {
        if (table !== resource || !after?.[named]) continue
        const file = fileOf({ account_id: db.account.id, id: record_id, ...after })
        const bytes = file && (await files.in(file.part).read(file.hash))
        bytes?.stream.destroy()
        if (file && !bytes) throw conflict('A file that the record had is gone for good: it cannot be undone')
      }
  },
})
