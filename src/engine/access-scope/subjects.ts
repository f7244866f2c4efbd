import type { Reader } from '../../records/reader.ts'
import type { Resource, SubjectPath } from '../declaration.ts'
import type { Kinds } from '../protection.ts'
import { fieldOf, kindOf, ownerOf } from '../resource.ts'

/** Subjects are the records that others are about, such as people. A scope covers subjects, and with them the records about them. */

const pathsByResource = new WeakMap<Resource, readonly SubjectPath[] | null>()

/**
 * The paths from a record to its subjects: those that the resource declares, or the one through the record that it belongs to.
 * Null if it is about no subject.
 */
export function subjectPathsOf(of: Resource): readonly SubjectPath[] | null {
  const cached = pathsByResource.get(of)
  if (cached !== undefined) return cached
  const owner = ownerOf(of)
  const paths = of.about ?? (owner && subjectPathsOf(kindOf(owner.to)) ? [{ column: owner.column }] : null)
  pathsByResource.set(of, paths)
  return paths
}

/** The paths that decide which records a caller reads. A resource with a row policy is read by that policy alone. */
export const readPathsOf = (of: Resource) => (of.rowPolicy ? null : subjectPathsOf(of))

export const isSubject = (of: Resource) => of.about?.includes('self') ?? false

/** The resource that a column refers to. */
export const targetOf = (of: Resource, column: string): Resource =>
  kindOf(fieldOf(of, column).reference?.table as string)

/**
 * The name under which statements read subjects that other records refer to. It has all rows, so that every caller sees the
 * name of a subject, but not the columns that are hidden from the caller.
 */
export const cardTableOf = (table: string) => `$${table}`

/** The resource behind the name of a card table. */
export function resourceOfCardTable(kinds: Kinds, name: string): Resource | undefined {
  const of = name.startsWith('$') ? kinds.get(name.slice(1)) : undefined
  return of && isSubject(of) ? of : undefined
}

/** The table from which a handwritten statement reads the names of subjects. */
export const cardTableFor = ({ visibility }: Reader, table: string) => (visibility ? cardTableOf(table) : table)
