import type { ScopeFinder, Scopes } from '../../engine/access-scope/scopes.ts'

/** The vacancies that the caller leads or works on. */
const vacancies: ScopeFinder['find'] = async (db) => {
  const { personId } = db.caller
  if (personId === null) return { vacancies: [] }
  const led = await db.from('vacancies').select('id').where('hiring_lead_user_id', '=', personId).execute()
  const joined = await db.from('vacancy_collaborators').select('vacancy_id').where('user_id', '=', personId).execute()
  return { vacancies: [...new Set([...led.map(({ id }) => id), ...joined.map((row) => row.vacancy_id as number)])] }
}

export const vacancyScopes: Scopes = {
  vacancies: { find: vacancies, dependsOn: ['vacancies', 'vacancy_collaborators'] },
}
