import { FOREVER } from '../../engine/dated.ts'
import type { HeldBack, Resource } from '../../engine/declaration.ts'
import type { Rule } from '../../engine/records.ts'
import { PLANNED } from '../access/permissions.ts'

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

/** Values that hold until the next one does, and cannot be announced. */
export const plannedValues: HeldBack = {
  group: PLANNED,
  until: ['effective_from'],
  unless: hasNotBegun,
  ends: { column: 'effective_until', until: ['effective_until'], meanwhile: FOREVER },
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
      fail(sentAs, 'too_late', `cannot be after ${day}, when the change takes effect and becomes visible`)
  }
