import { plain } from '../../engine/derive.ts'
import { PROTECTIONS } from '../access/permissions.ts'
import { plainCustomFields } from '../custom/plain-values.ts'
import { named } from '../organisation/names.ts'
import { employeeReferent } from '../organisation/staff.ts'

const area = 'recruitment'

export const sources = named('sources', 'source', 'Job fair', area, '/recruitment/sources')
export const disqualifyReasons = named(
  'disqualify_reasons',
  'disqualify reason',
  'Moved abroad',
  area,
  '/recruitment/disqualify_reasons',
)
export const tags = named('recruitment_tags', 'recruitment tag', 'Alumni', area, '/recruitment/tags')

export const candidateFields = plainCustomFields({
  one: 'candidate',
  example: 'Notice period',
  owner: 'candidates',
  area,
  path: '/recruitment/candidate_fields',
  groups: PROTECTIONS,
  referent: employeeReferent,
})
export const vacancyFields = plainCustomFields({
  one: 'vacancy',
  example: 'Cost centre',
  owner: 'vacancies',
  area,
  path: '/recruitment/vacancy_fields',
  groups: PROTECTIONS,
  referent: employeeReferent,
})

export const recruitmentListOperations = [...plain(sources), ...plain(disqualifyReasons), ...plain(tags)]
