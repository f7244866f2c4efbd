/** What errors of PostgreSQL and its driver mean. */

export type ServerError = {
  readonly code?: string
  readonly routine?: string
  readonly message?: string
  readonly severity?: string
}

export const DISK_FULL = '53100'
export const CANCELLED = '57014'
export const READ_ONLY = '25006'
export const NOT_SUPPORTED = '0A000'

/** The server is a standby or read-only, but writes need one that is not. */
export class ReadOnlyServer extends Error {}

/** No host of an address can be used, each for its own reason. */
export class NoUsableHost extends Error {
  readonly reasons: readonly unknown[]

  constructor(hosts: readonly string[], reasons: readonly unknown[]) {
    super(hosts.map((host, at) => `${host}: ${messageOf(reasons[at])}`).join('; '), { cause: reasons[0] })
    this.reasons = reasons
  }
}

/** The message of an error. A host name with several addresses fails once for each: the first message is enough. */
export const messageOf = (error: unknown): string =>
  error instanceof AggregateError ? messageOf(error.errors[0]) : error instanceof Error ? error.message : String(error)

/** A prepared statement no longer fits its tables, because another process has migrated them. */
export const isStalePlan = ({ code, routine }: ServerError) =>
  code === NOT_SUPPORTED && routine === 'RevalidateCachedQuery'

/** No response has arrived on a connection in time. */
export const isResponseTimeout = (error: unknown) =>
  (error as ServerError | undefined)?.message === 'Query read timeout'

/** All connections of a pool were in use for too long. */
export const isPoolExhausted = (error: unknown) =>
  (error as ServerError | undefined)?.message === 'timeout exceeded when trying to connect'

/** The error comes from the server, not from the driver or our own code. */
export const isFromServer = (error: unknown) => (error as ServerError | undefined)?.severity !== undefined

/** The work is at fault, not the server: a value of the wrong type, or a statement that takes too long. */
export const isCausedByWork = (error: unknown) =>
  /^(22|57014)/.test((error as ServerError | undefined)?.code ?? '') || isResponseTimeout(error)

/** Lost and refused connections, a server that starts or stops, time-outs, and errors that ask to try again. */
export function isOutage(error: unknown): boolean {
  if (error instanceof ReadOnlyServer) return true
  // If one host rejects the password, trying again does not help.
  if (error instanceof NoUsableHost) return error.reasons.every(isOutage)
  const serverError = (error ?? {}) as ServerError
  const { code = '', message = '', severity } = serverError
  if (/^(08|53|57|40|55P03|25P0[23]|25006)/.test(code) || isStalePlan(serverError)) return true
  if (/^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOENT)/.test(code)) return true
  // Messages of the server and of our own errors may quote what a request sent, so only the driver's are compared.
  if (severity !== undefined || (error as Error | null)?.constructor !== Error) return false
  return DRIVER_MESSAGES.test(message)
}

const DRIVER_MESSAGES =
  /^(Connection terminated( unexpectedly| due to connection timeout)?|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable)$/
