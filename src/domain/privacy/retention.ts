import { sql } from 'kysely'
import Type from 'typebox'
import { daysAfter, monthsAfter } from '../../engine/day.ts'
import type { Row, Sent } from '../../engine/declaration.ts'
import { integer } from '../../engine/field.ts'
import { several } from '../../engine/filter.ts'
import { operation } from '../../engine/operation.ts'
import { metadata, PAGING, pagedAnswer, pageIn, sortParameter } from '../../engine/page.ts'
import { requirePermission, requireWholeSight } from '../../engine/permission.ts'
import { type FieldProblem, Problem, refuse, wrong } from '../../engine/problem.ts'
import { amend, create, rowsOf } from '../../engine/records.ts'
import { card, resource } from '../../engine/resource.ts'
import { bodySchema, schemaOf, wrapped } from '../../engine/schema.ts'
import { dateIn, type Query, type Reader, startOfDay } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { employees } from '../people/employees.ts'
import { EMPLOYEES } from '../people/person.ts'
import { eraseCandidate } from '../recruitment/candidate-operations.ts'
import { candidates } from '../recruitment/candidates.ts'
import { eraseEmployee } from './erasing.ts'

/** How long the data of people is kept, who is due to be erased, and erasing them: never anybody who is not due then. */

const LONGEST = 1200

const months = (whom: string, example: number) =>
  integer({ min: 1, max: LONGEST, note: `${whom}. Null (the default): never`, example })

export const retentionRules = resource(
  { table: 'retention_rules', one: 'retention rules', area: 'organisation' },
  {
    candidate_months: months(
      'Months after which candidates who were not hired are due for erasure, counted from the day their last application was closed; for candidates without applications, from the last change of the candidate. Candidates with an open application, a consent that has not expired yet, or an unlimited consent to future recruitment are not due',
      6,
    ),
    employee_months: months(
      'Months after which former employees are due for erasure, counted from the first day after employment',
      120,
    ),
  },
)

const RULES = ['candidate_months', 'employee_months'] as const
const shape = card(retentionRules, 'RetentionRules', RULES)

export const KINDS = ['candidates', 'employees'] as const
export type RetentionKind = (typeof KINDS)[number]

const RULE_OF = { candidates: 'candidate_months', employees: 'employee_months' } as const
const ERASED_BY = { candidates: 'recruitment:write', employees: 'employees:write' } as const

const stored = async (db: Reader) => (await rowsOf(retentionRules, db.from('retention_rules')))[0]

async function rulesOf(db: Reader): Promise<Pick<Row<typeof retentionRules>, (typeof RULES)[number]>> {
  const { candidate_months = null, employee_months = null } = (await stored(db)) ?? {}
  return { candidate_months, employee_months }
}

/** Whoever sees who is due, or says who will be, is one who may erase them. */
function requireErasing({ caller }: Reader, kind: RetentionKind): void {
  requirePermission(caller, ERASED_BY[kind])
  requireWholeSight(caller)
}

/** The first day that lies so many months after a day. */
function dueAfter(day: string, count: number): string {
  let due = monthsAfter(day, count)
  while (monthsAfter(due, -count) < day) due = daysAfter(due, 1)
  return due
}

/** Vacancies for which nobody is looked at any more. */
const OVER = ['closed', 'cancelled', 'archived']

const DISQUALIFIED = 'a.disqualified_at'

/** When an application was closed: by itself, or at the latest with the last change of its vacancy. */
const closing = sql<string>`coalesce(${sql.ref(DISQUALIFIED)}, v.updated_at)`

const applicationsOf = (db: Reader) =>
  db
    .from('applications as a')
    .innerJoin('vacancies as v', (on) =>
      on.onRef('v.account_id', '=', 'a.account_id').onRef('v.id', '=', 'a.vacancy_id'),
    )

const CONSENTS = ['consent_kept', 'future_consent_kept'] as const

/** Those of a kind who are due today. */
function dueIn(db: Reader, kind: RetentionKind, count: number): Query {
  const last = monthsAfter(db.today, -count)
  if (kind === 'employees')
    return db
      .from('employees')
      .where('employees.termination_effective_on', '<=', last)
      .where('employees.employee_number_key', '!=', EMPLOYEES.standIn.employee_number.toLowerCase())
  const until = startOfDay(daysAfter(last, 1), db.account.time_zone).toISOString()
  const theirs = applicationsOf(db).whereRef('a.candidate_id', '=', 'candidates.id').select('a.id')
  const held = theirs.where((eb) =>
    eb.or([eb(closing, '>=', until), eb.and([eb(DISQUALIFIED, 'is', null), eb('v.state', 'not in', OVER)])]),
  )
  const consented = (column: string, ifNoEnd: boolean) =>
    sql<boolean>`(${db.jsonText(column, 'status')} = 'consented' and ${db.jsonText(column, 'expired_at')} is null
      and coalesce(${db.jsonText(column, 'expires_on')}, ${ifNoEnd ? '9999-12-31' : ''}) > ${db.today})`
  return db
    .from('candidates')
    .where('candidates.employee_id', 'is', null)
    .where('candidates.created_at', '<', until)
    .where((eb) => eb.not(eb.exists(held)))
    .where((eb) => eb.or([eb('candidates.updated_at', '<', until), eb.exists(theirs)]))
    .where(sql<boolean>`not (${consented('candidates.consent_kept', false)} is true)`)
    .where(sql<boolean>`not (${consented('candidates.future_consent_kept', true)} is true)`)
}

const ORDER = {
  candidates: ['created_at', 'id'],
  employees: ['termination_effective_on', 'hired_on', 'probation_ends_on', 'id'],
}

const DUE = Type.Object(
  {
    kind: Type.Unsafe<RetentionKind>({ type: 'string', enum: [...KINDS] }),
    id: Type.Integer(),
    full_name: Type.String(),
    due_on: Type.String({ format: 'date', description: 'First day on which the person is due for erasure' }),
    reason: Type.Unsafe<string>({
      type: 'string',
      enum: ['left', 'application_closed', 'last_changed', 'consent_ended'],
      description: 'Event from which `due_on` is counted',
    }),
    reason_on: Type.String({ format: 'date', description: 'Date on which the event in `reason` happened' }),
  },
  { title: 'DueForErasure' },
)
export type DuePerson = {
  kind: RetentionKind
  id: number
  full_name: string
  due_on: string
  reason: string
  reason_on: string
}

async function show(db: Reader, kind: RetentionKind, count: number, query: Query): Promise<DuePerson[]> {
  if (kind === 'employees')
    return (await query.select(['id', 'first_name', 'last_name', 'termination_effective_on as day']).execute()).map(
      ({ id, first_name, last_name, day }) => ({
        ...{ kind, id, full_name: [first_name, last_name].filter(Boolean).join(' ') },
        ...{ due_on: dueAfter(day, count), reason: 'left', reason_on: day },
      }),
    )
  const rows = await query.select(['id', 'full_name', 'updated_at', ...CONSENTS]).execute()
  const ids = rows.map(({ id }) => id as number)
  const closed = ids.length
    ? await applicationsOf(db)
        .select((eb) => ['a.candidate_id', eb.fn.max(closing).as('at')])
        .where('a.candidate_id', 'in', ids)
        .groupBy('a.candidate_id')
        .execute()
    : []
  const closedAt = new Map(closed.map((one) => [one.candidate_id as number, one.at as string]))
  return rows.map((row) => {
    const at = closedAt.get(row.id)
    const day = dateIn(db.account.time_zone, new Date(at ?? row.updated_at))
    const counted = { due_on: dueAfter(day, count), reason: at ? 'application_closed' : 'last_changed', reason_on: day }
    const ends = CONSENTS.flatMap((column) => JSON.parse(row[column]).expires_on ?? [])
      .filter((end) => end <= db.today)
      .sort()
    const end = ends.at(-1)
    const told = end && end > counted.due_on ? { due_on: end, reason: 'consent_ended', reason_on: end } : counted
    return { kind, id: row.id, full_name: row.full_name, ...told }
  })
}

/** A stretch of those of a kind who are due, the longest known first. */
export async function dueOf(db: Reader, kind: RetentionKind, { skipped, size }: { skipped: number; size: number }) {
  const count = (await rulesOf(db))[RULE_OF[kind]]
  if (count === null) return { total: 0, people: [] }
  const all = dueIn(db, kind, count)
  const { n } = await all.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()
  const total = Number(n)
  if (skipped >= total || size === 0) return { total, people: [] }
  const ordered = ORDER[kind].reduce((query, name) => query.orderBy(`${kind}.${name}`), all)
  return { total, people: await show(db, kind, count, ordered.limit(size).offset(skipped)) }
}

/** Erases somebody who is due at this very moment, by all rules of erasing; whoever is not stays. */
export async function eraseIfDue(db: Writer, kind: RetentionKind, id: number): Promise<boolean> {
  const count = (await rulesOf(db))[RULE_OF[kind]]
  if (count === null) return false
  const due = dueIn(db, kind, count).where(`${kind}.id`, '=', id)
  const [candidate] = kind === 'candidates' ? await rowsOf(candidates, due) : []
  if (candidate) await eraseCandidate(db, candidate)
  const [employee] = kind === 'employees' ? await rowsOf(employees, due) : []
  if (employee) await eraseEmployee(db, employee)
  return Boolean(candidate ?? employee)
}

const MOST = 50

const REPEATED = wrong('ids', 'repeated', 'must contain each id only once')
const NOT_DUE = wrong('ids', 'not_due', 'must be ids of records that are due according to the retention rules')

/** What is refused is refused before anything of that person was changed: the others can go. */
const whyNot = (erasing: Promise<boolean>): Promise<FieldProblem | null> =>
  erasing.then(
    (isErased) => (isErased ? null : NOT_DUE),
    (error) => {
      if (!(error instanceof Problem)) throw error
      return wrong('ids', error.code, error.message)
    },
  )

const OUTCOME = Type.Object({
  records: Type.Object({
    count: Type.Integer({ description: 'Number of people erased' }),
    data: Type.Array(Type.Object({ id: Type.Integer() }, { title: 'Erased' })),
  }),
  errors: Type.Object({
    count: Type.Integer(),
    data: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ description: 'Position of the item in the request, starting at 0' }),
          id: Type.Integer(),
          messages: Type.Array(Type.String()),
          errors: Type.Array(Type.Object({ field: Type.String(), code: Type.String(), message: Type.String() })),
        },
        { title: 'RetentionError' },
      ),
    ),
  }),
})

const kindSchema = Type.Unsafe<RetentionKind>({
  type: 'string',
  enum: [...KINDS],
  description: 'Type of people: `candidates` (who were not hired) or `employees` (who have left)',
})
const area = 'organisation'
const place = { area, path: '/retention', answer: wrapped(schemaOf(shape)) }

export const retentionOperations = [
  operation({ ...place, id: 'getRetention', method: 'GET', summary: 'Get the retention rules' }, async ({ db }) => ({
    body: { data: await rulesOf(db) },
  })),
  operation(
    {
      ...place,
      id: 'updateRetention',
      method: 'PUT',
      summary: 'Update the retention rules',
      note: 'The rules say after how many months former employees and candidates are due for erasure. Changing them erases nobody: `GET /retention/due` lists who is due, and `POST /retention/erasures` erases them. Omitted fields keep their values; null turns a rule off. Also requires `recruitment:write` for the rule for candidates, and `employees:write` for the rule for employees.',
      body: bodySchema(retentionRules, 'update'),
      gathers: true,
    },
    async ({ db, body, problems }) => {
      const sent = body as Sent<typeof retentionRules>
      for (const kind of KINDS) if (RULE_OF[kind] in sent) requireErasing(db, kind)
      refuse(problems)
      const before = await stored(db)
      if (before) await amend(db, retentionRules, before, sent)
      else if (Object.values(sent).some((value) => value !== null)) await create(db, retentionRules, sent)
      return { body: { data: await rulesOf(db) } }
    },
  ),
  operation(
    {
      id: 'listDueForErasure',
      method: 'GET',
      path: '/retention/due',
      area,
      summary: 'List people due for erasure',
      note: 'People who may be erased by the retention rules. Listing candidates also requires `recruitment:write`, listing employees `employees:write`; without `kind`, the list contains those you may erase. Candidates come first, oldest record first; then employees in the order in which they left. `sort=-kind` starts with employees.',
      query: Type.Object({
        kind: Type.Optional(several(kindSchema)),
        ...PAGING,
        sort: sortParameter(['kind'], 'kind'),
      }),
      indexedColumns: ['candidates.employee_id', 'employees.termination_effective_on'],
      answer: pagedAnswer(DUE),
    },
    async ({ db, query }) => {
      const page = pageIn(query)
      const asked = query.kind === undefined ? undefined : [query.kind as RetentionKind | RetentionKind[]].flat()
      const kinds = KINDS.filter((kind) => asked?.includes(kind) ?? mayErase(db, kind))
      for (const kind of kinds.length > 0 ? kinds : KINDS) requireErasing(db, kind)
      const data: DuePerson[] = []
      let before = 0
      for (const kind of query.sort === '-kind' ? kinds.toReversed() : kinds) {
        const skipped = Math.max(0, page.skipped - before)
        const { total, people } = await dueOf(db, kind, { skipped, size: page.size - data.length })
        data.push(...people)
        before += total
      }
      return { body: { data, metadata: metadata(page, before, data.length) } }
    },
  ),
  operation(
    {
      id: 'eraseDue',
      method: 'POST',
      path: '/retention/erasures',
      area,
      summary: 'Erase people who are due for erasure',
      note: `Erases up to ${MOST} of the people listed by \`GET /retention/due\`, for good, like \`DELETE\` with \`erase=true\`. Each item succeeds or fails on its own. People who are not due at that moment are not erased. Use \`Prefer: dry-run\` to preview.`,
      body: Type.Object(
        {
          kind: kindSchema,
          ids: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
            minItems: 1,
            maxItems: MOST,
            description: 'IDs of the people to erase',
            examples: [[1]],
          }),
        },
        { title: 'EraseDue' },
      ),
      status: 200,
      answer: OUTCOME,
    },
    async ({ db, body: { kind, ids } }) => {
      requireErasing(db, kind)
      const erased: { id: number }[] = []
      const failed: { index: number; id: number; messages: string[]; errors: FieldProblem[] }[] = []
      for (const [index, id] of ids.entries()) {
        const problem = ids.indexOf(id) < index ? REPEATED : await whyNot(eraseIfDue(db, kind, id))
        if (!problem) erased.push({ id })
        else failed.push({ index, id, messages: [problem.message], errors: [problem] })
      }
      return {
        body: { records: { count: erased.length, data: erased }, errors: { count: failed.length, data: failed } },
      }
    },
  ),
]

function mayErase(db: Reader, kind: RetentionKind): boolean {
  try {
    requireErasing(db, kind)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
