import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { codeAt } from '../../src/domain/sign-in/totp.ts'
import type { Operation } from '../../src/engine/operation.ts'
import { operations } from '../../src/operations.ts'
import { Browser, PASSWORD, person, tokenIn } from '../browser.ts'
import { validatorOf } from '../declared.ts'
import { type Service, spell, startService } from '../harness.ts'
import { isForPeople, Samples } from '../samples.ts'
import { isThorough, longTest } from '../thorough.ts'
import { partition, partOf } from './partitions.ts'

/**
 * Accounts may lie on several machines, so every statement of a request is for the one that has the account. Here each
 * table is in parts by the account, all operations are called, and the plan of every statement tells which parts it asks.
 */

/** What is about all accounts, and why; all of it is met here. */
const OVER_ALL: readonly [RegExp, string][] = [
  [/^select max\("id"\) as "id" from "accounts"$/, 'a new account is numbered after the last one'],
  [/^select max\("turn_at"\) as "at" from "accounts"$/, 'at a start: is the clock behind the last write?'],
  [/^select \* from "after_commit" order by/, 'each minute: what was left undone after a commit'],
  [/^select distinct "account_id" from "holiday_policies"/, 'each hour: who has no holidays of next year yet'],
  [/^select distinct "account_id" from "working_patterns"/, 'each hour: whose patterns have new hours'],
  [/^select distinct "account_id" from "leave_requests"/, 'each hour: whose leave may follow what is announced'],
  [/^update "accounts" set "ledger_no" = "ledger_no"$/, 'nobody saves a file meanwhile that is to go'],
  [/ where "account_id" in \(select "accounts"\."id" from "accounts"\) and /, 'which any account may have'],
]

/** Tables that every machine has, or one. */
const BY_NO_ACCOUNT = ['secret_hashes', 'schema_migrations', 'heartbeat']

type SeenStatement = { parameters: readonly unknown[]; by: string }

/** What was said to the database, as it is said to it: the service answers from memory what it does otherwise. */
const said = new Map<string, SeenStatement>()
let by: string | null = null
const plainQuery = pg.Client.prototype.query

pg.Client.prototype.query = function (this: pg.Client, ...given: any[]) {
  const [statement, values] = given
  const { text = statement, values: parameters = values ?? [] } = statement
  if (by !== null && typeof text === 'string') said.set(text, { parameters, by })
  return (plainQuery as (...all: any[]) => any).apply(this, given)
} as typeof plainQuery

let service: Service
/** Of both accounts: whoever has no key is of the first. */
let first: Samples
let second: Samples
/** The key of the second. */
let key: string

before(async () => {
  const prepare = async (url: string) => {
    await partition(url)
    by = 'the start'
  }
  service = await startService({ prepare })
  first = new Samples(service)
  // Which part an account lies in is a matter of its hash.
  const partOfAccount = async (id: number) =>
    service.database.query((sql) => sql.selectFrom('accounts__0').select('id').where('id', '=', id).executeTakeFirst())
  const home = await partOfAccount(service.account.id)
  for (let other = await service.otherAccount(); ; other = await service.otherAccount()) {
    key = other.key
    if (Boolean(await partOfAccount(other.account.id)) !== Boolean(home)) break
  }
  second = new Samples(service, key)
})
after(async () => {
  pg.Client.prototype.query = plainQuery
  await service.stop()
})

/** Where the records lie that each operation was called for. */
const places = new Map<Operation, Record<string, number>>()

test('all operations work on distributed tables and return the declared format', { timeout: 240_000 }, async () => {
  for (const operation of operations.filter((one) => !isForPeople(one))) {
    by = operation.id
    const samples = operation.permission === null ? first : second
    const params = await (operation.method === 'GET' ? samples.unchanged(operation) : samples.params(operation))
    places.set(operation, params)
    const answer = await samples.call(operation, params, await samples.body(operation))
    assert.equal(answer.status, operation.status, `${operation.id}: ${answer.text}`)
    if (operation.attaches || !operation.answer) continue
    const validate = validatorOf(operation.answer)
    assert.ok(validate(answer.body), `${operation.id}: ${JSON.stringify(validate.errors)} ${answer.text}`)
  }
})

/** A value that a parameter takes. */
function valueFor(schema: any): unknown {
  if (schema.properties) return { gte: valueFor(schema.properties.gte ?? { type: 'integer' }) }
  if (schema.items) return [valueFor(schema.items)]
  if (schema.enum) return schema.enum[0]
  if (schema.format === 'date') return '2024-01-31'
  if (schema.format === 'date-time') return '2024-01-31T09:30:00Z'
  return schema.type === 'integer' ? Math.max(1, schema.minimum ?? 1) : schema.type === 'boolean' ? true : 'text'
}

/** A key of the second account whose holder reaches some only. */
async function narrowKey(key: string): Promise<string> {
  const roles = (await service.get('/roles', { key })).body.data
  const role_ids = roles
    .filter((one: any) => ['manager', 'hiring_manager'].includes(one.standard))
    .map((one: any) => one.id)
  const { id: employee_id } = await second.shared('employees')
  const made = await service.post('/api_keys', { name: 'Some', permissions: ['*'], employee_id, role_ids }, { key })
  assert.equal(made.status, 201, made.text)
  return made.body.data.key
}

test('all reads work on distributed tables with every parameter, with known_at and with restricted keys', {
  timeout: 240_000,
}, async () => {
  await service.database.analyse()
  const narrow = await narrowKey(key)
  const last = Number((await service.get('/company', { key })).headers.get('cadre-ledger'))
  for (const [operation, params] of places) {
    if (operation.method !== 'GET' || operation.permission === null || operation.isFeed) continue
    by = operation.id
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
    const ask = async (sent: Record<string, unknown>, as = key) => {
      const query = new URLSearchParams(spell(sent))
      const answer = await service.get(`${path}?${query}`, { key: as })
      assert.ok(answer.status < 500, `${path}?${query}: ${answer.text}`)
    }
    await ask({}, narrow)
    for (const [name, schema] of Object.entries(operation.query.properties as Record<string, any>))
      if (name === 'known_at') {
        if (isThorough) await ask({ known_at: Math.floor(last / 2) })
      } else if (!['page', 'per_page', 'parts', 'wait'].includes(name)) await ask({ [name]: valueFor(schema) })
  }
})

longTest('sign-in and /me operations work on distributed tables', { timeout: 120_000 }, async () => {
  by = 'people'
  const { browser, id, email } = await person(service, {
    email: 'ada@example.com',
    employee_id: (await service.hire()).id,
    role: 'owner',
  })
  const { secret } = (await browser.post('/me/totp')).body.data
  const code = (steps: number) => codeAt(secret, Math.floor(Date.now() / 30_000) + steps)
  assert.equal((await browser.put('/me/totp', { code: code(0) })).status, 200)
  const other = new Browser(service)
  const { ticket } = (await other.post('/sign_in', { email, password: PASSWORD })).body.data
  assert.equal((await other.post('/sign_in/code', { ticket, code: code(1) })).status, 200)
  assert.equal((await other.post('/sign_in/passkey_options', {})).status, 200)
  const token = tokenIn((await service.post(`/users/${id}/link`)).body.data.url)
  assert.equal((await other.post('/sign_in/link', { token })).status, 200)
  const password = 'another fine day'
  assert.equal((await browser.put('/me/password', { password, current_password: PASSWORD })).status, 204)

  for (const operation of operations.filter(isForPeople)) {
    by = operation.id
    // Whoever does this is out, or others are.
    const isEnding = /^(signOut|end)/.test(operation.id)
    const who = isEnding ? (await person(service, { email: `${operation.id}@example.com` })).browser : browser
    const path = operation.path.replace(/\{\w+\}/, '1')
    const sent = operation.body ? { ...(await first.body(operation)), ...GIVEN[operation.id] } : undefined
    const answer = await who.send(
      operation.method,
      `${path}${operation.id === 'getRightsOverPerson' ? '?id=1' : ''}`,
      sent,
    )
    // There is no identity provider here.
    assert.ok(answer.status < 500 || answer.body?.code === 'provider_unreachable', `${operation.id}: ${answer.text}`)
  }
})

/** What somebody sends who comes further than to a refusal. */
const GIVEN: Record<string, Record<string, unknown>> = {
  signIn: { email: 'ada@example.com', password: PASSWORD },
  askForReset: { email: 'ada@example.com' },
  confirmOneself: { password: 'another fine day', code: undefined, ticket: undefined, response: undefined },
  seeNotifications: { until: undefined },
}

test('every statement targets the node of its account, except those about all accounts', async () => {
  by = null
  assert.ok(said.size > (isThorough ? 1500 : 900), `${said.size} statements were heard`)
  const wrong: string[] = []
  const met = new Set<RegExp>()
  for (const [statement, { parameters, by }] of said) {
    if (!/^\s*(select|with|insert|update|delete)\b/i.test(statement)) continue
    const [isOverAll] = OVER_ALL.find(([one]) => one.test(statement)) ?? []
    if (isOverAll) met.add(isOverAll)
    const accounts = accountsOfNew(statement, parameters)
    if (accounts && (accounts.size !== 1 || accounts.has(undefined)))
      wrong.push(`${by} says of no account: ${statement}`)
    const parts = await partsAsked(statement, parameters)
    if (parts.size > 1 !== Boolean(isOverAll)) wrong.push(`${by} asks ${parts.size} parts: ${statement}`)
  }
  assert.deepEqual(wrong, [])
  if (isThorough) assert.equal(met.size, OVER_ALL.length, 'what is said to be over all accounts is met')
})

/** The parts of tables that a plan looks into. */
async function partsAsked(statement: string, parameters: readonly unknown[]): Promise<Set<number>> {
  const query = CompiledQuery.raw(`explain (format json) ${statement}`, [...parameters])
  const { rows } = await service.database.query((db) => db.executeQuery<Record<string, unknown>>(query))
  const parts = new Set<number>()
  const walk = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return
    const { 'Relation Name': name } = node as { 'Relation Name'?: string }
    const part = name === undefined ? undefined : partOf(name)
    if (part) parts.add(part.part)
    for (const inner of Object.values(node)) walk(inner)
  }
  walk(rows)
  return parts
}

/** Of new rows the plan tells nothing: those of one statement are of one account, which stands beside each of them. */
function accountsOfNew(statement: string, parameters: readonly unknown[]): Set<unknown> | null {
  const [, table = '', names = '', rows = ''] = /^insert into "?(\w+)"? \(([^)]*)\)(.*)$/is.exec(statement.trim()) ?? []
  if (!table || BY_NO_ACCOUNT.includes(table)) return null
  const columns = names.split(',').map((one) => one.trim().replaceAll('"', ''))
  const place = columns.indexOf(table === 'accounts' ? 'id' : 'account_id')
  const row = `\\((?:[^,()]+,){${columns.length - 1}}[^,()]+\\)`
  const all = new RegExp(`^\\s*values\\s*(${row}(?:,\\s*${row})*)\\s*(?:on conflict|returning|$)`, 'i').exec(rows)?.[1]
  if (!all) return new Set()
  const values = [...all.matchAll(new RegExp(row, 'g'))].map(([one]) => one.slice(1, -1).split(',')[place]?.trim())
  return new Set(values.map((value) => (value?.startsWith('$') ? parameters[Number(value.slice(1)) - 1] : undefined)))
}
