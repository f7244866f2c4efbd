import { declareBeyondWriting, permits } from '../../engine/permission.ts'

/** The areas that permissions speak of: `<area>:read` and `<area>:write`. */
export const AREAS = [
  'keys',
  'organisation',
  'employees',
  'directory',
  'skills',
  'external_users',
  'teams',
  'recruitment',
  'tasks',
  'performance',
  'time',
  'leave',
  'calendar',
  'audits',
  'assets',
  'knowledge',
  'reviews',
  'review_answers',
  'users',
  'reports',
] as const

/** What can be done in an area without writing whatever there is to write: asking, deciding. */
const BETWEEN: Partial<Record<(typeof AREAS)[number], readonly string[]>> = {
  leave: ['request', 'approve', 'override'],
  time: ['enter', 'approve'],
}

/**
 * Groups of data that can be withheld from a key: pay; what concerns the private person; what people write about
 * others. Custom fields, tables of employees, their columns and document folders can be put into one of them too.
 */
export const PROTECTIONS = ['compensation', 'personal', 'notes'] as const

/** Besides them: changes of jobs, pay and employment that are planned, until their day or until they are announced. */
export const PLANNED = 'planned'

export const FIELD_GROUPS = [...PROTECTIONS, PLANNED] as const

/** What writing in an area does not cover: it makes records of another area, by one operation of its own. */
const BEYOND: Partial<Record<(typeof AREAS)[number], readonly string[]>> = {
  recruitment: ['hire'],
}
for (const [area, verbs] of Object.entries(BEYOND)) for (const verb of verbs) declareBeyondWriting(`${area}:${verb}`)

export const PERMISSIONS = [
  '*',
  ...AREAS.flatMap((area) =>
    ['*', 'read', ...(BETWEEN[area] ?? []), 'write', ...(BEYOND[area] ?? [])].map((verb) => `${area}:${verb}`),
  ),
]

/** What permissions mean, for the reference. */
export const PERMISSIONS_NOTE =
  'Permissions: `*` (everything), `area:*` (everything in an area), `area:read`, or `area:write`, which does not include reading. `leave:write` includes `leave:request`, `leave:approve` and `leave:override` (allow leave although a condition of the policy is not met); `time:write` includes `time:enter` and `time:approve`. `recruitment:hire` allows creating employees from candidates; `recruitment:write` does not include it'

/**
 * Areas in which the key of a person sees and does what concerns that person, unless it holds this permission; a key of
 * nobody sees all.
 */
const PERSONAL: Record<string, string> = { reviews: 'reviews:write', review_answers: 'reviews:write' }

/** What a key, or a person, may do, what they do not see, until when, and which employee they are. */
export type Rights = {
  readonly permissions: readonly string[]
  readonly withheld: readonly string[]
  readonly expires_at: string | null
  readonly employee_id: number | null
  /** They are a person's: who is no employee is nobody whom anything concerns, where a key of nobody sees all. */
  readonly arePersons?: boolean
}

/** Permissions that the bound does not hold. */
export const excess = (of: Rights, bound: Rights) => of.permissions.filter((one) => !permits(bound.permissions, one))

/** Field groups that are seen, and are withheld by the bound. */
export const uncovered = (of: Rights, bound: Rights) => bound.withheld.filter((group) => !of.withheld.includes(group))

/** Permissions that mean more to somebody else, or to nobody, than to the person of the bound. */
export function borrowed(of: Rights, bound: Rights): string[] {
  const meansNoMore = bound.employee_id === null ? !bound.arePersons : of.employee_id === bound.employee_id
  if (meansNoMore) return []
  return of.permissions.filter((one) => {
    const whole = PERSONAL[one.split(':')[0] as string]
    return whole !== undefined && !permits(bound.permissions, whole)
  })
}

/** Does the one last longer than the other? Nothing lasts longer than what has no end. */
export const outlasts = (one: string | null, other: string | null) => other !== null && (one === null || one > other)

/** What is left of rights within a bound. */
export function within(of: Rights, bound: Rights) {
  const kept = of.permissions.flatMap((one) =>
    permits(bound.permissions, one) ? [one] : bound.permissions.filter((other) => permits([one], other)),
  )
  const lent = borrowed({ ...of, permissions: kept }, bound)
  return {
    permissions: [...new Set(kept)].filter((one) => !lent.includes(one)),
    withheld: [...of.withheld, ...uncovered(of, bound)],
    expires_at: outlasts(of.expires_at, bound.expires_at) ? bound.expires_at : of.expires_at,
  }
}
