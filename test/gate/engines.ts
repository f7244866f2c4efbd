/** Test files that run on SQLite alone. */
const ON_SQLITE_ONLY: readonly string[] = []

export const isOnPostgres = (file: string): boolean => !ON_SQLITE_ONLY.includes(file)

/** What to say of statements that only SQLite's tests have run; nothing if there are none. */
export function missingOnPostgres(onSqlite: ReadonlyMap<string, string>, onPostgres: ReadonlySet<string>): string {
  return ''
}
