import Type from 'typebox'
import { orNull } from '../../engine/field.ts'
import { operation } from '../../engine/operation.ts'
import { requirePermission } from '../../engine/permission.ts'
import { recordId, wrapped } from '../../engine/schema.ts'
import type { Reader } from '../../records/reader.ts'
import { hiresIn } from '../recruitment/hired-filters.ts'
import { AMONG, amongOf, area, COUNTED, LIST, listAt, named, RANGE, rangeOf, rounded } from './figures.ts'

/** How long it takes to hire somebody. */

const DAYS = {
  average_days: orNull(
    Type.Number({ description: 'Average time in days, rounded to one decimal; null if no time is known' }),
  ),
  median_days: orNull(
    Type.Number({ description: 'Median time in days, rounded to one decimal; null if no time is known' }),
  ),
}

const TIMES = {
  hires: Type.Integer({ description: 'Number of hires' }),
  timed: Type.Integer({
    description: 'Number of hires for which the time is known. It is unknown if the application no longer exists',
  }),
  ...DAYS,
  list: LIST,
}

const PLACE = { id: Type.Integer(), name: orNull(Type.String()) }

const TIME_TO_HIRE = Type.Object(
  {
    ...COUNTED,
    ...TIMES,
    to_fill: Type.Object(DAYS, {
      title: 'TimeToFill',
      description: 'Time from the day the vacancy was first opened to the hire',
    }),
    by_department: Type.Array(Type.Object({ ...PLACE, ...TIMES }, { title: 'TimeToHireOfDepartment' })),
    by_vacancy: Type.Array(Type.Object({ ...PLACE, ...TIMES }, { title: 'TimeToHireOfVacancy' })),
    stages: Type.Array(
      Type.Object(
        {
          ...PLACE,
          applications: Type.Integer({ description: 'Number of hires who were in this stage' }),
          ...DAYS,
        },
        { title: 'TimeInStage' },
      ),
      {
        description:
          'For each stage: how long the people hired were in it. If somebody was in a stage several times, the times are added up',
      },
    ),
  },
  { title: 'TimeToHire' },
)

type HireRow = {
  application_id: number | null
  vacancy_id: number
  title: string
  department_id: number
  opened_at: string | null
  applied_at: string | null
  hired_at: string
}

const DAY = 86_400_000

const daysBetween = (from: string | null, to: string) =>
  from === null ? [] : [Math.max(0, Date.parse(to) - Date.parse(from)) / DAY]

function spreadOf(days: readonly number[]) {
  if (days.length === 0) return { average_days: null, median_days: null }
  const sorted = days.toSorted((a, b) => a - b)
  const middle = [Math.floor((sorted.length - 1) / 2), Math.ceil((sorted.length - 1) / 2)].map(
    (at) => sorted[at] as number,
  )
  const mean = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0) / some.length
  return { average_days: rounded(mean(sorted), 1), median_days: rounded(mean(middle), 1) }
}

function timesOf(some: readonly HireRow[], list: string) {
  const days = some.flatMap(({ applied_at, hired_at }) => daysBetween(applied_at, hired_at))
  return { hires: some.length, timed: days.length, ...spreadOf(days), list }
}

/** The stays of those applications in their stages, each until it ended or led to the hire. */
async function stagesOf(db: Reader, asked: Record<string, unknown>) {
  const rows = await hiresIn(db, asked)
    .innerJoin('movements as m', (on) =>
      on.onRef('m.account_id', '=', 'a.account_id').onRef('m.application_id', '=', 'a.id'),
    )
    .select(['m.application_id', 'm.stage_id', 'm.entered_at', 'm.exited_at', 'h.created_at as hired_at'])
    .execute()
  const stays = new Map<number, Map<number, number>>()
  for (const { application_id, stage_id, entered_at, exited_at, hired_at } of rows) {
    const until = exited_at === null || exited_at > hired_at ? hired_at : exited_at
    if (entered_at >= hired_at) continue
    const [days = 0] = daysBetween(entered_at, until)
    const own = stays.get(stage_id) ?? new Map<number, number>()
    stays.set(stage_id, own.set(application_id, (own.get(application_id) ?? 0) + days))
  }
  const groups = [...stays].map(([id, own]) => ({ id, n: own.size, days: [...own.values()] }))
  return (await named(db, 'pipeline_stages', groups)).map(({ id, name, n, days }) => ({
    id,
    name,
    applications: n,
    ...spreadOf(days),
  }))
}

export const hiringReports = [
  operation(
    {
      id: 'getTimeToHire',
      takesLong: true,
      method: 'GET',
      path: '/reports/time_to_hire',
      summary: 'Get the time to hire',
      note: 'For hires in the range: time from the application to the hire in days, with decimals. A hire belongs to the department and location of its vacancy. Candidates who have been erased are counted, but do not appear in the lists. Requires the `reports:read` and `recruitment:read` permissions.',
      area,
      multiResource: true,
      query: Type.Object({
        ...RANGE,
        ...AMONG,
        vacancy_ids: Type.Optional(
          Type.Array(recordId('vacancies'), {
            minItems: 1,
            maxItems: 500,
            description: 'Only hires for these vacancies',
          }),
        ),
      }),
      answer: wrapped(TIME_TO_HIRE),
      indexedColumns: ['hires.created_at'],
    },
    async ({ db, query }) => {
      requirePermission(db.caller, 'recruitment:read')
      const { from, to } = rangeOf(db, query)
      const { vacancy_ids } = query
      const asked = {
        hired_at: { gte: from, lte: to },
        ...(await amongOf(db, query, to))(to),
        ...(vacancy_ids ? { vacancy_ids } : {}),
      }
      const rows = (await hiresIn(db, asked)
        .select(['a.id as application_id', 'v.id as vacancy_id', 'v.title', 'v.department_id', 'v.opened_at'])
        .select(['a.created_at as applied_at', 'h.created_at as hired_at'])
        .execute()) as HireRow[]
      const candidatesAt = (more: Record<string, unknown>) => listAt('/recruitment/candidates', { ...asked, ...more })
      const by = (name: 'department_id' | 'vacancy_id') =>
        [...Map.groupBy(rows, (row) => row[name])].map(([id, some]) => ({
          id,
          n: some.length,
          title: some[0]?.title ?? null,
          times: timesOf(some, candidatesAt({ [name]: id })),
        }))
      const vacancies = by('vacancy_id').sort((a, b) => b.n - a.n || a.id - b.id)
      const data = {
        from,
        to,
        ...timesOf(rows, candidatesAt({})),
        to_fill: spreadOf(rows.flatMap(({ opened_at, hired_at }) => daysBetween(opened_at, hired_at))),
        by_department: (await named(db, 'departments', by('department_id'))).map(({ id, name, times }) => ({
          id,
          name,
          ...times,
        })),
        by_vacancy: vacancies.map(({ id, title, times }) => ({ id, name: title, ...times })),
        stages: await stagesOf(db, asked),
      }
      return { body: { data } }
    },
  ),
]
