import {
  addressOf,
  type BodyOf,
  call,
  Problem,
  preview,
  type RequestOf as SentTo,
  type WriteRoute,
} from '../../client/client.ts'
import { isAtFields, ownRequest, refresh, writeOver } from '../../client/data.ts'
import { isOwed } from '../../client/send-once.ts'

/** Work past midnight: an entry is of one day, so a night is two, which are entered together or not at all. */

export const ADD = 'POST /time/timesheet_entries'
export const CHANGE = 'PUT /time/timesheet_entries/{id}'
const NIGHT = 'POST /time/timesheet_entries/bulk'
export const KINDS = ['timesheet_entries', 'timesheets']

export type EntryBody = BodyOf<typeof ADD>

/** As the entries of many are sent: what was not entered is left out. */
const withoutNothing = ({ employee_id: _, ...one }: EntryBody) =>
  Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null))

/** As if it were one entry: `starts_at overlaps with another entry from …`, of whichever half. */
const refusalOf = (messages: readonly string[]) =>
  new Problem(
    422,
    'validation_failed',
    '',
    messages.map((message) => ({ field: 'ends_at', code: 'overlap', message: message.replace(/^\w+_at /, '') })),
  )
const refusalIn = (refused: readonly { messages: readonly string[] }[]) =>
  refusalOf(refused.flatMap(({ messages }) => messages))

async function takeBack(request_id: string): Promise<void> {
  await call('POST /me/requests/{request_id}/undo', { params: { request_id } })
  refresh(KINDS)
}

/** Was the same sent before, and its answer lost? Then it is repeated as it is: looking first would find what it did. */
function wasLost<R extends WriteRoute>(route: R, sent: SentTo<R>): boolean {
  const [method, path] = route.split(' ') as [string, string]
  const { body, ifMatch } = sent
  return isOwed({ method, address: addressOf(path, sent), body, ifMatch })
}

/** An entry is of one day: a night is two, which come and go together, or not at all. */
export async function addNight(employee_id: number, parts: readonly EntryBody[]): Promise<string[]> {
  const body = { data: [{ employee_id, entries: parts.map(withoutNothing) }] } as never
  if (!wasLost(NIGHT, { body })) {
    const tried = await preview(NIGHT, { body })
    if (tried.errors) throw refusalIn(tried.errors.data)
  }
  const { body: made, requestId } = await call(NIGHT, { body, requestId: ownRequest(KINDS) })
  if (!made.errors) return [requestId]
  // Somebody was faster between the two.
  await takeBack(requestId)
  throw refusalIn(made.errors.data)
}

/** By which request the entry was ended at midnight. */
type SplitRequest = { current: string | undefined }

/** The same of one that is there: it ends at midnight, and what comes after that is another. */
export async function stretchNight(
  change: SentTo<typeof CHANGE>,
  rest: EntryBody,
  ended: SplitRequest,
): Promise<string[]> {
  const refusedAtEnd = (error: unknown) => {
    throw error instanceof Problem && isAtFields(error) ? refusalOf(error.errors.map(({ message }) => message)) : error
  }
  // Where only the answer about the rest was lost, only that is asked for again.
  const isHalfDone = ended.current !== undefined && wasLost(ADD, { body: rest })
  if (!isHalfDone && !wasLost(CHANGE, change)) {
    const { ifMatch: _, ...tried } = change
    await preview(CHANGE, tried)
    await preview(ADD, { body: rest }).catch(refusedAtEnd)
  }
  const requestId = isHalfDone ? (ended.current as string) : (await writeOver(CHANGE, change, KINDS)).requestId
  ended.current = requestId
  try {
    return [requestId, (await call(ADD, { body: rest, requestId: ownRequest(KINDS) })).requestId]
  } catch (error) {
    // Where the answer was lost it may be there: then nothing is taken from it, and the week shows what is.
    if (!(error instanceof Problem && error.isUnknown)) {
      ended.current = undefined
      await takeBack(requestId)
    }
    return refusedAtEnd(error)
  }
}
