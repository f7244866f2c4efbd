import { useMemo } from 'react'
import { call, Problem } from '../../client/client.ts'
import { ownRequest, refresh, usePages } from '../../client/data.ts'
import { useMay, useMe } from '../../client/me.ts'
import type { UndoTarget } from '../../client/notices.ts'
import type { LeaveRequest, OvertimeRequest, TimesheetEntry } from '../../client/operations.ts'
import { mondayOf } from '../../parts/days.ts'
import { usePeople } from '../../parts/people.ts'
import type { PersonSummary } from '../../parts/person.tsx'

/** All items that wait for the user's approval, of every kind, as one list. */

export type InboxKind = 'leave' | 'overtime' | 'time'
export type Verdict = 'approve' | 'reject'

type InboxEntry = {
  key: string
  employeeId: number
  person: PersonSummary
  day: string
  comment: string
  askedAt: string
}
export type InboxItem = InboxEntry &
  (
    | { kind: 'leave'; request: LeaveRequest }
    | { kind: 'overtime'; request: OvertimeRequest }
    | { kind: 'time'; week: string; minutes: number; entries: TimesheetEntry[] }
  )

const named = ({
  id,
  first_name,
  last_name,
}: {
  id: number
  first_name: string
  last_name: string
}): PersonSummary => ({
  id,
  first_name,
  last_name,
})

export function useInbox(kind: InboxKind | null) {
  const may = useMay()
  const { employee } = useMe()
  const isWanted = (one: InboxKind) => kind === null || kind === one
  const [mayLeave, mayTime] = [may('leave:approve') && may('leave:read'), may('time:approve') && may('time:read')]
  const leave = usePages(
    'GET /leave_requests/pending',
    { query: { sort: 'starts_on' } },
    { enabled: mayLeave && isWanted('leave') },
  )
  const overtime = usePages(
    'GET /time/overtime_requests',
    { query: { state: 'pending', sort: 'date' } },
    { enabled: mayTime && isWanted('overtime') },
  )
  const entries = usePages(
    'GET /time/timesheet_entries',
    { query: { 'status[]': ['pending'] } },
    { enabled: mayTime && isWanted('time'), size: 200 },
  )
  const names = usePeople(entries.items.map(({ employee_id }) => employee_id))
  const all = [
    ...(mayLeave && isWanted('leave') ? [leave] : []),
    ...(mayTime && isWanted('overtime') ? [overtime] : []),
    ...(mayTime && isWanted('time') ? [entries] : []),
  ]
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers only change when they are loaded again
  const items = useMemo(() => {
    const found: InboxItem[] = [
      ...(isWanted('leave') ? leave.items : []).map((request) => ({
        kind: 'leave' as const,
        key: `leave ${request.id}`,
        employeeId: request.employee_id,
        person: named(request.employee),
        day: request.starts_on,
        comment: request.comment,
        askedAt: request.created_at,
        request,
      })),
      ...(isWanted('overtime') ? overtime.items : []).map((request) => ({
        kind: 'overtime' as const,
        key: `overtime ${request.id}`,
        employeeId: request.employee_id,
        person: named(request.employee),
        day: request.date,
        comment: request.comment,
        askedAt: request.created_at,
        request,
      })),
      ...weeksOf(isWanted('time') ? entries.items : [], names.people),
    ]
    // Users do not decide about their own requests.
    return found
      .filter(({ employeeId }) => employeeId !== employee?.id)
      .sort((one, other) => (one.day + one.key < other.day + other.key ? -1 : 1))
  }, [leave.data, overtime.data, entries.data, names.people, employee?.id, kind])
  return {
    items,
    /** When the oldest of the answers was loaded. */
    readAt: Math.min(...all.map((one) => one.dataUpdatedAt)),
    error: all.find((one) => one.error)?.error ?? null,
    isPending: all.some((one) => one.total === undefined) || names.isPending,
    hasMore: all.some((one) => one.hasNextPage),
    isFetchingMore: all.some((one) => one.isFetchingNextPage),
    more: () => all.filter((one) => one.hasNextPage).forEach((one) => void one.fetchNextPage()),
    refetch: () => Promise.all(all.map((one) => one.refetch())),
  }
}

/** The entries of a week that were submitted together are decided together. */
function weeksOf(entries: readonly TimesheetEntry[], known: ReadonlyMap<number, PersonSummary>): InboxItem[] {
  const weeks = Map.groupBy(entries, ({ employee_id, date }) => `time ${employee_id} ${mondayOf(date)}`)
  return [...weeks].map(([key, own]) => {
    const { employee_id, date, updated_at } = own[0] as TimesheetEntry
    const minutes = own.reduce((sum, one) => sum + (one.type === 'working' ? one.minutes : 0), 0)
    return {
      kind: 'time' as const,
      key,
      employeeId: employee_id,
      person: known.get(employee_id) ?? { id: employee_id, full_name: `#${employee_id}` },
      day: mondayOf(date),
      week: mondayOf(date),
      comment: '',
      askedAt: updated_at,
      minutes,
      entries: own,
    }
  })
}

const KINDS = ['leave_requests', 'leave_balances', 'calendars', 'overtime_requests', 'timesheet_entries', 'timesheets']

const ROUTES = {
  leave: { approve: 'POST /leave_requests/{id}/approve', reject: 'POST /leave_requests/{id}/reject' },
  overtime: {
    approve: 'POST /time/overtime_requests/{id}/approve',
    reject: 'POST /time/overtime_requests/{id}/reject',
  },
  time: { approve: 'POST /time/timesheet_entries/approve', reject: 'POST /time/timesheet_entries/reject' },
} as const

/** A rejection can have a reason. */
function decideOne(item: InboxItem, verdict: Verdict, reason: string) {
  const told = verdict === 'reject' && reason ? { reason } : {}
  const requestId = ownRequest(KINDS)
  if (item.kind === 'time')
    return call(ROUTES.time[verdict], {
      body: { timesheet_entry_ids: item.entries.map(({ id }) => id), ...told },
      requestId,
    })
  const params = { id: item.request.id }
  return verdict === 'reject'
    ? call(ROUTES[item.kind].reject, { params, body: told, requestId })
    : call(ROUTES[item.kind].approve, { params, requestId })
}

/** Decides each item by itself. One that can no longer be decided does not stop the others. */
export async function decide(items: readonly InboxItem[], verdict: Verdict, reason = '') {
  const done = new Map<string, UndoTarget>()
  const failed: { item: InboxItem; error: unknown; perhaps?: UndoTarget }[] = []
  let away: unknown
  for (const item of items)
    try {
      // Without a connection or a session the others would fail too, so they are not sent.
      if (away) throw away
      const { requestId } = await decideOne(item, verdict, reason)
      done.set(item.key, { requestId: [requestId], kinds: KINDS })
    } catch (error) {
      const requestId = error instanceof Problem && error !== away ? error.requestId : undefined
      failed.push({ item, error, ...(requestId ? { perhaps: { requestId: [requestId], kinds: KINDS } } : {}) })
      if (error instanceof Problem && [0, 401].includes(error.status)) away = error
    }
  refresh(KINDS)
  const requestId = [...done.values()].flatMap((one) => one.requestId)
  return { undoing: { requestId, kinds: KINDS }, done, failed }
}
