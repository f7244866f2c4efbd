import { createContext, useContext } from 'react'
import type { Field, Fields } from '../../client/fields.ts'
import { permits } from '../../client/me.ts'
import type { Employee, Permission } from '../../client/operations.ts'
import { today } from '../../texts/formats.ts'

/** What all sections of a profile know: whose it is, of which day, and what the person who looks may do about them. */
export type Profile = {
  id: number
  employee: Employee
  etag: string | undefined
  /** Empty: as it is today. */
  asOf: string
  may: (permission: Permission) => boolean
  /** May it be done, and is it today's profile that is looked at? */
  mayChange: (permission: Permission) => boolean
  sees: (group: string) => boolean
}

export const ProfileContext = createContext<Profile | undefined>(undefined)

export function useProfile(): Profile {
  const profile = useContext(ProfileContext)
  if (!profile) throw new Error('useProfile is for sections of a profile')
  return profile
}

export type Rights = { permissions: string[]; withheld: string[] }

export function profileOf(
  employee: Employee,
  etag: string | undefined,
  asOf: string,
  { permissions, withheld }: Rights,
): Profile {
  const may = (permission: Permission) => permits(permissions, permission)
  return {
    id: employee.id,
    employee,
    etag,
    asOf,
    may,
    mayChange: (permission) => !asOf && may(permission),
    sees: (group) => !withheld.includes(group),
  }
}

/** Names of fields without those of groups that are not seen of this person. */
export const seenOf = <F extends Fields>(fields: F, of: readonly (keyof F & string)[], sees: Profile['sees']) =>
  of.filter((name) => sees((fields[name] as Field).group ?? ''))

type Values = Readonly<Record<string, unknown>>
const FIRST_DAYS = ['effective_from', 'effective_on', 'starts_on']
const isAhead = (of: readonly string[], values: Values) =>
  FIRST_DAYS.some((name) => of.includes(name) && String(values[name] ?? '') > today())

/** What begins today or before is known at once: only for a day to come is asked when the employee sees it. */
export const announceable =
  <N extends string>(of: readonly N[]) =>
  (values: Values): readonly N[] =>
    isAhead(of, values) ? of : of.filter((name) => name !== 'announced_on')

/** What was entered of that for a day to come goes when the day is another one. */
export function withoutHidden(of: readonly string[], values: Values, sent: Record<string, unknown>) {
  const { announced_on, ...rest } = sent
  if (isAhead(of, values) || !of.includes('announced_on')) return sent
  return values.announced_on && Object.keys(rest).length > 0 ? { ...rest, announced_on: null } : rest
}

/** With a file in it, a body is sent in parts. */
export function bodyOf(values: Record<string, unknown>): never {
  if (!Object.values(values).some((value) => value instanceof File)) return values as never
  const form = new FormData()
  for (const [name, value] of Object.entries(values))
    if (value !== null && value !== undefined) form.append(name, value instanceof File ? value : String(value))
  return form as never
}

/** `{department: {id: 3}}` → `{department_id: 3}`, for fields that name a record. */
export function startOf(of: readonly string[], record: object) {
  const known = record as Record<string, unknown>
  return Object.fromEntries(
    of.map((name) => {
      if (name in known) return [name, known[name] ?? null]
      const named = known[name.replace(/_id$/, '')] as { id?: unknown } | null | undefined
      return [name, named?.id ?? null]
    }),
  )
}
