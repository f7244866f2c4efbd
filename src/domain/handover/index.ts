import type { Area } from '../../engine/area.ts'
import { handoverOperations } from './handover.ts'

export const handover: Area = { operations: (all) => handoverOperations(all.held) }
