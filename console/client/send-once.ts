import { newId } from './ids.ts'
import { Problem } from './problem.ts'

/**
 * Makes sure that a write is done once. A second press during the request, or just after it, gets the same answer. A
 * request without an answer keeps its idempotency key when it is repeated, so that the service recognises it.
 */

export type WriteRequest = { method: string; address: string; body?: unknown; ifMatch?: string | undefined }
type Attempt = { key: string; requestId: string; at: number; kind: string; underWay: number }

/** How long after a lost answer a repeated press counts as the same write. */
const REPEATED_WITHIN = 5 * 60_000
/** How long after the answer a press counts as the second half of a double click. */
const DOUBLE_CLICK = 500
/** How often and how long to wait if the service still works on the first attempt. */
const RETRY = { times: 30, pause: 500 }

const running = new Map<string, { name: string; isOver: boolean; answer: Promise<unknown> }>()
const unanswered = new Map<string, Attempt>()

/** `/tasks/5/complete` and `/tasks/5` change the same record. A press can only join the last write to it. */
const recordOf = (address: string) => address.replace(/(\/\d+)\/[a-z_]+$/, '$1')

const fileInWords = (value: FormDataEntryValue) =>
  typeof value === 'string' ? value : [value.name, value.type, value.size, value.lastModified]
const nameOf = ({ method, address, body, ifMatch }: WriteRequest) =>
  JSON.stringify([
    method,
    address,
    ifMatch,
    body instanceof FormData ? [...body].map(([name, value]) => [name, fileInWords(value)]) : body,
  ])

/** Is the same write running already? */
export const isRunning = (write: WriteRequest, part = '') =>
  running.get(part + recordOf(write.address))?.name === nameOf(write)

/** Returns the answer of the same write if it is still running. */
export function joinRunning<T>(write: WriteRequest, run: () => Promise<T>, part = ''): Promise<T> {
  const record = part + recordOf(write.address)
  const name = nameOf(write)
  const before = running.get(record)
  if (before?.name === name) return before.answer as Promise<T>
  for (const [other, { isOver }] of running) if (isOver) running.delete(other)
  const one = { name, isOver: false, answer: run() }
  running.set(record, one)
  const forget = () => void (running.get(record) === one && running.delete(record))
  one.answer.then(() => {
    one.isOver = true
    setTimeout(forget, DOUBLE_CLICK)
  }, forget)
  return one.answer
}

const mayBeDone = (error: unknown) => !(error instanceof Problem) || error.isUnknown
const isAtWork = (error: unknown) => error instanceof Problem && error.code === 'idempotency_in_progress'

/**
 * The kind that an address changes: notes for `/candidates/3/notes/5`, leave requests for `/leave_requests/5/approve`.
 */
const kindOf = (address: string) => {
  const [path = ''] = address.split('?')
  return path.split('/').findLast((part) => /^[a-z_]+s$/.test(part)) ?? path
}

/** Was it sent without an answer? It may have been done, and is repeated with the same key. */
export const isUnanswered = (write: WriteRequest) => unanswered.has(nameOf(write))

/** If the user has changed records of these kinds since, the same write is a new one. */
export function forgetUnanswered(kinds: readonly string[]): void {
  for (const [name, { kind, underWay }] of unanswered)
    if (underWay === 0 && kinds.includes(kind)) unanswered.delete(name)
}

/** Sends the write. After a lost answer it uses the same key and request id again. */
export async function repeatable<T>(
  write: WriteRequest,
  send: (attempt: Attempt) => Promise<T>,
  requestId?: string,
): Promise<T> {
  const name = nameOf(write)
  for (const [other, { at, underWay }] of unanswered)
    if (underWay === 0 && Date.now() - at > REPEATED_WITHIN) unanswered.delete(other)
  const key = newId()
  const attempt = unanswered.get(name) ?? {
    key,
    requestId: requestId ?? key,
    at: Date.now(),
    kind: kindOf(write.address),
    underWay: 0,
  }
  unanswered.set(name, attempt)
  attempt.underWay++
  try {
    for (let left = RETRY.times; ; left--)
      try {
        const answer = await send(attempt)
        unanswered.delete(name)
        forgetUnanswered([attempt.kind])
        return answer
      } catch (error) {
        if (!mayBeDone(error)) unanswered.delete(name)
        else if (error instanceof Problem) error.requestId = attempt.requestId
        if (!isAtWork(error) || left === 0) throw error
        await new Promise((resolve) => setTimeout(resolve, RETRY.pause))
      }
  } finally {
    attempt.underWay--
  }
}
