import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Operation } from '../../src/engine/operation.ts'
import { operations, resources } from '../../src/operations.ts'
import { chances, SEED } from '../chance.ts'
import { type Answer, ENGINE, type Sending, type Service, startService } from '../harness.ts'
import { assertLines } from '../lines.ts'
import { isForPeople, PICTURE, Samples } from '../samples.ts'
import { rounds } from '../thorough.ts'

/**
 * Of each kind of record one operation, whichever chance chooses, on each engine others; in the long run every operation.
 */
const OWN_SEED = SEED + (ENGINE === 'postgres' ? 1 : 0)
const ROUNDS = rounds(0, 1)

/** What cannot be undone by nature, and why; nothing else. */
const FOR_GOOD: Record<string, string> = {
  createApiKey: 'a key is never brought back, so that it is made is not taken back but revoked',
  updateApiKey: 'what was taken from a key is not given back by undoing',
  revokeApiKey: 'a key that was revoked does not work again',
  resetCalendarFeed: 'an address that was given up does not work again',
  deleteEmployee: 'who is erased is gone',
  deleteCandidate: 'who is erased is gone',
  deleteExternalUser: 'who is erased is gone',
  updateEmployeeAvatar: 'the picture before is gone',
  updateEmployeeAvatarAtOldAddress: 'the picture before is gone',
  deleteCandidateDocument: 'the file is gone',
  deleteLeaveAttachment: 'the file is gone',
  createCandidateDocument: 'it comes with a file, and so cannot be made again by undoing that it was undone',
  updateCandidateDocument: 'of such a one',
  createLeaveAttachment: 'it comes with a file',
  inviteUser: 'the link holds a secret that is not kept',
  makeSignInLink: 'the link holds a secret that is not kept',
  endSession: 'a session that was ended stays so',
  endSessions: 'a session that was ended stays so',
  removeSecondFactors: 'what somebody signs in with is not kept',
  removeIdentity: 'what somebody signs in with is not kept',
  createIdentityProvider: 'its secret is not kept',
  updateIdentityProvider: 'its secret is not kept',
  deleteIdentityProvider: 'its secret is not kept',
  createRole: 'what somebody may do is neither given nor taken by undoing',
  updateRole: 'what somebody may do is neither given nor taken by undoing',
  deleteRole: 'what somebody may do is neither given nor taken by undoing',
  createUser: 'what somebody may do is neither given nor taken by undoing',
  updateUser: 'what somebody may do is neither given nor taken by undoing',
  deleteUser: 'what somebody may do is neither given nor taken by undoing',
  disableUser: 'what somebody may do is neither given nor taken by undoing',
  enableUser: 'what somebody may do is neither given nor taken by undoing',
}

/** What stays as it was made, by design: sent with other values. */
const STAYS: Record<string, Record<string, [stays: unknown, instead: unknown]>> = {
  createTimesheetEntry: { status: ['approved', 'pending'] },
}

let service: Service
let samples: Samples
/** The ids of the requests that have changed something, in their order. */
const requests: string[] = []
let number = 0

before(async () => {
  // The clock stands still: what was planned for tomorrow cannot be undone once midnight has passed.
  const now = new Date()
  service = await startService({ clock: () => now })
  samples = new Samples({ ...service, send: noted })
  number = await lastNumber()
})
after(() => service.stop())

/** Without files: what takes one along for good cannot be undone. */
async function noted(method: string, path: string, sending: Sending = {}): Promise<Answer> {
  const json = Object.fromEntries(
    Object.entries((sending.json ?? {}) as Row).filter(([, value]) => ![value].flat().includes(PICTURE)),
  )
  const answer = await service.send(method, path, sending.json === undefined ? sending : { ...sending, json })
  if (method === 'GET') return answer
  const now = Number(answer.headers.get('cadre-ledger') ?? (await lastNumber()))
  if (answer.status < 300 && now > number && !path.includes('/undo'))
    requests.push(answer.headers.get('x-request-id') as string)
  number = Math.max(number, now)
  return answer
}

const lastNumber = async () => Number((await service.get('/divisions?per_page=1')).headers.get('cadre-ledger'))

type Row = Record<string, unknown>
/** Of each table its rows as JSON: texts are compared much faster than rows. */
type Tables = Record<string, string>

/** Every row of the account apart from when it was last changed, and what is kept beside: words, and how many there are. */
async function stored(): Promise<Tables> {
  const tables: Tables = {}
  await service.database.read(async (sql) => {
    const own = (table: string) => sql.selectFrom(table).where('account_id', '=', service.account.id)
    for (const { table } of resources)
      tables[table] = textOf(
        (await own(table).selectAll().orderBy('id').execute()).map(({ updated_at: _, ...row }) => row),
      )
    const words = own('search_words').selectAll().orderBy('resource').orderBy('record_id').orderBy('word')
    tables.search_words = textOf(await words.execute())
    const counted = await own('counters').select(['resource', 'live']).orderBy('resource').execute()
    // What was read is noted when there is time for it, and is no record.
    tables.counters = textOf(counted.filter(({ resource, live }) => live > 0 && resource !== 'reads'))
  })
  return tables
}

/** One row in each line: an entry of a difference is then a row. */
const textOf = (rows: Row[]) => rows.map((row) => JSON.stringify(row)).join('\n')

/** Every list that needs no record, as it is answered. */
async function answers(): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { method, path, attaches } of operations) {
    if (method !== 'GET' || path.includes('{') || attaches || UNLIKE.test(path)) continue
    const { status, text } = await service.get(path)
    if (status === 200) found[path] = text.replace(/"(updated_at":"[^"]*"|duration":\d+)/g, '')
  }
  return found
}

/** What tells of the changes themselves, and of who has read. */
const UNLIKE = /audits|changes|reads|api_keys|export/

function same(now: Record<string, string>, then: Record<string, string>, when: string): void {
  const lines = (text: string | undefined) => (text ?? '').split('\n')
  for (const name of Object.keys({ ...then, ...now }))
    assertLines(lines(now[name]), lines(then[name]), `${name} is not as it was (-) but otherwise (+), ${when}:`)
}

/** Another value of the kind that a schema describes. */
function other(schema: any, value: unknown, chance: () => number): unknown {
  if (chance() < 0.3 || schema['x-file'] || schema['x-reference']) return value
  const values = schema.enum?.filter((one: unknown) => one !== null)
  if (values) return values[Math.floor(chance() * values.length)]
  if (schema.format === 'date' && typeof value === 'string')
    return `${value.slice(0, 8)}${10 + Math.floor(chance() * 18)}`
  if (schema.format === 'decimal') return String(1 + Math.floor(chance() * 5))
  if (typeof value === 'number') return value + Math.floor(chance() * 3)
  if (typeof value === 'boolean') return chance() < 0.5
  return value
}

const writes = operations.filter(
  (one) => one.method !== 'GET' && !(one.id in FOR_GOOD) && !one.id.startsWith('undo') && !isForPeople(one),
)

type Places = Map<string, Record<string, number>[]>

/** Calls an operation about a record that was there before, or a new one, with a body that differs from the usual one. */
async function callOnce(operation: Operation, places: Places, chance: () => number): Promise<void> {
  const [name, schema] = Object.entries(operation.params.properties as Record<string, any>).at(-1) ?? []
  const known = (name === 'id' && places.get(schema['x-reference'])) || []
  const old = chance() < 0.5 ? known[Math.floor(chance() * known.length)] : undefined
  const params = old ?? (await samples.params(operation))
  if (name === 'id' && !old) places.set(schema['x-reference'], [...known, params])
  const body = await samples.body(operation)
  const schemas = (operation.body?.properties ?? {}) as Record<string, any>
  const changed = Object.keys(body).filter((one) => schemas[one])
  for (const one of [changed[Math.floor(chance() * changed.length)], changed[Math.floor(chance() * changed.length)]])
    if (one) body[one] = other(schemas[one], body[one], chance)
  for (const [one, [stays, instead]] of Object.entries(STAYS[operation.id] ?? {}))
    if (body[one] === stays) body[one] = instead
  await samples.call(operation, params, body, operation.permission === null ? { key: null } : {})
}

/** Operations in an order of chance: all of them in each round, or of each kind of record one. */
function chosen(chance: () => number): Operation[] {
  const shuffled = () => writes.map((one) => ({ one, at: chance() })).sort((a, b) => a.at - b.at)
  if (ROUNDS > 0)
    return Array.from({ length: ROUNDS }, shuffled)
      .flat()
      .map(({ one }) => one)
  const kinds = Map.groupBy(shuffled(), ({ one }) => one.path.replace(/\/\{id\}.*|\/bulk$/, ''))
  const some = [...kinds.values()].flatMap(([first]) => first?.one ?? [])
  return some
}

test('operations that cannot be undone say so in their description', () => {
  const ids = [...Object.keys(FOR_GOOD), 'deleteEmployeeDocument', 'deleteCertification']
  const deletions = operations.filter(({ id }) => id.startsWith('delete') && ids.includes(id))
  assert.equal(deletions.length, 10)
  for (const { id, note } of deletions) assert.match(note ?? '', /undo cannot restore/i, id)
})

test(`undoing random requests in reverse order restores the start, and undoing that restores the end (seed ${SEED})`, async () => {
  const chance = chances(OWN_SEED).next
  const places: Places = new Map()
  const marks = new Map([[0, await stored()]])
  const first = await answers()
  for (const [index, operation] of chosen(chance).entries()) {
    await callOnce(operation, places, chance)
    if (index % 25 === 24) marks.set(requests.length, await stored())
  }
  const [last, finished] = [await stored(), await answers()]
  const undone: string[] = []
  for (let at = requests.length; at > 0; at--) {
    const answer = await service.post(`/requests/${requests[at - 1]}/undo`)
    assert.equal(answer.status, 200, `${requests[at - 1]}: ${answer.text}`)
    undone.push(answer.headers.get('x-request-id') as string)
    const then = marks.get(at - 1)
    if (then) same(await stored(), then, `when ${undone.length} of ${requests.length} requests are undone`)
  }
  same(await answers(), first, 'when all is undone')
  for (const id of undone.toReversed()) {
    const answer = await service.post(`/requests/${id}/undo`)
    assert.equal(answer.status, 200, `${id}: ${answer.text}`)
  }
  same(await stored(), last, 'when that is undone again')
  same(await answers(), finished, 'when that is undone again')
})
