import { type ApiAnswer, asBaseTag, type BaseTag, Problem, send } from './client.ts'

/** If somebody else has changed the record since it was read, the shell shows the differences and the user decides. */

/** `of` names the part of the record, if it has several: one of its key results, for example. */
export type Difference = { field: string; of?: string; theirs: unknown; mine: unknown }
/** Keep my values, keep theirs, or go back to the form without a decision. */
export type Choice = 'mine' | 'theirs' | 'back'
export type Conflict = { differences: Difference[]; decide: (choice: Choice) => void }

let listener: ((conflict: Conflict) => void) | undefined
export const onConflict = (one: (conflict: Conflict) => void) => {
  listener = one
  return () => {
    listener = undefined
  }
}

/** Returns the tag with which the change can be sent again. Throws if the user keeps the other values or goes back. */
export async function askAboutConflict(route: string, sent: { params?: object; body?: object }): Promise<BaseTag> {
  const path = route.split(' ')[1] as string
  const record = path.slice(0, path.lastIndexOf('}') + 1) || path
  const { body, etag } = (await send('GET', record, { params: sent.params ?? {} })) as ApiAnswer<{ data: object }>
  const theirs = body.data as Record<string, unknown>
  const differences = differencesOf(theirs, sent.body ?? {})
  if (!listener || !etag) throw new Problem(412, 'precondition_failed', 'The record has changed since it was read')
  const choice = await new Promise<Choice>((decide) => listener?.({ differences, decide }))
  if (choice !== 'mine') throw new Problem(412, choice === 'theirs' ? 'kept_theirs' : 'set_aside', '')
  return asBaseTag(etag) as BaseTag
}

/** The sent values that differ from the current ones. Lists of records are compared record by record. */
export function differencesOf(theirs: Record<string, unknown>, sent: object): Difference[] {
  return Object.entries(sent).flatMap(([field, mine]) => {
    const there = shownAs(theirs, field)
    if (!isRecords(mine) || !isRecords(there)) return isSame(there, mine) ? [] : { field, theirs: there, mine }
    const ids = [...new Set([...there, ...mine].map(({ id }) => id))]
    return ids.flatMap((id): Difference | Difference[] => {
      const [before, now] = [there, mine].map((all) => all.find((one) => one.id === id))
      const of = String((now ?? before)?.title ?? (now ?? before)?.name ?? '')
      if (before && now) return differencesOf(before, now).map((one) => ({ ...one, of }))
      return { field, theirs: before && of, mine: now && of }
    })
  })
}

const isRecords = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => one !== null && typeof one === 'object')

/** Forms send numbers as text. */
const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null) ||
  (typeof one === 'number' && typeof other === 'string' && other !== '' && one === Number(other))

/** `department_id` in a request is `department` with its id and name in a response. */
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
