export type FieldProblem = { field: string; code: string; message: string }

/** An error response of the service. Status 0 means that the service could not be reached. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly errors: readonly FieldProblem[]
  readonly retryAfter: number | undefined
  /** The id of the request, to undo it if it was done all the same. */
  requestId: string | undefined

  constructor(status: number, code: string, detail: string, errors: readonly FieldProblem[] = [], retryAfter?: number) {
    super(detail)
    this.name = 'Problem'
    this.status = status
    this.code = code
    this.errors = errors
    this.retryAfter = retryAfter
  }

  /** Is it unknown whether the request was done? */
  get isUnknown(): boolean {
    return this.status === 0 || this.status >= 500 || this.code === 'idempotency_in_progress'
  }
}
