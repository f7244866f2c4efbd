import { chunks } from '../../records/chunks.ts'
import type { Change } from '../../records/entries.ts'
import type { Writer } from '../../records/write.ts'
import type { Resource } from '../declaration.ts'
import type { Operation } from '../operation.ts'
import { forbidden, notFound } from '../problem.ts'
import { groupReferencesOf, groupsGivenBy, groupsOf, type Kinds } from '../protection.ts'
import { fieldOf } from '../resource.ts'
import { idsWhere } from './conditions.ts'
import type { GrantCoverage } from './coverage.ts'
import { groupHidden, groupsChanged } from './held-back.ts'
import { isCheckedElsewhere, needsEverybody } from './path-check.ts'
import type { RowFilters } from './row-filters.ts'
import { findMembers, type Scopes } from './scopes.ts'
import { subjectPathsOf, targetOf } from './subjects.ts'

/** The permission under which changes are checked, and the field group that must not be hidden; null: no group. */
type Needed = { permission: string; group: string | null }

const recordKey = (table: string, id: unknown) => `${table} ${id}`

const keysOfCreated = (changes: readonly Change[]) =>
  new Set(
    changes.flatMap(({ action, resource, record_id }) => (action === 'create' ? recordKey(resource, record_id) : [])),
  )

/** Checks at the end of a write that the caller's access scope covers everything that it has changed. */
export class ChangeChecks {
  readonly #db: Writer
  readonly #kinds: Kinds
  readonly #scopes: Scopes
  readonly #coverage: GrantCoverage
  readonly #rows: RowFilters
  readonly #today: string

  constructor(
    db: Writer,
    kinds: Kinds,
    scopes: Scopes,
    { coverage, rows, today }: { coverage: GrantCoverage; rows: RowFilters; today: string },
  ) {
    this.#db = db
    this.#kinds = kinds
    this.#scopes = scopes
    this.#coverage = coverage
    this.#rows = rows
    this.#today = today
  }

  /**
   * The operation's permission must cover the subjects of each change, and must not hide its field groups. Changes of records
   * that are about no subject need the permission for everybody.
   */
  async check(operation: Operation, permission: string, changes: readonly Change[]): Promise<void> {
    await this.#refuseWiderScope(changes)
    const created = keysOfCreated(changes)
    for (const [table, changesOfTable] of Map.groupBy(changes, ({ resource }) => resource)) {
      const of = this.#kinds.get(table)
      if (of?.rowPolicy) await this.#checkRowPolicy(of, changesOfTable)
      if (!of || isCheckedElsewhere(of, operation)) continue
      if (!subjectPathsOf(of) && of.area === operation.area && !this.#coverage.coversEverybody([permission]))
        throw needsEverybody(permission)
      for (const [group, some] of await this.#byGroup(of, changesOfTable, created)) {
        if (await this.#areCovered(of, { permission, group }, some, changes)) continue
        if (group) throw groupHidden(group)
        throw changesOfTable.every(({ action }) => action === 'create')
          ? forbidden(`Your role does not cover this ${of.one}.`)
          : notFound()
      }
    }
  }

  /** The changes by the field groups that they concern; all of them under null. */
  async #byGroup(of: Resource, changes: readonly Change[], created: ReadonlySet<string>) {
    const byGroup = new Map<string | null, readonly Change[]>([[null, changes]])
    const throughReferences = await this.#groupsThroughReferences(of, changes)
    for (const change of changes)
      for (const group of new Set([...this.#groupsOf(of, change, created), ...(throughReferences.get(change) ?? [])]))
        byGroup.set(group, [...(byGroup.get(group) ?? []), change])
    return byGroup
  }

  /** The groups that a change concerns. First records of a subject that this request created are not held back. */
  #groupsOf(of: Resource, change: Change, created: ReadonlySet<string>): string[] {
    const isOfNewSubject = (subjectPathsOf(of) ?? []).some(
      (path) =>
        path !== 'self' &&
        !('from' in path) &&
        created.has(recordKey(String(fieldOf(of, path.column).reference?.table), change.after?.[path.column])),
    )
    const groups = groupsChanged(of, change, this.#today)
    return isOfNewSubject && change.action === 'create'
      ? groups.filter((group) => group !== of.heldBack?.group)
      : groups
  }

  /** Refuses changes that bring further subjects into the caller's scope, such as a move into the caller's own unit. */
  async #refuseWiderScope(changes: readonly Change[]): Promise<void> {
    const changed = new Set(changes.map(({ resource }) => resource))
    const affected = this.#coverage.grants.filter(({ scope }) =>
      this.#scopes[scope.kind]?.dependsOn.some((table) => changed.has(table)),
    )
    const created = keysOfCreated(changes)
    for (const [scope, members] of await findMembers(this.#db, this.#scopes, affected))
      for (const [table, ids] of Object.entries(members)) {
        const before = new Set(this.#coverage.members.get(scope)?.[table])
        if (ids.some((id) => !before.has(id) && !created.has(recordKey(table, id))))
          throw forbidden(
            'You cannot make this change: your own role would then cover more people. Ask somebody whose role already covers them.',
          )
      }
  }

  /** Refuses new records that the caller could not see afterwards by the resource's row policy. */
  async #checkRowPolicy(of: Resource, changes: readonly Change[]): Promise<void> {
    if (!of.rowPolicy || of.rowPolicy.seesAll(this.#db.caller)) return
    const created = new Set(changes.flatMap(({ action, record_id }) => (action === 'create' ? record_id : [])))
    for (const { action, record_id } of changes) if (action === 'delete') created.delete(record_id)
    for (const some of chunks([...created], 1000)) {
      const rows = this.#db.from(of.table).select(`${of.table}.id`).where(`${of.table}.id`, 'in', some)
      if ((await of.rowPolicy.narrow(rows, this.#db).execute()).length < some.length)
        throw forbidden(
          `You cannot create this ${of.one}: your role does not cover it, so you could not see it afterwards.`,
        )
    }
  }

  /** The hidden groups that changed records are in because of what they refer to: all hidden groups if that is unknown. */
  async #groupsThroughReferences(
    of: Resource,
    changes: readonly Change[],
  ): Promise<ReadonlyMap<Change, readonly string[]>> {
    const { hiddenGroups } = this.#coverage
    const byChange = new Map<Change, readonly string[]>()
    if (groupReferencesOf(this.#kinds, of).length === 0 || hiddenGroups.length === 0) return byChange
    const present = changes.filter(({ action }) => action !== 'delete').map(({ record_id }) => record_id)
    const groupsNow = await groupsOf(this.#db, this.#kinds, of, present)
    for (const change of changes) {
      const groups = change.action === 'delete' ? await this.#groupsBefore(of, change) : groupsNow.get(change.record_id)
      byChange.set(change, groups ? hiddenGroups.filter((group) => groups.has(group)) : hiddenGroups)
    }
    return byChange
  }

  /** The groups of a deleted record because of what it referred to; null if unknown. */
  async #groupsBefore(of: Resource, { before }: Change): Promise<ReadonlySet<string> | null> {
    const groups = new Set<string>()
    for (const { column, table } of groupReferencesOf(this.#kinds, of)) {
      const id = before?.[column]
      if (typeof id !== 'number') continue
      const given = (await groupsGivenBy(this.#db, this.#kinds, this.#kinds.get(table) as Resource, [id])).get(id)
      if (!given) return null
      for (const group of given) groups.add(group)
    }
    return groups
  }

  /** Does the scope cover the changed records, as they are now and as they were before? */
  async #areCovered(
    of: Resource,
    needed: Needed,
    changes: readonly Change[],
    allChanges: readonly Change[],
  ): Promise<boolean> {
    const rows = this.#rows.covered(of, [needed.permission], needed.group, true)
    if (rows === true) return true
    const deleted = new Set(changes.flatMap(({ action, record_id }) => (action === 'delete' ? record_id : [])))
    const present = new Set(changes.flatMap(({ record_id }) => (deleted.has(record_id) ? [] : record_id)))
    if ((await idsWhere(this.#db, of, rows, [...present])).size < present.size) return false
    for (const change of changes) if (!(await this.#wasCovered(of, needed, change, allChanges))) return false
    return true
  }

  /** Does the scope cover the subjects that the record was about before the change? */
  async #wasCovered(
    of: Resource,
    { permission, group }: Needed,
    { record_id, action, before }: Change,
    allChanges: readonly Change[],
  ): Promise<boolean> {
    const paths = subjectPathsOf(of) ?? []
    if (before === null || (action !== 'delete' && paths.length > 1)) return true
    for (const path of paths) {
      if (path === 'self') {
        const covered = this.#coverage.coveredIds(of.table, [permission], group)
        if (covered === 'all' || covered.has(record_id)) return true
        continue
      }
      if ('from' in path || !(path.column in before)) return true
      const id = before[path.column]
      if (typeof id !== 'number') continue
      const target = targetOf(of, path.column)
      // If this write deleted the record that it was a part of, the check of that deletion is enough.
      if (allChanges.some((one) => one.resource === target.table && one.record_id === id && one.action === 'delete'))
        return true
      const rows = this.#rows.covered(target, [permission], group, true)
      if ((await idsWhere(this.#db, target, rows, [id])).size > 0) return true
    }
    return paths.length === 0
  }
}
