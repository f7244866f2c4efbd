import Type, { type TObject } from 'typebox'
import type { Reader } from '../records/reader.ts'
import type { Writer } from '../records/write.ts'
import type { ColumnName, Resource, Row, Sent } from './declaration.ts'
import { type FieldProblem, within, wrong } from './problem.ts'
import { amend, create, erase, rowsOf } from './records.ts'
import { bodySchema } from './schema.ts'
import { check } from './validate.ts'

/** Records that are sent as a list within the one they belong to. */

/** One of them as it is sent: with an id it is one that is there already. */
export type SentPart<R extends Resource> = Sent<R> & { id?: number }

/**
 * The parts of a record: `name` is the list in its body, `owner` the column by which they name it. Without an id, one
 * that is there already is known by `same`.
 */
export function partsOf<R extends Resource>(of: R, { name, owner, same, most, example }: Described<R>) {
  const item = Type.Object({
    id: Type.Optional(Type.Integer({ minimum: 1 })),
    ...bodySchema(of, 'create').properties,
  }) as TObject
  const ownedBy = (db: Reader, id: number) => rowsOf(of, db.from(of.table).where(owner, '=', id))

  return {
    input: Type.Array(Type.Unsafe<unknown>({ type: 'object', examples: [example] }), {
      maxItems: most,
      description:
        'The whole list. Send `id` to update an existing entry. Existing entries that you do not send are deleted',
      examples: [[example]],
    }),

    /** Reads what was sent; an id must be that of one that the owner has, and only once. */
    async read(db: Reader, ownerId: number | null, sent: readonly unknown[] | undefined, problems: FieldProblem[]) {
      const free = new Set(sent && ownerId !== null ? (await ownedBy(db, ownerId)).map(({ id }) => id) : [])
      return sent?.map((one, index) => {
        const { values, problems: found } = check(item, one)
        const { id } = values as SentPart<R>
        if (id !== undefined && !free.delete(id))
          found.push(
            wrong(
              'id',
              'not_found',
              `must be the id of an existing entry of ${name}, and each id can be sent only once. For a new entry, leave out id`,
            ),
          )
        problems.push(...within(`${name}[${index}]`, found))
        return values as SentPart<R>
      })
    },

    /** Makes the parts of an owner exactly those that are wanted. */
    async store(db: Writer, ownerId: number, wanted: readonly SentPart<R>[] | undefined): Promise<void> {
      if (!wanted) return
      const left = new Map((await ownedBy(db, ownerId)).map((row) => [row.id, row]))
      const named = new Set(wanted.map(({ id }) => id))
      const sayingTheSame = (one: Record<string, unknown>) =>
        [...left.values()].find((row) => (row as Record<string, unknown>)[same] === one[same] && !named.has(row.id))
      for (const one of wanted) {
        const row: Row<R> | undefined = one.id === undefined ? sayingTheSame(one) : left.get(one.id)
        if (row) {
          left.delete(row.id)
          await amend(db, of, row, one)
        } else await create(db, of, { ...one, [owner]: ownerId })
      }
      for (const row of left.values()) await erase(db, of, row)
    },
  }
}

type Described<R extends Resource> = {
  name: string
  owner: ColumnName<R>
  same: ColumnName<R>
  most: number
  example: Record<string, unknown>
}
