/** What is wrong with one field of a request. */
export type FieldProblem = { field: string; code: string; message: string }

/** `wrong('email', 'taken', 'has already been taken')` */
export const wrong = (field: string, code: string, message: string): FieldProblem => ({
  field,
  code,
  message: `${field} ${message}`,
})

/** The problems of a value that stands inside another one, under their whole names. */
export const within = (place: string, problems: readonly FieldProblem[]): FieldProblem[] =>
  problems.map(({ field, code, message }) => ({ field: `${place}.${field}`, code, message: `${place}.${message}` }))

/** What is wrong is told all at once, but nobody reads more than this. */
const MOST_ERRORS = 100

/** The kinds of failures, which programs tell apart. Surfaces explain each of them. */
export type ProblemCode =
  | 'malformed'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'merged'
  | 'erased'
  | 'method_not_allowed'
  | 'conflict'
  | 'in_use'
  | 'precondition_failed'
  | 'ledger_behind'
  | 'too_large'
  | 'no_such_range'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'idempotency_mismatch'
  | 'idempotency_in_progress'
  | 'answer_withheld'
  | 'too_many_requests'
  | 'sign_in_failed'
  | 'ticket_ended'
  | 'link_ended'
  | 'confirm_first'
  | 'for_people'
  | 'cross_origin'
  | 'other_person'
  | 'rights_changed'
  | 'sso_compulsory'
  | 'sso_refused'
  | 'sso_cancelled'
  | 'sso_unverified'
  | 'sso_unknown'
  | 'sso_taken'
  | 'passkey_refused'
  | 'too_many_attempts'
  | 'provider_unreachable'
  | 'internal_error'
  | 'out_of_space'
  | 'unavailable'

/** A failure that the caller is told about. Its status is that of HTTP, whichever surface the call came through. */
export class Problem extends Error {
  readonly status: number
  readonly code: ProblemCode
  readonly errors: readonly FieldProblem[]
  /** After how many seconds another try may succeed. */
  readonly retryAfter: number | undefined
  /** Where the record is that it is about. */
  readonly location: string | null

  constructor(
    status: number,
    code: ProblemCode,
    detail: string,
    more: { errors?: readonly FieldProblem[]; retryAfter?: number; location?: string | null; cause?: unknown } = {},
  ) {
    super(detail, more.cause === undefined ? {} : { cause: more.cause })
    this.status = status
    this.code = code
    this.errors = (more.errors ?? []).slice(0, MOST_ERRORS)
    this.retryAfter = more.retryAfter
    this.location = more.location ?? null
  }
}

function sentence(errors: readonly FieldProblem[]): string {
  const rest = errors.length - MOST_ERRORS
  const told = errors.slice(0, MOST_ERRORS).map((error) => error.message)
  return [...told, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')
}

/** 400: a path or query parameter is not what it should be. */
export const malformed = (wrong: FieldProblem | readonly FieldProblem[]) => {
  const errors = [wrong].flat()
  return new Problem(400, 'malformed', sentence(errors), { errors })
}

/** 422: fields of the body are missing, of the wrong type or against a rule. */
export const invalid = (wrong: FieldProblem | readonly FieldProblem[]) => {
  const errors = [wrong].flat()
  return new Problem(422, 'validation_failed', sentence(errors), { errors })
}

/** Nothing, unless there are problems: then 422 with all of them. */
export function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw invalid(problems)
}

/** 403: known, but not permitted. */
export const forbidden = (detail: string) => new Problem(403, 'forbidden', detail)

/** 404: the same words whether the record never existed, is gone, or belongs to another account. */
export const notFound = () => new Problem(404, 'not_found', 'There is no such record, or you cannot see it.')

/** 409: the record's state does not allow it. */
export const conflict = (detail: string, code: ProblemCode = 'conflict') => new Problem(409, code, detail)

/** `a`, `a or b`, `a, b or c`. */
const oneOf = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

/** `It can become opened or closed.`, as the end of a conflict about a state. */
export const canBecome = (states: readonly string[]) =>
  states.length === 0 ? 'Its state can no longer change.' : `It can become ${oneOf(states)}.`

/** 409: `Leave request 7 is already approved. Only a leave request that is pending can become approved.` */
export const wrongState = (
  { one, id, state }: { one: string; id: unknown; state: string },
  to: string,
  froms: readonly string[],
) => {
  const subject = one.charAt(0).toUpperCase() + one.slice(1)
  const only = `Only ${/^[aeio]/.test(one) ? 'an' : 'a'} ${one} that is ${oneOf(froms)} can become ${to}`
  return conflict(`${subject} ${id} is ${state === to ? 'already ' : ''}${state}. ${only}.`)
}

export const unavailable = (detail: string, cause?: unknown) =>
  new Problem(503, 'unavailable', detail, { retryAfter: 2, cause })
