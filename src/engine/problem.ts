/** What is wrong with one field of a request. */
export type FieldProblem = { field: string; code: string; message: string }

const TITLES: Record<string, string> = {
  malformed: 'The request cannot be read',
  unauthorized: 'A valid API key is needed',
  forbidden: 'Not permitted',
  not_found: 'Not found',
  method_not_allowed: 'Method not allowed',
  conflict: 'Conflict with the current state',
  in_use: 'Still in use',
  precondition_failed: 'The record has changed',
  too_large: 'The body is too large',
  unsupported_media_type: 'Unsupported media type',
  validation_failed: 'Validation failed',
  idempotency_mismatch: 'Idempotency key used before',
  idempotency_in_progress: 'The first request is still running',
  too_many_requests: 'Too many requests',
  internal_error: 'Internal error',
  unavailable: 'Temporarily unavailable',
}

/** A failure that the caller is told about, as an RFC 9457 problem document. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly errors: FieldProblem[]
  readonly headers: Record<string, string>

  constructor(
    status: number,
    code: string,
    detail: string,
    more: { errors?: FieldProblem[]; headers?: Record<string, string> } = {},
  ) {
    super(detail)
    this.status = status
    this.code = code
    this.errors = more.errors ?? []
    this.headers = more.headers ?? {}
  }

  document(requestId: string) {
    return {
      type: `/problems/${this.code}`,
      title: TITLES[this.code] ?? 'Error',
      status: this.status,
      code: this.code,
      detail: this.message,
      message: this.message,
      success: false,
      errors: this.errors,
      request_id: requestId,
    }
  }
}

const sentence = (errors: FieldProblem[]) => errors.map((error) => error.message).join('; ')

/** 400: a path or query parameter is not what it should be. */
export const malformed = (errors: FieldProblem[]) => new Problem(400, 'malformed', sentence(errors), { errors })

/** 422: fields of the body are missing, of the wrong type or against a rule. */
export const invalid = (errors: FieldProblem[]) => new Problem(422, 'validation_failed', sentence(errors), { errors })

/** 404: the same words whether the record never existed, is gone, or belongs to another account. */
export const notFound = () => new Problem(404, 'not_found', 'There is no such record')

/** 409: the record's state does not allow it. */
export const conflict = (detail: string, code = 'conflict') => new Problem(409, code, detail)

export const unavailable = (detail: string) =>
  new Problem(503, 'unavailable', detail, { headers: { 'retry-after': '2' } })
