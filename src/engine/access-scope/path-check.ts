import type { Reader } from '../../records/reader.ts'
import type { Resource } from '../declaration.ts'
import type { Operation } from '../operation.ts'
import { forbidden, notFound } from '../problem.ts'
import type { Kinds } from '../protection.ts'
import { idsWhere } from './conditions.ts'
import type { GrantCoverage } from './coverage.ts'
import { isOwn, type RowFilters } from './row-filters.ts'
import { subjectPathsOf } from './subjects.ts'

export const needsEverybody = (permission: string) =>
  forbidden(
    `You have the permission ${permission} only for some people or records. This operation needs a role that grants it for everybody.`,
  )

/** Resources with a row policy are checked here only in operations of their own area. Other operations check them themselves. */
export const isCheckedElsewhere = (of: Resource, { area }: Operation) => of.rowPolicy !== null && of.area !== area

/**
 * Checks the records that a path names: the operation's permission must cover them. Records that are about no subject need the
 * permission for everybody.
 */
export async function checkPath(
  db: Reader,
  kinds: Kinds,
  { coverage, rows }: { coverage: GrantCoverage; rows: RowFilters },
  operation: Operation,
  params: Record<string, unknown>,
): Promise<void> {
  const { permission, kind, area } = operation
  if (permission === null) return
  const schemas = Object.entries(operation.params.properties as Record<string, Record<string, any>>)
  const resources = [kind, ...schemas.map(([, schema]) => schema['x-reference'])].flatMap(
    (table) => kinds.get(table) ?? [],
  )
  // Refuse before any lookup, so that the answer tells nothing about the record.
  const isForAdministrators = resources.some((of) => subjectPathsOf(of)?.length === 0) && !isOwn(operation)
  if (isForAdministrators && !coverage.coversEverybody([permission])) throw needsEverybody(permission)
  const isAboutNobody = resources.length > 0 && resources.every((of) => of.area === area && !subjectPathsOf(of))
  if (isAboutNobody && !coverage.coversEverybody([permission])) throw needsEverybody(permission)
  for (const [name, schema] of schemas) {
    const of = kinds.get(schema['x-reference'])
    const id = params[name]
    if (!of || typeof id !== 'number' || isCheckedElsewhere(of, operation) || !subjectPathsOf(of)) continue
    if ((await idsWhere(db, of, rows.allowed(of, [permission], true), [id])).size === 0) throw notFound()
  }
}
