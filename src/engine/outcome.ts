import { hash } from 'node:crypto'
import type { Caller } from '../records/caller.ts'
import type { ListMonitoredReads } from '../records/reads.ts'
import type { Attachment, Keeping } from './operation.ts'

/** The body of a response, as it is in the cache. */
export type CachedBody = {
  readonly bytes: Buffer
  readonly tag: string
  /** Would this caller get it now, for the same request? */
  readonly isValidFor: (caller: ResponseCaller, now: Date) => boolean
}

/** The properties of a caller that a response depends on. */
export type ResponseCaller = Pick<
  Caller,
  | 'account'
  | 'actor'
  | 'personId'
  | 'keyCreatorId'
  | 'keyHolderIds'
  | 'permissions'
  | 'withheld'
  | 'grants'
  | 'origin'
  | 'session'
  | 'version'
>

/** The result of a call. */
export type Outcome = {
  status: number
  /** The payload as bytes, if it can be cached. */
  cached?: CachedBody
  /** The answer as JSON text; null when there is nothing to show. */
  payload: string | null
  /** The file, if the response is one. */
  file: (Attachment & { type: string }) | null
  /** The path of a new record, relative to the API prefix. */
  location: string | null
  /** It is the stored response of an earlier request with the same Idempotency-Key. */
  isReplayed: boolean
  /** The id of that earlier request, with which it can be undone. */
  replayOf?: string | null
  /** It shows what a write would do; nothing was stored. */
  isDryRun: boolean
  /** Field groups that were left out because they are hidden from the caller. */
  omitted: string[]
  /** The number of the last change that it shows; null if the caller may not know it. */
  ledgerNumber: number | null
  /** Functions that tell which monitored data it shows. */
  shown: readonly ListMonitoredReads[]
  /** Cookies to set or delete. */
  keep: Keeping
}

/** The ETag of a response. */
export const tagOf = (payload: string | Buffer) => `"${hash('sha1', payload, 'base64url')}"`

/** Does one of the sent ETags match? */
export const hasTag = (sent: string, tag: string) =>
  sent.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)

/** Does If-None-Match match? */
export const isSeen = (sent: string | undefined, tag: string) =>
  sent !== undefined && (sent.trim() === '*' || hasTag(sent, tag))
