import { chunks } from '../../records/chunks.ts'
import type { Resource } from '../declaration.ts'
import { fold } from '../format.ts'
import { type FieldProblem, refuse, wrong } from '../problem.ts'
import { nameable } from '../records.ts'
import { columnsOf, existingOf, keyColumn } from '../resource.ts'
import { isInherited } from './inherited-fields.ts'
import { byResource, type NetChange, placeOf, recordKey, type UndoRun } from './net-changes.ts'

/** 422 for restored references to records that no longer exist, and for restored unique texts that another record has by now. */
export async function checkReferencesAndUniqueTexts(run: UndoRun): Promise<void> {
  const restored = [...run.nets.values()].filter(({ before }) => before !== null)
  refuse([...(await missingReferences(run, restored)), ...(await takenTexts(run, restored))])
}

/** Does the undo restore a column of the record? */
const isRestored = ({ after, changedColumns }: NetChange, name: string) =>
  after === null || changedColumns.includes(name)

type RestoredReference = { net: NetChange; name: string; id: number }

/** Problems of restored references. An inherited reference that is lost is no problem: the undo leaves it empty. */
async function missingReferences(run: UndoRun, restored: readonly NetChange[]): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = []
  for (const [table, references] of restoredReferences(run, restored)) {
    const ids = [...new Set(references.map(({ id }) => id))]
    const existing = new Set<number>()
    for (const chunk of chunks(ids, 1000)) for (const id of await nameable(run.db, table, chunk)) existing.add(id)
    for (const { net, name, id } of references) {
      if (existing.has(id)) continue
      if (isInherited(net, name)) net.lostReferences.add(name)
      else problems.push(wrong(placeOf(run, net, name), 'not_found', existingOf(table)))
    }
  }
  return problems
}

/** The references that the undo restores, by table, except those to records that it restores too. */
function restoredReferences({ nets }: UndoRun, restored: readonly NetChange[]): Map<string, RestoredReference[]> {
  const byTable = new Map<string, RestoredReference[]>()
  for (const net of restored)
    for (const [name, { reference }] of columnsOf(net.of)) {
      const id = net.before?.[name]
      if (!reference || typeof id !== 'number' || !isRestored(net, name)) continue
      const target = nets.get(recordKey(reference.table, id))
      if (target && target.after === null && target.before !== null) continue
      byTable.set(reference.table, [...(byTable.get(reference.table) ?? []), { net, name, id }])
    }
  return byTable
}

/** Problems of restored unique texts. */
async function takenTexts(run: UndoRun, restored: readonly NetChange[]): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = []
  for (const [of, ofResource] of byResource(restored))
    for (const [name, field] of columnsOf(of)) {
      if (!field.unique) continue
      const wanted = ofResource.flatMap((net) => {
        const text = net.before?.[name]
        return typeof text === 'string' && isRestored(net, name) ? [{ net, key: fold(text) }] : []
      })
      const holders = await holdersOf(
        run,
        of,
        name,
        wanted.map(({ key }) => key),
      )
      for (const { net, key } of wanted) {
        const holder = holders.get(key)
        if (holder === undefined || holder === net.id) continue
        // A record that the undo deletes or renames gives up its text.
        const other = run.nets.get(recordKey(of.table, holder))
        if (other?.before === null || other?.changedColumns.includes(name)) continue
        problems.push(wrong(placeOf(run, net, name), 'taken', 'has already been taken'))
      }
    }
  return problems
}

/** Which records have these folded texts now. */
async function holdersOf(
  { db }: UndoRun,
  of: Resource,
  name: string,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const holders = new Map<string, number>()
  const column = keyColumn(name)
  for (const chunk of chunks(keys, 1000)) {
    const rows = await db
      .from(of.table)
      .select(['id', `${column} as key`])
      .where(column, 'in', chunk)
      .execute()
    for (const row of rows) holders.set(row.key, row.id)
  }
  return holders
}
