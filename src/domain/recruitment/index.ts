import type { Area } from '../../engine/area.ts'
import { onlyOne } from '../../engine/single.ts'
import { applicationOperations } from './application-operations.ts'
import { applications, movements } from './applications.ts'
import { consentOperations } from './candidate-consent.ts'
import { candidateLanguages } from './candidate-languages.ts'
import { candidateMergeOperations, candidateMerges } from './candidate-merges.ts'
import { duplicateOperations } from './candidate-merging.ts'
import { candidateOperations } from './candidate-operations.ts'
import {
  candidateDocumentFiles,
  candidateDocuments,
  candidateEducations,
  candidateExperiences,
  candidateNotes,
  candidateRecordOperations,
} from './candidate-records.ts'
import { candidatePhones, candidateSkills, candidates, candidateTags, resumeFiles } from './candidates.ts'
import { careersOperations } from './careers.ts'
import { heldVacancies } from './held-vacancies.ts'
import { hires } from './hires.ts'
import { pipelineOperations, pipelines, stages } from './pipelines.ts'
import {
  candidateFields,
  disqualifyReasons,
  recruitmentListOperations,
  sources,
  tags,
  vacancyFields,
} from './reference-data.ts'
import { vacancyScopes } from './scopes.ts'
import { recruitmentSettingOperations, recruitmentSettings } from './settings.ts'
import { recruitmentGuards } from './undo-guards.ts'
import { vacancies, vacancyCollaborators, vacancySkills, vacancyTags } from './vacancies.ts'
import { vacancyOperations } from './vacancy-operations.ts'

export const recruitment: Area = {
  resources: [
    pipelines,
    stages,
    sources,
    disqualifyReasons,
    tags,
    vacancies,
    vacancyCollaborators,
    vacancySkills.rows,
    vacancyTags.rows,
    vacancyFields.fields,
    vacancyFields.options,
    vacancyFields.values,
    candidates,
    candidatePhones,
    candidateSkills.rows,
    candidateLanguages,
    candidateTags.rows,
    candidateFields.fields,
    candidateFields.options,
    candidateFields.values,
    applications,
    hires,
    movements,
    candidateNotes,
    candidateEducations,
    candidateExperiences,
    candidateDocuments,
    candidateMerges,
    recruitmentSettings,
  ],
  operations: [
    ...vacancyOperations,
    ...applicationOperations,
    ...candidateOperations,
    ...candidateRecordOperations,
    ...consentOperations,
    ...duplicateOperations,
    ...candidateMergeOperations,
    ...pipelineOperations,
    ...recruitmentListOperations,
    ...vacancyFields.operationsBeside(vacancyOperations),
    ...candidateFields.operationsBeside(candidateOperations),
    ...recruitmentSettingOperations,
    ...careersOperations,
  ],
  guards: [onlyOne(recruitmentSettings), ...recruitmentGuards],
  files: [resumeFiles, candidateDocumentFiles],
  held: heldVacancies,
  scopes: vacancyScopes,
}
