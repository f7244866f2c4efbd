import { renumber } from '../../engine/order.ts'
import type { UndoGuard } from '../../engine/undo/guards.ts'
import { articles } from './articles.ts'
import { categories } from './categories.ts'

/** Categories, and the articles of each, are counted from 1 without gaps. */
export const orderHolds: UndoGuard = {
  tables: [categories.table, articles.table],
  async check(db, changes) {
    if (changes.some(({ resource }) => resource === categories.table))
      await renumber(db, categories, db.from(categories.table))
    const changed = changes.filter(({ resource }) => resource === articles.table)
    if (changed.length === 0) return
    const ids = changed.map(({ record_id }) => record_id)
    const rows = await db.from(articles.table).select('category_id').where('id', 'in', ids).execute()
    const told = changed.flatMap(({ before, after }) => [before?.category_id, after?.category_id])
    const touched = new Set([...told, ...rows.map((row) => row.category_id)].filter((id) => typeof id === 'number'))
    for (const id of touched) await renumber(db, articles, db.from(articles.table).where('category_id', '=', id))
  },
}
