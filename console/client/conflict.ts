import { type Answered, type Base, Problem, seenNow, send } from './client.ts'

/** Somebody else has changed the record since it was read: the shell shows what differs, and the person decides. */

export type Difference = { field: string; theirs: unknown; mine: unknown }
export type Conflict = { differences: Difference[]; decide: (isMine: boolean) => void }

let listener: ((conflict: Conflict) => void) | undefined
export const onConflict = (one: (conflict: Conflict) => void) => {
  listener = one
  return () => {
    listener = undefined
  }
}

/** The tag under which the change may be sent again; refuses when the person keeps what the other one wrote. */
export async function askAboutConflict(route: string, sent: { params?: object; body?: object }): Promise<Base> {
  const path = route.split(' ')[1] as string
  const record = path.slice(0, path.lastIndexOf('}') + 1) || path
  const { body, etag } = (await send('GET', record, { params: sent.params ?? {} })) as Answered<{ data: object }>
  const theirs = body.data as Record<string, unknown>
  const differences = Object.entries(sent.body ?? {})
    .map(([field, mine]) => ({ field, theirs: shownAs(theirs, field), mine }))
    .filter(({ theirs, mine }) => JSON.stringify(theirs ?? null) !== JSON.stringify(mine ?? null))
  if (!listener || !etag) throw new Problem(412, 'precondition_failed', 'The record has changed since it was read')
  const isMine = await new Promise<boolean>((decide) => listener?.({ differences, decide }))
  if (!isMine) throw new Problem(412, 'kept_theirs', '')
  return seenNow(etag) as Base
}

/** `department_id` is sent, `department` with its id and name is shown. */
function shownAs(record: Record<string, unknown>, field: string): unknown {
  const name = [
    field,
    field.replace(/(_user)?_id$/, ''),
    field.replace(/_ids$/, 's'),
    field.replace(/^(min|max)_/, '$1imum_'),
  ].find((one) => one in record)
  const shown = name === undefined ? undefined : record[name]
  if (name === field) return shown
  const idOf = (one: unknown) => (one && typeof one === 'object' ? (one as { id?: unknown }).id : one)
  return Array.isArray(shown) ? shown.map(idOf) : idOf(shown)
}
