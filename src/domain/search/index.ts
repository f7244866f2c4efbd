import type { Area } from '../../engine/area.ts'
import { searchOperations } from './search.ts'

export const search: Area = { operations: searchOperations }
