import { chunks } from '../../records/chunks.ts'
import type { Change, Columns } from '../../records/entries.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import type { Resource } from '../declaration.ts'
import { type FieldProblem, wrong } from '../problem.ts'
import type { Attempt, UndoneChange } from '../records.ts'
import { knownAs } from '../resource.ts'
import type { StoredRow } from './net-changes.ts'
import { attemptToUndo } from './rules.ts'
import { isTouch } from './undoable.ts'

/** What guards ask about the records of an undo. */

/** The records of a resource that an undo has changed or restored, in the form that rules check. */
export async function attemptsIn<R extends Resource>(
  db: Writer,
  of: R,
  changes: readonly Change[],
  undone: UndoneChange,
): Promise<Attempt<R>[]> {
  const ofResource = changes.filter(({ resource, action }) => resource === of.table && action !== 'delete')
  const byRecord = Map.groupBy(ofResource, ({ record_id }) => record_id)
  const problems: FieldProblem[] = []
  const attempts: Attempt<R>[] = []
  for (const ids of chunks([...byRecord.keys()], 1000))
    for (const row of await db.from(of.table).selectAll().where('id', 'in', ids).orderBy('id').execute()) {
      const ofRecord = byRecord.get(row.id) ?? []
      const valuesBefore: Columns = Object.assign({}, ...ofRecord.map(({ before }) => before).reverse())
      const before = ofRecord.some(({ action }) => action === 'create') ? null : { ...row, ...valuesBefore }
      const changedColumns = Object.keys(valuesBefore).filter((name) => name !== 'updated_at')
      if (before !== null && changedColumns.length === 0) continue
      const fail: Attempt['fail'] = (field, code, message) =>
        void problems.push(wrong(`${of.table}[${knownAs(db, of, row.id)}].${field}`, code, message))
      attempts.push(attemptToUndo(db, of, { before, after: row }, { changedColumns, undone, problems, fail }))
    }
  return attempts
}

/** The changed records of a table by id: as they are now, or as they were before the undo deleted them. */
export async function changedRecords(
  db: Reader,
  table: string,
  changes: readonly Change[],
): Promise<Map<number, StoredRow>> {
  const ofTable = changes.filter((change) => change.resource === table && !isTouch(change))
  const records = new Map<number, StoredRow>()
  for (const { action, record_id: id, before } of ofTable) if (action === 'delete') records.set(id, { ...before, id })
  for (const ids of chunks([...new Set(ofTable.map(({ record_id }) => record_id))], 1000))
    for (const row of await db.from(table).selectAll().where('id', 'in', ids).execute())
      records.set(row.id, row as never)
  return records
}

/** Column values of records right after the undone change. Deleted records are left out. */
export async function valuesAfter(
  db: Reader,
  table: string,
  columns: readonly string[],
  ids: readonly number[],
  { number }: UndoneChange,
): Promise<Map<number, Columns>> {
  const values = new Map<number, Columns>()
  for (const some of chunks([...new Set(ids)], 1000)) {
    const rows = await db
      .from(table)
      .select(['id', ...columns])
      .where('id', 'in', some)
      .execute()
    for (const row of rows) values.set(row.id, { ...row })
    const later = db.from('ledger').select(['record_id', 'before']).where('resource', '=', table)
    const entries = await later.where('record_id', 'in', some).where('no', '>', number).orderBy('no', 'desc').execute()
    for (const { record_id, before } of entries) {
      const record = values.get(record_id)
      const valuesBefore = before === null ? {} : JSON.parse(before)
      for (const name of columns) if (record && name in valuesBefore) record[name] = valuesBefore[name]
    }
  }
  return values
}
