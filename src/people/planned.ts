import { PLANNED } from '../access/permissions.ts'
import { FOREVER } from '../engine/dated.ts'
import type { HeldBack, Resource } from '../engine/declaration.ts'
import { holdsFor } from '../engine/reach.ts'
import type { Rule } from '../engine/records.ts'
import type { Reader } from '../ledger/reader.ts'

/**
 * What is planned for somebody: a job, a status, pay, or the end of the employment that begins on a day to come. Until that
 * day, or until it is announced, only those see it whose role shows what is planned.
 */

/** Whoever has not begun sees what they begin with: it was agreed on. What is planned for later is as secret as anybody's. */
const hasNotBegun: HeldBack['unless'] = (today, first) => ({
  column: 'employee_id',
  among: { table: 'employees', column: 'id', where: { column: 'hired_on', after: today } },
  upToTheir: { column: first, theirs: 'hired_on' },
})

/** Records that hold from a day on. */
export const plannedFrom = (column: string): HeldBack => ({
  group: PLANNED,
  until: [column, 'announced_on'],
  unless: hasNotBegun,
})

/** Entries that hold until the next one does: when that is tells of it. */
export const plannedEntries: HeldBack = {
  ...plannedFrom('effective_from'),
  until: ['effective_from', 'known_on'],
  ends: { column: 'effective_until', until: ['effective_until', 'end_announced_on'], meanwhile: FOREVER },
}

export const plannedTermination = (columns: readonly string[]): HeldBack => ({
  group: PLANNED,
  until: ['termination_effective_on', 'termination_announced_on'],
  columns,
})

/** Nothing is announced after it has come. */
export const announcedInTime =
  (first: string, announced = 'announced_on', sentAs = announced): Rule<Resource> =>
  ({ after, changes, fail }) => {
    const [day, told] = [first, announced].map((name) => (after as Record<string, unknown>)[name])
    const isChanged = first in changes || announced in changes
    if (isChanged && typeof day === 'string' && typeof told === 'string' && told > day)
      fail(sentAs, 'too_late', 'cannot be after the first day: from then on it is seen in any case')
  }

export type Leaving = { id: number; termination_effective_on: string | null; termination_announced_on: string | null }

/** The first day on which somebody is no longer employed, as far as the caller may know of it. */
export function knownLeaving(db: Reader, person: Leaving): string | null {
  const { id, termination_effective_on: leaves, termination_announced_on: announced } = person
  const isKnown = leaves === null || leaves <= db.today || (announced !== null && announced <= db.today)
  return isKnown || holdsFor(db, 'employees:read', 'employees', id, PLANNED) ? leaves : null
}
