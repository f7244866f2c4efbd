import type { Area } from '../../engine/area.ts'
import { calendarOperations } from './calendar.ts'
import { addressesStayGone, calendarFeedOperations, calendarFeeds } from './feeds.ts'

export const calendar = {
  events: { resources: [calendarFeeds], operations: calendarOperations },
  feeds: { operations: calendarFeedOperations, guards: [addressesStayGone] },
} satisfies Record<string, Area>
