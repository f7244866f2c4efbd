import { newId } from './ids.ts'
import { Problem } from './problem.ts'

/**
 * What is done, is done once: a second press while the first is on its way, or just after it, gets the same answer; and
 * a request whose answer never came has the same key when it is repeated, by which the service knows that it is.
 */

export type WriteRequest = { method: string; address: string; body?: unknown; ifMatch?: string | undefined }
type Attempt = { key: string; requestId: string; at: number; kind: string; underWay: number }

/** How long somebody may take to press again after an answer was lost. */
const REPEATED_WITHIN = 5 * 60_000
/** The second half of a double click. */
const DOUBLE_CLICK = 500
/** The first one may still be at work when it is repeated. */
const PATIENCE = { times: 30, pause: 500 }

const running = new Map<string, { name: string; isOver: boolean; answer: Promise<unknown> }>()
const unanswered = new Map<string, Attempt>()

/** `/tasks/5/complete` and `/tasks/5` are about the same: only what came last about it may be joined. */
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

/** Is the same on its way already? */
export const isRunning = (write: WriteRequest, part = '') =>
  running.get(part + recordOf(write.address))?.name === nameOf(write)

/** Whoever asks for the same while it is on its way gets its answer. */
export function joined<T>(write: WriteRequest, run: () => Promise<T>, part = ''): Promise<T> {
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

/** `/candidates/3/notes` and `/candidates/3/notes/5` are about notes, `/leave_requests/5/approve` about leave requests. */
const kindOf = (address: string) => {
  const [path = ''] = address.split('?')
  return path.split('/').findLast((part) => /^[a-z_]+s$/.test(part)) ?? path
}

/** Was it sent, and never answered? It may be done then, and is asked for again as the same. */
export const isOwed = (write: WriteRequest) => unanswered.has(nameOf(write))

/** Whoever has done something else of these kinds since means the same anew when they ask for it once more. */
export function meantAnew(kinds: readonly string[]): void {
  for (const [name, { kind, underWay }] of unanswered)
    if (underWay === 0 && kinds.includes(kind)) unanswered.delete(name)
}

/** Sends it under the key, and as the request, under which it was sent when no answer came. */
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
    for (let left = PATIENCE.times; ; left--)
      try {
        const answer = await send(attempt)
        unanswered.delete(name)
        meantAnew([attempt.kind])
        return answer
      } catch (error) {
        if (!mayBeDone(error)) unanswered.delete(name)
        else if (error instanceof Problem) error.requestId = attempt.requestId
        if (!isAtWork(error) || left === 0) throw error
        await new Promise((resolve) => setTimeout(resolve, PATIENCE.pause))
      }
  } finally {
    attempt.underWay--
  }
}
