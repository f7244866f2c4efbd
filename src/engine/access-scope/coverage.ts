import { EVERYBODY, type Grant } from '../../records/caller.ts'
import type { Resource } from '../declaration.ts'
import { permits } from '../permission.ts'
import { type ScopeMembers, scopeKey } from './scopes.ts'

/** All subjects of a table, or the ids of some. */
export type CoveredIds = 'all' | ReadonlySet<number>

const permitsAny = (grant: Grant, permissions: readonly string[]) =>
  permissions.some((one) => permits(grant.permissions, one))

/** Which subjects the grants of a caller cover, by permission and field group. */
export class GrantCoverage {
  readonly grants: readonly Grant[]
  readonly members: ScopeMembers
  /** The field groups that at least one grant hides. */
  readonly hiddenGroups: readonly string[]

  constructor(grants: readonly Grant[], members: ScopeMembers) {
    this.grants = grants
    this.members = members
    this.hiddenGroups = [...new Set(grants.flatMap((grant) => [...grant.withheld]))]
  }

  /** The subjects that grants with one of these permissions cover. With a group: only grants that do not hide it. */
  coveredIds(subject: string, permissions: readonly string[], group?: string | null): CoveredIds {
    const ids = new Set<number>()
    for (const grant of this.grants) {
      if (group && grant.withheld.has(group)) continue
      if (!permitsAny(grant, permissions)) continue
      if (grant.scope.kind === EVERYBODY.kind) return 'all'
      for (const id of this.members.get(scopeKey(grant.scope))?.[subject] ?? []) ids.add(id)
    }
    return ids
  }

  /** The subjects in one kind of scope, by grants with one of these permissions, whichever groups they hide. */
  idsInScope(scopeKind: string, subject: string, permissions: readonly string[]): ReadonlySet<number> {
    const grants = this.grants.filter((grant) => grant.scope.kind === scopeKind && permitsAny(grant, permissions))
    return new Set(grants.flatMap((grant) => this.members.get(scopeKey(grant.scope))?.[subject] ?? []))
  }

  /** Does a grant give one of the permissions for everybody? */
  coversEverybody(permissions: readonly string[], group?: string | null): boolean {
    return this.grants.some(
      (grant) =>
        grant.scope.kind === EVERYBODY.kind && !(group && grant.withheld.has(group)) && permitsAny(grant, permissions),
    )
  }

  /** Does a grant with one of the permissions show the group of any subject? */
  showsGroup(permissions: readonly string[], group: string): boolean {
    return this.grants.some((grant) => !grant.withheld.has(group) && permitsAny(grant, permissions))
  }
}

/** Does a resource show some of its records to these grants, although they hide its group (`opens`)? */
export const isGroupOpenedTo = (
  grants: readonly Grant[],
  { group, opens }: Resource,
  permissions: readonly string[],
  hiddenGroup: string,
): boolean =>
  opens !== null &&
  hiddenGroup === group &&
  grants.some((grant) => grant.scope.kind === opens.to && permitsAny(grant, permissions))
