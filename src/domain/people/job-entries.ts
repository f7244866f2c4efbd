import Type, { type TSchema } from 'typebox'
import { announcedFields, datedFields, inForce, ownFieldsColumn } from '../../engine/dated.ts'
import type { Field, Shape } from '../../engine/declaration.ts'
import { alsoCalled, derived, longText, orNull, reference } from '../../engine/field.ts'
import { byId } from '../../engine/join.ts'
import { card, resource } from '../../engine/resource.ts'
import { nullable, schemaOf } from '../../engine/schema.ts'
import { fetchShape } from '../../engine/shape.ts'
import { settleAll } from '../../records/chunks.ts'
import { prepared } from '../../records/prepared.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { departments } from '../organisation/departments.ts'
import { locations } from '../organisation/locations.ts'
import {
  divisions,
  employmentTypes,
  idAndName,
  jobLevels,
  jobProfiles,
  legalEntities,
  positions,
} from '../organisation/names.ts'
import { probationPolicies } from '../organisation/probation-policies.ts'
import {
  fullTimeEquivalent,
  fullTimeHoursOn,
  weeklyHoursOn,
  workingPatterns,
} from '../organisation/working-patterns.ts'
import { personShort } from './person.ts'
import { plannedEntries } from './planned-changes.ts'

/** The dated entries that somebody's job is made of. */

const legalEntityName = idAndName(legalEntities)

/** What an entry of somebody's position says, besides whom they report to. */
export const positionFields = {
  position_id: reference('positions', { show: () => positions.whole }),
  job_level_id: reference('job_levels', { show: () => jobLevels.whole }),
  location_id: reference('locations', { show: () => locations.whole }),
  division_id: reference('divisions', { show: () => divisions.whole }),
  department_id: reference('departments', { show: () => departments.whole }),
  job_profile_id: reference('job_profiles', { show: () => jobProfiles.whole }),
  legal_entity_id: reference('legal_entities', { show: () => legalEntityName }),
}

/** What an entry of somebody's employment status says. */
export const statusFields = {
  employment_type_id: reference('employment_types', { show: () => employmentTypes.whole }),
  working_pattern_id: reference('working_patterns', { show: () => workingPatterns.whole }),
  probation_policy_id: reference('probation_policies', { show: () => probationPolicies.whole }),
}

const employee_id = reference('employees', { required: true, owner: true })

/** The same day under the name that readers of this interface know it by. */
const effective_on = derived(Type.String({ format: 'date' }), ['effective_from'], (row) => row.effective_from)

export const employeePositions = resource(
  {
    table: 'employee_positions',
    one: 'employee position',
    area: 'employees',
    path: '/employees/{employee_id}/positions',
    heldBack: plannedEntries,
    inherits: [...Object.keys(positionFields), 'reporting_to_id'],
  },
  {
    employee_id,
    ...datedFields,
    effective_on,
    ...announcedFields,
    ...ownFieldsColumn,
    ...positionFields,
    reporting_to_id: alsoCalled(reference('employees', { show: () => personShort }), 'manager_id'),
  },
)

export const employmentStatuses = resource(
  {
    table: 'employment_statuses',
    one: 'employment status',
    area: 'employees',
    path: '/employees/{employee_id}/employment_statuses',
    heldBack: plannedEntries,
    inherits: Object.keys(statusFields),
  },
  {
    employee_id,
    ...datedFields,
    effective_on,
    ...announcedFields,
    ...ownFieldsColumn,
    ...statusFields,
    comment: longText({ group: 'notes', example: 'Reduced to a four-day week' }),
  },
)

/** The schemas of the job objects, which are those of the entries in force. */
export function jobSchemas() {
  const { probation_policy_id: _, ...status } = statusFields
  const fields: Record<string, Field> = { ...positionFields, ...status, reporting_to_id: reportingTo }
  const schemas = Object.entries(fields).flatMap(([name, { reference }]) => {
    const shape = reference?.shape
    return shape ? [[name.replace(/_id$/, ''), () => nullable(schemaOf(shape()))] as const] : []
  })
  return { ...Object.fromEntries(schemas), ...WORKING_TIME } as Record<Job | keyof typeof WORKING_TIME, () => TSchema>
}

const WORKING_TIME = {
  weekly_hours: () =>
    orNull(
      Type.Number({ description: 'Hours per week by the working pattern; null if there is none', examples: [32] }),
    ),
  full_time_equivalent: () =>
    orNull(
      Type.Number({
        description: '`weekly_hours` as a part of `full_time_hours` of the company, rounded to four decimals',
        examples: [0.8],
      }),
    ),
}

const reportingTo = employeePositions.fields.reporting_to_id

/** The names of the job objects. */
type Job =
  | 'reporting_to'
  | (keyof typeof positionFields | Exclude<keyof typeof statusFields, 'probation_policy_id'> extends `${infer N}_id`
      ? N
      : never)

const positionShape = card(employeePositions, 'PositionInForce', [
  'employee_id',
  ...Object.keys(positionFields),
  'reporting_to_id',
])
const statusShape = card(employmentStatuses, 'StatusInForce', ['employee_id', ...Object.keys(statusFields)])

/**
 * Narrows entries to those that hold on the day that is looked at. Who has not begun today is seen with what they
 * begin with: a job that was agreed on is no secret until its first morning. As of another day, only what held counts.
 */
export function holdingOn(query: Query, table: string, { day, asOf }: Reader['view']): Query {
  if (asOf) return inForce(query, table, day)
  const column = (name: string) => `${table}.${name}`
  return query
    .innerJoin('employees as holder', byId('holder', column('employee_id')))
    .where((eb) =>
      eb.or([
        eb.and([
          eb.or([eb('holder.hired_on', 'is', null), eb('holder.hired_on', '<=', day)]),
          eb(column('effective_from'), '<=', day),
          eb(column('effective_until'), '>', day),
        ]),
        eb.and([
          eb('holder.hired_on', '>', day),
          eb(column('effective_from'), '<=', eb.ref('holder.hired_on')),
          eb(column('effective_until'), '>', eb.ref('holder.hired_on')),
        ]),
      ]),
    )
}

const entriesOf = ({ resource: { table } }: Shape, asOf: boolean) =>
  prepared<{ day: string; ids: number[] }>((from, { day, ids }) =>
    holdingOn(from(table), table, { day, asOf }).where(`${table}.employee_id`, 'in', ids),
  )
const jobEntries = [
  { shape: positionShape, also: [] },
  { shape: statusShape, also: ['working_pattern_id'] },
].map(({ shape, also }) => ({
  shape,
  also,
  today: entriesOf(shape, false),
  onThatDay: entriesOf(shape, true),
}))

/** The job objects of employees: their entries that hold on the day that is looked at. */
export async function loadJobs(db: Reader, ids: number[]): Promise<Map<number, Record<string, unknown>>> {
  const jobs = new Map<number, Record<string, unknown>>()
  const params = { day: db.view.day, ids }
  const found = await settleAll(
    jobEntries.map(({ shape, today, onThatDay, also }) =>
      fetchShape(db, shape, { query: db.view.asOf ? onThatDay : today, params }, { also }),
    ),
  )
  for (const { record } of found.flat())
    jobs.set(record.employee_id, Object.assign(jobs.get(record.employee_id) ?? {}, record))
  const [, statuses = []] = found
  const hours = statuses.some(({ row }) => row.working_pattern_id !== null)
    ? await weeklyHoursOn(db, db.view.day)
    : new Map()
  const fullTime = hours.size > 0 ? await fullTimeHoursOn(db, db.view.day) : 0
  for (const { row, record } of statuses) {
    const weekly: number | null = hours.get(row.working_pattern_id) ?? null
    const isKnown = weekly !== null
    Object.assign(jobs.get(record.employee_id) as object, {
      weekly_hours: isKnown ? weekly / 10_000 : null,
      full_time_equivalent: isKnown ? fullTimeEquivalent(weekly, fullTime) : null,
    })
  }
  return jobs
}
