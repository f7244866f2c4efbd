import type { Resource } from '../declaration.ts'
import { conflict, type FieldProblem, Problem } from '../problem.ts'

/** Why a change cannot be undone, and what to do instead. */

const wordsOf = (of: Resource) => of.table.replaceAll('_', ' ')

export const dataErased = () => conflict('This change cannot be undone: its data has been erased.')

export const hasSecrets = (of: Resource) =>
  conflict(`Changes of ${wordsOf(of)} cannot be undone: they contain secrets, which are not stored.`)

export const fieldsOutdated = () =>
  conflict(
    'This change cannot be undone: an earlier version of Cadre made it, and the fields have changed since. Edit the record instead.',
  )

export const nothingToUndo = () => conflict('Nothing to undo: only related records changed.')

export const needsWholeRequest = () =>
  conflict('This change cannot be undone alone. Send request=true to undo the whole request.')

export const onlyInherited = ({ one }: Resource) =>
  conflict(
    `This change cannot be undone alone: the ${one} only took over values from the earlier ${one} when that one was changed. Send request=true to undo the whole request, or undo the change of the earlier ${one}.`,
  )

/** The caller sent none of these fields: the undo would restore them. */
export const valueImpossible = (cause: Problem) =>
  new Problem(
    cause.status,
    cause.code,
    `This cannot be undone, because a value that it would restore is not possible any more: ${cause.message}. Change the record yourself instead.`,
    { errors: cause.errors, cause },
  )

const MOST_SHOWN = 100

export function changedSince(problems: readonly FieldProblem[]): Problem {
  const shown = problems.slice(0, MOST_SHOWN).map(({ message }) => message)
  const rest = problems.length - MOST_SHOWN
  const detail = [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')
  return new Problem(409, 'conflict', `${detail}. Undo the later changes first, or change the record instead.`, {
    errors: problems,
  })
}

export function stillInUse(
  { one }: Resource,
  /** The record that refers to it; null if the caller may not know it. */
  user: { one: string; id: number; column: string } | null,
  isWhole: boolean,
): Problem {
  const by = user ? `by ${user.one} ${user.id} (${user.column})` : 'by a record that you cannot see'
  const first = `Undo the change of that ${user?.one ?? 'record'} first`
  const advice = isWhole ? first : `${first}, or send request=true to undo the whole request`
  return conflict(`This ${one} is still in use ${by}. ${advice}.`, 'in_use')
}

export const wouldSplit = (record: string, part: string, owner: string) =>
  conflict(
    `This cannot be undone: ${record} would go back to its previous ${owner}, but ${part}, a part of it, would stay with the current ${owner}. Undo the last change of ${part} first.`,
  )

export const againstSchema = () =>
  conflict(
    'This cannot be undone: it would conflict with a record that was created or changed later. Undo the later change first.',
  )
