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

/** What of a caller an answer follows from. */
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

/** What comes of a call. */
export type Outcome = {
  status: number
  /** The same as bytes, with its tag, when it is given again and again. */
  kept?: Kept
  /** The answer as JSON text; null when there is nothing to show. */
  payload: string | null
  /** The file that is answered with, in place of text. */
  file: (Attachment & { type: string }) | null
  /** Where a new record is, below the interface's prefix. */
  location: string | null
  /** It is the answer of an earlier request with the same retry key. */
  isReplayed: boolean
  /** The request whose answer that is, by which it is undone. */
  replayOf?: string | null
  /** It says what a write would do, and nothing was done. */
  isDryRun: boolean
  /** Field groups that were left out because they are withheld from the caller. */
  omitted: string[]
  /** The ledger's number that it was made at: it shows every change up to this one. Nobody tells just anybody. */
  ledgerNumber: number | null
  /** Tells what of it is watched over. */
  shown: readonly Showing[]
  /** What the caller's side is to keep from now on, or no more. */
  keep: Keeping
}

/** A value by which a caller can tell whether an answer has changed. */
export const tagOf = (payload: string | Buffer) => `"${hash('sha1', payload, 'base64url')}"`

/** Do any of the tags that a caller sent fit? */
export const hasTag = (sent: string, tag: string) =>
  sent.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)

/** Has a caller seen this, or any answer at all? */
export const isSeen = (sent: string | undefined, tag: string) =>
  sent !== undefined && (sent.trim() === '*' || hasTag(sent, tag))
