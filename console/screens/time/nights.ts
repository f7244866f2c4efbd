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
import { isUnanswered } from '../../client/send-once.ts'

/**
 * Work past midnight. An entry belongs to one day, so a night consists of two entries, which are saved together or not
 * at all.
 */

export const ADD = 'POST /time/timesheet_entries'
export const CHANGE = 'PUT /time/timesheet_entries/{id}'
const NIGHT = 'POST /time/timesheet_entries/bulk'
export const KINDS = ['timesheet_entries', 'timesheets']

export type EntryBody = BodyOf<typeof ADD>

/** The format of the bulk request: empty fields are left out. */
const withoutNulls = ({ employee_id: _, ...one }: EntryBody) =>
  Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null))

/** Reports an overlap of either half as if it were one entry. */
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

/**
 * Was the same request sent before without an answer? Then it is repeated, because a dry run would find the entries
 * that it may have created.
 */
function wasUnanswered<R extends WriteRoute>(route: R, sent: SentTo<R>): boolean {
  const [method, path] = route.split(' ') as [string, string]
  const { body, ifMatch } = sent
  return isUnanswered({ method, address: addressOf(path, sent), body, ifMatch })
}

/** Adds a night as two entries, both or neither. */
export async function addNight(employee_id: number, parts: readonly EntryBody[]): Promise<string[]> {
  const body = { data: [{ employee_id, entries: parts.map(withoutNulls) }] } as never
  if (!wasUnanswered(NIGHT, { body })) {
    const tried = await preview(NIGHT, { body })
    if (tried.errors) throw refusalIn(tried.errors.data)
  }
  const { body: made, requestId } = await call(NIGHT, { body, requestId: ownRequest(KINDS) })
  if (!made.errors) return [requestId]
  // Somebody else added an entry between the dry run and the request.
  await takeBack(requestId)
  throw refusalIn(made.errors.data)
}

/** The id of the request that ended the entry at midnight. */
type SplitRequest = { current: string | undefined }

/** Extends a stored entry past midnight: it ends at midnight, and a second entry holds the rest. */
export async function extendNight(
  change: SentTo<typeof CHANGE>,
  rest: EntryBody,
  ended: SplitRequest,
): Promise<string[]> {
  const refusedAtEnd = (error: unknown) => {
    throw error instanceof Problem && isAtFields(error) ? refusalOf(error.errors.map(({ message }) => message)) : error
  }
  // If only the answer about the rest was lost, only the rest is sent again.
  const isHalfDone = ended.current !== undefined && wasUnanswered(ADD, { body: rest })
  if (!isHalfDone && !wasUnanswered(CHANGE, change)) {
    const { ifMatch: _, ...tried } = change
    await preview(CHANGE, tried)
    await preview(ADD, { body: rest }).catch(refusedAtEnd)
  }
  const requestId = isHalfDone ? (ended.current as string) : (await writeOver(CHANGE, change, KINDS)).requestId
  ended.current = requestId
  try {
    return [requestId, (await call(ADD, { body: rest, requestId: ownRequest(KINDS) })).requestId]
  } catch (error) {
    // If the answer was lost, the rest may have been stored. Then nothing is undone, and the week shows the result.
    if (!(error instanceof Problem && error.isUnknown)) {
      ended.current = undefined
      await takeBack(requestId)
    }
    return refusedAtEnd(error)
  }
}
