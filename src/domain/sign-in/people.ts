import type { Database } from '../../database/database.ts'
import type { Row } from '../../engine/declaration.ts'
import { permits } from '../../engine/permission.ts'
import { decode } from '../../engine/resource.ts'
import { type Account, EVERYBODY } from '../../records/caller.ts'
import type { Reader } from '../../records/reader.ts'
import { type AccessDates, isLockedOut, returnsOn } from '../access/keys.ts'
import { grantsOfUser, rightsOfUser, users } from '../access/users.ts'

/** Whoever wants to come in: who they are, and whether they still may. */

export type SignInUser = Row<typeof users> & Required<AccessDates>

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
    .select(['e.termination_effective_on as left_on', returnsOn('e', db.account.id).as('returns_on')])
    .where(`u.${column}`, '=', value)
    .executeTakeFirst()
  return row ? { ...decode(users, row), left_on: row.left_on ?? null, returns_on: row.returns_on ?? null } : null
}

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
      .select([
        'u.employee_id',
        'u.disabled_at',
        'e.termination_effective_on as left_on',
        returnsOn('e', account.id).as('returns_on'),
      ])
      .where('u.account_id', '=', account.id)
      .where('u.id', '=', userId)
      .executeTakeFirst(),
  )
  if (!row) return
  const { disabled_at, left_on, returns_on } = row
  if (isLockedOut({ disabled_at, left_on, returns_on: returns_on as string | null }, account.time_zone, now)) return
  return { personId: row.employee_id as number | null, ...(await rightsOfUser(database, account.id, userId)) }
}
