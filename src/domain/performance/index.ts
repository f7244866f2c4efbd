import type { Area } from '../../engine/area.ts'
import { indicatorOperations, indicatorResults, indicators } from './indicators.ts'
import { keyResults, objectiveOperations, objectives } from './objectives.ts'

export const performance: Area = {
  resources: [indicators, indicatorResults, objectives, keyResults],
  operations: [...indicatorOperations, ...objectiveOperations],
}
