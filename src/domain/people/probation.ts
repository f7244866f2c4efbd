import { rowsOf } from '../../engine/records.ts'
import type { Reader } from '../../records/reader.ts'
import { lastDayOfPeriod, probationLength, probationPolicies } from '../organisation/probation-policies.ts'
import { holdingAmong } from './job-changes.ts'

/** How the end of a probation follows from its policy and the day of hiring. */

type ProbationDates = {
  hired_on: string | null
  probation_ends_on: string | null
  probation_end_is_derived: boolean | null
  policyId: number | null
}

/** Somebody as they are, and what their day of hiring and their policy become. */
export type ProbationMove = {
  before: ProbationDates | null
  hired_on: string | null
  policyId: number | null
  /** The end itself is sent too. */
  isSent: boolean
}

type ProbationEnd = { probation_ends_on?: string | null; probation_end_is_derived?: boolean }

/**
 * What each move makes of the end: a new policy sets it as soon as the day of hiring is known, and an end that was set
 * in this way moves with that day. What somebody has said themselves stays.
 */
export async function deriveProbation(db: Reader, moves: readonly ProbationMove[]): Promise<ProbationEnd[]> {
  const real = moves.filter(({ before, hired_on, policyId, isSent }) => {
    const isSame = hired_on === (before?.hired_on ?? null) && policyId === (before?.policyId ?? null)
    return !isSent && !isSame
  })
  const ids = [...new Set(real.flatMap(({ policyId }) => policyId ?? []))]
  const rows = ids.length ? await rowsOf(probationPolicies, db.from('probation_policies').where('id', 'in', ids)) : []
  const policies = new Map(rows.map((row) => [row.id as number | null, row]))
  return moves.map((move) => {
    if (move.isSent) return { probation_end_is_derived: false }
    if (!real.includes(move)) return {}
    const { before, hired_on, policyId } = move
    const policy = policies.get(policyId)
    const isNewPolicy = policyId !== (before?.policyId ?? null)
    // What a policy once gave moves as it is, also if the policy has another length now.
    const isShifted = before?.probation_end_is_derived && !isNewPolicy && before.hired_on && before.probation_ends_on
    const length = isShifted
      ? probationLength(before.hired_on as string, before.probation_ends_on as string, policy?.length_unit ?? 'days')
      : policy
    const end = hired_on && length ? lastDayOfPeriod(hired_on, length) : null
    const isOpen = !before || before.probation_end_is_derived || isNotYetKnown(before)
    if (!isOpen && !(isNewPolicy && end !== null)) return {}
    return { probation_ends_on: end, probation_end_is_derived: end !== null }
  })
}

const isNotYetKnown = ({ probation_ends_on, hired_on, policyId }: ProbationDates) =>
  probation_ends_on === null && (hired_on === null || policyId === null)

/** The policy that holds for somebody on a day, or else the next one that will. */
export const policyAmong = (
  entries: readonly { effective_from: string; probation_policy_id: number | null }[],
  day: string,
): number | null =>
  holdingAmong(entries, day)?.probation_policy_id ??
  entries.find((entry) => entry.effective_from > day && entry.probation_policy_id !== null)?.probation_policy_id ??
  null
