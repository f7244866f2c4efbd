import Type, { type TSchema } from 'typebox'
import { orNull } from '../../engine/field.ts'

export const STATUSES = ['none', 'pending', 'consented', 'rejected', 'expired'] as const
export type ConsentStatus = (typeof STATUSES)[number]

/** What is kept: expiry follows from its day, or from the moment that was told, and is never a status. */
export type Consent = {
  status: Exclude<ConsentStatus, 'expired'>
  consented_at: string | null
  rejected_at: string | null
  expires_on: string | null
  /** When it has ended, where that was told rather than set before. */
  expired_at?: string
}

export const NO_CONSENT: Consent = { status: 'none', consented_at: null, rejected_at: null, expires_on: null }

const moment = () => orNull(Type.String({ format: 'date-time' }))

export const CONSENT: TSchema = Type.Object(
  {
    status: Type.Unsafe<ConsentStatus>({
      type: 'string',
      enum: [...STATUSES],
    }),
    consented_at: moment(),
    rejected_at: moment(),
    expired_at: moment(),
  },
  { title: 'Consent' },
)

/** A consent as it stands on a day. */
export function shownConsent(kept: Consent, today: string) {
  const { expires_on, expired_at } = kept
  const ended = expired_at ?? (expires_on !== null && expires_on <= today ? `${expires_on}T00:00:00.000Z` : null)
  const isExpired = kept.status === 'consented' && ended !== null
  return {
    status: isExpired ? ('expired' as const) : kept.status,
    consented_at: kept.consented_at,
    rejected_at: kept.rejected_at,
    expired_at: isExpired ? ended : null,
  }
}

/** A consent as its changes are told: with the end that was set for it, which shows only when it has come. */
export const toldConsent = (kept: Consent | null, day: string) =>
  kept && { ...shownConsent(kept, day), expires_on: kept.expires_on }

/** Where a consent can go: it is asked for, then given or refused; what has ended can be asked for again. */
export const CONSENT_MOVES: Record<ConsentStatus, readonly ConsentStatus[]> = {
  none: ['pending', 'consented'],
  pending: ['consented', 'rejected', 'none'],
  consented: ['rejected', 'consented', 'expired'],
  rejected: ['pending'],
  expired: ['pending', 'consented', 'rejected'],
}

/** How little a consent allows, the least first. One that was never asked for says nothing, so anything else holds. */
export const STRICTEST_FIRST: readonly ConsentStatus[] = ['rejected', 'expired', 'pending', 'consented', 'none']

/** Of two consents of the same person the one that allows less: of two that were given, the one that ends first. */
export function stricter(one: Consent, other: Consent, today: string): Consent {
  const allows = (kept: Consent) => STRICTEST_FIRST.indexOf(shownConsent(kept, today).status)
  const ends = (kept: Consent) => kept.expired_at ?? kept.expires_on ?? '9999-12-31'
  const difference = allows(other) - allows(one)
  return difference < 0 || (difference === 0 && ends(other) < ends(one)) ? other : one
}

/** A consent that somebody gives now, of their own accord; an end that was set for it stays. */
export const givenNow = (before: Consent, now: string, today: string): Consent => ({
  ...NO_CONSENT,
  status: 'consented',
  consented_at: now,
  expires_on: before.expires_on !== null && before.expires_on > today ? before.expires_on : null,
})
