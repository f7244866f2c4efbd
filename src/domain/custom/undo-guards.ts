import { conflict, invalid, wrong } from '../../engine/problem.ts'
import { existing, nameable } from '../../engine/records.ts'
import type { UndoGuard } from '../../engine/undo/guards.ts'
import { chunks } from '../../records/chunks.ts'
import type { Change } from '../../records/entries.ts'
import type { Reader } from '../../records/reader.ts'
import { allOptions } from './options.ts'
import { countReferences, valueReferences } from './record-references.ts'
import { MOST_OPTIONS, optionMark } from './values.ts'

/** What custom values name lies in their texts: the database does not know of it, so it is looked up here. */
export const valuesNameWhatIs = (): UndoGuard => ({
  tables: [
    ...allOptions().flatMap(({ table, values }) => [table, values]),
    ...valueReferences().flatMap(({ values, referent }) => [values.table, referent.table]),
  ],
  async check(db, changes) {
    const of = (table: string) => changes.filter(({ resource }) => resource === table)
    for (const { table, via, definitions, values } of allOptions()) {
      await checkOptions(db, { table, via }, of(table))
      await refuseUsed(db, { via, values }, of(table))
      await checkChosen(db, { table, via, definitions, values }, of(values))
    }
    for (const { values, fields, via, referent } of valueReferences()) {
      const named = await textsIn(db, { definitions: fields, via, values: values.table }, of(values.table), [
        referent.type,
      ])
      const ids = named.map(Number)
      const known = await nameable(db, referent.table, ids)
      if (ids.some((id) => !known.has(id)))
        throw invalid(wrong('value', 'not_found', `must be the id of an existing ${referent.one}`))
    }
    await refuseNamed(db, changes)
  },
})

/** Whoever is named by a custom field or a cell does not go, as deleting them is refused. */
async function refuseNamed(db: Reader, changes: readonly Change[]) {
  for (const { action, resource, record_id } of changes) {
    if (action !== 'delete') continue
    const [use] = await countReferences(db, resource, record_id)
    const of = valueReferences().find(({ referent }) => referent.table === resource)?.referent
    if (use && of)
      throw conflict(
        `This cannot be undone: it would delete ${of.one} ${record_id}, which is the value of a custom field or of a column in a custom table. Change or clear that value first.`,
        'in_use',
      )
  }
}

/** Options of one field differ, and there are not too many. */
async function checkOptions(db: Reader, { table, via }: { table: string; via: string }, changes: readonly Change[]) {
  const fields = [...new Set(changes.flatMap(({ owner_id }) => owner_id ?? []))]
  for (const some of chunks(fields, 1000)) {
    const rows = await db
      .from(table)
      .select([`${via} as field`, 'value_key'])
      .where(via, 'in', some)
      .execute()
    for (const own of Map.groupBy(rows, ({ field }) => field).values()) {
      if (new Set(own.map(({ value_key }) => value_key)).size < own.length)
        throw invalid(wrong('value', 'taken', 'has already been taken'))
      if (own.length > MOST_OPTIONS) throw conflict(`A field can have at most ${MOST_OPTIONS} options.`)
    }
  }
}

/** An option that values name does not go. */
async function refuseUsed(db: Reader, { via, values }: { via: string; values: string }, changes: readonly Change[]) {
  for (const { action, record_id, owner_id } of changes) {
    if (action !== 'delete' || owner_id === null) continue
    const use = db.from(values).select('id').where(via, '=', owner_id)
    if (
      await use
        .where('value', 'like', `%${optionMark(record_id)}%`)
        .limit(1)
        .executeTakeFirst()
    )
      throw conflict(
        `This cannot be undone: it would delete option ${record_id}, which is still a value of some records. Choose another option for them first.`,
        'in_use',
      )
  }
}

type ValueTables = { via: string; definitions: string; values: string }

/** The texts that changed values hold now, of fields of some types. */
async function textsIn(
  db: Reader,
  { via, definitions, values }: ValueTables,
  changes: readonly Change[],
  types: string[],
) {
  const ids = changes.flatMap(({ record_id, after }) => (typeof after?.value === 'string' ? record_id : []))
  const found: string[] = []
  for (const some of chunks([...new Set(ids)], 1000)) {
    const ofType = db.from(definitions).select('id').where('type', 'in', types)
    const rows = await db.from(values).select('value').where('id', 'in', some).where(via, 'in', ofType).execute()
    found.push(...rows.flatMap(({ value }) => value || []))
  }
  return [...new Set(found)]
}

async function checkChosen(db: Reader, kept: ValueTables & { table: string }, changes: readonly Change[]) {
  const texts = await textsIn(db, kept, changes, ['single_select', 'multi_select'])
  const ids = [...new Set(texts.flatMap((text) => text.split(',').filter(Boolean).map(Number)))]
  const known = new Set<number>()
  for (const some of chunks(ids, 1000)) for (const id of await existing(db, kept.table, some)) known.add(id)
  if (ids.some((id) => !known.has(id)))
    throw invalid(wrong('value', 'not_found', 'would be an option that no longer exists. Restore the option first'))
}
