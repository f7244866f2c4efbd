import type { Area } from '../../engine/area.ts'
import { onlyOne } from '../../engine/single.ts'
import { erasingOperations } from './erasing.ts'
import { exportOperations } from './exporting.ts'
import { retentionOperations, retentionRules } from './retention.ts'

export const privacy: Area = {
  resources: [retentionRules],
  operations: (all) => [...erasingOperations, ...exportOperations(all.files), ...retentionOperations],
  guards: [onlyOne(retentionRules)],
}
