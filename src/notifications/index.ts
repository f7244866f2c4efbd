import { kindsByTable } from '../audits/change-responses.ts'
import type { Area } from '../engine/area.ts'
import { notificationOperations } from './notifications.ts'
import { ownChangeOperations } from './own-changes.ts'

export const notifications: Area = {
  operations: (all) => [...ownChangeOperations(() => kindsByTable(all.resources)), ...notificationOperations],
}
