import Type from 'typebox'
import { holdsFor, withPermission } from '../../engine/access-scope/reader-access.ts'
import { cardTableFor } from '../../engine/access-scope/subjects.ts'
import type { Resource } from '../../engine/declaration.ts'
import { orNull } from '../../engine/field.ts'
import { firstByWords } from '../../engine/filter.ts'
import { byId } from '../../engine/join.ts'
import { operation } from '../../engine/operation.ts'
import { permits, permitsForAll, requirePermission } from '../../engine/permission.ts'
import { whereVisible } from '../../engine/records.ts'
import { columnsOf } from '../../engine/resource.ts'
import { wrappedList } from '../../engine/schema.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { assets } from '../assets/assets.ts'
import { articles } from '../knowledge/articles.ts'
import { categories } from '../knowledge/categories.ts'
import { leavePolicies } from '../leave/leave-policies.ts'
import { leaveTypes } from '../leave/leave-types.ts'
import { departments } from '../organisation/departments.ts'
import { holidayPolicies } from '../organisation/holidays.ts'
import { locations } from '../organisation/locations.ts'
import {
  divisions,
  employmentTypes,
  jobGroups,
  jobLevels,
  jobProfiles,
  legalEntities,
  positions,
} from '../organisation/names.ts'
import { probationPolicies } from '../organisation/probation-policies.ts'
import { workingPatterns } from '../organisation/working-patterns.ts'
import { employeeFields } from '../people/custom-fields.ts'
import { employeeTables } from '../people/employee-tables.ts'
import { employees } from '../people/employees.ts'
import { holdingOn } from '../people/job-entries.ts'
import { fullName } from '../people/person.ts'
import { isSomebody, withStatus } from '../people/status.ts'
import { teams } from '../people/teams.ts'
import { candidates } from '../recruitment/candidates.ts'
import { pipelines } from '../recruitment/pipelines.ts'
import { candidateFields, vacancyFields } from '../recruitment/reference-data.ts'
import { vacancies } from '../recruitment/vacancies.ts'
import { tasks } from '../tasks/tasks.ts'
import { projects } from '../time/projects.ts'

/** One box in which everything is found that the caller may read, by the beginnings of words. */

type ResultRow = Record<string, any>

/** A kind of record as it is found: what stands in its two lines, and who may find it. */
type SearchableKind = {
  of: Resource
  permission: string
  /** Selects the two lines of what was found, `title` and `subtitle`; of a person the names, in place of the one that is not there. */
  lines: (found: Query, db: Reader) => Query
  pathOf?: (db: Reader, id: number) => string
}

/** The first line is a column, and so is the second, or there is none. */
const plain = (of: Resource, title = 'name', subtitle?: string): SearchableKind => ({
  of,
  permission: of.readWith,
  lines: (found) =>
    found
      .select(`${of.table}.${title} as title`)
      .$if(subtitle !== undefined, (query) => query.select(`${of.table}.${subtitle} as subtitle`)),
})

/** Those who are here; whoever may read all employees finds also who has left or is still to come. */
const people: SearchableKind = {
  of: employees,
  permission: 'directory:read',
  lines(found, db) {
    const jobs = holdingOn(db.from('employee_positions'), 'employee_positions', db.view)
      .innerJoin('positions', byId('positions', 'employee_positions.position_id'))
      .whereRef('employee_positions.employee_id', '=', 'employees.id')
      .select('positions.name')
      .limit(1)
    const wanted = permitsForAll(db.caller, employees.readWith)
      ? isSomebody(found)
      : withStatus(found, 'in_service', db.today)
    return wanted
      .select(['employees.first_name', 'employees.middle_name', 'employees.last_name'])
      .select(jobs.as('subtitle'))
  },
  pathOf: (db, id) => (holdsFor(db, employees.readWith, employees.table, id) ? employees.path : '/directory'),
}

const inCategory: SearchableKind = {
  ...plain(articles, 'title'),
  lines: (found) =>
    found
      .innerJoin('knowledge_base_categories as c', byId('c', 'knowledge_base_articles.category_id'))
      .select(['knowledge_base_articles.title', 'c.name as subtitle']),
}

const assigned: SearchableKind = {
  ...plain(tasks),
  lines: (found, db) =>
    found
      .innerJoin(`${cardTableFor(db, 'employees')} as e`, byId('e', 'tasks.employee_id'))
      .select(['tasks.name as title', 'e.first_name', 'e.middle_name', 'e.last_name']),
}

/** In the order in which they are shown. */
const KINDS: Record<string, SearchableKind> = {
  person: people,
  candidate: plain(candidates, 'full_name', 'position'),
  vacancy: plain(vacancies, 'title', 'state'),
  article: inCategory,
  task: assigned,
  team: plain(teams),
  asset: plain(assets, 'name', 'code'),
  project: plain(projects),
  department: plain(departments),
  location: plain(locations, 'name', 'country_code'),
  division: plain(divisions),
  position: plain(positions),
  job_level: plain(jobLevels),
  job_profile: plain(jobProfiles),
  job_group: plain(jobGroups),
  employment_type: plain(employmentTypes),
  legal_entity: plain(legalEntities),
  leave_type: plain(leaveTypes),
  leave_policy: plain(leavePolicies),
  holiday_policy: plain(holidayPolicies),
  working_pattern: plain(workingPatterns),
  probation_policy: plain(probationPolicies),
  pipeline: plain(pipelines),
  category: plain(categories),
  employee_field: plain(employeeFields, 'name', 'type'),
  employee_table: plain(employeeTables),
  candidate_field: plain(candidateFields.fields, 'name', 'type'),
  vacancy_field: plain(vacancyFields.fields, 'name', 'type'),
}

const FOUND = Type.Object(
  {
    kind: Type.Unsafe<string>({ type: 'string', enum: Object.keys(KINDS) }),
    id: Type.Integer(),
    title: Type.String(),
    subtitle: orNull(
      Type.String({ description: 'Second line to show, such as the position of a person; null if there is none' }),
    ),
    path: Type.String({ description: 'API path of the record, relative to the prefix `/api/public/v3`' }),
  },
  { title: 'Found' },
)

/** What is put into a group of data that is withheld from the caller is not found either. */
function withoutProtected(of: Resource, query: Query, { caller }: Reader): Query {
  const protects = columnsOf(of).find(([, field]) => field.protects)?.[0]
  if (!protects || caller.withheld.size === 0) return query
  const column = `${of.table}.${protects}`
  return query.where((eb) => eb.or([eb(column, 'is', null), eb(column, 'not in', [...caller.withheld])]))
}

async function firstOf(whole: Reader, kind: string, text: string, most: number) {
  const { of, permission, lines, pathOf } = KINDS[kind] as SearchableKind
  const db = withPermission(whole, permission)
  const found = firstByWords(db, of, text)
  if (!found) return []
  const rows: ResultRow[] = await lines(withoutProtected(of, whereVisible(of, found, db), db), db)
    .select(`${of.table}.id`)
    .limit(most)
    .execute()
  return rows.map((row) => {
    const name = row.first_name === undefined ? null : fullName(row as never)
    const path = `${pathOf?.(db, row.id) ?? of.path}/${row.id}`
    return {
      kind,
      id: row.id,
      title: row.title ?? name,
      subtitle: (row.title ? (row.subtitle ?? name) : row.subtitle) ?? null,
      path,
    }
  })
}

export const searchOperations = [
  operation(
    {
      id: 'search',
      method: 'GET',
      path: '/search',
      summary: 'Search people, records and settings',
      note: 'Finds records that contain words with the beginnings you send, such as `ada love`. Returns the first few results of each record type you may read, exact words first. Callers who may not read all employees find the people of the directory instead.',
      area: 'directory',
      query: Type.Object({
        q: Type.Optional(
          Type.String({
            format: 'line',
            maxLength: 255,
            description:
              'Words, or beginnings of words; a result must match all of them. An empty value returns no results',
            examples: ['ada love'],
          }),
        ),
        kinds: Type.Optional(
          Type.Array(FOUND.properties.kind, {
            minItems: 1,
            maxItems: Object.keys(KINDS).length,
            description: 'Only results of these record types; by default all types you may read',
          }),
        ),
        per_kind: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 20, default: 5, description: 'Maximum number of results per type' }),
        ),
      }),
      answer: wrappedList(FOUND),
      indexedColumns: ['search_words.word'],
    },
    async ({ db, query: { q = '', kinds, per_kind: most = 5 } }) => {
      // Whoever asks for a kind is told that they may not read it, rather than that there is nothing.
      for (const kind of kinds ?? []) requirePermission(db.caller, KINDS[kind]?.permission ?? null)
      const asked = Object.entries(KINDS).filter(
        ([kind, { of, permission }]) =>
          (!kinds || kinds.includes(kind)) &&
          permits(db.caller.permissions, permission) &&
          !(of.group && db.caller.withheld.has(of.group)),
      )
      const data = []
      for (const [kind] of asked) data.push(...(await firstOf(db, kind, q, most)))
      return { body: { data } }
    },
  ),
]
