import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Test files that run on PostgreSQL too, besides those in `test/postgres`: by name, or whole folders. They are the ones whose
 * outcome can depend on the engine: transactions and writers at once, plans and schema, orders and searches, odd values, and
 * one that runs each statement at least once. `npm run proofs -- postgres` runs all others on it as well.
 */
const ON_POSTGRES = [
  // Every operation.
  'contract',
  'ledger-contract',
  'kept-answers',
  'fuzz',
  // Schema, plans, lists, limits.
  'largest',
  'lists',
  'long-lists',
  'migrations',
  'plans',
  'ranges',
  'schema',
  'search',
  'yesterday',
  // Transactions, writers at once, processes.
  'after-commit',
  'audits/chain',
  'audits/feed',
  'audits/following',
  'ledger',
  'retries',
  'shared-commits',
  'shutdown',
  'staleness',
  'start',
  'workers',
  'writes',
  'leave/leave',
  'people/bulk',
  'recruitment/hiring',
  'recruitment/recruitment',
  'time/clocks',
  // Who sees what, by statements that are rewritten for each caller.
  'access/keys',
  'access/meanwhile',
  'access/own-decisions',
  'access/reach',
  'access/reviewers',
  'access/scopes',
  'access/sign-in',
  'access/sign-in-passkeys',
  'access/sign-in-sso',
  'access/sign-in-start',
  'reviews/secrecy',
  'withheld',
  // The past, and what is gone for good.
  'audits/known-at',
  'audits/undo',
  'audits/undo-everything',
  'audits/undo-rules',
  'erasure',
  'retention',
  'people/history',
  // Statements that nothing else runs.
  'news/news',
  'organisation/holidays',
  'people/found-by-job',
  'people/org-chart',
  'recruitment/merging',
  'reports/hiring',
  'reports/staff',
].map((name) => `test/${name}.test.ts`)

/** SQLite is served by one process. */
const NOT_ON_SQLITE = ['test/workers.test.ts']

export const isOnSqlite = (file: string): boolean => !NOT_ON_SQLITE.includes(file)

export const isOnPostgres = (file: string): boolean => file.startsWith('test/postgres/') || ON_POSTGRES.includes(file)

/** Parts of statements that PostgreSQL says in another way, or does not need. */
const ONLY_SQLITE: RegExp[] = []

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
