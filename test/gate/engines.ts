import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Test files that run on PostgreSQL too, besides those in `test/postgres`, by name. They are the ones whose
 * outcome can depend on the engine: transactions and writers at once, plans and schema, orders and searches, odd values, and
 * some that run statements which nothing else does (`postgres/one-node` calls every operation, and asks every question with
 * each parameter). `npm run proofs -- postgres` runs all others on it as well.
 */
const ON_POSTGRES = [
  // Schema, plans, lists, limits.
  'compatibility',
  'declared-tables',
  'filters',
  'largest',
  'letters',
  'lists',
  'migrations',
  'plans',
  'schema',
  'search',
  // Transactions, writers at once, processes.
  'after-commit',
  'audits/chain',
  'audits/following',
  'doctor',
  'ledger',
  'retries',
  'shared-commits',
  'shutdown',
  'staleness',
  'start',
  'workers',
  'writes',
  'recruitment/hiring',
  // Who sees what, by statements that are rewritten for each caller.
  'access/keys',
  'access/meanwhile',
  'access/reach',
  'access/reviewers',
  'access/scopes',
  'access/sign-in',
  'access/sign-in-passkeys',
  'access/sign-in-sso',
  'people/notes',
  'people/employments',
  'people/planned',
  'reviews/secrecy',
  'withheld',
  // The past, and what is gone for good.
  'audits/known-at',
  'audits/undo',
  'erasure',
  'retention',
  // Statements that nothing else runs.
  'calendar/calendar',
  'leave/accrual',
  'news/news',
  'time/timesheets',
  'time/time-rules',
  'organisation/holiday-regions',
  'people/employee-tables',
  'people/first-day',
  'recruitment/merging',
  'reports/staff',
].map((name) => `test/${name}.test.ts`)

const NOT_ON_SQLITE = [
  // SQLite is served by one process, and commits one transaction after the other.
  'test/workers.test.ts',
  'test/audits/following.test.ts',
  // The gate has `clients` on the demo company.
  'test/demo.test.ts',
]

export const isOnSqlite = (file: string): boolean => !NOT_ON_SQLITE.includes(file)

export const isOnPostgres = (file: string): boolean => file.startsWith('test/postgres/') || ON_POSTGRES.includes(file)

/** Parts of statements that PostgreSQL says in another way, or does not need. */
const ONLY_SQLITE: RegExp[] = [
  // The past lies in temporary tables; PostgreSQL has it within its statements.
  /^temp: /,
  / value ->> '/,
  // Days between two days.
  /- julianday$/,
  /: julianday\(\)$/,
]

/** What these files run is by chance, or their engine's own. */
export const isCompared = (file: string): boolean => !/^test\/(fuzz\.|sqlite\/)/.test(file)

const ONLY = join('node_modules', '.cache', 'statements-on-sqlite-only.txt')

/** What to say of parts of statements that only SQLite's tests have run; nothing if there are none. */
export function missingOnPostgres(onSqlite: ReadonlyMap<string, string>, onPostgres: ReadonlySet<string>): string {
  const missing = [...onSqlite].filter(
    ([part]) => !onPostgres.has(part) && !ONLY_SQLITE.some((pattern) => pattern.test(part)),
  )
  if (missing.length === 0) return ''
  mkdirSync(dirname(ONLY), { recursive: true })
  writeFileSync(ONLY, missing.map(([part, file]) => `${file}\t${part}\n`).join(''))
  const lines = missing.slice(0, 20).map(([part, file]) => `  ${part.slice(0, 200)}\n    run by ${file}`)
  return [
    `${missing.length} parts of statements have run on SQLite only. Add a test file that runs them to ON_POSTGRES in test/gate/engines.ts:`,
    ...lines,
    ...(missing.length > 20 ? [`  … and ${missing.length - 20} more in ${ONLY}`] : []),
  ].join('\n')
}
