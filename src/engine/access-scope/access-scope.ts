import { EVERYBODY, type Grant } from '../../records/caller.ts'
import type { Change } from '../../records/entries.ts'
import type { Reader, Visibility } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import type { Resource } from '../declaration.ts'
import type { Operation } from '../operation.ts'
import type { Kinds } from '../protection.ts'
import { fieldOf, kindOf } from '../resource.ts'
import { ChangeChecks } from './change-checks.ts'
import { EVERYTHING, idsWhere } from './conditions.ts'
import { type CoveredIds, GrantCoverage } from './coverage.ts'
import { groupHidden, heldBackGroupsIn } from './held-back.ts'
import { checkPath } from './path-check.ts'
import { RowFilters, type ScopedOperation } from './row-filters.ts'
import { findMembers, type Scopes, SELF, type SubjectIds } from './scopes.ts'
import { isSubject, subjectPathsOf, targetOf } from './subjects.ts'
import { TableFilters } from './table-filters.ts'

/**
 * The access scope of a caller in one operation. A grant holds for everybody or for the subjects in a scope. To the caller,
 * records about other subjects do not exist: the tables that an operation reads are filtered, so that no list, count, filter or
 * sum reveals them. At the end of a write, its changes are checked against the scope.
 */

/** What stays the same throughout a request. */
type Basis = {
  readonly accountId: number
  readonly today: string
  readonly kinds: Kinds
  readonly scopes: Scopes
  /** The caller as a subject: callers may refer to themselves, whatever their scope covers. */
  readonly ownIds: SubjectIds
}

type PlannedChanges = Parameters<NonNullable<Visibility['refuseHeldBack']>>[1]

export class AccessScope implements Visibility {
  readonly key: string
  readonly #basis: Basis
  readonly #operation: ScopedOperation
  #coverage: GrantCoverage
  #rows: RowFilters
  #tables: TableFilters
  /** How many changes of this request `includeCreated` has processed. */
  #processedChanges = 0

  private constructor(basis: Basis, operation: ScopedOperation, coverage: GrantCoverage) {
    this.#basis = basis
    this.#operation = operation
    this.#coverage = coverage
    this.#rows = new RowFilters(coverage, basis.kinds, operation, basis.today)
    this.#tables = new TableFilters(basis.accountId, basis.kinds, coverage, this.#rows)
    const rights = coverage.grants.map(({ permissions, scope, withheld }) => [
      permissions,
      scope.kind,
      [...withheld].sort(),
    ])
    this.key = JSON.stringify([operation.permission, Boolean(operation.multiResource), rights])
  }

  /** The access scope of the reader's caller in an operation. It runs one statement per scope at most. */
  static async of(db: Reader, scopes: Scopes, kinds: Kinds, operation: ScopedOperation): Promise<AccessScope> {
    const { permissions, withheld } = db.caller
    const grants: readonly Grant[] = db.caller.grants ?? [{ permissions, withheld, scope: EVERYBODY }]
    const members = await findMembers(db, scopes, grants)
    const ownIds = (await scopes[SELF.kind]?.find(db, SELF)) ?? {}
    const basis = { accountId: db.account.id, today: db.today, kinds, scopes, ownIds }
    return new AccessScope(basis, operation, new GrantCoverage(grants, members))
  }

  forOperation(operation: ScopedOperation): AccessScope {
    return new AccessScope(this.#basis, operation, this.#coverage)
  }

  forPermission(permission: string): AccessScope {
    return this.forOperation({ permission })
  }

  /** The subjects that grants with one of these permissions cover. With a group: only grants that do not hide it. */
  coveredIds(subject: string, permissions: readonly string[], group?: string | null): CoveredIds {
    return this.#coverage.coveredIds(subject, permissions, group)
  }

  holds(permission: string, table: string, id: number, group?: string): boolean {
    const covered = this.coveredIds(table, [permission], group)
    return covered === 'all' || covered.has(id)
  }

  tableFilterOf(name: string) {
    return this.#tables.filterOf(name)
  }

  hiddenGroupsOf(table: string) {
    return this.#tables.hiddenGroupsOf(table)
  }

  seesAll(table: string): boolean {
    const of = this.#basis.kinds.get(table)
    if (!of) return true
    const isVisible = this.#rows.covered(of, this.#rows.readPermissionsOf(of), of.group) === true
    return isVisible && (of.heldBack?.columns !== undefined || this.seesHeldBack(table))
  }

  seesHeldBack(table: string): boolean {
    const of = this.#basis.kinds.get(table)
    return !of?.heldBack || this.#rows.covered(of, this.#rows.readPermissionsOf(of), of.heldBack.group) === true
  }

  /** Refuses changes of held-back data before any rule runs: the messages of rules would reveal what is planned already. */
  refuseHeldBack(table: string, attempts: PlannedChanges): void {
    const of = this.#basis.kinds.get(table)
    const { permission } = this.#operation
    if (!of?.heldBack || permission === null) return
    const { group, columns } = of.heldBack
    for (const { before, changes, after } of attempts) {
      // If only some columns are held back, only the columns that change count.
      const change = columns ? { before: null, after: changes } : { before, after }
      if (heldBackGroupsIn(of, change, this.#basis.today).length === 0) continue
      for (const path of subjectPathsOf(of) ?? []) {
        const [subject, id] =
          path === 'self'
            ? [table, before?.id]
            : 'from' in path
              ? []
              : [fieldOf(of, path.column).reference?.table, after[path.column]]
        if (subject && typeof id === 'number' && !this.holds(permission, subject, id, group)) throw groupHidden(group)
      }
    }
  }

  /** Leaves out changes of records that are held back from the caller. They follow from visible changes, and would reveal a plan. */
  async withoutHeldBack<T extends Change>(db: Reader, changes: readonly T[]): Promise<T[]> {
    const hidden = new Set<T>()
    for (const [table, changesOfTable] of Map.groupBy(changes, ({ resource }) => resource)) {
      const of = this.#basis.kinds.get(table)
      if (!of?.heldBack || of.heldBack.columns || this.seesHeldBack(table)) continue
      const isPlanned = (change: T) => heldBackGroupsIn(of, change, this.#basis.today).length > 0
      const present = changesOfTable.flatMap(({ action, record_id }) => (action === 'delete' ? [] : record_id))
      const rows = this.#rows.notHeldBack(of, of.heldBack, this.#rows.readPermissionsOf(of))
      const visible = await idsWhere(db, of, rows, present)
      for (const change of changesOfTable)
        if (change.action === 'delete' ? isPlanned(change) : !visible.has(change.record_id)) hidden.add(change)
    }
    return changes.filter((change) => !hidden.has(change))
  }

  /**
   * The ids that a record of the table may refer to in a column. The operation's permission must cover the subject that the
   * record is about. Any other record need only be visible.
   */
  async nameable(db: Reader, table: string, column: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const of = kindOf(table)
    const target = targetOf(of, column)
    const paths = subjectPathsOf(of) ?? []
    const isPath = paths.some((path) => path !== 'self' && !('from' in path) && path.column === column)
    if (!isPath || !isSubject(target)) return this.visibleIds(db, target.table, ids)
    const covered = this.coveredIds(target.table, this.#ownPermission)
    const ownIds = paths.length > 1 ? (this.#basis.ownIds[target.table] ?? []) : []
    return new Set(ids.filter((id) => covered === 'all' || covered.has(id) || ownIds.includes(id)))
  }

  async visibleIds(db: Reader, table: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const of = kindOf(table)
    const permissions = [...this.#ownPermission, of.readWith]
    if (!isSubject(of)) return idsWhere(db, of, this.#rows.covered(of, permissions), ids)
    const covered = this.coveredIds(table, permissions)
    const ownIds = this.#basis.ownIds[table] ?? []
    const isCovered = (id: number) => covered === 'all' || covered.has(id) || ownIds.includes(id)
    const others = ids.filter((id) => !isCovered(id))
    return new Set([...ids.filter(isCovered), ...(await this.#knownByName(db, of, others))])
  }

  /** The ids of subjects whose name the caller may know, though not read the record (`named`). */
  async #knownByName(db: Reader, of: Resource, ids: readonly number[]): Promise<number[]> {
    if (!of.named || ids.length === 0) return []
    const covered = this.coveredIds(of.table, [of.named.by])
    const possible = ids.filter((id) => covered === 'all' || covered.has(id))
    if (possible.length === 0) return []
    const unfiltered = db.withVisibility(EVERYTHING)
    const query = unfiltered.from(of.table).select(`${of.table}.id`).where(`${of.table}.id`, 'in', possible)
    return (await of.named.which(query, unfiltered).execute()).map(({ id }) => id as number)
  }

  get #ownPermission(): string[] {
    const { permission } = this.#operation
    return permission === null ? [] : [permission]
  }

  /** Adds subjects that this request has created to the scopes that they are in now. */
  async includeCreated(db: Reader & Partial<Pick<Writer, 'changes'>>): Promise<void> {
    const changes = db.changes?.() ?? []
    if (changes.length === this.#processedChanges) return
    this.#processedChanges = changes.length
    const { kinds, scopes } = this.#basis
    const isNewSubject = ({ action, resource }: Change) =>
      action === 'create' && kinds.get(resource)?.about?.includes('self')
    const created = Map.groupBy(changes.filter(isNewSubject), ({ resource }) => resource)
    if (created.size === 0) return
    const members = new Map(this.#coverage.members)
    for (const [scope, idsNow] of await findMembers(db, scopes, this.#coverage.grants))
      for (const [table, creations] of created) {
        const before = members.get(scope) ?? {}
        const added = creations.flatMap(({ record_id: id }) => (idsNow[table]?.includes(id) ? id : []))
        members.set(scope, { ...before, [table]: [...new Set([...(before[table] ?? []), ...added])] })
      }
    this.#coverage = new GrantCoverage(this.#coverage.grants, members)
    this.#rows = new RowFilters(this.#coverage, kinds, this.#operation, this.#basis.today)
    this.#tables = new TableFilters(this.#basis.accountId, kinds, this.#coverage, this.#rows)
  }

  /** Refuses a request whose path names records that the scope does not cover. */
  checkPath(db: Reader, operation: Operation, params: Record<string, unknown>): Promise<void> {
    return checkPath(db, this.#basis.kinds, { coverage: this.#coverage, rows: this.#rows }, operation, params)
  }

  /** Those of some records that a write with the operation's permission may change, as they are now. */
  writable(db: Reader, of: Resource, permission: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
    return idsWhere(db, of, this.#rows.allowed(of, [permission], true), ids)
  }

  /** Refuses a write that has changed records which the scope does not cover. */
  async checkChanges(db: Writer, operation: Operation, changes: readonly Change[]): Promise<void> {
    const { permission } = operation
    if (permission === null) return
    await this.includeCreated(db)
    const { kinds, scopes, today } = this.#basis
    const checks = new ChangeChecks(db, kinds, scopes, { coverage: this.#coverage, rows: this.#rows, today })
    await checks.check(operation, permission, changes)
  }
}
