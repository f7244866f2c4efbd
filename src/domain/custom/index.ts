import type { Area } from '../../engine/area.ts'
import { valuesNameWhatIs } from './undo-guards.ts'

export const custom: Area = {
  // The areas declare their custom fields, so this is known only when all of them are loaded.
  guards: () => [valuesNameWhatIs()],
}
