import type { Resource, Shape } from '../../engine/declaration.ts'
import { plain } from '../../engine/derive.ts'
import { longText, reference, text } from '../../engine/field.ts'
import { isRecord } from '../../engine/filter.ts'
import { alsoAt } from '../../engine/operation.ts'
import { card, resource } from '../../engine/resource.ts'

/** A list of names that other records choose from. */
export const named = (table: string, one: string, example: string, area = 'organisation', path = `/${table}`) =>
  resource(
    { table, one, area, path, isLookup: true },
    { name: text({ required: true, unique: true, searched: true, example }) },
  )

export const departmentLevels = named('department_levels', 'department level', 'Division head')
export const divisions = named('divisions', 'division', 'Online retail')
export const positions = named('positions', 'position', 'Software engineer')
export const jobLevels = named('job_levels', 'job level', 'Distinguished')
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

/** Job profiles that belong together. */
export const jobGroups = resource(
  { table: 'job_groups', one: 'job group', area: 'organisation' },
  {
    name: text({ required: true, unique: true, searched: true, example: 'Engineering' }),
    description: longText({ example: 'People who build and run our products' }),
  },
)

export const jobProfiles = resource(
  { table: 'job_profiles', one: 'job profile', area: 'organisation', isLookup: true },
  {
    name: text({ required: true, unique: true, searched: true, example: 'Engineering, individual contributor' }),
    job_group_id: reference('job_groups', { show: () => idAndName(jobGroups) }),
  },
)

const jobProfileOperations = plain(jobProfiles, { filters: { job_group_id: isRecord(jobProfiles, 'job_group_id') } })

const plainNameLists = [
  departmentLevels,
  divisions,
  positions,
  jobLevels,
  jobGroups,
  employmentTypes,
  legalEntities,
  genders,
  terminationTypes,
  terminationReasons,
  compensationTypes,
  paySchedules,
]

export const nameLists = [...plainNameLists, jobProfiles]

/** Lists that clients read without paging. */
const READ_WHOLE: Resource[] = [jobLevels, paySchedules]

const operations = [
  ...plainNameLists.flatMap((of) => plain(of, { comesWhole: READ_WHOLE.includes(of) })),
  ...jobProfileOperations,
]

/** Clients of this interface ask for a single reason under a misspelt name. */
const misspelt = operations
  .filter(({ path }) => path === `${terminationReasons.path}/{id}`)
  .map((one) => alsoAt(one, '/termintation_reasons/{id}', 'Misspelt'))

export const nameListOperations = [...operations, ...misspelt]
