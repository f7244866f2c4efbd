import Type, { type TObject, type TOptional } from 'typebox'
import type { HeldKind } from '../../engine/held.ts'

type CountsSchema = TOptional<TObject>

const schemas = new WeakMap<readonly HeldKind[], CountsSchema>()

/** The schema of what `countHeld` counts: how many records of each kind are left to hand over. Always the same object. */
export function handoverCounts(held: readonly HeldKind[]): CountsSchema {
  const counts = held.map(({ kind, note }) => [kind, Type.Optional(Type.Integer({ minimum: 0, description: note }))])
  const schema =
    schemas.get(held) ??
    Type.Optional(
      Type.Object(Object.fromEntries(counts), {
        title: 'HandoverCounts',
        description:
          'Number of records of the employee that are left to hand over by that day, by kind. Kinds that you may not read are missing',
      }) as TObject,
    )
  schemas.set(held, schema)
  return schema
}
