import { reference } from '../engine/field.ts'
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
import { workingPatterns } from '../organisation/working-patterns.ts'

const legalEntityName = idAndName(legalEntities)

/** What a dated entry of somebody's position says, besides whom they report to. */
export const positionFields = {
  position_id: reference('positions', { show: () => positions.whole }),
  job_level_id: reference('job_levels', { show: () => jobLevels.whole }),
  location_id: reference('locations', { show: () => locations.whole }),
  division_id: reference('divisions', { show: () => divisions.whole }),
  department_id: reference('departments', { show: () => departments.whole }),
  job_profile_id: reference('job_profiles', { show: () => jobProfiles.whole }),
  legal_entity_id: reference('legal_entities', { show: () => legalEntityName }),
}

/** What a dated entry of somebody's employment status says. */
export const statusFields = {
  employment_type_id: reference('employment_types', { show: () => employmentTypes.whole }),
  working_pattern_id: reference('working_patterns', { show: () => workingPatterns.whole }),
  probation_policy_id: reference('probation_policies', { show: () => probationPolicies.whole }),
}
