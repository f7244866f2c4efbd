import type { Resource, Shape } from '../engine/declaration.ts'
import { plain } from '../engine/derive.ts'
import { text } from '../engine/field.ts'
import { card, resource } from '../engine/resource.ts'

/** A list of names that other records choose from. */
export const named = (table: string, one: string, example: string, area = 'organisation', path = `/${table}`) =>
  resource({ table, one, area, path }, { name: text({ required: true, unique: true, example }) })

export const departmentLevels = named('department_levels', 'department level', 'Division head')
export const divisions = named('divisions', 'division', 'Online retail')
export const positions = named('positions', 'position', 'Software engineer')
export const jobLevels = named('job_levels', 'job level', 'Distinguished')
export const jobProfiles = named('job_profiles', 'job profile', 'Engineering, individual contributor')
export const employmentTypes = named('employment_types', 'employment type', 'Seasonal')
export const legalEntities = named('legal_entities', 'legal entity', 'Example GmbH')
export const genders = named('genders', 'gender', 'non-binary')
export const terminationTypes = named('termination_types', 'termination type', 'End of season')
export const terminationReasons = named('termination_reasons', 'termination reason', 'Career change')
export const compensationTypes = named('compensation_types', 'compensation type', 'Night shifts')
export const paySchedules = named('pay_schedules', 'pay schedule', 'Every four weeks')

const nameCards = new Map<Resource, Shape>()

/** `{id, name}` of a record: the same shape whenever it is asked for. */
export function idAndName(of: Resource): Shape {
  const known = nameCards.get(of) ?? card(of, `${of.title}Name`, ['id', 'name'])
  nameCards.set(of, known)
  return known
}

export const nameLists = [
  departmentLevels,
  divisions,
  positions,
  jobLevels,
  jobProfiles,
  employmentTypes,
  legalEntities,
  genders,
  terminationTypes,
  terminationReasons,
  compensationTypes,
  paySchedules,
]

/** Lists that clients read without paging. */
const READ_WHOLE: Resource[] = [jobLevels, paySchedules]

export const nameListOperations = nameLists.flatMap((of) => plain(of, { comesWhole: READ_WHOLE.includes(of) }))
