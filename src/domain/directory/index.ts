import type { Area } from '../../engine/area.ts'
import { directoryOperations } from './directory.ts'
import { orgChartOperations } from './org-chart.ts'

export const directory: Area = { operations: [...directoryOperations, ...orgChartOperations] }
