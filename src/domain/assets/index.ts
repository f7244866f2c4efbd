import type { Area } from '../../engine/area.ts'
import { assetAssignmentOperations } from './asset-assignments.ts'
import { assetCategories, assetCategoryOperations } from './asset-categories.ts'
import { assetLossOperations, lossesEndAssignments } from './asset-losses.ts'
import { assetOperations, assets as assetRecords } from './assets.ts'
import { assetAssignments, assetLosses } from './custody.ts'
import { heldAssets } from './held-assets.ts'

export const assets: Area = {
  resources: [assetCategories, assetRecords, assetAssignments, assetLosses],
  operations: [...assetCategoryOperations, ...assetOperations, ...assetAssignmentOperations, ...assetLossOperations],
  guards: [lossesEndAssignments],
  held: [heldAssets],
}
