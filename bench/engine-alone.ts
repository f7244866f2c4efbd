import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import pg from 'pg'
import type { Engine } from '../test/harness.ts'
import { costing } from './load.ts'

/**
 * What the engine itself commits in groups when nobody asks it over HTTP and nothing is checked: for each record the rows
 * that the service writes for it - the record, its words, its counter, an entry of the ledger, the number of the account - by
 * statements that were prepared once, as many records a transaction as there are callers.
 */
export type EngineAlone = { rate: (seconds: number, group: number) => Promise<Alone>; close: () => Promise<void> }
/** Records a second, and the milliseconds of a processor that each took. */
export type Alone = { rate: number; cost: number }

const ACCOUNT = 1_000_000

/** As many characters as those of the service have. */
const HASH = 'h'.repeat(43)
const ID = 'i'.repeat(36)

type Run = (name: keyof typeof STATEMENTS, values: (string | number)[]) => unknown

const STATEMENTS = {
  turn: 'update accounts set ledger_no = ledger_no + 1, turn_at = ? where id = ? returning ledger_no',
  counter:
    'insert into counters (account_id, resource, last_id, live) values (?, ?, 1, 1) on conflict (account_id, resource) do update set last_id = counters.last_id + 1, live = counters.live + 1 returning last_id',
  record: 'insert into divisions (account_id, id, name, name_key, created_at, updated_at) values (?, ?, ?, ?, ?, ?)',
  word: 'insert into search_words (account_id, resource, word, record_id) values (?, ?, ?, ?)',
  entry: `insert into ledger (account_id, no, at, actor_kind, actor_id, request_id, correlation_id, operation, resource, record_id, action, after, salt, digest, hash)
    values (?, ?, ?, 'key', 1, ?, ?, 'createDivision', 'divisions', ?, 'create', ?, ?, ?, ?)`,
  end: 'update accounts set ledger_hash = ? where id = ?',
}

let made = 0

async function writeOne(run: Run): Promise<void> {
  const n = ++made
  const at = new Date().toISOString()
  const name = `New division ${n}`
  await run('turn', [at, ACCOUNT])
  await run('counter', [ACCOUNT, 'divisions'])
  await run('record', [ACCOUNT, n, name, name.toLowerCase(), at, at])
  for (const word of name.toLowerCase().split(' ')) await run('word', [ACCOUNT, 'divisions', word, n])
  const after = JSON.stringify({ id: n, name, name_key: name.toLowerCase(), created_at: at, updated_at: at })
  await run('entry', [ACCOUNT, n, at, ID, ID, n, after, HASH.slice(21), HASH, HASH])
  await run('end', [HASH, ACCOUNT])
}

/** Writes groups until the time is over, and says how many records a second were on disk. */
async function inGroups(
  seconds: number,
  group: number,
  run: Run,
  execute: (statement: string) => unknown,
): Promise<Alone> {
  const begun = performance.now()
  const first = made
  const { others, own } = await costing(async () => {
    while (performance.now() - begun < seconds * 1000) {
      await execute('begin')
      for (let n = 0; n < group; n++) await writeOne(run)
      await execute('commit')
    }
  })
  const count = made - first
  return { rate: (count * 1000) / (performance.now() - begun), cost: (others + own) / count }
}

const OWN_ACCOUNT = `insert into accounts (id, name, time_zone, currency_code, signing_key, ledger_no, turn_at, created_at, ledger_hash, is_unchained, version, table_versions)
  select ${ACCOUNT}, 'Engine alone', time_zone, currency_code, 'none', 0, turn_at, created_at, ledger_hash, is_unchained, version, table_versions
  from accounts where id = 1 and not exists (select 1 from accounts where id = ${ACCOUNT})`

export const engineAlone = (engine: Engine, url: string): Promise<EngineAlone> =>
  engine === 'sqlite' ? onSqlite(url.replace('sqlite:', '')) : onPostgres(url)

async function onSqlite(file: string): Promise<EngineAlone> {
  const db = new DatabaseSync(file, { timeout: 5000 })
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma secure_delete = on')
  db.exec('pragma cache_size = -64000; pragma mmap_size = 268435456')
  db.exec(OWN_ACCOUNT)
  const prepared = new Map(Object.entries(STATEMENTS).map(([name, text]) => [name, db.prepare(text)]))
  const run: Run = (name, values) => prepared.get(name)?.all(...(values as SQLInputValue[]))
  return {
    rate: (seconds, group) => inGroups(seconds, group, run, (statement) => db.exec(statement)),
    close: async () => db.close(),
  }
}

async function onPostgres(url: string): Promise<EngineAlone> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(OWN_ACCOUNT)
  const numbered = (text: string) => {
    let n = 0
    return text.replaceAll('?', () => `$${++n}`)
  }
  const texts = new Map(Object.entries(STATEMENTS).map(([name, text]) => [name, numbered(text)]))
  const run: Run = (name, values) => client.query({ name, text: texts.get(name) as string, values })
  return {
    rate: (seconds, group) => inGroups(seconds, group, run, (statement) => client.query(statement)),
    close: () => client.end(),
  }
}
