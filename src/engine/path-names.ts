import Type, { type TObject } from 'typebox'
import type { Reader } from '../records/reader.ts'
import { fold } from './format.ts'
import type { Operation } from './operation.ts'
import { notFound } from './problem.ts'
import { keyColumn } from './resource.ts'

/** Records that a path calls by their id, or by a name that is as good as one. */

/** The tables of such records: the field that holds the name, and within which parent it is unique if not in all. */
export type PathParameterNames = Record<string, { by: string; within?: string }>

const referenceIn = (schema: unknown) => (schema as Record<string, string>)['x-reference'] ?? ''

/**
 * The same operations, with paths that call records of these tables by either. Handlers are given ids; whether there is a
 * record with an id that was given, those that also speak of records which are gone see for themselves.
 */
export function calledByName(
  called: PathParameterNames,
  operations: readonly Operation[],
  mayBeGone = false,
): Operation[] {
  return operations.map((operation) => {
    const { properties } = operation.params
    const named = Object.entries(properties).filter(([, schema]) => referenceIn(schema) in called)
    if (named.length === 0) return operation
    const keys = named.map(([name, schema]) => [name, keyOf(referenceIn(schema))])
    return {
      ...operation,
      params: Type.Object({ ...properties, ...Object.fromEntries(keys) }) as TObject,
      async handle(call) {
        const params = { ...call.params }
        // From the left to the right: what is within another is looked for there.
        for (const [name, schema] of named)
          params[name] =
            mayBeGone && isId(params[name])
              ? Number(params[name])
              : await idOf(call.db, called, referenceIn(schema), params, name)
        return operation.handle({ ...call, params })
      },
    }
  })
}

/** No name is of digits alone, and no id has more than these. */
function isId(key: unknown): boolean {
  if (/^\d{16,}$/.test(String(key))) throw notFound()
  return /^\d+$/.test(String(key))
}

const keyOf = (table: string) => Type.String({ maxLength: 255, 'x-reference': table, examples: ['1'] })

async function idOf(db: Reader, called: PathParameterNames, table: string, params: Record<string, any>, name: string) {
  const { by, within } = called[table] as PathParameterNames[string]
  const key = String(params[name])
  const all = within ? db.from(table).where(within, '=', params[within]) : db.from(table)
  const one = isId(key) ? all.where('id', '=', Number(key)) : all.where(keyColumn(by), '=', fold(key))
  const row = await one.select('id').executeTakeFirst()
  if (!row) throw notFound()
  return row.id as number
}
