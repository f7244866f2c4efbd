import type { Area } from '../../engine/area.ts'
import { keepsFiles } from './undo-guards.ts'

export const files: Area = { guards: (all) => [keepsFiles(all.files)] }
