import { idsCoveredBy } from '../../engine/access-scope/reader-access.ts'
import type { RowPolicy } from '../../engine/declaration.ts'
import { permitsForAll } from '../../engine/permission.ts'
import { type Caller, isSelf } from '../../records/caller.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { peopleBelow } from '../people/reporting-lines.ts'

/**
 * Who sees which reviews, participants and answers. All code that lists, shows, counts or changes them uses these policies.
 *
 * - Administrators of all reviews see everything, and so do API keys that act for no person.
 * - Other people see reviews of themselves, of people who report to them today, and reviews in which they participate.
 * - Administrators of some people's reviews also see those reviews and their participants, but not for reviews of themselves.
 * - An answer is visible to its author; once submitted, also to the managers of the reviewed person; once the results are shared,
 *   also to the reviewed person. They do not learn which peer or report wrote it, not even from ids, order or times.
 */

export const administers = (caller: Caller): boolean => permitsForAll(caller, 'reviews:write')

const seesAll = (caller: Caller): boolean =>
  administers(caller) || (caller.personId === null && caller.actor.kind !== 'person' && !caller.grants)

/** The types of participants whom the reviewed person may know. */
const NAMED = ['self', 'manager']
const NAMELESS = ['peer', 'report']

const reviewsOf = (db: Reader) => db.from('reviews').select('reviews.id').where('reviews.employee_id', '=', me(db))

const reviewsAdministered = (db: Reader) =>
  db
    .from('reviews')
    .select('reviews.id')
    .where('reviews.employee_id', 'in', db.numberList(administered(db)))

const reviewsBelow = (db: Reader) =>
  db
    .from('reviews')
    .select('reviews.id')
    .where('reviews.employee_id', 'in', peopleBelow(db, me(db)))

/** The people whose reviews the caller administers, if these are not all people. */
const administered = (db: Reader) => idsCoveredBy(db, 'reviews:write', 'employees').filter((id) => !isSelf(db, id))

/** The caller's id; 0, which no employee has, if the caller is no employee. */
const me = ({ caller }: Reader) => caller.personId ?? 0

const BY = ['reviews', 'review_participants', 'review_cycles', 'employee_positions']

export const reviewRowPolicy: RowPolicy = {
  seesAll,
  narrow: (query, db) =>
    query.where((eb) =>
      eb.or([
        eb('reviews.employee_id', '=', me(db)),
        eb('reviews.employee_id', 'in', peopleBelow(db, me(db))),
        eb('reviews.employee_id', 'in', db.numberList(administered(db))),
        eb('reviews.id', 'in', db.from('review_participants').select('review_id').where('employee_id', '=', me(db))),
      ]),
    ),
  indexedColumns: ['reviews.employee_id', 'review_participants.employee_id'],
  dependsOn: BY,
}

export const participantRowPolicy: RowPolicy = {
  seesAll,
  narrow: (query, db) =>
    query.where((eb) =>
      eb.or([
        eb('review_participants.employee_id', '=', me(db)),
        eb('review_participants.review_id', 'in', reviewsBelow(db)),
        eb('review_participants.review_id', 'in', reviewsAdministered(db)),
        eb.and([eb('review_participants.type', 'in', NAMED), eb('review_participants.review_id', 'in', reviewsOf(db))]),
      ]),
    ),
  indexedColumns: ['review_participants.employee_id', 'review_participants.review_id'],
  dependsOn: BY,
}

const participants = (db: Reader) => db.from('review_participants').select('review_participants.id')

/** Submitted participants of these types in reviews of the caller whose results are shared. */
const sharedWith = (db: Reader, types: string[]) =>
  participants(db)
    .where('review_participants.state', '=', 'submitted')
    .where('review_participants.type', 'in', types)
    .where('review_participants.review_id', 'in', reviewsOf(db))
    .where(
      'review_participants.review_cycle_id',
      'in',
      db.from('review_cycles').select('review_cycles.id').where('review_cycles.state', '=', 'finished'),
    )

/** The participants whose answers the caller sees with their names. */
const knownAuthors = (db: Reader): Query[] => [
  participants(db).where('review_participants.employee_id', '=', me(db)),
  participants(db)
    .where('review_participants.state', '=', 'submitted')
    .where('review_participants.review_id', 'in', reviewsBelow(db)),
  sharedWith(db, NAMED),
]

const byAnyOf = (query: Query, authors: Query[]): Query =>
  query.where((eb) => eb.or(authors.map((some) => eb('review_answers.participant_id', 'in', some))))

/** The answers whose authors the caller may know. */
export const withKnownAuthor = (query: Query, db: Reader): Query =>
  seesAll(db.caller) ? query : byAnyOf(query, knownAuthors(db))

export const answerRowPolicy: RowPolicy = {
  seesAll,
  narrow: (query, db) => byAnyOf(query, [...knownAuthors(db), sharedWith(db, NAMELESS)]),
  indexedColumns: ['review_answers.participant_id', 'review_participants.employee_id', 'review_participants.review_id'],
  dependsOn: BY,
}
