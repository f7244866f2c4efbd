import type { Area } from '../../engine/area.ts'
import { readOperations } from './access-log.ts'
import { auditOperations } from './audits.ts'
import { changeOperations } from './changes.ts'
import { historyOperations } from './history.ts'
import { undoOperations } from './undo.ts'

export const audits = {
  changes: {
    operations: (all) => [
      ...auditOperations(
        () => all.resources,
        () => all.operations,
      ),
      ...changeOperations(all.resources),
    ],
  },
  histories: {
    operations: (all) => [
      ...historyOperations(() => all.resources),
      ...readOperations(
        () => all.resources,
        () => all.operations,
      ),
      ...undoOperations(
        () => all.resources,
        () => all.guards,
        () => all.operations,
      ),
    ],
  },
} satisfies Record<string, Area>
