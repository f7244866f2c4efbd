import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { chances, SEED } from '../chance.ts'
import { type Answer, freshDatabase, type Sending, sender } from '../harness.ts'
import { type ServiceHere, startHere } from '../in-process.ts'
import { startProcess } from '../process.ts'
import { isThorough, rounds } from '../thorough.ts'
import { listen } from './listen.ts'

const KILLS = rounds(1, 40)
const KEY = 'a-key-for-those-who-follow-0123456789'
const WRITES_BETWEEN = 30

/** The lists that are copied, and what of their records the feed tells under the same names. */
const LISTS: Record<string, { path: string; fields: string[] }> = {
  divisions: { path: '/divisions', fields: ['id', 'name', 'created_at', 'updated_at'] },
  locations: { path: '/locations', fields: ['id', 'name', 'address', 'time_zone', 'created_at', 'updated_at'] },
  employees: { path: '/employees?status=all', fields: ['id', 'first_name', 'last_name', 'nationality', 'created_at'] },
}

type Copy = Map<string, Map<number, Record<string, unknown>>>
const emptyCopy = (): Copy => new Map(Object.keys(LISTS).map((name) => [name, new Map()]))

/** As the reference says it: what is after over what is there, and away with what is deleted. */
function apply(copy: Copy, change: any): void {
  const records = copy.get(change.resource)
  if (change.action === 'delete' || change.action === 'erase') records?.delete(change.record_id)
  else records?.set(change.record_id, { ...records.get(change.record_id), ...change.after })
}

const { below: chance, of: pick } = chances(SEED)

/** Two processes on one database; each may be away for a while. In the gate only the one that is killed is not this one. */
class Pair {
  readonly #environment: Record<string, string>
  readonly running: ServiceHere[] = []

  constructor(environment: Record<string, string>) {
    this.#environment = environment
  }

  async start(): Promise<void> {
    const isOther = isThorough || this.running.length === 0
    this.running.push(await (isOther ? startProcess : startHere)(this.#environment))
  }

  /** Ends one of them in the middle of whatever it does, and starts another. */
  async kill(): Promise<void> {
    const [one] = this.running.splice(isThorough ? chance(this.running.length) : 0, 1) as [ServiceHere]
    await one.stop('SIGKILL')
    await this.start()
  }

  /** Sends to either of them; undefined when it was killed meanwhile. */
  send(method: string, path: string, sending?: Sending): Promise<Answer | undefined> {
    return sender(pick(this.running).url, KEY)(method, path, sending).catch(() => undefined)
  }

  async must(method: string, path: string, sending?: Sending): Promise<Answer> {
    for (;;) {
      const answer = await this.send(method, path, sending)
      if (answer) return answer
    }
  }
}

/** One who keeps a copy and the number up to which it is right, and nothing else. */
class Consumer {
  readonly #pair: Pair
  readonly #key: string
  readonly #isWhole: boolean
  readonly copy: Copy
  last: number
  seen = 0

  constructor(pair: Pair, from: { key?: string; copy?: Copy; last?: number } = {}) {
    this.#pair = pair
    this.#key = from.key ?? KEY
    this.#isWhole = this.#key === KEY
    this.copy = from.copy ?? emptyCopy()
    this.last = from.last ?? 0
  }

  #take(change: any): void {
    assert.ok(change.number > this.last, `${change.number} comes after ${this.last}`)
    if (this.#isWhole) assert.equal(change.number, this.last + 1)
    apply(this.copy, change)
    this.last = change.number
    this.seen++
  }

  /** Asks for some changes. */
  async poll(): Promise<void> {
    const query = `since=${this.last}&limit=${1 + chance(120)}&wait=${pick([0, 1])}`
    const answer = await this.#pair.send('GET', `/changes?${query}`, { key: this.#key })
    if (!answer) return
    assert.equal(answer.status, 200, answer.text)
    for (const change of answer.body.data) this.#take(change)
    assert.ok(answer.body.metadata.last >= this.last)
    this.last = answer.body.metadata.last
  }

  /** Listens for a while, and hangs up. */
  async hear(): Promise<void> {
    const headers = { 'x-api-key': this.#key, 'last-event-id': String(this.last) }
    const stream = await listen(`${pick(this.#pair.running).url}/api/v3/changes`, headers).catch(() => undefined)
    for (let left = 1 + chance(200); stream && left > 0 && this.last < this.goal; left--) {
      const event = await stream.next()
      if (!event) break
      if (event.event === 'change') this.#take(event.data)
      else if (event.id !== undefined) this.last = Number(event.id)
    }
    stream?.hangUp()
  }

  /** The number at which all is written; unknown until then. */
  goal = Number.POSITIVE_INFINITY

  async follow(way: 'poll' | 'hear'): Promise<void> {
    for (; this.last < this.goal; await pause(isThorough ? 0 : 10)) await this[way]()
  }
}

async function write(pair: Pair, known: Map<string, number[]>): Promise<boolean> {
  const resource = pick(Object.keys(LISTS))
  const ids = known.get(resource) as number[]
  const name = `N ${crypto.randomUUID()}`
  const values = { first_name: name, last_name: 'Z', name, address: pick([name, null, 'Here']) }
  const what = chance(10)
  if (what < 4 || ids.length === 0) {
    const made = await pair.send('POST', `/${resource}`, { json: values })
    if (made?.status === 201) ids.push(made.body.data.id)
    return made?.status === 201
  }
  const path = `/${resource}/${pick(ids)}`
  const answer =
    what < 8
      ? await pair.send('PUT', path, { json: values })
      : await pair.send('DELETE', resource === 'employees' ? `${path}?erase=true` : path)
  if (answer && answer.status >= 500) assert.equal(answer.status, 503, answer.text)
  return answer !== undefined && answer.status < 300
}

/** All records of a list, page by page from the last to the first, and the number that the first answer was made at. */
async function readBackwards(pair: Pair, resource: string, size: number) {
  const { path } = LISTS[resource] as { path: string }
  const page = (n: number) =>
    pair.must('GET', `${path}${path.includes('?') ? '&' : '?'}sort=id&per_page=${size}&page=${n}`)
  const first = await page(1)
  assert.equal(first.status, 200, first.text)
  const records = new Map<number, Record<string, unknown>>()
  for (let n = first.body.metadata.pages; n > 0; n--)
    for (const one of (await page(n)).body.data) if (!records.has(one.id)) records.set(one.id, one)
  return { number: Number(first.headers.get('cadre-ledger')), records }
}

test(`with four writers and ${KILLS} kills of two processes, feed clients miss and repeat nothing (seed ${SEED})`, async () => {
  const { url, remove } = await freshDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'cadre-files-'))
  const pair = new Pair({ DATABASE_URL: url, CADRE_API_KEY: KEY, CADRE_FILES: folder })
  await pair.start()
  await pair.start()
  const rights = { name: 'Partly', permissions: ['audits:read', 'organisation:read'] }
  const partly = (await pair.must('POST', '/api_keys', { json: rights })).body.data.key as string

  let written = 0
  let isWriting = true
  const known = new Map(Object.keys(LISTS).map((name) => [name, [] as number[]]))
  let reached: () => void = () => undefined
  const enough = (more: number) => {
    const goal = written + more
    return new Promise<void>((resolve) => {
      reached = () => (written >= goal ? resolve() : undefined)
    })
  }
  const writers = Array.from({ length: 4 }, async () => {
    // A little apart, in the gate: what is written while a process starts is read by five, again and again.
    for (; isWriting; await pause(isThorough ? 0 : 10)) {
      if (await write(pair, known)) written++
      reached()
    }
  })
  const consumers = [
    new Consumer(pair),
    new Consumer(pair),
    new Consumer(pair, { key: partly }),
    new Consumer(pair, { key: partly }),
  ]
  const following = consumers.map((one, n) => one.follow(n % 2 === 0 ? 'poll' : 'hear'))
  for (let kill = 0; kill < KILLS; kill++) {
    await enough(WRITES_BETWEEN)
    await pair.kill()
  }
  // Somebody who begins with a copy of the lists, while they change.
  await enough(WRITES_BETWEEN)
  const copy = emptyCopy()
  let number: number | undefined
  for (const resource of Object.keys(LISTS)) {
    const read = await readBackwards(pair, resource, 7)
    number ??= read.number
    copy.set(resource, read.records)
  }
  const late = new Consumer(pair, { copy, last: number as number })
  consumers.push(late)
  following.push(late.follow('poll'))
  await enough(WRITES_BETWEEN)
  isWriting = false
  await Promise.all(writers)

  const end = Number((await pair.must('GET', '/genders')).headers.get('cadre-ledger'))
  // Whoever listens is told that all is over by one more change, which is for everybody.
  await pair.must('POST', '/divisions', { json: { name: 'The last' } })
  for (const one of consumers) one.goal = end + 1
  await Promise.all(following)
  for (const [n, one] of consumers.entries())
    for (const [resource, { fields }] of Object.entries(LISTS)) {
      const isSeen = ![2, 3].includes(n) || resource !== 'employees'
      const { records } = await readBackwards(pair, resource, 200)
      const only = (record: Record<string, unknown>) => Object.fromEntries(fields.map((name) => [name, record[name]]))
      const byId = (records: Map<number, Record<string, unknown>>) =>
        [...records.values()].map(only).sort((a, b) => Number(a.id) - Number(b.id))
      assert.deepEqual(
        byId(one.copy.get(resource) as never),
        isSeen ? byId(records) : [],
        `${resource} of consumer ${n}`,
      )
    }
  assert.equal(consumers[0]?.seen, end + 1)
  assert.equal(consumers[1]?.seen, end + 1)
  for (const one of pair.running) assert.equal(await one.stop(), 0)
  await remove()
  rmSync(folder, { recursive: true, force: true })
})
