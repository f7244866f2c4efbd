import { permits } from '../../engine/permission.ts'
import { type Caller, EVERYBODY, type Grant } from '../../records/caller.ts'
import { FIELD_GROUPS } from './permissions.ts'

/** Of whom a grant of a role can hold. */
export const SCOPES = ['self', 'reports', 'department', 'location', 'vacancies', 'everybody'] as const

/** A grant as it is stored with its role. */
export type StoredGrant = {
  scope: (typeof SCOPES)[number]
  permissions: string[]
  sees: string[]
  department_id: number | null
  location_id: number | null
}

export const grantOf = ({ scope, permissions, sees, department_id, location_id }: StoredGrant): Grant => ({
  permissions,
  scope: { kind: scope, id: department_id ?? location_id },
  withheld: new Set(FIELD_GROUPS.filter((group) => !sees.includes(group))),
})

const isForEverybody = ({ scope }: Grant) => scope.kind === EVERYBODY.kind

/** What a caller holds for everybody: a caller without grants holds all of it so. */
const wholeOf = ({ grants, permissions, withheld }: Pick<Caller, 'grants' | 'permissions' | 'withheld'>): Grant[] =>
  grants ? grants.filter(isForEverybody) : [{ permissions, scope: EVERYBODY, withheld }]

/** What a caller holds for everybody, and sees wherever it holds something for everybody. */
export function heldForAll(caller: Pick<Caller, 'grants' | 'permissions' | 'withheld'>) {
  const whole = wholeOf(caller)
  return {
    permissions: [...new Set(whole.flatMap((grant) => grant.permissions))],
    withheld: FIELD_GROUPS.filter((group) => whole.some((grant) => grant.withheld.has(group))),
  }
}

/** What is left of grants within the rights of a key. */
export const grantsWithin = (grants: readonly Grant[], permissions: readonly string[], withheld: readonly string[]) =>
  grants.map((grant) => ({
    ...grant,
    permissions: grant.permissions.flatMap((one) =>
      permits(permissions, one) ? [one] : permissions.filter((other) => permits([one], other)),
    ),
    withheld: new Set([...grant.withheld, ...withheld]),
  }))

/** Does one grant hold all that another one does? */
const covers = (whole: Grant, { permissions, withheld }: Grant) =>
  isForEverybody(whole) &&
  permissions.every((one) => permits(whole.permissions, one)) &&
  [...whole.withheld].every((group) => withheld.has(group))

/**
 * Permissions of grants that a caller does not hold, together with sight of what they show: what is given may come to
 * hold for anybody, so only what is held for everybody can be given.
 */
export function exceeding(
  caller: Pick<Caller, 'grants' | 'permissions' | 'withheld'>,
  given: readonly Grant[],
): string[] {
  const whole = wholeOf(caller)
  return given.flatMap((grant) =>
    grant.permissions.filter((one) => !whole.some((own) => covers(own, { ...grant, permissions: [one] }))),
  )
}

/** A caller's rights as the engine looks at them: those that others cover are left out, and what holds for all is plain. */
export function rightsFrom(grants: readonly Grant[]): Pick<Caller, 'permissions' | 'withheld' | 'grants'> {
  const needed = grants.filter(
    (grant, index) =>
      !grants.some((other, at) => other !== grant && covers(other, grant) && (at < index || !covers(grant, other))),
  )
  const permissions = [...new Set(needed.flatMap((grant) => grant.permissions))]
  const withheld = new Set(FIELD_GROUPS.filter((group) => needed.every((grant) => grant.withheld.has(group))))
  const isPlain = needed.every((grant) => isForEverybody(grant) && grant.withheld.size === withheld.size)
  return { permissions, withheld, ...(isPlain ? {} : { grants: needed }) }
}
