import { hash } from 'node:crypto'
import type { Caller } from '../ledger/caller.ts'
import type { Showing } from '../ledger/reads.ts'
import type { Attachment, Keeping } from './operation.ts'

/** An answer that is given again, byte by byte. */
export type Kept = {
  readonly bytes: Buffer
  readonly tag: string
  /** Would it be given now to somebody who asks the same? */
  readonly isFor: (caller: Asker, now: Date) => boolean
}

/** The part of a caller on which a response depends. */
export type Asker = Pick<
  Caller,
  | 'account'
  | 'actor'
  | 'personId'
  | 'makerId'
  | 'holderIds'
  | 'permissions'
  | 'withheld'
  | 'grants'
  | 'origin'
  | 'session'
  | 'versions'
>

/** The result of a call. */
export type Outcome = {
  status: number
  /** The same as bytes, with its tag, when it is given again and again. */
  kept?: Kept
  /** The response as JSON text; null if it has no body. */
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
  shown: readonly Showing[]
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
