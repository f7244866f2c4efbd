import type { FastifyError } from 'fastify'
import { DatabaseUnavailable, RequestAbandoned } from '../../database/database.ts'
import { FilesUnavailable } from '../../domain/files/storage.ts'
import { fileTooLarge } from '../../domain/files/upload.ts'
import { Problem, type ProblemCode, unavailable } from '../../engine/problem.ts'

/** What a kind of failure is called, when it happens, and what the caller can do about it. */
export type Explanation = { status: string; title: string; meaning: string; remedy: string }

export const PROBLEMS: Record<ProblemCode, Explanation> = {
  malformed: {
    status: '400, 408, 431',
    title: 'Malformed request',
    meaning: 'The body or a header cannot be read, or a path or query parameter is wrong. Nothing was changed.',
    remedy: 'Read detail and errors: they name every wrong parameter. Correct the request before you send it again.',
  },
  unauthorized: {
    status: '401',
    title: 'Authentication required',
    meaning: 'The request has no API key, or the key is unknown, expired or revoked.',
    remedy:
      'Send a valid key in the X-API-KEY header, or as Authorization: Bearer. The administrator of the service creates keys.',
  },
  forbidden: {
    status: '403',
    title: 'Not permitted',
    meaning:
      'The caller is known but lacks a permission, its role does not cover the record, or a field group is hidden from it.',
    remedy: 'Read detail: it names the permission or the field group. Ask for a role or key that includes it.',
  },
  not_found: {
    status: '404',
    title: 'Not found',
    meaning: 'There is no such path, no such record, or the caller cannot see the record.',
    remedy: 'Check the path and the ids in it. A deleted record stays in its history only.',
  },
  merged: {
    status: '404',
    title: 'Merged into another record',
    meaning: 'The record was a duplicate and was merged into another record.',
    remedy: 'Read detail: it names the record to use instead.',
  },
  erased: {
    status: '410',
    title: 'Response erased',
    meaning:
      'A request with this Idempotency-Key was already carried out. Its response contained data of a person who has been erased since.',
    remedy: 'Do not repeat the request. Use a new Idempotency-Key for another request.',
  },
  method_not_allowed: {
    status: '405',
    title: 'Method not allowed',
    meaning: 'The URL exists but does not support this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  conflict: {
    status: '409',
    title: 'Conflict with the current state',
    meaning: 'The request is valid, but the current state of the records does not allow it. Nothing was changed.',
    remedy: 'Read detail, then read the record and change what prevents the request.',
  },
  in_use: {
    status: '409',
    title: 'Still in use',
    meaning: 'Other records refer to the record that was to be deleted. Nothing was changed.',
    remedy: 'Read detail: it names a record that uses it. Change or delete that record first.',
  },
  precondition_failed: {
    status: '412',
    title: 'Record has changed',
    meaning: 'The record no longer matches the ETag in If-Match: it was changed after you read it.',
    remedy: 'Read the record again, check what has changed, and repeat the change with the new ETag.',
  },
  ledger_behind: {
    status: '412',
    title: 'Unknown change number',
    meaning:
      'The change number in the Cadre-Ledger header is beyond the last change of the account. It comes from another account, or the database was restored to an earlier state. Nothing was read or changed.',
    remedy:
      'Leave the header out to see the current state. If the number came from this account, ask the administrator of the service what was lost.',
  },
  too_large: {
    status: '413',
    title: 'Body too large',
    meaning: 'The body, a file or a field has more bytes than this operation accepts.',
    remedy: 'Send less. A file can have up to 25 MiB and is best sent as multipart/form-data.',
  },
  no_such_range: {
    status: '416',
    title: 'Range not satisfiable',
    meaning: 'The Range header asks for bytes that the file does not have.',
    remedy: 'Request bytes within the size of the file, which detail names, or leave the header out.',
  },
  unsupported_media_type: {
    status: '415',
    title: 'Unsupported media type',
    meaning: 'The service cannot read a body with this Content-Type.',
    remedy:
      'Send application/json, application/x-www-form-urlencoded or multipart/form-data, and set Content-Type to match.',
  },
  validation_failed: {
    status: '422',
    title: 'Validation failed',
    meaning: 'Fields of the body are missing, have the wrong type, or break a rule. Nothing was changed.',
    remedy: 'Read errors: it lists every wrong field with a code for programs and a message for people.',
  },
  idempotency_mismatch: {
    status: '422',
    title: 'Idempotency key already used',
    meaning: 'This Idempotency-Key was used for a different request within the last 24 hours.',
    remedy: 'Use a new key for each new request. Reuse a key only to repeat the same request.',
  },
  idempotency_in_progress: {
    status: '409',
    title: 'First request still running',
    meaning: 'A request with the same Idempotency-Key has not finished yet.',
    remedy: 'Wait a moment and send the same request again: you then get the response of the first one.',
  },
  answer_withheld: {
    status: '409',
    title: 'Carried out, response not available',
    meaning:
      'The request was carried out when it was first sent with this Idempotency-Key. The records that you can see may have changed since, so the stored response is not sent again.',
    remedy: 'Read the record again. If the request created one, its address is in the Location header.',
  },
  too_many_requests: {
    status: '429',
    title: 'Too many requests',
    meaning:
      'Too many requests without a valid key, or too many uploads, came from this IP address; or too many requests of this key are waiting for changes.',
    remedy: 'Wait for the number of seconds in the Retry-After header.',
  },
  sign_in_failed: {
    status: '401',
    title: 'Sign-in failed',
    meaning:
      'The e-mail address, password or code is wrong, or this person may not sign in. The response does not say which, so that nobody can find out who has access.',
    remedy:
      'Try again, request a password reset, or sign in another way. An administrator can create a new sign-in link.',
  },
  ticket_ended: {
    status: '401',
    title: 'Sign-in step expired',
    meaning: 'The ticket that connects two steps of a sign-in has expired, was already used, or is invalid.',
    remedy: 'Start the sign-in again.',
  },
  link_ended: {
    status: '404',
    title: 'Link no longer valid',
    meaning:
      'The link was used, has expired, was replaced by a newer one, or the person who created it lost the right to do so.',
    remedy: 'Ask an administrator for a new link.',
  },
  confirm_first: {
    status: '403',
    title: 'Confirm your identity',
    meaning: 'You can change sign-in methods only shortly after you signed in or confirmed your identity.',
    remedy: 'Send POST /me/confirmation, then repeat the request.',
  },
  for_people: {
    status: '403',
    title: 'Only for people who sign in',
    meaning: 'This operation works on the account of the signed-in user. API keys have no such account.',
    remedy: 'Sign in and call it in that session. With an API key, use the other operations.',
  },
  rights_changed: {
    status: '409',
    title: 'Access changed',
    meaning:
      'A role or key, or the person it belongs to, was changed while the request was being processed. Nothing was done.',
    remedy: 'Send the request again: it is then checked against the current access.',
  },
  other_person: {
    status: '409',
    title: 'Another user is signed in',
    meaning:
      'The Cadre-User header names the account and user that a page was loaded for, for example `1 7`. Another user is signed in now. Nothing was done.',
    remedy: 'Read who is signed in with GET /me, and reload the page.',
  },
  cross_origin: {
    status: '403',
    title: 'Request from another site',
    meaning:
      'A browser sent this request for a page of another origin. Sessions work only on the pages of the service itself.',
    remedy:
      'Use an API key on pages of other origins. If the page is at the right address of the service, the administrator must set PUBLIC_URL to this address.',
  },
  sso_compulsory: {
    status: '403',
    title: 'Single sign-on required',
    meaning: 'This account requires sign-in through its identity provider.',
    remedy: 'Choose the provider on the sign-in page. Owners can still use their password with a second factor.',
  },
  sso_refused: {
    status: '403',
    title: 'Single sign-on rejected',
    meaning:
      'The response of the identity provider is invalid, is not signed by it, or is about somebody who may not sign in.',
    remedy: 'Start again. If it keeps failing, ask an administrator to check the provider settings and your access.',
  },
  sso_cancelled: {
    status: '403',
    title: 'Single sign-on cancelled',
    meaning: 'You or the identity provider cancelled the sign-in.',
    remedy: 'Start again, or sign in another way.',
  },
  sso_unverified: {
    status: '403',
    title: 'E-mail address not verified',
    meaning:
      'The identity provider does not confirm that your e-mail address is verified, and you have not signed in through it before.',
    remedy: 'Verify the address with the provider, or ask an administrator to invite you.',
  },
  sso_unknown: {
    status: '403',
    title: 'Unknown e-mail address',
    meaning: 'Nobody with the e-mail address that the identity provider sent may sign in here.',
    remedy: 'Ask an administrator to invite you with that address.',
  },
  sso_taken: {
    status: '403',
    title: 'E-mail address linked to another identity',
    meaning: 'Your e-mail address belongs to a user who is linked to a different identity of the same provider.',
    remedy:
      'If you are that user, ask an administrator to remove the old link: DELETE /users/{user_id}/identities/{id}.',
  },
  passkey_refused: {
    status: '401',
    title: 'Passkey rejected',
    meaning:
      'The passkey is no longer known, belongs to another site, or was copied. Copied passkeys are recorded in the audit log.',
    remedy: 'Sign in another way, then add a new passkey.',
  },
  too_many_attempts: {
    status: '429',
    title: 'Too many attempts',
    meaning:
      'Too many sign-ins failed for this person or from this IP address. The waiting time grows with each failure and ends by itself.',
    remedy: 'Wait for the number of seconds in the Retry-After header, or sign in another way.',
  },
  provider_unreachable: {
    status: '502',
    title: 'Identity provider unreachable',
    meaning: 'The identity provider could not be reached, or its response is invalid.',
    remedy: 'Try again. If it keeps failing, ask an administrator to check the address of the provider.',
  },
  internal_error: {
    status: '500',
    title: 'Internal error',
    meaning: 'An unexpected error happened in the service.',
    remedy:
      'Try again later; a write with an Idempotency-Key is safe to repeat. If it keeps failing, send the request_id to the administrator of the service, who finds it in the log.',
  },
  out_of_space: {
    status: '507',
    title: 'Disk full',
    meaning: 'The disk of the service is full. Nothing was stored.',
    remedy: 'Tell the administrator of the service, and repeat the request when there is space again.',
  },
  unavailable: {
    status: '503',
    title: 'Temporarily unavailable',
    meaning: 'The database or the file storage cannot be reached, or the request took too long.',
    remedy:
      'Wait for the number of seconds in the Retry-After header, then repeat the request. A write with an Idempotency-Key is safe to repeat.',
  },
}

/** The codes of single fields, in `errors` of a problem. */
export const FIELD_CODES: Record<string, string> = {
  balance: 'Not enough leave left',
  passes_next: 'The day would be after the next entry, salary or value of the same person',
  after_service: 'The day is after the end of employment',
  blocked: 'No leave can be taken in a blocked period',
  in_probation: 'This leave cannot be taken during probation',
  not_eligible: 'The leave policy is for other groups of people',
  short_notice: 'The leave must be requested earlier',
  waiting_period: 'The leave cannot be taken so soon after the employment started',
  before_service: 'The day is before the start of employment',
  between_employments: 'The day is between two employments',
  ambiguous: 'The field was sent under two names with different values',
  blank: 'It cannot be empty or null',
  changed: 'It has been changed since the caller read it',
  changed_since: 'It has been changed since the change that is to be undone',
  cycle: 'A record would become its own parent or manager, directly or through others',
  fixed: 'It can no longer be changed',
  forbidden: 'The caller does not have access to this value or cannot grant it',
  in_the_future: 'The day is in the future, which is not allowed here',
  in_the_past: 'The day is in the past, which is not allowed here',
  in_use: 'Other records still use it',
  invalid: 'The type is right, but the format is not; the message names the format',
  is_lead: 'The lead of a team cannot be one of its members',
  locks_out: 'People might no longer be able to sign in; the message says what is missing',
  mismatch: 'It contradicts another value',
  no_days: 'There are no working days in this period',
  not_allowed: 'This value, or this combination of values, is not allowed',
  not_assigned: 'It is not assigned to the employee',
  not_found: 'The record does not exist',
  not_due: 'There is no such record, or it is not due according to the retention rules',
  not_held: 'A new API key cannot have more access than the key that creates it',
  not_hired: 'The person is not employed yet on that day',
  out_of_range: 'It is below the minimum or above the maximum',
  overlap: 'It overlaps with an existing record',
  repeated: 'It occurs more than once in the request',
  required: 'It is missing',
  taken: 'Another record already has this value, which must be unique',
  terminated: 'The person has left by that day',
  too_common: 'The password is too common',
  too_personal: 'The password contains the name or the e-mail address',
  too_short: 'The text is too short',
  too_early: 'The day is too early',
  too_precise: 'The amount has more decimals than its currency',
  too_few: 'The list has too few items',
  too_large: 'The number is too large',
  too_late: 'The day is too late',
  too_long: 'The text is too long',
  too_many: 'The list has too many items',
  too_small: 'The number is too small',
  unknown: 'There is no field or parameter with this name; the message may suggest a similar one',
  wrong_type: 'The type is wrong',
}

/** A failure as an RFC 9457 problem document, with the names that clients of this interface read besides. */
export const problemDocument = ({ code, status, message, errors }: Problem, requestId: string, base = '') => ({
  type: `${base}/problems/${code}`,
  title: PROBLEMS[code].title,
  status,
  code,
  detail: message,
  message,
  success: false,
  errors,
  request_id: requestId,
})

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** Every failure as a problem; what is nobody's fault but ours says nothing but that it happened. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { statusCode = 500, code = '', message } = error as FastifyError
  if (
    code === 'ENOSPC' ||
    code === 'EDQUOT' ||
    code === 'EFBIG' ||
    ((error instanceof DatabaseUnavailable || error instanceof FilesUnavailable) && error.isFull)
  )
    return new Problem(507, 'out_of_space', 'The disk of the service is full. Nothing was stored.', {
      retryAfter: 60,
      cause: error,
    })
  if (error instanceof RequestAbandoned)
    return unavailable('The request took too long and was cancelled. Request less data at once, or try again later.')
  if (error instanceof DatabaseUnavailable)
    return unavailable(error.publicMessage ?? 'The database is unavailable. Try again in a moment.', error)
  if (error instanceof FilesUnavailable)
    return unavailable(error.told ?? 'The file storage is unavailable. Try again in a moment.', error)
  if (['EACCES', 'EROFS', 'EIO', 'ENOTDIR'].includes(code))
    return unavailable('The file storage is unavailable. Nothing was stored; try again in a moment.', error)
  if (code === 'FST_REQ_FILE_TOO_LARGE') return fileTooLarge()
  if (/^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(code))
    return new Problem(413, 'too_large', 'The body has too many fields or files. Send fewer at once.')
  if (statusCode === 413)
    return new Problem(
      413,
      'too_large',
      'The body is larger than this operation accepts. Send less at once; a file can have at most 25 MiB.',
    )
  if (statusCode === 415)
    return new Problem(
      415,
      'unsupported_media_type',
      'This Content-Type is not supported. Send application/json, application/x-www-form-urlencoded or multipart/form-data.',
    )
  if (statusCode === 429) return new Problem(429, 'too_many_requests', message)
  if (statusCode >= 400 && statusCode < 500) return new Problem(400, 'malformed', readable(message))
  if (/unexpected end of (form|multipart)|malformed (part|content)|boundary/i.test(String(message)))
    return new Problem(
      400,
      'malformed',
      'The multipart body cannot be read: it is incomplete, or its boundary is wrong.',
    )
  return new Problem(
    500,
    'internal_error',
    'An unexpected error happened. Send the request_id to the administrator of this service: the log has the details.',
    { cause: error },
  )
}

function readable(message: string): string {
  if (/json/i.test(message)) return 'The body is not valid JSON.'
  if (message === 'aborted')
    return 'The connection was closed before the whole body had arrived. Send the request again.'
  const [, url] = /^'(.*)' is not a valid url component$/.exec(message) ?? []
  return url === undefined
    ? message
    : `The URL ${url} is not valid: each % must be followed by two hexadecimal digits that encode UTF-8. Encode a literal % as %25.`
}
