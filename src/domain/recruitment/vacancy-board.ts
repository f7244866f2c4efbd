import Type from 'typebox'
import { operation } from '../../engine/operation.ts'
import { find } from '../../engine/records.ts'
import { recordId, wrappedAndBare } from '../../engine/schema.ts'
import { stagesOf } from './application-moves.ts'
import { vacancies } from './vacancies.ts'

const area = 'recruitment'

const BOARD = Type.Object(
  {
    vacancy_id: Type.Integer(),
    pipeline_id: Type.Integer(),
    applications_count: Type.Integer(),
    qualified_applications_count: Type.Integer(),
    disqualified_applications_count: Type.Integer(),
    stages: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        type: Type.String({
          description:
            'Type of the stage. `new`: new applications. `in_progress`: under review. `hired`: hired candidates',
        }),
        qualified_applications_count: Type.Integer(),
        disqualified_applications_count: Type.Integer(),
      }),
    ),
  },
  { title: 'VacancyBoard' },
)

export const vacancyBoard = operation(
  {
    id: 'getVacancyBoard',
    method: 'GET',
    path: '/recruitment/vacancies/{vacancy_id}/pipeline',
    summary: 'Get the pipeline of a vacancy',
    area,
    params: Type.Object({ vacancy_id: recordId('vacancies') }),
    note: 'Returns how many applications are in each stage of the hiring pipeline: under `data`, and a second time at the top level.',
    answer: wrappedAndBare(BOARD),
    indexedColumns: ['applications.vacancy_id'],
  },
  async ({ db, params }) => {
    const vacancy = await find(db, vacancies, params.vacancy_id)
    const inOrder = await stagesOf(db, vacancy)
    const rows = await db
      .from('applications')
      .select((eb) => ['stage_id', eb.fn.countAll().as('n'), eb.fn.count('disqualified_at').as('out')])
      .where('vacancy_id', '=', vacancy.id)
      .groupBy('stage_id')
      .execute()
    const counts = new Map(rows.map((row) => [row.stage_id, { all: Number(row.n), out: Number(row.out) }]))
    const sum = (which: 'all' | 'out') => [...counts.values()].reduce((total, count) => total + count[which], 0)
    const data = {
      vacancy_id: vacancy.id,
      pipeline_id: vacancy.recruitment_pipeline_id,
      applications_count: sum('all'),
      qualified_applications_count: sum('all') - sum('out'),
      disqualified_applications_count: sum('out'),
      stages: inOrder.map(({ id, name, type }) => {
        const { all = 0, out = 0 } = counts.get(id) ?? {}
        return { id, name, type, qualified_applications_count: all - out, disqualified_applications_count: out }
      }),
    }
    return { body: { data, ...data } }
  },
)
