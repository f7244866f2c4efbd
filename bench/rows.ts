import type { Engine } from '../test/harness.ts'
import type { LoadRequest, RequestSource } from './load.ts'
import { COUNTS, FIRST, MONTH, type Size } from './seed.ts'

/** What is measured. To measure another operation, add a row. */
export type Row = {
  name: string
  /** Of which service: one that keeps its answers, one that keeps none, or one with two workers beside one with one. */
  of: 'hot' | 'uncached' | 'workers'
  asks: RequestSource
  /** It asks one of a few questions after the other. */
  isInTurn?: true
  /** Whoever asks has the answer already. */
  isKnown?: true
  /** With what it is compared, as far as that runs. */
  beside: ComparedWith[]
  /** Only with so many connections, only on this engine. */
  connections?: number
  engine?: Engine
}

/** `a row` is the rate of another row at the same connections; `one worker` is the same of one. */
export type ComparedWith = 'bare' | 'hand-written' | 'Directus' | 'engine alone' | 'one worker' | 'one change'

/** How many questions are asked in turn. */
export const IN_TURN = 10

export const LIST = '/employees'

export function rowsFor({ employees, candidates }: Size): Row[] {
  /** Nobody of the first half of those whom the service made was deleted. */
  const person = (n: number) => 1 + (n % Math.floor(Math.min(employees, FIRST) / 2))
  /** With a number that no other begins with: there are none beyond it. */
  const lateComer = (n: number) => employees - (n % Math.min(500, Math.floor(employees / 2)))
  const get = (path: string) => ({ path })
  const pages = Math.max(1, Math.floor((employees * 0.99) / 50))
  const all = (page: number) => get(`${LIST}?status=all&page=${page}`)
  const changed = (n: number) => ({
    method: 'PUT' as const,
    path: `${LIST}/${person(n)}`,
    body: { middle_name: `N${n}` },
  })
  const retagged = (n: number) => ({
    method: 'PUT' as const,
    path: `/recruitment/tags/${1 + (n % COUNTS.tags)}`,
    body: { name: `Tag ${n}` },
  })
  /** One in ten does something else. */
  const mixed = (write: (n: number) => LoadRequest) => (n: number) => (n % 10 === 0 ? write(n) : get(LIST))
  const read = (name: string, asks: RequestSource, beside: ComparedWith[] = ['bare']): Row => ({
    name,
    of: 'uncached',
    asks,
    beside,
  })
  const inTurn = (name: string, asks: RequestSource): Row => ({ ...read(name, asks), isInTurn: true })
  const skills = (n: number) => `skills[]=skill ${n % IN_TURN}&skills[]=skill ${(n % IN_TURN) + 7}`
  return [
    { name: 'list of 50, hot', of: 'hot', asks: get(LIST), beside: ['bare', 'Directus'] },
    read('list of 50, uncached', get(LIST), ['bare', 'hand-written', 'Directus']),
    {
      name: 'list of 50, not modified (304)',
      of: 'hot',
      asks: get(LIST),
      isKnown: true,
      beside: ['bare'],
    },
    { name: '90 % lists, 10 % change other records', of: 'hot', asks: mixed(retagged), beside: ['bare'] },
    { name: '90 % lists, 10 % change employees', of: 'hot', asks: mixed(changed), beside: ['bare'] },
    { name: 'get one, hot', of: 'hot', asks: get(`${LIST}/${person(76)}`), beside: ['bare'] },
    read('get one, uncached', (n: number) => get(`${LIST}/${person(n)}`)),
    read('all, first page', all(1)),
    read('all, middle page', all(Math.ceil(pages / 2))),
    read('all, last page', all(pages)),
    read('active, middle page', get(`${LIST}?page=${Math.ceil((pages * 0.9) / 2)}`)),
    // One of the last: how many have left is not exactly one in ten.
    read('active, last page', get(`${LIST}?page=${Math.max(1, Math.floor(pages * 0.89))}`)),
    read('list by status', get(`${LIST}?status=terminated`)),
    inTurn('list of a department', (n: number) => get(`${LIST}?department_id=${1 + (n % IN_TURN)}`)),
    read('list by q, one in twenty', get(`${LIST}?q=ada`)),
    read('list by q, one', (n: number) => get(`${LIST}?q=person${lateComer(n)}`)),
    read('teams with members', get('/teams')),
    read('indicators by status', get('/performance/key_performance_indicators?status=at_risk')),
    ...(candidates > 0
      ? [
          inTurn('candidates by 2 skills', (n: number) => get(`/recruitment/candidates?${skills(n)}`)),
          read(
            'candidates by 2 skills, vacancy, stage',
            get(`/recruitment/candidates?${skills(10)}&vacancy_ids[]=1&pipeline_stage_id=1`),
          ),
        ]
      : []),
    read('timesheets of a month', get(`/time/timesheets?year=${MONTH.year}&month=${MONTH.month}`)),
    { name: 'change one', of: 'uncached', asks: changed, beside: ['bare'] },
    { name: 'change one, one caller', of: 'uncached', asks: changed, beside: [], connections: 1 },
    {
      name: 'change 500 at once, one caller',
      of: 'uncached',
      asks: (n: number) => ({
        method: 'PATCH' as const,
        path: `${LIST}/bulk`,
        body: {
          data: Array.from({ length: Math.min(500, Math.floor(employees / 2)) }, (_, i) => ({
            id: i + 1,
            middle_name: `B${n}`,
          })),
        },
      }),
      beside: ['one change'],
      connections: 1,
    },
    {
      name: 'create',
      of: 'uncached',
      asks: (n: number) => ({ method: 'POST' as const, path: '/divisions', body: { name: `New division ${n}` } }),
      beside: ['bare', 'engine alone'],
      connections: 16,
    },
    {
      name: 'list of 50, uncached, two workers',
      of: 'workers',
      asks: get(LIST),
      beside: ['one worker'],
      connections: 32,
      engine: 'postgres',
    },
  ]
}

/** Rows whose cost must not follow the number of records: one caller, nothing kept. */
export const grows = ({ name, of, beside }: Row) =>
  of === 'uncached' && beside[0] === 'bare' && !/change|create/.test(name)
