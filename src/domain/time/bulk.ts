import Type, { type TObject, type TProperties } from 'typebox'

/** Answers to many at once, each its own success or failure: `errors` is there only when something failed. */

const counted = (item: TProperties) => Type.Object({ count: Type.Integer(), data: Type.Array(Type.Object(item)) })

export const bulkAnswer = (record: TProperties, failed: TProperties) =>
  Type.Object({
    records: counted(record),
    errors: Type.Optional(counted({ ...failed, messages: Type.Array(Type.String()) })),
  }) as TObject

export const bulkBody = (data: unknown[], errors: unknown[]) => ({
  records: { count: data.length, data },
  ...(errors.length > 0 ? { errors: { count: errors.length, data: errors } } : {}),
})
