import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { subjectPathsOf } from '../../src/engine/access-scope/subjects.ts'
import type { Operation } from '../../src/engine/operation.ts'
import { permits } from '../../src/engine/permission.ts'
import { kindOf } from '../../src/engine/resource.ts'
import { operations, resources } from '../../src/operations.ts'
import { type Service, startService } from '../harness.ts'
import { assertLines } from '../lines.ts'
import { fillTables } from '../seeded.ts'
import { isLong } from '../thorough.ts'

/**
 * Who may do what to whom: every operation, every ready-made role, and records of oneself, of somebody who reports to
 * one, of somebody else, and such as there are none. The table is `matrix.txt`; UPDATE_MATRIX=1 writes it anew, and a
 * change of it is a change of who may do what.
 */

const TABLE = new URL('matrix.txt', import.meta.url)

const STALE =
  'test/access/matrix.txt does not say who may do what now. If that is meant, write it anew with ' +
  'UPDATE_MATRIX=1 npm test -- access/matrix --engine sqlite, and have each changed line looked at:'

/** In every table, what has the id 7 is about the employee 7, who is the caller; 8 reports to 7. */
const WHO = { own: 7, report: 8, other: 9, unknown: 987_654 }

const ROLES = {
  hr: ['hr'],
  payroll: ['payroll'],
  recruiter: ['recruiter', 'employee'],
  hiring: ['hiring_manager', 'employee'],
  manager: ['manager', 'employee'],
  employee: ['employee'],
}
type Role = keyof typeof ROLES

let service: Service
const keys = {} as Record<Role, string>
const grants = {} as Record<Role, { scope: string; permissions: string[]; sees: string[] }[]>

before(async () => {
  service = await startService()
  const { database, account } = service
  await fillTables(database, [account.id], 12, { aligned: true, marked: true })
  // Notes that are shared with somebody have a test of their own.
  await database.write((db) => sql`/* of a test */ update employee_notes set shared_with_employee = false`.execute(db))
  await database.write(async (sql) => {
    const positions = sql.updateTable('employee_positions').where('account_id', '=', account.id)
    await positions.set({ reporting_to_id: null }).execute()
    await positions.set({ reporting_to_id: WHO.own }).where('employee_id', '=', WHO.report).execute()
  })
  const roles = (await service.get('/roles?per_page=200')).body.data
  for (const [name, standard] of Object.entries(ROLES) as [Role, string[]][]) {
    const own = roles.filter((one: any) => standard.includes(one.standard))
    grants[name] = own.flatMap((one: any) => one.grants)
    const body = { name, permissions: ['*'], employee_id: WHO.own, role_ids: own.map((one: any) => one.id) }
    keys[name] = (await service.make('/api_keys', body)).key
  }
})
after(() => service.stop())

const withId = (path: string, id: number) => path.replace(/\{\w+\}/g, String(id))

/** What anybody may know of people by whatever names them. */
const PUBLIC = /^employees\.(first_name|middle_name|last_name|email|work_phone_number)$/

/** Of whom a grant holds: in every table the record with the id of somebody is about them. */
const HOLDS_FOR: Record<string, number[]> = { self: [WHO.own], reports: [WHO.report], vacancies: [WHO.own] }

/** Texts say where they stand: those that a role may not read are nowhere in its answers. */
function checkMarks({ id: by, permission }: Operation, role: Role, text: string): void {
  for (const [mark, table = '', column = '', id] of text.matchAll(/\b([a-z_]+)\.([a-z_]+)\.(\d+)\b/g)) {
    seen.add(mark)
    const of = resources.find((one) => one.table === table)
    if (!of || PUBLIC.test(`${table}.${column}`)) continue
    const groups = [of.group, of.fields[column]?.group].filter((one) => typeof one === 'string')
    const mayRead = grants[role].some(
      ({ scope, permissions, sees }) =>
        [of.readWith, permission as string].some((one) => permits(permissions, one)) &&
        groups.every((group) => sees.includes(group)) &&
        (!subjectPathsOf(of) || scope === 'everybody' || HOLDS_FOR[scope]?.includes(Number(id))),
    )
    if (!mayRead) leaks.add(`${role} reads ${mark} by ${by}`)
  }
}
const leaks = new Set<string>()
const seen = new Set<string>()

/** `y` when somebody is let in, whatever comes of it; `-` when there is no such record for them; `x` when they may not. */
async function outcome(operation: Operation, id: number, role: Role): Promise<string> {
  const { method, path } = operation
  const key = keys[role]
  const answer =
    method === 'GET'
      ? await service.get(withId(path, id), { key })
      : await service.send(method, withId(path, id), { json: {}, key, headers: { prefer: 'dry-run' } })
  assert.ok(answer.status < 500, `${method} ${withId(path, id)} ${answer.text}`)
  checkMarks(operation, role, answer.text)
  return answer.status === 403 ? 'x' : answer.status === 404 ? '-' : 'y'
}

/** Of a list: for each of those, whether their record is in it. */
async function listed(operation: Operation, role: Role): Promise<string> {
  const key = keys[role]
  const paging = 'per_page' in operation.query.properties ? '?per_page=200' : ''
  const { status, body, text } = await service.get(`${operation.path}${paging}`, { key })
  assert.ok(status < 500, operation.path)
  checkMarks(operation, role, text)
  if (status === 403) return 'x'
  if (!Array.isArray(body.data)) return 'y'
  const ids = new Set(body.data.map((one: any) => one.id ?? one.employee_id))
  return [WHO.own, WHO.report, WHO.other].map((id) => (ids.has(id) ? 'y' : '-')).join('')
}

async function cellOf(operation: Operation, role: Role, isHeld: boolean): Promise<string> {
  if (!operation.path.includes('{')) {
    if (operation.method === 'GET') return listed(operation, role)
    return outcome(operation, 0, role)
  }
  // Whoever does not hold the permission is told so whoever is meant.
  const wanted = isHeld ? Object.values(WHO) : [WHO.own]
  const letters: string[] = []
  for (const id of wanted) letters.push(await outcome(operation, id, role))
  return letters.join('')
}

/**
 * The cells of one operation. The permission is asked for before anything else: one role without it shows that, another one
 * for each operation. Roles that may write by the very same grants are let in alike. In the long run all are asked.
 */
async function cellsOf(operation: Operation, turn: number): Promise<Record<Role, string>> {
  const cells = {} as Record<Role, string>
  const heldBy = (role: Role) =>
    grants[role].filter(({ permissions }) => permits(permissions, operation.permission as string))
  const roles = Object.keys(ROLES) as Role[]
  const without = roles.filter((role) => heldBy(role).length === 0)
  const known = new Map<string, string>()
  for (const role of roles) {
    const held = heldBy(role)
    const isSame = held.length === 0 || operation.method !== 'GET'
    const by = held.length === 0 ? '' : JSON.stringify(held)
    const asked = held.length === 0 ? (without[turn % without.length] as Role) : role
    const cell =
      (isSame && !isLong && known.get(by)) || (await cellOf(operation, isLong ? role : asked, held.length > 0))
    known.set(by, cell)
    cells[role] = cell
    const tables = Object.values(operation.params.properties as Record<string, any>).map((one) => one['x-reference'])
    const isAbout = tables.some((table) => table && !kindOf(table).rowPolicy && subjectPathsOf(kindOf(table)))
    const isWhole = held.some(({ scope }) => scope === 'everybody')
    if (held.length > 0 && isAbout && !isWhole)
      assert.notEqual(cell[2], 'y', `${role} reaches others by ${operation.method} ${operation.path}`)
    if (held.length === 0)
      assert.ok(!/[y-]/.test(cell), `${role} calls ${operation.id} without ${operation.permission}`)
  }
  return cells
}

/** Sign-in, and what is one's own, have tests of their own; streams and files have no place in a table. */
const isAsked = ({ permission, isFeed, attaches }: Operation) =>
  permission !== null && !permission.startsWith('me:') && !isFeed && !attaches

test('every role gets exactly the access that the committed matrix lists', { timeout: 900_000 }, async () => {
  const lines = [['operation', ...Object.keys(ROLES)]]
  for (const [turn, operation] of operations.filter(isAsked).entries())
    lines.push([`${operation.method} ${operation.path}`, ...Object.values(await cellsOf(operation, turn))])
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((cells) => (cells[at] ?? '').length))) ?? []
  const table = `${lines
    .map((cells) =>
      cells
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`
  assert.ok(seen.size > 1000, `only ${seen.size} texts were seen`)
  assertLines([...leaks], [], 'These roles read what they may not:')
  if (process.env.UPDATE_MATRIX) await writeFile(TABLE, table)
  const committed = await readFile(TABLE, 'utf8').catch(() => '')
  // A wider column moves all lines: what has changed is shown without the spaces between columns.
  const linesOf = (text: string) => text.trimEnd().split('\n')
  const narrow = (text: string) => linesOf(text).map((line) => line.replace(/ {2,}/g, '  '))
  assertLines(narrow(table), narrow(committed), STALE)
  assertLines(linesOf(table), linesOf(committed), `Only the width of columns has changed. ${STALE}`)
})
