import { permits } from '../../engine/permission.ts'
import { conflict } from '../../engine/problem.ts'
import { EVERYBODY } from '../../records/caller.ts'
import { alters, type Consequence } from '../../records/consequences.ts'
import type { Change, Columns } from '../../records/entries.ts'
import type { Reader } from '../../records/reader.ts'

/** Somebody who can sign in holds everything: whoever takes that from the last one would leave the company to its keys. */

type RowsById = Map<number, Columns>

/** What it depends on, and of each table the columns that matter. */
const MATTERS: Record<string, readonly string[]> = {
  users: ['employee_id', 'disabled_at'],
  user_roles: ['user_id', 'role_id'],
  role_grants: ['role_id', 'scope', 'permissions'],
  employees: ['termination_effective_on'],
}

/** Besides, what owners sign in with when single sign-on is required and does not work. */
const SECOND_FACTORS: Record<string, readonly string[]> = {
  user_credentials: ['user_id', 'password_set_at', 'totp_set_at'],
  passkeys: ['user_id'],
}

const ALL_THAT_MATTERS = { ...MATTERS, ...SECOND_FACTORS }

/** The rows that count, as they are: those who hold everything, and whatever may have been so before these changes. */
async function rowsOf(
  db: Reader,
  changes: readonly Change[],
  more: readonly string[] = [],
): Promise<Record<string, RowsById>> {
  const byId = (rows: Columns[]): RowsById => new Map(rows.map((row) => [row.id as number, row]))
  const all = async (table: string) =>
    byId(
      await db
        .from(table)
        .select(['id', ...(ALL_THAT_MATTERS[table] ?? [])])
        .execute(),
    )
  const [users, user_roles, role_grants] = [await all('users'), await all('user_roles'), await all('role_grants')]
  const named = [...users.values()].flatMap(({ employee_id }) => (employee_id as number | null) ?? [])
  const before = changes
    .filter(({ resource }) => resource === 'users')
    .flatMap(({ before }) => before?.employee_id ?? [])
  const ids = [...named, ...(before as number[])]
  const people = ids.length
    ? await db.from('employees').select(['id', 'termination_effective_on']).where('id', 'in', ids).execute()
    : []
  const others: Record<string, RowsById> = {}
  for (const table of more) others[table] = await all(table)
  return { users, user_roles, role_grants, employees: byId(people), ...others }
}

/** The rows as they were before the changes. */
function asBefore(now: Record<string, RowsById>, changes: readonly Change[]): Record<string, RowsById> {
  const then = Object.fromEntries(Object.entries(now).map(([table, rows]) => [table, new Map(rows)]))
  for (const { resource, record_id, action, before } of changes.toReversed()) {
    const rows = then[resource]
    if (action === 'create') rows?.delete(record_id)
    else if (action === 'delete') rows?.set(record_id, { id: record_id, ...before })
    else if (rows?.has(record_id)) rows.set(record_id, { ...rows.get(record_id), ...before })
  }
  return then
}

/** The users who can sign in without single sign-on while it is required: a passkey, or a password and an app. */
function withSecondFactor({ user_credentials, passkeys }: Record<string, RowsById>): Set<unknown> {
  const apps = [...(user_credentials?.values() ?? [])].filter((own) => own.password_set_at && own.totp_set_at)
  return new Set([...apps, ...(passkeys?.values() ?? [])].map(({ user_id }) => user_id))
}

/** 2 when an owner (of those `among`, if given) stays, 1 when all of them are to leave, 0 when there is none. */
function safety(
  { users, user_roles, role_grants, employees }: Record<string, RowsById>,
  today: string,
  among?: ReadonlySet<unknown>,
): 0 | 1 | 2 {
  const isWhole = ({ scope, permissions }: Columns) =>
    scope === EVERYBODY.kind && permits(JSON.parse(permissions as string), '*')
  const whole = new Set([...(role_grants?.values() ?? [])].filter(isWhole).map(({ role_id }) => role_id))
  const owners = new Set(
    [...(user_roles?.values() ?? [])].filter(({ role_id }) => whole.has(role_id)).map(({ user_id }) => user_id),
  )
  const ends = [...(users?.values() ?? [])]
    .filter(({ id, disabled_at }) => owners.has(id) && disabled_at === null && (among?.has(id) ?? true))
    .map(({ employee_id }) => employees?.get(employee_id as number)?.termination_effective_on as string | null)
  if (ends.some((end) => !end)) return 2
  return ends.some((end) => (end as string) > today) ? 1 : 0
}

/** Whether somebody who can sign in holds everything. */
export const hasOwner = async (db: Reader): Promise<boolean> => safety(await rowsOf(db, []), db.today) > 0

/** Whether an owner who stays can sign in without single sign-on while it is required. One who is to leave is not enough. */
export async function hasOwnerWithSecondFactor(db: Reader): Promise<boolean> {
  const rows = await rowsOf(db, [], Object.keys(SECOND_FACTORS))
  return safety(rows, db.today, withSecondFactor(rows)) === 2
}

/** By whichever way: roles, disabling, deleting, leaving, undoing. Who has no owner yet may go on without. */
export const ownersStay: Consequence = {
  of: Object.keys(MATTERS),
  async follow(db, changes) {
    const concerned = changes.filter((change) => alters(change, MATTERS[change.resource] ?? []))
    // Who is new takes nothing from anybody.
    if (concerned.every(({ action }) => action === 'create')) return
    const ofUsers = concerned.filter(({ resource }) => resource !== 'employees')
    if (ofUsers.length === 0 && !(await concernUsers(db, concerned))) return
    const now = await rowsOf(db, concerned)
    const safe = safety(now, db.today)
    if (safe < 2 && safe < safety(asBefore(now, concerned), db.today))
      throw conflict(
        'The account must keep an owner who can sign in and is not leaving. Make somebody else an owner first.',
      )
  },
}

/**
 * While single sign-on is required, an owner keeps a second factor, by which they come in when the provider does not work:
 * whoever takes it from the last one, or takes the last one away, is refused.
 */
export const secondFactorStays: Consequence = {
  of: Object.keys(ALL_THAT_MATTERS),
  async follow(db, changes) {
    const concerned = changes.filter((change) => alters(change, ALL_THAT_MATTERS[change.resource] ?? []))
    if (concerned.every(({ action }) => action === 'create') || !(await requiresSso(db))) return
    const now = await rowsOf(db, concerned, Object.keys(SECOND_FACTORS))
    const then = asBefore(now, concerned)
    const safe = safety(now, db.today, withSecondFactor(now))
    if (safe < 2 && safe < safety(then, db.today, withSecondFactor(then)))
      throw conflict(
        'While single sign-on is required, one owner must be able to sign in without it. Give another owner a second factor first, or stop requiring single sign-on.',
      )
  },
}

const requiresSso = async (db: Reader): Promise<boolean> => {
  const providers = db.from('identity_providers').where('enabled', '=', true).where('compulsory', '=', true)
  return (await providers.select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Is any of these employees somebody who signs in? */
const concernUsers = async (db: Reader, changes: readonly Change[]): Promise<boolean> => {
  const ids = changes.map(({ record_id }) => record_id)
  return (await db.from('users').select('id').where('employee_id', 'in', ids).limit(1).executeTakeFirst()) !== undefined
}
