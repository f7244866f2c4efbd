import type { Area } from '../../engine/area.ts'
import { kindsByTable } from '../audits/change-responses.ts'
import { notificationOperations } from './notifications.ts'
import { ownChangeOperations } from './own-changes.ts'

export const notifications: Area = {
  operations: (all) => [...ownChangeOperations(() => kindsByTable(all.resources)), ...notificationOperations],
}
