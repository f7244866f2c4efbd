import { type Gift, givenByColumn, type HeldKind, type Holder } from '../../engine/held.ts'
import { byId } from '../../engine/join.ts'
import { attempt, checkAll, eraseAll, rowsOf, storeChanges } from '../../engine/records.ts'
import type { Query } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { stillHere } from '../organisation/staff.ts'
import { vacancies, vacancyCollaborators } from './vacancies.ts'
import { STATES, takesApplications } from './vacancy-states.ts'

/** Vacancies that somebody works on and that are still to be filled. */

const giving = { permission: 'recruitment:write', isDated: false } as const

const open = (query: Query) =>
  query
    .select(['vacancies.id', 'vacancies.title as name', 'vacancies.state', 'vacancies.starts_on', 'vacancies.ends_on'])
    .where('vacancies.state', 'in', STATES.filter(takesApplications))
    .orderBy('vacancies.id')

const led: HeldKind = {
  kind: 'vacancies',
  of: vacancies,
  note: 'Vacancies that are not closed and whose hiring lead the employee is',
  otherwise: 'stays',
  role: 'hiring_lead',
  rows: (db, { id }) => open(db.from('vacancies').where('hiring_lead_user_id', '=', id)),
  giving: {
    ...giving,
    field: 'hiring_lead_user_id',
    give: givenByColumn(vacancies, 'hiring_lead_user_id', [stillHere('hiring_lead_user_id')]),
  },
}

/** Takes the place in the hiring team. Who is in the team already stays, and the place is gone. */
async function join(db: Writer, gifts: readonly Gift[], holder: Holder): Promise<void> {
  const ids = gifts.map(({ id }) => id)
  const members = await rowsOf(vacancyCollaborators, db.from('vacancy_collaborators').where('vacancy_id', 'in', ids))
  const attempts = []
  const gone = []
  for (const { id, to, problems } of gifts) {
    const own = members.find((one) => one.vacancy_id === id && one.user_id === holder.id)
    if (!own) continue
    if (members.some((one) => one.vacancy_id === id && one.user_id === to)) gone.push(own)
    else attempts.push(attempt(db, vacancyCollaborators, own, { user_id: to }, problems))
  }
  await checkAll(db, vacancyCollaborators, attempts, [stillHere('user_id')])
  await storeChanges(db, vacancyCollaborators, attempts)
  await eraseAll(db, vacancyCollaborators, gone)
}

const joined: HeldKind = {
  kind: 'vacancy_collaborators',
  of: vacancies,
  note: 'Vacancies that are not closed and in whose hiring team the employee is; the ID is that of the vacancy',
  otherwise: 'stays',
  role: 'collaborator',
  rows: (db, { id }) =>
    open(
      db
        .from('vacancy_collaborators')
        .innerJoin('vacancies', byId('vacancies', 'vacancy_collaborators.vacancy_id'))
        .where('vacancy_collaborators.user_id', '=', id),
    ),
  giving: { ...giving, field: 'user_id', give: join },
}

export const heldVacancies = [led, joined]
