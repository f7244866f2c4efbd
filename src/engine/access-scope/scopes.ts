import { EVERYBODY, type Grant, type Scope } from '../../records/caller.ts'
import type { Reader } from '../../records/reader.ts'

/** Ids of subjects, by table. */
export type SubjectIds = Readonly<Record<string, readonly number[]>>

/** Finds the subjects in a scope. `dependsOn` are the tables that decide who is in it. */
export type ScopeFinder = {
  readonly dependsOn: readonly string[]
  readonly find: (db: Reader, scope: Scope) => Promise<SubjectIds>
}
export type Scopes = Readonly<Record<string, ScopeFinder>>

/** The subjects in each scope, by `scopeKey`. */
export type ScopeMembers = ReadonlyMap<string, SubjectIds>

export const scopeKey = ({ kind, id }: Scope) => `${kind} ${id ?? ''}`

/** The scope of the caller themselves. */
export const SELF: Scope = { kind: 'self', id: null }

/** The subjects in the scopes of some grants. */
export async function findMembers(db: Reader, scopes: Scopes, grants: readonly Grant[]): Promise<ScopeMembers> {
  const members = new Map<string, SubjectIds>()
  for (const { scope } of grants) {
    if (scope.kind === EVERYBODY.kind || members.has(scopeKey(scope))) continue
    const finder = scopes[scope.kind]
    members.set(scopeKey(scope), finder ? await finder.find(db, scope) : {})
  }
  return members
}
