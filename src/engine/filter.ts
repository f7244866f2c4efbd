import Type from 'typebox'
import type { Filter } from './derive.ts'
import { fold } from './format.ts'

const IDS = Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), { maxItems: 500 })

/** `manager_id=7` */
export const isRecord = (column: string): Filter => ({
  schema: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  narrow: (query, id) => query.where(column, '=', id),
})

/** `ids[]=1&ids[]=2`, `ids=1&ids=2` or `ids=1,2` */
export const anyRecordOf = (column: string): Filter => ({
  schema: IDS,
  narrow: (query, ids) => (ids.length ? query.where(column, 'in', ids) : query),
})

/** One of several texts, whatever the case, by the folded twin of the column. */
export const anyTextOf = (column: string): Filter => ({
  schema: Type.Array(Type.String({ format: 'line', maxLength: 255 }), { maxItems: 500 }),
  narrow: (query, texts) => (texts.length ? query.where(`${column}_key`, 'in', texts.map(fold)) : query),
})

/** `created_at[gte]=…&created_at[lte]=…`, both ends included. */
function range(column: string, format: 'date' | 'date-time'): Filter {
  const bound = Type.Optional(Type.String({ format }))
  return {
    schema: Type.Object({ gte: bound, lte: bound }),
    narrow(query, { gte, lte }) {
      const from = gte === undefined ? query : query.where(column, '>=', gte)
      return lte === undefined ? from : from.where(column, '<=', format === 'date-time' ? endOfSecond(lte) : lte)
    },
  }
}

/** `created_at[gt]=…&created_at[lt]=…`, both ends left out. */
export const openTimeRange = (column: string): Filter => {
  const bound = Type.Optional(Type.String({ format: 'date-time' }))
  return {
    schema: Type.Object({ gt: bound, lt: bound }),
    narrow(query, { gt, lt }) {
      const from = gt === undefined ? query : query.where(column, '>', endOfSecond(gt))
      return lt === undefined ? from : from.where(column, '<', lt)
    },
  }
}

export const timeRange = (column: string) => range(column, 'date-time')
export const dateRange = (column: string) => range(column, 'date')

/** A bound given in whole seconds includes the milliseconds of that second. */
const endOfSecond = (timestamp: string) => timestamp.replace(/\.000Z$/, '.999Z')
