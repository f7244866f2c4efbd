import { grantsOfUser, users } from '../access/users.ts'
import type { Row } from '../engine/declaration.ts'
import { permits } from '../engine/permission.ts'
import { decode } from '../engine/resource.ts'
import { EVERYBODY } from '../ledger/caller.ts'
import type { Reader } from '../ledger/reader.ts'

/** Whoever wants to come in: who they are, and whether they still may. */

export type Person = Row<typeof users> & { readonly left_on: string | null }

/** Somebody by a column that is unique. */
export async function personBy(
  db: Reader,
  column: 'id' | 'email_key' | 'employee_id',
  value: number | string,
): Promise<Person | null> {
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
  { disabled_at, left_on }: Pick<Person, 'disabled_at' | 'left_on'>,
  { today }: Pick<Reader, 'today'>,
) => disabled_at === null && (left_on === null || left_on > today)

/** Do they hold everything, for everybody? */
export const isOwner = async (db: Reader, userId: number): Promise<boolean> =>
  (await grantsOfUser(db, userId)).some(
    ({ scope, permissions }) => scope.kind === EVERYBODY.kind && permits(permissions, '*'),
  )
