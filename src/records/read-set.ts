import { NotOnReplica } from '../database/database.ts'
import { COUNTERS, UNVERSIONED } from './account-version.ts'

/** The tables that a response was read from. Each reader notes the tables of its queries in the set of its call. */
export class ReadSet {
  readonly tables = new Set<string>()
  /** Something was read that changes without a table version, such as the current time. */
  isUncacheable = false
  /** The data comes from a replica, which may lag in tables without a version. */
  isReplica = false
  readonly #versioned: ReadonlySet<string>

  constructor(versioned: ReadonlySet<string>) {
    this.#versioned = versioned
  }

  /** Adds the tables of a query. */
  add(tables: ReadonlySet<string>): void {
    let isVersioned = false
    for (const name of tables)
      if (this.#versioned.has(name)) {
        this.tables.add(name)
        isVersioned = true
      } else if (UNVERSIONED.includes(name)) this.markUncacheable()
    if (!isVersioned && tables.has(COUNTERS)) this.markUncacheable()
  }

  /** The response cannot be cached. It cannot come from a replica either: the call starts again on the primary. */
  markUncacheable(): void {
    this.isUncacheable = true
    if (this.isReplica) throw new NotOnReplica()
  }
}
