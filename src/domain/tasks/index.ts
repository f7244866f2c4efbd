import type { Area } from '../../engine/area.ts'
import { openTasks, taskOperations, tasks as taskRecords } from './tasks.ts'

export const tasks: Area = { resources: [taskRecords], operations: taskOperations, held: [openTasks] }
