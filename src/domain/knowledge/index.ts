import type { Area } from '../../engine/area.ts'
import { articleOperations, articles } from './articles.ts'
import { categories, categoryOperations } from './categories.ts'
import { orderHolds } from './undo-guards.ts'

export const knowledge: Area = {
  resources: [categories, articles],
  operations: [...categoryOperations, ...articleOperations],
  guards: [orderHolds],
}
