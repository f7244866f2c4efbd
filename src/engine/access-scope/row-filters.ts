import type { Condition } from '../../database/rewrite-query.ts'
import type { HeldBack, Resource, SubjectPath } from '../declaration.ts'
import type { Operation } from '../operation.ts'
import { OWN } from '../permission.ts'
import { groupReferencesOf, type Kinds, protectorOf } from '../protection.ts'
import { kindOf } from '../resource.ts'
import { allOf, anyOf, idsIn } from './conditions.ts'
import type { GrantCoverage } from './coverage.ts'
import { dueConditions } from './held-back.ts'
import { isSubject, readPathsOf, subjectPathsOf, targetOf } from './subjects.ts'

/** What an access scope needs to know of an operation. */
export type ScopedOperation = Pick<Operation, 'permission' | 'multiResource'>

/** Does an operation concern only the caller themselves? */
export const isOwn = ({ permission, multiResource }: ScopedOperation) =>
  permission !== null && OWN.test(permission) && !multiResource

/** What a condition is for: permissions, one of which must cover the record; a group that must not be hidden; reads or writes. */
type Access = { permissions: readonly string[]; group: string | null | undefined; isWritten: boolean }

/** Builds the conditions on the rows of a table that a caller may read or write. */
export class RowFilters {
  readonly #coverage: GrantCoverage
  readonly #kinds: Kinds
  readonly #operation: ScopedOperation
  readonly #today: string

  constructor(coverage: GrantCoverage, kinds: Kinds, operation: ScopedOperation, today: string) {
    this.#coverage = coverage
    this.#kinds = kinds
    this.#operation = operation
    this.#today = today
  }

  /** The permissions by which this operation reads records of a resource. */
  readPermissionsOf({ readWith }: Resource): string[] {
    const { permission, multiResource } = this.#operation
    return multiResource || permission === null ? [readWith] : [readWith, permission]
  }

  /** All rows that a caller may read or write: covered, not in a hidden group, and not held back. */
  allowed(of: Resource, permissions: readonly string[], isWritten = false): Condition {
    const isRecordHeldBack = of.heldBack && !of.heldBack.columns
    return allOf([
      this.covered(of, permissions, of.group, isWritten),
      ...this.#outsideHiddenGroups(of, permissions),
      isRecordHeldBack ? this.notHeldBack(of, of.heldBack, permissions) : true,
    ])
  }

  /**
   * The rows that grants with one of these permissions cover. With a group: only grants that do not hide it. Every caller may
   * read records that are about no subject, but not write them.
   */
  covered(of: Resource, permissions: readonly string[], group?: string | null, isWritten = false): Condition {
    if (this.#coverage.coversEverybody(permissions, group)) return true
    const paths = isWritten ? subjectPathsOf(of) : readPathsOf(of)
    if (!paths) return group ? this.#coverage.showsGroup(permissions, group) : true
    if (paths.length === 0) return isOwn(this.#operation)
    return anyOf(paths.map((path) => this.#alongPath(of, path, { permissions, group, isWritten })))
  }

  /** The rows whose subjects on one path are covered. */
  #alongPath(of: Resource, path: SubjectPath, access: Access): Condition {
    const { permissions, group, isWritten } = access
    if (path === 'self') return idsIn('id', this.#coverage.coveredIds(of.table, permissions, group))
    if ('from' in path) {
      const from = kindOf(path.from)
      const where = this.covered(from, permissions, group, isWritten)
      return { column: 'id', among: { table: from.table, column: path.column, where } }
    }
    const target = targetOf(of, path.column)
    const condition = isSubject(target)
      ? anyOf([
          idsIn(path.column, this.#coverage.coveredIds(target.table, permissions, group)),
          ...(isWritten ? [] : this.#opened(of, path.column, target.table, access)),
        ])
      : {
          column: path.column,
          among: { table: target.table, column: 'id', where: this.covered(target, permissions, group, isWritten) },
        }
    return path.orNothing && !isWritten ? anyOf([condition, { column: path.column, is: null }]) : condition
  }

  /** Records that their resource shows to a scope although the record's group is hidden (`opens`). */
  #opened({ group, opens }: Resource, column: string, subject: string, access: Access): Condition[] {
    if (!opens || !access.group || access.group !== group) return []
    const ids = this.#coverage.idsInScope(opens.to, subject, access.permissions)
    return ids.size > 0 ? [allOf([idsIn(column, ids), { column: opens.where, isTrue: true }])] : []
  }

  /** The rows that are in no hidden group because of a record that they refer to. */
  #outsideHiddenGroups(of: Resource, permissions: readonly string[]): Condition[] {
    if (groupReferencesOf(this.#kinds, of).length === 0) return []
    return this.#coverage.hiddenGroups.flatMap((group) => {
      const visible = this.covered(of, permissions, group)
      return visible === true ? [] : [anyOf([{ not: this.#inGroup(of, group) }, visible])]
    })
  }

  /** The rows that are in a group because of a record that they refer to, directly or through others. */
  #inGroup(of: Resource, group: string): Condition {
    return anyOf(
      groupReferencesOf(this.#kinds, of).map(({ column, table }) => {
        const target = kindOf(table)
        const protector = protectorOf(target)
        const where = anyOf([...(protector ? [{ column: protector, is: group }] : []), this.#inGroup(target, group)])
        return { column, among: { table, column: 'id', where } }
      }),
    )
  }

  /** The rows that are not held back, or of which the caller sees the group. `until` replaces the days of `heldBack`. */
  notHeldBack(
    of: Resource,
    heldBack: HeldBack,
    permissions: readonly string[],
    until: readonly string[] = heldBack.until,
  ): Condition {
    if (!this.#coverage.hiddenGroups.includes(heldBack.group)) return true
    return anyOf([this.covered(of, permissions, heldBack.group), ...dueConditions(heldBack, until, this.#today)])
  }
}
