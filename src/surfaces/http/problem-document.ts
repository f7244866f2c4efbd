import type { Problem } from '../../engine/problem.ts'

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
  out_of_space: 'No space is left',
  unavailable: 'Temporarily unavailable',
}

/** A failure as an RFC 9457 problem document, with the names that clients of this interface read besides. */
export const problemDocument = ({ code, status, message, errors }: Problem, requestId: string) => ({
  type: `/problems/${code}`,
  title: TITLES[code] ?? 'Error',
  status,
  code,
  detail: message,
  message,
  success: false,
  errors,
  request_id: requestId,
})

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'
