import Type from 'typebox'
import { type Consent, type ConsentStatus, NO_CONSENT, STATUSES, STRICTEST_FIRST, shownConsent } from './consent.ts'
import { isInFuture } from './future-time.ts'

/** Consents as bodies of candidates tell of them: where they stand, and when that came about. */

const MOMENTS = ['consented_at', 'rejected_at', 'expired_at'] as const
type ConsentMoment = (typeof MOMENTS)[number]

export type ConsentInput = { status?: ConsentStatus } & { [M in ConsentMoment]?: string | null }

const moment = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' })

/** The moments as they may also stand beside the other fields of a candidate. */
export const consentMoments = { consented_at: moment, rejected_at: moment, expired_at: moment }

export const consentInput = Type.Unsafe<ConsentInput | null>({
  type: ['object', 'null'],
  description:
    'Consent of the candidate: `consent` to the processing of their data, `future_recruitment_consent` to being contacted about other vacancies. If you send only times, the latest one decides the status (`consented_at`: `consented`). If you send only a status, its time is now',
  properties: { status: Type.Unsafe({ type: 'string', enum: [...STATUSES] }), ...consentMoments },
})

/** Which status each moment leads to. */
const LEADS_TO: Record<ConsentMoment, ConsentStatus> = {
  consented_at: 'consented',
  rejected_at: 'rejected',
  expired_at: 'expired',
}

/** A consent as a body and the flat moments beside it tell of it; undefined when they do not. */
export function sentConsent(
  sent: ConsentInput | null | undefined,
  flat: { [M in ConsentMoment]?: string | null },
  fail: (field: string, code: string, message: string) => void,
): ConsentInput | null | undefined {
  const told = MOMENTS.filter((name) => flat[name] !== undefined)
  if (told.length === 0) return sent
  for (const name of told)
    if (sent === null || (sent?.[name] !== undefined && sent[name] !== flat[name]))
      fail(name, 'mismatch', `differs from consent.${name}. Send only one of them`)
  return { ...Object.fromEntries(told.map((name) => [name, flat[name]])), ...sent }
}

/** The status that moments lead to: the latest counts, of equal ones that which allows less. */
function latest(moments: { [M in ConsentMoment]: string | null }, otherwise: ConsentStatus): ConsentStatus {
  const known = MOMENTS.flatMap((name) => {
    const at = moments[name]
    return at === null ? [] : [{ at, status: LEADS_TO[name] }]
  })
  const [last] = known.sort(
    (a, b) => b.at.localeCompare(a.at) || STRICTEST_FIRST.indexOf(a.status) - STRICTEST_FIRST.indexOf(b.status),
  )
  if (last) return last.status
  return otherwise === 'pending' ? 'pending' : 'none'
}

/** What a consent becomes by what is told of it. What does not fit together fails, and is then not stored. */
export function consentBy(
  sent: ConsentInput | null,
  before: Consent,
  { now, today }: { now: string; today: string },
  fail: (field: ConsentMoment, code: string, message: string) => void,
): Consent {
  if (sent === null) return NO_CONSENT
  const shown = shownConsent(before, today)
  const told = (name: ConsentMoment) => sent[name] ?? null
  for (const name of MOMENTS)
    if (isInFuture(told(name) ?? now, now)) fail(name, 'in_the_future', 'cannot be in the future')

  const after = { ...shown, ...sent }
  const saysWhen = MOMENTS.some((name) => sent[name] !== undefined)
  const status = sent.status ?? (saysWhen ? latest(after, shown.status) : shown.status)
  const isSame = status === shown.status
  const isCorrected = isSame || sent.status === undefined
  const reached = (name: ConsentMoment) => told(name) ?? (isCorrected ? shown[name] : null) ?? now
  const refuseOthers = (...fitting: ConsentMoment[]) => {
    for (const name of MOMENTS)
      if (!fitting.includes(name) && told(name) !== null && told(name) !== shown[name])
        fail(name, 'mismatch', `is not allowed for a consent that is ${status}`)
  }
  const inOrder = (first: string | null, name: ConsentMoment, second: string) => {
    if (first !== null && second < first) fail(name, 'too_early', 'cannot be before consented_at')
  }

  if (status === 'consented') {
    refuseOthers('consented_at', 'rejected_at')
    const consented_at = reached('consented_at')
    const rejected_at = told('rejected_at') ?? (isSame ? shown.rejected_at : null)
    // Whoever sends back what they read before it expired does not give it anew.
    if (shown.expired_at !== null && consented_at < shown.expired_at)
      fail('consented_at', 'too_early', `cannot be before the consent expired at ${shown.expired_at}`)
    if (rejected_at !== null && rejected_at > consented_at)
      fail('rejected_at', 'mismatch', 'is after consented_at, so the status must be rejected')
    return { status, consented_at, rejected_at, expires_on: isSame ? before.expires_on : null }
  }
  if (status === 'rejected') {
    refuseOthers('consented_at', 'rejected_at')
    const rejected_at = reached('rejected_at')
    inOrder(after.consented_at, 'rejected_at', rejected_at)
    return { status, consented_at: after.consented_at, rejected_at, expires_on: null }
  }
  if (status === 'expired') {
    refuseOthers('consented_at', 'expired_at')
    const [consented_at, expired_at] = [told('consented_at') ?? shown.consented_at, reached('expired_at')]
    if (consented_at === null) fail('consented_at', 'required', 'is required: only a given consent can expire')
    inOrder(consented_at, 'expired_at', expired_at)
    const kept = { status: 'consented', consented_at, rejected_at: null } as const
    return isSame && expired_at === shown.expired_at
      ? { ...kept, expires_on: before.expires_on, ...(before.expired_at ? { expired_at } : {}) }
      : { ...kept, expires_on: null, expired_at }
  }
  refuseOthers()
  return { status, consented_at: after.consented_at, rejected_at: null, expires_on: null }
}
