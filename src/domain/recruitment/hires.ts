import type { Row } from '../../engine/declaration.ts'
import { reference } from '../../engine/field.ts'
import { rowsOf } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import type { Query, Reader } from '../../records/reader.ts'

/**
 * Who was hired for which vacancy: this is what fills its places. An application takes a place when it comes into a stage of
 * the type hired; the employee is named when somebody makes their record. A hire goes on counting when application or
 * employee are erased; only undoing it, or moving an application back that has no employee yet, takes it away.
 */
export const hires = resource(
  { table: 'hires', one: 'hire', area: 'recruitment', about: [{ column: 'vacancy_id' }] },
  {
    vacancy_id: reference('vacancies', { required: true }),
    application_id: reference('applications'),
    // Whoever is erased still fills the place: nobody is named then.
    employee_id: reference('employees'),
  },
)

export type Hire = Row<typeof hires>

/** Whoever may hire makes the employee with it: by the permission for that, or because they make employees anyway. */
export const mayHire = (holds: (permission: string) => boolean): boolean =>
  holds('recruitment:write') && (holds('recruitment:hire') || holds('employees:write'))

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

/** The hire that an application led to. */
export async function hireOf(db: Reader, { id }: { id: number }): Promise<Hire | undefined> {
  return (await rowsOf(hires, db.from('hires').where('application_id', '=', id)))[0]
}

/** Applications `a` that have led to a hire, with it as `h`. */
export const hiredApplications = (db: Reader): Query =>
  db
    .from('applications as a')
    .innerJoin('hires as h', (on) =>
      on.onRef('h.account_id', '=', 'a.account_id').onRef('h.application_id', '=', 'a.id'),
    )

/** A column of the hire that each of the applications led to; null where it has not. */
const ofHire =
  <T>(column: 'created_at' | 'employee_id') =>
  async (db: Reader, applicationIds: number[]): Promise<Map<number, T | null>> => {
    const rows = await db
      .from('hires')
      .select(['application_id', `${column} as value`])
      .where('application_id', 'in', applicationIds)
      .execute()
    const values = new Map<number, T | null>(applicationIds.map((id) => [id, null]))
    for (const row of rows) values.set(row.application_id, row.value as T)
    return values
  }

export const hiringTimes = ofHire<string>('created_at')
export const employeesHired = ofHire<number>('employee_id')
