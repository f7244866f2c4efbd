import { Problem } from '../problem.ts'

/** The fields of a body as it was sent. */
export function bodyOf(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body))
    throw new Problem(400, 'malformed', 'The body must be a JSON object or a form.')
  return body as Record<string, unknown>
}
