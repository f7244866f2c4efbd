import type { Row } from '../engine/declaration.ts'
import { reference } from '../engine/field.ts'
import { byId } from '../engine/join.ts'
import { rowsOf } from '../engine/records.ts'
import { resource } from '../engine/resource.ts'
import type { Query, Reader } from '../ledger/reader.ts'

/**
 * Who was hired for which vacancy: this is what fills its places. A hire names neither application nor candidate, so it
 * goes on counting when those are merged or erased; only undoing it takes it away.
 */
export const hires = resource(
  { table: 'hires', one: 'hire', area: 'recruitment', about: [{ column: 'vacancy_id' }] },
  {
    vacancy_id: reference('vacancies', { required: true }),
    // Whoever is erased still fills the place: nobody is named then.
    employee_id: reference('employees'),
  },
)

export type Hire = Row<typeof hires>

/** How many were hired for each of the vacancies. */
export async function countHires(db: Reader, vacancyIds: number[]): Promise<Map<number, number>> {
  const rows = await db
    .from('hires')
    .select((eb) => ['vacancy_id', eb.fn.countAll().as('n')])
    .where('vacancy_id', 'in', vacancyIds)
    .groupBy('vacancy_id')
    .execute()
  const counts = new Map(vacancyIds.map((id) => [id, 0]))
  for (const row of rows) counts.set(row.vacancy_id, Number(row.n))
  return counts
}

export const hiredFor = async (db: Reader, vacancyId: number): Promise<number> =>
  (await countHires(db, [vacancyId])).get(vacancyId) ?? 0

/** The hire that an application led to: the one for its vacancy of the employee whom its candidate became. */
export async function hireOf(
  db: Reader,
  { vacancy_id, candidate_id }: { vacancy_id: number; candidate_id: number },
): Promise<Hire | undefined> {
  const employee = db.from('candidates').select('employee_id').where('id', '=', candidate_id)
  const query = db.from('hires').where('vacancy_id', '=', vacancy_id).where('employee_id', 'in', employee)
  return (await rowsOf(hires, query))[0]
}

/** Applications `a` that have led to a hire, with it as `h`. */
export const hiredApplications = (db: Reader): Query =>
  db
    .from('applications as a')
    .innerJoin('candidates as c', byId('c', 'a.candidate_id'))
    .innerJoin('hires as h', (on) =>
      on
        .onRef('h.account_id', '=', 'a.account_id')
        .onRef('h.employee_id', '=', 'c.employee_id')
        .onRef('h.vacancy_id', '=', 'a.vacancy_id'),
    )

/** When each of the applications led to a hire; null where it has not. */
export async function hiringTimes(db: Reader, applicationIds: number[]): Promise<Map<number, string | null>> {
  const rows = await hiredApplications(db)
    .select(['a.id', 'h.created_at'])
    .where('a.id', 'in', applicationIds)
    .execute()
  const times = new Map<number, string | null>(applicationIds.map((id) => [id, null]))
  for (const row of rows) times.set(row.id, row.created_at)
  return times
}
