import type { Condition, TableFilter } from '../database/overlay.ts'
import { EVERYBODY, type Grant, type Scope } from '../ledger/caller.ts'
import { chunks } from '../ledger/chunks.ts'
import type { Change } from '../ledger/entries.ts'
import type { Reader, Visibility } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import type { HeldBack, Resource, SubjectPath } from './declaration.ts'
import type { Operation } from './operation.ts'
import { OWN, permits } from './permission.ts'
import { forbidden, notFound } from './problem.ts'
import { groupsGivenBy, groupsOf, guardsOf, type Kinds, protectorOf } from './protection.ts'
import { columnsOf, fieldOf, isColumn, isKind, kindOf, ownerOf, pastTableOf } from './resource.ts'

/**
 * Whom a caller reaches. Grants hold for scopes: of everybody, or of the records that a scope finds. Records that are
 * about others are not there for the caller: the tables that an operation reads are narrowed to what is reached, so
 * that no list, count, filter or sum can tell of them; and what a write has changed is held against it in the end.
 */

/** Finds the records that a scope means, by the tables of what records can be about; and the tables that say so. */
export type ScopeFinder = {
  readonly dependsOn: readonly string[]
  readonly find: (db: Reader, scope: Scope) => Promise<Readonly<Record<string, readonly number[]>>>
}
export type Scopes = Readonly<Record<string, ScopeFinder>>

/** By the names of scopes: what each of them has found. */
type Found = ReadonlyMap<string, Readonly<Record<string, readonly number[]>>>

/** All there are, or the ids of some. */
type CoveredIds = 'all' | ReadonlySet<number>

/** The ways from a record of a kind to what it is about: declared, or to what it is a part of. */
const ways = new WeakMap<Resource, readonly SubjectPath[] | null>()
export function subjectPathsOf(of: Resource): readonly SubjectPath[] | null {
  const known = ways.get(of)
  if (known !== undefined) return known
  const owner = ownerOf(of)
  const found = of.about ?? (owner && subjectPathsOf(kindOf(owner.to)) ? [{ column: owner.column }] : null)
  ways.set(of, found)
  return found
}

/** The ways by which scopes reach what is read: what is seen by who looks at it is read by that sight alone. */
const readAlong = (of: Resource) => (of.rowPolicy ? null : subjectPathsOf(of))

/** Is it something that others are about? */
export const isSubject = (of: Resource) => of.about?.includes('self') ?? false

/** What is about somebody can be told of by others, who name them: under this name, without what only some may see. */
export const cardTableOf = (table: string) => `$${table}`

/** The kind whose card has this name. */
function ofCard(kinds: Kinds, name: string): Resource | undefined {
  const of = name.startsWith('$') ? kinds.get(name.slice(1)) : undefined
  return of && isSubject(of) ? of : undefined
}

/** The table by which others are known by name, for statements that are written by hand. */
export const cardTableFor = ({ visibility }: Reader, table: string) => (visibility ? cardTableOf(table) : table)

/** What the caller reads by another permission than that of the operation. */
export const withPermission = (db: Reader, permission: string): Reader =>
  db.visibility?.forPermission ? db.withVisibility(db.visibility.forPermission(permission)) : db

/** Does a caller hold a permission for a record that others are about, with sight of a group of its data? */
export const holdsFor = (
  { caller, visibility, responseReader }: Reader,
  permission: string,
  table: string,
  id: number,
  group?: string,
): boolean =>
  (visibility ?? responseReader?.visibility)?.holds?.(permission, table, id, group) ??
  (permits(caller.permissions, permission) && !(group && caller.withheld.has(group)))

/** Those of whom a caller holds a permission that they do not hold for everybody. */
export function idsCoveredBy(
  { visibility, responseReader }: Reader,
  permission: string,
  table: string,
): readonly number[] {
  const own = visibility ?? responseReader?.visibility
  const reached = own instanceof AccessScope ? own.coveredIds(table, [permission]) : 'all'
  return reached === 'all' ? [] : [...reached]
}

/** What each scope of the grants means. */
async function findIn(db: Reader, scopes: Scopes, grants: readonly Grant[]): Promise<Found> {
  const found = new Map<string, Readonly<Record<string, readonly number[]>>>()
  for (const { scope } of grants) {
    if (scope.kind === EVERYBODY.kind || found.has(nameOf(scope))) continue
    const finder = scopes[scope.kind]
    found.set(nameOf(scope), finder ? await finder.find(db, scope) : {})
  }
  return found
}

/** Are some records of a kind shown to one of the grants, though their group is withheld? */
export const isGroupOpenedTo = (
  grants: readonly Grant[],
  { group, opens }: Resource,
  needed: readonly string[],
  asked: string,
): boolean =>
  opens !== null &&
  asked === group &&
  grants.some(({ scope, permissions }) => scope.kind === opens.to && needed.some((one) => permits(permissions, one)))

const SELF: Scope = { kind: 'self', id: null }

/**
 * Which groups of data are not seen of which records, where that differs from one to another: what is loaded beside
 * records leaves it out as their fields do.
 */
export async function hiddenGroupPredicate(
  reader: Reader,
  table: string,
  ids: readonly number[],
): Promise<(id: number, group: string | null) => boolean> {
  const db = reader.responseReader ?? reader
  const partial = [...(db.visibility?.hiddenGroupsOf(table).partial ?? [])]
  if (partial.length === 0 || ids.length === 0) return () => false
  const rows = await db
    .from(table)
    .select(['id', ...partial.map(groupFlagOf)])
    .where('id', 'in', [...ids])
    .execute()
  const seen = new Map(rows.map((row) => [row.id as number, row]))
  return (id, group) => {
    const isUnseen = group !== null && partial.includes(group) && !seen.get(id)?.[groupFlagOf(group)]
    if (isUnseen) reader.omitted.add(group)
    return isUnseen
  }
}

const columnNames = new WeakMap<Resource, readonly string[]>()

/** All columns of a kind's table: named once, as every narrowed request names those of all kinds. */
function columnNamesOf(of: Resource): readonly string[] {
  const known = columnNames.get(of) ?? Object.keys(pastTableOf(of).columns)
  columnNames.set(of, known)
  return known
}

export class AccessScope implements Visibility {
  readonly key: string
  readonly #grants: readonly Grant[]
  /** Field groups that are withheld by one of the grants. */
  readonly #groups: readonly string[]
  #found: Found
  /** How many changes of this request have been looked at. */
  #met = 0
  /** What is the caller themselves, whom they may name whatever they reach. */
  readonly #own: Readonly<Record<string, readonly number[]>>
  readonly #operation: Pick<Operation, 'permission' | 'multiResource'>
  readonly #kinds: Kinds
  readonly #scopes: Scopes
  readonly #accountId: number
  readonly #today: string
  /** Found as they are asked for: most requests are about a few of all tables. */
  readonly #narrowings = new Map<string, TableFilter | undefined>()

  private constructor(
    accountId: number,
    grants: readonly Grant[],
    found: Found,
    own: Readonly<Record<string, readonly number[]>>,
    operation: Pick<Operation, 'permission' | 'multiResource'>,
    kinds: Kinds,
    scopes: Scopes,
    today: string,
  ) {
    this.#today = today
    this.#accountId = accountId
    this.#scopes = scopes
    this.#grants = grants
    this.#groups = [...new Set(grants.flatMap((grant) => [...grant.withheld]))]
    this.#found = found
    this.#own = own
    this.#operation = operation
    this.#kinds = kinds
    const rights = grants.map(({ permissions, scope, withheld }) => [permissions, scope.kind, [...withheld].sort()])
    this.key = JSON.stringify([operation.permission, Boolean(operation.multiResource), rights])
  }

  /** What a caller reaches by an operation: one statement at most for each scope. */
  static async of(db: Reader, scopes: Scopes, kinds: Kinds, operation: Operation): Promise<AccessScope> {
    const { permissions, withheld } = db.caller
    const grants = db.caller.grants ?? [{ permissions, withheld, scope: EVERYBODY }]
    const found = await findIn(db, scopes, grants)
    const own = (await scopes[SELF.kind]?.find(db, SELF)) ?? {}
    return new AccessScope(db.account.id, grants, found, own, operation, kinds, scopes, db.today)
  }

  /** The same for another operation. */
  forOperation(operation: Operation): AccessScope {
    return this.#like(operation)
  }

  forPermission = (permission: string): AccessScope => this.#like({ permission })

  #like(operation: Pick<Operation, 'permission' | 'multiResource'>): AccessScope {
    const [grants, found, own] = [this.#grants, this.#found, this.#own]
    return new AccessScope(this.#accountId, grants, found, own, operation, this.#kinds, this.#scopes, this.#today)
  }

  /** What is reached of a subject by grants of one of these permissions, with sight of a group. */
  coveredIds(subject: string, permissions: readonly string[], group?: string | null): CoveredIds {
    const all = new Set<number>()
    for (const grant of this.#grants) {
      if (group && grant.withheld.has(group)) continue
      if (!permissions.some((one) => permits(grant.permissions, one))) continue
      if (grant.scope.kind === EVERYBODY.kind) return 'all'
      for (const id of this.#found.get(nameOf(grant.scope))?.[subject] ?? []) all.add(id)
    }
    return all
  }

  /** What a scope reaches of a subject by grants of one of these permissions, whatever they withhold. */
  #reachedIn(scope: string, subject: string, permissions: readonly string[]): ReadonlySet<number> {
    const own = this.#grants.filter(
      (grant) => grant.scope.kind === scope && permissions.some((one) => permits(grant.permissions, one)),
    )
    return new Set(own.flatMap((grant) => this.#found.get(nameOf(grant.scope))?.[subject] ?? []))
  }

  /** Does one of the permissions hold for everybody? */
  coversEverybody = (permissions: readonly string[], group?: string | null): boolean =>
    this.#grants.some(
      (grant) =>
        grant.scope.kind === EVERYBODY.kind &&
        !(group && grant.withheld.has(group)) &&
        permissions.some((one) => permits(grant.permissions, one)),
    )

  /** By which permissions records of a kind are read in this operation. */
  #readWith = ({ readWith }: Resource): string[] => {
    const { permission, multiResource } = this.#operation
    return multiResource || permission === null ? [readWith] : [readWith, permission]
  }

  /** The rows of a kind that are reached by permissions; what is about nobody is everybody's to read, not to write. */
  #rows(of: Resource, permissions: readonly string[], group?: string | null, isWritten = false): Condition {
    if (this.coversEverybody(permissions, group)) return true
    const about = isWritten ? subjectPathsOf(of) : readAlong(of)
    if (!about) return group ? this.#seesSomewhere(permissions, group) : true
    if (about.length === 0) return isOwn(this.#operation)
    return anyOf(about.map((way) => this.#along(of, way, permissions, group, isWritten)))
  }

  #seesSomewhere = (permissions: readonly string[], group: string) =>
    this.#grants.some(
      (grant) => !grant.withheld.has(group) && permissions.some((one) => permits(grant.permissions, one)),
    )

  #along(
    of: Resource,
    way: SubjectPath,
    permissions: readonly string[],
    group: string | null | undefined,
    isWritten: boolean,
  ): Condition {
    if (way === 'self') return idsIn('id', this.coveredIds(of.table, permissions, group))
    if ('from' in way) {
      const from = kindOf(way.from)
      return {
        column: 'id',
        among: { table: from.table, column: way.column, where: this.#rows(from, permissions, group, isWritten) },
      }
    }
    const target = kindOf(fieldOf(of, way.column).reference?.table as string)
    const named = isSubject(target)
      ? anyOf([
          idsIn(way.column, this.coveredIds(target.table, permissions, group)),
          ...(isWritten ? [] : this.#opened(of, way.column, target.table, permissions, group)),
        ])
      : {
          column: way.column,
          among: { table: target.table, column: 'id', where: this.#rows(target, permissions, group, isWritten) },
        }
    return way.orNothing && !isWritten ? anyOf([named, { column: way.column, is: null }]) : named
  }

  /** Records that are shown though the group that they all belong to is withheld. */
  #opened(
    { group, opens }: Resource,
    column: string,
    subject: string,
    permissions: readonly string[],
    asked: string | null | undefined,
  ): Condition[] {
    if (!opens || !asked || asked !== group) return []
    const reached = this.#reachedIn(opens.to, subject, permissions)
    return reached.size > 0 ? [allOf([idsIn(column, reached), { column: opens.where, isTrue: true }])] : []
  }

  /** Of records that are put into a group by what they name, those which are not, or are seen with it. */
  #unguarded(of: Resource, permissions: readonly string[], groups: readonly string[]): Condition[] {
    if (guardsOf(this.#kinds, of).length === 0) return []
    return groups.flatMap((group) => {
      const seen = this.#rows(of, permissions, group)
      return seen === true ? [] : [anyOf([{ not: this.#guardedBy(of, group) }, seen])]
    })
  }

  /** What is held back until a day comes is seen from then on, or with sight of its group. */
  #notHeldBack(of: Resource, { group, until, unless }: HeldBack, permissions: readonly string[]): Condition {
    if (!this.#groups.includes(group)) return true
    const today = this.#today
    return anyOf([
      this.#rows(of, permissions, group),
      ...until.map((column) => ({ column, upTo: today })),
      ...(unless ? [unless(today, until[0] as string)] : []),
    ])
  }

  #guardedBy(of: Resource, group: string): Condition {
    return anyOf(
      guardsOf(this.#kinds, of).map(({ column, table }) => {
        const target = kindOf(table)
        const protector = protectorOf(target)
        const where = anyOf([...(protector ? [{ column: protector, is: group }] : []), this.#guardedBy(target, group)])
        return { column, among: { table, column: 'id', where } }
      }),
    )
  }

  tableFilterOf(name: string): TableFilter | undefined {
    const of = this.#kinds.get(name) ?? ofCard(this.#kinds, name)
    if (!of) return undefined
    if (this.#narrowings.has(name)) return this.#narrowings.get(name)
    const permissions = this.#readWith(of)
    const isCard = name !== of.table
    const conditions = isCard
      ? []
      : [
          this.#rows(of, permissions, of.group),
          ...this.#unguarded(of, permissions, this.#groups),
          of.heldBack && !of.heldBack.columns ? this.#notHeldBack(of, of.heldBack, permissions) : true,
        ]
    const narrowing = this.#narrowing(of, name, conditions)
    this.#narrowings.set(name, narrowing)
    return narrowing
  }

  #narrowing(of: Resource, name: string, conditions: Condition[]): TableFilter | undefined {
    const permissions = this.#readWith(of)
    const { partial } = this.hiddenGroupsOf(of.table)
    const masks: Record<string, Condition> = {}
    const flags: Record<string, Condition> = {}
    for (const group of this.#groups) {
      const seen = this.#rows(of, permissions, group)
      if (seen === true) continue
      for (const [column, field] of columnsOf(of)) if (field.group === group) masks[column] = seen
      if (partial.has(group)) flags[groupFlagOf(group)] = seen
    }
    const substitutes: Record<string, string> = {}
    const { heldBack } = of
    const hide = (column: string, condition: Condition) => {
      if (condition !== true) masks[column] = allOf([masks[column] ?? true, condition])
    }
    if (heldBack?.columns) {
      const seen = this.#notHeldBack(of, heldBack, permissions)
      for (const column of heldBack.columns) hide(column, seen)
    }
    if (heldBack?.ends) {
      const { column, until, meanwhile } = heldBack.ends
      hide(column, this.#notHeldBack(of, { ...heldBack, until }, permissions))
      substitutes[column] = meanwhile
    }
    const rows = allOf(conditions)
    if (rows === true && Object.keys(masks).length === 0 && Object.keys(flags).length === 0 && name === of.table)
      return undefined
    const columns = columnNamesOf(of)
    return { name, table: of.table, accountId: this.#accountId, columns, rows, masks, substitutes, flags }
  }

  hiddenGroupsOf(table: string) {
    const of = this.#kinds.get(table)
    const withheld = new Set<string>()
    const partial = new Set<string>()
    if (of)
      for (const group of this.#groups) {
        const permissions = this.#readWith(of)
        if (this.coversEverybody(permissions, group)) continue
        if (!this.#seesSomewhere(permissions, group) && !isGroupOpenedTo(this.#grants, of, permissions, group))
          withheld.add(group)
        else if (readAlong(of)) partial.add(group)
      }
    return { withheld, partial }
  }

  /** Field groups that a caller never sees by an operation. */
  withheldFrom(permission: string | null): ReadonlySet<string> {
    return new Set(this.#groups.filter((group) => permission === null || !this.#seesSomewhere([permission], group)))
  }

  holds(permission: string, table: string, id: number, group?: string): boolean {
    const reached = this.coveredIds(table, [permission], group)
    return reached === 'all' || reached.has(id)
  }

  /**
   * What is held back is refused to those who do not see it before any rule looks at it: rules would tell of what stands
   * there already.
   */
  refuseHeldBack(table: string, attempts: Parameters<NonNullable<Visibility['refuseHeldBack']>>[1]): void {
    const of = this.#kinds.get(table)
    const { permission } = this.#operation
    if (!of?.heldBack || permission === null) return
    const { group, columns } = of.heldBack
    for (const { before, changes, after } of attempts) {
      // Of a record that is held back in part, only what is changed of it counts.
      const change = columns ? { before: null, after: changes } : { before, after }
      if (heldBackIn(of, change, this.#today).length === 0) continue
      for (const way of subjectPathsOf(of) ?? []) {
        const [subject, id] =
          way === 'self'
            ? [table, before?.id]
            : 'from' in way
              ? []
              : [fieldOf(of, way.column).reference?.table, after[way.column]]
        if (subject && typeof id === 'number' && !this.holds(permission, subject, id, group)) throw heldBackFrom(group)
      }
    }
  }

  /** Changes without those of records that are held back from the caller: they follow from others, and tell of a plan. */
  async withoutHeldBack<T extends Change>(db: Reader, changes: readonly T[]): Promise<T[]> {
    const hidden = new Set<T>()
    for (const [table, own] of Map.groupBy(changes, ({ resource }) => resource)) {
      const of = this.#kinds.get(table)
      if (!of?.heldBack || of.heldBack.columns || this.seesHeldBack(table)) continue
      const { heldBack } = of
      const there = own.flatMap(({ action, record_id }) => (action === 'delete' ? [] : record_id))
      const seen = await this.#among(db, of, this.#notHeldBack(of, heldBack, this.#readWith(of)), there)
      for (const change of own)
        if (change.action === 'delete' ? heldBackIn(of, change, this.#today).length > 0 : !seen.has(change.record_id))
          hidden.add(change)
    }
    return changes.filter((change) => !hidden.has(change))
  }

  seesHeldBack(table: string): boolean {
    const of = this.#kinds.get(table)
    return !of?.heldBack || this.#rows(of, this.#readWith(of), of.heldBack.group) === true
  }

  seesAll(table: string): boolean {
    const of = this.#kinds.get(table)
    if (!of) return true
    const permissions = this.#readWith(of)
    const isSeen = (group: string | null) => this.#rows(of, permissions, group) === true
    return isSeen(of.group) && (of.heldBack?.columns !== undefined || this.seesHeldBack(table))
  }

  /** Those of the ids that a caller may name in a column of a record. */
  async nameable(db: Reader, table: string, column: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const of = kindOf(table)
    const target = kindOf(fieldOf(of, column).reference?.table as string)
    const about = subjectPathsOf(of) ?? []
    const isAbout = about.some((way) => way !== 'self' && !('from' in way) && way.column === column)
    if (!isAbout || !isSubject(target)) return this.visibleIds(db, target.table, ids)
    // Whom a record is about must be reached by what is done; anybody else need only be known, as oneself is.
    const reached = this.coveredIds(target.table, this.#done)
    const own = about.length > 1 ? (this.#own[target.table] ?? []) : []
    return new Set(ids.filter((id) => reached === 'all' || reached.has(id) || own.includes(id)))
  }

  async visibleIds(db: Reader, table: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const of = kindOf(table)
    if (!isSubject(of)) return this.#among(db, of, this.#rows(of, [...this.#done, of.readWith]), ids)
    const reached = this.coveredIds(table, [...this.#done, of.readWith])
    const own = this.#own[table] ?? []
    const isReached = (id: number) => reached === 'all' || reached.has(id) || own.includes(id)
    const others = ids.filter((id) => !isReached(id))
    return new Set([...ids.filter(isReached), ...(await this.#named(db, of, others))])
  }

  /** Those of the ids who are known by name alone. */
  async #named(db: Reader, of: Resource, ids: readonly number[]): Promise<number[]> {
    if (!of.named || ids.length === 0) return []
    const reached = this.coveredIds(of.table, [of.named.by])
    const known = ids.filter((id) => reached === 'all' || reached.has(id))
    if (known.length === 0) return []
    const whole = db.withVisibility({
      tableFilterOf: () => undefined,
      key: '',
      hiddenGroupsOf: NOTHING_HIDDEN,
      seesAll: () => true,
    })
    const query = whole.from(of.table).select(`${of.table}.id`).where(`${of.table}.id`, 'in', known)
    return (await of.named.which(query, whole).execute()).map(({ id }) => id as number)
  }

  get #done(): string[] {
    const { permission } = this.#operation
    return permission === null ? [] : [permission]
  }

  /** Those of the ids that are of rows. */
  async #among(db: Reader, of: Resource, rows: Condition, ids: readonly number[]): Promise<ReadonlySet<number>> {
    if (rows === true) return new Set(ids)
    if (rows === false || ids.length === 0) return new Set()
    const columns = Object.keys(pastTableOf(of).columns)
    const own = { name: of.table, table: of.table, accountId: this.#accountId, columns, rows, masks: {}, flags: {} }
    const seen = new Set<number>()
    for (const some of chunks([...new Set(ids)], 1000)) {
      const tableFilterOf = (name: string) => (name === of.table ? own : undefined)
      const visibility = { tableFilterOf, key: '', hiddenGroupsOf: NOTHING_HIDDEN, seesAll: () => false }
      const found = await db.withVisibility(visibility).from(of.table).select('id').where('id', 'in', some).execute()
      for (const { id } of found) seen.add(id)
    }
    return seen
  }

  /**
   * The records that a path names must be reached by what is done to them. What is about nobody is done by those only
   * who may do it for everybody.
   */
  async checkPath(db: Reader, operation: Operation, params: Record<string, unknown>): Promise<void> {
    const { permission, kind, area } = operation
    if (permission === null) return
    const named = Object.entries(operation.params.properties as Record<string, Record<string, any>>)
    const kinds = [kind, ...named.map(([, schema]) => schema['x-reference'])].flatMap(
      (table) => this.#kinds.get(table) ?? [],
    )
    // What is about nobody at all is for those who look after everybody's: nothing of it is looked up for others.
    const isForFew = kinds.some((of) => subjectPathsOf(of)?.length === 0) && !isOwn(operation)
    if (isForFew && !this.coversEverybody([permission])) throw wholeNeeded(permission)
    const isCommon = kinds.length > 0 && kinds.every((of) => of.area === area && !subjectPathsOf(of))
    if (isCommon && !this.coversEverybody([permission])) throw wholeNeeded(permission)
    for (const [name, schema] of named) {
      const of = this.#kinds.get(schema['x-reference'])
      const id = params[name]
      if (!of || typeof id !== 'number' || isSeenTo(of, operation) || !subjectPathsOf(of)) continue
      const rows = allOf([
        this.#rows(of, [permission], of.group, true),
        ...this.#unguarded(of, [permission], this.#groups),
        of.heldBack && !of.heldBack.columns ? this.#notHeldBack(of, of.heldBack, [permission]) : true,
      ])
      if ((await this.#among(db, of, rows, [id])).size === 0) throw notFound()
    }
  }

  /**
   * What has been changed must be about those whom the operation's permission reaches, and belong to what is seen of
   * them. What is about nobody is changed by those only who hold the permission for everybody.
   */
  async checkChanges(db: Writer, operation: Operation, changes: readonly Change[]): Promise<void> {
    const { permission, area } = operation
    if (permission === null) return
    await this.includeCreated(db)
    await this.#reachesNoFurther(db, changes)
    const made = new Set(
      changes.flatMap(({ action, resource, record_id }) => (action === 'create' ? `${resource} ${record_id}` : [])),
    )
    for (const [table, own] of Map.groupBy(changes, ({ resource }) => resource)) {
      const of = this.#kinds.get(table)
      if (of?.rowPolicy) await this.#seesWhatIsNew(db, of, own)
      if (!of || isSeenTo(of, operation)) continue
      if (!subjectPathsOf(of) && of.area === area && !this.coversEverybody([permission])) throw wholeNeeded(permission)
      const groups = new Map<string | null, Change[]>([[null, own]])
      const given = await this.#groupsNamed(db, of, own)
      for (const change of own)
        for (const group of new Set([...this.#groupsOf(of, change, made), ...(given.get(change) ?? [])]))
          groups.set(group, [...(groups.get(group) ?? []), change])
      for (const [group, some] of groups) {
        if (await this.#areReached(db, of, permission, group, some, changes)) continue
        if (group) throw heldBackFrom(group)
        throw own.every(({ action }) => action === 'create')
          ? forbidden(`Your role does not cover this ${of.one}.`)
          : notFound()
      }
    }
  }

  /** The groups that a change belongs to. What somebody begins with who comes by the same request is not held back. */
  #groupsOf(of: Resource, change: Change, made: ReadonlySet<string>): string[] {
    const isNew = (subjectPathsOf(of) ?? []).some(
      (way) =>
        way !== 'self' &&
        !('from' in way) &&
        made.has(`${fieldOf(of, way.column).reference?.table} ${change.after?.[way.column]}`),
    )
    const groups = groupsChanged(of, change, this.#today)
    return isNew && change.action === 'create' ? groups.filter((group) => group !== of.heldBack?.group) : groups
  }

  /** Nobody brings others into their own reach: not by moving them, nor by moving what they are in. */
  async #reachesNoFurther(db: Writer, changes: readonly Change[]): Promise<void> {
    const changed = new Set(changes.map(({ resource }) => resource))
    const moved = this.#grants.filter(({ scope }) =>
      this.#scopes[scope.kind]?.dependsOn.some((table) => changed.has(table)),
    )
    const made = new Set(
      changes.flatMap(({ action, resource, record_id }) => (action === 'create' ? `${resource} ${record_id}` : [])),
    )
    for (const [name, tables] of await findIn(db, this.#scopes, moved))
      for (const [table, ids] of Object.entries(tables)) {
        const before = new Set(this.#found.get(name)?.[table])
        if (ids.some((id) => !before.has(id) && !made.has(`${table} ${id}`)))
          throw forbidden(
            'You cannot make this change: your own role would then cover more people. Ask somebody whose role already covers them.',
          )
      }
  }

  /** What is seen by who looks at it is made by those only who see it then. */
  async #seesWhatIsNew(db: Writer, of: Resource, own: readonly Change[]): Promise<void> {
    if (!of.rowPolicy || of.rowPolicy.seesAll(db.caller)) return
    const made = new Set(own.flatMap(({ action, record_id }) => (action === 'create' ? record_id : [])))
    for (const { action, record_id } of own) if (action === 'delete') made.delete(record_id)
    for (const some of chunks([...made], 1000)) {
      const there = db.from(of.table).select(`${of.table}.id`).where(`${of.table}.id`, 'in', some)
      if ((await of.rowPolicy.narrow(there, db).execute()).length < some.length)
        throw forbidden(
          `You cannot create this ${of.one}: your role does not cover it, so you could not see it afterwards.`,
        )
    }
  }

  /** Those who have come by this request are reached as others are, by where they stand now. */
  async includeCreated(db: Reader & Partial<Pick<Writer, 'changes'>>): Promise<void> {
    const changes = db.changes?.() ?? []
    if (changes.length === this.#met) return
    this.#met = changes.length
    const made = Map.groupBy(
      changes.filter(
        ({ action, resource }) => action === 'create' && this.#kinds.get(resource)?.about?.includes('self'),
      ),
      ({ resource }) => resource,
    )
    if (made.size === 0) return
    const found = new Map(this.#found)
    for (const [name, tables] of await findIn(db, this.#scopes, this.#grants))
      for (const [table, own] of made) {
        const before = found.get(name) ?? {}
        const fresh = own.flatMap(({ record_id: id }) => (tables[table]?.includes(id) ? id : []))
        found.set(name, { ...before, [table]: [...new Set([...(before[table] ?? []), ...fresh])] })
      }
    this.#found = found
    this.#narrowings.clear()
  }

  /** The groups that changed records belong to because of what they name: all there are where that is not known. */
  async #groupsNamed(db: Writer, of: Resource, own: readonly Change[]): Promise<Map<Change, readonly string[]>> {
    const guards = guardsOf(this.#kinds, of)
    const groups = this.#groups
    if (guards.length === 0 || groups.length === 0) return new Map()
    const there = own.filter(({ action }) => action !== 'delete').map(({ record_id }) => record_id)
    const given = await groupsOf(db, this.#kinds, of, there)
    const found = new Map<Change, readonly string[]>()
    for (const change of own) {
      const named =
        change.action === 'delete' ? await this.#namedBefore(db, guards, change) : given.get(change.record_id)
      found.set(change, named ? groups.filter((group) => named.has(group)) : groups)
    }
    return found
  }

  async #namedBefore(db: Writer, guards: ReturnType<typeof guardsOf>, { before }: Change) {
    const all = new Set<string>()
    for (const { column, table } of guards) {
      const id = before?.[column]
      if (typeof id !== 'number') continue
      const given = (await groupsGivenBy(db, this.#kinds, this.#kinds.get(table) as Resource, [id])).get(id)
      if (!given) return null
      for (const group of given) all.add(group)
    }
    return all
  }

  async #areReached(
    db: Writer,
    of: Resource,
    permission: string,
    group: string | null,
    own: readonly Change[],
    all: readonly Change[],
  ): Promise<boolean> {
    const rows = this.#rows(of, [permission], group, true)
    if (rows === true) return true
    const gone = new Set(own.flatMap(({ action, record_id }) => (action === 'delete' ? record_id : [])))
    const there = new Set(own.flatMap(({ record_id }) => (gone.has(record_id) ? [] : record_id)))
    if ((await this.#among(db, of, rows, [...there])).size < there.size) return false
    for (const change of own) if (!(await this.#wasReached(db, of, permission, group, change, all))) return false
    return true
  }

  /** What was about somebody else before is theirs, too. */
  async #wasReached(
    db: Writer,
    of: Resource,
    permission: string,
    group: string | null,
    { record_id, action, before }: Change,
    all: readonly Change[],
  ): Promise<boolean> {
    const about = subjectPathsOf(of) ?? []
    if (before === null || (action !== 'delete' && about.length > 1)) return true
    for (const way of about) {
      if (way === 'self') {
        const reached = this.coveredIds(of.table, [permission], group)
        if (reached === 'all' || reached.has(record_id)) return true
        continue
      }
      if ('from' in way || !(way.column in before)) return true
      const id = before[way.column]
      if (typeof id !== 'number') continue
      const target = kindOf(fieldOf(of, way.column).reference?.table as string)
      // What it was a part of is looked at by itself when it has changed as well.
      if (all.some((one) => one.resource === target.table && one.record_id === id && one.action === 'delete'))
        return true
      if ((await this.#among(db, target, this.#rows(target, [permission], group, true), [id])).size > 0) return true
    }
    return about.length === 0
  }
}

/** What is seen by who looks at it is held to scopes by the operations of its own area; others see to it by themselves. */
const isSeenTo = (of: Resource, { area }: Operation) => of.rowPolicy !== null && of.area !== area

/** What somebody does about themselves alone. */
const isOwn = ({ permission, multiResource }: Pick<Operation, 'permission' | 'multiResource'>) =>
  permission !== null && OWN.test(permission) && !multiResource

const heldBackFrom = (group: string) =>
  forbidden(
    `This change needs the field group ${group} of the record, which is hidden from you. Use a role or API key that can see it.`,
  )

const wholeNeeded = (permission: string) =>
  forbidden(
    `You have the permission ${permission} only for some people or records. This operation needs a role that grants it for everybody.`,
  )

/** The records without what is held back, as those see them from whom it is withheld. */
export const withoutHeldBack = (db: Reader): Reader =>
  db.withVisibility({
    tableFilterOf(name) {
      const of = isKind(name) ? kindOf(name) : undefined
      if (!of?.heldBack) return undefined
      const { until, unless, columns: hidden, ends } = of.heldBack
      const known = (days: readonly string[]) =>
        anyOf([
          ...days.map((column) => ({ column, upTo: db.today })),
          ...(unless ? [unless(db.today, days[0] as string)] : []),
        ])
      const masks = Object.fromEntries([
        ...(hidden ?? []).map((column) => [column, known(until)] as const),
        ...(ends ? [[ends.column, known(ends.until)] as const] : []),
      ])
      const substitutes = ends ? { [ends.column]: ends.meanwhile } : {}
      const rows = hidden ? true : known(until)
      return {
        name,
        table: name,
        accountId: db.account.id,
        columns: columnNamesOf(of),
        rows,
        masks,
        substitutes,
        flags: {},
      }
    },
    key: 'without what is held back',
    hiddenGroupsOf: NOTHING_HIDDEN,
    seesAll: () => true,
  })

const NOTHING_HIDDEN = () => ({ withheld: new Set<string>(), partial: new Set<string>() })

/** The column that tells whether a group is seen of a row. */
export const groupFlagOf = (group: string) => `$${group}`

const nameOf = ({ kind, id }: Scope) => `${kind} ${id ?? ''}`

const idsIn = (column: string, reached: CoveredIds): Condition =>
  reached === 'all' ? true : reached.size === 0 ? false : { column, ids: JSON.stringify([...reached]) }

function anyOf(conditions: readonly Condition[]): Condition {
  if (conditions.includes(true)) return true
  const some = conditions.filter((one) => one !== false)
  return some.length === 0 ? false : some.length === 1 ? (some[0] as Condition) : { any: some }
}

function allOf(conditions: readonly Condition[]): Condition {
  if (conditions.includes(false)) return false
  const some = conditions.filter((one) => one !== true)
  return some.length === 0 ? true : some.length === 1 ? (some[0] as Condition) : { all: some }
}

/**
 * The group of what is held back, if a change is about that. Columns that come into force today are no secret: what was
 * ahead before is not told by refusing that.
 */
function heldBackIn(
  { heldBack }: Resource,
  { before, after }: Pick<Change, 'before' | 'after'>,
  today: string,
): string[] {
  if (!heldBack) return []
  const isAhead = (values: Change['after']) =>
    heldBack.until.some((column) => typeof values?.[column] === 'string' && (values[column] as string) > today)
  const isInForce = heldBack.columns && typeof after?.[heldBack.until[0] as string] === 'string'
  return isAhead(after) || (!isInForce && isAhead(before)) ? [heldBack.group] : []
}

/** The groups that changed columns of a record belong to. */
function groupsChanged(of: Resource, { action, before, after }: Change, today: string): string[] {
  const own = [...(of.group ? [of.group] : []), ...heldBackIn(of, { before, after }, today)]
  if (action === 'delete') return own
  const isSaid = (name: string) => {
    const field = fieldOf(of, name)
    return action !== 'create' || (after?.[name] ?? null) !== (field.write(field.initial) ?? null)
  }
  const columns = Object.keys({ ...before, ...after }).filter((name) => isColumn(of, name) && isSaid(name))
  return [...new Set([...own, ...columns.flatMap((name) => fieldOf(of, name).group ?? [])])]
}
