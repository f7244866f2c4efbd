export type FieldProblem = { field: string; code: string; message: string }

/** A failure as the service tells it, or that it could not be reached (status 0). */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly errors: readonly FieldProblem[]
  readonly retryAfter: number | undefined
  /** As which request it may have been done all the same, and can be undone. */
  requestId: string | undefined

  constructor(status: number, code: string, detail: string, errors: readonly FieldProblem[] = [], retryAfter?: number) {
    super(detail)
    this.name = 'Problem'
    this.status = status
    this.code = code
    this.errors = errors
    this.retryAfter = retryAfter
  }

  /** Did it perhaps happen, though nobody said so? */
  get isUnknown(): boolean {
    return this.status === 0 || this.status >= 500 || this.code === 'idempotency_in_progress'
  }
}
