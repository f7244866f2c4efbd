import type { JoinBuilder } from 'kysely'

/** Joins the record of the same account that a column names: `byId('a', 'b.author_id')`. */
export const byId = (alias: string, column: string) => (on: JoinBuilder<any, any>) =>
  on.onRef(`${alias}.account_id`, '=', `${column.split('.')[0]}.account_id`).onRef(`${alias}.id`, '=', column)
