import type { Condition, TableFilter } from '../../database/rewrite-query.ts'
import type { Resource } from '../declaration.ts'
import type { Kinds } from '../protection.ts'
import { columnsOf } from '../resource.ts'
import { allOf, columnNamesOf } from './conditions.ts'
import { type GrantCoverage, isGroupOpenedTo } from './coverage.ts'
import type { RowFilters } from './row-filters.ts'
import { readPathsOf, resourceOfCardTable } from './subjects.ts'

/** The flag column that tells in which rows a field group is visible. */
export const groupFlagOf = (group: string) => `$${group}`

/** The visible part of each table: a filter on its rows, masks on the columns of hidden groups, and flags for those groups. */
export class TableFilters {
  readonly #accountId: number
  readonly #kinds: Kinds
  readonly #coverage: GrantCoverage
  readonly #rows: RowFilters
  /** Built when a statement reads the table: most requests read few tables. */
  readonly #filters = new Map<string, TableFilter | undefined>()

  constructor(accountId: number, kinds: Kinds, coverage: GrantCoverage, rows: RowFilters) {
    this.#accountId = accountId
    this.#kinds = kinds
    this.#coverage = coverage
    this.#rows = rows
  }

  /** The filter of a table, by its name in statements; undefined if the whole table is visible. */
  filterOf(name: string): TableFilter | undefined {
    const of = this.#kinds.get(name) ?? resourceOfCardTable(this.#kinds, name)
    if (!of) return undefined
    if (this.#filters.has(name)) return this.#filters.get(name)
    const filter = this.#build(of, name)
    this.#filters.set(name, filter)
    return filter
  }

  #build(of: Resource, name: string): TableFilter | undefined {
    const isCard = name !== of.table
    const rows = isCard ? true : this.#rows.allowed(of, this.#rows.readPermissionsOf(of))
    const { masks, flags } = this.#groupMasks(of)
    const substitutes = this.#maskHeldBack(of, masks)
    const isUnchanged = rows === true && Object.keys(masks).length === 0 && Object.keys(flags).length === 0
    if (isUnchanged && !isCard) return undefined
    return {
      name,
      table: of.table,
      accountId: this.#accountId,
      columns: columnNamesOf(of),
      rows,
      masks,
      substitutes,
      flags,
    }
  }

  /** Masks for the columns of groups that are hidden in some rows, and a flag for each such group. */
  #groupMasks(of: Resource) {
    const permissions = this.#rows.readPermissionsOf(of)
    const { partial } = this.hiddenGroupsOf(of.table)
    const masks: Record<string, Condition> = {}
    const flags: Record<string, Condition> = {}
    for (const group of this.#coverage.hiddenGroups) {
      const visible = this.#rows.covered(of, permissions, group)
      if (visible === true) continue
      for (const [column, field] of columnsOf(of)) if (field.group === group) masks[column] = visible
      if (partial.has(group)) flags[groupFlagOf(group)] = visible
    }
    return { masks, flags }
  }

  /** Adds masks for the columns that are held back, and returns the values that masked columns hold instead. */
  #maskHeldBack(of: Resource, masks: Record<string, Condition>): Record<string, string> {
    const { heldBack } = of
    if (!heldBack) return {}
    const permissions = this.#rows.readPermissionsOf(of)
    const mask = (column: string, condition: Condition) => {
      if (condition !== true) masks[column] = allOf([masks[column] ?? true, condition])
    }
    if (heldBack.columns) {
      const visible = this.#rows.notHeldBack(of, heldBack, permissions)
      for (const column of heldBack.columns) mask(column, visible)
    }
    if (!heldBack.ends) return {}
    const { column, until, meanwhile } = heldBack.ends
    mask(column, this.#rows.notHeldBack(of, heldBack, permissions, until))
    return { [column]: meanwhile }
  }

  /** The groups that are hidden in all records of a table (`withheld`), and those that are hidden in some (`partial`). */
  hiddenGroupsOf(table: string) {
    const of = this.#kinds.get(table)
    const withheld = new Set<string>()
    const partial = new Set<string>()
    if (!of) return { withheld, partial }
    const permissions = this.#rows.readPermissionsOf(of)
    const { grants, hiddenGroups } = this.#coverage
    for (const group of hiddenGroups) {
      if (this.#coverage.coversEverybody(permissions, group)) continue
      if (!this.#coverage.showsGroup(permissions, group) && !isGroupOpenedTo(grants, of, permissions, group))
        withheld.add(group)
      else if (readPathsOf(of)) partial.add(group)
    }
    return { withheld, partial }
  }
}
