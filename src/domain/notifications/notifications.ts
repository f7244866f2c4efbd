import Type, { type TObject } from 'typebox'
import { orNull } from '../../engine/field.ts'
import { byId } from '../../engine/join.ts'
import { operation } from '../../engine/operation.ts'
import { permitsForAll } from '../../engine/permission.ts'
import { amend, find } from '../../engine/records.ts'
import { card } from '../../engine/resource.ts'
import { nullable, schemaOf } from '../../engine/schema.ts'
import { show } from '../../engine/shape.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { openResets } from '../access/password-reset-requests.ts'
import { users } from '../access/users.ts'
import { personCard } from '../people/person.ts'
import { mayHire } from '../recruitment/hires.ts'
import { ownSession } from '../sign-in/sessions.ts'
import { mayDecide } from '../time/approvals.ts'
import { approversOf } from '../time/approvers.ts'

/**
 * What is new for the person who is signed in: decisions about what they asked for, what waits for them, what they were
 * given to do. Nothing is stored of it but when they last looked: it follows from the records, so that what was taken
 * back is not told any more.
 */

const DAYS = 60
const MOST = 50

type NotificationRow = Record<string, any>

/** A kind of news: the rows that are new for somebody, each with `at`, `id`, and of the others what it has. */
type NotificationSource = {
  resource: string
  rows: (db: Reader, me: number, since: string) => Query | Promise<Query>
}

/** A kind of request that a manager approves: its table, and the columns of its first and last day. */
type RequestKind = { table: 'leave_requests' | 'overtime_requests'; from: string; to: string }
const LEAVE: RequestKind = { table: 'leave_requests', from: 'starts_on', to: 'ends_on' }
const OVERTIME: RequestKind = { table: 'overtime_requests', from: 'date', to: 'date' }

const requests = (db: Reader, { table, from, to }: RequestKind) =>
  db
    .from(table)
    .select([`${table}.id`, `${table}.${from} as starts_on`, `${table}.${to} as ends_on`, `${table}.state`])
    .$if(table === 'leave_requests', (query) =>
      query
        .innerJoin('leave_types', byId('leave_types', 'leave_requests.leave_type_id'))
        .select('leave_types.name as what'),
    )

/** What others have decided about what one asked for. */
const decided = (asked: RequestKind): NotificationSource => ({
  resource: asked.table,
  rows: (db, me, since) =>
    requests(db, asked)
      .select([`${asked.table}.decided_at as at`, `${asked.table}.decided_by_id as who`])
      .where(`${asked.table}.employee_id`, '=', me)
      .where(`${asked.table}.state`, 'in', ['approved', 'rejected'])
      .where(`${asked.table}.decided_at`, '>=', since)
      .where((eb) => eb.or([eb('decided_by_id', 'is', null), eb('decided_by_id', '!=', me)]))
      .orderBy(`${asked.table}.decided_at`, 'desc'),
})

/** What waits for one's decision: of those who report to one today, or who have no other manager in service. */
const waiting = (asked: RequestKind, area: string): NotificationSource => ({
  resource: asked.table,
  async rows(db, me, since) {
    const open = (query: Query) =>
      query.where(`${asked.table}.state`, '=', 'pending').where(`${asked.table}.created_at`, '>=', since)
    const people = await open(db.from(asked.table)).select(`${asked.table}.employee_id as id`).distinct().execute()
    const ids: number[] = people.map(({ id }) => id).filter((id) => mayDecide(db, area, id))
    const approvers = await approversOf(db, area, ids)
    const own = ids.filter((id) => approvers.get(id)?.includes(me))
    return open(requests(db, asked))
      .select([`${asked.table}.created_at as at`, `${asked.table}.employee_id as who`])
      .where(`${asked.table}.employee_id`, 'in', [0, ...own])
      .orderBy(`${asked.table}.created_at`, 'desc')
  },
})

const SOURCES: Record<string, NotificationSource> = {
  leave_decided: decided(LEAVE),
  leave_waiting: waiting(LEAVE, 'leave'),
  overtime_decided: decided(OVERTIME),
  overtime_waiting: waiting(OVERTIME, 'time'),
  time_rejected: {
    resource: 'timesheet_entries',
    rows: (db, me, since) =>
      db
        .from('timesheet_entries')
        .select(['id', 'updated_at as at', 'date as starts_on', 'date as ends_on', 'status as state'])
        .where('employee_id', '=', me)
        .where('status', '=', 'rejected')
        .where('updated_at', '>=', since)
        .orderBy('updated_at', 'desc'),
  },
  task_given: {
    resource: 'tasks',
    rows: (db, me, since) =>
      db
        .from('tasks')
        .select(['id', 'created_at as at', 'created_by_id as who', 'name as what', 'starts_on', 'ends_on'])
        .where('employee_id', '=', me)
        .where('completed_at', 'is', null)
        .where('created_at', '>=', since)
        .where((eb) => eb.or([eb('created_by_id', 'is', null), eb('created_by_id', '!=', me)]))
        .orderBy('created_at', 'desc'),
  },
  review_asked: {
    resource: 'review_participants',
    rows: (db, me, since) =>
      db
        .from('review_participants')
        .innerJoin('reviews', byId('reviews', 'review_participants.review_id'))
        .innerJoin('review_cycles as named', byId('named', 'review_participants.review_cycle_id'))
        .select(['review_participants.id', 'review_participants.created_at as at', 'reviews.employee_id as who'])
        .select(['named.name as what', 'named.starts_on', 'named.ends_on'])
        .where('review_participants.employee_id', '=', me)
        .where('review_participants.state', 'in', ['approved', 'started', 'revising'])
        .where('named.state', '=', 'opened')
        .where('review_participants.created_at', '>=', since)
        .orderBy('review_participants.created_at', 'desc'),
  },
}

/** Who has asked for a new password, told to those who can make a link: most of them wait for it. */
async function resetsAsked(db: Reader, since: string): Promise<NotificationRow[]> {
  if (!permitsForAll(db.caller, 'users:write')) return []
  const asked = await openResets(db, { since })
  const ids = [...asked.keys()].slice(0, MOST)
  const people = ids.length ? await db.from('users').select(['id', 'name']).where('id', 'in', ids).execute() : []
  return people.map(({ id, name }) => ({ kind: RESET, resource: 'users', id, at: asked.get(id), what: name }))
}

const RESET = 'reset_asked'
const HIRE = 'hire_waiting'

/** Who stands in the last stage and is no employee yet, told to those who may make them one. */
async function hiresWaiting(db: Reader, since: string): Promise<NotificationRow[]> {
  if (!mayHire((needed) => permitsForAll(db.caller, needed))) return []
  const rows = await db
    .from('movements as m')
    .innerJoin('pipeline_stages as s', byId('s', 'm.stage_id'))
    .innerJoin('applications as a', byId('a', 'm.application_id'))
    .innerJoin('candidates as c', byId('c', 'm.candidate_id'))
    .innerJoin('vacancies as v', byId('v', 'm.vacancy_id'))
    .select(['c.id', 'c.full_name as what', 'm.entered_at as at', 'm.created_by_id as who'])
    .where('m.entered_at', '>=', since)
    .where('m.exited_at', 'is', null)
    .where('s.type', '=', 'hired')
    .where('a.disqualified_at', 'is', null)
    .where('c.employee_id', 'is', null)
    .orderBy('m.entered_at', 'desc')
    .limit(MOST)
    .execute()
  return rows.map((row) => ({ ...row, kind: HIRE, resource: 'candidates' }))
}

const whoCard = card(personCard.resource, 'NotificationPerson', ['id', 'full_name'])

const NOTIFICATION = Type.Object(
  {
    kind: Type.Unsafe<string>({ type: 'string', enum: [...Object.keys(SOURCES), RESET, HIRE] }),
    at: Type.String({ format: 'date-time', description: 'When it happened' }),
    resource: Type.String({ description: 'Record type of the record to open', examples: ['leave_requests'] }),
    record_id: Type.Integer(),
    who: nullable(schemaOf(whoCard)),
    what: orNull(
      Type.String({
        description:
          'Name of what the notification is about: a leave type, task, review cycle, user or candidate; null if it has no name',
      }),
    ),
    state: orNull(
      Type.String({
        description: 'Decision on your request, such as `approved`; null if the notification is not about a decision',
      }),
    ),
    starts_on: orNull(Type.String({ format: 'date' })),
    ends_on: orNull(Type.String({ format: 'date' })),
    is_new: Type.Boolean({ description: 'Whether the notification is newer than those you have marked as seen' }),
  },
  { title: 'Notification' },
)

const ANSWER = Type.Object(
  {
    data: Type.Array(NOTIFICATION),
    metadata: Type.Object(
      { unseen: Type.Integer({ description: 'Number of new notifications in `data`' }) },
      { title: 'NotificationMetadata' },
    ),
  },
  { title: 'Notifications' },
) as TObject

const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

async function notifications(db: Reader) {
  const { userId } = ownSession(db)
  const { notifications_seen_at: seenAt } = await find(db, users, userId)
  const me = db.caller.personId
  const since = new Date(Date.parse(db.now) - DAYS * 86_400_000).toISOString()
  const found: NotificationRow[] = []
  for (const [kind, { resource, rows }] of Object.entries(me === null ? {} : SOURCES)) {
    const own: NotificationRow[] = await (await rows(db, me as number, since)).limit(MOST).execute()
    found.push(...own.map((row) => ({ ...row, kind, resource })))
  }
  found.push(...(await resetsAsked(db, since)), ...(await hiresWaiting(db, since)))
  found.sort((a, b) => order(b.at, a.at) || order(a.kind, b.kind) || b.id - a.id)
  const first = found.slice(0, MOST)
  const ids = [...new Set(first.flatMap(({ who }) => who ?? []))]
  const people = new Map((await show(db, whoCard, ids)).map((one) => [one?.id, one]))
  const isNew = ({ at }: NotificationRow) => seenAt === null || at > seenAt
  const data = first.map((row) => ({
    kind: row.kind,
    at: row.at,
    resource: row.resource,
    record_id: row.id,
    who: people.get(row.who) ?? null,
    what: row.what ?? null,
    state: row.state === 'pending' ? null : (row.state ?? null),
    starts_on: row.starts_on ?? null,
    ends_on: row.ends_on ?? null,
    is_new: isNew(row),
  }))
  return { data, metadata: { unseen: data.filter(({ is_new }) => is_new).length } }
}

export const notificationOperations = [
  operation(
    {
      id: 'listNotifications',
      method: 'GET',
      path: '/me/notifications',
      summary: 'List your notifications',
      note: `The newest ${MOST} of the last ${DAYS} days: decisions on your requests, requests that wait for your decision, tasks assigned to you, and reviews to write. Users who manage access also see requests for a new password. A notification disappears once there is nothing left to do or to see.`,
      area: 'me',
      answer: ANSWER,
      indexedColumns: [],
    },
    async ({ db }) => ({ body: await notifications(db) }),
  ),
  operation(
    {
      id: 'seeNotifications',
      method: 'POST',
      path: '/me/notifications/seen',
      summary: 'Mark your notifications as seen',
      area: 'me',
      body: Type.Object(
        {
          until: Type.Optional(
            Type.String({
              format: 'date-time',
              description:
                'Notifications up to this time become seen: send `at` of the newest one that you have shown. Now by default',
            }),
          ),
        },
        { title: 'SeeNotifications' },
      ),
    },
    async ({ db, body: { until = db.now } }) => {
      const { userId } = ownSession(db)
      const before = await find(db, users, userId)
      const seen = [until < db.now ? until : db.now, before.notifications_seen_at ?? ''].sort().at(-1) as string
      await amend(db, users, before, { notifications_seen_at: seen })
      return {}
    },
  ),
]
