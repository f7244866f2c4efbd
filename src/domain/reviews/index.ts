import type { Area } from '../../engine/area.ts'
import { reviewAnswerOperations } from './answer-operations.ts'
import { reviewAnswers } from './answers.ts'
import { competencies, competencyLevels, competencyOperations } from './competencies.ts'
import { reviewCycleOperations, reviewCycles } from './cycles.ts'
import { openAnswers } from './open-answers.ts'
import { reviewParticipantOperations, reviewParticipants } from './participants.ts'
import { reviewQuestionOperations, reviewQuestions } from './questions.ts'
import { reviewOperations } from './review-operations.ts'
import { reviews as reviewRecords } from './reviews.ts'
import { reviewGuards } from './undo-guards.ts'

export const reviews: Area = {
  resources: [
    competencies,
    competencyLevels,
    reviewCycles,
    reviewAnswers,
    reviewParticipants,
    reviewRecords,
    reviewQuestions,
  ],
  operations: [
    ...competencyOperations,
    ...reviewCycleOperations,
    ...reviewQuestionOperations,
    ...reviewOperations,
    ...reviewParticipantOperations,
    ...reviewAnswerOperations,
  ],
  guards: reviewGuards,
  held: [openAnswers],
}
