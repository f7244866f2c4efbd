import { createContext, useContext } from 'react'
import type { Field, Fields } from '../../client/fields.ts'
import { permits } from '../../client/me.ts'
import type { Employee, Permission } from '../../client/operations.ts'
import { today } from '../../texts/formats.ts'

/** What all sections of a profile use: the employee, the day, and the user's permissions. */
export type Profile = {
  id: number
  employee: Employee
  etag: string | undefined
  /** The chosen day; empty for today. */
  asOf: string
  may: (permission: Permission) => boolean
  /** Does the user have the permission, and is the profile that of today? */
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

/** The fields without those of groups that the user may not see. */
export const seenOf = <F extends Fields>(fields: F, of: readonly (keyof F & string)[], sees: Profile['sees']) =>
  of.filter((name) => sees((fields[name] as Field).group ?? ''))

type Values = Readonly<Record<string, unknown>>
const FIRST_DAYS = ['effective_from', 'effective_on', 'starts_on']
const isAhead = (of: readonly string[], values: Values) =>
  FIRST_DAYS.some((name) => of.includes(name) && String(values[name] ?? '') > today())

/** Entries from today or earlier are visible immediately. Only future ones have a date of announcement. */
export const announceable =
  <N extends string>(of: readonly N[]) =>
  (values: Values): readonly N[] =>
    isAhead(of, values) ? of : of.filter((name) => name !== 'announced_on')

/** Clears the announcement if the entry no longer starts in the future. */
export function withoutHidden(of: readonly string[], values: Values, sent: Record<string, unknown>) {
  const { announced_on, ...rest } = sent
  if (isAhead(of, values) || !of.includes('announced_on')) return sent
  return values.announced_on && Object.keys(rest).length > 0 ? { ...rest, announced_on: null } : rest
}

/** Converts a body with a file to form data. */
export function bodyOf(values: Record<string, unknown>): never {
  if (!Object.values(values).some((value) => value instanceof File)) return values as never
  const form = new FormData()
  for (const [name, value] of Object.entries(values))
    if (value !== null && value !== undefined) form.append(name, value instanceof File ? value : String(value))
  return form as never
}

/** `{department: {id: 3}}` → `{department_id: 3}`, for references. */
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
