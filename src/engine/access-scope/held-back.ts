import type { Condition } from '../../database/rewrite-query.ts'
import type { Change } from '../../records/entries.ts'
import type { Reader } from '../../records/reader.ts'
import type { HeldBack, Resource } from '../declaration.ts'
import { forbidden } from '../problem.ts'
import { fieldOf, isColumn, isKind, kindOf } from '../resource.ts'
import { anyOf, columnNamesOf, noHiddenGroups } from './conditions.ts'

/** Data that is held back is hidden until its day, such as a planned change. It belongs to a field group until then. */

/** The conditions under which data is not held back: one of its days has come, or `unless` is true. */
export const dueConditions = ({ unless }: HeldBack, until: readonly string[], today: string): Condition[] => [
  ...until.map((column) => ({ column, upTo: today })),
  ...(unless ? [unless(today, until[0] as string)] : []),
]

/** A reader without held-back data, as callers who cannot see its group read the records. */
export const withoutHeldBack = (db: Reader): Reader =>
  db.withVisibility({
    tableFilterOf(name) {
      const of = isKind(name) ? kindOf(name) : undefined
      const heldBack = of?.heldBack
      if (!heldBack) return undefined
      const { until, columns: hidden, ends } = heldBack
      const isVisible = (days: readonly string[]) => anyOf(dueConditions(heldBack, days, db.today))
      const masks = Object.fromEntries([
        ...(hidden ?? []).map((column) => [column, isVisible(until)] as const),
        ...(ends ? [[ends.column, isVisible(ends.until)] as const] : []),
      ])
      const substitutes = ends ? { [ends.column]: ends.meanwhile } : {}
      return {
        name,
        table: name,
        accountId: db.account.id,
        columns: columnNamesOf(of),
        rows: hidden ? true : isVisible(until),
        masks,
        substitutes,
        flags: {},
      }
    },
    key: 'without held-back data',
    hiddenGroupsOf: noHiddenGroups,
    seesAll: () => true,
  })

/**
 * The group of held-back data, if a change concerns such data; at most one. Columns that come into force today are visible to
 * all, so refusing them would protect nothing.
 */
export function heldBackGroupsIn(
  { heldBack }: Resource,
  { before, after }: Pick<Change, 'before' | 'after'>,
  today: string,
): string[] {
  if (!heldBack) return []
  const isPlanned = (values: Change['after']) =>
    heldBack.until.some((column) => typeof values?.[column] === 'string' && (values[column] as string) > today)
  const isInForce = heldBack.columns && typeof after?.[heldBack.until[0] as string] === 'string'
  return isPlanned(after) || (!isInForce && isPlanned(before)) ? [heldBack.group] : []
}

/** The field groups of the columns that a change touches, and of its record. */
export function groupsChanged(of: Resource, { action, before, after }: Change, today: string): string[] {
  const recordGroups = [...(of.group ? [of.group] : []), ...heldBackGroupsIn(of, { before, after }, today)]
  if (action === 'delete') return recordGroups
  const isSet = (name: string) => {
    const field = fieldOf(of, name)
    return action !== 'create' || (after?.[name] ?? null) !== (field.write(field.initial) ?? null)
  }
  const columns = Object.keys({ ...before, ...after }).filter((name) => isColumn(of, name) && isSet(name))
  return [...new Set([...recordGroups, ...columns.flatMap((name) => fieldOf(of, name).group ?? [])])]
}

export const groupHidden = (group: string) =>
  forbidden(
    `This change needs the field group ${group} of the record, which is hidden from you. Use a role or API key that can see it.`,
  )
