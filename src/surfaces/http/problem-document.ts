import type { FastifyError } from 'fastify'
import { Abandoned, DatabaseUnavailable } from '../../database/database.ts'
import { Problem, type ProblemCode, unavailable } from '../../engine/problem.ts'
import { FilesUnavailable } from '../../files/place.ts'

/** What a kind of failure is called, when it happens, and what the caller can do about it. */
export type Explanation = { status: string; title: string; meaning: string; remedy: string }

export const PROBLEMS: Record<ProblemCode, Explanation> = {
  malformed: {
    status: '400, 408, 431',
    title: 'The request cannot be read',
    meaning:
      'The body is broken, the headers are too large, or a parameter of the path or the query is not what it should be. Nothing was changed.',
    remedy: 'Read detail and errors: they name every wrong parameter. Correct the request; repeating it does not help.',
  },
  unauthorized: {
    status: '401',
    title: 'A valid API key is needed',
    meaning: 'The request has no key, or one that is unknown, expired or revoked.',
    remedy:
      'Send a valid key in the header X-API-KEY, or as Authorization: Bearer. Whoever runs the service makes keys.',
  },
  forbidden: {
    status: '403',
    title: 'Not permitted',
    meaning:
      'The key is valid, but does not hold the permission, or the fields that are asked for are withheld from it.',
    remedy: 'Read detail: it names the permission or the fields. Ask for a key that holds them.',
  },
  not_found: {
    status: '404',
    title: 'Not found',
    meaning: 'There is nothing at this address: no such path, or no such record for this key.',
    remedy: 'Check the path and the ids in it. A record that was deleted does not come back.',
  },
  merged: {
    status: '404',
    title: 'Merged into another record',
    meaning: 'The record was a duplicate, and was merged into another one, which has all that it had.',
    remedy: 'Read detail: it names the record that is there in its place.',
  },
  erased: {
    status: '410',
    title: 'What was answered has been erased',
    meaning:
      'A request with this Idempotency-Key was carried out, and what it answered tells of somebody who was erased.',
    remedy: 'There is nothing to repeat. For another request use another key.',
  },
  method_not_allowed: {
    status: '405',
    title: 'Method not allowed',
    meaning: 'The address exists, but does not have this method.',
    remedy: 'Use one of the methods in the header Allow.',
  },
  conflict: {
    status: '409',
    title: 'Conflict with the current state',
    meaning: 'The request is right in itself, but the state of the records does not allow it. Nothing was changed.',
    remedy: 'Read detail, then the record itself, and bring it into a state that allows the change.',
  },
  in_use: {
    status: '409',
    title: 'Still in use',
    meaning: 'Other records refer to the one that was to be deleted. Nothing was changed.',
    remedy: 'Read detail: it says by what it is used. Change or delete those records first.',
  },
  precondition_failed: {
    status: '412',
    title: 'The record has changed',
    meaning: 'The record is no longer as the tag in If-Match says: somebody changed it in between.',
    remedy: 'Read the record again, look at what has changed, and repeat the change with its new ETag.',
  },
  ledger_behind: {
    status: '412',
    title: 'The ledger has not come so far',
    meaning:
      'The number that was sent in Cadre-Ledger is beyond the last entry of the account. It is of another account, or the database was set back to an earlier state. Nothing was read or changed.',
    remedy:
      'Leave the header out to see what there is now. If the number came with an answer of this account, ask whoever runs the service what was lost.',
  },
  too_large: {
    status: '413',
    title: 'The body is too large',
    meaning: 'The body, a file or a field in it has more bytes than this operation takes.',
    remedy: 'Send less. A file may have 25 MiB, and is best sent as multipart/form-data.',
  },
  no_such_range: {
    status: '416',
    title: 'No such range',
    meaning: 'The header Range asks for bytes that the file does not have.',
    remedy: 'Ask for bytes within its size, which the message says, or for all of it.',
  },
  unsupported_media_type: {
    status: '415',
    title: 'Unsupported media type',
    meaning: 'The Content-Type of the body is not one that the service reads.',
    remedy: 'Send application/json, application/x-www-form-urlencoded or multipart/form-data, and say so.',
  },
  validation_failed: {
    status: '422',
    title: 'Validation failed',
    meaning: 'Fields of the body are missing, of the wrong type, or against a rule. Nothing was changed.',
    remedy: 'Read errors: every wrong field is there at once, with a code for programs and a message for people.',
  },
  idempotency_mismatch: {
    status: '422',
    title: 'Idempotency key used before',
    meaning: 'The Idempotency-Key was sent before with another request, within the last 24 hours.',
    remedy: 'Use a new key for each new request; use the same one only to repeat the same request.',
  },
  idempotency_in_progress: {
    status: '409',
    title: 'The first request is still running',
    meaning: 'A request with the same Idempotency-Key has not been answered yet.',
    remedy: 'Wait a moment and send the same request again: it gets the answer of the first.',
  },
  answer_withheld: {
    status: '409',
    title: 'Carried out; the answer is withheld',
    meaning:
      'The request was carried out when it was first sent with this Idempotency-Key. What you see of the records may be something else since then, so that its answer is not told again.',
    remedy: 'Read the record anew: its address is in the header Location, if the request made one.',
  },
  too_many_requests: {
    status: '429',
    title: 'Too many requests',
    meaning:
      'This address has sent too many requests without a valid key, or too many uploads; or too many requests of this key wait for changes.',
    remedy: 'Wait for as many seconds as the header Retry-After says.',
  },
  sign_in_failed: {
    status: '401',
    title: 'Sign-in failed',
    meaning:
      'The e-mail address, password or code is not right, or this person may not sign in. It is not told which: that would tell who is here.',
    remedy: 'Try again, ask for a reset, or sign in another way. Whoever manages access can make a new link.',
  },
  ticket_ended: {
    status: '401',
    title: 'Begin the sign-in again',
    meaning: 'The ticket between two steps of a sign-in is over, was used already, or is not from this service.',
    remedy: 'Begin with the first step.',
  },
  link_ended: {
    status: '404',
    title: 'The link does not work any more',
    meaning: 'It was used, has expired, or was replaced by a newer one.',
    remedy: 'Ask whoever gave it to you for a new one.',
  },
  confirm_first: {
    status: '403',
    title: 'Show who you are once more',
    meaning: 'Ways of signing in are changed only shortly after one has signed in, or confirmed who one is.',
    remedy: 'Send POST /me/confirmation, then repeat the request.',
  },
  for_people: {
    status: '403',
    title: 'For people who sign in',
    meaning: 'What is somebody’s own is for those who sign in, and no key holds it.',
    remedy: 'Sign in, and call it in that session; with a key, use the operations on records.',
  },
  rights_changed: {
    status: '409',
    title: 'What you may do was changed',
    meaning:
      'While the request came in, a role, a key or whom it belongs to was changed: what was let in is not what may be done now. Nothing was done.',
    remedy: 'Send it again: it is then held to what you may do now.',
  },
  other_person: {
    status: '409',
    title: 'Somebody else is signed in',
    meaning:
      'A page sends the account and the user that it is of in the header `Cadre-User`, as `1 7`. The session is of somebody else by now, and nothing was done.',
    remedy: 'Read who is signed in (`GET /me`), and begin anew as them.',
  },
  cross_origin: {
    status: '403',
    title: 'From another site',
    meaning:
      'A browser sent this on behalf of a page of another origin. Sessions work on the service’s own pages only.',
    remedy: 'Use an API key for pages of other origins.',
  },
  sso_compulsory: {
    status: '403',
    title: 'Sign in with the company’s provider',
    meaning: 'This account signs in by its identity provider only.',
    remedy: 'Choose the provider on the sign-in page. Owners can still use their password with a second factor.',
  },
  sso_refused: {
    status: '403',
    title: 'The provider’s answer does not let you in',
    meaning:
      'Its answer is not the one that was asked for, is not signed by it, or is about somebody who may not come in.',
    remedy: 'Begin again; if it stays so, whoever manages access should look at the provider and at your access.',
  },
  sso_cancelled: {
    status: '403',
    title: 'The provider has not let you in',
    meaning: 'You, or the provider, broke off the sign-in there.',
    remedy: 'Begin again, or sign in another way.',
  },
  sso_unverified: {
    status: '403',
    title: 'The provider does not vouch for your e-mail address',
    meaning: 'You are not known here by the provider yet, and it does not say that the address is yours.',
    remedy: 'Verify the address at the provider, or ask whoever manages access to invite you.',
  },
  sso_unknown: {
    status: '403',
    title: 'Nobody here has this e-mail address',
    meaning: 'The provider knows you by an e-mail address by which nobody may sign in here.',
    remedy: 'Ask whoever manages access to invite you under the address that the provider knows.',
  },
  sso_taken: {
    status: '403',
    title: 'The provider knew somebody else by this address',
    meaning: 'The address is that of somebody here whom the provider knows as another person.',
    remedy: 'If it is you, whoever manages access ends the old one: DELETE /users/{user_id}/identities/{id}.',
  },
  passkey_refused: {
    status: '401',
    title: 'The passkey does not let you in',
    meaning: 'It is not known here any more, is not for this place, or was copied: then it is told in the audit.',
    remedy: 'Sign in another way, and add a passkey anew.',
  },
  too_many_attempts: {
    status: '429',
    title: 'Too many attempts',
    meaning: 'Too many sign-ins have failed, for this person or from this address. The wait grows, and ends by itself.',
    remedy: 'Wait for as many seconds as the header Retry-After says, or sign in another way.',
  },
  provider_unreachable: {
    status: '502',
    title: 'The identity provider does not answer',
    meaning: 'The provider could not be reached, or what it said cannot be understood.',
    remedy: 'Try again; if it stays so, whoever manages access should look at the provider’s address.',
  },
  internal_error: {
    status: '500',
    title: 'Internal error',
    meaning: 'Something went wrong on our side.',
    remedy:
      'Repeat the request later; with an Idempotency-Key a write is safe to repeat. If it stays so, tell whoever runs the service the request_id: the log has it.',
  },
  out_of_space: {
    status: '507',
    title: 'No space is left',
    meaning: 'The disk of the service is full; nothing was stored.',
    remedy: 'Tell whoever runs the service. Repeat the request when there is space again.',
  },
  unavailable: {
    status: '503',
    title: 'Temporarily unavailable',
    meaning: 'The database or the files cannot be reached at the moment, or the request took too long.',
    remedy:
      'Wait for as many seconds as the header Retry-After says, then repeat the request; with an Idempotency-Key a write is safe to repeat.',
  },
}

/** The codes of single fields, in `errors` of a problem. */
export const FIELD_CODES: Record<string, string> = {
  balance: 'There is not enough leave left',
  passes_next: 'The day would come after the next entry, salary or value of the same person',
  after_service: 'The day lies after the last one of the person’s service',
  ambiguous: 'The field was sent under two names, with different values',
  blank: 'It cannot be empty or null',
  changed: 'It has been changed since the caller has looked',
  cycle: 'It would make something its own ancestor or manager, through whatever chain',
  fixed: 'It cannot change any more',
  forbidden: 'The key may not name this, or not give it away',
  in_the_future: 'The day lies in the future, and must not',
  in_the_past: 'The day lies in the past, and must not',
  in_use: 'Other records still use it',
  invalid: 'It is of the right type, but not in the right form: the message says which',
  is_lead: 'The lead of a team is not among its members',
  locks_out: 'People might not be able to sign in any more: the message says what is missing',
  mismatch: 'It does not go together with another value',
  no_days: 'No working day lies in this time',
  not_allowed: 'This value, or this combination of values, is not one of those that are possible',
  not_assigned: 'The employee does not have this',
  not_found: 'It names a record that does not exist',
  not_due: 'It is not there, or not due by the rules at this moment',
  not_held: 'The key that makes another cannot give what it does not hold itself',
  other_day: 'It begins and ends on different days',
  out_of_range: 'It is below or above what is possible',
  overlap: 'It overlaps with a record that is there already',
  repeated: 'It is there more than once in the same request',
  required: 'It has to be sent',
  taken: 'Another record has this value, and it has to be unique',
  terminated: 'The person has left, on the day that this is about',
  too_common: 'The password is one of those that are tried first',
  too_personal: 'The password holds the name or the e-mail address',
  too_short: 'The text is too short',
  too_early: 'The day is earlier than it may be',
  too_precise: 'The amount has more decimals than its currency',
  too_few: 'The list has too few items',
  too_large: 'The number is too large',
  too_late: 'The day is later than it may be',
  too_long: 'The text is too long',
  too_many: 'The list has too many items',
  too_small: 'The number is too small',
  unknown: 'Nothing here has this name; the message names the nearest one that is known',
  wrong_type: 'It is of another type than it should be',
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
    return new Problem(507, 'out_of_space', 'The disk is full; nothing was stored', { retryAfter: 60, cause: error })
  if (error instanceof Abandoned) return unavailable('The request took too long and was given up')
  if (error instanceof DatabaseUnavailable)
    return unavailable(error.told ?? 'The database is away; try again in a moment', error)
  if (error instanceof FilesUnavailable)
    return unavailable(error.told ?? 'The files are away; try again in a moment', error)
  if (['EACCES', 'EROFS', 'EIO', 'ENOTDIR'].includes(code))
    return unavailable('The files cannot be reached at the moment; nothing was stored', error)
  if (statusCode === 413) return new Problem(413, 'too_large', 'The body is larger than this operation takes')
  if (statusCode === 415)
    return new Problem(
      415,
      'unsupported_media_type',
      'Send application/x-www-form-urlencoded, application/json or multipart/form-data',
    )
  if (statusCode === 429) return new Problem(429, 'too_many_requests', message)
  if (statusCode >= 400 && statusCode < 500) return new Problem(400, 'malformed', readable(message))
  if (/unexpected end of (form|multipart)|malformed (part|content)|boundary/i.test(String(message)))
    return new Problem(400, 'malformed', 'The multipart body is broken')
  return new Problem(500, 'internal_error', 'Something went wrong on our side', { cause: error })
}

const readable = (message: string) => (/json/i.test(message) ? 'The body is not valid JSON' : message)
