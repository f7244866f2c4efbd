import { idsCoveredBy } from '../engine/access-scope/reader-access.ts'
import type { RowPolicy } from '../engine/declaration.ts'
import { permitsForAll } from '../engine/permission.ts'
import { type Caller, isOneself } from '../ledger/caller.ts'
import type { Query, Reader } from '../ledger/reader.ts'
import { peopleBelow } from '../people/reporting-lines.ts'

/**
 * Who sees what of reviews: whatever lists, shows, counts or changes them looks through here.
 *
 * Who administers reviews sees all, and so does a program that acts for nobody. Anybody else sees the reviews of
 * themselves, of those who report to them on the day of looking, and those that they take part in; and whoever
 * administers reviews of some only sees theirs, and who takes part, but for those of themselves. What was answered
 * is seen by who wrote it; once it is handed in by those above the one reviewed; and once the results are shared by
 * the one reviewed, to whom peers and reports have no names: neither here, nor by numbers, order or times.
 */

export const administers = (caller: Caller): boolean => permitsForAll(caller, 'reviews:write')

const seesAll = (caller: Caller): boolean =>
  administers(caller) || (caller.personId === null && caller.actor.kind !== 'person' && !caller.grants)

/** Those whom the one reviewed may know to take part. */
const NAMED = ['self', 'manager']
const NAMELESS = ['peer', 'report']

const reviewsOf = (db: Reader) => db.from('reviews').select('reviews.id').where('reviews.employee_id', '=', me(db))

const reviewsAdministered = (db: Reader) =>
  db
    .from('reviews')
    .select('reviews.id')
    .where('reviews.employee_id', 'in', db.numbers(administered(db)))

const reviewsBelow = (db: Reader) =>
  db
    .from('reviews')
    .select('reviews.id')
    .where('reviews.employee_id', 'in', peopleBelow(db, me(db)))

/** Of whom reviews are administered by a caller who does not do so for everybody. */
const administered = (db: Reader) => idsCoveredBy(db, 'reviews:write', 'employees').filter((id) => !isOneself(db, id))

/** Whoever is no employee has no reviews: nobody has the id 0. */
const me = ({ caller }: Reader) => caller.personId ?? 0

const BY = ['reviews', 'review_participants', 'review_cycles', 'employee_positions']

export const reviewRowPolicy: RowPolicy = {
  seesAll,
  narrow: (query, db) =>
    query.where((eb) =>
      eb.or([
        eb('reviews.employee_id', '=', me(db)),
        eb('reviews.employee_id', 'in', peopleBelow(db, me(db))),
        eb('reviews.employee_id', 'in', db.numbers(administered(db))),
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

/** What was handed in about the caller, by those who take part in these ways, and may be known by now. */
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

/** The participants whose answers the caller sees, knowing whose they are. */
const knownAuthors = (db: Reader): Query[] => [
  participants(db).where('review_participants.employee_id', '=', me(db)),
  participants(db)
    .where('review_participants.state', '=', 'submitted')
    .where('review_participants.review_id', 'in', reviewsBelow(db)),
  sharedWith(db, NAMED),
]

const byAnyOf = (query: Query, authors: Query[]): Query =>
  query.where((eb) => eb.or(authors.map((some) => eb('review_answers.participant_id', 'in', some))))

/** Those of the answers whose authors the caller may know. */
export const withKnownAuthor = (query: Query, db: Reader): Query =>
  seesAll(db.caller) ? query : byAnyOf(query, knownAuthors(db))

export const answerRowPolicy: RowPolicy = {
  seesAll,
  narrow: (query, db) => byAnyOf(query, [...knownAuthors(db), sharedWith(db, NAMELESS)]),
  indexedColumns: ['review_answers.participant_id', 'review_participants.employee_id', 'review_participants.review_id'],
  dependsOn: BY,
}
