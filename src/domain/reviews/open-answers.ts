import { cardTableFor } from '../../engine/access-scope/subjects.ts'
import type { HeldKind } from '../../engine/held.ts'
import { byId } from '../../engine/join.ts'
import { whereVisible } from '../../engine/records.ts'
import { fullName } from '../people/person.ts'
import { reviewParticipants } from './participants.ts'

/** Parts of reviews that somebody still has to write. Nobody else can write them: an opinion cannot be given away. */
export const openAnswers: HeldKind = {
  kind: 'review_answers',
  of: reviewParticipants,
  note: 'Reviews in which the employee has not submitted their answers yet; the ID is that of the participant. They cannot be given to somebody else: add another participant to the review',
  otherwise: 'stays',
  role: 'peer',
  rows: (db, { id }) =>
    whereVisible(
      reviewParticipants,
      db
        .from('review_participants')
        .innerJoin('reviews', byId('reviews', 'review_participants.review_id'))
        .innerJoin('review_cycles as cycle', byId('cycle', 'review_participants.review_cycle_id'))
        .innerJoin(`${cardTableFor(db, 'employees')} as e`, byId('e', 'reviews.employee_id'))
        .select(['review_participants.id', 'review_participants.type as role', 'review_participants.state'])
        .select(['cycle.name as cycle', 'cycle.starts_on', 'cycle.ends_on'])
        .select(['e.first_name', 'e.middle_name', 'e.last_name'])
        .where('review_participants.employee_id', '=', id)
        .where('review_participants.state', 'in', ['approved', 'started', 'revising'])
        .where('cycle.state', '=', 'opened')
        .orderBy('review_participants.id'),
      db,
    ),
  nameOf: (row) => `${fullName(row)}, ${row.cycle}`,
}
