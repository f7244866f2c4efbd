import type { Columns } from '../../records/entries.ts'
import type { Writer } from '../../records/write.ts'
import type { Resource, Row } from '../declaration.ts'
import { type FieldProblem, refuse, wrong } from '../problem.ts'
import { type Attempt, rulesOf, type UndoneChange } from '../records.ts'
import { columnsOf, decode } from '../resource.ts'
import { keyOf, type NetChange, placeOf, type Rows, recordKey, type UndoRun } from './net-changes.ts'

/** Applies the rules of the restored records. It runs when all rows are restored, because they may refer to each other. */
export async function checkRules(run: UndoRun, rowsBefore: Rows, undone: UndoneChange): Promise<void> {
  const { db, nets, rows } = run
  const problems: FieldProblem[] = []
  for (const net of nets.values()) {
    const { of, changedColumns } = net
    const rules = rulesOf(of)
    const row = rows.get(keyOf(net))
    if (!row || changedColumns.length === 0 || rules.length === 0 || isRestoredWithOwner(nets, net)) continue
    const fail: Attempt['fail'] = (field, code, message) =>
      void problems.push(wrong(placeOf(run, net, field), code, message))
    const before = rowsBefore.get(keyOf(net)) ?? null
    const attempt = attemptToUndo(db, of, { before, after: row }, { changedColumns, undone, problems, fail })
    for (const rule of rules) await rule(attempt)
  }
  refuse(problems)
}

/** Does a record come back together with its owner? Then nothing can have changed around it, and it needs no check. */
const isRestoredWithOwner = (nets: ReadonlyMap<string, NetChange>, { of, before, after }: NetChange): boolean =>
  after === null &&
  columnsOf(of).some(([name, { reference }]) => {
    const owner = reference?.owner && nets.get(recordKey(reference.table, before?.[name] as number))
    return owner && owner.after === null
  })

type Reporting = Pick<Attempt, 'problems' | 'fail'> & { changedColumns: readonly string[]; undone: UndoneChange }

/** What an undo makes of a record, in the form that rules check. */
export function attemptToUndo<R extends Resource>(
  db: Writer,
  of: R,
  rows: { before: Columns | null; after: Columns },
  { changedColumns, undone, problems, fail }: Reporting,
): Attempt<R> {
  const before = rows.before && decode(of, rows.before)
  const after = decode(of, rows.after)
  const isChanged = ([name]: [string, unknown]) => before === null || changedColumns.includes(name)
  const changes = Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<Row<R>>
  return { db, before, changes, after, undone, problems, fail }
}
