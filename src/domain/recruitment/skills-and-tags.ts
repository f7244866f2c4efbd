import Type from 'typebox'
import type { Field, Fields } from '../../engine/declaration.ts'
import { loaded, reference, text } from '../../engine/field.ts'
import { type Filter, having } from '../../engine/filter.ts'
import { fold } from '../../engine/format.ts'
import { byId } from '../../engine/join.ts'
import { insertAll, replaceInOrder } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { recordId } from '../../engine/schema.ts'
import { listsFor } from '../../engine/shape.ts'
import { prepared } from '../../records/prepared.ts'
import type { Writer } from '../../records/write.ts'
import { tags } from './reference-data.ts'

/** Lists of words on a record: skills, which are free, and tags, which the account keeps a list of. */

const WORDS = Type.Array(Type.String({ format: 'line', minLength: 1, maxLength: 255 }), { maxItems: 100 })

export const wordsInput = WORDS

const once = (words: string[]) => [...new Map(words.map((word) => [fold(word), word])).values()]

/** Free words of a record, as `candidate_skills` are. */
export function skillsOf(one: string, owner: string) {
  const via = `${one}_id`
  const rows = resource({ table: `${one}_skills`, one: `${one} skill`, area: 'recruitment' }, {
    [via]: reference(owner, { required: true, owner: true, part: true }),
    name: text({ required: true, folded: true }),
  } as { name: Field<string> } & Fields)
  const owned = prepared<{ ids: number[] }>((from, { ids }) =>
    from(rows.table)
      .select([`${via} as owner`, 'name'])
      .where(via, 'in', ids)
      .orderBy('id'),
  )
  const field = loaded(WORDS, async (db, ids) => {
    const found = await db.run(owned, { ids })
    return listsFor(
      ids,
      found.map(({ owner, name }) => [owner, name]),
    )
  })
  const set = async (db: Writer, id: number, words: string[] | null | undefined) => {
    if (words === undefined) return
    await replaceInOrder(
      db,
      rows,
      { [via]: id },
      once(words ?? []).map((name) => ({ name })),
      'name',
    )
  }
  /** Those who have all of the words: an index lookup for each. */
  const all: Filter = {
    schema: WORDS,
    indexedColumns: [`${rows.table}.name_key`],
    selfContained: true,
    narrow: (query, words: string[], db) =>
      once(words).reduce(
        (narrowed, word) =>
          having(
            narrowed,
            db,
            `${owner}.id`,
            db.from(rows.table).where('name_key', '=', fold(word)),
            `${rows.table}.${via}`,
          ),
        query,
      ),
  }
  return { rows, field, set, all }
}

/** Tags of a record, by name or id; new names become tags of the account. */
export function tagsOf(one: string, owner: string) {
  const via = `${one}_id`
  const rows = resource({ table: `${one}_tags`, one: `${one} tag`, area: 'recruitment' }, {
    [via]: reference(owner, { required: true, owner: true, part: true }),
    tag_id: reference('recruitment_tags', { required: true }),
  } as { tag_id: Field<number> } & Fields)
  const owned = prepared<{ ids: number[] }>((from, { ids }) =>
    from(`${rows.table} as r`)
      .innerJoin('recruitment_tags as t', byId('t', 'r.tag_id'))
      .select([`r.${via} as owner`, 't.name'])
      .where(`r.${via}`, 'in', ids)
      .orderBy('r.id'),
  )
  const field = loaded(WORDS, async (db, ids) => {
    const found = await db.run(owned, { ids })
    return listsFor(
      ids,
      found.map(({ owner, name }) => [owner, name]),
    )
  })
  const set = async (db: Writer, id: number, words: string[] | null | undefined) => {
    if (words === undefined) return
    const ids = await tagIds(db, once(words ?? []))
    await replaceInOrder(
      db,
      rows,
      { [via]: id },
      ids.map((tag_id) => ({ tag_id })),
      'tag_id',
    )
  }
  const any = (column: 'id' | 'name_key'): Filter => ({
    schema: column === 'id' ? Type.Array(recordId('recruitment_tags'), { maxItems: 100 }) : WORDS,
    indexedColumns: [`${rows.table}.tag_id`],
    narrow(query, values: (string | number)[], db) {
      const wanted = db
        .from('recruitment_tags as t')
        .select('t.id')
        .where(`t.${column}`, 'in', column === 'id' ? values : values.map((value) => fold(String(value))))
      return query.where(`${owner}.id`, 'in', db.from(rows.table).select(via).where('tag_id', 'in', wanted))
    },
  })
  return { rows, field, set, byName: any('name_key'), byId: any('id') }
}

async function tagIds(db: Writer, words: string[]): Promise<number[]> {
  if (words.length === 0) return []
  const found = await db
    .from('recruitment_tags')
    .select(['id', 'name_key'])
    .where('name_key', 'in', words.map(fold))
    .execute()
  const known = new Map(found.map((row) => [row.name_key, row.id]))
  const fresh = words.filter((word) => !known.has(fold(word)))
  const made = await insertAll(
    db,
    tags,
    fresh.map((name) => ({ name })),
  )
  for (const [index, word] of fresh.entries()) known.set(fold(word), made[index])
  return words.map((word) => known.get(fold(word)))
}
