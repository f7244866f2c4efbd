import type { Database } from '../../database/database.ts'
import type { Row } from '../../engine/declaration.ts'
import { permits } from '../../engine/permission.ts'
import { decode } from '../../engine/resource.ts'
import { type Account, EVERYBODY } from '../../records/caller.ts'
import type { Reader } from '../../records/reader.ts'
import { isLockedOut } from '../access/keys.ts'
import { grantsOfUser, rightsOfUser, users } from '../access/users.ts'

/** Whoever wants to come in: who they are, and whether they still may. */

export type SignInUser = Row<typeof users> & { readonly left_on: string | null }

/** Somebody by a column that is unique. */
export async function personBy(
  db: Reader,
  column: 'id' | 'email_key' | 'employee_id',
  value: number | string,
): Promise<SignInUser | null> {
  const row = await db
    .from('users as u')
    .leftJoin('employees as e', (on) =>
      on.onRef('e.account_id', '=', 'u.account_id').onRef('e.id', '=', 'u.employee_id'),
    )
    .selectAll('u')
    .select('e.termination_effective_on as left_on')
    .where(`u.${column}`, '=', value)
    .executeTakeFirst()
  return row ? { ...decode(users, row), left_on: row.left_on ?? null } : null
}

/** Neither disabled nor gone: the same holds for the keys of those who leave. */
export const mayEnter = (
  { disabled_at, left_on }: Pick<SignInUser, 'disabled_at' | 'left_on'>,
  { today }: Pick<Reader, 'today'>,
) => disabled_at === null && (left_on === null || left_on > today)

/** Do they hold everything, for everybody? */
export const isOwner = async (db: Reader, userId: number): Promise<boolean> =>
  (await grantsOfUser(db, userId)).some(
    ({ scope, permissions }) => scope.kind === EVERYBODY.kind && permits(permissions, '*'),
  )

/** What somebody may do who is known by their id; undefined when they may not come in any more. */
export async function rightsOfPerson(database: Database, account: Account, userId: number, now: Date) {
  const row = await database.query((sql) =>
    sql
      .selectFrom('users as u')
      .leftJoin('employees as e', (on) =>
        on.onRef('e.account_id', '=', 'u.account_id').onRef('e.id', '=', 'u.employee_id'),
      )
      .select(['u.employee_id', 'u.disabled_at', 'e.termination_effective_on as left_on'])
      .where('u.account_id', '=', account.id)
      .where('u.id', '=', userId)
      .executeTakeFirst(),
  )
  if (!row || isLockedOut({ disabled_at: row.disabled_at, left_on: row.left_on ?? null }, account.time_zone, now))
    return
  return { personId: row.employee_id as number | null, ...(await rightsOfUser(database, account.id, userId)) }
}
