import type { Caller } from '../../records/caller.ts'
import type { Reader } from '../../records/reader.ts'
import { AccessScope } from '../access-scope/access-scope.ts'
import { isGroupOpenedTo } from '../access-scope/coverage.ts'
import type { Operation } from '../operation.ts'
import { permits } from '../permission.ts'
import { forbidden } from '../problem.ts'
import type { Service } from './service.ts'

/** A caller's rights in one operation: groups that all grants with the operation's permission hide are hidden entirely. */
export function callerFor({ permission }: Operation, caller: Caller): Caller {
  if (!caller.grants || permission === null) return caller
  const grants = caller.grants.filter(({ permissions }) => permits(permissions, permission))
  // The permissions for one's own data need no grant.
  if (grants.length === 0) return caller
  const groups = new Set(caller.grants.flatMap((grant) => [...grant.withheld]))
  const withheld = [...groups].filter((group) => grants.every((grant) => grant.withheld.has(group)))
  return { ...caller, withheld: new Set([...caller.withheld, ...withheld]) }
}

/** 403 if the operation's field group is hidden from the caller. */
export function refuseHiddenGroup(service: Service, operation: Operation, caller: Caller): void {
  const { group } = operation
  if (group && caller.withheld.has(group) && !isOpen(service, operation, caller))
    throw forbidden(
      `This operation needs the field group ${group}, which is hidden from you. Use a role or API key that can see it.`,
    )
}

/** Does the operation show some records of its hidden group to the caller, such as records about the caller? */
function isOpen({ kinds }: Service, { method, kind, group, permission }: Operation, { grants = [] }: Caller): boolean {
  const of = kinds.get(kind ?? '')
  return method === 'GET' && Boolean(of && group && permission && isGroupOpenedTo(grants, of, [permission], group))
}

/** 403 for fields of the body that are hidden from the caller. */
export function refuseHiddenFields({ withheld }: Caller, operation: Operation, body: Record<string, unknown>): void {
  if (withheld.size === 0 || !operation.body) return
  const { properties } = operation.body as { properties: Record<string, Record<string, any>> }
  const hidden = Object.keys(body).filter((name) => withheld.has(properties[name]?.['x-group']))
  const groups = [...new Set(hidden.map((name) => properties[name]?.['x-group']))]
  const what = groups.length === 1 ? `the field group ${groups[0]} is` : `the field groups ${groups.join(', ')} are`
  if (hidden.length > 0) throw forbidden(`You cannot set ${hidden.join(', ')}: ${what} hidden from you.`)
}

/**
 * The caller's access scope in an operation; undefined if no filter is needed. A caller without grants needs one if held-back
 * data is hidden from the caller: some records are visible then, and others are not.
 */
export async function scopeFor(service: Service, operation: Operation, db: Reader): Promise<AccessScope | undefined> {
  const { grants, withheld } = db.caller
  const hidesHeldBack = () =>
    [...service.kinds.values()].some(({ heldBack }) => heldBack && withheld.has(heldBack.group))
  if (!grants && (operation.permission === null || !hidesHeldBack())) return undefined
  return AccessScope.of(db, service.scopes, service.kinds, operation)
}

/** A reader that sees the records in the caller's access scope. */
export async function readerInScope(service: Service, operation: Operation, db: Reader): Promise<Reader> {
  const scope = await scopeFor(service, operation, db)
  return scope ? db.withVisibility(scope) : db
}
