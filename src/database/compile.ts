import {
  type BinaryOperationNode,
  type CommonTableExpressionNameNode,
  type CompiledQuery,
  type DefaultQueryCompiler,
  OperatorNode,
  PrimitiveValueListNode,
  type QueryId,
  type RawBuilder,
  type RawNode,
  type ReferenceNode,
  type RootOperationNode,
  sql,
  type TableNode,
} from 'kysely'

/** A compiled statement and the tables that it names: names that its own `with` defines are not among them. */
export type Compiled<R = any> = CompiledQuery<R> & {
  readonly tables: ReadonlySet<string>
  /** A raw fragment that names tables without declaring them. */
  readonly undeclared?: string | undefined
}

export type DeclaringNode = RawNode & { readonly tables?: readonly string[] | undefined }

/**
 * A raw fragment together with the tables that its text names. Access scopes and caches do not search texts, so a fragment with
 * `from` or `join` and a name must be declared this way, or have the name from `sql.table`.
 */
export function withTables<T>(tables: readonly string[], fragment: RawBuilder<T>): RawBuilder<T> {
  const node: DeclaringNode = { ...fragment.toOperationNode(), tables }
  return sql<T>`${{ toOperationNode: () => node }}`
}

/** `from books` and `join "books"`, but not `from (…` or `from json_each(…`. */
const NAMED_TABLE = /\b(?:from|join|into|update)\s+(?:only\s+)?"?[a-z_]\w*(?!\w*"?\s*\()/i
const MOST_FRAGMENTS = 5000
const searched = new Map<string, boolean>()

/** Whether the text of a fragment names a table. Each text is searched once. */
function namesTable(fragment: string): boolean {
  const known = searched.get(fragment)
  if (known !== undefined) return known
  if (searched.size >= MOST_FRAGMENTS) searched.clear()
  const found = NAMED_TABLE.test(fragment)
  searched.set(fragment, found)
  return found
}

/** Compilers of Kysely that also collect the tables of a statement from its syntax tree, and that accept empty lists. */
export const collectingTables = <C extends new (...none: any[]) => DefaultQueryCompiler>(Base: C) =>
  class extends Base {
    #tables = new Set<string>()
    #defined = new Set<string>()
    #undeclared: string | undefined
    #isReference = false

    override compileQuery(node: RootOperationNode, queryId: QueryId): Compiled {
      this.#tables = new Set()
      this.#defined = new Set()
      this.#undeclared = undefined
      const compiled = super.compileQuery(node, queryId)
      for (const name of this.#defined) this.#tables.delete(name)
      return { ...compiled, tables: this.#tables, undeclared: this.#undeclared }
    }

    protected override visitTable(node: TableNode): void {
      if (!this.#isReference) this.#tables.add(node.table.identifier.name)
      super.visitTable(node)
    }

    /** In `e.id` the first part may be an alias. The table itself is named where the statement selects from it. */
    protected override visitReference(node: ReferenceNode): void {
      this.#isReference = true
      super.visitReference(node)
      this.#isReference = false
    }

    protected override visitCommonTableExpressionName(node: CommonTableExpressionNameNode): void {
      this.#defined.add(node.table.table.identifier.name)
      super.visitCommonTableExpressionName(node)
    }

    /** Nothing is in an empty list. PostgreSQL has no `in ()`. */
    protected override visitBinaryOperation(node: BinaryOperationNode): void {
      const { operator, rightOperand } = node
      const isEmpty = PrimitiveValueListNode.is(rightOperand) && rightOperand.values.length === 0
      if (isEmpty && OperatorNode.is(operator) && (operator.operator === 'in' || operator.operator === 'not in'))
        this.append(operator.operator === 'in' ? 'false' : 'true')
      else super.visitBinaryOperation(node)
    }

    protected override visitRaw(node: DeclaringNode): void {
      for (const table of node.tables ?? []) this.#tables.add(table)
      if (!node.tables) this.#undeclared ??= node.sqlFragments.find(namesTable)
      super.visitRaw(node)
    }
  }
